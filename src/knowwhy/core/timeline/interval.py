"""Half-open intervals of time: [start, end)."""

from __future__ import annotations

from dataclasses import dataclass

from knowwhy.core.timeline.instant import BEGINNING, FOREVER, Instant


@dataclass(frozen=True, slots=True)
class Interval:
    """The instants from `start` up to, not including, `end`; empty where `end <= start`."""

    start: Instant = BEGINNING
    end: Instant = FOREVER

    def __contains__(self, at: Instant) -> bool:
        return self.start <= at < self.end

    @property
    def is_empty(self) -> bool:
        """Whether no instant lies in it."""
        return self.end <= self.start

    def overlaps(self, other: Interval) -> bool:
        """Whether some instant lies in both; an empty interval overlaps nothing (theory §6.1)."""
        return not self.is_empty and not other.is_empty and self.start < other.end and other.start < self.end

    def intersection(self, other: Interval) -> Interval:
        """The instants that lie in both, possibly none."""
        return Interval(max(self.start, other.start), min(self.end, other.end))
