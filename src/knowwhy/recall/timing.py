"""Timing: what the time words of a question say, and the scope that follows from it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from knowwhy.core.timeline import MICROSECONDS_PER_DAY, Instant, Scope, isoformat
from knowwhy.recall.analysis import terms

# The term of a question that stands for the time it names.
WHEN: Final = "@when"

# How close to a time something comes that was said just outside it, and after how many days half as close.
_NEAR_BY: Final = 0.5
_HALF_AS_CLOSE_DAYS: Final = 7.0


class Relation(StrEnum):
    """How what is asked for lies to the time named."""

    IN = "in"
    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class TimeWords:
    """Words of a question that name a time, from `start` to before `end`, where the asker is."""

    words: str
    start: Instant
    end: Instant
    relation: Relation = Relation.IN

    def contains(self, at: Instant) -> bool:
        """Whether an instant lies in what is asked for."""
        if self.relation is Relation.BEFORE:
            return at < self.start
        if self.relation is Relation.AFTER:
            return at >= self.start
        return self.start <= at < self.end

    def closeness(self, at: Instant) -> float:
        """How near something said at an instant comes to the time named: 1 within it, at most half outside.

        People tell of a day some days later; and what was so before a day is told around that day.
        """
        if self.relation is not Relation.BEFORE and self.contains(at):
            return 1.0
        away = min(abs(at - self.start), abs(at - self.end)) / MICROSECONDS_PER_DAY
        return float(_NEAR_BY * 0.5 ** (away / _HALF_AS_CLOSE_DAYS))

    def valid(self, asked_at: Instant) -> Instant:
        """The instant whose world is asked about: the last of that time, but of one under way, now."""
        if self.relation is Relation.BEFORE:
            return Instant(self.start - 1)
        if self.relation is Relation.AFTER or self.start <= asked_at < self.end:
            return asked_at if self.relation is Relation.IN else max(asked_at, self.start)
        return Instant(self.end - 1)

    def as_dict(self) -> dict[str, Any]:
        """The words for a program."""
        return {
            "words": self.words,
            "from": isoformat(self.start),
            "to": isoformat(self.end),
            "relation": self.relation,
        }


@dataclass(frozen=True, slots=True)
class Timing:
    """The time words of a question: those that could be placed, and those that could not."""

    read: tuple[TimeWords, ...] = ()
    unread: tuple[str, ...] = ()

    def scope(self, asked: Scope) -> Scope:
        """The scope that a question asked in `asked` means; where it names several times, the latest."""
        if not self.read:
            return asked
        return Scope(max(one.valid(asked.valid) for one in self.read), asked.known)

    def contains(self, at: Instant) -> bool:
        """Whether an instant lies in one of the times named."""
        return any(one.contains(at) for one in self.read)

    def closeness(self, at: Instant, said: Collection[str]) -> float:
        """How near what was said comes to the times named: by when it was said, or 1 by naming one too."""
        if any(all(term in said for term in terms(one.words)) for one in self.read):
            return 1.0
        return max((one.closeness(at) for one in self.read), default=0.0)

    def as_dict(self) -> dict[str, Any]:
        """The timing for a program."""
        return {"read": [one.as_dict() for one in self.read], "unread": list(self.unread)}
