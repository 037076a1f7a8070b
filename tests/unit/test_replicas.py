"""Questions may be answered by a standby, as long as it has come far enough; never what rests on them."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from psycopg.conninfo import conninfo_to_dict

import knowwhy
from knowwhy.store import replicated
from knowwhy.store.memory import MemoryStore
from knowwhy.store.protocol import Snapshot, Store
from knowwhy.store.replicated import Marks, NotingStore, ReplicaStore
from knowwhy.testing.suite.committing import bare
from tests.servers import OwnServer, server, standby_of, started


class Copy:
    """A replica by hand: it shows what its primary held when it was last brought up to date."""

    def __init__(self, primary: MemoryStore) -> None:
        self._primary = primary
        self._kept: dict[str, Snapshot] = {}
        self.is_there = True
        self.reads = 0

    def bring_up(self, space: str) -> None:
        with self._primary.snapshot(space) as view:
            self._kept[space] = view

    @contextmanager
    def snapshot(self, space: str, *, turn: Collection[str] = ()) -> Iterator[Snapshot]:
        assert not turn, "who is about to write reads no replica"
        if not self.is_there:
            raise knowwhy.Unavailable("The replica is away. Try again.", retry_after=1.0)
        self.reads += 1
        if space in self._kept:
            yield self._kept[space]
        else:
            with MemoryStore().snapshot(space) as view:
                yield view

    def close(self) -> None:
        """Nothing to let go of."""


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def sequence(store: Store, space: str = "main") -> int:
    with store.snapshot(space) as view:
        return view.head().sequence


@given(
    st.lists(st.sampled_from(["write", "write elsewhere", "bring up", "tick", "read"]), max_size=40),
    st.sampled_from([None, 0.5, 3.0]),
)
def test_reads_are_never_older_than_own_writes_nor_than_may_be(steps: list[str], bound: float | None) -> None:
    clock, primary = Clock(), MemoryStore()
    copy, marks = Copy(primary), Marks(bound, clock)
    writing = NotingStore(primary, marks)
    reading = ReplicaStore(primary, copy, marks)  # type: ignore[arg-type]
    written = 0
    past: list[tuple[float, int]] = [(0.0, 0)]
    for step in steps:
        if step == "write":
            written = writing.commit("main", bare()).sequence
        elif step == "write elsewhere":
            primary.commit("main", bare())
        elif step == "bring up":
            copy.bring_up("main")
        elif step == "tick":
            clock.now += 1.0
        past.append((clock.now, sequence(primary)))
        seen = sequence(reading)
        assert seen >= written
        if bound is not None:
            assert seen >= max((number for at, number in past if at < clock.now - bound), default=0)


def test_a_replica_that_is_away_is_left_alone_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, primary = Clock(), MemoryStore()
    monkeypatch.setattr(replicated, "monotonic", clock)
    copy, marks = Copy(primary), Marks(None)
    reading = ReplicaStore(primary, copy, marks)  # type: ignore[arg-type]
    primary.commit("main", bare())
    copy.is_there = False
    assert sequence(reading) == 1
    copy.is_there = True
    assert (sequence(reading), copy.reads) == (1, 0)
    clock.now += replicated.PAUSE
    assert (sequence(reading), copy.reads) == (0, 1)


def test_a_mark_that_had_to_be_dropped_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replicated, "SPACES", 2)
    primary = MemoryStore()
    copy, marks = Copy(primary), Marks(None)
    writing, reading = NotingStore(primary, marks), ReplicaStore(primary, copy, marks)  # type: ignore[arg-type]
    for space in ("one", "two", "three", "four"):
        writing.commit(space, bare())
    assert [sequence(reading, space) for space in ("one", "two", "three", "four")] == [1, 1, 1, 1]


# A real standby ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pair() -> Iterator[tuple[OwnServer, OwnServer]]:
    with started() as primary, standby_of(primary) as standby:
        yield primary, standby


def streamed(primary: OwnServer, standby: OwnServer) -> None:
    """Wait until the standby has come to where the primary is."""
    ((place,),) = primary.execute("SELECT pg_current_wal_flush_lsn()::text")
    while not standby.execute(f"SELECT pg_last_wal_replay_lsn() >= '{place}'::pg_lsn")[0][0]:
        threading.Event().wait(0.02)


def addresses(pair: tuple[OwnServer, OwnServer]) -> tuple[str, str]:
    """A database with memories in it, on the server and on its standby."""
    primary, standby = pair
    url = primary.database_for(primary.folder)
    knowwhy.open(url).close()
    streamed(primary, standby)
    return url, standby.url(str(conninfo_to_dict(url)["dbname"]))


def opened(pair: tuple[OwnServer, OwnServer], **more: Any) -> knowwhy.Memory:  # noqa: ANN401
    url, replica = addresses(pair)
    return knowwhy.open(url, replica=replica, **more)


@contextmanager
def lagging(standby: OwnServer) -> Iterator[None]:
    """A standby that takes over nothing meanwhile."""
    standby.execute("SELECT pg_wal_replay_pause()")
    try:
        yield
    finally:
        standby.execute("SELECT pg_wal_replay_resume()")


def test_questions_are_answered_by_the_standby(pair: tuple[OwnServer, OwnServer]) -> None:
    primary, standby = pair
    with opened(pair, max_staleness=None) as memory:
        said = memory.observe("It costs 7.", source="ann", claims=[("tea", "price", 7)])
        assert memory.ask("tea", "price").value == "7"
        streamed(primary, standby)
        primary.stop()
        try:
            # The server is gone, so what is answered now comes from the standby.
            assert memory.ask("tea", "price").value == "7"
            assert memory.recall("how much is the tea").beliefs
            assert memory.why("tea", "price").as_dict()
        finally:
            primary.start()
        assert memory.retract(said.evidence[0]).operation == 2


def test_one_reads_what_one_wrote_though_the_standby_lags(pair: tuple[OwnServer, OwnServer]) -> None:
    with opened(pair, max_staleness=None) as memory, lagging(pair[1]):
        for number in range(5):
            day = f"2025-01-0{number + 1}"
            memory.observe(source="ann", claims=[("order", "number", number)], observed_at=day)
            assert memory.ask("order", "number").value == str(number)
        branch = memory.fork("if")
        branch.observe(source="ann", claims=[("order", "number", 77)])
        assert branch.ask("order", "number").value == "77"
        assert memory.ask("order", "number").value == "4"


def test_another_process_reads_what_it_was_given_the_number_of(pair: tuple[OwnServer, OwnServer]) -> None:
    url, replica = addresses(pair)
    with knowwhy.open(url) as writer, lagging(pair[1]):
        told = writer.observe(source="ann", claims=[("shop", "city", "Bern")])
        assert told.operation is not None
        with knowwhy.open(url, replica=replica, max_staleness=None) as reader:
            assert reader.ask("shop", "city").is_unknown
        for more in ({"max_staleness": None, "after": told.operation}, {"max_staleness": 0.0}):
            with knowwhy.open(url, replica=replica, **more) as reader:
                assert reader.ask("shop", "city").value == "Bern"


def test_what_is_written_never_rests_on_the_standby(pair: tuple[OwnServer, OwnServer]) -> None:
    with opened(pair) as other, opened(pair, max_staleness=None) as memory, lagging(pair[1]):
        other.observe(source="ann", claims=[("lamp", "colour", "red")], idempotency_key="lamp")
        repeated = memory.observe(source="ann", claims=[("lamp", "colour", "red")], idempotency_key="lamp")
        assert repeated.is_repeat
        memory.rebuild()
        assert memory.doctor().is_healthy


def test_a_standby_that_goes_is_replaced_by_the_server_itself(pair: tuple[OwnServer, OwnServer]) -> None:
    standby = pair[1]
    with opened(pair, max_staleness=None) as memory:
        memory.observe(source="ann", claims=[("bus", "line", 7)])
        streamed(*pair)
        assert memory.ask("bus", "line").value == "7"
        standby.stop()
        try:
            assert memory.ask("bus", "line").value == "7"
            assert memory.ask("bus", "line").value == "7"
        finally:
            standby.start()


def test_what_is_no_standby_of_a_server_is_refused(pair: tuple[OwnServer, OwnServer]) -> None:
    url, _ = addresses(pair)
    for replica in (url, server().fresh()):
        with pytest.raises(knowwhy.InvalidInput, match="no standby of"):
            knowwhy.open(url, replica=replica)
    with pytest.raises(knowwhy.Unsupported, match="PostgreSQL"):
        knowwhy.open("shop.db", replica=url)
