"""summary: what was said in a session or of a subject, in its sources' words, as far as it still holds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from knowwhy.consolidate.material import chunks
from knowwhy.consolidate.telling import Told
from knowwhy.core.model import Belief, Evidence, Excerpts, Stance, belief_id, one_line, session_key
from knowwhy.core.timeline import Scope, isoformat, shown
from knowwhy.engine.ask import about, meant
from knowwhy.engine.space import Space
from knowwhy.errors import AmbiguousName, InvalidInput
from knowwhy.recall.gate import Gate
from knowwhy.store.protocol import BeliefFilter

# A sentence: the item of evidence (by id) in whose text it stands, and where it begins and ends there.
_Place: TypeAlias = tuple[str, int, int]


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
    carried = _carried(gate, items)
    return _lines(gate, items, carried, [one for one in noted.sentences if one[0] in items])


def _of_beliefs(gate: Gate, held: Iterable[Belief]) -> Iterable[SummaryLine]:
    """The sentences from which what is held was read: for each belief the one that counts most."""
    first = {
        own: next((one.testimony.claim for one in those if one.is_support and one.is_heard), None)
        for own, those in gate.grounds(held).items()
    }
    wanted = {(one.evidence_id, own) for own, one in first.items() if one is not None}
    items = _readable(gate, [item for item, _ in wanted])
    carried = _carried(gate, items)
    places = [place for place, those in carried.items() if any((place[0], one) in wanted for one in those)]
    return _lines(gate, items, carried, sorted(places, key=lambda one: (items[one[0]].effective_at, one)))


def _carried(gate: Gate, items: Mapping[str, Evidence]) -> dict[_Place, list[str]]:
    """The sentences of some items from which anything was read, each with the beliefs (ids) that it carries.

    The whole text counts as one where none of its sentences can be told from the others; it carries all.
    """
    found: dict[_Place, dict[str, None]] = defaultdict(dict)
    texts = {own: Told(item.text) for own, item in items.items()}
    for chunk in chunks(sorted(items)):
        heard = [
            one.claim
            for one in gate.view.claims(chunk)
            if one.is_visible(gate.scope.known) and one.claim.stance is Stance.SUPPORTS
        ]
        for claim in heard:
            own, told = belief_id(claim.slot.id, claim.value.key), texts[claim.evidence_id]
            found[(claim.evidence_id, *(told.sentence(claim) or told.whole))][own] = None
        for claim in heard:
            whole = (claim.evidence_id, *texts[claim.evidence_id].whole)
            if whole in found:
                found[whole][belief_id(claim.slot.id, claim.value.key)] = None
    return {place: list(those) for place, those in found.items()}


def _lines(
    gate: Gate,
    items: Mapping[str, Evidence],
    carried: Mapping[_Place, list[str]],
    places: Iterable[_Place],
) -> Iterable[SummaryLine]:
    """Those of some sentences all of whose beliefs are held."""
    told = [(place, carried[place]) for place in places if place in carried]
    ids = sorted({one for _, those in told for one in those})
    held = {
        one.id: one
        for chunk in chunks(ids)
        for one in gate.beliefs(BeliefFilter(ids=chunk))
        if one.status.is_held
    }
    return [
        SummaryLine(items[item].text[start:end], items[item], tuple(held[one] for one in those))
        for (item, start, end), those in told
        if all(one in held for one in those)
    ]


def _readable(gate: Gate, ids: Iterable[str]) -> dict[str, Evidence]:
    wanted = sorted(set(ids))
    found = gate.view.evidence(ids=wanted) if wanted else []
    return {one.id: one for one in found if gate.may_read(one)}
