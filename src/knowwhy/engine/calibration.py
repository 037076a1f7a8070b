"""calibration: how well confidences did, as far as somebody judged, and which maps are in force."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from knowwhy.core.confidence import ConfidenceModel
from knowwhy.core.confidence.calibration import Checked, assess, bins_of_equal_mass
from knowwhy.core.confidence.maps import FEWEST_LABELS
from knowwhy.core.confidence.refitting import Fit
from knowwhy.core.confidence.resampling import Intervals, intervals
from knowwhy.core.model import Judgement, Label, attribute_key
from knowwhy.core.timeline import Scope
from knowwhy.engine.space import Space
from knowwhy.explain.calibration import CalibrationReport, Comparison, FittedMap, MapStanding, Measured
from knowwhy.recall.calibrating import Calibrations, Lot, judged, map_of
from knowwhy.recall.gate import Gate

# How many subjects it takes to draw from, and how many draws are made of how many labels at most in all.
_FEWEST_SUBJECTS: Final = 20
_DRAWS: Final = 400
_MOST_DRAWN: Final = 400_000


@dataclass(frozen=True, slots=True)
class _Point:
    """A label that counts: its raw number, that of the map in force if newer, and that shown when judged."""

    subject: str
    raw: float
    came: bool
    now: float | None
    then: float | None


def calibration(space: Space, attribute: str | None = None, *, scope: Scope) -> CalibrationReport:
    """How well the numbers did, of one attribute or of all, by the labels known in `scope`.

    Valid time plays no part: a label judges a belief as it stood when it was given.
    """
    with space.reading(scope) as gate:
        made = gate.calibrations or Calibrations((), gate.schema, scope.known)
        key = None if attribute is None else gate.attribute(attribute_key(attribute)).key
        labels = _latest(_about(gate, made.labels, key))
        counted = {one.key for one in made.counted}
        valid = [one for one in labels if one.key in counted]
        says = Counter(one.judgement for one in valid)
        points = _points(gate, made, valid)
        return CalibrationReport(
            attribute=None if key is None else gate.attribute(key).name,
            known=scope.known,
            right=says[Judgement.RIGHT],
            wrong=says[Judgement.WRONG],
            unknown=says[Judgement.UNKNOWN],
            left_aside=len(labels) - len(valid),
            raw=_measured([(one.subject, (one.raw, one.came)) for one in points]),
            since_fit=_compared((one, one.now) for one in points),
            when_judged=_compared((one, one.then) for one in points),
            maps=tuple(_standings(gate, made, key)),
        )


def _about(gate: Gate, labels: Iterable[Label], key: str | None) -> list[Label]:
    return [one for one in labels if key in (None, gate.attribute(one.attribute).key)]


def _latest(labels: Iterable[Label]) -> list[Label]:
    """Of each person's labels on a belief the last."""
    found: dict[tuple[str, str | None], Label] = {}
    for one in labels:
        key = judged(one).key
        found.pop(key, None)
        found[key] = one
    return list(found.values())


def _points(gate: Gate, made: Calibrations, labels: Iterable[Label]) -> list[_Point]:
    """The labels that say right or wrong, with what maps that were not fitted to it show for each."""
    places = {lot: {one.key: place for place, one in enumerate(lot.labels)} for lot in _lots(made)}
    found = []
    for one in labels:
        point = judged(one)
        if point.came is None:
            continue
        attribute = gate.attribute(one.attribute)
        shared, own = made.shared_lot(attribute), made.own.get(attribute.key)
        lot = own or shared
        last = lot.fits[-1] if lot.fits else None
        is_newer = last is not None and places[lot][one.key] >= last.after
        then = _fit_before(own, places, one) or _fit_before(shared, places, one)
        found.append(
            _Point(
                one.subject,
                point.raw,
                point.came,
                _shown(last, point.raw) if is_newer else None,
                _shown(then, point.raw),
            )
        )
    return found


def _fit_before(lot: Lot | None, places: dict[Lot, dict[str, int]], label: Label) -> Fit | None:
    """The map of a lot that was in force when one of its labels was given."""
    if lot is None:
        return None
    place = places[lot][label.key]
    return next((fit for fit in reversed(lot.fits) if fit.after <= place), None)


def _shown(fit: Fit | None, raw: float) -> float | None:
    shown = None if fit is None else map_of(fit)
    return None if shown is None else shown(raw)


def _lots(made: Calibrations) -> list[Lot]:
    return [*made.shared.values(), *made.own.values()]


def _compared(numbers: Iterable[tuple[_Point, float | None]]) -> Comparison | None:
    """The raw and the mapped numbers of those points that have one."""
    pairs = [(point, number) for point, number in numbers if number is not None]
    if not pairs:
        return None
    return Comparison(
        raw=_measured([(point.subject, (point.raw, point.came)) for point, _ in pairs]),
        calibrated=_measured([(point.subject, (number, point.came)) for point, number in pairs]),
    )


def _measured(points: Sequence[tuple[str, Checked]]) -> Measured:
    """How well some numbers did, each on a subject."""
    by_subject: dict[str, list[Checked]] = defaultdict(list)
    for subject, one in points:
        by_subject[subject].append(one)
    checked = [one for _, one in points]
    count, subjects = len(checked), len(by_subject)
    if count < FEWEST_LABELS:
        return Measured(count, subjects, bins_of_equal_mass(checked) if checked else ())
    scores = assess(checked)
    return Measured(
        count, subjects, scores.bins, scores, _intervals([by_subject[one] for one in sorted(by_subject)])
    )


def _intervals(groups: Sequence[Sequence[Checked]]) -> Intervals | None:
    """Between what the real errors lie, by draws that are the same whenever the labels are."""
    if len(groups) < _FEWEST_SUBJECTS:
        return None
    count = sum(map(len, groups))
    chance = random.Random(count)  # noqa: S311 - not for cryptography
    places = range(len(groups))
    draws = max(100, min(_DRAWS, _MOST_DRAWN // count))
    return intervals(groups, (chance.choices(places, k=len(places)) for _ in range(draws)))


def _standings(gate: Gate, made: Calibrations, key: str | None) -> Iterable[MapStanding]:
    """The map that concerns an attribute, or every map there is or may come to be."""
    if key is not None:
        attribute = gate.attribute(key)
        yield _standing(gate, made.lot(attribute), attribute.confidence or ConfidenceModel.EVIDENCE)
        return
    default = gate.schema.charter.confidence or ConfidenceModel.EVIDENCE
    for model in made.shared or (default,):
        yield _standing(gate, made.shared.get(model, Lot(None, ())), model)
    for name, lot in sorted(made.own.items()):
        yield _standing(gate, lot, gate.attribute(name).confidence or ConfidenceModel.EVIDENCE)


def _standing(gate: Gate, lot: Lot, model: ConfidenceModel) -> MapStanding:
    fitted = None
    if lot.fits and lot.shown is not None:
        fit = lot.fits[-1]
        last = lot.labels[fit.after - 1]
        fitted = FittedMap(str(fit.shown), fit.labels, last.declared_in, last.declared_at, fit.cause)
    name = None if lot.attribute is None else gate.attribute(lot.attribute).name
    return MapStanding(name, model, fitted, lot.progress)
