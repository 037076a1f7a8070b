"""Calibration: whether, of what was held at 0.9, nine in ten were right, and what is done about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from knowwhy.core.confidence.calibration import Assessment, Bin, wilson
from knowwhy.core.confidence.maps import FEWEST_LABELS, FEWEST_OF_EACH_CLASS
from knowwhy.core.confidence.refitting import DRIFT, Cause, Progress
from knowwhy.core.confidence.resampling import Interval, Intervals
from knowwhy.core.model import one_line
from knowwhy.core.timeline import FOREVER, Instant, isoformat, shown
from knowwhy.explain.diagram import ASCII, UNICODE, Series, as_svg, described, in_letters

_CAUSES: Final = {
    Cause.FIRST: "the first",
    Cause.GROWTH: "because the labels had grown",
    Cause.DRIFT: "because the one before had come to be off",
}


@dataclass(frozen=True, slots=True)
class Measured:
    """How well some numbers did on labels: their reliability bins, and with 30 labels or more their scores.

    `intervals` say between what the real errors lie; None where there are too few subjects to tell.
    """

    labels: int
    subjects: int
    bins: tuple[Bin, ...]
    scores: Assessment | None = None
    intervals: Intervals | None = None

    def as_dict(self) -> dict[str, Any]:
        """The measures for a program."""
        scores, between = self.scores, self.intervals
        return {
            "labels": self.labels,
            "subjects": self.subjects,
            "brier": None if scores is None else round(scores.brier, 6),
            "brier_interval": None if between is None else _rounded(between.brier),
            "log_loss": None if scores is None else round(scores.log_loss, 6),
            "ece": None if scores is None else round(scores.ece, 6),
            "ece_floor": None if scores is None else round(scores.floor, 6),
            "ece_interval": None if between is None else _rounded(between.ece),
            "z": None if scores is None else round(scores.z, 6),
            "bins": [
                {
                    "said": round(one.shown, 6),
                    "came_true": round(one.true, 6),
                    "labels": one.count,
                    "interval": _rounded(one.interval),
                }
                for one in self.bins
            ],
        }

    def __str__(self) -> str:
        if self.scores is None:
            return f"{self.labels} label{'' if self.labels == 1 else 's'}, too few to score"
        brier = ece = ""
        if self.intervals is not None:
            brier, ece = (f" [{a:.3f} to {b:.3f}]" for a, b in (self.intervals.brier, self.intervals.ece))
        return (
            f"Brier {self.scores.brier:.3f}{brier}, log loss {self.scores.log_loss:.3f}, "
            f"ECE {self.scores.ece:.3f}{ece} where chance alone shows {self.scores.floor:.3f}, "
            f"Z {self.scores.z:+.1f}, on {self.labels} labels of {self.subjects} subjects"
        )


@dataclass(frozen=True, slots=True)
class Comparison:
    """The raw and the calibrated numbers on the same labels, none of which the maps were fitted to."""

    raw: Measured
    calibrated: Measured

    def as_dict(self) -> dict[str, Any]:
        """Both for a program."""
        return {"raw": self.raw.as_dict(), "calibrated": self.calibrated.as_dict()}


@dataclass(frozen=True, slots=True)
class FittedMap:
    """A map in force: its formula, the labels it was fitted to, and by which operation and why."""

    formula: str
    labels: int
    operation: int
    at: Instant
    cause: Cause

    def __str__(self) -> str:
        return (
            f"{self.formula}, fitted to {self.labels} labels as of operation {self.operation} "
            f"({shown(self.at)}), {_CAUSES[self.cause]}"
        )


@dataclass(frozen=True, slots=True)
class MapStanding:
    """What is done about the numbers of one attribute, or of all that share a confidence model.

    `attribute` is its name, None for those that share; `fitted` the map in force, if there is one;
    `progress` how near the next fit is.
    """

    attribute: str | None
    model: str
    fitted: FittedMap | None
    progress: Progress

    @property
    def outlook(self) -> str:
        """When it will be fitted, or fitted anew."""
        left = self.progress
        if self.fitted is None:
            needed = [f"{left.missing} more label{'' if left.missing == 1 else 's'}"]
            needed += [f"{left.missing_right} of them right"] * bool(left.missing_right)
            needed += [f"{left.missing_wrong} of them wrong"] * bool(left.missing_wrong)
            return f"fitted after {', at least '.join(needed[:2])}{_and(needed[2:])}"
        return (
            f"fitted anew after {left.missing} more label{'' if left.missing == 1 else 's'}, or as soon as "
            f"{FEWEST_LABELS} or more since show it to be off by |Z| > {DRIFT:g} "
            f"(now {left.newer}, Z {left.drift:+.1f})"
        )

    def as_dict(self) -> dict[str, Any]:
        """The standing for a program."""
        fitted, left = self.fitted, self.progress
        return {
            "attribute": self.attribute,
            "model": self.model,
            "map": None
            if fitted is None
            else {
                "formula": fitted.formula,
                "labels": fitted.labels,
                "operation": fitted.operation,
                "at": isoformat(fitted.at),
                "cause": fitted.cause,
            },
            "next_fit": {
                "after_labels": left.missing,
                "of_them_right": left.missing_right,
                "of_them_wrong": left.missing_wrong,
                "newer_labels": left.newer,
                "drift_z": round(left.drift, 6),
            },
        }

    def __str__(self) -> str:
        covers = one_line(self.attribute) if self.attribute else f"all attributes by {self.model}"
        force = f"map for {covers}: {self.fitted}" if self.fitted else f"no map for {covers}"
        return f"{force}\n    {self.outlook}"


@dataclass(frozen=True, slots=True)
class CalibrationReport:
    """How well the confidences of a memory did, as far as somebody judged, and which maps are in force.

    `raw` measures the raw numbers on all labels that count. `since_fit` compares raw and calibrated on the
    labels newer than the map in force; `when_judged` on all labels that some map preceded, each with the
    map in force when it was given. `left_aside` are labels on numbers that were reckoned in other ways.
    """

    attribute: str | None
    known: Instant
    right: int
    wrong: int
    unknown: int
    left_aside: int
    raw: Measured
    since_fit: Comparison | None
    when_judged: Comparison | None
    maps: tuple[MapStanding, ...]

    @property
    def labels(self) -> int:
        """How many labels say right or wrong."""
        return self.right + self.wrong

    @property
    def share_right(self) -> Interval | None:
        """Between what the share of right ones lies, of such beliefs as are checked (Wilson, 95 %)."""
        return wilson(self.right, self.labels) if self.labels else None

    @property
    def is_mapped(self) -> bool:
        """Whether any map is in force."""
        return any(one.fitted is not None for one in self.maps)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader must know before relying on it."""
        return tuple(_warnings(self))

    @property
    def calibrated(self) -> Comparison | None:
        """The better founded of the comparisons that could be scored."""
        found = [one for one in (self.since_fit, self.when_judged) if one is not None]
        return max((one for one in found if one.raw.scores), key=lambda one: one.raw.labels, default=None)

    def as_dict(self) -> dict[str, Any]:
        """The report for a program."""
        return {
            "attribute": self.attribute,
            "known": None if self.known == FOREVER else isoformat(self.known),
            "right": self.right,
            "wrong": self.wrong,
            "unknown": self.unknown,
            "left_aside": self.left_aside,
            "share_right": None if self.share_right is None else _rounded(self.share_right),
            "raw": self.raw.as_dict(),
            "since_fit": None if self.since_fit is None else self.since_fit.as_dict(),
            "when_judged": None if self.when_judged is None else self.when_judged.as_dict(),
            "maps": [one.as_dict() for one in self.maps],
            "warnings": list(self.warnings),
        }

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self, *, is_ascii: bool = False) -> str:
        """The report in words with a diagram, on request of ASCII characters as far as names allow."""
        lines = [f"{self._topic()}: {self.right} right, {self.wrong} wrong, {self.unknown} unknown"]
        if self.share_right is not None:
            least, greatest = self.share_right
            lines.append(f"  of what was checked, between {least:.0%} and {greatest:.0%} is right")
        lines += [f"  raw: {self.raw}"] if self.labels else []
        for name, one in (("since the fit", self.since_fit), ("as shown when judged", self.when_judged)):
            if one is not None and one.calibrated.scores is not None:
                lines += [f"  {name}, raw: {one.raw}", f"  {name}, calibrated: {one.calibrated}"]
        lines += [f"  {one}" for one in self.maps]
        marks = ASCII if is_ascii else UNICODE
        for series in self._series():
            lines += ["", f"  {series.name}", *(f"  {line}" for line in in_letters(series.bins, marks))]
        return "\n".join([*lines, *(f"  warning: {warning}" for warning in self.warnings)])

    def to_svg(self) -> str:
        """The reliability diagram as a drawing that stands alone: raw, and calibrated where measured."""
        series = list(self._series())
        counts = f"{self.right} right, {self.wrong} wrong, {self.unknown} unknown."
        return as_svg(self._topic(), f"{counts} {described(series)}".strip(), series)

    def _topic(self) -> str:
        return f"Calibration of {one_line(self.attribute)}" if self.attribute else "Calibration"

    def _series(self) -> Iterator[Series]:
        if self.raw.bins:
            yield Series("raw", self.raw.bins)
        if self.calibrated is not None:
            yield Series("calibrated", self.calibrated.calibrated.bins)


