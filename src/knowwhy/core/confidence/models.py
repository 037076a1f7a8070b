"""The confidence models behind one face: how what is heard becomes a number, and how that is kept.

Each gives a tally for every value, which says its confidence at any later instant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, TypeAlias

from knowwhy.core.confidence.competition import Prior, Side, Tally, compete
from knowwhy.core.confidence.counts import PRIOR_WEIGHT, evidence_count, log_odds_weight, source_weight
from knowwhy.core.confidence.factors import FactorTally, Score, in_factors
from knowwhy.core.confidence.log_odds import Balance, LogOddsTally, in_log_odds
from knowwhy.core.confidence.mass import NO_MASS, Mass
from knowwhy.core.timeline import BEGINNING, Instant

AnyTally: TypeAlias = Tally | LogOddsTally | FactorTally


class ConfidenceModel(StrEnum):
    """How the evidence on a value becomes a confidence.

    Evidence counts by default: they tell ignorance from conflict, and are careful where sources may copy
    each other. Log-odds where sources are independent and their reliability was measured. Factors are a
    score, for those who are used to it.
    """

    EVIDENCE = "evidence"
    LOG_ODDS = "log-odds"
    FACTORS = "factors"


_COUNTS: Final[Mapping[ConfidenceModel, Callable[[float, float], float]]] = {
    ConfidenceModel.EVIDENCE: evidence_count,
    ConfidenceModel.LOG_ODDS: log_odds_weight,
    ConfidenceModel.FACTORS: source_weight,
}


def statement_count(model: ConfidenceModel, reliability: float, weight: float = 1.0) -> float:
    """What one statement of a source weighs, in the unit of the model: a count, log odds or a share.

    Raises:
        ValueError: a reliability that is no probability, or a negative or infinite weight.
    """
    return _COUNTS[model](reliability, weight)


def weighed(
    model: ConfidenceModel,
    supports: Mapping[str, Side],
    refutations: Mapping[str, Side],
    reference: Instant,
    prior: Prior,
) -> dict[str, AnyTally]:
    """One tally for each value named in `supports` or `refutations`, all excluding each other.

    What is heard is given as of `reference`; it ages on from there as the prior says.
    """
    return dict(_WEIGHED[model](supports, refutations, reference, prior))


def _in_evidence(
    supports: Mapping[str, Side], refutations: Mapping[str, Side], reference: Instant, prior: Prior
) -> dict[str, Tally]:
    return compete(
        {value: side.mass for value, side in supports.items()},
        {value: side.mass for value, side in refutations.items()},
        reference,
        prior.half_life_days,
        base_rate=prior.base_rate,
        prior_weight=PRIOR_WEIGHT * prior.strictness,
    )


_Sides: TypeAlias = Mapping[str, Side]
_WEIGHED: Final[
    Mapping[ConfidenceModel, Callable[[_Sides, _Sides, Instant, Prior], Mapping[str, AnyTally]]]
] = {
    ConfidenceModel.EVIDENCE: _in_evidence,
    ConfidenceModel.LOG_ODDS: in_log_odds,
    ConfidenceModel.FACTORS: in_factors,
}


# How tallies are kept ---------------------------------------------------------------------------
# Fields at the end that are as by default are left out.

_EVIDENCE_DEFAULTS: Final[Sequence[Any]] = (0.0, 0.0, 0.0, 0.0, 1, 0.5, PRIOR_WEIGHT)
_LOG_ODDS_DEFAULTS: Final[Sequence[Any]] = (0.0, 0.0, [], 0.5, 1.0, 0.0)
_FACTOR_DEFAULTS: Final[Sequence[Any]] = ([], [], 1.0)
_SCORE_DEFAULTS: Final[Sequence[Any]] = (0.0, BEGINNING, False, 0, 0, 0, 0.0)


def tally_fields(tally: AnyTally) -> list[Any]:
    """The tally as a short list of numbers and lists that JSON can carry: the way there for `tally_from`."""
    head = [tally.reference, tally.half_life_days]
    if isinstance(tally, LogOddsTally):
        tail = [
            _mass_field(tally.support),
            _mass_field(tally.refutation),
            [[_mass_field(rival.support), _mass_field(rival.refutation)] for rival in tally.rivals],
            tally.base_rate,
            tally.strictness,
            tally.rival_voice,
        ]
        return ["l", *head, *_trimmed(tail, _LOG_ODDS_DEFAULTS)]
    if isinstance(tally, FactorTally):
        rivals = [_score_fields(rival) for rival in tally.rivals]
        tail = [_score_fields(tally.own), rivals, tally.strictness]
        return ["f", *head, *_trimmed(tail, _FACTOR_DEFAULTS)]
    tail = [
        _mass_field(tally.support),
        _mass_field(tally.refutation),
        _mass_field(tally.rival_support),
        _mass_field(tally.rival_refutation),
        tally.values,
        tally.base_rate,
        tally.prior_weight,
    ]
    return ["e", *head, *_trimmed(tail, _EVIDENCE_DEFAULTS)]


def tally_from(fields: Sequence[Any]) -> AnyTally:
    """The tally that `tally_fields` wrote.

    Raises:
        ValueError: the fields begin with the letter of no model.
    """
    made: list[Any]
    model = fields[0] if fields else None
    if model == "e":
        made = [_mass(field) for field in fields[3:7]]
        return Tally(*fields[1:3], *made, *fields[7:])
    if model == "l":
        made = [*map(_mass, fields[3:5]), *map(_balances, fields[5:6])]
        return LogOddsTally(*fields[1:3], *made, *fields[6:])
    if model == "f":
        made = [*map(_score, fields[3:4]), *map(_scores, fields[4:5])]
        return FactorTally(*fields[1:3], *made, *fields[5:])
    msg = f"A tally begins with the letter of its model, e, l or f, not with {model!r}."
    raise ValueError(msg)


def _mass_field(mass: Mass) -> float | list[float]:
    return [mass.pinned, mass.ageing] if mass.pinned else mass.ageing


def _mass(field: float | list[float]) -> Mass:
    if not field:
        return NO_MASS
    return Mass(*field) if isinstance(field, list) else Mass(0.0, field)


def _balances(fields: Sequence[Any]) -> tuple[Balance, ...]:
    return tuple(Balance(_mass(support), _mass(refutation)) for support, refutation in fields)


def _score_fields(score: Score) -> list[Any]:
    fields = [
        *(score.weight, score.latest, score.is_pinned),
        *(score.voices, score.refuting, score.rivalling, score.steady),
    ]
    return _trimmed(fields, _SCORE_DEFAULTS)


def _score(fields: Sequence[Any]) -> Score:
    return Score(*fields)


def _scores(fields: Sequence[Any]) -> tuple[Score, ...]:
    return tuple(Score(*one) for one in fields)


def _trimmed(fields: list[Any], defaults: Sequence[Any]) -> list[Any]:
    """The fields without those at the end that are as by default."""
    kept = len(fields)
    while kept and fields[kept - 1] == defaults[kept - 1]:
        kept -= 1
    return fields[:kept]
