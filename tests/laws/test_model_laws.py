"""Whatever the confidence model, its numbers obey the same laws.

The instant at which a confidence sinks is checked by a look at every microsecond.
"""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowwhy.core.confidence import AnyTally, ConfidenceModel, Mass, Prior, Side, weighed
from knowwhy.core.timeline import FOREVER, MICROSECONDS_PER_DAY, Instant
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
    each_probability,
    half_lives,
    later,
    numbers,
    priors,
    shares,
    some_contests,
    told,
    voices,
    with_more,
)

SPAN = 40  # the half-life in microseconds where every microsecond is looked at

brief_contests = contests(voices(st.integers(-80, 80)))


# One unit of probability ------------------------------------------------------------------------


@each_model
@given(contest=some_contests, prior=priors, span=days)
def test_exclusive_values_never_add_up_to_more_than_one(
    model: ConfidenceModel, contest: Contest, prior: Prior, span: int
) -> None:
    tallies = told(model, contest, prior).values()
    assert math.fsum(tally.confidence(later(span)) for tally in tallies) <= 1.0 + TOLERANCE
    for tally in tallies:
        assert all(0.0 <= number <= 1.0 for number in numbers(tally, later(span)))
        assert tally.confidence(Instant(NOW - span)) == tally.confidence()


@each_model
@given(
    contest=some_contests,
    prior=priors,
    concluded=st.lists(st.tuples(st.integers(0, 3), shares)),
    share=shares,
)
def test_conclusions_and_discounts_leave_one_unit_to_share(
    model: ConfidenceModel, contest: Contest, prior: Prior, concluded: list[tuple[int, float]], share: float
) -> None:
    tallies = [tally.scaled(share) for tally in told(model, contest, prior).values()]
    for number, reliability in concluded:
        tallies = [
            tally.with_voice(reliability)
            if place == number % len(tallies)
            else tally.with_rival_voice(reliability)
            for place, tally in enumerate(tallies)
        ]
    for at in (NOW, later(MICROSECONDS_PER_DAY), later(10**6 * MICROSECONDS_PER_DAY)):
        assert math.fsum(tally.confidence(at) for tally in tallies) <= 1.0 + TOLERANCE


@each_model
@given(
    contest=contests(voices(days), heard=2),
    prior=st.builds(Prior, st.floats(0.01, 0.99), st.floats(0.1, 2.0)),
    reliability=shares,
)
def test_a_conclusion_counts_as_a_voice(
    model: ConfidenceModel, contest: Contest, prior: Prior, reliability: float
) -> None:
    one = min(contest)
    before = told(model, contest, prior)
    # At 0 nobody has concluded anything, so that even a count of voices is as before.
    said = Said(reliability) if reliability else None
    heard = told(model, with_more(contest, one, pro=said), prior)
    assert before[one].with_voice(reliability).confidence() == pytest.approx(
        heard[one].confidence(), abs=TOLERANCE
    )
    for value in before.keys() - {one}:
        beside, expected = before[value].with_rival_voice(reliability).confidence(), heard[value].confidence()
        assert beside <= expected + TOLERANCE
        if model is EVIDENCE or len(contest) == 2:
            assert beside == pytest.approx(expected, abs=TOLERANCE)


@each_model
@given(reliability=st.floats(0.6, 1.0), half_life=half_lives, span=days)
def test_a_conclusion_does_not_age(
    model: ConfidenceModel, reliability: float, half_life: float, span: int
) -> None:
    silent = told(model, {"a": ([], []), "b": ([], [])}, Prior(half_life_days=half_life))
    for one in (silent["a"].with_voice(reliability), silent["b"].with_rival_voice(reliability)):
        assert one.confidence(later(span)) == one.confidence()
    assert silent["a"].with_voice(reliability).confidence() > silent["a"].confidence()
    assert silent["b"].with_rival_voice(reliability).speaks_against


@each_model
@given(contest=some_contests, prior=priors, span=days)
def test_a_value_alone_is_one_of_a_contest_of_its_own(
    model: ConfidenceModel, contest: Contest, prior: Prior, span: int
) -> None:
    for value, tally in told(model, contest, prior).items():
        assert tally.alone() == told(model, {value: contest[value]}, prior)[value]
        assert tally.with_rival_voice(0.9).alone().confidence(later(span)) == tally.alone().confidence(
            later(span)
        )


@each_model
@given(contest=some_contests, prior=priors)
def test_the_order_of_values_does_not_matter(model: ConfidenceModel, contest: Contest, prior: Prior) -> None:
    turned = {value: contest[value] for value in reversed(list(contest))}
    assert told(model, turned, prior) == told(model, contest, prior)


