"""Steps: the words of a story on one side, the verbs of a memory on the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any, Final

from knowwhy.core.model import Draft, Entity, Evidence, Schema, Slot, ValueType, name_key
from knowwhy.core.revision import ContestKey
from knowwhy.core.timeline import Instant, instant, isoformat
from knowwhy.engine.memory import Memory
from knowwhy.engine.reader import Reader
from knowwhy.errors import Malformed, NotFound
from knowwhy.evaluation import replies, tidying
from knowwhy.evaluation.replies import Reply
from knowwhy.evaluation.stage import Fields, Kind, Stage
from knowwhy.evaluation.written import Written, taken
from knowwhy.providers.embedding import model_of
from knowwhy.providers.extraction import Extraction, Utterance
from knowwhy.store.protocol import BeliefFilter

# "changes with time" says that a fact has a shelf life, not how long: by then its evidence counts half.
_SHELF_LIFE_DAYS: Final = 90

_MODALITIES: Final = {
    "asserted": "asserted",
    "inferred": "inferred",
    "planned": "planned",
    "suggested": "suggested",
    "hypothetical": "hypothetical",
    "quoted": "quoted",
    "question": "asked",
}

# Words of claims whose meaning is the product's own, under its own name.
_CLAIM_WORDS: Final = {
    "subject": "subject",
    "attribute": "attribute",
    "value": "value",
    "polarity": "stance",
    "unit": "unit",
    "scope": "conditions",
    "valid_from": "valid_from",
    "valid_to": "valid_to",
    "quote": "quote",
    "subject_ref": "subject_id",
    "subject_type": "subject_type",
    "object_type": "object_type",
}


def observe(stage: Stage, given: Fields) -> Reply:
    """A source says something."""
    if given.get("resolution", "exact") != "exact":
        raise Malformed(f"names are resolved exactly, not {given['resolution']!r}")
    known = len(stage.critical)
    claims = [_claim(stage, one) for one in given.get("claims", ())]
    roots = [one for step in given.get("derived_from", ()) for one in stage.evidence(step)]
    lang = given.get("lang")
    outcome = _desk(stage, given).observe(
        given.get("text"),
        source=given["source_id"],
        source_type=given.get("source_type"),
        claims=claims,
        observed_at=given.get("recorded_at"),
        is_pinned=given.get("pinned", False) or len(stage.critical) > known,
        context=given.get("context"),
        derived_from=roots,
        reliability=given.get("source_trust"),
        metadata={"lang": lang} if lang else None,
        idempotency_key=given.get("idempotency_key"),
        expected_version=stage.version(given.get("base_version")),
        author=given.get("agent"),
    )
    return replies.of_outcome(outcome)


def _desk(stage: Stage, given: Fields) -> Memory:
    """The memory as the agent of a step uses it, who may write what nobody else may read."""
    visibility = given.get("visibility", "shared")
    if visibility == "shared":
        return stage.memory
    if visibility != "private":
        raise Malformed(f"visibility is shared or private, not {visibility!r}")
    return stage.memory.seen_by(agent=given["agent"]).shared_with()


def document(stage: Stage, given: Fields) -> Reply:
    """A version of a document comes in, and claims are read out of it."""
    impact = stage.memory.observe_document(
        given["document"], given["version"], given["text"], observed_at=given.get("recorded_at")
    )
    return Reply({"no_error": True, "said": impact.as_dict()})


@dataclass(frozen=True, slots=True)
class Scripted:
    """An extractor that says what a story tells it to."""

    says: tuple[Draft, ...]
    name: str = "scripted"

    def extract(self, utterance: Utterance, schema: Schema) -> Extraction:  # noqa: ARG002 - it does not listen
        """What the story says, whatever the words are."""
        return Extraction(self.says)


def extract(stage: Stage, given: Fields) -> Reply:
    """A source says something, and an extractor reads claims out of it, true to the words or not."""
    drafts = tuple(Draft(**_claim(stage, one)) for one in given["extractor_returns"])
    outcome = stage.memory.observe(
        given["text"],
        source=given["source_id"],
        source_type=given.get("source_type"),
        observed_at=given.get("recorded_at"),
        author=given.get("agent"),
        extract=Scripted(drafts),
        takes_undeclared=True,
    )
    return replies.of_extraction(outcome)


def _claim(stage: Stage, written: Written) -> dict[str, Any]:
    """A claim in the product's words."""
    further = {"modality", "volatility", "when_text", "importance"}
    given = taken(written, "a claim", {"subject", "attribute", "value"}, {*_CLAIM_WORDS, *further})
    if "when_text" in given:
        given["valid_from"] = given.pop("when_text")
    if (importance := given.pop("importance", None)) is not None:
        if importance != "critical":
            raise Malformed(f"importance is 'critical', not {importance!r}")
        stage.critical.append((str(given["subject"]), str(given["attribute"])))
    if (volatility := given.pop("volatility", None)) is not None:
        if volatility != "changes with time":
            raise Malformed(f"volatility is 'changes with time', not {volatility!r}")
        stage.memory.declare(given["attribute"], half_life_days=_SHELF_LIFE_DAYS)
    modality = given.pop("modality", "asserted")
    if modality not in _MODALITIES:
        raise Malformed(f"{modality!r} is no modality; use one of {', '.join(_MODALITIES)}.")
    stage.names.append(str(given["subject"]))
    return {_CLAIM_WORDS[word]: value for word, value in given.items()} | {"modality": _MODALITIES[modality]}


