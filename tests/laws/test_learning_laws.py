"""Laws of learning in a memory: unsure it changes nothing, sure it stays within bounds, and the past stays.

The worlds are made up here: things with a price that some sources know and others guess.
"""

from __future__ import annotations

import random
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knowwhy
from knowwhy import SOURCE_TYPES, Memory, Observation
from knowwhy.core.confidence.channel import Posterior
from knowwhy.core.confidence.reliability import Assertion, learn
from knowwhy.core.timeline import Instant

START = datetime(2024, 1, 1, tzinfo=UTC)
LATER = knowwhy.instant("2026-01-01")
HOUR = 3_600_000_000


class Said(NamedTuple):
    """That a source gives a thing a price on a day."""

    source: str
    thing: int
    price: str
    day: int


def made(seed: int, rates: Mapping[str, float], things: int) -> tuple[list[Said], list[str]]:
    """What each source says once of each thing, one after the other, and what is so; nothing moves."""
    chance = random.Random(seed)
    found, truths = [], []
    for thing in range(things):
        truth = chance.randrange(1, 1000)
        truths.append(f"p{truth}")
        for day, (source, rate) in enumerate(chance.sample(list(rates.items()), len(rates))):
            price = truth if chance.random() < rate else (truth + chance.randrange(1, 1000)) % 1000
            found.append(Said(source, thing, f"p{price}", day))
    return found, truths


def world(seed: int, rates: Mapping[str, float], things: int) -> list[Said]:
    return made(seed, rates, things)[0]


def observations(said: Iterable[Said], kinds: Mapping[str, str] | None = None) -> list[Observation]:
    return [
        Observation(
            one.source,
            source_type=(kinds or {}).get(one.source),
            claims=[(f"thing {one.thing}", "price", one.price)],
            observed_at=START + timedelta(days=one.day),
            recorded_at=START + timedelta(days=one.day),
        )
        for one in said
    ]


def begun() -> Memory:
    """An empty memory in which an hour passes whenever somebody looks at the clock."""
    hours = iter(range(10**6))
    return knowwhy.open(clock=lambda: Instant(LATER + next(hours) * HOUR))


def remembered(said: Iterable[Said], kinds: Mapping[str, str] | None = None) -> Memory:
    """A memory that was told all this, and settles by evidence."""
    memory = begun()
    memory.configure(policy="confidence-first")
    memory.observe_many(observations(said, kinds))
    return memory


def rates_of(memory: Memory) -> dict[str, float]:
    return {one.name: one.reliability if one.learned is None else one.learned for one in memory.sources()}


def told(reader: knowwhy.Reader, things: int) -> list[tuple[str | None, str, float]]:
    """What a reader is told of every thing: each value, how it stands, and how confidently."""
    answers = [reader.ask(f"thing {thing}", "price") for thing in range(things)]
    return [
        (str(one.value), str(one.status), round(one.confidence, 9))
        for answer in answers
        for one in (*answer.findings, *answer.others)
    ]


GOOD_AND_BAD = {"a": 0.95, "b": 0.9, "c": 0.85, "d": 0.4, "e": 0.3}


# Unsure, it changes nothing ---------------------------------------------------------------------


def _said(source: str, thing: int, price: str, day: int) -> Said:
    return Said(source, thing, price, day)


few = st.lists(
    st.builds(
        _said,
        st.sampled_from("abc"),
        st.integers(0, 4),
        st.sampled_from(["p1", "p2", "p3"]),
        st.integers(0, 6),
    ),
    min_size=1,
    max_size=25,
)


@given(few)
def test_from_a_few_statements_nothing_is_learned(said: list[Said]) -> None:
    memory = remembered(said)
    before = told(memory, 5)
    operations = len(memory.log(limit=100))
    outcome = memory.learn()
    assert outcome.is_repeat
    assert "nothing changed" in str(outcome)
    assert told(memory, 5) == before
    assert len(memory.log(limit=100)) == operations


@pytest.mark.parametrize("seed", range(4))
def test_of_sources_that_are_alike_nothing_is_learned(seed: int) -> None:
    memory = remembered(world(seed, dict.fromkeys("abcdef", 0.75), 60))
    before = told(memory, 60)
    assert memory.learn().is_repeat
    assert told(memory, 60) == before