@each_model
@given(contest=some_contests, prior=priors, first=days, second=days)
def test_where_the_reference_lies_does_not_matter(
    model: ConfidenceModel, contest: Contest, prior: Prior, first: int, second: int
) -> None:
    at = later(first + second)
    moved = told(model, contest, prior, later(first))
    for value, tally in told(model, contest, prior).items():
        assert moved[value].confidence(at) == pytest.approx(tally.confidence(at), abs=1e-9)


# More and less ----------------------------------------------------------------------------------


@each_model
@given(contest=some_contests, prior=priors, more=voices(days), span=days)
def test_a_voice_never_works_against_what_it_says(
    model: ConfidenceModel, contest: Contest, prior: Prior, more: Said, span: int
) -> None:
    at, before = later(span), told(model, contest, prior)
    for value in contest:
        supported = told(model, with_more(contest, value, pro=more), prior)
        refuted = told(model, with_more(contest, value, contra=more), prior)
        assert supported[value].confidence(at) >= before[value].confidence(at) - TOLERANCE
        assert refuted[value].confidence(at) <= before[value].confidence(at) + TOLERANCE
        # A score may get a little of its share back as third values lose: see `factors`.
        if model is not FACTORS or len(contest) == 2:
            for rival in contest.keys() - {value}:
                assert supported[rival].confidence(at) <= before[rival].confidence(at) + TOLERANCE


@each_model
@given(one=shares, other=shares, age=days, half_life=st.none() | half_lives)
def test_models_agree_on_which_of_two_sources_is_better(
    model: ConfidenceModel, one: float, other: float, age: int, half_life: float | None
) -> None:
    worse, better = (
        told(model, {"a": ([Said(trust, age)], [])}, Prior(half_life_days=half_life))["a"].confidence()
        for trust in sorted((one, other))
    )
    assert worse <= better
    if 0.5 <= min(one, other) < max(one, other) - 1e-3 and max(one, other) <= 0.99 and age == 0:
        assert worse < better


@each_model
@given(reliability=shares, one=days, other=days, half_life=half_lives)
def test_models_agree_on_which_of_two_statements_is_fresher(
    model: ConfidenceModel, reliability: float, one: int, other: int, half_life: float
) -> None:
    fresher, older = (
        told(model, {"a": ([Said(reliability, age)], [])}, Prior(half_life_days=half_life))["a"].confidence()
        for age in sorted((one, other))
    )
    assert older <= fresher + TOLERANCE


@each_probability
@given(reliability=st.floats(0.5, 0.99))
def test_one_statement_alone_gives_the_reliability_of_its_source(
    model: ConfidenceModel, reliability: float
) -> None:
    stated = told(model, {"a": ([Said(reliability)], [])}, Prior())["a"]
    denied = told(model, {"a": ([], [Said(reliability)])}, Prior())["a"]
    assert stated.confidence() == pytest.approx(reliability, abs=TOLERANCE)
    assert denied.confidence() == pytest.approx(1.0 - reliability, abs=TOLERANCE)
    assert stated.ignorance() == pytest.approx(2.0 * (1.0 - reliability), abs=TOLERANCE)


@each_model
@given(prior=priors, values=st.integers(1, 4))
def test_without_evidence_the_named_values_have_the_base_rate(
    model: ConfidenceModel, prior: Prior, values: int
) -> None:
    tallies = told(model, {name: ([], []) for name in "abcd"[:values]}, prior)
    expected = 0.0 if model is FACTORS else prior.base_rate / values
    for tally in tallies.values():
        assert tally.confidence() == pytest.approx(expected, abs=TOLERANCE)
        assert numbers(tally, NOW)[1:] == (1.0, 0.0, False, False)


@each_probability
@given(contest=some_contests, prior=priors, strictness=st.floats(1.0, 20.0), span=days)
def test_strictness_asks_for_so_many_times_the_evidence(
    model: ConfidenceModel, contest: Contest, prior: Prior, strictness: float, span: int
) -> None:
    lenient, strict = (told(model, contest, replace(prior, strictness=one)) for one in (1.0, strictness))
    for value, tally in strict.items():
        expected = lenient[value].scaled(1.0 / strictness)
        assert tally.confidence(later(span)) == pytest.approx(expected.confidence(later(span)), abs=1e-9)
        assert tally.ignorance(later(span)) == pytest.approx(expected.ignorance(later(span)), abs=1e-9)


@each_model
@given(contest=some_contests, prior=priors, share=st.floats(0.01, 1.0), span=days)
def test_a_scaled_tally_is_one_of_weaker_evidence(
    model: ConfidenceModel, contest: Contest, prior: Prior, share: float, span: int
) -> None:
    at, weaker = later(span), told(model, contest, prior, share=share)
    silent = told(model, {value: ([], []) for value in contest}, prior)
    for value, tally in told(model, contest, prior).items():
        assert tally.scaled(1.0) == tally
        assert numbers(tally.scaled(0.0), at) == numbers(silent[value], at)
        assert tally.scaled(share).confidence(at) == pytest.approx(weaker[value].confidence(at), abs=1e-9)
        assert tally.scaled(share).ignorance(at) >= tally.ignorance(at) - TOLERANCE
        voiced = tally.with_voice(0.9).with_rival_voice(0.9).scaled(0.0)
        assert numbers(voiced, at) == numbers(silent[value], at)


