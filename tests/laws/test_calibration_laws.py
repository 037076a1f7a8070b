"""Measures of calibration say what they are defined to say, and maps are the best of their kind.

The oracles count in exact rationals, enumerate all outcomes with their probabilities, or try numbers round
about the fit; they solve no equations.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowwhy.core.confidence.calibration import (
    Bin,
    Checked,
    assess,
    bins_of_equal_mass,
    bins_of_equal_width,
    brier,
    calibration_error,
    calibration_floor,
    debiased_squared_error,
    log_loss,
    spiegelhalter_z,
    wilson,
)
from knowwhy.core.confidence.maps import (
    Beta,
    Calibration,
    Identity,
    Isotonic,
    Sigmoid,
    beta_map,
    calibrated,
    isotonic_map,
    platt_map,
    slope_map,
)

shares = st.floats(0.0, 1.0)
inner = st.floats(0.02, 0.98)
checked = st.lists(st.tuples(shares, st.booleans()), min_size=1, max_size=80)
coarse = st.lists(st.tuples(st.integers(0, 10).map(lambda n: n / 10), st.booleans()), min_size=1, max_size=40)
fittable = st.lists(st.tuples(inner, st.booleans()), min_size=4, max_size=30)


# Measures ---------------------------------------------------------------------------------------


def chances(n: int, p: float) -> list[tuple[int, float]]:
    """How many of n come true, each number with its probability."""
    return [(k, math.comb(n, k) * p**k * (1 - p) ** (n - k)) for k in range(n + 1)]


@given(checked)
def test_brier_and_log_loss_are_the_mean_scores(points: list[Checked]) -> None:
    exact = sum((Fraction(p) - came) ** 2 for p, came in points) / len(points)
    assert brier(points) == pytest.approx(float(exact))
    likelihood = [max(1e-15, p if came else 1 - p) for p, came in points]
    assert math.exp(-log_loss(points) * len(points)) == pytest.approx(math.prod(likelihood), rel=1e-6)


@given(checked, st.integers(1, 20))
def test_bins_of_equal_mass_hold_every_number_once_in_order(points: list[Checked], wanted: int) -> None:
    bins = bins_of_equal_mass(points, wanted)
    sizes = [one.count for one in bins]
    assert len(bins) <= wanted
    assert sum(sizes) == len(points)
    if len({p for p, _ in points}) == len(points):
        assert len(bins) == min(wanted, len(points))
        assert max(sizes) - min(sizes) <= 1
    rows = iter(sorted(points))
    last = -1.0
    for one in bins:
        part = list(itertools.islice(rows, one.count))
        assert part[0][0] > last
        last = part[-1][0]
        assert one.shown == pytest.approx(float(sum(Fraction(p) for p, _ in part) / len(part)))
        assert one.true == pytest.approx(sum(came for _, came in part) / len(part))


@pytest.mark.parametrize(("n", "bins"), [(4, 2), (74, 2), (75, 3), (200, 8), (5000, 15)])
def test_there_is_a_bin_for_25_labels(n: int, bins: int) -> None:
    assert len(assess([(place / n, place % 2 == 0) for place in range(n)]).bins) == bins


@given(checked)
def test_bins_of_equal_width_are_told_by_the_number(points: list[Checked]) -> None:
    error = Fraction(0)
    for tenth in range(10):
        part = [
            (Fraction(p), came)
            for p, came in points
            if (tenth <= p * 10 < tenth + 1) or (tenth == 9 and p == 1.0)
        ]
        error += abs(sum((came - p for p, came in part), Fraction(0)))
    found = calibration_error(bins_of_equal_width(points))
    assert found == pytest.approx(float(error / len(points)))
    assert assess(points).ece_equal_width == found


@pytest.mark.parametrize("p", [0.3, 0.5, 0.8])
@pytest.mark.parametrize("n", [60, 200])
def test_the_floor_is_what_perfect_calibration_shows(n: int, p: float) -> None:
    expected = sum(chance * abs(k / n - p) for k, chance in chances(n, p))
    assert calibration_floor([Bin(n, p, 0.0)]) == pytest.approx(expected, rel=0.01)
    mixed = [Bin(n, p, 0.0), Bin(3 * n, 0.5, 0.0)]
    parts = [calibration_floor([one]) for one in mixed]
    assert calibration_floor(mixed) == pytest.approx((parts[0] + 3 * parts[1]) / 4)


@pytest.mark.parametrize(("shown", "real"), [(0.5, 0.5), (0.9, 0.6), (0.2, 0.35)])
def test_the_squared_error_has_no_bias(shown: float, real: float) -> None:
    expected = sum(
        chance * debiased_squared_error([Bin(12, shown, k / 12), Bin(1, 0.0, 1.0)])
        for k, chance in chances(12, real)
    )
    assert expected == pytest.approx((shown - real) ** 2)


@given(st.lists(inner.filter(lambda p: abs(p - 0.5) > 0.01), min_size=1, max_size=6))
def test_z_is_a_standard_score_where_numbers_are_calibrated(numbers: list[float]) -> None:
    mean = square = 0.0
    for outcome in itertools.product([True, False], repeat=len(numbers)):
        chance = math.prod(p if came else 1 - p for p, came in zip(numbers, outcome, strict=True))
        z = spiegelhalter_z(zip(numbers, outcome, strict=True))
        mean, square = mean + chance * z, square + chance * z * z
    assert mean == pytest.approx(0.0, abs=1e-9)
    assert square == pytest.approx(1.0)


def test_z_is_positive_where_numbers_are_too_sure() -> None:
    assert spiegelhalter_z([(0.9, place % 2 == 0) for place in range(40)]) > 2
    assert spiegelhalter_z([(0.5, True)]) == 0.0


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_ends_of_wilson_are_just_not_refuted(counts: tuple[int, int]) -> None:
    k, n = counts
    low, high = wilson(k, n)
    assert 0.0 <= low <= k / n <= high <= 1.0
    for end, extreme in ((low, 0), (high, n)):
        if k != extreme:
            assert abs(k / n - end) == pytest.approx(1.959963984540054 * math.sqrt(end * (1 - end) / n))
    assert Bin(n, 0.5, k / n).interval == pytest.approx((low, high))


@pytest.mark.parametrize("points", [[], [(1.2, True)], [(math.nan, False)], [(-0.1, False)]])
def test_what_is_no_probability_is_refused(points: list[Checked]) -> None:
    with pytest.raises(ValueError, match=r"nothing to assess|between 0 and 1"):
        assess(points)
    with pytest.raises(ValueError, match=r"nothing to assess|between 0 and 1"):
        calibrated(points)


# Maps -------------------------------------------------------------------------------------------

Sampler = Callable[[float], float]


def sample(seed: int, n: int, truth: Sampler) -> list[Checked]:
    chance = random.Random(seed)
    numbers = [chance.uniform(0.03, 0.97) for _ in range(n)]
    return [(p, chance.random() < truth(p)) for p in numbers]


def overdone(p: float) -> float:
    """What comes true where numbers claim double the log odds that are due."""
    return math.sqrt(p) / (math.sqrt(p) + math.sqrt(1 - p))


def softened_loss(shown: Calibration, points: Sequence[Checked]) -> float:
    """The loss that Platt's targets give."""
    true = sum(came for _, came in points)
    high, low = (true + 1) / (true + 2), 1 / (len(points) - true + 2)
    total = 0.0
    for raw, came in points:
        target, p = (high if came else low), shown(raw)
        total -= target * math.log(p) + (1 - target) * math.log(1 - p)
    return total