def test_a_type_that_says_it_all_leaves_nothing_to_learn() -> None:
    rates = {"o": 0.95, "p": 0.95, "r": 0.55, "s": 0.55}
    kinds = {"o": "official", "p": "official", "r": "rumour", "s": "rumour"}
    said = world(5, rates, 80)
    assert remembered(said, kinds).learn().is_repeat
    assert not remembered(said).learn().is_repeat


@pytest.mark.parametrize(
    "rates",
    [
        {"a": 0.6, "b": 0.4, "c": 0.3, "d": 0.2},
        dict.fromkeys("abcde", 0.4),
        {"a": 0.7, "b": 0.4, "c": 0.4, "d": 0.4, "e": 0.4},
        GOOD_AND_BAD,
    ],
)
def test_learning_does_not_hurt_where_hardly_anybody_agrees(rates: dict[str, float]) -> None:
    """Agreement of many-valued statements is no chance: no fit may explain it by what nobody named."""
    gains = []
    for seed in range(4):
        said, truths = made(seed, rates, 150)
        learned = learn(Assertion(str(one.thing), one.source, one.price) for one in said)
        most_probable = [max(row, key=row.__getitem__) for row in _in_order(learned.posteriors)]
        named = [Counter(one.price for one in said if one.thing == thing) for thing in range(150)]
        most_named = [max(sorted(counts), key=counts.__getitem__) for counts in named]
        gains.append(_shared(most_probable, truths) - _shared(most_named, truths))
    assert statistics.mean(gains) > -0.01


def _in_order(posteriors: Mapping[str, Posterior]) -> list[Posterior]:
    return [dict(sorted(posteriors[str(thing)].items(), key=repr)) for thing in range(len(posteriors))]


def _shared(found: Sequence[str | None], truths: Sequence[str]) -> float:
    return statistics.fmean(one == truth for one, truth in zip(found, truths, strict=True))


# Sure, it stays within bounds -------------------------------------------------------------------


@pytest.mark.parametrize("kind", sorted(SOURCE_TYPES))
def test_what_is_learned_stays_within_the_band_of_the_type(kind: str) -> None:
    said = world(2, {"a": 0.97, "bad": 0.0, "good": 1.0, "b": 0.97}, 120)
    memory = remembered(said, {"good": kind, "bad": kind})
    memory.learn()
    band = SOURCE_TYPES[kind]
    found = rates_of(memory)
    assert band.floor <= found["bad"] <= found["good"] <= band.ceiling
    assert found["bad"] == band.floor
    assert found["good"] > 0.9 or found["good"] == band.ceiling


def test_a_source_judged_by_little_stays_near_its_type() -> None:
    said = world(1, GOOD_AND_BAD, 100)
    said += [Said("office", 0, next(one.price for one in said if one.thing == 0 and one.source == "a"), 9)]
    said += [Said("gossip", 1, next(one.price for one in said if one.thing == 1 and one.source == "a"), 9)]
    memory = remembered(said, {"office": "official", "gossip": "rumour"})
    assert not memory.learn().is_repeat
    found = rates_of(memory)
    assert found["office"] >= 0.95
    assert 0.55 <= found["gossip"] < 0.65


def test_what_was_stated_of_a_source_is_within_its_band() -> None:
    memory = remembered(world(1, GOOD_AND_BAD, 100))
    truth = memory.ask("thing 0", "price").value
    memory.observe(
        source="seer", source_type="rumour", reliability=0.9, claims=[("thing 0", "price", str(truth))]
    )
    memory.learn()
    assert rates_of(memory)["seer"] >= 0.9


def test_authority_goes_before_whatever_was_learned() -> None:
    said = world(1, GOOD_AND_BAD, 100)
    kinds = dict.fromkeys("abc", "web") | dict.fromkeys("de", "official")
    memory = begun()
    memory.observe_many(observations(said, kinds))
    before = [memory.ask(f"thing {thing}", "price").value for thing in range(100)]
    assert not memory.learn().is_repeat
    assert rates_of(memory)["a"] > rates_of(memory)["e"]
    assert [memory.ask(f"thing {thing}", "price").value for thing in range(100)] == before


def test_what_is_pinned_weighs_what_it_weighed() -> None:
    memory = remembered(world(1, GOOD_AND_BAD, 100))
    memory.observe(source="e", claims=[("vault", "code", "7")], is_pinned=True)
    memory.observe(source="e", claims=[("gate", "code", "7")])
    before = memory.ask("vault", "code").best
    memory.learn()
    after, other = memory.ask("vault", "code").best, memory.ask("gate", "code").best
    assert before is not None
    assert after is not None
    assert other is not None
    assert after.confidence == before.confidence == pytest.approx(0.7)
    assert other.confidence < 0.6


