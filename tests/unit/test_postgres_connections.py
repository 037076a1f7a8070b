"""What becomes of reads and commits on PostgreSQL when a connection breaks, at any moment."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict

from knowwhy.core.model import Belief, Slot
from knowwhy.errors import Fault, Unavailable
from knowwhy.store.postgres import PostgresStore, connections, session, writing
from knowwhy.store.postgres.faults import Interrupted
from knowwhy.store.postgres.session import Writing
from knowwhy.store.protocol import BeliefFilter
from knowwhy.testing.records import claim, evidence, slot
from knowwhy.testing.suite.committing import bare, said
from knowwhy.testing.workload import Workload
from tests.servers import Server, server, started


@pytest.fixture
def url() -> str:
    return server().fresh()


@pytest.fixture
def store(url: str) -> Iterator[PostgresStore]:
    kept = PostgresStore(url)
    yield kept
    kept.close()


def fill(store: PostgresStore, things: int = 3) -> Workload:
    """Write a claim about each of some things, in one batch."""
    work = Workload(store)
    grounds = [evidence(f"thing {number} costs {number} francs") for number in range(things)]
    read = [claim(one, slot(f"thing {number}"), f"{number} francs") for number, one in enumerate(grounds)]
    work.commit(work.observation(grounds, read))
    return work


def cut(url: str) -> int:
    """End all connections to a database, as a server that fails would; how many there were."""
    return len(server().execute(f"SELECT pg_terminate_backend(pid, 5000) {others(url)}"))


def others(url: str) -> str:
    """The part of a query that means all connections to a database."""
    return f"FROM pg_stat_activity WHERE datname = '{conninfo_to_dict(url)['dbname']}'"


def sequences(store: PostgresStore) -> list[int]:
    """The numbers of all operations."""
    with store.snapshot("default") as snapshot:
        return [one.sequence for one in snapshot.operations()][::-1]


# Reading ----------------------------------------------------------------------------------------


def test_idle_connections_that_broke_are_not_noticed(store: PostgresStore, url: str) -> None:
    fill(store)
    with store.snapshot("default"), store.snapshot("default"):
        pass
    assert cut(url) == 2
    assert sequences(store) == [1]
    assert cut(url) >= 1
    assert store.commit("default", bare()).sequence == 2


def test_a_snapshot_goes_on_where_nothing_was_written_meanwhile(store: PostgresStore, url: str) -> None:
    fill(store, 5)
    with store.snapshot("default") as snapshot:
        before = list(snapshot.views())
        assert cut(url) == 1
        assert list(snapshot.views()) == before
        assert cut(url) >= 1
        assert len(snapshot.beliefs(BeliefFilter(attribute="return window"))) == 5
    store.commit("other", bare())


@pytest.mark.parametrize("change", ["a commit", "a rebuild"])
def test_a_snapshot_ends_where_the_memory_moved_on(store: PostgresStore, url: str, change: str) -> None:
    fill(store)
    with store.snapshot("default") as snapshot:
        views = list(snapshot.views())
        other = PostgresStore(url)
        if change == "a commit":
            other.commit("default", bare())
        else:
            other.replace_views("default", [one for one in views if isinstance(one, Belief)])
        other.close()
        cut(url)
        with pytest.raises(Unavailable, match="moved on since"):
            list(snapshot.views())
    with store.snapshot("default") as snapshot:
        assert snapshot.counts()["claims"] == 3


def test_a_connection_that_breaks_twice_in_one_read_is_told_of(
    store: PostgresStore, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store)
    entered = connections.Reading._entered  # noqa: SLF001

    def entered_and_cut(self: connections.Reading) -> object:
        space = entered(self)
        cut(url)
        return space

    with store.snapshot("default") as snapshot:
        cut(url)
        monkeypatch.setattr(connections.Reading, "_entered", entered_and_cut)
        with pytest.raises(Unavailable, match="was lost"):
            snapshot.sources()
        monkeypatch.undo()
        assert len(snapshot.sources()) == 1


def test_a_snapshot_that_is_over_says_so(store: PostgresStore) -> None:
    fill(store)
    with store.snapshot("default") as snapshot:
        views = snapshot.views()
        next(views)
    with pytest.raises(Fault, match="over"):
        snapshot.every(Slot).__next__()


# Committing -------------------------------------------------------------------------------------


def breaking(moment: Callable[[Writing, str], bool], *, is_kept: bool) -> Callable[..., None]:
    """A way to send statements that breaks the connection once, at the first that has its moment."""
    send, numbers = Writing._send, count()  # noqa: SLF001

    def broken(self: Writing, statements: list[session.Asked]) -> None:
        asked = list(statements)
        if not any(moment(self, sql) for sql, _ in asked) or next(numbers):
            send(self, asked)
            return
        if is_kept:
            send(self, asked)
        self.connection.close()
        raise Interrupted(psycopg.OperationalError("server closed the connection unexpectedly"))

    return broken


def is_commit(_session: Writing, sql: str) -> bool:
    return sql == "COMMIT"


@pytest.mark.parametrize("is_kept", [True, False], ids=["kept", "lost"])
def test_a_commit_whose_answer_is_lost_is_resolved(
    store: PostgresStore,
    monkeypatch: pytest.MonkeyPatch,
    is_kept: bool,  # noqa: FBT001
) -> None:
    work = fill(store)
    batch = said(work, "seven", key="k")
    monkeypatch.setattr(Writing, "_send", breaking(is_commit, is_kept=is_kept))
    operation = store.commit("default", batch)
    monkeypatch.undo()
    assert operation.sequence == 2
    with store.snapshot("default") as snapshot:
        assert snapshot.operations(key="k") == [operation]
    assert sequences(store) == [1, 2]
    assert store.problems("default") == []


def test_a_commit_is_not_taken_for_that_of_another_writer(
    store: PostgresStore, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is lost, and another operation with the very same words gets its number."""
    fill(store)
    other, send = PostgresStore(url), Writing._send  # noqa: SLF001

    def broken(self: Writing, _statements: list[session.Asked]) -> None:
        monkeypatch.setattr(Writing, "_send", send)
        self.connection.close()
        assert other.commit("default", bare()).sequence == 2
        raise Interrupted(psycopg.OperationalError("server closed the connection unexpectedly"))

    monkeypatch.setattr(Writing, "_send", broken)
    assert store.commit("default", bare()).sequence == 3
    assert sequences(store) == [1, 2, 3]
    other.close()


