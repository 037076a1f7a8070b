"""history: what was true when, when and why the mind changed, and what that carried with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from knowwhy.core.model import Belief, Operation, Slot, Status, Testimony
from knowwhy.core.revision import ContestKey, Pool, Terms, settle_together
from knowwhy.core.timeline import Instant, Scope
from knowwhy.engine.ask import about, meant
from knowwhy.engine.outcome import outcome_from
from knowwhy.engine.space import Space
from knowwhy.errors import AmbiguousName, NotFound
from knowwhy.explain.history import Carried, History, Period, Turn, periods, turns
from knowwhy.ingest.resolution import conditions_key
from knowwhy.recall.ancestry import Testimonies, attribute_slots, by_id, with_ancestry
from knowwhy.recall.gate import Gate
from knowwhy.store.protocol import BeliefFilter

# How many beliefs that rest on a slot, step by step, are looked at.
_MOST_LEANING: Final = 1_000

_STANDING: Final = {str(one) for one in Status if one.is_standing}


def history(
    space: Space,
    subject: str,
    attribute: str | None = None,
    *,
    scope: Scope,
    conditions: Mapping[str, str] | None = None,
) -> History:
    """How a subject's attribute, or the slot of a belief given by its id, came to stand as it does.

    Raises:
        AmbiguousName: the subject's name stands for several entities.
        NotFound: no belief has such an id.
    """
    with space.reading(scope) as gate:
        held = _of_belief(gate, subject) if attribute is None else _about(gate, subject, attribute)
        if conditions is not None:
            held = [belief for belief in held if belief.slot.conditions == conditions_key(conditions)]
        stretches: list[Period] = []
        changes: list[Turn] = []
        for contest in gate.contests(held):
            found, turned = _of_contest(gate, contest, scope)
            stretches += found
            changes += turned
        named = subject if attribute is not None else held[0].slot.subject.name
        return History(
            named,
            attribute if attribute is not None else gate.attribute(held[0].slot.attribute).name,
            tuple(sorted(stretches, key=lambda one: (one.start, one.end))),
            tuple(sorted(changes, key=lambda one: (one.operation, one.belief.id))),
        )


def _about(gate: Gate, subject: str, attribute: str) -> list[Belief]:
    entities = meant(gate, subject)
    if len(entities) > 1:
        msg = f"{subject!r} may mean {len(entities)} entities; give one of them a name of its own."
        raise AmbiguousName(msg, candidates=[{"id": one.id, "name": one.name} for one in entities])
    return about(gate, entities[0], attribute) if entities else []


def _of_belief(gate: Gate, belief: str) -> list[Belief]:
    found = gate.beliefs(BeliefFilter(ids=[belief]))
    if not found:
        msg = f"No belief has the id {belief!r} here; name a subject and an attribute instead."
        raise NotFound(msg, belief=belief)
    return found


def _of_contest(gate: Gate, contest: ContestKey, scope: Scope) -> tuple[list[Period], list[Turn]]:
    pool = with_ancestry(gate.view, gate.schema, gate.view.testimonies([contest]))
    known = {
        key: seen
        for key, those in pool.items()
        if (seen := tuple(one for one in those if one.recorded_at <= scope.known))
    }
    testimonies = known.get(contest)
    if testimonies is None:
        return [], []
    bearing = [one for those in known.values() for one in those]
    operations = _operations(gate, bearing)
    turned = list(turns(bearing, operations, _Past(gate, contest, known).settled))
    leaning = _leaning(gate, testimonies[0].claim.slot, turned)
    return (
        periods(testimonies, gate.attribute(testimonies[0].claim.slot.attribute), scope, gate.policy),
        [replace(one, carried=_carried(operations[one.operation], leaning)) for one in turned],
    )


def _operations(gate: Gate, testimonies: Iterable[Testimony]) -> dict[int, Operation]:
    numbers: set[int] = set()
    for one in testimonies:
        numbers.add(one.operation)
        for each in one.withdrawals:
            numbers.update(number for number in (each.operation, each.lifted_in) if number)
    return {one.sequence: one for one in gate.view.operations(sequences=sorted(numbers))}


class _Past:
    """One contest with all that it rests on, settled as of what was known at an instant."""

    def __init__(self, gate: Gate, contest: ContestKey, known: Testimonies) -> None:
        self._terms = Terms(gate.schema, gate.policy)
        self._contest = contest
        self._known = known

    def settled(self, at: Instant) -> Sequence[Belief]:
        """The beliefs of the contest as they stood at `at`, by what was known then."""
        pool = {
            key: seen
            for key, those in self._known.items()
            if (seen := tuple(one for one in those if one.recorded_at <= at))
        }
        held = settle_together(Pool(pool, self._terms), Scope(at, at)).held
        return held.get(self._contest, ())


def _leaning(gate: Gate, slot: Slot, turned: Iterable[Turn]) -> set[str]:
    """The beliefs (by id) that rest on a slot, step by step: by derivation, or as declared."""
    found: set[str] = set()
    frontier = {slot.id, *(one.belief.id for one in turned)}
    own = set(frontier)
    attributes = {key: [slot.subject.id] for key in gate.schema.dependents.get(slot.attribute, ())}
    while frontier and len(found) < _MOST_LEANING:
        leaning = gate.view.beliefs(BeliefFilter(premises=sorted(frontier)))
        if attributes:
            keys = sorted(attribute_slots(gate.view, gate.schema, attributes), key=by_id)
            leaning += gate.view.beliefs(BeliefFilter(contests=keys))
            attributes = {}
        new = [one for one in leaning if one.id not in found and one.id not in own]
        found |= {one.id for one in new}
        frontier = {each for one in new for each in (one.id, one.slot.id)} - own
    return found


def _carried(operation: Operation, leaning: set[str]) -> tuple[Carried, ...]:
    """What rests on a slot and fell, or became doubtful, in an operation."""
    return tuple(
        Carried(one.belief, one.subject, one.attribute, one.value, one.before, one.after)
        for one in outcome_from(operation).changes
        if one.belief in leaning and one.before in _STANDING and one.after != Status.ACCEPTED
    )