@given(fittable)
def test_no_slope_nearby_fits_better(points: list[Checked]) -> None:
    fit = slope_map(points)
    assert fit.shift == 0.0
    assert fit.slope >= 0.0
    best = softened_loss(fit, points)
    for step in (-0.3, -0.01, 0.01, 0.3):
        if fit.slope + step >= 0.0:
            assert softened_loss(Sigmoid(fit.slope + step), points) >= best - 1e-6


@given(fittable)
def test_no_slope_and_shift_nearby_fit_better(points: list[Checked]) -> None:
    fit = platt_map(points)
    assert fit.slope >= 0.0
    best = softened_loss(fit, points)
    for steps in itertools.product((-0.05, 0.0, 0.05), repeat=2):
        slope, shift = fit.slope + steps[0], fit.shift + steps[1]
        if slope >= 0.0:
            assert softened_loss(Sigmoid(slope, shift), points) >= best - 1e-6


@given(fittable)
def test_no_beta_nearby_fits_better(points: list[Checked]) -> None:
    fit = beta_map(points)
    assert min(fit.for_true, fit.for_false) >= 0.0
    best = softened_loss(fit, points)
    for steps in itertools.product((-0.05, 0.0, 0.05), repeat=3):
        near = Beta(fit.for_true + steps[0], fit.for_false + steps[1], fit.shift + steps[2])
        if min(near.for_true, near.for_false) >= 0.0:
            assert softened_loss(near, points) >= best - 1e-6