def test_where_it_cannot_be_found_out_the_outcome_is_said_to_be_unknown(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store)
    monkeypatch.setattr(Writing, "_send", breaking(is_commit, is_kept=True))
    gone = Interrupted(psycopg.OperationalError("no route"))

    def unreachable(*_: object) -> bool:
        raise gone

    monkeypatch.setattr(writing, "is_written", unreachable)
    with pytest.raises(Unavailable, match="not known") as refusal:
        store.commit("default", bare())
    assert refusal.value.details["outcome"] == "unknown"
    monkeypatch.undo()
    assert sequences(store) == [1, 2]


@pytest.mark.parametrize("state", ["40P01", "40001"])
def test_a_transaction_that_the_server_sacrifices_is_made_again(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch, state: str
) -> None:
    fill(store)
    send, numbers = Writing._send, count()  # noqa: SLF001

    def sacrificed(self: Writing, statements: list[session.Asked]) -> None:
        if next(numbers) < 2:
            self.run(f"DO $$ BEGIN RAISE EXCEPTION 'deadlock detected' USING ERRCODE = '{state}'; END $$")
        send(self, statements)

    monkeypatch.setattr(Writing, "_send", sacrificed)
    assert store.commit("default", bare()).sequence == 2
    monkeypatch.undo()
    assert sequences(store) == [1, 2]


def test_a_commit_that_breaks_every_time_says_that_nothing_was_written(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store)

    def broken(self: Writing, *_: object) -> None:
        self.connection.close()
        raise Interrupted(psycopg.OperationalError("server closed the connection unexpectedly"))

    monkeypatch.setattr(Writing, "together", broken)
    with pytest.raises(Unavailable, match="nothing was written"):
        store.commit("default", said(Workload(store), "seven"))
    monkeypatch.undo()
    assert sequences(store) == [1]


def test_views_that_were_being_replaced_are_told_of(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store)
    monkeypatch.setattr(Writing, "_send", breaking(is_commit, is_kept=False))
    with pytest.raises(Unavailable, match="may have been replaced"):
        store.replace_views("default", [])
    monkeypatch.undo()
    with store.snapshot("default") as snapshot:
        assert snapshot.counts()["beliefs"] == 3