def declare(stage: Stage, given: Fields) -> Reply:
    """Somebody says what an attribute is."""
    return replies.of_outcome(stage.memory.declare(given.pop("attribute"), **given))


def update(stage: Stage, given: Fields) -> Reply:
    """A person changes a fact directly, perhaps only if it still is as they read it."""
    stage.clock.reach(given.get("at"))
    outcome = stage.memory.observe(
        claims=[{word: given[word] for word in ("subject", "attribute", "value")}],
        source=given["agent"],
        source_type="user",
        observed_at=given.get("at"),
        expected_version=stage.version(given.get("base_version")),
        author=given["agent"],
    )
    return replies.of_outcome(outcome)


def end(stage: Stage, given: Fields) -> Reply:
    """Something stopped being true."""
    outcome = stage.memory.end(
        given["subject"],
        given["attribute"],
        given.get("value"),
        at=given.get("at"),
        text=given.get("text"),
        conditions=given.get("scope"),
        expected_version=stage.version(given.get("base_version")),
        author=given.get("agent"),
    )
    return replies.of_outcome(outcome)


def correct(stage: Stage, given: Fields) -> Reply:
    """Something was wrong all along."""
    outcome = stage.memory.correct(
        given["subject"],
        given["attribute"],
        given["value"],
        was=given.get("was"),
        unit=given.get("unit"),
        text=given.get("text"),
        conditions=given.get("scope"),
        expected_version=stage.version(given.get("base_version")),
        author=given.get("agent"),
    )
    return replies.of_outcome(outcome)


def retract(stage: Stage, given: Fields) -> Reply:
    """What was observed at an earlier step is withdrawn."""
    outcomes = [
        stage.memory.retract(one, author=given.get("agent"), reason=given.get("reason"))
        for one in stage.evidence(given["of"])
    ]
    return replies.of_outcome(outcomes[-1])


def erase(stage: Stage, given: Fields) -> Reply:
    """What a source said, or what loose words mean, is erased for good."""
    receipt = stage.memory.forget(
        source=given.get("source_id"), about=given.get("text"), author=given.get("agent")
    )
    counts = receipt.counts
    report = {f"{word}_removed": counts[name] for word, name in replies.ERASED.items()}
    return Reply({"no_error": True, "report": report})


def alias(stage: Stage, given: Fields) -> Reply:
    """A name stands for an entity too."""
    stage.names += [given["name"], given["entity"]]
    return replies.of_outcome(stage.memory.alias(given["name"], given["entity"]))


def unalias(stage: Stage, given: Fields) -> Reply:
    """A name does so no longer."""
    before = stage.memory.stats()["retractions"]
    reply = replies.of_outcome(stage.memory.unalias(given["name"], given["entity"]))
    removed = stage.memory.stats()["retractions"] - before
    is_gone = stage.memory.ask(given["name"]).is_unknown
    return replace(reply, facts={**reply.facts, "removed": removed if is_gone else 0})


def query(stage: Stage, given: Fields) -> Reply:
    """Somebody asks: of a subject, in plain words, or both ways at once."""
    if "context" in given and "agent" not in given:
        raise Malformed("a question in a context names its agent")
    for _ in range(given.pop("repeat", 1) - 1):
        query(stage, dict(given))
    if given.get("mode") == "history":
        return replies.of_history(_reader(stage, given).history(given["subject"], given["attribute"]))
    if "mode" in given:
        raise Malformed(f"the mode of a query is 'history', not {given['mode']!r}")
    if (window := _window(given)) is not None:
        return _in_window(stage, given, *window)
    if "subject_of" in given:
        inverse = _inverse_of(stage, given["subject_of"]["attribute"])
        given |= {"subject": given["subject_of"]["value"], "attribute": inverse}
    if "subject" not in given:
        return _recalled(stage, given)
    answer = replies.of_answer(_reader(stage, given).ask(given["subject"], given.get("attribute")))
    other = _recalled(stage, given) if "text" in given else None
    return replace(answer, other=other)


