"""summary: what was said in a session or of a subject, in its sources' words, as far as it still holds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from knowwhy.consolidate.material import chunks
from knowwhy.consolidate.summarising import sentence_of
from knowwhy.core.model import Belief, Claim, Evidence, Excerpts, belief_id, one_line, session_key
from knowwhy.core.timeline import Scope, isoformat, shown
from knowwhy.engine.ask import about, meant
from knowwhy.engine.space import Space
from knowwhy.errors import AmbiguousName, InvalidInput
from knowwhy.recall.gate import Gate
from knowwhy.store.protocol import BeliefFilter


@dataclass(frozen=True, slots=True)
class SummaryLine:
    """A sentence of a source, and the beliefs that it carries."""

    text: str
    evidence: Evidence
    beliefs: tuple[Belief, ...]

    def as_dict(self) -> dict[str, Any]:
        """The sentence for a program."""
        item = self.evidence
        return {
            "text": self.text,
            "evidence": item.id,
            "source": item.source.name,
            "observed_at": isoformat(item.observed_at),
            "beliefs": [one.id for one in self.beliefs],
        }

    def __str__(self) -> str:
        item = self.evidence
        return one_line(f"“{self.text.strip()}” ({item.source.name}, {shown(item.observed_at)})")


@dataclass(frozen=True, slots=True)
class Summary:
    """Sentences that tell of a session or a subject, each of whose beliefs still stands.

    It is put together when asked for: no evidence itself, and nothing rests on it.
    """

    of: str
    lines: tuple[SummaryLine, ...]

    @property
    def beliefs(self) -> tuple[Belief, ...]:
        """The beliefs that it carries, each once."""
        return tuple({one.id: one for line in self.lines for one in line.beliefs}.values())

    def as_dict(self) -> dict[str, Any]:
        """The summary for a program."""
        return {"of": self.of, "lines": [one.as_dict() for one in self.lines]}

    def __str__(self) -> str:
        head = one_line(f"{self.of}:" if self.lines else f"{self.of}: nothing to tell.")
        return "\n".join([head, *(f"  {one}" for one in self.lines)])


def summary(space: Space, subject: str | None, context: str | None, *, scope: Scope) -> Summary:
    """What tells of a session, or of a subject.

    Raises:
        InvalidInput: neither is named, or both are.
        AmbiguousName: the name stands for several.
    """
    if (subject is None) is (context is None):
        msg = "Say what is to be told of: a subject, or the context of a session."
        raise InvalidInput(msg)
    with space.reading(scope) as gate:
        if context is not None:
            return Summary(context, tuple(_of_session(gate, context)))
        name = subject or ""
        entities = meant(gate, name)
        if len(entities) > 1:
            msg = f"{name!r} may mean {len(entities)} entities; give one of its other names."
            raise AmbiguousName(msg, candidates=[{"id": one.id, "name": one.name} for one in entities])
        held = [each for one in entities for each in about(gate, one, None) if each.status.is_held]
        return Summary(name, tuple(_of_beliefs(gate, held)))


def _of_session(gate: Gate, context: str) -> Iterable[SummaryLine]:
    """The sentences noted of a session of which nothing was superseded or withdrawn since."""
    key = session_key(context)
    noted = gate.view.declared(Excerpts, [key]).get(key, Excerpts(key))
    items = _readable(gate, noted.evidence)
    claims = [
        one.claim
        for chunk in chunks(sorted(items))
        for one in gate.view.claims(chunk)
        if one.is_visible(gate.scope.known)
    ]
    return _lines(gate, items, claims, [one for one in noted.sentences if one[0] in items])


def _of_beliefs(gate: Gate, held: Iterable[Belief]) -> Iterable[SummaryLine]:
    """The sentences from which what is held was read: for each belief the one that counts most."""
    grounds = gate.grounds(held)
    first = [
        next((one.testimony.claim for one in those if one.is_support and one.is_heard), None)
        for those in grounds.values()
    ]
    claims = [one for one in first if one is not None]
    items = _readable(gate, [one.evidence_id for one in claims])
    places = [
        (one.evidence_id, *_place(items[one.evidence_id].text, one))
        for one in claims
        if one.evidence_id in items
    ]
    ordered = sorted(set(places), key=lambda one: (items[one[0]].effective_at, one))
    return _lines(gate, items, claims, ordered)


def _lines(
    gate: Gate, items: Mapping[str, Evidence], claims: Iterable[Claim], places: Iterable[tuple[str, int, int]]
) -> Iterable[SummaryLine]:
    told = list(claims)
    ids = sorted({belief_id(one.slot.id, one.value.key) for one in told})
    stands = {one.id: one for chunk in chunks(ids) for one in gate.beliefs(BeliefFilter(ids=chunk))}
    found = []
    for item, start, end in places:
        text = items[item].text
        carried = [
            belief_id(one.slot.id, one.value.key)
            for one in told
            if one.evidence_id == item and _place(text, one) == (start, end)
        ]
        beliefs = [stands[one] for one in dict.fromkeys(carried) if one in stands]
        if beliefs and len(beliefs) == len(set(carried)) and all(one.status.is_held for one in beliefs):
            found.append(SummaryLine(text[start:end], items[item], tuple(beliefs)))
    return found


def _place(text: str, claim: Claim) -> tuple[int, int]:
    """Where the sentence of a claim stands; the whole text where none can be told from the others."""
    return sentence_of(text, claim) or (0, len(text))


def _readable(gate: Gate, ids: Iterable[str]) -> dict[str, Evidence]:
    wanted = sorted(set(ids))
    found = gate.view.evidence(ids=wanted) if wanted else []
    return {one.id: one for one in found if gate.may_read(one)}
