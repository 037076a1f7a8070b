"""The state of the queue: a fold of its steps, the same for whoever reads them in the order of the log."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from knowwhy.core.model import Failing, Queued, QueueStep
from knowwhy.core.timeline import BEGINNING, Instant

# After so many attempts an item is parked: it needs somebody to look at it.
MOST_ATTEMPTS: Final = 5
WENT_AWAY: Final = "whoever read it went away before it was done"


@dataclass(slots=True)
class Backlog:
    """What waits to be read, as of the last step taken in."""

    sequence: int = 0
    steps_since_kept: int = 0
    _items: dict[str, Queued] = field(default_factory=dict)
    _order: list[tuple[Instant, str]] = field(default_factory=list)
    _held: dict[int, set[str]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Queued]:
        return (self._items[name] for _, name in self._order)

    def get(self, evidence: str) -> Queued | None:
        """How an item stands; None if it does not wait."""
        return self._items.get(evidence)

    def held_by(self, lease: int) -> list[Queued]:
        """The items that a lease holds, in order."""
        held = [self._items[name] for name in self._held.get(lease, ())]
        return sorted(held, key=_place)

    def take(self, steps: Iterable[QueueStep]) -> None:
        """Take in further steps, the oldest first."""
        for step in steps:
            self._take(step)
            self.sequence = step.declared_in
            self.steps_since_kept = 0 if step.kept is not None else self.steps_since_kept + 1

    def start_from(self, kept: Iterable[Queued], as_of: int) -> None:
        """Begin with the whole queue as it stood after an operation."""
        self._items, self._held = {}, {}
        for one in kept:
            self._keep(one)
        self._order = sorted(map(_place, self._items.values()))
        self.sequence = as_of

    def _take(self, step: QueueStep) -> None:
        for waiting in step.added:
            if waiting.evidence not in self._items:
                self._put(Queued(waiting))
        for name in step.done:
            self._remove(name)
        if step.ends is not None:
            for one in self.held_by(step.ends):
                error = WENT_AWAY if one.until <= step.declared_at else one.error
                self._put(replace(one, lease=None, until=BEGINNING, error=error))
        for failing in step.failing:
            self._fail(failing)
        for name in step.retried:
            if (known := self._items.get(name)) is not None:
                self._put(Queued(known.waiting))
        for name in step.leased:
            known = self._items.get(name)
            if known is not None and (known.lease is None or known.until <= step.declared_at):
                attempts = known.attempts + 1
                self._put(
                    replace(known, lease=step.declared_in, until=step.until, attempts=attempts, due=BEGINNING)
                )

    def _fail(self, failing: Failing) -> None:
        known = self._items.get(failing.evidence)
        if known is None or known.lease is not None:
            return
        attempts = known.attempts if failing.is_counted else max(0, known.attempts - 1)
        is_parked = failing.is_parked or attempts >= MOST_ATTEMPTS
        self._put(
            replace(known, attempts=attempts, due=failing.due, error=failing.error, is_parked=is_parked)
        )

    def _put(self, one: Queued) -> None:
        name = one.waiting.evidence
        if name not in self._items:
            insort(self._order, _place(one))
        self._keep(one)

    def _keep(self, one: Queued) -> None:
        name = one.waiting.evidence
        self._let_go(self._items.get(name))
        self._items[name] = one
        if one.lease is not None:
            self._held.setdefault(one.lease, set()).add(name)

    def _remove(self, name: str) -> None:
        known = self._items.pop(name, None)
        if known is not None:
            self._let_go(known)
            del self._order[bisect_left(self._order, _place(known))]

    def _let_go(self, known: Queued | None) -> None:
        """Forget by which lease an item was held."""
        if known is None or known.lease is None:
            return
        held = self._held[known.lease]
        held.discard(known.waiting.evidence)
        if not held:
            del self._held[known.lease]

    # What can be done now ------------------------------------------------------------------------

    def ready(self, now: Instant, most: int) -> list[Queued]:
        """What can be leased together at an instant, at most so many, the earliest said first.

        What failed before, or whose lease ran out, goes alone: it may be what brings its readers down. So
        does what did so too often, which is only to be parked.
        What follows in a conversation waits for what precedes it, unless that is parked.
        """
        found: list[Queued] = []
        blocked: set[str] = set()
        for one in self:
            context = one.waiting.context
            if one.is_parked:
                continue
            is_fresh = one.lease is None and one.attempts == 0
            if (one.lease is not None and one.until > now) or one.due > now or context in blocked:
                if context is not None:
                    blocked.add(context)
                continue
            if not is_fresh:
                if not found:
                    return [one]
                if context is not None:
                    blocked.add(context)
                continue
            found.append(one)
            if len(found) == most:
                break
        return found


def _place(one: Queued) -> tuple[Instant, str]:
    """Where an item stands in the order of reading."""
    return one.waiting.at, one.waiting.evidence
