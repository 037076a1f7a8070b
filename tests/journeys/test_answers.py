"""A memory that is asked afterwards why it said what it said."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import knowwhy
from knowwhy import Memory
from knowwhy.core.timeline import Instant
from knowwhy.errors import InvalidInput, NotFound


class Days:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = knowwhy.instant("2025-01-10")

    def __call__(self) -> Instant:
        """The present instant, which moves a second each time."""
        self.now = Instant(self.now + 1_000_000)
        return self.now


@pytest.fixture
def clock() -> Days:
    return Days()


@pytest.fixture
def memory(tmp_path: Path, clock: Days) -> Iterator[Memory]:
    with knowwhy.open(tmp_path / "memory.db", clock=clock) as opened:
        opened.declare("return window")
        opened.observe(
            source="policy 3",
            source_type="official",
            claims=[("order", "return window", "7 days")],
            observed_at="2025-01-01",
        )
        yield opened


def test_answers_are_not_recorded_unless_it_is_said(memory: Memory) -> None:
    memory.ask("order")
    assert memory.audits() == ()
    memory.configure(audits=30)
    memory.ask("order")
    memory.configure(audits=0)
    memory.ask("order")
    assert len(memory.audits()) == 1
    for days in (-1, 40_000, float("nan")):
        with pytest.raises(InvalidInput, match="0 to 36,500 days"):
            memory.configure(audits=days)


def test_an_answer_is_given_again_and_beside_it_what_changed_and_why(memory: Memory) -> None:
    memory.configure(audits=30)
    told = memory.recall("How long is the return window of an order?")
    (entry,) = memory.audits()
    assert (entry.verb, entry.question) == ("recall", told.question)
    assert [one.id for one in entry.beliefs] == [told.beliefs[0].id]
    assert memory.explain(entry.id).is_same_now
    later = memory.observe(
        source="policy 4",
        source_type="official",
        claims=[("order", "return window", "15 days")],
        observed_at="2025-01-09",
    )
    memory.declare("return window", half_life_days=30)
    explained = memory.explain(entry.id)
    assert explained.is_exact
    assert explained.answer is not None
    assert str(explained.answer) == str(told)
    by_value = {one.what.rpartition("= ")[2]: one for one in explained.differences}
    assert by_value["7 days"].now is None
    assert by_value["15 days"].was is None
    reasons = by_value["7 days"].reasons
    assert f"policy 4 said “15 days” ({later.evidence[0]}, 2025-01-09)" in reasons
    assert "15 days" in str(explained)


def test_it_says_so_where_an_answer_does_not_come_out_again(memory: Memory, clock: Days) -> None:
    memory.configure(audits=300)
    clock.now = knowwhy.instant("2025-02-01")
    memory.ask("order", "return window")
    (entry,) = memory.audits()
    memory.observe(
        source="policy 5",
        source_type="official",
        claims=[("order", "return window", "30 days")],
        observed_at="2025-01-05",
        recorded_at="2025-01-06",
    )
    explained = memory.explain(entry.id)
    assert not explained.is_exact
    assert "known earlier" in str(explained)


def test_answers_that_rest_on_what_was_dropped_are_let_go_with_it(memory: Memory, clock: Days) -> None:
    memory.configure(audits=300)
    memory.ask("order", "return window")
    clock.now = knowwhy.instant("2025-02-01")
    memory.retract(memory.ask("order").findings[0].grounds[0].testimony.claim.evidence_id)
    assert len(memory.audits()) == 2
    memory.vacuum("2025-01-20")
    (left,) = memory.audits()
    assert memory.explain(left.id).is_exact


def test_records_are_kept_as_long_as_said(memory: Memory, clock: Days) -> None:
    memory.configure(audits=10)
    memory.ask("order")
    first = memory.audits()[0].id
    clock.now = Instant(clock.now + 11 * 86_400_000_000)
    assert memory.audits() == ()
    with pytest.raises(NotFound):
        memory.explain(first)
    memory.ask("order")
    memory.configure(audits=1_000)
    assert [one.id for one in memory.audits()] == [memory.audits()[0].id] != [first]


def test_pages_follow_each_other(memory: Memory) -> None:
    memory.configure(audits=10)
    for _ in range(5):
        memory.ask("order")
    first = memory.audits(limit=2)
    rest = memory.audits(before=first[-1].id)
    assert [len(first), len(rest)] == [2, 3]
    assert sorted((one.at for one in (*first, *rest)), reverse=True) == [one.at for one in (*first, *rest)]


def test_a_principal_sees_its_own_answers_and_all_with_the_right(memory: Memory) -> None:
    memory.configure(audits=10)
    ann = memory.seen_by(agent="desk", user="ann")
    bob = memory.seen_by(agent="desk", user="bob")
    ann.observe("I would rather have 9 days.", source="ann", claims=[("ann", "wish", "9 days")])
    ann.shared_with("user:ann").observe(source="ann", claims=[("ann", "pin", "1234")])
    told = ann.ask("ann")
    (entry,) = ann.audits()
    assert bob.audits() == ()
    with pytest.raises(NotFound):
        bob.explain(entry.id)
    with pytest.raises(NotFound) as refusal:
        bob.audits(before=entry.id)
    assert str(refusal.value).replace(entry.id, "x") == _not_found(bob, "x")
    assert str(memory.explain(entry.id).answer) == str(told)
    assert memory.explain(entry.id).is_exact
    assert memory.explain(entry.id).is_same_now
    memory.grant("user:bob", "audit")
    assert bob.explain(entry.id).is_exact


def _not_found(memory: Memory, own: str) -> str:
    with pytest.raises(NotFound) as refusal:
        memory.explain(own)
    return str(refusal.value)


def test_a_version_of_a_document_names_the_answers_that_told_what_it_changed(memory: Memory) -> None:
    memory.configure(audits=10)
    memory.declare("price", unit="euro")
    memory.observe_document("shop.md", "1", "The price of the anvil is 120 euros.", observed_at="2025-01-02")
    memory.ask("order")
    memory.ask("anvil")
    entry = memory.audits()[0]
    assert entry.beliefs
    impact = memory.observe_document(
        "shop.md", "2", "The price of the anvil is 150 euros.", observed_at="2025-01-05"
    )
    assert impact.answers == (entry.id,)
    assert entry.id in str(impact)


def test_a_memory_moves_with_its_record_of_answers(memory: Memory, tmp_path: Path) -> None:
    memory.configure(audits=10)
    for subject in ("order", "anvil"):
        memory.ask(subject)
    target = tmp_path / "moved.db"
    knowwhy.migrate(tmp_path / "memory.db", target)
    with knowwhy.open(target, clock=memory._space.clock) as moved:  # noqa: SLF001 - the same present
        assert [one.as_dict() for one in moved.audits()] == [one.as_dict() for one in memory.audits()]
        assert all(moved.explain(one.id).is_exact for one in moved.audits())