def test_what_was_being_dropped_is_dropped_once(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = fill(store)
    work.commit(work.withdrawal(evidence("thing 1 costs 1 francs").id))
    monkeypatch.setattr(Writing, "_send", breaking(is_commit, is_kept=True))
    store.drop("default", [evidence("thing 1 costs 1 francs").id], 1)
    monkeypatch.undo()
    with store.snapshot("default") as snapshot:
        assert snapshot.counts()["claims"] == 2
    assert store.problems("default") == []


# Servers ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def own() -> Iterator[Server]:
    """A server that may be stopped, since nobody else uses it."""
    with started(is_durable=False) as found:
        yield found


def test_a_server_that_restarts_is_waited_for(own: Any) -> None:  # noqa: ANN401 - it can be restarted
    kept = PostgresStore(own.fresh())
    fill(kept)
    for restart in (own.restart, own.kill):
        with kept.snapshot("default") as snapshot:
            assert len(snapshot.operations()) >= 1
            restart()
            assert len(snapshot.sources()) == 1
        kept.commit("default", bare())
    assert sequences(kept) == [1, 2, 3]
    kept.close()


def test_a_server_that_stays_away_is_told_of_and_found_again(
    own: Any,  # noqa: ANN401 - it can be stopped
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kept = PostgresStore(own.fresh())
    fill(kept)
    monkeypatch.setattr(kept._connections, "_patience", 0.5)  # noqa: SLF001 - half a minute, where nobody says
    own.stop()
    try:
        with pytest.raises(Unavailable, match="gives no connection") as refusal:
            kept.commit("default", bare())
        assert refusal.value.details["retry_after"] == 1.0
        with pytest.raises(Unavailable), kept.snapshot("default"):
            pass
    finally:
        own.start()
    monkeypatch.undo()
    assert kept.commit("default", bare()).sequence == 2
    kept.close()


# Processes and threads --------------------------------------------------------------------------

FORKED = """
import os, sys
from knowwhy.core.model import Act, Operation
from knowwhy.store.protocol import Batch
from knowwhy.store.postgres import PostgresStore
batch = Batch(Operation(0, 0, 0, Act.OBSERVE))
store = PostgresStore(sys.argv[1])
store.commit("default", batch)
with store.snapshot("default") as snapshot:
    child = os.fork()
    if child == 0:
        store.commit("default", batch)
        store.close()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert len(snapshot.operations()) == 1
store.commit("default", batch)
assert store.problems("default") == []
store.close()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_has_connections_of_its_own(store: PostgresStore, url: str) -> None:
    subprocess.run([sys.executable, "-W", "ignore", "-c", FORKED, url], check=True, timeout=60)
    assert sequences(store) == [1, 2, 3]


def test_more_threads_than_connections_take_turns(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST", 2)
    kept = PostgresStore(url)
    threads = [threading.Thread(target=kept.commit, args=(f"space {n % 3}", bare())) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    for number in range(3):
        with kept.snapshot(f"space {number}") as snapshot:
            assert snapshot.head().sequence == 4
    kept.close()


def test_reads_and_writes_leave_no_transaction_behind(store: PostgresStore, url: str) -> None:
    fill(store)
    with pytest.raises(ZeroDivisionError), store.snapshot("default") as snapshot:
        raise ZeroDivisionError(snapshot.sources())
    with pytest.raises(KeyboardInterrupt), store.snapshot("default"):
        raise KeyboardInterrupt
    # The pool makes a connection anew in the background, and is in a transaction of its own for a moment.
    busy = f"SELECT state {others(url)} AND state <> 'idle'"
    deadline = time.monotonic() + 20
    while left := server().execute(busy):
        assert time.monotonic() < deadline, left
        time.sleep(0.05)


def test_statements_are_prepared_once_for_a_connection(store: PostgresStore) -> None:
    fill(store)
    for _ in range(3):
        with store.snapshot("default") as snapshot:
            snapshot.sources()
            snapshot.names(["order"])
    with store._connections.plain() as plain:  # noqa: SLF001
        prepared = plain.rows("SELECT statement FROM pg_prepared_statements")
    assert len([sql for (sql,) in prepared if "FROM sources" in sql and "DISTINCT" in sql]) == 1
