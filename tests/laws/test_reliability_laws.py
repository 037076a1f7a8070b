"""What is learned of sources obeys the laws of a mixture fitted to the greatest penalised likelihood.

The oracle multiplies probabilities out, in exact rationals where it can, straight from the definition: an
object has one of its candidate values, all alike; a voice says the true one with its rate, each other with
an equal share of the rest. It climbs by trying single rates, and knows nothing of expected counts.
"""

from __future__ import annotations

import functools
import itertools
import math
import random
import statistics
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowwhy.core.confidence.channel import OTHER, Posterior, Table
from knowwhy.core.confidence.copying import CopyLink, suggested_copies
from knowwhy.core.confidence.reliability import (
    Assertion,
    Fit,
    Model,
    Reliability,
    fitted,
    learn,
    tabulated,
)
from knowwhy.core.confidence.running import RunningReliability

TOLERANCE = 1e-6
VOICES = "abcd"
VALUES = ("0", "1", "2")


# The oracle -------------------------------------------------------------------------------------


def candidates(said: Mapping[str, str]) -> list[str | None]:
    return [*sorted(set(said.values())), OTHER]


def joint(said: Mapping[str, str], truth: str | None, rates: Mapping[str, float]) -> Fraction:
    """The probability that the object has this value and the voices say this, all of it exact."""
    m = len(candidates(said))
    factors = (
        Fraction(rates[voice]) if value == truth else (1 - Fraction(rates[voice])) / (m - 1)
        for voice, value in said.items()
    )
    return functools.reduce(Fraction.__mul__, factors, Fraction(1, m))


def exact_posterior(said: Mapping[str, str], rates: Mapping[str, float]) -> dict[str | None, Fraction]:
    amounts = {truth: joint(said, truth, rates) for truth in candidates(said)}
    return {truth: amount / sum(amounts.values()) for truth, amount in amounts.items()}


def log_of(amount: Fraction) -> float:
    return math.log(amount.numerator) - math.log(amount.denominator)


def objective(table: Table, rates: Mapping[str, float], gold: Mapping[str, str]) -> float:
    """The log likelihood with the density of Beta(5, 2), up to its constant."""
    total = sum(4 * math.log(rate) + math.log1p(-rate) for rate in rates.values())
    for about, said in table.items():
        known = gold.get(about)
        truths = candidates(said) if known is None else [known if known in said.values() else OTHER]
        total += log_of(sum((joint(said, truth, rates) for truth in truths), Fraction(0)))
    return total


def climbed(table: Table, gold: Mapping[str, str]) -> dict[str, float]:
    """The rates reached from the prior by moving one at a time, in steps that shrink."""
    rates = dict.fromkeys(sorted({voice for said in table.values() for voice in said}), 0.8)
    step, height = 0.02, objective(table, rates, gold)
    while step > 1e-4:
        moved = False
        for voice, sign in itertools.product(rates, (step, -step)):
            tried = rates | {voice: rates[voice] + sign}
            if 0 < tried[voice] < 1 and (reached := objective(table, tried, gold)) > height:
                rates, height, moved = tried, reached, True
        step = step if moved else step / 2
    return rates


def means(fit: Fit) -> dict[str, float]:
    return {voice: one.mean for voice, one in fit.voices.items()}


def close(found: Posterior, expected: Mapping[str | None, float | Fraction]) -> bool:
    keys = found.keys() | expected.keys()
    return all(abs(found.get(key, 0.0) - float(expected.get(key, 0))) < TOLERANCE for key in keys)


# What is generated ------------------------------------------------------------------------------


said = st.dictionaries(st.sampled_from(VOICES), st.sampled_from(VALUES), min_size=1)
tables = st.lists(said, min_size=1, max_size=6).map(
    lambda rows: {f"o{place}": dict(row) for place, row in enumerate(rows)}
)
golds = st.dictionaries(st.sampled_from([f"o{place}" for place in range(6)]), st.sampled_from(VALUES))
assertions = st.lists(
    st.builds(
        Assertion,
        st.sampled_from(["x", "y"]),
        st.sampled_from(VOICES),
        st.sampled_from(VALUES),
        st.integers(0, 2),
    ),
    max_size=12,
)


def world(
    seed: int, rates: Mapping[str, float], objects: int, values: int = 3
) -> tuple[Table, dict[str, str]]:
    """What voices of these rates say of so many objects, and what is true."""
    chance = random.Random(seed)
    table: Table = {}
    truths: dict[str, str] = {}
    for place in range(objects):
        truth = chance.randrange(values)
        truths[f"o{place}"] = str(truth)
        table[f"o{place}"] = {
            voice: str(truth if chance.random() < rate else (truth + chance.randrange(1, values)) % values)
            for voice, rate in rates.items()
        }
    return table, truths