def _warnings(report: CalibrationReport) -> Iterator[str]:
    if report.left_aside:
        yield (
            f"{_labels(report.left_aside)} left aside, on numbers that were reckoned otherwise (declaration, "
            "model, policy or learning changed)"
        )
    if not report.labels:
        yield "nothing was judged yet: nobody knows how far these numbers can be trusted"
        return
    if report.raw.scores is None:
        yield f"{_labels(report.labels)} too few to score: counts and intervals only"
    elif report.raw.intervals is None:
        yield f"labels on {report.raw.subjects} subjects alone: how sure these scores are cannot be told"
    scarce = min(report.right, report.wrong)
    if scarce < FEWEST_OF_EACH_CLASS and report.labels >= FEWEST_LABELS:
        yield f"only {scarce} of one kind: no map is fitted to fewer than {FEWEST_OF_EACH_CLASS}"
    since = report.since_fit
    if report.is_mapped and since is None:
        yield "no label is newer than the map: how well it does is not measured yet"
    elif since is not None and since.calibrated.scores is None:
        yield f"labels newer than the map are too few, {since.raw.labels}, to measure how well it does"
    measured = report.calibrated
    if measured is not None and _loss(measured.calibrated) > _loss(measured.raw):
        yield "on labels that the map was not fitted to it did worse than the raw numbers"
    yield (
        "labels come from beliefs that somebody checked; those that nobody checks may do better or worse "
        "(to_check draws some by chance)"
    )


def _loss(measured: Measured) -> float:
    return measured.scores.log_loss if measured.scores else 0.0


def _labels(count: int) -> str:
    return "1 label is" if count == 1 else f"{count} labels are"


def _rounded(interval: Interval) -> list[float]:
    return [round(end, 6) for end in interval]


def _and(parts: list[str]) -> str:
    return f" and {parts[0]}" if parts else ""
