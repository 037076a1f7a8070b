"""Whoever follows a memory hears of every operation, once and in order, on every store."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

import knowwhy
from knowwhy.store.postgres import news
from knowwhy.store.postgres.address import Address
from tests.servers import server
from tests.surfaces.program import PROGRAM, environment, run

# Far longer than anything here takes: waiting so long would mean that no news came.
LONG = 60.0


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgres":
        return server().fresh()
    return ":memory:" if request.param == "memory" else str(tmp_path / "shop.db")


@pytest.fixture
def memory(address: str) -> Iterator[knowwhy.Memory]:
    with knowwhy.open(address) as opened:
        yield opened


def say(memory: knowwhy.Memory, number: int) -> None:
    memory.observe(f"It is {number}.", source="ann", claims=[("order", "number", number)])


def numbers(entries: tuple[knowwhy.LogEntry, ...]) -> list[int]:
    return [one.operation.sequence for one in entries]


def test_what_was_done_since_comes_oldest_first(memory: knowwhy.Memory) -> None:
    assert memory.changes() == ()
    for number in range(5):
        say(memory, number)
    assert numbers(memory.changes()) == [1, 2, 3, 4, 5]
    assert memory.changes() == memory.log()[::-1]
    assert numbers(memory.changes(3)) == [4, 5]
    assert numbers(memory.changes(1, limit=2)) == [2, 3]
    assert memory.changes(5) == memory.changes(99) == ()


@pytest.mark.parametrize("asked", [{"since": -1}, {"wait": -1.0}, {"limit": 0}])
def test_what_cannot_be_asked_for_is_refused(asked: dict[str, float]) -> None:
    with knowwhy.open() as memory, pytest.raises(knowwhy.InvalidInput):
        memory.changes(**asked)  # type: ignore[arg-type]


def test_a_follower_misses_nothing_and_hears_nothing_twice(memory: knowwhy.Memory) -> None:
    heard: list[int] = []

    def follow() -> None:
        while len(heard) < 30:
            heard.extend(numbers(memory.changes(heard[-1] if heard else 0, wait=LONG)))

    follower = threading.Thread(target=follow)
    follower.start()
    for number in range(30):
        say(memory, number)
    follower.join(LONG)
    assert heard == list(range(1, 31))


def test_a_branch_is_followed_by_itself(memory: knowwhy.Memory) -> None:
    say(memory, 1)
    branch = memory.fork("if")
    since = branch.log(limit=1)[0].operation.sequence
    assert branch.changes(since) == ()
    writer = threading.Timer(0.2, lambda: say(branch, 2))
    writer.start()
    say(memory, 3)
    found = branch.changes(since, wait=LONG)
    writer.join()
    assert [one.outcome.evidence for one in found] == [branch.log(limit=1)[0].outcome.evidence]


def test_waiting_ends_where_nothing_comes(memory: knowwhy.Memory) -> None:
    say(memory, 1)
    assert memory.changes(1, wait=0.05) == ()


def test_a_follower_can_be_awaited(memory: knowwhy.Memory) -> None:
    async def followed() -> list[int]:
        following = knowwhy.AsyncMemory(memory)
        waiting = asyncio.create_task(following.changes(wait=LONG))
        await asyncio.sleep(0)
        await following.observe(source="ann", claims=[("order", "number", 1)])
        return numbers(await waiting)

    assert asyncio.run(followed()) == [1]


# On a server ------------------------------------------------------------------------------------


def test_a_server_tells_of_each_commit_on_the_channel_of_its_space() -> None:
    url = server().fresh()
    with psycopg.connect(url, autocommit=True) as listening, knowwhy.open(url, space="shop") as memory:
        listening.execute(f'LISTEN "{news.channel_of("shop")}"')
        with knowwhy.open(url, space="other") as other:
            say(other, 1)
        say(memory, 1)
        say(memory, 2)
        told = [one.payload for one in listening.notifies(timeout=LONG, stop_after=2)]
    assert told == ["1", "2"]


def test_news_end_the_waiting_without_another_look(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(news, "LOOK_AGAIN", 10 * LONG)
    url = server().fresh()
    with knowwhy.open(url) as memory:
        say(memory, 1)
        looks: list[bool] = []

        def has_come() -> bool:
            looks.append(memory.stats()["operations"] > 1)
            if len(looks) == 1:
                say(memory, 2)
                return False
            return looks[-1]

        news.wait(Address.read(url), "main", has_come, LONG)
    assert looks == [False, True]


def test_a_follower_whose_connection_breaks_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(news, "PAUSE", 0.01)
    url = server().fresh()
    with knowwhy.open(url) as memory:
        say(memory, 1)
        found: list[int] = []
        follower = threading.Thread(target=lambda: found.extend(numbers(memory.changes(1, wait=LONG))))
        follower.start()
        name = str(psycopg.conninfo.conninfo_to_dict(url)["dbname"])
        ended = 0
        with psycopg.connect(server().url(name, as_admin=True), autocommit=True) as admin:
            while not ended:
                ((ended,),) = admin.execute(
                    "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                    " WHERE datname = %s AND query LIKE 'LISTEN%%'",
                    (name,),
                ).fetchall()
        say(memory, 2)
        follower.join(LONG)
    assert found == [2]


# The command ------------------------------------------------------------------------------------


def test_the_command_tells_what_was_done_since(tmp_path: Path) -> None:
    db = tmp_path / "shop.db"
    with knowwhy.open(db) as memory:
        say(memory, 1)
        say(memory, 2)
        expected = [one.as_dict() for one in memory.changes(1)]
        spoken = str(memory.changes(1)[0]).splitlines()[0]
    told = run("--db", db, "changes", "--since", "1", "--json")
    assert told.document == expected
    assert run("--db", db, "changes", "--since", "1", "--wait", "0").out.startswith(spoken)
    assert run("--db", db, "changes", "--since", "2").out == "Nothing was done since.\n"


def test_the_command_follows_until_it_is_interrupted(tmp_path: Path) -> None:
    db = tmp_path / "shop.db"
    with knowwhy.open(db) as memory:
        say(memory, 1)
        following = subprocess.Popen(
            [PROGRAM, "--db", db, "changes", "--follow", "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment(),
        )
        assert following.stdout is not None
        with following.stdout as told:
            assert json.loads(told.readline())["operation"] == 1
            say(memory, 2)
            assert json.loads(told.readline())["operation"] == 2
            following.send_signal(signal.SIGINT)
            assert following.wait(LONG) == 130