def one_sided(seed: int, objects: int) -> tuple[Table, dict[str, str]]:
    """Voices of which most say "yes" to half of what is not so, and some say "no" to half of what is."""
    chance = random.Random(seed)
    table: Table = {}
    truths: dict[str, str] = {}
    for place in range(objects):
        truth = chance.choice(["no", "yes"])
        truths[f"o{place}"] = truth
        table[f"o{place}"] = {
            voice: slip if truth != slip and chance.random() < 0.55 else truth
            for voice, slip in zip("abcdefg", ["yes"] * 5 + ["no"] * 2, strict=True)
        }
    return table, truths


def stated(table: Table) -> list[Assertion]:
    return [Assertion(about, voice, value) for about, row in table.items() for voice, value in row.items()]


def accuracy(leading: Mapping[str, str | None], truths: Mapping[str, str]) -> float:
    return sum(leading[about] == truth for about, truth in truths.items()) / len(truths)


def most_probable(posteriors: Mapping[str, Posterior]) -> dict[str, str | None]:
    return {about: max(row, key=lambda value: (row[value], value or "")) for about, row in posteriors.items()}


def most_named(table: Table) -> dict[str, str | None]:
    return {
        about: max(sorted(set(row.values()), reverse=True), key=list(row.values()).count)
        for about, row in table.items()
    }


# One coin ---------------------------------------------------------------------------------------


@given(tables, golds)
def test_the_likelihood_never_falls_and_is_the_one_defined(table: Table, gold: dict[str, str]) -> None:
    fit = fitted(table, gold=gold)
    pairs = itertools.pairwise(fit.likelihoods)
    assert all(after >= before - 1e-9 for before, after in pairs)
    known = {about: value for about, value in gold.items() if about in table}
    start = dict.fromkeys(fit.voices, 0.8)
    assert fit.likelihoods[0] == pytest.approx(objective(table, start, known), abs=1e-9)
    assert fit.likelihoods[-1] == pytest.approx(objective(table, means(fit), known), abs=1e-6)


@given(tables, golds)
def test_posteriors_and_reliabilities_follow_from_each_other(table: Table, gold: dict[str, str]) -> None:
    fit = fitted(table, gold=gold)
    for about, row in table.items():
        known = gold.get(about)
        expected = exact_posterior(row, means(fit))
        assert close(fit.posteriors[about], expected if known is None else {known: Fraction(1)})
    for voice, one in fit.voices.items():
        shares = [fit.posteriors[about].get(row[voice], 0.0) for about, row in table.items() if voice in row]
        assert one.right == pytest.approx(4 + sum(shares))
        assert one.right + one.wrong == pytest.approx(5 + len(shares))


@pytest.mark.parametrize("seed", range(5))
def test_no_single_step_from_the_prior_leads_higher(seed: int) -> None:
    table, truths = world(seed, {"a": 0.9, "b": 0.8, "c": 0.5}, 8)
    gold = {about: truths[about] for about in list(truths)[: seed % 3]}
    fit, rates = fitted(table, gold=gold), climbed(table, gold)
    assert objective(table, rates, gold) <= fit.likelihoods[-1] + 1e-6
    assert means(fit) == pytest.approx(rates, abs=2e-3)


def test_a_lone_statement_teaches_nothing_of_its_source() -> None:
    fit = fitted({f"o{place}": {"a": "0"} for place in range(50)})
    assert fit.voices["a"].mean == pytest.approx(0.8)
    assert fit.posteriors["o0"]["0"] == pytest.approx(0.8)


def test_gold_teaches_whom_to_believe_against_the_many() -> None:
    table: Table = {f"o{place}": {"a": "0", "b": "1", "c": "1"} for place in range(40)}
    gold = {f"o{place}": "0" for place in range(20)}
    fit = fitted(table, gold=gold)
    assert most_probable(fitted(table).posteriors)["o30"] == "1"
    assert most_probable(fit.posteriors)["o30"] == "0"
    assert fit.posteriors["o0"] == {"0": 1.0}


def test_a_gold_value_that_nobody_named_makes_all_wrong() -> None:
    fit = fitted({"o": {"a": "0", "b": "1"}}, gold={"o": "2"})
    assert fit.posteriors["o"] == {"2": 1.0}
    assert means(fit) == pytest.approx({"a": 4 / 6, "b": 4 / 6})


@given(st.integers(0, 60), st.integers(0, 60))
def test_how_sure_is_the_spread_of_the_beta(right: int, wrong: int) -> None:
    one = Reliability(4.0 + right, 1.0 + wrong)
    a, b = Fraction(4 + right), Fraction(1 + wrong)
    second_moment = a * (a + 1) / ((a + b) * (a + b + 1))
    assert one.mean == pytest.approx(float(a / (a + b)))
    assert one.deviation**2 == pytest.approx(float(second_moment - (a / (a + b)) ** 2))


