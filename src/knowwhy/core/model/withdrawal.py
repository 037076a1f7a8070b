"""Withdrawals: records taken back, from when, and until when if that was lifted again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from knowwhy.core.model.ids import content_id
from knowwhy.core.timeline import Instant


@dataclass(frozen=True, slots=True)
class Retraction:
    """The withdrawal of one record (evidence, claim or alias) by its id, or the lifting of such a withdrawal.

    Nothing is removed from the log: what lifts a withdrawal is a retraction of it, by its own `id`. The
    store gives one that has none the id of `retraction_id`; in a merge it keeps the one it has.
    """

    target: str
    reason: str | None = None
    id: str = ""


def retraction_id(target: str, at: Instant) -> str:
    """The id of the retraction of a record by an operation at an instant."""
    return content_id("rt", target, str(at))


def is_retraction(target: str) -> bool:
    """Whether what a retraction names is itself a retraction, which it lifts."""
    return target.startswith("rt_")


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """That a record was withdrawn: by which operation and when, and if it was lifted, by which and when.

    Its interval of transaction time is half-open: a reader of what was known at `lifted_at` sees the
    record again. A lift is a withdrawal too, whose `target` is the id of what it lifts; it is final.
    """

    id: str
    target: str
    operation: int
    at: Instant
    lifted_in: int | None = None
    lifted_at: Instant | None = None
    reason: str | None = None

    @property
    def is_lifted(self) -> bool:
        """Whether it holds no longer."""
        return self.lifted_at is not None

    def as_of(self, operation: int) -> Withdrawal:
        """The withdrawal as it was on record after the operation of a number: lifted, or not yet."""
        if self.lifted_in is None or self.lifted_in <= operation:
            return self
        return replace(self, lifted_in=None, lifted_at=None)

    def covers(self, known: Instant) -> bool:
        """Whether it was in force by what was known at an instant."""
        return self.at <= known and (self.lifted_at is None or known < self.lifted_at)


def in_force(withdrawals: Iterable[Withdrawal]) -> Withdrawal | None:
    """The first of the withdrawals that were not lifted; None where the record stands."""
    standing = (one for one in withdrawals if not one.is_lifted)
    return min(standing, key=lambda one: (one.operation, one.id), default=None)
