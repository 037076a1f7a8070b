"""Each confidence model is the formula it claims to be, and its tallies are kept as they are.

The oracles: evidence counts and naive Bayes in exact rationals, and the factors written out once more.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowwhy.core.confidence import (
    AnyTally,
    ConfidenceModel,
    Mass,
    Prior,
    Side,
    statement_count,
    tally_fields,
    tally_from,
    weighed,
)
from knowwhy.core.timeline import MICROSECONDS_PER_DAY
from tests.laws.contests import (
    EVIDENCE,
    FACTORS,
    LOG_ODDS,
    NOW,
    TOLERANCE,
    Contest,
    Said,
    contests,
    days,
    each_model,
    later,
    priors,
    shares,
    some_contests,
    told,
    voices,
)

# What each model is -----------------------------------------------------------------------------

counts = st.just(0.0) | st.floats(0.001, 1000.0)
masses = st.builds(Mass, counts, counts)


@given(
    st.dictionaries(st.sampled_from("abcd"), st.tuples(masses, masses), min_size=1),
    priors,
    st.integers(0, 40),
)
def test_evidence_is_the_opinion_over_all_values(
    rows: dict[str, tuple[Mass, Mass]], prior: Prior, passed: int
) -> None:
    prior = replace(prior, half_life_days=3.0)
    sides = [{value: Side(row[place]) for value, row in rows.items()} for place in (0, 1)]
    tallies = weighed(EVIDENCE, sides[0], sides[1], NOW, prior)
    r, s = (
        {
            value: Fraction(row[place].pinned) + Fraction(row[place].ageing) / 2**passed
            for value, row in rows.items()
        }
        for place in (0, 1)
    )
    share, weight = Fraction(prior.base_rate) / len(rows), 2 * Fraction(prior.strictness)
    for value, tally in tallies.items():
        spared = sum(s[rival] for rival in rows if rival != value) * share / (1 - share)
        total = sum(r.values()) + sum(s.values()) + weight
        expected = (r[value] + spared + share * weight) / total
        at = later(passed * 3 * MICROSECONDS_PER_DAY)
        assert tally.confidence(at) == pytest.approx(float(expected), abs=1e-9)
        assert tally.ignorance(at) == pytest.approx(float(weight / total), abs=1e-9)


odds = st.lists(st.integers(1, 9), max_size=4)


@given(
    rows=st.dictionaries(st.sampled_from("abcd"), st.tuples(odds, odds), min_size=1),
    tenths=st.integers(1, 9),
    is_aged=st.booleans(),
)
def test_log_odds_are_naive_bayes(
    rows: dict[str, tuple[list[int], list[int]]], tenths: int, *, is_aged: bool
) -> None:
    # An item with squared odds has the odds themselves after one half-life.
    power = 2 if is_aged else 1
    contest = {
        value: tuple([Said(o**power / (o**power + 1)) for o in side] for side in row)
        for value, row in rows.items()
    }
    prior = Prior(tenths / 10, half_life_days=1.0)
    chances = {
        value: Fraction(tenths, 10 * len(rows)) * math.prod(row[0]) / math.prod(row[1])
        for value, row in rows.items()
    }
    total = sum(chances.values()) + 1 - Fraction(tenths, 10)
    at = later(MICROSECONDS_PER_DAY * is_aged)
    for value, tally in told(LOG_ODDS, contest, prior).items():  # type: ignore[arg-type]
        assert tally.confidence(at) == pytest.approx(float(chances[value] / total), rel=1e-9)


@pytest.mark.parametrize("sign", [1, -1])
def test_log_odds_of_a_thousand_are_no_overflow(sign: int) -> None:
    strong, none = Side(Mass(1000.0)), Side()
    pro, contra = (strong, none) if sign > 0 else (none, strong)
    tallies = weighed(LOG_ODDS, {"a": pro, "b": none}, {"a": contra}, NOW, Prior())
    assert tallies["a"].confidence() == pytest.approx(1.0 if sign > 0 else 0.0, abs=TOLERANCE)
    assert tallies["b"].confidence() == pytest.approx(0.0 if sign > 0 else 1 / 3, abs=TOLERANCE)
    assert tallies["a"].ignorance() == pytest.approx(0.0, abs=TOLERANCE)


@given(contests(voices(days | days.map(lambda age: -age))), priors, days)
def test_factors_are_the_formula(contest: Contest, prior: Prior, span: int) -> None:
    def score(value: str) -> Fraction:
        pro, contra = contest[value]
        rest = [one for rival, (said, _) in contest.items() if rival != value for one in said]
        if not pro:
            return Fraction(0)
        left = Fraction(1)
        if prior.half_life_days and not any(one.is_pinned for one in pro):
            age = Fraction(span + min(one.age for one in pro), MICROSECONDS_PER_DAY)
            left = min(Fraction(1), max(Fraction(1, 2), 1 - age / (2 * Fraction(prior.half_life_days))))
        backed = min(Fraction(1), Fraction(1, 2) + Fraction(len(pro), 10) / Fraction(prior.strictness))
        disputed = max(Fraction(3, 10), 1 - Fraction(15, 100) * (len(contra) + len(rest)))
        return Fraction(max(one.reliability for one in pro)) * left * backed * disputed

    total = max(Fraction(1), sum(map(score, contest), Fraction(0)))
    for value, tally in told(FACTORS, contest, prior).items():
        assert tally.confidence(later(span)) == pytest.approx(float(score(value) / total), abs=1e-9)
        assert tally.confidence(later(span)) <= max(
            (one.reliability for one in contest[value][0]), default=0.0
        )


def test_a_score_shares_with_what_is_concluded_for_its_rival() -> None:
    scores = told(FACTORS, {"a": ([Said(0.9)], []), "b": ([], [])}, Prior(strictness=0.2))
    assert scores["a"].confidence() == 0.9
    assert scores["a"].with_rival_voice(0.9).confidence() == pytest.approx(0.5)
    assert scores["b"].with_voice(0.9).confidence() == pytest.approx(0.5)
    assert scores["a"].with_rival_voice(0.0) == scores["a"]


# How tallies are kept, and what is refused ------------------------------------------------------


@each_model
@given(contest=some_contests, prior=priors, reliability=shares)
def test_a_tally_is_kept_exactly(
    model: ConfidenceModel, contest: Contest, prior: Prior, reliability: float
) -> None:
    for tally in told(model, contest, prior).values():
        for one in (tally, tally.with_rival_voice(reliability), tally.with_voice(reliability)):
            assert tally_from(tally_fields(one)) == one
            kept = tally_from(json.loads(json.dumps(tally_fields(one), allow_nan=False)))
            assert (type(kept), kept) == (type(one), one)


def test_what_is_plain_is_kept_in_few_fields() -> None:
    plain: Contest = {"a": ([Said(0.8)], [])}
    expected = {EVIDENCE: 4, LOG_ODDS: 4, FACTORS: 4}
    kept = {
        model: tally_fields(told(model, plain, Prior(half_life_days=90.0))["a"]) for model in ConfidenceModel
    }
    assert {model: len(fields) for model, fields in kept.items()} == expected
    assert len({fields[0] for fields in kept.values()}) == 3


@pytest.mark.parametrize("fields", [[], ["x", 0, None], [0]])
def test_what_is_no_tally_is_refused(fields: list[object]) -> None:
    with pytest.raises(ValueError, match="letter of its model"):
        tally_from(fields)


REFUSED: dict[str, Callable[[ConfidenceModel, float], object]] = {
    "base rate": lambda _, wrong: Prior(base_rate=wrong),
    "strictness": lambda _, wrong: Prior(strictness=wrong),
    "half-life": lambda _, wrong: Prior(half_life_days=wrong),
    "mass": lambda _, wrong: Side(Mass(wrong)),
    "best": lambda _, wrong: Side(best=wrong),
    "voices": lambda _, wrong: Side(voices=wrong),  # type: ignore[arg-type]
    "reliability": statement_count,
    "weight": lambda model, wrong: statement_count(model, 0.8, wrong),
    "share": lambda model, wrong: silent(model).scaled(wrong),
    "conclusion": lambda model, wrong: silent(model).with_voice(wrong),
    "rival conclusion": lambda model, wrong: silent(model).with_rival_voice(wrong),
}


def silent(model: ConfidenceModel) -> AnyTally:
    return told(model, {"a": ([], [])}, Prior())["a"]


@each_model
@pytest.mark.parametrize("wrong", [math.nan, -0.1, math.inf])
@pytest.mark.parametrize("make", REFUSED.values(), ids=REFUSED)
def test_numbers_that_cannot_be_are_refused(
    make: Callable[[ConfidenceModel, float], object], wrong: float, model: ConfidenceModel
) -> None:
    with pytest.raises(ValueError, match=r"not|finite"):
        make(model, wrong)


@pytest.mark.parametrize(("prior", "number"), [("base_rate", 0.0), ("base_rate", 1.0), ("strictness", 0.0)])
def test_a_prior_that_evidence_could_not_move_is_refused(prior: str, number: float) -> None:
    with pytest.raises(ValueError, match="not"):
        Prior(**{prior: number})


@given(shares, st.floats(0.0, 100.0))
def test_statements_weigh_what_their_model_says(reliability: float, weight: float) -> None:
    cut = min(max(reliability, 0.5), 0.99)
    evidence, log_odds, factors = (statement_count(model, reliability, weight) for model in ConfidenceModel)
    assert evidence == pytest.approx(weight * (2 * cut - 1) / (1 - cut))
    assert log_odds == pytest.approx(weight * (math.log(cut) - math.log(1 - cut)), abs=TOLERANCE)
    assert factors == pytest.approx(weight * reliability)
