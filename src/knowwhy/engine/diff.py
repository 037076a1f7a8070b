"""diff: how two states of a memory differ, value by value."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from knowwhy.core.model import Belief, Mark, Operation, Slot, Status, Withdrawal, name_key, one_line
from knowwhy.core.revision import ContestKey
from knowwhy.core.timeline import FOREVER, Instant, Scope, isoformat, shown
from knowwhy.engine.branch import MAIN, space_on
from knowwhy.engine.lines import stretches
from knowwhy.engine.outcome import outcome_from
from knowwhy.engine.space import Space, When
from knowwhy.errors import BeyondHorizon, InvalidInput, NotFound
from knowwhy.recall.gate import Gate
from knowwhy.recall.identity import last_by
from knowwhy.store.joint import Fork
from knowwhy.store.layered import LayeredStore
from knowwhy.store.memory import MemoryStore
from knowwhy.store.protocol import BeliefFilter, Snapshot

# A state of a memory: after an operation, as known at an instant, by the name of a snapshot or a branch.
StateLike: TypeAlias = int | When

# The least difference in confidence that a reader sees in two digits.
_NOTICEABLE: Final = 0.005


@dataclass(frozen=True, slots=True)
class Standing:
    """How a value stands in one state: its status, its number, and the evidence that speaks of it."""

    status: Status
    confidence: float
    evidence: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """The standing for a program."""
        return {
            "status": self.status,
            "confidence": round(self.confidence, 6),
            "evidence": list(self.evidence),
        }

    def __str__(self) -> str:
        return f"{self.status} {self.confidence:.2f}"


@dataclass(frozen=True, slots=True)
class Difference:
    """A value that stands otherwise in one state than in another; None where it is unheard of."""

    slot: Slot
    value: str
    before: Standing | None
    after: Standing | None

    @property
    def gained(self) -> tuple[str, ...]:
        """The evidence that speaks of it only in the later state."""
        return _beyond(self.after, self.before)

    @property
    def lost(self) -> tuple[str, ...]:
        """The evidence that spoke of it only in the earlier state."""
        return _beyond(self.before, self.after)

    def as_dict(self) -> dict[str, Any]:
        """The difference for a program."""
        return {
            "subject": self.slot.subject.name,
            "attribute": self.slot.attribute,
            "conditions": dict(self.slot.conditions),
            "value": self.value,
            "before": None if self.before is None else self.before.as_dict(),
            "after": None if self.after is None else self.after.as_dict(),
            "gained": list(self.gained),
            "lost": list(self.lost),
        }

    def __str__(self) -> str:
        head = f"{self.slot.subject.name} / {self.slot.attribute} = {self.value}"
        stood = f"{self.before or 'unheard of'} → {self.after or 'unheard of'}"
        moved = [*(f"+{one}" for one in self.gained), *(f"-{one}" for one in self.lost)]
        return one_line(f"{head}: {stood}{f' [{chr(32).join(moved)}]' if moved else ''}")


def _beyond(one: Standing | None, other: Standing | None) -> tuple[str, ...]:
    known = set() if other is None else set(other.evidence)
    return () if one is None else tuple(each for each in one.evidence if each not in known)


@dataclass(frozen=True, slots=True)
class Diff:
    """How two states differ in what they say of one instant, by subject, attribute and value."""

    before: str
    after: str
    valid: Instant
    differences: tuple[Difference, ...]

    def as_dict(self) -> dict[str, Any]:
        """The diff for a program."""
        return {
            "before": self.before,
            "after": self.after,
            "valid": isoformat(self.valid),
            "differences": [one.as_dict() for one in self.differences],
        }

    def __str__(self) -> str:
        head = f"{self.before} … {self.after}, as of {shown(self.valid)}:"
        if not self.differences:
            return one_line(f"{head} no difference.")
        return "\n".join([one_line(head), *(f"  {one}" for one in self.differences)])


@dataclass(frozen=True, slots=True)
class _State:
    """A state: a line, what of it is known, and after which of its operations."""

    name: str
    space: Space
    known: Instant
    until: int
    whole: Space


def diff(space: Space, before: StateLike, after: StateLike | None = None, *, valid: Instant) -> Diff:
    """How what is known in one state of a memory differs from another, both about the instant `valid`.

    Raises:
        NotFound: no such operation, snapshot or branch.
        BeyondHorizon: what was known then was dropped.
    """
    states = _state(space, before), _state(space, after)
    differences: list[Difference] = []
    slots = sorted(_with_leaning(states, _touched(*states)))
    for start in range(0, len(slots), _PAGE):
        stood = [_standings(one, slots[start : start + _PAGE], valid) for one in states]
        differences += _compared(*stood)
    return Diff(
        states[0].name,
        states[1].name,
        valid,
        tuple(sorted(differences, key=lambda one: (one.slot.subject.name, one.slot.attribute, one.value))),
    )


_PAGE: Final = 500


def _standings(state: _State, slots: list[str], valid: Instant) -> dict[str, tuple[Belief, Standing]]:
    """How each value of some slots stands in a state, by the id of the belief."""
    scope = Scope(valid, state.known)
    with state.space.reading(scope) as gate:
        wanted = [ContestKey(one) for one in slots]
        held = gate.beliefs(BeliefFilter(contests=wanted))
        spoken = _spoken(gate, wanted)
        return {
            one.id: (
                one,
                Standing(
                    one.status_at(valid),
                    one.confidence(valid),
                    spoken.get((one.slot.id, one.value.key), ()),
                ),
            )
            for one in held
        }


def _spoken(gate: Gate, wanted: list[ContestKey]) -> dict[tuple[str, str], tuple[str, ...]]:
    found: dict[tuple[str, str], set[str]] = {}
    for those in gate.view.testimonies(wanted).values():
        for one in those:
            if one.is_visible(gate.scope.known):
                key = (one.claim.slot.id, one.claim.value.key)
                found.setdefault(key, set()).add(one.claim.evidence_id)
    return {key: tuple(sorted(those)) for key, those in found.items()}


def _compared(
    before: dict[str, tuple[Belief, Standing]], after: dict[str, tuple[Belief, Standing]]
) -> Iterator[Difference]:
    for one in sorted(before.keys() | after.keys()):
        belief = (before.get(one) or after[one])[0]
        was = before[one][1] if one in before else None
        is_now = after[one][1] if one in after else None
        if was is None or is_now is None or _differ(was, is_now):
            yield Difference(belief.slot, str(belief.value), was, is_now)


def _differ(one: Standing, other: Standing) -> bool:
    is_standing = one.status.is_standing or other.status.is_standing
    has_moved = is_standing and abs(one.confidence - other.confidence) >= _NOTICEABLE
    return one.status is not other.status or has_moved or one.evidence != other.evidence


# States -----------------------------------------------------------------------------------------


def _state(space: Space, written: StateLike | None) -> _State:
    """The state that a caller means: a number, a branch, a snapshot, an instant; the present where None."""
    if written is None:
        return _present(space, "now")
    if isinstance(written, int) or (isinstance(written, str) and written.strip().isdigit()):
        return _after(space, int(written), f"operation {int(written)}")
    if isinstance(written, str) and (named := _named(space, written)) is not None:
        return named
    try:
        at = space.instant(written)
    except InvalidInput as problem:
        if not isinstance(written, str):
            raise
        msg = f"{written!r} is no operation, branch, snapshot or time."
        raise NotFound(msg, state=written) from problem
    with space.store.snapshot(space.name) as view:
        until = last_by(view, at)
    return _State(shown(at), space, at, until, space)


def _named(space: Space, name: str) -> _State | None:
    with space.store.snapshot(space.name) as view:
        mark = view.declared(Mark, [name_key(name)]).get(name_key(name))
    if name_key(name) == MAIN:
        return _present(space_on(space, None), MAIN)
    try:
        return _present(space_on(space, name), f"branch {name}")
    except NotFound:
        if mark is None or mark.is_withdrawn:
            return None
        return _after(space, mark.sequence, f"snapshot {mark.name}")


def _present(space: Space, name: str) -> _State:
    with space.store.snapshot(space.name) as view:
        return _State(name, space, FOREVER, view.head().sequence, space)


def _after(space: Space, number: int, name: str) -> _State:
    """The state after an operation: as a branch from there, on which nothing happened."""
    with space.store.snapshot(space.name) as view:
        head, horizon = view.head(), space.schema(view).horizon
        found = view.operations(sequences=[number])
    if not 0 <= number <= head.sequence:
        msg = f"There is no operation {number}; the last one is {head.sequence}."
        raise NotFound(msg, operation=number)
    at = found[0].at if found else Instant(0)
    if at < horizon:
        msg = f"What was known before {shown(horizon)} was dropped; compare with a later operation."
        raise BeyondHorizon(msg, horizon=isoformat(horizon))
    then = LayeredStore(MemoryStore(), "nothing", space.store, Fork(number, at))
    return _State(name, replace(space.on(None, then), trunk=space.root), FOREVER, number, space)


# Where to look ----------------------------------------------------------------------------------


def _touched(before: _State, after: _State) -> set[str]:
    """The slots (by id) that operations touched which only one of the states has."""
    if before.known != FOREVER or after.known != FOREVER:
        # What was loaded with an earlier time may be known by then, whichever operation brought it.
        before = replace(before, until=min(before.until, after.until))
        after = replace(after, until=_head(after.whole))
    ends: dict[str, list[float]] = {}
    for place, state in enumerate((before, after)):
        for one in stretches(state.whole):
            ends.setdefault(one.space, [0, 0])[place] = one.reach(state.until)
    root, found = before.whole.root, set[str]()
    for name, (one_end, other_end) in ends.items():
        low, high = int(min(one_end, other_end)), int(max(one_end, other_end))
        if low < high:
            with root.store.snapshot(name) as view:
                found |= _touched_by(view, range(low + 1, high + 1))
    return found


def _with_leaning(states: Iterable[_State], slots: set[str]) -> set[str]:
    """The slots with those that rest on them, step by step: what follows moves with its premises' numbers."""
    found = set(slots)
    for state in states:
        with state.space.store.snapshot(state.space.name) as view:
            frontier = set(found) if view.head().links else set()
            while frontier:
                contests = [ContestKey(one) for one in sorted(frontier)]
                stated = [
                    one.id for ids in _batches(contests) for one in view.beliefs(BeliefFilter(contests=ids))
                ]
                leaning = {
                    one.slot.id
                    for ids in _pages({*stated, *frontier})
                    for one in view.beliefs(BeliefFilter(premises=ids))
                }
                frontier = leaning - found
                found |= frontier
    return found


