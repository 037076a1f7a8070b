"""Erasing a person: nothing of them is left, in the answers or in the bytes."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import knowwhy
from knowwhy import Memory
from tests.laws.effort import share_of
from tests.unit.test_erased_bytes import filled
from tests.unit.test_migrate import lived


@pytest.fixture
def memory() -> Memory:
    return filled(knowwhy.open(author="desk"))


def test_what_is_left_answers_as_if_nothing_had_been(memory: Memory) -> None:
    plan = memory.preview_forget(person="Zebedee Quirke")
    receipt = memory.forget(person="Zebedee Quirke")
    assert dict(plan.counts) == dict(receipt.counts)
    assert set(plan.evidence.values()) >= {"said", "mentions"}
    assert memory.ask("Zebedee Quirke", "address").value is None
    assert memory.ask("Bob", "neighbour").value is None
    assert str(memory.ask("Bob", "address").value) == "Oak road 5"  # the correction was theirs
    assert "Elmstreet" not in str(memory.recall("Who lives in Elmstreet?"))
    assert not any("Zebedee" in str(one) for one in memory.log())
    assert memory.on("what if").ask("Zebedee Quirke", "address").value is None
    (kept,) = memory.erasures()
    assert kept.is_intact
    assert kept.returned == ()


def test_what_follows_from_it_goes_too(memory: Memory) -> None:
    assert str(memory.ask("Zebedee Quirke", "region").value) == "4 Elmstreet"
    plan = memory.preview_forget(person="Zebedee Quirke", mentions=False)
    assert "follows" in set(plan.evidence.values()) or "about" in set(plan.evidence.values())
    source = memory.forget(source="shop 3")
    assert source.counts["evidence"] >= 1
    assert not any(one.name == "shop 3" for one in memory.sources())


def test_nothing_is_forgotten_by_no_name() -> None:
    memory = knowwhy.open()
    with pytest.raises(knowwhy.InvalidInput, match="Say what to forget"):
        memory.forget()
    with pytest.raises(knowwhy.InvalidInput, match="empty name"):
        memory.forget(person=" ")


def test_a_name_that_stands_for_several_is_asked_back() -> None:
    memory = knowwhy.open()
    memory.observe(
        source="a", claims=[{"subject": "Ann", "attribute": "age", "value": 3, "subject_id": "p1"}]
    )
    memory.observe(
        source="a", claims=[{"subject": "Ann", "attribute": "age", "value": 4, "subject_id": "p2"}]
    )
    with pytest.raises(knowwhy.AmbiguousName):
        memory.forget(person="Ann")
    memory.forget(person_id="p1", mentions=False)
    assert str(memory.ask("Ann", "age").value) == "4"


def test_an_erasure_cannot_be_undone(memory: Memory) -> None:
    memory.forget(source="diary")
    with pytest.raises(knowwhy.Unsupported):
        memory.undo(memory.log()[0].operation.sequence)


@pytest.mark.parametrize("seed", range(share_of(6)))
def test_every_line_is_healthy_whatever_was_forgotten(seed: int, tmp_path: Path) -> None:
    address = str(tmp_path / "life.db")
    lived(address, seed, 40)
    chance = random.Random(seed)
    with knowwhy.open(address) as memory:
        told = sorted({one for entry in memory.log() for one in entry.outcome.evidence})
        for _ in range(3):
            memory.forget(evidence=chance.sample(told, 3))
            assert memory.doctor().problems == ()
            for branch in memory.branches():
                assert memory.on(branch.name).doctor().problems == ()


def test_a_source_that_was_set_apart_leaves_no_name(tmp_path: Path) -> None:
    file = tmp_path / "desk.db"
    with knowwhy.open(file) as memory:
        memory.observe(
            "It costs 3.", source="Zebedee Quirke", source_type="rumour", claims=[("anvil", "price", 3)]
        )
        memory.quarantine("Zebedee Quirke")
        memory.forget(source="Zebedee Quirke")
        assert memory.doctor().is_healthy
    assert all(b"ebedee" not in one.read_bytes() for one in tmp_path.iterdir())


@pytest.mark.parametrize("name", ['Zeb "Zebedee" Quirke', "Zebedee\\Quirke", "Zebedee\tQuirke"])
def test_marks_that_are_escaped_hide_no_name(name: str, tmp_path: Path) -> None:
    file = tmp_path / "desk.db"
    with knowwhy.open(file) as memory:
        memory.configure(audits=30)
        memory.observe(f"{name} pays by card.", source="chat", claims=[(name, "payment", "card")])
        memory.observe(source=name, claims=[("Bob", "neighbour", name)], reason=f"asked by {name}")
        memory.alias("the guest", name)
        memory.recall(f"How does {name} pay?")
        memory.ask(name, "shoe size")
        memory.forget(person=name)
        assert memory.doctor().is_healthy
        assert memory.audits() == ()
    assert all(b"ebedee" not in one.read_bytes() for one in tmp_path.iterdir())