# What counts as said ----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_telling_plays_no_part(seed: int) -> None:
    said = world(seed, GOOD_AND_BAD, 60)
    shuffled = list(said)
    random.Random(seed).shuffle(shuffled)
    first, second = remembered(said), remembered(shuffled)
    first.learn()
    second.learn()
    assert rates_of(first) == rates_of(second)
    assert min(rates_of(first)[one] for one in "abc") > max(rates_of(first)[one] for one in "de")


def test_copies_are_no_further_voices() -> None:
    said = world(1, GOOD_AND_BAD, 60)
    plain, copied = remembered(said), remembered(said)
    for thing in range(60):
        root = copied.ask(f"thing {thing}", "price")
        wrong = [
            ground.testimony.claim
            for finding in (*root.findings, *root.others)
            for ground in finding.support
            if ground.testimony.source.name == "e"
        ]
        for number in range(3):
            copied.observe(
                source=f"copy {number}",
                claims=[(f"thing {thing}", "price", str(wrong[0].value))] if wrong else [],
                text=f"As was said of thing {thing}.",
                derived_from=[wrong[0].evidence_id] if wrong else [],
            )
    plain.learn()
    copied.learn()
    assert {name: rate for name, rate in rates_of(copied).items() if name in GOOD_AND_BAD} == rates_of(plain)
    assert rates_of(copied)["copy 0"] == 0.7


def test_what_was_withdrawn_teaches_nothing() -> None:
    said = world(1, GOOD_AND_BAD, 60)
    memory, other = remembered(said), remembered([one for one in said if one.source != "a"])
    for entry in memory.log(limit=5):
        for one in entry.outcome.evidence:
            if _source(memory, one) == "a":
                memory.retract(one)
    memory.learn()
    other.learn()
    assert rates_of(memory) == rates_of(other)


def _source(memory: Memory, evidence: str) -> str:
    with memory._space.store.snapshot(memory._space.name) as view:  # noqa: SLF001 - no verb reads one item
        return view.evidence(ids=[evidence])[0].source.name


def test_what_is_not_sure_any_more_is_taken_back() -> None:
    said = world(1, GOOD_AND_BAD, 40)
    memory = remembered(said)
    memory.learn()
    assert rates_of(memory)["a"] > 0.85
    for entry in memory.log(limit=5):
        for one in entry.outcome.evidence[60:]:
            memory.retract(one)
    assert not memory.learn().is_repeat
    assert set(rates_of(memory).values()) == {0.7}
    assert memory.learn().is_repeat
    assert memory.doctor().problems == ()


# The past stays ---------------------------------------------------------------------------------


def test_what_was_known_is_told_the_same_after_learning() -> None:
    memory = remembered(world(1, GOOD_AND_BAD, 60))
    known = knowwhy.isoformat(Instant(memory.log(limit=1)[0].operation.at + 1))
    heard = told(memory.at(valid="2026-01-01", known=known), 60)
    assert not memory.learn().is_repeat
    assert told(memory.at(valid="2026-01-01", known=known), 60) == heard
    assert told(memory.at(valid="2026-01-01"), 60) != heard
    assert {one.learned for one in memory.at(known=known).sources()} == {None}


def test_a_rebuild_comes_to_the_same() -> None:
    memory = remembered(world(1, GOOD_AND_BAD, 60))
    before = told(memory, 60)
    memory.learn()
    learned = told(memory, 60)
    assert learned != before
    assert memory.doctor().problems == ()
    memory.rebuild()
    assert told(memory, 60) == learned
    memory.observe_many(observations([Said("a", 3, "p1", 20), Said("f", 61, "p1", 20)]))
    assert memory.doctor().problems == ()


def test_what_is_said_after_learning_weighs_by_it() -> None:
    memory = remembered(world(1, GOOD_AND_BAD, 60))
    memory.learn()
    memory.observe(source="a", claims=[("new thing", "price", "p1")])
    found = memory.ask("new thing", "price").best
    assert found is not None
    assert found.confidence == pytest.approx(rates_of(memory)["a"])


def test_learning_twice_writes_once() -> None:
    memory = remembered(world(1, GOOD_AND_BAD, 60))
    first, second = memory.learn(author="ann"), memory.learn()
    assert (first.is_repeat, second.is_repeat) == (False, True)
    assert second.operation == first.operation
    assert memory.log(limit=1)[0].operation.act == "learn"
