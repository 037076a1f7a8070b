"""The queue of words that wait to be read: a step for each operation that moves it, its state their fold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from knowwhy.core.timeline import BEGINNING, Instant


@dataclass(frozen=True, slots=True)
class Waiting:
    """One item of evidence whose words are to be read, with what its evidence does not say.

    `at` is when it was said, which is the order of reading; `offset` the minutes from UTC to the clock
    of who spoke. What was said before in the same `context` is read first.
    """

    evidence: str
    at: Instant
    context: str | None = None
    offset: int = 0
    takes_undeclared: bool | None = None
    is_forced: bool = False


@dataclass(frozen=True, slots=True)
class Failing:
    """That reading an item failed, why, and from when it may be tried again; never by itself if it is parked.

    It counts as an attempt unless whoever reads was not there at all.
    """

    evidence: str
    error: str
    due: Instant
    is_counted: bool = True
    is_parked: bool = False


@dataclass(frozen=True, slots=True)
class Queued:
    """How one item stands: leased by which operation and until when, how often tried, and what went wrong."""

    waiting: Waiting
    lease: int | None = None
    until: Instant = BEGINNING
    attempts: int = 0
    due: Instant = BEGINNING
    error: str | None = None
    is_parked: bool = False


@dataclass(frozen=True, slots=True)
class QueueStep:
    """What one operation did to the queue.

    Items were `added`, `done`, `failing`, or `retried` from the beginning. A lease `ends` (by the number
    of its operation): what was leased by it and not done is free again. A new one is taken on the items
    `leased`, up to `until`; it holds for those that no other lease holds at the time. `kept` is the whole
    queue as it stood after operation `as_of`, so that nobody need look further back.
    """

    kind: ClassVar[str] = "queue"
    is_schema: ClassVar[bool] = False

    added: tuple[Waiting, ...] = ()
    leased: tuple[str, ...] = ()
    until: Instant = BEGINNING
    ends: int | None = None
    done: tuple[str, ...] = ()
    failing: tuple[Failing, ...] = ()
    retried: tuple[str, ...] = ()
    kept: tuple[Queued, ...] | None = None
    as_of: int = 0
    declared_in: int = 0
    declared_at: Instant = BEGINNING

    @property
    def key(self) -> str:
        """There is one queue."""
        return ""
