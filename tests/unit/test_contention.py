"""Writers of one slot: each decides about once, nobody gives up, and those of other slots do not wait."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

import knowwhy
from knowwhy.core.model import Operation
from knowwhy.engine import contention
from knowwhy.engine.clock import system_clock
from knowwhy.engine.contention import MOST, Contention
from knowwhy.engine.memory import Memory
from knowwhy.engine.space import Space
from knowwhy.store.memory import MemoryStore
from knowwhy.store.postgres import PostgresStore
from knowwhy.store.protocol import Batch, StaleRead, Store
from knowwhy.store.sqlite import SqliteStore
from tests.servers import server

WRITERS = 5
EACH = 5

STORES: dict[str, Callable[[Path], Store]] = {
    "memory": lambda _: MemoryStore(),
    "sqlite": lambda folder: SqliteStore(str(folder / "memory.db")),
    "postgres": lambda _: PostgresStore(server().fresh()),
}


def write(memory: Memory, number: int) -> None:
    """Say some things of one slot."""
    for step in range(EACH):
        memory.observe(source=f"writer {number}", claims=[("lamp", "colour", f"{number} and {step}")])


@pytest.mark.parametrize("kind", STORES)
@pytest.mark.parametrize("line", ["main", "branch"])
def test_who_met_others_queues_and_decides_once(
    tmp_path: Path, kind: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = STORES[kind](tmp_path)
    monkeypatch.setattr(contention, "REMEMBERED", 600.0)
    memory = Memory(Space(store, "main", system_clock))
    memory.observe(source="someone", claims=[("lamp", "colour", "red")])
    if line == "branch":
        memory.fork("trial")
        memory = memory.on("trial")
    lost = Counter[str]()
    commit = type(store).commit

    def counted(self: Store, space: str, batch: Batch) -> Operation:
        try:
            return commit(self, space, batch)
        except StaleRead:
            lost[space] += 1
            raise

    monkeypatch.setattr(type(store), "commit", counted)
    before = memory.log(limit=1)[0].operation.sequence
    with ThreadPoolExecutor(WRITERS) as pool:
        for done in [pool.submit(write, memory, number) for number in range(WRITERS)]:
            done.result(60)
    assert memory.log(limit=1)[0].operation.sequence == before + WRITERS * EACH
    # Once one of them has met others, those who decide already may lose that race, and may win over one more.
    assert sum(lost.values()) <= 2 * WRITERS
    assert memory.doctor().is_healthy
    store.close()


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_two_that_opened_the_memory_by_themselves_wait_for_each_other(tmp_path: Path, kind: str) -> None:
    address = str(tmp_path / "memory.db") if kind == "sqlite" else server().fresh()
    stores = [SqliteStore(address) if kind == "sqlite" else PostgresStore(address) for _ in range(2)]
    is_in = Event()

    def wait() -> int:
        with stores[1].snapshot("main", turn=["lamp", "shade"]) as view:
            is_in.set()
            return view.head().sequence

    with ThreadPoolExecutor(1) as pool:
        with stores[0].snapshot("main", turn=["lamp"]):
            waiting = pool.submit(wait)
            assert not is_in.wait(0.2)
            knowwhy.open(address).observe(source="someone", claims=[("lamp", "colour", "red")])
            assert not is_in.is_set()
        # What it reads is of the moment at which its turn came.
        assert waiting.result(60) == 1
    for one in stores:
        one.close()


def test_a_turn_that_does_not_come_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "knowwhy.store.postgres.waiting._OPEN", "BEGIN READ ONLY; SET LOCAL lock_timeout = '100ms';"
    )
    address = server().fresh()
    first, second = PostgresStore(address), PostgresStore(address)
    with (
        first.snapshot("main", turn=["lamp"]),
        pytest.raises(knowwhy.Unavailable, match="nothing was written"),
        second.snapshot("main", turn=["lamp"]),
    ):
        pass
    with second.snapshot("main", turn=["lamp"]) as view:
        assert view.head().sequence == 0
    first.close()
    second.close()


def test_more_turns_are_wanted_than_there_are_connections() -> None:
    """Those who wait hold no connection that another one needs to get on."""
    store = PostgresStore(server().fresh())
    memory = Memory(Space(store, "main", system_clock))

    def decide(number: int) -> None:
        with store.snapshot("main", turn=[f"word {number % 3}", f"word {number}"]):
            memory.observe(source="someone", claims=[(f"lamp {number}", "colour", "red")])

    with ThreadPoolExecutor(30) as pool:
        for done in [pool.submit(decide, number) for number in range(30)]:
            done.result(60)
    assert memory.log(limit=1)[0].operation.sequence == 30
    store.close()


def test_what_is_remembered_ends_and_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(contention, "monotonic", lambda: now)
    known = Contention()
    known.meet("main", ["one"], ["one"])
    known.meet("main", ["two"], [f"{number:02}" for number in range(30)])
    known.meet("main", [], [""])
    assert known.places("main", ["one", "three"]) == {"one"}
    assert known.places("main", []) == {""}
    assert known.places("other", ["one"]) == frozenset()
    assert len(known.places("main", ["one", "two"])) == MOST
    now = contention.REMEMBERED + 1
    assert known.places("main", ["one", "two"]) == frozenset()