@each_model
@given(contest=contests(voices(days, st.floats(0.51, 1.0))), base_rate=st.floats(0.01, 0.99))
def test_a_tally_knows_who_speaks_for_and_against(
    model: ConfidenceModel, contest: Contest, base_rate: float
) -> None:
    prior = Prior(base_rate)
    for value, tally in told(model, contest, prior).items():
        pro, contra = contest[value]
        against = bool(contra) or any(said for rival, (said, _) in contest.items() if rival != value)
        assert (tally.speaks_for, tally.speaks_against) == (bool(pro), against)
        assert (tally.conflict() > 0.0) == (bool(pro) and against)
        assert (tally.ignorance() == 1.0) == (not any(map(any, contest.values())))
        even = told(model, {"a": (pro, pro)}, prior)["a"]
        assert even.conflict() == pytest.approx(1.0 - even.ignorance())


# Sinking ----------------------------------------------------------------------------------------


def course_of(tally: AnyTally) -> list[float]:
    """Its confidence at every microsecond until next to nothing is left of what ages."""
    return [tally.confidence(later(span)) for span in range(17 * SPAN)]


def confirm_sinks(tally: AnyTally, threshold: float, course: list[float]) -> None:
    """It is below from the foretold instant on, and was not before."""
    foretold = tally.sinks_below(threshold)
    if foretold == FOREVER:
        assert course[-1] >= min(threshold, course[0]) - TOLERANCE
        return
    assert tally.confidence(foretold) < threshold + TOLERANCE
    assert all(confidence < threshold + TOLERANCE for confidence in course[foretold - NOW :])
    if foretold == NOW:
        assert course[-1] < course[0]
    else:
        assert tally.confidence(Instant(foretold - 1)) >= threshold - TOLERANCE


@each_model
@given(contest=brief_contests, prior=priors, threshold=st.floats(0.02, 0.98), reliability=shares)
def test_confidence_sinks_at_the_instant_foretold(
    model: ConfidenceModel, contest: Contest, prior: Prior, threshold: float, reliability: float
) -> None:
    ageing = replace(prior, half_life_days=SPAN / MICROSECONDS_PER_DAY)
    heard = told(model, contest, ageing)[min(contest)]
    for tally in (heard, heard.with_rival_voice(reliability).with_voice(reliability)):
        course = course_of(tally)
        for one in (threshold, course[SPAN] * 0.999, max(course) * (1.0 - 1e-7)):
            confirm_sinks(tally, one, course)
    assert told(model, contest, replace(prior, half_life_days=None))[min(contest)].sinks_below(0.9) == FOREVER


@pytest.mark.parametrize("threshold", [0.1, 0.2, 0.4, 0.48])
def test_what_rises_before_it_sinks_sinks_after_that(threshold: float) -> None:
    prior = Prior(half_life_days=SPAN / MICROSECONDS_PER_DAY)
    own, fading, steady = (Side(Mass(*parts)) for parts in [(0.0, 12.0), (0.0, 30.0), (2.0, 0.0)])
    refuted = {"b": Side(Mass(5.0))}
    tally = weighed(LOG_ODDS, {"a": own, "b": fading, "c": steady}, refuted, NOW, prior)["a"]
    course = course_of(tally)
    confirm_sinks(tally, threshold, course)
    assert course[0] < 0.01
    assert course[-1] < 0.1
    assert later(course.index(max(course))) < tally.sinks_below(threshold) < FOREVER


@pytest.mark.parametrize("threshold", [0.55, 0.58, 0.59])
def test_a_score_rises_until_there_is_room_for_it_and_its_rival(threshold: float) -> None:
    prior = Prior(strictness=0.2, half_life_days=SPAN / MICROSECONDS_PER_DAY)
    tally = told(FACTORS, {"a": ([Said(0.9)], []), "b": ([Said(0.9, SPAN // 2)], [])}, prior)["a"]
    course = course_of(tally)
    confirm_sinks(tally, threshold, course)
    assert max(course) > course[0] + 0.02
    assert later(course.index(max(course))) < tally.sinks_below(threshold) < FOREVER


@each_model
def test_what_ages_too_slowly_to_sink_in_all_of_time_never_does(model: ConfidenceModel) -> None:
    slow = told(model, {"a": ([Said(0.9)], [])}, Prior(half_life_days=1e15))["a"]
    assert slow.sinks_below(0.51) == FOREVER
