"""Monotone maps from a raw confidence to the number that is shown (theory §5).

A map is fitted to checked beliefs and applied to the number shown, never to ranks or acceptance: a new fit
flips no belief. How rich a map may be depends on how many labels there are.

Platt (1999); Kull, Silva Filho and Flach (2017) for the beta map; Zadrozny and Elkan (2002) for the
isotonic one; Schwarz (1978) for the choice among them.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, product
from operator import itemgetter, mul, sub
from typing import ClassVar, Final, Protocol

from knowwhy.core.confidence.calibration import Checked, log_loss, points_of

FEWEST_LABELS: Final = 30
LABELS_FOR_TWO_PARAMETERS: Final = 200
LABELS_FOR_ANY_SHAPE: Final = 1000
FEWEST_OF_EACH_CLASS: Final = 10

_CLIP: Final = 1e-6  # raw numbers are kept off 0 and 1, where log odds are infinite
_MOST_STEPS: Final = 100
_MOST_HALVINGS: Final = 30
_NO_GAIN: Final = 1e-14
_RIDGE: Final = 1e-9  # so that a column of zeros has a solution


class Calibration(Protocol):
    """A monotone map from the raw number to the one shown."""

    def __call__(self, raw: float) -> float:
        """The probability to show."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The number as it is."""

    def __call__(self, raw: float) -> float:
        """The probability to show."""
        return raw

    def __str__(self) -> str:
        return "as it is"


@dataclass(frozen=True, slots=True)
class Sigmoid:
    """The log odds times `slope`, plus `shift` (Platt); without a shift one half stays one half."""

    parameters: ClassVar[int] = 2

    slope: float = 1.0
    shift: float = 0.0

    def __call__(self, raw: float) -> float:
        """The probability to show."""
        return _sigmoid(self.slope * _logit(raw) + self.shift)

    def __str__(self) -> str:
        return f"sigmoid({self.slope:.3g} logit p{f' {self.shift:+.3g}' if self.shift else ''})"


@dataclass(frozen=True, slots=True)
class Beta:
    """The beta map: a ln p - b ln(1 - p) + c in log odds; the identity is a = b = 1, c = 0."""

    parameters: ClassVar[int] = 3

    for_true: float = 1.0
    for_false: float = 1.0
    shift: float = 0.0

    def __call__(self, raw: float) -> float:
        """The probability to show."""
        kept = _clipped(raw)
        return _sigmoid(self.for_true * math.log(kept) - self.for_false * math.log1p(-kept) + self.shift)

    def __str__(self) -> str:
        return f"sigmoid({self.for_true:.3g} ln p - {self.for_false:.3g} ln(1 - p) {self.shift:+.3g})"


@dataclass(frozen=True, slots=True)
class Isotonic:
    """The monotone map nearest to the labels: level over each block, straight from one to the next.

    `knots` holds raw and shown numbers, both rising. No level is nearer to 0 or 1 than the labels allow.
    """

    knots: tuple[tuple[float, float], ...]

    @property
    def parameters(self) -> int:
        """How many levels it has."""
        return len({shown for _, shown in self.knots})

    def __call__(self, raw: float) -> float:
        """The probability to show."""
        place = bisect_left(self.knots, (raw, -math.inf))
        if place == len(self.knots):
            return self.knots[-1][1]
        (above, high) = self.knots[place]
        if place == 0 or above == raw:
            return high
        (below, low) = self.knots[place - 1]
        return low + (high - low) * ((raw - below) / (above - below))

    def __str__(self) -> str:
        levels = sorted({shown for _, shown in self.knots})
        return f"isotonic, {len(levels)} levels from {levels[0]:.3g} to {levels[-1]:.3g}"


def slope_map(checked: Iterable[Checked]) -> Sigmoid:
    """The slope that fits best, with no shift."""
    points = points_of(checked)
    (slope,) = _best_weights([(_logit(raw),) for raw, _ in points], _targets(points), signed=0)
    return Sigmoid(slope)


def platt_map(checked: Iterable[Checked]) -> Sigmoid:
    """The slope and shift that fit best."""
    points = points_of(checked)
    rows = [(_logit(raw), 1.0) for raw, _ in points]
    slope, shift = _best_weights(rows, _targets(points), signed=1)
    return Sigmoid(slope, shift)


def beta_map(checked: Iterable[Checked]) -> Beta:
    """The beta map that fits best."""
    points = points_of(checked)
    rows = [(math.log(_clipped(raw)), -math.log1p(-_clipped(raw)), 1.0) for raw, _ in points]
    return Beta(*_best_weights(rows, _targets(points), signed=1))


def isotonic_map(checked: Iterable[Checked]) -> Isotonic:
    """The isotonic map, by pooling adjacent violators."""
    points = sorted(points_of(checked))
    # Least and greatest raw number, how many came true, of how many.
    blocks: list[tuple[float, float, int, int]] = []
    for raw, equals in groupby(points, key=itemgetter(0)):
        outcomes = [came for _, came in equals]
        blocks.append((raw, raw, sum(outcomes), len(outcomes)))
        while len(blocks) > 1 and _is_no_rise(blocks[-2], blocks[-1]):
            least, _, true, count = blocks[-2]
            _, greatest, more_true, more = blocks[-1]
            blocks[-2:] = [(least, greatest, true + more_true, count + more)]
    lowest, highest = min(_targets(points)), max(_targets(points))
    knots: list[tuple[float, float]] = []
    for least, greatest, true, count in blocks:
        level = min(max(true / count, lowest), highest)
        knots.extend((end, level) for end in sorted({least, greatest}))
    return Isotonic(tuple(knots))


