"""Whether shown probabilities keep what they promise (theory §5).

Brier (1950); Naeini, Cooper and Hauskrecht (2015) for the calibration error; Kumar, Liang and Ma (2019) for
its debiased square; Spiegelhalter (1986); Wilson (1927). What to do about it is in `maps`.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias

Checked: TypeAlias = tuple[float, bool]  # a probability that was shown, and whether it came true

_NORMAL_95: Final = 1.959963984540054
_CLIP_OF_LOSS: Final = 1e-15


@dataclass(frozen=True, slots=True)
class Bin:
    """Probabilities that lie together: how many, their mean, and the share that came true."""

    count: int
    shown: float
    true: float

    @property
    def interval(self) -> tuple[float, float]:
        """Between what the real share lies, with a certainty of 95 %."""
        return wilson(self.true * self.count, self.count)


@dataclass(frozen=True, slots=True)
class Assessment:
    """How good a set of probabilities was.

    `ece` has bins of equal mass, `ece_equal_width` ten of equal width. `floor` is the error that perfectly
    calibrated probabilities would show by chance in the same bins of equal mass: read both together.
    `squared_error` is the mean squared error of the bins with that chance taken off; it may be negative.
    `z` beyond 2 or below -2 says that the probabilities are off, whatever the bins.
    """

    n: int
    brier: float
    log_loss: float
    ece: float
    floor: float
    ece_equal_width: float
    squared_error: float
    z: float
    bins: tuple[Bin, ...]


def assess(checked: Iterable[Checked]) -> Assessment:
    """All measures of these probabilities, with reliability bins of equal mass.

    Raises:
        ValueError: nothing to assess, or something that is no probability.
    """
    points = points_of(checked)
    bins = bins_of_equal_mass(points)
    return Assessment(
        n=len(points),
        brier=brier(points),
        log_loss=log_loss(points),
        ece=calibration_error(bins),
        floor=calibration_floor(bins),
        ece_equal_width=calibration_error(bins_of_equal_width(points)),
        squared_error=debiased_squared_error(bins),
        z=spiegelhalter_z(points),
        bins=bins,
    )


def brier(checked: Iterable[Checked]) -> float:
    """The mean squared distance to what came true: 0 is best, always saying one half gives 0.25."""
    points = points_of(checked)
    return math.fsum((shown - came) ** 2 for shown, came in points) / len(points)


def log_loss(checked: Iterable[Checked]) -> float:
    """The mean negative log probability (natural) of what came true, with shown numbers kept off 0 and 1."""
    points = points_of(checked)
    return -math.fsum(
        math.log(max(_CLIP_OF_LOSS, shown if came else 1.0 - shown)) for shown, came in points
    ) / len(points)


def spiegelhalter_z(checked: Iterable[Checked]) -> float:
    """By how many standard deviations the Brier score is worse than calibrated numbers would have it."""
    points = points_of(checked)
    excess = math.fsum((came - shown) * (1.0 - 2.0 * shown) for shown, came in points)
    variance = math.fsum((1.0 - 2.0 * shown) ** 2 * shown * (1.0 - shown) for shown, _ in points)
    return excess / math.sqrt(variance) if variance > 0.0 else 0.0


def wilson(successes: float, trials: int, z: float = _NORMAL_95) -> tuple[float, float]:
    """Between what the real share lies, given so many successes; by default with a certainty of 95 %.

    Raises:
        ValueError: no trials, or more successes than trials.
    """
    if not (trials > 0 and 0.0 <= successes <= trials):
        msg = (
            f"{successes} successes in {trials} trials cannot be: give between none and all of at least one."
        )
        raise ValueError(msg)
    share, spread = successes / trials, z * z / trials
    middle = (share + spread / 2.0) / (1.0 + spread)
    reach = z / (1.0 + spread) * math.sqrt(share * (1.0 - share) / trials + spread / (4.0 * trials))
    # The share itself as a bound keeps rounding from putting an end on its wrong side.
    return max(0.0, min(share, middle - reach)), min(1.0, max(share, middle + reach))


def bins_of_equal_mass(checked: Iterable[Checked], bins: int | None = None) -> tuple[Bin, ...]:
    """The probabilities in order, cut into bins of as many; by default one for 25, at least 2, at most 15.

    Equal numbers stay together, at the price of bins that are fewer and less even: a cut among them would
    have to part what came true from what did not, and an error would appear where there is none.
    """
    points = sorted(points_of(checked))
    wanted = bins or max(2, min(15, len(points) // 25))
    rises = [place for place, (before, after) in enumerate(pairwise(points), 1) if before[0] < after[0]]
    edges = [0, *rises, len(points)]
    cuts = sorted({_nearest(edges, part * len(points) // wanted) for part in range(wanted + 1)})
    return tuple(_bin(points[a:b]) for a, b in pairwise(cuts))


def bins_of_equal_width(checked: Iterable[Checked], bins: int = 10) -> tuple[Bin, ...]:
    """The probabilities by the equal part of 0 to 1 they lie in; parts that hold none are left out."""
    parts: list[list[Checked]] = [[] for _ in range(bins)]
    for shown, came in points_of(checked):
        parts[min(int(shown * bins), bins - 1)].append((shown, came))
    return tuple(_bin(part) for part in parts if part)


def calibration_error(bins: Sequence[Bin]) -> float:
    """The mean distance between what was shown and what came true, over bins weighted by count (ECE)."""
    total = sum(one.count for one in bins)
    return math.fsum(one.count * abs(one.true - one.shown) for one in bins) / total


def calibration_floor(bins: Sequence[Bin]) -> float:
    """About what `calibration_error` would be by chance in these bins if calibration were perfect."""
    total = sum(one.count for one in bins)
    return (
        math.fsum(
            one.count * math.sqrt(2.0 * one.shown * (1.0 - one.shown) / (math.pi * one.count)) for one in bins
        )
        / total
    )


def debiased_squared_error(bins: Sequence[Bin]) -> float:
    """The mean squared distance between shown and true with what is due to chance taken off; may be negative.

    A bin of one holds no estimate of chance and is left out; 0 where no other is left.
    """
    kept = [one for one in bins if one.count > 1]
    total = sum(one.count for one in kept)
    if not total:
        return 0.0
    return (
        math.fsum(
            one.count * ((one.true - one.shown) ** 2 - one.true * (1.0 - one.true) / (one.count - 1))
            for one in kept
        )
        / total
    )


def points_of(checked: Iterable[Checked]) -> list[Checked]:
    """The pairs as floats and truths.

    Raises:
        ValueError: none at all, or something that is no probability.
    """
    points = [(float(shown), bool(came)) for shown, came in checked]
    if not points:
        raise ValueError("There is nothing to assess: give at least one probability with its outcome.")
    for shown, _ in points:
        if not 0.0 <= shown <= 1.0:  # also refuses NaN, which compares as false
            msg = f"A probability lies between 0 and 1, not {shown}."
            raise ValueError(msg)
    return points


def _nearest(edges: Sequence[int], wanted: int) -> int:
    """The edge nearest to a place; of two as near the lower."""
    above = bisect_left(edges, wanted)
    if above == 0:
        return edges[0]
    return edges[above] if edges[above] - wanted < wanted - edges[above - 1] else edges[above - 1]


def _bin(points: Sequence[Checked]) -> Bin:
    count = len(points)
    return Bin(
        count, math.fsum(shown for shown, _ in points) / count, sum(came for _, came in points) / count
    )
