"""Numbers over time: their level and their trend."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations
from statistics import median
from typing import Final

from knowwhy.core.model import Testimony
from knowwhy.core.timeline import Instant

# Fewer numbers have no trend to speak of, and of more only the last ones tell of the present.
FEWEST_POINTS: Final = 5
_MOST_POINTS: Final = 50
_RECENT: Final = 5
# Of all pairs of numbers, by how large a share more must rise than fall (Kendall's tau) for a trend.
_CLEAR: Final = 0.5


@dataclass(frozen=True, slots=True)
class Point:
    """A number at a time."""

    at: Instant
    number: Decimal

    @staticmethod
    def all_of(said: Iterable[Testimony]) -> list[Point]:
        """The numbers told, one of each time, the earliest first; of one time the last told counts."""
        found: dict[Instant, Decimal] = {}
        for one in sorted(said, key=lambda each: (each.effective_at, each.claim.id)):
            at = one.effective_at if one.claim.valid_from is None else one.claim.valid_from
            found[at] = Decimal(one.claim.value.text)
        return [Point(at, found[at]) for at in sorted(found)][-_MOST_POINTS:]


def level(points: Sequence[Point]) -> Decimal:
    """Where the last numbers lie: their median."""
    return median(one.number for one in points[-_RECENT:])


def trend(points: Sequence[Point]) -> str:
    """Whether the numbers are rising, falling or steady."""
    signs = [
        (later.number > one.number) - (later.number < one.number) for one, later in combinations(points, 2)
    ]
    tau = sum(signs) / len(signs)
    if tau >= _CLEAR:
        return "rising"
    return "falling" if tau <= -_CLEAR else "steady"
