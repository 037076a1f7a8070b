"""The commands about whom to trust: what they print for people, and for programs."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import knowwhy
from tests.surfaces.program import run

THINGS = 30
START = datetime(2024, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def db(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory in which a parrot makes up most of what two clerks know."""
    path = tmp_path_factory.mktemp("trust") / "memory.db"
    with knowwhy.open(path) as memory:
        for thing in range(THINGS):
            made_up = f"{thing} EUR" if thing % 4 == 0 else f"{thing} seeds"
            said = [("ann", f"{thing} EUR", 0), ("parrot", made_up, 1), ("bob", f"{thing} EUR", 2)]
            said += [("carl", f"{thing} EUR" if thing % 9 else "no idea", 3), ("ann", f"{thing} EUR", 4)]
            memory.observe_many(
                knowwhy.Observation(
                    source,
                    claims=[(f"thing {thing}", "price", price)],
                    observed_at=START + timedelta(days=day),
                    recorded_at=START + timedelta(days=day),
                )
                for source, price, day in said
            )
    return path


def test_learning_and_its_report(db: Path) -> None:
    learned = run("--db", db, "learn", "--author", "ann", "--reason", "once a quarter")
    assert learned.code == 0
    assert "parrot (unstated): reliability 0.70 →" in learned.out
    again = run("--db", db, "--json", "learn")
    assert again.document["is_repeat"] is True
    (parrot,) = run("sources", "parrot", "--db", db, "--json").document
    assert parrot["learned"] < 0.5
    assert parrot["statements"] == THINGS
    told = run("sources", "--db", db).out
    heads = [line.split()[0] for line in told.splitlines() if ", authority " in line]
    assert heads == ["ann", "bob", "carl", "parrot"]
    assert "learned from 30 statements, 0.70 before" in " ".join(told.split())


def test_sources_as_of_then(db: Path) -> None:
    then = run("sources", "--db", db, "--known", "2024-01-01", "--json").document
    assert [one["name"] for one in then] == ["ann"]


def test_a_source_that_never_spoke_is_not_found(db: Path) -> None:
    failed = run("sources", "zoe", "--db", db)
    assert failed.code == 3
    assert "zoe" in failed.err


def test_nobody_has_spoken_in_an_empty_memory(tmp_path: Path) -> None:
    db = str(tmp_path / "empty.db")
    run("init", "--db", db)
    assert "Nobody has spoken here." in run("sources", "--db", db).out
    assert "nothing changed" in run("learn", "--db", db).out