def test_the_beta_map_leaves_one_side_out_where_it_must() -> None:
    points = sample(4, 150, lambda p: 0.9 if p < 0.5 else 0.1)
    assert (beta_map(points).for_true, platt_map(points).slope) == (0.0, 0.0)


@given(shares)
def test_the_identity_is_among_the_maps(raw: float) -> None:
    kept = min(max(raw, 1e-6), 1 - 1e-6)
    assert Beta()(raw) == pytest.approx(kept)
    assert Sigmoid()(raw) == pytest.approx(kept)
    assert Identity()(raw) == raw


@given(coarse)
def test_isotonic_is_the_least_of_greatest_means(points: list[Checked]) -> None:
    levels = sorted({raw for raw, _ in points})
    counts = [[came for raw, came in points if raw == level] for level in levels]
    true = sum(came for _, came in points)
    lowest, highest = Fraction(1, len(points) - true + 2), Fraction(true + 1, true + 2)
    if true == len(points):
        lowest = highest
    if true == 0:
        highest = lowest

    def mean(first: int, last: int) -> Fraction:
        part = list(itertools.chain.from_iterable(counts[first : last + 1]))
        return Fraction(sum(part), len(part))

    fit = isotonic_map(points)
    for place, level in enumerate(levels):
        expected = max(
            min(mean(first, last) for last in range(place, len(levels))) for first in range(place + 1)
        )
        assert fit(level) == pytest.approx(float(min(max(expected, lowest), highest)))


@pytest.mark.parametrize("make", [slope_map, platt_map, beta_map, isotonic_map])
@given(fittable, st.lists(shares, min_size=2, max_size=8))
def test_every_map_keeps_the_order(
    make: Callable[[Sequence[Checked]], Calibration], points: list[Checked], raws: list[float]
) -> None:
    fit = make(points)
    shown = [fit(raw) for raw in sorted(raws)]
    assert all(0.0 < number < 1.0 for number in shown)
    assert all(after >= before - 1e-12 for before, after in itertools.pairwise(shown))


def test_isotonic_goes_straight_between_its_blocks() -> None:
    fit = Isotonic(((0.2, 0.1), (0.4, 0.1), (0.6, 0.5)))
    assert [fit(raw) for raw in (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 1.0)] == pytest.approx(
        [0.1, 0.1, 0.1, 0.1, 0.3, 0.5, 0.5]
    )


@pytest.mark.parametrize(
    ("labels", "kinds"),
    [
        (29, set()),
        (30, {Sigmoid}),
        (199, {Sigmoid}),
        (200, {Sigmoid, Beta}),
        (999, {Sigmoid, Beta}),
        (1000, {Sigmoid, Beta, Isotonic}),
    ],
)
def test_labels_allow_a_map(labels: int, kinds: set[type]) -> None:
    def staircase(p: float) -> float:
        return 0.08 if p < 0.4 else 0.5 if p < 0.75 else 0.93

    def one_sided(p: float) -> float:
        return Beta(0.2, 4.0, -3.0)(p)

    seen = set()
    for seed, truth in itertools.product(range(4), (overdone, one_sided, staircase)):
        fit = calibrated(sample(seed, labels, truth))
        seen.add(type(fit))
        if labels < 200 and isinstance(fit, Sigmoid):
            assert fit.shift == 0.0
    assert seen - {Identity} == kinds


def test_ten_of_each_class_are_needed() -> None:
    points = [(place / 300, place >= 9) for place in range(300)]
    assert calibrated(points) == Identity()
    assert calibrated([(place / 300, place >= 10) for place in range(300)]) != Identity()


@pytest.mark.parametrize("labels", [100, 500, 2000])
def test_what_is_shown_is_better_calibrated(labels: int) -> None:
    fit, later = calibrated(sample(1, labels, overdone)), sample(2, 4000, overdone)
    raw, shown = assess(later), assess([(fit(p), came) for p, came in later])
    assert shown.brier < raw.brier
    assert shown.ece < 0.8 * raw.ece
    assert raw.z > 4


def test_the_order_of_labels_plays_no_part() -> None:
    points = sample(5, 1200, overdone)
    assert calibrated(points) == calibrated(points[::-1])
