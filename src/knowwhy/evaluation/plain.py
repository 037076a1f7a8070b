"""The plain form of a story: what was told, with its date, and what is asked; made into steps in full."""

from __future__ import annotations

from typing import Any, Final

from knowwhy.core.timeline import instant
from knowwhy.errors import InvalidInput
from knowwhy.evaluation.written import Lined, Written, line_of, slip, taken

_STORY: Final = {"id", "lang", "attributes", "told"}
_TOLD: Final = {"date", "type", "text", "claims", "version"}
_ASKED: Final = {"words", "expect", "conflict", "unknown", "cites", "never"}
_WHEN: Final = {"as_of": "valid_at", "known_at": "known_at", "asked_on": "asked_at"}


def in_full(written: Written) -> Lined:
    """The story with the steps and the expectations that its plain words mean.

    Raises:
        Malformed: a word is missing, unknown or in the wrong place.
    """
    found = taken(written, "a story", {"story", "asked"}, _STORY)
    attributes = found.get("attributes", {})
    if not isinstance(attributes, dict) or not all(isinstance(one, dict) for one in attributes.values()):
        raise slip("attributes maps each name to what is declared of it.", written, "attributes")
    steps = [_like(one, {"op": "declare", "attribute": name, **one}) for name, one in attributes.items()]
    steps += [_step(one) for one in _list(written, "told")]
    expect = []
    for number, one in enumerate(_list(written, "asked"), start=1):
        step, expected = _question(one, f"question {number}")
        steps.append(step)
        expect.append(expected)
    full = {"title": found["story"], "steps": steps, "expect": expect}
    full |= {word: found[word] for word in ("id", "lang") if word in found}
    return Lined(full, line_of(written) or 1, {})


def _list(written: Written, field: str) -> list[Any]:
    found = written.get(field, [])
    if not isinstance(found, list):
        raise slip(f"{field} is a list.", written, field)
    if field != "claims" and not all(isinstance(one, dict) for one in found):
        raise slip(f"{field} is a list of mappings.", written, field)
    return found


def _like(written: Written, fields: dict[str, Any]) -> Written:
    """The fields, standing where what they were made of stands."""
    return Lined(fields, written.line, written.lines) if isinstance(written, Lined) else fields


def _step(written: Written) -> Written:
    if isinstance(written, dict) and "op" in written:
        return written
    is_document = isinstance(written, dict) and "document" in written
    found = taken(written, "what was told", {"document" if is_document else "source"}, _TOLD)
    step: dict[str, Any] = {"recorded_at": found["date"]} if "date" in found else {}
    step |= {"text": found["text"]} if "text" in found else {}
    if is_document:
        if "text" not in found or "claims" in found:
            raise slip("a document has a text, out of which claims are read.", written, "document")
        version = str(found.get("version", found.get("date", "1")))
        return _like(written, {**step, "op": "document", "document": found["document"], "version": version})
    if "version" in found:
        raise slip("only a document has a version.", written, "version")
    if "text" not in found and "claims" not in found:
        raise slip("what was told has a text, or claims, or both.", written)
    step |= {"source_type": found["type"]} if "type" in found else {}
    if "claims" in found:
        step["claims"] = [_claim(one, written) for one in _list(written, "claims")]
    return _like(written, {**step, "op": "observe", "source_id": found["source"]})


def _claim(claim: object, told: Written) -> object:
    """A claim as it is, or one that is written as subject / attribute = value."""
    if not isinstance(claim, str):
        return claim
    denied, sign = " != " in claim, " != " if " != " in claim else " = "
    slot, is_there, value = claim.partition(sign)
    if not is_there or not value.strip():
        raise slip(f"{claim!r} is no claim: write subject / attribute = value.", told, "claims")
    fields = {**_slot(slot, told, "claims"), "value": value.strip()}
    return fields | {"polarity": "refutes"} if denied else fields


def _slot(words: object, written: Written, field: str) -> dict[str, str]:
    """What is spoken of: subject / attribute, or a mapping of both."""
    if isinstance(words, dict):
        return taken(words, field, {"subject", "attribute"}, set())
    subject, is_there, attribute = str(words).partition(" / ")
    if not is_there or not subject.strip() or not attribute.strip():
        raise slip(f"{words!r} names nothing to ask of: write subject / attribute.", written, field)
    return {"subject": subject.strip(), "attribute": attribute.strip()}


def _question(written: Written, name: str) -> tuple[Written, Written]:
    found = taken(written, "what is asked", {"ask"}, _ASKED | set(_WHEN))
    slot = _slot(found["ask"], written, "ask")
    for word in ("conflict", "unknown"):
        if not isinstance(found.get(word, True), bool):
            raise slip(f"{word} is true or false, not {found[word]!r}.", written, word)
    when = {theirs: _time(written, ours) for ours, theirs in _WHEN.items() if ours in found}
    asked = {"text": found["words"]} if "words" in found else slot
    values = _many(found.get("expect"))
    conflict = found.get("conflict")
    check: dict[str, Any] = {} if conflict is None else {"conflict": conflict}
    check |= {"cites": _many(found["cites"])} if "cites" in found else {}
    check |= {"unknown": found["unknown"]} if "unknown" in found else {}
    if values and not conflict and "words" not in found:
        check["only"] = values
    status = "disputed" if conflict else "current"
    expected = {
        "at": name,
        "must": [{**slot, "value": one, "status": status} for one in values],
        "must_not": [{**slot, "value": one} for one in _many(found.get("never"))],
        "check": check,
    }
    if not (expected["must"] or expected["must_not"] or check):
        raise slip("nothing is expected: give expect, conflict, unknown, cites or never.", written, "ask")
    return _like(written, {"op": "query", "id": name, **asked, **when}), _like(written, expected)


def _time(written: Written, field: str) -> str:
    """A time as it is written, which must be one."""
    try:
        instant(written[field])
    except InvalidInput as problem:
        raise slip(problem.message, written, field) from problem
    return str(written[field])


def _many(value: Any) -> list[Any]:  # noqa: ANN401 - one value or several, as they are written
    if value is None:
        return []
    return list(value) if isinstance(value, list) else [value]
