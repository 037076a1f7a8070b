"""Changes that rest on what was read: of many processes that make them at once, none overwrites another."""

import multiprocessing
from pathlib import Path

import pytest

import knowwhy
from tests import servers

AGENTS, CHANGES = 2, 3


def count_up(path: str, name: str) -> None:
    """Add one to what stands, many times."""
    with knowwhy.open(path) as memory:

        def change() -> knowwhy.Outcome:
            answer = memory.ask("shelf", "boxes")
            more = str(int(answer.value or 0) + 1)
            claims = [("shelf", "boxes", more)]
            return memory.observe(source=name, claims=claims, expected_version=answer.version, author=name)

        for _ in range(CHANGES):
            knowwhy.retrying(change, tries=200)


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_agents_that_replace_one_fact_at_once_lose_nothing(tmp_path: Path, store: str) -> None:
    path = str(tmp_path / "shelf.db") if store == "sqlite" else servers.server().fresh()
    with knowwhy.open(path) as memory:
        memory.declare("boxes", value_type="number")
        start = multiprocessing.get_context("spawn").Process
        agents = [start(target=count_up, args=(path, f"agent {number}")) for number in range(AGENTS)]
        for agent in agents:
            agent.start()
        for agent in agents:
            agent.join(120)
            assert agent.exitcode == 0
        answer = memory.ask("shelf", "boxes")
        # Each saw what the other had said: one value stands, and every one of them is on record.
        assert [str(one.value) for one in answer.findings] == [str(AGENTS * CHANGES)]
        assert {str(one.value) for one in answer.others} == {str(one) for one in range(1, AGENTS * CHANGES)}
        authors = [str(entry.operation.author) for entry in memory.changes(1)]
        assert sorted(authors) == sorted(
            f"agent {number}" for number in range(AGENTS) for _ in range(CHANGES)
        )


def test_who_comes_too_late_every_time_is_told_how_things_stand() -> None:
    with knowwhy.open() as memory:
        memory.observe(source="a", claims=[("shelf", "boxes", "7")])
        calls = []

        def change() -> knowwhy.Outcome:
            calls.append(1)
            return memory.observe(source="b", claims=[("shelf", "boxes", "8")], expected_version=0)

        with pytest.raises(knowwhy.VersionConflict) as refused:
            knowwhy.retrying(change, tries=3)
        assert len(calls) == 3
        assert refused.value.details["current"] == [{"value": "7", "status": "accepted"}]
        with pytest.raises(knowwhy.InvalidInput, match="at least one try"):
            knowwhy.retrying(change, tries=0)