def _inverse_of(stage: Stage, attribute: str) -> str:
    """The name by which a declared relation is told from the other side."""
    declared = stage.memory.declared().attributes
    found = next((one.inverse for one in declared if one.name == attribute), None)
    if found is None:
        raise Malformed(f"{attribute!r} is not declared with an inverse")
    return found


def _recalled(stage: Stage, given: Mapping[str, Any]) -> Reply:
    if "text" not in given:
        raise Malformed("a query has a text, or a subject and perhaps an attribute")
    channels = [f"{given['channel']}s"] if "channel" in given else None
    reader = _reader(stage, given)
    found = reader.recall(given["text"], min_score=given.get("min_score", 0.0), channels=channels)
    reply = replies.of_recollection(found, _model(stage))
    # What cannot be placed is told, and the rest of the question answered all the same.
    is_told = "when_text" in given and any(given["when_text"] in words for words in found.timing.unread)
    return replace(reply, refusal="time_not_understood") if is_told else reply


def _model(stage: Stage) -> str | None:
    embedder = stage.memory._space.embedder  # noqa: SLF001 - there is no verb for it
    return None if embedder is None else model_of(embedder)


def _in_window(stage: Stage, given: Mapping[str, Any], start: Instant, end_: Instant) -> Reply:
    """What held at some instant of a stretch of time, of the subject or of all that the story speaks of.

    A question's own time words mean nothing yet, so this does not go by its text.
    """
    names = [given["subject"]] if "subject" in given else dict.fromkeys(stage.names)
    reader = stage.memory.at(valid=isoformat(end_), known=given.get("known_at"))
    answers = [reader.ask(name, given.get("attribute")) for name in names]
    return replies.of_window(answers, start, end_)


def _reader(stage: Stage, given: Mapping[str, Any]) -> Reader:
    memory = stage.memory.seen_by(agent=given["agent"]) if "agent" in given else stage.memory
    return memory.at(valid=given.get("valid_at") or given.get("asked_at"), known=given.get("known_at"))


def _window(given: Mapping[str, Any]) -> tuple[Instant, Instant] | None:
    """The stretch of time that a query is about: from an instant to another, or one day somewhere."""
    if "day" in given:
        day = date.fromisoformat(given["day"])
        zone = given.get("tz", "UTC")
        return instant(day, zone), instant(day + timedelta(days=1), zone)
    if "valid_from" in given and "valid_to" in given:
        return instant(given["valid_from"]), instant(given["valid_to"])
    return None


def read(stage: Stage, given: Fields) -> Reply:
    """Somebody notes what stands, and its version, to change it later."""
    return replies.of_answer(stage.memory.ask(given["subject"], given["attribute"]))


def conflicts(stage: Stage, given: Fields) -> Reply:
    """Somebody asks what is in conflict."""
    return replies.of_conflicts(stage.memory.conflicts(given.get("subject")))


def stats(stage: Stage, _given: Fields) -> Reply:
    """Somebody counts."""
    return replies.of_counts(stage.memory.stats())


def entities(stage: Stage, given: Fields) -> Reply:
    """Somebody asks how many things the names of the story stand for."""
    found: dict[str, Entity] = {}
    for name in dict.fromkeys(stage.names):
        answer = stage.memory.ask(name)
        about = [one.subject for one in (*answer.findings, *answer.others)]
        found.update({one.id: one for one in (*answer.candidates, *about)})
    like = name_key(given.get("name_like", ""))
    meant = [
        one for one in found.values() if like in name_key(one.name) and given.get("type") in (None, one.type)
    ]
    return Reply({"entities": len(meant), "aliases_added": stage.memory.stats()["aliases"]})


def evidence(stage: Stage, given: Fields) -> Reply:
    """Somebody asks for the very words that a belief rests on."""
    why = stage.memory.why(given["subject"], given["attribute"])
    return replies.of_words(list(why.texts.values()))


