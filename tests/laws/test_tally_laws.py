"""Evidence counts, their ageing, and values that compete, obey the laws that confidence rests on.

The oracle computes confidences in exact rationals from the formula for a slot of k named values and "other":
P(v) = (R_v + sum over x != v of S_x * a_v / (1 - a_x) + a_v * W) / Z, where a_v = 0.5 / k and a_other = 0.5.
For other priors, and for the other confidence models, see test_model_laws.py and test_model_formulas.py.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from knowwhy.core.confidence import NO_MASS, Mass, Tally, Voice, compete, decay, evidence_count
from knowwhy.core.timeline import FOREVER, MICROSECONDS_PER_DAY, Instant

W = Fraction(2)
OTHER = "(other)"
TOLERANCE = 1e-9
NOW = Instant(1_736_467_200_000_000)

Masses = dict[str, Mass]


# The oracle -------------------------------------------------------------------------------------


def exact_confidences(supports: Masses, refutations: Masses, left: Fraction) -> dict[str, Fraction]:
    """The confidence of every named value and of "other", where `left` of the ageing evidence is left."""

    def counts(masses: Masses) -> dict[str, Fraction]:
        return {value: Fraction(mass.pinned) + Fraction(mass.ageing) * left for value, mass in masses.items()}

    named = set(supports) | set(refutations)
    base_rates = dict.fromkeys(named, Fraction(1, 2 * len(named))) | {OTHER: Fraction(1, 2)}
    r, s = counts(supports), counts(refutations)
    z = W + sum(r.values()) + sum(s.values())
    zero = Fraction(0)
    return {
        value: (
            r.get(value, zero)
            + sum((s.get(x, zero) * a / (1 - base_rates[x]) for x in named if x != value), zero)
            + a * W
        )
        / z
        for value, a in base_rates.items()
    }


# What is generated ------------------------------------------------------------------------------

counts = st.just(0.0) | st.floats(0.001, 1000.0)
masses = st.builds(Mass, counts, counts)
ageing_masses = st.builds(Mass, st.just(0.0), counts)
half_lives = st.integers(1, 4000).map(float)
spans = st.integers(0, 40_000 * MICROSECONDS_PER_DAY)
ages = st.floats(0.0, 12.0)  # in half-lives
some_count = st.floats(1.0, 1000.0)


def evidence(kind: st.SearchStrategy[Mass], least: int = 1) -> st.SearchStrategy[tuple[Masses, Masses]]:
    """What supports and what refutes each of a few values, some of which have only one of the two."""

    def split(rows: Mapping[str, tuple[Mass, Mass, str]]) -> tuple[Masses, Masses]:
        supports = {value: row[0] for value, row in rows.items() if row[2] != "refuted only"}
        refutations = {value: row[1] for value, row in rows.items() if row[2] != "supported only"}
        return supports, refutations

    rows = st.tuples(kind, kind, st.sampled_from(["both", "supported only", "refuted only"]))
    return st.dictionaries(st.sampled_from("abcd"), rows, min_size=least, max_size=4).map(split)


def tally_of(evidence: tuple[Masses, Masses], value: str, half_life: float | None = None) -> Tally:
    return compete(*evidence, NOW, half_life)[value]


def with_more(masses: Masses, value: str, count: float) -> Masses:
    return {**masses, value: masses.get(value, NO_MASS) + Mass(ageing=count)}


def later(span: int) -> Instant:
    return Instant(NOW + span)


def aged_by(age: float, half_life: float) -> Instant:
    return later(int(age * half_life * MICROSECONDS_PER_DAY))


# Counts -----------------------------------------------------------------------------------------


@given(st.floats(0.5, 0.99))
def test_one_statement_alone_gives_the_reliability_of_its_source(reliability: float) -> None:
    stated = Mass(ageing=evidence_count(reliability))
    assert compete({"a": stated}, {}, NOW, None)["a"].confidence() == pytest.approx(reliability, abs=1e-12)
    assert compete({}, {"a": stated}, NOW, None)["a"].confidence() == pytest.approx(
        1 - reliability, abs=1e-12
    )


@pytest.mark.parametrize(("reliability", "count"), [(0.5, 0.0), (0.8, 3.0), (0.9, 8.0), (0.99, 98.0)])
def test_counts_are_those_of_the_theory(reliability: float, count: float) -> None:
    assert evidence_count(reliability) == pytest.approx(count)


@given(st.floats(0.0, 0.5), st.floats(0.99, 1.0))
def test_reliability_is_cut_at_both_ends(bad: float, good: float) -> None:
    assert evidence_count(bad) == 0.0
    assert evidence_count(good) == evidence_count(0.99)


@given(st.floats(0.0, 1.0), st.floats(0.0, 1.0), st.floats(0.0, 100.0))
def test_counts_grow_with_reliability_and_in_proportion_to_weight(
    one: float, other: float, weight: float
) -> None:
    low, high = sorted((one, other))
    assert 0.0 <= evidence_count(low) <= evidence_count(high)
    assert evidence_count(high, weight) == pytest.approx(weight * evidence_count(high))


@pytest.mark.parametrize("reliability", [math.nan, math.inf, -0.1, 1.1])
def test_a_reliability_that_is_no_probability_is_refused(reliability: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        evidence_count(reliability)


@pytest.mark.parametrize("weight", [math.nan, math.inf, -0.1])
def test_a_weight_that_is_negative_or_infinite_is_refused(weight: float) -> None:
    with pytest.raises(ValueError, match="not negative"):
        evidence_count(0.8, weight)


# Decay ------------------------------------------------------------------------------------------


@given(st.integers(1, 100_000 * MICROSECONDS_PER_DAY))
def test_decay_is_exactly_one_half_after_one_half_life(span: int) -> None:
    assert decay(NOW, later(span), span / MICROSECONDS_PER_DAY) == 0.5


@given(spans, half_lives)
def test_decay_is_exponential_in_elapsed_time(span: int, half_life: float) -> None:
    days = span / MICROSECONDS_PER_DAY
    assert decay(NOW, later(span), half_life) == pytest.approx(math.exp(-math.log(2) * days / half_life))


@given(spans, half_lives)
def test_a_future_date_counts_as_age_zero(span: int, half_life: float) -> None:
    assert decay(later(span), NOW, half_life) == 1.0


@given(spans)
def test_without_a_half_life_nothing_ages(span: int) -> None:
    assert decay(NOW, later(span), None) == 1.0


@given(spans, spans, half_lives)
def test_decay_multiplies_over_adjacent_spans(first: int, second: int, half_life: float) -> None:
    middle, end = later(first), later(first + second)
    whole = decay(NOW, end, half_life)
    assert whole == pytest.approx(
        decay(NOW, middle, half_life) * decay(middle, end, half_life), rel=1e-9, abs=1e-300
    )
    assert whole <= decay(NOW, middle, half_life) <= 1.0


@pytest.mark.parametrize("half_life", [0.0, -1.0, math.nan])
def test_a_half_life_that_cannot_be_is_refused(half_life: float) -> None:
    with pytest.raises(ValueError, match="half-life"):
        decay(NOW, later(MICROSECONDS_PER_DAY), half_life)


# Masses -----------------------------------------------------------------------------------------


@given(masses, masses, masses)
def test_masses_add_up_in_any_order(x: Mass, y: Mass, z: Mass) -> None:
    assert x + y == y + x
    assert ((x + y) + z).fresh == pytest.approx((x + (y + z)).fresh)
    assert x + NO_MASS == x


@given(masses, masses, st.floats(0.0, 1.0))
def test_ageing_a_sum_is_adding_the_aged(x: Mass, y: Mass, factor: float) -> None:
    assert (x + y).aged(factor) == pytest.approx(x.aged(factor) + y.aged(factor))
    assert x.pinned <= x.aged(factor) <= x.fresh
    assert x.aged(1.0) == x.fresh
    assert x.scaled(factor).fresh == pytest.approx(x.fresh * factor)


@given(counts, spans, spans, half_lives)
def test_a_voice_ages_alike_in_one_step_or_two(
    count: float, first: int, second: int, half_life: float
) -> None:
    voice, end = Voice(count, NOW), later(first + second)
    kept = voice.mass(later(first), half_life).aged(decay(later(first), end, half_life))
    assert kept == pytest.approx(voice.mass(end, half_life).fresh, rel=1e-9, abs=1e-300)


@given(counts, spans, half_lives)
def test_a_pinned_voice_does_not_age(count: float, span: int, half_life: float) -> None:
    assert Voice(count, NOW, is_pinned=True).mass(later(span), half_life).aged(0.0) == count


@pytest.mark.parametrize("part", ["pinned", "ageing"])
@pytest.mark.parametrize("wrong", [math.nan, -1.0])
def test_a_mass_that_cannot_be_is_refused(part: str, wrong: float) -> None:
    with pytest.raises(ValueError, match="negative"):
        Mass(**{part: wrong})


# Competing values -------------------------------------------------------------------------------


@given(evidence(masses), st.integers(0, 60), half_lives)
def test_confidence_agrees_with_the_oracle(
    evidence: tuple[Masses, Masses], half_lives_passed: int, half_life: float
) -> None:
    at = later(half_lives_passed * int(half_life) * MICROSECONDS_PER_DAY)
    expected = exact_confidences(*evidence, Fraction(1, 2**half_lives_passed))
    for value, tally in compete(*evidence, NOW, half_life).items():
        assert tally.confidence(at) == pytest.approx(float(expected[value]), abs=TOLERANCE)


@given(evidence(masses), spans, half_lives)
def test_named_values_and_other_share_exactly_one(
    evidence: tuple[Masses, Masses], span: int, half_life: float
) -> None:
    left = Fraction(decay(NOW, later(span), half_life))
    other = float(exact_confidences(*evidence, left)[OTHER])
    named = [tally.confidence(later(span)) for tally in compete(*evidence, NOW, half_life).values()]
    assert math.fsum(named) + other == pytest.approx(1.0, abs=TOLERANCE)
    assert all(0.0 < confidence < 1.0 for confidence in named)


def test_no_named_value_no_tally() -> None:
    assert compete({}, {}, NOW, None) == {}


@given(masses, masses)
def test_one_named_value_has_the_mean_of_a_beta(support: Mass, refutation: Mass) -> None:
    tally = compete({"a": support}, {"a": refutation}, NOW, None)["a"]
    r, s = support.fresh, refutation.fresh
    assert tally.confidence() == pytest.approx((r + 1) / (r + s + 2))
    assert tally.ignorance() == pytest.approx(2 / (r + s + 2))


@given(evidence(masses))
@example(({"a": Mass(0.1), "b": Mass(0.2), "c": Mass(0.3)}, {}))  # (a + b) + c differs from (c + b) + a
def test_the_order_in_which_values_are_named_does_not_matter(evidence: tuple[Masses, Masses]) -> None:
    turned = [dict(reversed(part.items())) for part in evidence]
    assert compete(turned[0], turned[1], NOW, 90.0) == compete(*evidence, NOW, 90.0)


@given(evidence(masses), some_count)
def test_support_of_its_own_raises_confidence(evidence: tuple[Masses, Masses], count: float) -> None:
    supports, refutations = evidence
    for value, tally in compete(*evidence, NOW, None).items():
        more = tally_of((with_more(supports, value, count), refutations), value)
        assert more.confidence() > tally.confidence()


@given(evidence(masses), some_count)
def test_refutation_of_its_own_lowers_confidence(evidence: tuple[Masses, Masses], count: float) -> None:
    supports, refutations = evidence
    for value, tally in compete(*evidence, NOW, None).items():
        more = tally_of((supports, with_more(refutations, value, count)), value)
        assert more.confidence() < tally.confidence()


@given(evidence(masses, least=2), some_count)
def test_support_of_a_rival_lowers_confidence(evidence: tuple[Masses, Masses], count: float) -> None:
    supports, refutations = evidence
    tallies = compete(*evidence, NOW, None)
    for rival in tallies:
        more = compete(with_more(supports, rival, count), refutations, NOW, None)
        assert all(
            more[value].confidence() < tallies[value].confidence() for value in tallies if value != rival
        )


@given(evidence(ageing_masses, least=2), ages, ages, half_lives)
def test_time_alone_never_swaps_two_rivals(
    evidence: tuple[Masses, Masses], first: float, second: float, half_life: float
) -> None:
    early, late = aged_by(first, half_life), aged_by(first + second, half_life)
    tallies = list(compete(*evidence, NOW, half_life).values())
    for one in tallies:
        for other in tallies:
            if one.confidence(early) > other.confidence(early) + TOLERANCE:
                assert one.confidence(late) >= other.confidence(late) - 1e-15


@given(evidence(ageing_masses), ages, ages, half_lives)
def test_ageing_moves_every_confidence_towards_its_base_rate(
    evidence: tuple[Masses, Masses], first: float, second: float, half_life: float
) -> None:
    early, late, end = (aged_by(age, half_life) for age in (first, first + second, 400.0))
    for tally in compete(*evidence, NOW, half_life).values():
        base_rate = 0.5 / tally.values
        distance = abs(tally.confidence(late) - base_rate)
        assert distance <= abs(tally.confidence(early) - base_rate) + TOLERANCE
        assert tally.ignorance(late) >= tally.ignorance(early) - TOLERANCE
        assert tally.confidence(end) == pytest.approx(base_rate)
        assert tally.ignorance(end) == pytest.approx(1.0)
        assert tally.conflict(end) == pytest.approx(0.0)


@given(evidence(masses), st.floats(0.01, 0.99), half_lives)
def test_confidence_sinks_below_a_threshold_at_the_instant_foretold(
    evidence: tuple[Masses, Masses], threshold: float, half_life: float
) -> None:
    for tally in compete(*evidence, NOW, half_life).values():
        if tally.confidence() < threshold + TOLERANCE:
            continue
        end = aged_by(1000.0, half_life)
        sinks = tally.sinks_below(threshold)
        if sinks >= end:  # it never does, but for what rounding makes of a threshold at the limit
            assert tally.confidence(end) >= threshold - TOLERANCE
        else:
            assert tally.confidence(sinks) == pytest.approx(threshold, abs=TOLERANCE)
            assert tally.confidence(Instant((NOW + sinks) // 2)) >= threshold - TOLERANCE
            assert tally.confidence(end) <= threshold + TOLERANCE


@given(evidence(masses), st.floats(0.01, 0.99))
def test_without_ageing_no_confidence_sinks(evidence: tuple[Masses, Masses], threshold: float) -> None:
    for tally in compete(*evidence, NOW, None).values():
        assert tally.sinks_below(threshold) == FOREVER


@given(evidence(st.builds(Mass, counts)), spans, half_lives)
def test_pinned_evidence_does_not_age(evidence: tuple[Masses, Masses], span: int, half_life: float) -> None:
    for tally in compete(*evidence, NOW, half_life).values():
        assert tally.confidence(later(span)) == tally.confidence()
        assert tally.ignorance(later(span)) == tally.ignorance()


@given(evidence(st.builds(Mass, counts)), st.floats(0.01, 0.99), half_lives)
@example(({"a": Mass(evidence_count(0.6))}, {}), 0.6, 30.0)
def test_pinned_evidence_never_sinks(
    evidence: tuple[Masses, Masses], threshold: float, half_life: float
) -> None:
    for tally in compete(*evidence, NOW, half_life).values():
        assert tally.sinks_below(threshold) == FOREVER
        assert tally.sinks_below(tally.confidence()) == FOREVER


@given(evidence(masses), spans)
def test_evidence_without_a_half_life_does_not_age(evidence: tuple[Masses, Masses], span: int) -> None:
    for tally in compete(*evidence, NOW, None).values():
        assert tally.confidence(later(span)) == tally.confidence()


@given(evidence(masses), ages, ages, half_lives)
def test_where_the_reference_lies_does_not_matter(
    evidence: tuple[Masses, Masses], first: float, second: float, half_life: float
) -> None:
    reference, at = aged_by(first, half_life), aged_by(first + second, half_life)
    factor = decay(NOW, reference, half_life)
    for tally in compete(*evidence, NOW, half_life).values():
        moved = replace(
            tally,
            reference=reference,
            support=_shrunk(tally.support, factor),
            refutation=_shrunk(tally.refutation, factor),
            rival_support=_shrunk(tally.rival_support, factor),
            rival_refutation=_shrunk(tally.rival_refutation, factor),
        )
        assert moved.confidence(at) == pytest.approx(tally.confidence(at))


def _shrunk(mass: Mass, factor: float) -> Mass:
    return Mass(mass.pinned, mass.ageing * factor)


# Conflict ---------------------------------------------------------------------------------------


@given(evidence(masses))
def test_conflict_is_that_of_the_theory(evidence: tuple[Masses, Masses]) -> None:
    supports, refutations = ({v: Fraction(m.fresh) for v, m in part.items()} for part in evidence)
    z = W + sum(supports.values()) + sum(refutations.values())
    for value, tally in compete(*evidence, NOW, None).items():
        r = supports.get(value, Fraction(0))
        s = refutations.get(value, Fraction(0)) + sum(supports.values()) - r
        expected = 4 * r * s / (r + s) ** 2 * (1 - W / z) if r + s else Fraction(0)
        assert tally.conflict() == pytest.approx(float(expected), abs=TOLERANCE)
        assert 0.0 <= tally.conflict() < 1.0


@given(counts)
def test_one_sided_evidence_is_no_conflict(count: float) -> None:
    assert compete({"a": Mass(count)}, {}, NOW, None)["a"].conflict() == 0.0
    assert compete({}, {"a": Mass(count)}, NOW, None)["a"].conflict() == 0.0


def test_an_even_quarrel_is_conflict_and_not_ignorance() -> None:
    even = compete({"a": Mass(50.0)}, {"a": Mass(50.0)}, NOW, None)["a"]
    silent = compete({"a": NO_MASS}, {}, NOW, None)["a"]
    assert even.confidence() == silent.confidence() == 0.5
    assert even.conflict() > 0.95
    assert silent.conflict() == 0.0
    assert even.ignorance() < 0.02
    assert silent.ignorance() == 1.0
