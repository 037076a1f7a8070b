"""Between what the real errors lie, found by drawing the labels anew, subject by subject (theory §5).

Labels on one subject hang together, so whole subjects are drawn. Davison and Hinkley (1997) for the basic
interval. Chance is an argument.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from knowwhy.core.confidence.calibration import (
    Checked,
    bins_of_equal_mass,
    brier,
    calibration_error,
    calibration_floor,
)

Interval: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Intervals:
    """Between what the calibration error (ECE) and the Brier score lie, with a nominal certainty of 95 %."""

    ece: Interval
    brier: Interval


def intervals(groups: Sequence[Sequence[Checked]], draws: Iterable[Sequence[int]]) -> Intervals:
    """The intervals that so many draws give, each a list of as many groups (by place) as there are.

    The calibration error of a sample is too high, and that of a sample of a sample higher still. So its
    interval is the basic one, which takes off by how much the draws overshoot; its lower end is 0 where it
    would not clear what perfect calibration shows by chance.

    Raises:
        ValueError: no draws, or nothing in them.
    """
    points = list(chain.from_iterable(groups))
    drawn = [list(chain.from_iterable(groups[place] for place in draw)) for draw in draws]
    errors = sorted(calibration_error(bins_of_equal_mass(one)) for one in drawn)
    scores = sorted(map(brier, drawn))
    bins = bins_of_equal_mass(points)
    twice, (low, high) = 2.0 * calibration_error(bins), _middle(errors)
    least = twice - high
    return Intervals(
        ece=(least if least > calibration_floor(bins) else 0.0, min(1.0, max(0.0, twice - low))),
        brier=_middle(scores),
    )


def _middle(ordered: Sequence[float]) -> Interval:
    """The ends of the middle 95 % of some numbers in order."""
    if not ordered:
        raise ValueError("Intervals need draws: give at least one.")
    cut = len(ordered) // 40
    return ordered[cut], ordered[-1 - cut]