def _batches(contests: list[ContestKey]) -> Iterable[list[ContestKey]]:
    return (contests[start : start + _PAGE] for start in range(0, len(contests), _PAGE))


def _head(space: Space) -> int:
    with space.store.snapshot(space.name) as view:
        return view.head().sequence


def _touched_by(view: Snapshot, numbers: range) -> set[str]:
    operations: list[Operation] = []
    for start in range(numbers.start, numbers.stop, _PAGE):
        operations += view.operations(sequences=range(start, min(start + _PAGE, numbers.stop)))
    told = [outcome_from(one) for one in operations]
    beliefs = {change.belief for one in told for change in one.changes}
    targets = {evidence for one in told for evidence in one.evidence}
    targets |= {one.target for one in view.every(Withdrawal) if one.operation in numbers}
    targets |= _lifted(view, numbers)
    slots = {one.slot.id for ids in _pages(beliefs) for one in view.beliefs(BeliefFilter(ids=ids))}
    return slots | {one.claim.slot.id for ids in _pages(targets) for one in view.claims(ids)}


def _lifted(view: Snapshot, numbers: range) -> set[str]:
    return {
        one.target for one in view.every(Withdrawal) if one.lifted_in is not None and one.lifted_in in numbers
    }


def _pages(ids: Collection[str]) -> Iterable[list[str]]:
    ordered = sorted(ids)
    return (ordered[start : start + _PAGE] for start in range(0, len(ordered), _PAGE))
