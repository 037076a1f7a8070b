"""What learning whom to trust looks like: from the first disagreement to a report of sources."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

import knowwhy
from knowwhy import Instant, Memory, NotFound, Observation

THINGS = 40
START = datetime(2024, 1, 1, tzinfo=UTC)


def said(thing: int, source: str, price: str, day: int, kind: str | None = None) -> Observation:
    """A source gives a thing a price on a day."""
    when = START + timedelta(days=day)
    claims = [(f"thing {thing}", "price", price)]
    return Observation(source, source_type=kind, claims=claims, observed_at=when, recorded_at=when)


@pytest.fixture
def memory() -> Iterator[Memory]:
    """Forty prices that two clerks know, a parrot makes up, and its echo repeats after it."""
    hours = iter(range(10**6))
    now = knowwhy.instant("2026-01-01")
    with knowwhy.open(clock=lambda: Instant(now + next(hours) * 3_600_000_000)) as made:
        made.configure(policy="confidence-first")
        for thing in range(THINGS):
            price = f"{thing} EUR"
            made_up = price if thing % 4 == 0 else f"{thing} seeds"
            made.observe_many(
                [
                    said(thing, "ann", price, 0),
                    said(thing, "parrot", made_up, 1),
                    said(thing, "bob", price, 3),
                    said(thing, "carl", price if thing % 9 else "no idea", 4),
                    said(thing, "ann", price, 5),
                ]
            )
        yield made


def test_what_is_learned_is_told_and_weighs(memory: Memory) -> None:
    before = memory.ask("thing 1", "price")
    outcome = memory.learn(author="ann", reason="once a quarter")
    assert "parrot (unstated): reliability 0.70 → 0.3" in str(outcome)
    assert "by 40 statements beside others" in str(outcome)
    after = memory.ask("thing 1", "price")
    assert after.value == before.value == "1 EUR"
    assert after.best is not None
    assert before.best is not None
    assert after.best.confidence > before.best.confidence
    entry = memory.log(limit=1)[0]
    assert (entry.operation.act, entry.operation.author) == ("learn", "ann")
    assert memory.doctor().is_healthy


def test_the_report_of_sources_tells_who_was_overruled(memory: Memory) -> None:
    memory.learn()
    names = [one.name for one in memory.sources()]
    assert names == sorted(names) == ["ann", "bob", "carl", "parrot"]
    (parrot,) = memory.sources("parrot")
    assert (parrot.items, parrot.statements, parrot.judged) == (THINGS, THINGS, THINGS)
    assert (parrot.accepted, parrot.contested, parrot.overruled) == (10, 0, 30)
    assert parrot.learned is not None
    assert parrot.learned < 0.4 < parrot.reliability
    (ann,) = memory.sources("ann")
    assert (ann.statements, ann.accepted, ann.overruled) == (2 * THINGS, 2 * THINGS, 0)
    told = parrot.as_dict()
    assert (told["name"], told["type"], told["authority"]) == ("parrot", "unstated", 40)
    assert "reliability 0.3" in str(parrot)
    assert "learned from 40 statements, 0.70 before" in str(parrot)
    assert "10 accepted, 0 contested, 30 overruled" in str(parrot)


def test_who_makes_the_same_mistakes_is_suspected(memory: Memory) -> None:
    for thing in range(1, THINGS, 4):
        memory.observe_many([said(thing, "echo", f"{thing} seeds", 2)])
    memory.learn()
    (echo,) = memory.sources("echo")
    assert [(one.source, one.errors) for one in echo.copies] == [("parrot", 10)]
    assert "10 mistakes in common with parrot" in str(echo)
    assert echo.as_dict()["copies"] == [{"source": "parrot", "type": "unstated", "shared_errors": 10}]


def test_sources_are_reported_as_of_then(memory: Memory) -> None:
    then = memory.at(valid="2024-01-02", known="2024-01-02")
    assert [(one.name, one.statements, one.learned) for one in then.sources()] == [
        ("ann", THINGS, None),
        ("parrot", THINGS, None),
    ]
    with pytest.raises(NotFound, match="bob"):
        then.sources("bob")


def test_a_source_of_two_types_is_two_sources(memory: Memory) -> None:
    memory.observe_many([said(0, "ann", "0 EUR", 6, "official")])
    assert [(one.name, one.type) for one in memory.sources("ann")] == [
        ("ann", "official"),
        ("ann", "unstated"),
    ]


def test_a_denial_is_accepted_where_its_value_is_overruled(memory: Memory) -> None:
    when = START + timedelta(days=6)
    claim = {"subject": "thing 1", "attribute": "price", "value": "1 seeds", "stance": "refutes"}
    memory.observe_many([Observation("judge", claims=[claim], observed_at=when, recorded_at=when)])
    (judge,) = memory.sources("judge")
    assert (judge.statements, judge.accepted, judge.overruled) == (1, 1, 0)


def test_age_does_not_silence_the_last_good_word_of_what_did_not_change(memory: Memory) -> None:
    memory.declare("price", half_life_days=30)
    memory.observe_many([said(3, "parrot", "3 feathers", 600)])
    memory.learn()
    answer = memory.ask("thing 3", "price")
    assert answer.value == "3 EUR"
    assert answer.best is not None
    assert answer.best.status == "stale"


def test_learning_can_be_awaited(memory: Memory) -> None:
    async def awaited() -> tuple[knowwhy.Outcome, tuple[knowwhy.SourceStanding, ...]]:
        other = knowwhy.AsyncMemory(memory)
        return await other.learn(), await other.sources("ann")

    outcome, found = asyncio.run(awaited())
    assert not outcome.is_repeat
    assert found == memory.sources("ann")


def test_an_empty_memory_has_nothing_to_learn() -> None:
    with knowwhy.open() as memory:
        assert memory.learn().is_repeat
        assert memory.sources() == ()
