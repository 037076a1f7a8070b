"""Deciding conflicts and setting sources apart comes to the same in every store, and on a branch."""

from collections.abc import Callable
from pathlib import Path

import pytest

import knowwhy
from tests import servers

DAY = "2025-01-10"


def opened(store: str, folder: Path) -> knowwhy.Memory:
    path = {"memory": lambda: None, "sqlite": lambda: folder / "desk.db", "postgres": servers.server().fresh}
    address: str | Path | None = path[store]()  # type: ignore[operator]
    clock: Callable[[], knowwhy.Instant] = lambda: knowwhy.instant("2025-02-01")  # noqa: E731
    return knowwhy.open(address, clock=clock) if address else knowwhy.open(clock=clock)


@pytest.mark.parametrize("store", ["memory", "sqlite", "postgres"])
def test_a_conflict_is_decided_and_a_source_set_apart(store: str, tmp_path: Path) -> None:
    with opened(store, tmp_path) as memory:
        for source, value in (("register", "S"), ("feed", "L")):
            memory.observe(source=source, claims=[("shirt", "size", value)], observed_at=DAY)
        (conflict,) = memory.conflicts()
        assert (conflict.values, conflict.suggestion.value) == (("L", "S"), None)
        memory.assign(conflict.id, "ann", due="2025-01-20")
        assert "overdue since 2025-01-20" in str(memory.conflicts()[0])
        branch = memory.fork("if")
        decided = branch.resolve(conflict.id, "S", author="ann", expected_version=conflict.version)
        later = branch.at(valid="2025-02-02")
        assert (later.ask("shirt", "size").value, later.conflicts()) == ("S", ())
        assert len(memory.conflicts()) == 1
        branch.undo(decided.operation)
        assert [one.id for one in branch.at(valid="2025-02-02").conflicts()] == [conflict.id]
        with pytest.raises(knowwhy.VersionConflict):
            branch.resolve(conflict.id, "S", expected_version=conflict.version)
        apart = memory.quarantine("feed", reason="taken over")
        now = memory.at(valid="2025-02-02")
        assert (now.ask("shirt", "size").value, now.conflicts()) == ("S", ())
        memory.observe(source="feed", claims=[("shirt", "size", "XL")], observed_at="2025-01-12")
        assert now.ask("shirt", "size").value == "S"
        memory.undo(apart.operation)
        assert now.ask("shirt", "size").value == "XL"
        assert memory.doctor().is_healthy
        assert {entry.operation.act for entry in memory.changes()} >= {"assign", "quarantine", "undo"}


def test_a_merge_brings_a_quarantine_with_what_the_source_said(tmp_path: Path) -> None:
    with opened("memory", tmp_path) as memory:
        memory.observe(source="feed", claims=[("shirt", "size", "L")], observed_at=DAY)
        branch = memory.fork("if")
        branch.observe(source="feed", claims=[("shirt", "colour", "red")], observed_at=DAY)
        branch.quarantine("feed")
        memory.merge("if")
        assert [memory.ask("shirt", one).value for one in ("size", "colour")] == [None, None]
        memory.release("feed")
        assert [memory.ask("shirt", one).value for one in ("size", "colour")] == ["L", "red"]
        assert memory.doctor().is_healthy
