"""Opinions and their fusion obey the laws of subjective logic.

The oracle computes in exact rationals. Where an operator has a meaning in evidence space it works on
counts there, and otherwise by the published formula or by enumeration, so that it shares no arithmetic
with the package.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowwhy.core.confidence import (
    VACUOUS,
    Opinion,
    averaging,
    compromise,
    cumulative,
    deduced,
    discounted_counts,
    weighted,
)

W = Fraction(2)
TOLERANCE = 1e-9

Fusion = Callable[[Iterable[Opinion]], Opinion]


# The oracle -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Exact:
    """An opinion in exact rationals."""

    b: Fraction
    d: Fraction
    u: Fraction
    a: Fraction

    @property
    def p(self) -> Fraction:
        return self.b + self.a * self.u

    @property
    def r(self) -> Fraction:
        return W * self.b / self.u

    @property
    def s(self) -> Fraction:
        return W * self.d / self.u


def exact(opinion: Opinion) -> Exact:
    parts = [Fraction(part) for part in (opinion.belief, opinion.disbelief, opinion.uncertainty)]
    b, d, u = (part / sum(parts) for part in parts)  # floats add up to 1 only nearly
    return Exact(b, d, u, Fraction(opinion.base_rate))


def of_counts(r: Fraction, s: Fraction, a: Fraction) -> Exact:
    total = r + s + W
    return Exact(r / total, s / total, W / total, a)


def mean(values: Sequence[Fraction], weights: Sequence[Fraction] | None = None) -> Fraction:
    weights = weights or [Fraction(1)] * len(values)
    if not sum(weights):
        return mean(values)
    return sum((v * w for v, w in zip(values, weights, strict=True)), Fraction(0)) / sum(weights)


def mean_of_dogmatic(voices: Sequence[Exact]) -> Exact | None:
    dogmatic = [v for v in voices if v.u == 0]
    if not dogmatic:
        return None
    return Exact(
        mean([v.b for v in dogmatic]),
        mean([v.d for v in dogmatic]),
        Fraction(0),
        mean([v.a for v in dogmatic]),
    )


def exact_cumulative(voices: Sequence[Exact]) -> Exact:
    if certain := mean_of_dogmatic(voices):
        return certain
    r, s = sum((v.r for v in voices), Fraction(0)), sum((v.s for v in voices), Fraction(0))
    return of_counts(r, s, mean([v.a for v in voices], [v.r + v.s for v in voices]))


def exact_averaging(voices: Sequence[Exact]) -> Exact:
    a = mean([v.a for v in voices])
    if certain := mean_of_dogmatic(voices):
        return Exact(certain.b, certain.d, certain.u, a)
    return of_counts(mean([v.r for v in voices]), mean([v.s for v in voices]), a)


def exact_weighted(voices: Sequence[Exact]) -> Exact:
    if certain := mean_of_dogmatic(voices):
        return certain
    # Certainty, read off the counts: the share of evidence in evidence and prior weight.
    certainty = [(v.r + v.s) / (v.r + v.s + W) for v in voices]
    r = mean([v.r for v in voices], certainty)
    s = mean([v.s for v in voices], certainty)
    return of_counts(r, s, mean([v.a for v in voices], certainty))


def exact_compromise(voices: Sequence[Exact]) -> Exact:
    """By all ways in which each source may put its residual belief on true or on false."""
    firm = [v for v in voices if v.u < 1]
    if not firm:
        return Exact(Fraction(0), Fraction(0), Fraction(1), mean([v.a for v in voices]))
    b, d = min(v.b for v in firm), min(v.d for v in firm)
    u = math.prod((v.u for v in firm), start=Fraction(1))
    residues = [{True: v.b - b, False: v.d - d} for v in firm]
    pro = contra = torn = Fraction(0)
    for index, residue in enumerate(residues):
        others = math.prod((v.u for v in firm[:index] + firm[index + 1 :]), start=Fraction(1))
        pro += residue[True] * others
        contra += residue[False] * others
    for choice in itertools.product((True, False), repeat=len(firm)):
        product = math.prod(
            (res[side] for res, side in zip(residues, choice, strict=True)), start=Fraction(1)
        )
        if all(choice):
            pro += product
        elif not any(choice):
            contra += product
        else:
            torn += product
    total, rest = pro + contra + torn, 1 - b - d - u
    a = mean([v.a for v in firm], [1 - v.u for v in firm])
    if total == 0:
        return Exact(b, d, u + rest, a)
    return Exact(b + rest * pro / total, d + rest * contra / total, u + rest * torn / total, a)


def exact_deduced(x: Exact, true: Exact, false: Exact, a: Fraction) -> Exact:
    p_true, p_false = true.b + a * true.u, false.b + a * false.u
    p = x.p * p_true + (1 - x.p) * p_false
    p0 = x.a * p_true + (1 - x.a) * p_false
    bounds = []
    if a > 0:
        bounds.append((p0 - min(true.b, false.b)) / a)
    if a < 1:
        bounds.append((1 - p0 - min(true.d, false.d)) / (1 - a))
    u = x.u * min(bounds) + x.b * true.u + x.d * false.u
    b = p - a * u
    return Exact(b, 1 - b - u, u, a)


FUSIONS: dict[str, tuple[Fusion, Callable[[Sequence[Exact]], Exact]]] = {
    "cumulative": (cumulative, exact_cumulative),
    "averaging": (averaging, exact_averaging),
    "weighted": (weighted, exact_weighted),
    "compromise": (compromise, exact_compromise),
}
every_fusion = pytest.mark.parametrize("name", FUSIONS)


def same(one: Opinion, other: Opinion | Exact, *, base_rate: bool = True) -> bool:
    expected = exact(other) if isinstance(other, Opinion) else other
    got = exact(one)
    pairs = [(got.b, expected.b), (got.d, expected.d), (got.u, expected.u)]
    if base_rate:
        pairs.append((got.a, expected.a))
    return all(abs(x - y) <= TOLERANCE for x, y in pairs)


# What is generated ------------------------------------------------------------------------------

shares = st.floats(0.0, 1.0)
positive_shares = st.floats(1e-6, 1.0)
some_amount = st.integers(1, 9).map(float) | st.floats(1e-6, 1.0)
amounts = st.just(0.0) | some_amount


def in_proportion(b: float, d: float, u: float, a: float) -> Opinion:
    total = b + d + u
    return Opinion(b / total, d / total, u / total, a)


uncertain_opinions = st.builds(in_proportion, amounts, amounts, some_amount, shares)
dogmatic_opinions = st.builds(in_proportion, amounts, some_amount, st.just(0.0), shares) | st.builds(
    in_proportion, some_amount, amounts, st.just(0.0), shares
)
vacuous_opinions = st.builds(Opinion.vacuous, shares)
all_opinions = uncertain_opinions | dogmatic_opinions | vacuous_opinions
evidence = st.builds(in_proportion, some_amount, amounts, some_amount, shares) | st.builds(
    in_proportion, amounts, some_amount, some_amount, shares
)
few = st.lists(all_opinions, min_size=1, max_size=4)
few_uncertain = st.lists(uncertain_opinions, min_size=1, max_size=4)


@st.composite
def opposed_conditionals(draw: st.DrawFn) -> tuple[Opinion, Opinion]:
    """Two opinions of which the first has no less belief and no more disbelief than the second."""
    less, more = sorted((draw(st.integers(0, 60)), draw(st.integers(0, 60))))
    most = draw(st.integers(0, 60 - less))
    least = draw(st.integers(0, min(most, 60 - more)))
    return (
        in_proportion(more, least, 60 - more - least, 0.5),
        in_proportion(less, most, 60 - less - most, 0.5),
    )


# One opinion ------------------------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf, -0.1, 1.1, -1e-300])
@pytest.mark.parametrize("place", range(4))
def test_a_component_out_of_range_is_refused(wrong: float, place: int) -> None:
    components = [0.3, 0.3, 0.4, 0.5]
    components[place] = wrong
    with pytest.raises(ValueError, match="from 0 to 1"):
        Opinion(*components)


@pytest.mark.parametrize("components", [(0.0, 0.0, 0.0), (0.5, 0.5, 0.5), (0.3, 0.3, 0.4 + 2e-9)])
def test_components_that_do_not_add_up_are_refused_with_advice(
    components: tuple[float, float, float],
) -> None:
    with pytest.raises(ValueError, match=r"add up to 1.*Divide each by their sum"):
        Opinion(*components)


def test_a_sum_within_the_tolerance_is_taken() -> None:
    assert Opinion(0.3, 0.3, 0.4 + 0.5e-9).belief == 0.3


@pytest.mark.parametrize("count", [math.nan, math.inf, -1.0])
def test_counts_that_cannot_be_are_refused(count: float) -> None:
    with pytest.raises(ValueError, match="finite count"):
        Opinion.from_counts(count, 0.0)
    with pytest.raises(ValueError, match="finite count"):
        Opinion.from_counts(0.0, count)


@given(st.floats(0.0, 1e6), st.floats(0.0, 1e6), shares)
def test_counts_and_opinion_say_the_same(support: float, refutation: float, base_rate: float) -> None:
    opinion = Opinion.from_counts(support, refutation, base_rate)
    assert same(opinion, of_counts(Fraction(support), Fraction(refutation), Fraction(base_rate)))
    assert opinion.counts() == pytest.approx((support, refutation), rel=1e-9, abs=1e-9)


@given(st.floats(0.0, 1e6), st.floats(0.0, 1e6), shares)
def test_the_projected_probability_is_the_mean_of_the_beta(r: float, s: float, a: float) -> None:
    alpha = Fraction(r) + Fraction(a) * W
    beta = Fraction(s) + (1 - Fraction(a)) * W
    assert Opinion.from_counts(r, s, a).projected == pytest.approx(
        float(alpha / (alpha + beta)), abs=TOLERANCE
    )


@given(all_opinions)
def test_the_projected_probability_is_one(opinion: Opinion) -> None:
    assert 0.0 <= opinion.projected <= 1.0


@given(shares)
def test_no_evidence_projects_to_the_base_rate(base_rate: float) -> None:
    assert Opinion.from_counts(0.0, 0.0, base_rate) == Opinion.vacuous(base_rate)
    assert Opinion.vacuous(base_rate).projected == base_rate
    assert Opinion.vacuous() == VACUOUS


@given(dogmatic_opinions)
def test_a_dogmatic_opinion_has_no_counts(opinion: Opinion) -> None:
    with pytest.raises(ValueError, match="infinite evidence"):
        opinion.counts()


def test_counts_beyond_all_numbers_are_refused_too() -> None:
    with pytest.raises(ValueError, match="infinite evidence"):
        Opinion(1.0, 0.0, 5e-324).counts()


def test_ignorance_differs_from_conflict() -> None:
    conflict = Opinion.from_counts(50.0, 50.0)
    assert conflict.projected == VACUOUS.projected
    assert conflict.uncertainty < 0.02 < VACUOUS.uncertainty


# Trust and age ----------------------------------------------------------------------------------


@given(all_opinions, all_opinions)
def test_trust_discount_follows_its_definition(opinion: Opinion, trust: Opinion) -> None:
    x, t = exact(opinion), exact(trust)
    assert same(opinion.discounted(trust), Exact(t.p * x.b, t.p * x.d, 1 - t.p * (x.b + x.d), x.a))


@given(all_opinions)
def test_full_distrust_gives_vacuous_not_the_opposite(opinion: Opinion) -> None:
    distrust = Opinion(0.0, 1.0, 0.0)
    assert opinion.discounted(distrust) == Opinion.vacuous(opinion.base_rate)
    assert discounted_counts(opinion, 0.0) == Opinion.vacuous(opinion.base_rate)


@given(all_opinions)
def test_full_trust_changes_nothing(opinion: Opinion) -> None:
    assert same(opinion.discounted(Opinion(1.0, 0.0, 0.0)), opinion)
    assert same(discounted_counts(opinion, 1.0), opinion)


@given(uncertain_opinions, shares)
def test_ageing_and_count_discount_scale_the_counts(opinion: Opinion, factor: float) -> None:
    x = exact(opinion)
    expected = of_counts(Fraction(factor) * x.r, Fraction(factor) * x.s, x.a)
    assert same(opinion.aged(factor), expected)
    assert same(discounted_counts(opinion, factor), expected)


@given(all_opinions, shares, shares)
def test_ageing_twice_is_ageing_by_the_product(opinion: Opinion, first: float, second: float) -> None:
    assert same(opinion.aged(first).aged(second), opinion.aged(first * second))


@given(uncertain_opinions, shares)
def test_ageing_makes_uncertain_and_moves_towards_the_base_rate(opinion: Opinion, factor: float) -> None:
    aged = opinion.aged(factor)
    assert aged.uncertainty >= opinion.uncertainty - TOLERANCE
    assert aged.disbelief <= opinion.disbelief + TOLERANCE
    before, after = opinion.projected - opinion.base_rate, aged.projected - opinion.base_rate
    assert abs(after) <= abs(before) + TOLERANCE
    assert before * after >= -TOLERANCE
    assert opinion.aged(0.0) == Opinion.vacuous(opinion.base_rate)


@given(dogmatic_opinions, shares)
def test_a_dogmatic_opinion_does_not_age(opinion: Opinion, factor: float) -> None:
    assert opinion.aged(factor) == opinion


@pytest.mark.parametrize("factor", [math.nan, -0.1, 1.1, math.inf])
def test_a_factor_that_is_no_share_is_refused(factor: float) -> None:
    with pytest.raises(ValueError, match="from 0 to 1"):
        Opinion(0.3, 0.3, 0.4).aged(factor)
    with pytest.raises(ValueError, match="from 0 to 1"):
        discounted_counts(Opinion(0.3, 0.3, 0.4), factor)


# Fusion -----------------------------------------------------------------------------------------


@every_fusion
@given(opinions=few)
def test_fusion_agrees_with_the_oracle(name: str, opinions: list[Opinion]) -> None:
    fuse, oracle = FUSIONS[name]
    assert same(fuse(opinions), oracle([exact(opinion) for opinion in opinions]))


@pytest.mark.parametrize(
    ("name", "belief", "disbelief", "uncertainty"),
    [
        ("cumulative", 0.651, 0.209, 0.140),
        ("weighted", 0.562, 0.146, 0.292),
        ("compromise", 0.629, 0.182, 0.189),
        ("averaging", 0.509, 0.164, 0.327),
    ],
)
def test_three_opinions_fuse_to_the_published_numbers(
    name: str, belief: float, disbelief: float, uncertainty: float
) -> None:
    fuse, _ = FUSIONS[name]
    fused = fuse([Opinion(0.1, 0.3, 0.6), Opinion(0.4, 0.2, 0.4), Opinion(0.7, 0.1, 0.2)])
    got = (fused.belief, fused.disbelief, fused.uncertainty)
    assert got == pytest.approx((belief, disbelief, uncertainty), abs=0.0005)


@every_fusion
@given(opinions=few)
def test_the_order_of_arrival_does_not_matter(name: str, opinions: list[Opinion]) -> None:
    fuse, _ = FUSIONS[name]
    fused = fuse(opinions)
    assert all(fuse(order) == fused for order in itertools.permutations(opinions))


@every_fusion
@given(opinion=all_opinions)
def test_one_opinion_fuses_to_itself(name: str, opinion: Opinion) -> None:
    fuse, _ = FUSIONS[name]
    assert same(fuse([opinion]), opinion)


@every_fusion
def test_nothing_to_fuse_is_refused(name: str) -> None:
    fuse, _ = FUSIONS[name]
    with pytest.raises(ValueError, match="pass one opinion at least"):
        fuse(iter(()))


@every_fusion
@given(opinions=st.lists(vacuous_opinions, min_size=1, max_size=4))
def test_all_vacuous_is_vacuous_with_the_mean_base_rate(name: str, opinions: list[Opinion]) -> None:
    fuse, _ = FUSIONS[name]
    fused = fuse(opinions)
    assert fused.uncertainty == 1.0
    assert fused.base_rate == pytest.approx(math.fsum(o.base_rate for o in opinions) / len(opinions))


@pytest.mark.parametrize("name", ["cumulative", "weighted", "compromise"])
@given(opinions=st.lists(evidence | dogmatic_opinions, min_size=1, max_size=3), nothing=vacuous_opinions)
def test_vacuous_is_neutral(name: str, opinions: list[Opinion], nothing: Opinion) -> None:
    fuse, _ = FUSIONS[name]
    assert same(fuse([*opinions, nothing]), fuse(opinions))


def test_vacuous_is_not_neutral_in_averaging() -> None:
    opinion = Opinion(0.5, 0.25, 0.25)
    assert averaging([opinion, VACUOUS]).uncertainty == pytest.approx(0.4)


@pytest.mark.parametrize("name", ["averaging", "weighted", "compromise"])
@given(opinion=all_opinions, times=st.integers(1, 5))
def test_repeating_an_opinion_changes_nothing(name: str, opinion: Opinion, times: int) -> None:
    fuse, _ = FUSIONS[name]
    assert same(fuse([opinion] * times), opinion)


@given(evidence, st.integers(2, 5))
def test_cumulative_fusion_counts_every_repetition(opinion: Opinion, times: int) -> None:
    assert cumulative([opinion] * times).uncertainty < opinion.uncertainty


@given(few_uncertain, few_uncertain, few_uncertain)
def test_cumulative_fusion_is_associative(x: list[Opinion], y: list[Opinion], z: list[Opinion]) -> None:
    at_once = cumulative([*x, *y, *z])
    has_evidence = at_once.uncertainty < 1.0  # without any, a mean of mean base rates is not the mean
    left = cumulative([cumulative([cumulative(x), cumulative(y)]), cumulative(z)])
    right = cumulative([cumulative(x), cumulative([cumulative(y), cumulative(z)])])
    assert same(left, at_once, base_rate=has_evidence)
    assert same(right, at_once, base_rate=has_evidence)


def test_folding_dogmatic_opinions_loses_how_many_there_were() -> None:
    voices = [Opinion(1.0, 0.0, 0.0), Opinion(0.0, 1.0, 0.0), Opinion(0.0, 1.0, 0.0)]
    assert cumulative(voices).belief == pytest.approx(1 / 3)
    folded = functools.reduce(lambda one, other: cumulative([one, other]), voices)
    assert folded.belief == pytest.approx(1 / 4)


@pytest.mark.parametrize("name", ["averaging", "weighted", "compromise"])
def test_the_other_fusions_are_not_associative(name: str) -> None:
    fuse, oracle = FUSIONS[name]
    voices = [Opinion(0.1, 0.3, 0.6), Opinion(0.4, 0.2, 0.4), Opinion(0.7, 0.1, 0.2)]
    x, y, z = (exact(voice) for voice in voices)
    folded = fuse([fuse(voices[:2]), voices[2]])
    assert same(folded, oracle([oracle([x, y]), z]))
    assert abs(folded.belief - fuse(voices).belief) > 0.003


@pytest.mark.parametrize("name", ["cumulative", "averaging", "weighted"])
@given(
    certain=st.lists(dogmatic_opinions, min_size=1, max_size=3),
    others=st.lists(uncertain_opinions, max_size=3),
)
def test_dogmatic_opinions_leave_no_room_for_the_rest(
    name: str, certain: list[Opinion], others: list[Opinion]
) -> None:
    fuse, _ = FUSIONS[name]
    fused = fuse([*others, *certain])
    assert fused.uncertainty == 0.0
    assert fused.belief == pytest.approx(math.fsum(o.belief for o in certain) / len(certain))


@pytest.mark.parametrize("name", ["cumulative", "averaging", "weighted"])
def test_a_nearly_dogmatic_opinion_counts_for_all_it_has(name: str) -> None:
    fuse, _ = FUSIONS[name]
    fused = fuse([Opinion(1.0, 0.0, 5e-324), Opinion(0.0, 0.5, 0.5)])
    assert (fused.belief, fused.disbelief) == pytest.approx((1.0, 0.0))


def test_compromise_jumps_where_opinions_come_to_agree() -> None:
    agreed = compromise([Opinion(0.4, 0.2, 0.4), Opinion(0.4, 0.2, 0.4)])
    nearly = compromise([Opinion(0.4, 0.2, 0.4), Opinion(0.4001, 0.2, 0.3999)])
    assert agreed.belief == pytest.approx(0.40, abs=0.005)
    assert nearly.belief == pytest.approx(0.64, abs=0.005)


def test_compromise_of_which_nothing_is_left_is_uncertain() -> None:
    # Beyond the consensus, two are certain of what the third knows nothing of: every product has a zero.
    fused = compromise([Opinion(1.0, 0.0, 0.0), Opinion(1.0, 0.0, 0.0), Opinion(0.5, 0.0, 0.5)])
    assert (fused.belief, fused.disbelief, fused.uncertainty) == pytest.approx((0.5, 0.0, 0.5))


def test_compromise_of_thousands_does_not_vanish_in_rounding() -> None:
    camps = [Opinion(0.4, 0.2, 0.4), Opinion(0.2, 0.4, 0.4)] * 1500
    fused = compromise(camps)
    assert (fused.belief, fused.disbelief, fused.uncertainty) == pytest.approx((0.5, 0.5, 0.0))


@given(few_uncertain, positive_shares)
def test_ageing_commutes_with_cumulative_fusion(opinions: list[Opinion], factor: float) -> None:
    fused_then_aged = cumulative(opinions).aged(factor)
    assert same(cumulative([opinion.aged(factor) for opinion in opinions]), fused_then_aged)


@given(few, positive_shares)
def test_count_discount_distributes_over_cumulative_fusion(opinions: list[Opinion], share: float) -> None:
    discounted = discounted_counts(cumulative(opinions), share)
    assert same(cumulative([discounted_counts(opinion, share) for opinion in opinions]), discounted)


def test_trust_discount_does_not_distribute_over_cumulative_fusion() -> None:
    opinion, half_trust = Opinion(0.5, 0.0, 0.5), Opinion(0.5, 0.5, 0.0)
    heard_twice = cumulative([opinion.discounted(half_trust)] * 2)
    assert heard_twice.belief == pytest.approx(0.4)
    assert cumulative([opinion] * 2).discounted(half_trust).belief == pytest.approx(1 / 3)


# Deduction --------------------------------------------------------------------------------------


@given(all_opinions, all_opinions, all_opinions, shares)
def test_deduction_agrees_with_the_oracle(x: Opinion, true: Opinion, false: Opinion, a: float) -> None:
    expected = exact_deduced(exact(x), exact(true), exact(false), Fraction(a))
    assert same(deduced(x, true, false, a), expected)


@given(all_opinions, all_opinions, shares)
def test_deduction_is_exact_at_certain_premises(true: Opinion, false: Opinion, a: float) -> None:
    assert same(deduced(Opinion(1.0, 0.0, 0.0), true, false, a), true, base_rate=False)
    assert same(deduced(Opinion(0.0, 1.0, 0.0), true, false, a), false, base_rate=False)


@given(all_opinions, all_opinions, all_opinions, shares)
def test_deduction_keeps_the_law_of_total_probability(
    x: Opinion, true: Opinion, false: Opinion, a: float
) -> None:
    p_true, p_false = (case.belief + a * case.uncertainty for case in (true, false))
    total = x.projected * p_true + (1.0 - x.projected) * p_false
    assert deduced(x, true, false, a).projected == pytest.approx(total, abs=TOLERANCE)


@given(all_opinions, all_opinions, shares)
def test_deduction_from_nothing_believes_what_both_conditionals_do(
    true: Opinion, false: Opinion, a: float
) -> None:
    fused = deduced(Opinion.vacuous(0.3), true, false, a)
    assert fused.belief >= min(true.belief, false.belief) - TOLERANCE
    assert fused.disbelief >= min(true.disbelief, false.disbelief) - TOLERANCE
    assert fused.uncertainty >= 0.3 * true.uncertainty + 0.7 * false.uncertainty - TOLERANCE


@given(all_opinions, opposed_conditionals(), st.floats(0.01, 0.99))
def test_deduction_equals_the_older_form_where_the_conditionals_are_opposed(
    premise: Opinion, conditionals: tuple[Opinion, Opinion], base_rate: float
) -> None:
    # The older definition mixes the conditionals and corrects by a term K, given case by case.
    x, a = exact(premise), Fraction(base_rate)
    true, false = (exact(conditional) for conditional in conditionals)
    b, d, u = (
        x.b * t + x.d * f + x.u * (x.a * t + (1 - x.a) * f)
        for t, f in ((true.b, false.b), (true.d, false.d), (true.u, false.u))
    )
    p0 = x.a * (true.b + a * true.u) + (1 - x.a) * (false.b + a * false.u)
    if p0 <= false.b + a * (1 - false.b - true.d):
        k = x.a * x.u * (true.b - false.b) / a
    else:
        k = (1 - x.a) * x.u * (false.d - true.d) / (1 - a)
    older = Exact(b - a * k, d - (1 - a) * k, u + k, a)
    assert same(deduced(premise, *conditionals, base_rate), older)


def test_deduction_turns_spare_belief_into_uncertainty_where_one_conditional_has_more_of_both() -> None:
    # The older form has no correction here and would keep an uncertainty of 0.5.
    fused = deduced(VACUOUS, Opinion(0.5, 0.5, 0.0), VACUOUS)
    assert (fused.belief, fused.disbelief, fused.uncertainty) == pytest.approx((0.0, 0.0, 1.0))


@pytest.mark.parametrize("base_rate", [math.nan, -0.1, 1.1])
def test_deduction_refuses_a_base_rate_that_is_no_share(base_rate: float) -> None:
    with pytest.raises(ValueError, match="base rate must be a number from 0 to 1"):
        deduced(VACUOUS, VACUOUS, VACUOUS, base_rate)
