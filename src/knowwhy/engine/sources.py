"""sources: how far each source is trusted, and what became of what it said."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from knowwhy.core.confidence.copying import suggested_copies
from knowwhy.core.confidence.reliability import supposed, tabulated
from knowwhy.core.model import Belief, Evidence, Schema, Source, Stance, Status, Testimony, belief_id
from knowwhy.core.revision import ContestKey
from knowwhy.core.revision.hearing import hear
from knowwhy.core.timeline import Instant, Scope
from knowwhy.engine.space import Space
from knowwhy.engine.survey import Survey, pages, surveyed
from knowwhy.errors import NotFound
from knowwhy.explain.sources import SharedErrors, SourceStanding
from knowwhy.recall.gate import Gate
from knowwhy.store.protocol import BeliefFilter

_SAID: Final = "statements"
_ACCEPTED: Final = "accepted"
_CONTESTED: Final = "contested"
_OVERRULED: Final = "overruled"


def sources(space: Space, name: str | None = None, *, scope: Scope) -> tuple[SourceStanding, ...]:
    """All sources that had spoken, or those of one name, in order of name and type.

    It reads all that was ever said, page by page: a report, not a look-up.

    Raises:
        NotFound: no source of that name had spoken.
    """
    with space.reading(scope) as gate:
        items = _evidence_of_each(gate)
        said = _said(gate)
        found = surveyed(gate.view, gate.schema, scope.known)
        learned = _learned(gate.schema, scope.known)
        copies = _copies(found, {group: rate for group, (rate, _) in learned.items()})
        apart = gate.schema.quarantined
        spoke = [
            one for one in gate.view.sources() if items[one.group] or said[one.group] or one.name in apart
        ]
    asked = [one for one in spoke if name in (None, one.name)]
    if name is not None and not asked:
        msg = f"No source named {name!r} has spoken."
        raise NotFound(msg, name=name)
    return tuple(
        replace(
            _standing(one, learned.get(one.group), items[one.group], said[one.group], copies[one.group]),
            is_quarantined=one.name in apart,
        )
        for one in sorted(asked, key=lambda one: (one.name, one.type))
    )


def _standing(
    source: Source,
    learned: tuple[float, int] | None,
    items: int,
    said: Counter[str],
    copies: list[SharedErrors],
) -> SourceStanding:
    rate, judged = (None, 0) if learned is None else learned
    return SourceStanding(
        source.name,
        source.type,
        source.authority,
        source.reliability,
        rate,
        judged,
        items,
        said[_SAID],
        said[_ACCEPTED],
        said[_CONTESTED],
        said[_OVERRULED],
        tuple(copies),
    )


def _evidence_of_each(gate: Gate) -> Counter[str]:
    """How many items of evidence there are of each source, by its group."""
    known = gate.scope.known
    return Counter(
        one.source.group
        for one in gate.view.every(Evidence)
        if one.recorded_at <= known and not any(each.covers(known) for each in one.withdrawals)
    )


def _said(gate: Gate) -> defaultdict[str, Counter[str]]:
    """For each source, by its group, how many statements it made, and how those stand that it stands by."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for page in pages(gate.view, gate.scope.known):
        held = gate.beliefs(BeliefFilter(contests=[ContestKey(slot.id) for slot, _ in page]))
        beliefs = {one.id: one for one in held}
        for slot, visible in page:
            for one in visible:
                found[one.source.group][_SAID] += 1
            for statement in hear(visible, gate.attribute(slot.attribute), gate.scope).heard:
                one = statement.testimony
                belief = beliefs.get(belief_id(slot.id, one.claim.value.key))
                if belief is not None and (outcome := _outcome(one, belief, gate.scope.valid)):
                    found[one.source.group][outcome] += 1
    return found


def _outcome(one: Testimony, belief: Belief, at: Instant) -> str | None:
    """What became of a statement; None where the world moved on."""
    status = belief.status_at(at)
    if status is Status.CONTESTED:
        return _CONTESTED
    if one.claim.stance is Stance.REFUTES:
        return _OVERRULED if status.is_held else _ACCEPTED
    if status.is_held:
        return _ACCEPTED
    return _OVERRULED if status in (Status.REJECTED, Status.CHALLENGER) else None


def _learned(schema: Schema, known: Instant) -> dict[str, tuple[float, int]]:
    """What was last learned of each source by an instant, and from how many statements."""
    for one in reversed(schema.learnings):
        if one.declared_at <= known:
            return {group: (rate, number) for group, rate, number in one.rates}
    return {}


def _copies(found: Survey, learned: Mapping[str, float]) -> defaultdict[str, list[SharedErrors]]:
    """For each source, by its group, with whom it shares mistakes, given how reliable all are taken to be."""
    table = tabulated(found.assertions)
    posteriors = supposed(table, found.priors | dict(learned), found.choices)
    links: defaultdict[str, list[SharedErrors]] = defaultdict(list)
    for one in suggested_copies(table, posteriors):
        for mine, other in ((one.first, one.second), (one.second, one.first)):
            speaker = found.speakers[other]
            links[mine].append(SharedErrors(speaker.name, speaker.type, one.shared_errors))
    return links
