"""Duplicates: what looks like one is shown with its reasons, merged where a code says so, and taken back."""

from __future__ import annotations

import pytest

import knowwhy
from knowwhy.errors import InvalidInput

PEOPLE = (
    *("Ada Byron", "Carl Gauss", "Emmy Noether", "Paul Erdos", "Kurt Goedel", "Rosa Peter", "Sonja Kowal"),
    *("Alan Church", "Mary Cartwright", "Felix Hausdorff"),
)


@pytest.fixture
def memory() -> knowwhy.Memory:
    held = knowwhy.open(clock=lambda: knowwhy.instant("2025-02-01"))
    for at, name in enumerate(PEOPLE):
        tell(held, name, f"404-555-{1000 + 37 * at}", f"Town{at}")
    tell(held, "Robert Smithson", "404-659-0400", "Oslo")
    tell(held, "Robert Smithsen", "404/659 -0400", "Oslo")
    return held


def tell(memory: knowwhy.Memory, name: str, phone: str, city: str) -> None:
    claims = [(name, "phone", phone), (name, "city", city)]
    memory.observe(source=f"list of {city}", claims=claims, observed_at="2025-01-10")


def pairs(memory: knowwhy.Memory) -> list[tuple[str, ...]]:
    return [tuple(sorted(each.name for each in one.entities)) for one in memory.duplicates()]


BOTH = ("Robert Smithsen", "Robert Smithson")


def test_what_looks_like_one_is_shown_with_what_agrees(memory: knowwhy.Memory) -> None:
    (found,) = memory.duplicates("Robert Smithson")
    assert tuple(sorted(one.name for one in found.entities)) == BOTH
    assert {"name", "phone", "city"} == {one.attribute for one in found.agrees}
    assert (found.automatic, found.by, found.against) == (True, ("phone",), ())
    assert pairs(memory)[0] == BOTH
    assert memory.duplicates("Ada Byron") == ()
    with pytest.raises(InvalidInput):
        memory.duplicates(limit=0)
    with pytest.raises(knowwhy.NotFound):
        memory.duplicates("Nobody")


def test_dreaming_merges_it_and_undo_gives_back_what_was(memory: knowwhy.Memory) -> None:
    before = [str(memory.ask(name)) for name in BOTH], str(memory.duplicates())
    shown = memory.dream(["entities"], dry_run=True)
    assert [one for one in shown.of("entities") if one.evidence]
    report = memory.dream(["entities"])
    assert pairs(memory) == []
    assert str(memory.ask(BOTH[0])) == str(memory.ask(BOTH[1]))
    assert memory.doctor().is_healthy
    assert report.operation is not None
    memory.undo([report.operation])
    assert [str(memory.ask(name)) for name in BOTH] == before[0]
    assert pairs(memory)[0] == BOTH
    assert not memory.duplicates()[0].automatic
    tell(memory, BOTH[0], "404/659 -0400", "Oslo")
    memory.dream(["entities"])
    assert pairs(memory)[0] == BOTH


def test_what_is_distinct_stays_so_also_by_way_of_a_third(memory: knowwhy.Memory) -> None:
    memory.distinguish(*BOTH)
    assert BOTH not in pairs(memory)
    memory.merge_entities("Ada Byron", BOTH[0])
    memory.dream(["entities"])
    assert str(memory.ask(BOTH[0])) != str(memory.ask(BOTH[1]))
    assert not any("Smithson" in each for pair in pairs(memory) for each in pair)


def test_nobody_sees_by_it_what_is_not_for_them(memory: knowwhy.Memory) -> None:
    other = memory.seen_by(agent="b")
    before = str(other.duplicates())
    hidden = memory.seen_by(agent="a").shared_with()
    tell(hidden, "Carl Gausz", "404-555-1037", "Town1")
    for at in range(6):
        hidden.observe(source="x", claims=[(f"Extra{at}", "phone", f"404-659-04{at}0")])
    assert str(other.duplicates()) == before
    assert ("Carl Gausz", "Carl Gauss") in [pair[::-1] for pair in pairs(memory.seen_by(agent="a"))]
    memory.dream(["entities"])
    assert str(other.ask("Carl Gauss")) == str(memory.at().ask("Carl Gauss"))
    assert "Gausz" not in str(other.ask("Carl Gauss"))


@pytest.mark.parametrize("is_private", [True, False])
def test_a_name_that_only_some_know_merges_nothing_for_all(
    memory: knowwhy.Memory, *, is_private: bool
) -> None:
    names = ("Zorro Lee", "Zephyrine Rousseau")
    for name, phone in zip(names, ("404-659-0411", "404/659 -0411"), strict=True):
        tell(memory, name, phone, "Bonn")
    (memory.seen_by(agent="a").shared_with() if is_private else memory).alias(*names)
    other = memory.seen_by(agent="b")
    before = [str(other.ask(name)) for name in names]
    memory.dream(["entities"])
    after = [str(other.ask(name)) for name in names]
    assert (after == before) is is_private
    assert (after[0] == after[1]) is not is_private


def test_neighbours_and_further_names_count() -> None:
    memory = knowwhy.open()
    for name in ("Zenith Holding", "Zenith Hldg", "Orion Press", "Lyra Books"):
        city = "Bonn" if name.startswith("Zenith") else name
        memory.observe(source="s", claims=[(name, "city", city)])
    memory.alias("Blue Whale", "Orion Press")
    memory.observe(source="t", claims=[("Blue Whale Pub", "city", "Orion Press")])
    found = pairs(memory)
    assert ("Zenith Hldg", "Zenith Holding") in found
    assert ("Blue Whale Pub", "Orion Press") in found