# Which statements count -------------------------------------------------------------------------


@given(assertions, st.randoms(use_true_random=False))
def test_the_order_of_statements_plays_no_part(given_: list[Assertion], chance: random.Random) -> None:
    shuffled = list(given_)
    chance.shuffle(shuffled)
    assert tabulated(shuffled, {"a": "g", "b": "g"}) == tabulated(given_, {"a": "g", "b": "g"})


def test_only_the_latest_stance_of_a_source_counts() -> None:
    spoken = [Assertion("o", "a", "new", at=2), Assertion("o", "a", "old", at=1), Assertion("o", "b", "old")]
    assert tabulated(spoken) == {"o": {"a": "new", "b": "old"}}


@given(tables)
def test_copies_of_one_origin_are_one_voice(table: Table) -> None:
    spoken = stated(table)
    copies = [Assertion(one.object, f"{one.source}{n}", one.value) for one in spoken for n in range(3)]
    groups = {f"{voice}{n}": voice for voice in VOICES for n in range(3)}
    assert tabulated(copies, groups) == tabulated(spoken)
    learned = learn(copies, groups=groups)
    assert learned.posteriors == learn(spoken).posteriors
    assert {groups[source]: one for source, one in learned.sources.items()} == learn(spoken).sources


def test_three_copies_do_not_outvote_two() -> None:
    spoken = [Assertion("o", source, "0" if source in "ab" else "1") for source in "abcde"]
    assert most_probable(fitted(tabulated(spoken)).posteriors)["o"] == "1"
    grouped = tabulated(spoken, dict.fromkeys("cde", "c"))
    assert most_probable(fitted(grouped).posteriors)["o"] == "0"


@given(tables, st.floats(0.0, 0.2))
def test_copies_are_suggested_by_three_errors_in_common(table: Table, share: float) -> None:
    shares: Posterior = {"0": 0.9, "1": share, "2": share}
    posteriors = dict.fromkeys(table, shares)
    errors = {
        pair: sum(
            set(pair) <= row.keys() and row[pair[0]] == row[pair[1]] != "0" and share < 0.1
            for row in table.values()
        )
        for pair in itertools.combinations(VOICES, 2)
    }
    expected = [CopyLink(*pair, shared_errors=count) for pair, count in errors.items() if count >= 3]
    assert suggested_copies(table, posteriors) == expected


# By value ---------------------------------------------------------------------------------------


def rows_step(
    table: Table, posteriors: Mapping[str, Posterior], domain: Sequence[str]
) -> dict[str, Posterior]:
    """Posteriors from rates counted under these posteriors, with five imaginary statements a voice."""
    k = len(domain)
    prior = {(t, v): (4.0 if t == v else 1.0 / (k - 1)) / k for t in domain for v in domain}
    share = {t: (1 + sum(row.get(t, 0.0) for row in posteriors.values())) / (k + len(table)) for t in domain}

    def rate(voice: str, t: str, v: str) -> float:
        spoken = [(row[voice], posteriors[about].get(t, 0.0)) for about, row in table.items() if voice in row]
        hits = prior[t, v] + sum(p for value, p in spoken if value == v)
        return hits / (5.0 / k + sum(p for _, p in spoken))

    found: dict[str, Posterior] = {}
    for about, row in table.items():
        amounts = {t: share[t] * math.prod(rate(s, t, v) for s, v in row.items()) for t in domain}
        found[about] = {t: amount / sum(amounts.values()) for t, amount in amounts.items()}
    return found


@given(tables)
def test_rows_are_at_a_fixed_point_and_climbed_to_it(table: Table) -> None:
    fit = fitted(table, Model.BY_VALUE, domain=VALUES)
    assert all(after >= before - 1e-9 for before, after in itertools.pairwise(fit.likelihoods))
    if len(fit.likelihoods) < 150:  # else it is still on its way
        again = rows_step(table, fit.posteriors, VALUES)
        assert all(fit.posteriors[about] == pytest.approx(row, abs=1e-4) for about, row in again.items())


def test_one_sided_voices_are_seen_through() -> None:
    table, truths = one_sided(1, 300)
    learned = learn(stated(table))
    assert learned.model is Model.BY_VALUE
    assert accuracy(most_probable(learned.posteriors), truths) > 0.93
    assert accuracy(most_probable(fitted(table).posteriors), truths) < 0.85


def test_rows_need_the_values_that_may_be() -> None:
    with pytest.raises(ValueError, match="needs the domain"):
        fitted({"o": {"a": "0"}}, Model.BY_VALUE)
    with pytest.raises(ValueError, match="lacks '0'"):
        fitted({"o": {"a": "0"}}, Model.BY_VALUE, domain=["1", "2"])