def calibrated(checked: Iterable[Checked]) -> Calibration:
    """The map that the number of labels allows; where several, the one whose fit is worth its parameters.

    Fewer than 30 labels, or fewer than 10 of one class: none. Below 200: the slope alone. Below 1000: Platt
    or beta. From there on isotonic too. Each parameter, and each level of an isotonic map, must lower the
    total loss by half the logarithm of the number of labels (Schwarz 1978).
    """
    points = sorted(points_of(checked))
    true = sum(came for _, came in points)
    if len(points) < FEWEST_LABELS or min(true, len(points) - true) < FEWEST_OF_EACH_CLASS:
        return Identity()
    if len(points) < LABELS_FOR_TWO_PARAMETERS:
        return slope_map(points)
    maps: list[Sigmoid | Beta | Isotonic] = [platt_map(points), beta_map(points)]
    if len(points) >= LABELS_FOR_ANY_SHAPE:
        maps.append(isotonic_map(points))
    price = math.log(len(points)) / 2.0
    costs = [
        len(points) * log_loss((one(raw), came) for raw, came in points) + price * one.parameters
        for one in maps
    ]
    return maps[costs.index(min(costs))]


def _is_no_rise(before: tuple[float, float, int, int], after: tuple[float, float, int, int]) -> bool:
    # Shares are compared crosswise, in whole numbers.
    return before[2] * after[3] >= after[2] * before[3]


def _targets(points: Sequence[Checked]) -> list[float]:
    """What to aim at instead of 1 and 0, so that no fit runs to certainty (Platt's)."""
    true = sum(came for _, came in points)
    high, low = (true + 1.0) / (true + 2.0), 1.0 / (len(points) - true + 2.0)
    return [high if came else low for _, came in points]


def _clipped(raw: float) -> float:
    return min(max(raw, _CLIP), 1.0 - _CLIP)


def _logit(raw: float) -> float:
    kept = _clipped(raw)
    return math.log(kept) - math.log1p(-kept)


def _sigmoid(odds: float) -> float:
    return 1.0 / (1.0 + math.exp(-odds)) if odds >= 0.0 else math.exp(odds) / (1.0 + math.exp(odds))


def _best_weights(rows: Sequence[Sequence[float]], targets: Sequence[float], signed: int) -> list[float]:
    """The weights of a logistic fit, all but the last `signed` of them not negative, which keeps it monotone.

    The loss is convex, so the best weights of all are taken if none is negative. Otherwise some are zero,
    and which is tried out: with two that may be, there are three cases more.
    """
    columns = list(zip(*rows, strict=True))
    width = len(columns)
    found: list[tuple[float, list[float]]] = []
    for kept in product((True, False), repeat=width - signed):
        places = [place for place in range(width) if place >= width - signed or kept[place]]
        fit = _logistic([columns[place] for place in places], targets)
        weights = [0.0] * width
        for place, weight in zip(places, fit, strict=True):
            weights[place] = weight
        if all(weight >= 0.0 for weight in weights[: width - signed]):
            found.append((_loss(_odds(columns, weights), targets), weights))
            if all(kept):
                break
    return min(found)[1]


def _logistic(columns: Sequence[Sequence[float]], targets: Sequence[float]) -> list[float]:
    """The weights of least loss, by Newton steps that are halved until they do not raise it."""
    weights = [0.0] * len(columns)
    odds = _odds(columns, weights) if columns else [0.0] * len(targets)
    loss = _loss(odds, targets)
    for _ in range(_MOST_STEPS):
        step, promised = _newton_step(columns, targets, odds)
        if promised <= _NO_GAIN * (1.0 + loss):
            break
        tried, moved, reached = weights, odds, math.inf
        for halvings in range(_MOST_HALVINGS):
            tried = [weight - part / 2**halvings for weight, part in zip(weights, step, strict=True)]
            moved = _odds(columns, tried)
            reached = _loss(moved, targets)
            if reached < loss:
                break
        if reached >= loss:
            break
        weights, odds, loss = tried, moved, reached
    return weights


def _newton_step(
    columns: Sequence[Sequence[float]], targets: Sequence[float], odds: Sequence[float]
) -> tuple[list[float], float]:
    """What to subtract from the weights, and by how much that should lower the loss."""
    shown = [_sigmoid(one) for one in odds]
    excess = list(map(sub, shown, targets))
    spread = [one * (1.0 - one) for one in shown]
    slopes = [math.fsum(map(mul, excess, column)) for column in columns]
    spreads = [list(map(mul, spread, column)) for column in columns]
    curves = [
        [
            math.fsum(map(mul, of_line, column)) + _RIDGE * (line == place)
            for place, column in enumerate(columns)
        ]
        for line, of_line in enumerate(spreads)
    ]
    step = _solved(curves, slopes)
    return step, math.fsum(map(mul, slopes, step)) / 2.0


def _odds(columns: Sequence[Sequence[float]], weights: Sequence[float]) -> list[float]:
    """The log odds that the weights give each row."""
    first, *others = [
        [weight * one for one in column] for weight, column in zip(weights, columns, strict=True)
    ]
    return [math.fsum(row) for row in zip(first, *others, strict=True)] if others else first


def _solved(matrix: list[list[float]], right: list[float]) -> list[float]:
    """The solution of a small system of linear equations, positive definite."""
    lines = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    for place, line in enumerate(lines):
        for other in lines:
            if other is not line:
                factor = other[place] / line[place]
                other[:] = [ours - factor * theirs for ours, theirs in zip(other, line, strict=True)]
    return [line[-1] / line[place] for place, line in enumerate(lines)]


def _loss(odds: Iterable[float], targets: Iterable[float]) -> float:
    # log(1 + exp(odds)) - target * odds, without overflow
    return math.fsum(
        max(one, 0.0) + math.log1p(math.exp(-abs(one))) - target * one
        for one, target in zip(odds, targets, strict=True)
    )
