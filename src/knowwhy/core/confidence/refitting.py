"""When a map is fitted anew, and to which judgements: a function of the judgements alone (theory §5).

Whoever reads, and whenever, finds the same fits: they follow from the judgements in their order.
Spiegelhalter (1986) for the drift that calls for a fit before its time.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from knowwhy.core.confidence.calibration import Checked
from knowwhy.core.confidence.maps import (
    FEWEST_LABELS,
    FEWEST_OF_EACH_CLASS,
    Calibration,
    Identity,
    calibrated,
)

GROWTH: Final = 0.25
FEWEST_NEW: Final = 50
DRIFT: Final = 2.0


@dataclass(frozen=True, slots=True)
class Judged:
    """One judgement: of what and by whom (`key`), the raw probability, and whether it came true.

    A later one of the same key takes its place; None stands for a judgement that nobody could make.
    """

    key: tuple[str, str | None]
    raw: float
    came: bool | None


class Cause(StrEnum):
    """Why a map was fitted."""

    FIRST = "first"
    GROWTH = "growth"
    DRIFT = "drift"


@dataclass(frozen=True, slots=True)
class Fit:
    """A map, and what it was fitted to: the first `after` judgements, of which `labels` counted."""

    shown: Calibration
    after: int
    labels: int
    cause: Cause


@dataclass(frozen=True, slots=True)
class Progress:
    """How near the next fit is: what counts now, what came since the last one, and the drift of that.

    `missing` is how many more labels bring a fit for sure, if none is replaced. Before the first fit,
    `missing_right` and `missing_wrong` are how many of each it takes at the least.
    """

    labels: int
    newer: int
    drift: float
    missing: int
    missing_right: int = 0
    missing_wrong: int = 0


def fits(judged: Iterable[Judged], fewest: int = FEWEST_LABELS) -> tuple[tuple[Fit, ...], Progress]:
    """Every map these judgements brought, in order, and how near the next one is.

    The first comes as soon as there are labels enough: `fewest`, of which 10 of each kind. Another comes when
    those since make 25 % more and at least 50, or when 30 or more of them show the map to be off: |Z| > 2.
    """
    book = _Book(fewest)
    for place, one in enumerate(judged, 1):
        book.note(one)
        cause = book.cause()
        if cause is not None:
            book.fit(place, cause)
    return tuple(book.fits), book.progress()


class _Book:
    """The judgements so far, the maps they brought, and the terms of Z for those since the last map."""

    def __init__(self, fewest: int) -> None:
        self.fits: list[Fit] = []
        self._fewest = fewest
        self._counted: dict[tuple[str, str | None], Checked] = {}
        self._true = 0
        self._newer: dict[tuple[str, str | None], tuple[float, float]] = {}
        self._excess = 0.0
        self._variance = 0.0

    def note(self, one: Judged) -> None:
        """Take up one more judgement, in the place of an earlier one of the same key."""
        before = self._counted.pop(one.key, None)
        if before is not None:
            self._true -= before[1]
        excess, variance = self._newer.pop(one.key, (0.0, 0.0))
        self._excess, self._variance = self._excess - excess, self._variance - variance
        if one.came is None:
            return
        self._counted[one.key] = (one.raw, one.came)
        self._true += one.came
        if self._has_map():
            excess, variance = self._newer[one.key] = _terms(self.fits[-1].shown(one.raw), came=one.came)
            self._excess, self._variance = self._excess + excess, self._variance + variance

    def cause(self) -> Cause | None:
        """Why a map is due now; None if none is."""
        if not self._has_map():
            return Cause.FIRST if self._is_enough() else None
        if len(self._newer) >= self._growth():
            return Cause.GROWTH
        if len(self._newer) >= FEWEST_LABELS and abs(self._drift()) > DRIFT:
            return Cause.DRIFT
        return None

    def fit(self, place: int, cause: Cause) -> None:
        """Fit a map to all that counts."""
        points = tuple(sorted(self._counted.values()))
        self.fits.append(Fit(_map_of(points), place, len(points), cause))
        self._newer, self._excess, self._variance = {}, 0.0, 0.0

    def progress(self) -> Progress:
        """How near the next fit is."""
        labels, newer = len(self._counted), len(self._newer)
        if self._has_map():
            return Progress(labels, newer, self._drift(), self._growth() - newer)
        right = max(0, FEWEST_OF_EACH_CLASS - self._true)
        wrong = max(0, FEWEST_OF_EACH_CLASS - (labels - self._true))
        missing = max(self._fewest - labels, right + wrong)
        return Progress(labels, 0, 0.0, missing, right, wrong)

    def _has_map(self) -> bool:
        return bool(self.fits) and not isinstance(self.fits[-1].shown, Identity)

    def _is_enough(self) -> bool:
        count = len(self._counted)
        return count >= self._fewest and min(self._true, count - self._true) >= FEWEST_OF_EACH_CLASS

    def _growth(self) -> int:
        """How many labels since the last fit bring the next."""
        return max(FEWEST_NEW, math.ceil(GROWTH * self.fits[-1].labels))

    def _drift(self) -> float:
        """Spiegelhalter's Z of the map in force, on the labels since it was fitted."""
        return self._excess / math.sqrt(self._variance) if self._variance > 0.0 else 0.0


def _terms(shown: float, *, came: bool) -> tuple[float, float]:
    """What one shown number adds to the excess and the variance of Z."""
    lean = 1.0 - 2.0 * shown
    return (came - shown) * lean, lean * lean * shown * (1.0 - shown)


@lru_cache(maxsize=64)
def _map_of(points: tuple[Checked, ...]) -> Calibration:
    """The map of these points; kept, since a log that grew brings all its earlier fits again."""
    return calibrated(points)