# What is believed of it -------------------------------------------------------------------------


@given(tables)
def test_each_statement_is_foretold_from_the_others(table: Table) -> None:
    fit = fitted(table)
    for about, row in table.items():
        expected = Fraction(1)
        for voice, value in row.items():
            m = len(candidates(row))
            one, share = fit.voices[voice], Fraction(fit.posteriors[about][value])
            elsewhere = (Fraction(one.right) - share) / (Fraction(one.right) + Fraction(one.wrong) - 1)
            rest = {other: said for other, said in row.items() if other != voice}
            amounts = {
                truth: math.prod(
                    (
                        Fraction(means(fit)[s]) if v == truth else (1 - Fraction(means(fit)[s])) / (m - 1)
                        for s, v in rest.items()
                    ),
                    start=Fraction(1),
                )
                for truth in candidates(row)
            }
            believed = amounts[value] / sum(amounts.values())
            expected *= believed * elsewhere + (1 - believed) * (1 - elsewhere) / (m - 1)
        assert fit.foretold[about] == pytest.approx(log_of(expected), abs=1e-4)


def test_surer_counts_standard_errors_over_objects() -> None:
    table, _ = world(3, {"a": 0.95, "b": 0.8, "c": 0.4}, 60)
    fit, plain = fitted(table), fitted(table, Model.EQUAL)
    gains = [fit.foretold[about] - plain.foretold[about] for about in table]
    expected = statistics.mean(gains) / (statistics.stdev(gains) / math.sqrt(60))
    assert fit.surer_than(plain) == pytest.approx(expected)
    few = dict(list(table.items())[:29])
    assert fitted(few).surer_than(fitted(few, Model.EQUAL)) == 0.0


@pytest.mark.parametrize("seed", range(6))
def test_of_sources_that_are_alike_nothing_is_believed(seed: int) -> None:
    table, _ = world(seed, dict.fromkeys("abcdefgh", 0.7), 60, values=40)
    learned = learn(stated(table))
    assert learned.model is Model.PRIOR
    assert set(learned.sources.values()) == {Reliability()}
    assert most_probable(learned.posteriors) == most_named(table)


@pytest.mark.parametrize(
    "rates",
    [
        dict.fromkeys("abcde", 0.65),
        dict(zip("abcde", (0.9, 0.8, 0.7, 0.6, 0.5), strict=True)),
        dict(zip("abcde", (0.95, 0.95, 0.4, 0.4, 0.4), strict=True)),
    ],
)
@pytest.mark.parametrize("values", [2, 4, 30])
def test_learning_does_not_hurt(rates: dict[str, float], values: int) -> None:
    gains = []
    for seed in range(4):
        table, truths = world(seed, rates, 100, values)
        found = accuracy(most_probable(learn(stated(table)).posteriors), truths)
        gains.append(found - accuracy(most_named(table), truths))
    assert statistics.mean(gains) > -0.01


# Object by object -------------------------------------------------------------------------------


changes = st.lists(st.tuples(st.sampled_from("xyz"), said | st.just({}), st.none() | st.sampled_from(VALUES)))


def swept(running: RunningReliability) -> None:
    for _ in range(2000):
        if running.sweep() < 1e-10:
            return


@given(changes)
def test_running_ends_where_batches_end(given_: Iterable[tuple[str, dict[str, str], str | None]]) -> None:
    running, table, gold = RunningReliability(), dict[str, dict[str, str]](), dict[str, str]()
    for about, row, known in given_:
        running.hear(about, row, known)
        table.pop(about, None)
        gold.pop(about, None)
        if row:
            table[about] = row
        if row and known is not None:
            gold[about] = known
    swept(running)
    rates = {voice: running.reliability(voice).mean for voice in VOICES}
    for about, row in table.items():
        expected = exact_posterior(row, rates)
        assert close(running.posterior(about), {gold[about]: Fraction(1)} if about in gold else expected)
    for voice in VOICES:
        shares = [
            running.posterior(about).get(row[voice], 0.0) for about, row in table.items() if voice in row
        ]
        assert rates[voice] == pytest.approx((4 + sum(shares)) / (5 + len(shares)))


@pytest.mark.parametrize("seed", range(4))
def test_running_and_batch_learn_the_same(seed: int) -> None:
    table, _ = world(seed, {"a": 0.95, "b": 0.8, "c": 0.6, "d": 0.5}, 60)
    running = RunningReliability()
    for about, row in table.items():
        running.hear(about, row)
    swept(running)
    assert {voice: running.reliability(voice).mean for voice in "abcd"} == pytest.approx(means(fitted(table)))