def integrity(stage: Stage, _given: Fields) -> Reply:
    """Somebody has the store checked, its views compared with the log, and what hangs in the air counted."""
    problems = list(stage.memory.doctor().problems)
    space = stage.memory._space  # noqa: SLF001 - no verb lists all there is
    with space.store.snapshot(space.name) as view:
        slots, kept = list(view.every(Slot)), {one.id for one in view.every(Evidence)}
        beliefs = view.beliefs(BeliefFilter(subjects=sorted({one.subject.id for one in slots})))
        told = view.testimonies([ContestKey(one.slot.id, one.value.key) for one in beliefs])
    rests_on = {key: {one.claim.evidence_id for one in those} for key, those in told.items()}
    bare = [one for one in beliefs if not rests_on.get(ContestKey(one.slot.id, one.value.key))]
    named = {one.slot.subject.id for one in beliefs}
    named |= {one.value.key.partition(":")[2] for one in beliefs if one.value.type is ValueType.ENTITY}
    return Reply(
        {
            "problems": problems,
            "beliefs_without_evidence": len(bare),
            "dangling_links": len(problems) + sum(len(ids - kept) for ids in rests_on.values()),
            "entities_without_mention": stage.memory.stats()["entities"] - len(named),
        }
    )


def restart(stage: Stage, _given: Fields) -> Reply:
    """The memory is closed and opened again."""
    stage.restarted()
    return Reply()


def importing(stage: Stage, given: Fields) -> Reply:
    """A file comes in, item by item, as one batch."""
    line = stage.memory
    stage.memory = line.in_run(given["batch"])
    try:
        told = [stage.act(item) for item in given["items"]]
    finally:
        stage.memory = line
    return Reply({"no_error": all(one.refusal is None for one in told)})


def undo_batch(stage: Stage, given: Fields) -> Reply:
    """A whole batch is taken back."""
    try:
        return replies.of_outcome(stage.memory.undo(run=given["batch"], author=given.get("agent")))
    except NotFound as unknown:
        return replace(replies.refused(unknown, is_unchanged=True), refusal="unknown_batch")


_TIMES: Final = frozenset({"recorded_at", "ingested_at"})
_SLOT: Final = frozenset({"subject", "attribute"})
_FACT: Final = _SLOT | {"value"}
_NAMING: Final = frozenset({"name", "entity"})
_ACT: Final = _TIMES | {"agent", "base_version", "text", "scope"}
_DECLARATION: Final = frozenset(
    {"cardinality", "value_type", "unit", "changes", "half_life_days", "synonyms", "patterns", "about"}
    | {"subject_type", "object_type", "inverse"}
)
_OBSERVATION: Final = (
    _TIMES
    | {"text", "claims", "source_type", "source_trust", "agent", "context", "visibility", "lang", "pinned"}
    | {"derived_from", "idempotency_key", "base_version", "resolution", "measure"}
)
QUESTION: Final = (
    _SLOT
    | {"text", "valid_at", "known_at", "valid_from", "valid_to", "day", "tz", "asked_at"}
    | {
        "subject_of",
        "mode",
        "repeat",
        "min_score",
        "measure",
        "agent",
        "context",
        "when_text",
        "channel",
        "explain",
    }
)

STEPS: Final[Mapping[str, Kind]] = {
    **tidying.STEPS,
    "alias": Kind(alias, _NAMING),
    "conflicts": Kind(conflicts, allowed=frozenset({"subject"})),
    "correct": Kind(correct, _FACT, _ACT | {"was", "unit"}),
    "declare": Kind(declare, frozenset({"attribute"}), _DECLARATION),
    "document": Kind(document, frozenset({"document", "version", "text"}), _TIMES),
    "end": Kind(end, _SLOT, _ACT | {"value", "at"}),
    "entities": Kind(entities, allowed=frozenset({"name_like", "type"})),
    "erase": Kind(erase, allowed=frozenset({"source_id", "text", "agent"})),
    "evidence": Kind(evidence, _SLOT),
    "extract": Kind(
        extract, frozenset({"text", "source_id", "extractor_returns"}), _TIMES | {"source_type", "agent"}
    ),
    "import": Kind(importing, frozenset({"batch", "items"}), _TIMES | {"agent"}),
    "integrity": Kind(integrity),
    "list": Kind(stats),
    "observe": Kind(observe, frozenset({"source_id"}), _OBSERVATION),
    "query": Kind(query, allowed=QUESTION, is_reading=True),
    "read": Kind(read, _SLOT),
    "restart": Kind(restart),
    "retract": Kind(retract, frozenset({"of"}), _TIMES | {"agent", "reason"}),
    "stats": Kind(stats),
    "unalias": Kind(unalias, _NAMING),
    "undo_batch": Kind(undo_batch, frozenset({"batch"}), _TIMES | {"agent"}),
    "update": Kind(update, _FACT | {"agent"}, frozenset({"base_version", "at"})),
}
