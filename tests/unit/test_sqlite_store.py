"""What is particular to memories in SQLite files; what every store must do is in tests/conformance."""

from __future__ import annotations

import gc
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from knowwhy.core.model import Attribute, Belief, Entity, Slot, Status, entity_value
from knowwhy.core.revision import ContestKey
from knowwhy.errors import (
    Fault,
    InvalidInput,
    KnowwhyError,
    NewerFormat,
    NotFound,
    Refused,
    Unavailable,
)
from knowwhy.store.protocol import Batch, BeliefFilter, Snapshot
from knowwhy.store.sqlite import SqliteStore
from knowwhy.store.sqlite.faults import translated
from knowwhy.store.sqlite.opening import APPLICATION_ID, Migration, opened, shipped
from knowwhy.store.sqlite.reading import SqliteSnapshot
from knowwhy.store.sqlite.search import Frequencies
from knowwhy.store.sqlite.session import Settings, connected
from knowwhy.store.sqlite.spaces import space_named
from knowwhy.testing.records import claim, evidence, slot
from knowwhy.testing.suite.committing import bare
from knowwhy.testing.workload import Workload

NEXT = Migration(2, "CREATE TABLE later (space INTEGER, note TEXT); INSERT INTO later VALUES (1, 'new')")
BROKEN = Migration(2, "CREATE TABLE later (space INTEGER); INSERT INTO nowhere VALUES (1)")


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "memory.db")


@pytest.fixture
def store(path: str) -> Iterator[SqliteStore]:
    kept = SqliteStore(path)
    yield kept
    kept.close()


def fill(store: SqliteStore, things: int = 3, space: str = "default") -> Workload:
    """Write a claim about each of some things, in one batch."""
    work = Workload(store, space)
    grounds = [evidence(f"thing {number} costs {number} francs") for number in range(things)]
    read = [claim(one, slot(f"thing {number}"), f"{number} francs") for number, one in enumerate(grounds)]
    work.commit(work.observation(grounds, read))
    return work


def raw(path: str, sql: str) -> list[tuple[object, ...]]:
    """What SQLite itself answers."""
    connection = apsw.Connection(path)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def run(script: str, *arguments: str) -> subprocess.Popen[bytes]:
    """Start another process that runs a script of Python."""
    pipe = subprocess.PIPE
    return subprocess.Popen([sys.executable, "-c", script, *arguments], stdin=pipe, stdout=pipe)


# Files ------------------------------------------------------------------------------------------


def test_a_file_says_whose_it_is_and_of_which_format(store: SqliteStore, path: str) -> None:
    fill(store)
    header = Path(path).read_bytes()[:100]
    assert header.startswith(b"SQLite format 3\0")
    assert int.from_bytes(header[68:72], "big") == APPLICATION_ID
    assert raw(path, "PRAGMA user_version") == [(shipped()[-1].number,)]
    assert raw(path, "PRAGMA journal_mode") == [("wal",)]


def test_migrations_are_numbered_from_one_without_gaps() -> None:
    assert [one.number for one in shipped()] == list(range(1, len(shipped()) + 1))


def test_an_older_file_is_brought_up_to_date_with_all_that_is_in_it(path: str) -> None:
    old = SqliteStore(path)
    fill(old)
    old.close()
    newer = SqliteStore(path, migrations=[*shipped(), NEXT])
    with newer.snapshot("default") as snapshot:
        assert snapshot.counts()["claims"] == 3
    newer.close()
    assert raw(path, "SELECT note FROM later") == [("new",)]
    assert raw(path, "PRAGMA user_version") == [(2,)]
    SqliteStore(path, migrations=[*shipped(), NEXT]).close()
    assert raw(path, "SELECT count(*) FROM later") == [(1,)]


def test_a_new_file_goes_through_all_migrations(path: str) -> None:
    SqliteStore(path, migrations=[*shipped(), NEXT]).close()
    assert raw(path, "SELECT note FROM later") == [("new",)]


def test_a_migration_that_fails_leaves_the_file_as_it_was(path: str) -> None:
    old = SqliteStore(path)
    fill(old)
    old.close()
    before = raw(path, "SELECT sql FROM sqlite_schema ORDER BY name")
    with pytest.raises(Fault):
        SqliteStore(path, migrations=[*shipped(), BROKEN])
    assert raw(path, "SELECT sql FROM sqlite_schema ORDER BY name") == before
    again = SqliteStore(path)
    with again.snapshot("default") as snapshot:
        assert snapshot.counts()["claims"] == 3
    again.close()


def test_a_newer_file_is_refused_untouched(path: str) -> None:
    SqliteStore(path, migrations=[*shipped(), NEXT]).close()
    before = Path(path).read_bytes()
    with pytest.raises(NewerFormat, match=r"format 2, this one knows 1.*Upgrade"):
        SqliteStore(path)
    assert Path(path).read_bytes() == before


def test_a_store_that_was_overtaken_by_an_upgrade_writes_no_more(path: str) -> None:
    old = SqliteStore(path)
    fill(old)
    SqliteStore(path, migrations=[*shipped(), NEXT]).close()
    with pytest.raises(NewerFormat):
        old.commit("default", bare())
    old.close()


@pytest.mark.parametrize("content", [b"Dear diary,\n", b"SQLite format 3\0" + bytes(84), bytes(4096)])
def test_a_file_that_is_not_ours_is_left_alone(path: str, content: bytes) -> None:
    Path(path).write_bytes(content)
    with pytest.raises(InvalidInput, match="not a memory of knowwhy"):
        SqliteStore(path)
    assert Path(path).read_bytes() == content
    assert [one.name for one in Path(path).parent.iterdir()] == ["memory.db"]


def test_the_database_of_another_program_is_left_alone(path: str) -> None:
    raw(path, "PRAGMA journal_mode = WAL; CREATE TABLE claims (id TEXT); INSERT INTO claims VALUES ('mine')")
    before = Path(path).read_bytes()
    with pytest.raises(InvalidInput, match="not a memory of knowwhy"):
        SqliteStore(path)
    assert Path(path).read_bytes() == before


def test_an_empty_file_becomes_a_memory(path: str) -> None:
    Path(path).touch()
    kept = SqliteStore(path)
    fill(kept)
    kept.close()


def test_places_where_no_file_can_be_are_named(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="folder"):
        SqliteStore(str(tmp_path / "missing" / "memory.db"))
    with pytest.raises(InvalidInput, match="is a folder"):
        SqliteStore(str(tmp_path))
    with pytest.raises(InvalidInput):
        SqliteStore(str(tmp_path / "nul\0.db"))
    (tmp_path / "text").write_text("no folder")
    with pytest.raises(KnowwhyError):
        SqliteStore(str(tmp_path / "text" / "memory.db"))


def test_opening_and_looking_something_up_reads_little_of_a_file(path: str) -> None:
    kept = SqliteStore(path)
    fill(kept, 4_000)
    kept.close()
    session = opened(path, Settings(mapped_bytes=0), shipped())
    snapshot = SqliteSnapshot(session, space_named(session, "default"), Frequencies())
    assert snapshot.head().sequence == 1
    assert len(snapshot.beliefs(BeliefFilter(subjects=[slot("thing 77").subject.id]))) == 1
    assert len(snapshot.search(["77"], 5).hits) == 2
    pages_read, _ = session.connection.status(apsw.SQLITE_DBSTATUS_CACHE_MISS)
    session.end().close()
    assert pages_read * 4096 < Path(path).stat().st_size / 20


# Processes and threads --------------------------------------------------------------------------

FOUNDER = """
import sys
from knowwhy.core.model import Act, Operation
from knowwhy.store.protocol import Batch
from knowwhy.store.sqlite import SqliteStore
print("ready", flush=True)
sys.stdin.readline()
store = SqliteStore(sys.argv[1])
for _ in range(5):
    store.commit("default", Batch(Operation(0, 0, 0, Act.OBSERVE)))
store.close()
"""

FORKED = """
import os, sys
from knowwhy.core.model import Act, Operation
from knowwhy.store.protocol import Batch
from knowwhy.store.sqlite import SqliteStore
batch = Batch(Operation(0, 0, 0, Act.OBSERVE))
store = SqliteStore(sys.argv[1])
store.commit("default", batch)
with store.snapshot("default"):
    child = os.fork()
    if child == 0:
        store.commit("default", batch)
        store.close()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
store.commit("default", batch)
assert store.problems("default") == []
store.close()
"""

HOLDER = """
import sys, time
from knowwhy.store.sqlite.turnstile import Turnstile
with Turnstile(sys.argv[1]).turn():
    print("in", flush=True)
    time.sleep(60)
"""


def test_processes_may_make_one_file_at_once(tmp_path: Path) -> None:
    for number in range(3):
        path = str(tmp_path / f"{number}.db")
        founders = [run(FOUNDER, path) for _ in range(4)]
        assert [founder.stdout and founder.stdout.readline() for founder in founders] == [b"ready\n"] * 4
        for founder in founders:
            assert founder.stdin is not None
            founder.stdin.write(b"\n")
            founder.stdin.flush()
        for founder in founders:
            founder.communicate(timeout=60)
        assert [founder.returncode for founder in founders] == [0] * 4
        kept = SqliteStore(path)
        with kept.snapshot("default") as snapshot:
            assert [one.sequence for one in snapshot.operations()] == list(range(20, 0, -1))
        assert kept.problems("default") == []
        kept.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_has_connections_of_its_own(path: str) -> None:
    parent = run(FORKED, path)
    parent.communicate(timeout=60)
    assert parent.returncode == 0
    kept = SqliteStore(path)
    with kept.snapshot("default") as snapshot:
        assert snapshot.head().sequence == 3
    kept.close()


@pytest.mark.skipif(sys.platform == "win32", reason="writers queue in SQLite there")
def test_the_turn_of_a_process_that_dies_is_the_next_ones(store: SqliteStore, path: str) -> None:
    holder = run(HOLDER, path)
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"in\n"
    written = threading.Thread(target=store.commit, args=("default", bare()))
    written.start()
    written.join(0.3)
    assert written.is_alive()
    holder.kill()
    holder.communicate()
    written.join(30)
    assert not written.is_alive()


def test_writers_outside_the_queue_are_waited_for(store: SqliteStore, path: str) -> None:
    fill(store)
    other = apsw.Connection(path)
    other.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(0.3, other.execute, ["COMMIT"])
    timer.start()
    assert store.commit("default", bare()).sequence == 2
    timer.join()
    other.close()


def test_a_writer_that_does_not_end_is_told_of(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knowwhy.store.sqlite.session.BUSY_TIMEOUT_MS", 50)
    kept = SqliteStore(path)
    other = apsw.Connection(path)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(Unavailable, match="Try again") as refusal:
        kept.commit("default", bare())
    assert refusal.value.details["retry_after"] == 1.0
    other.close()
    assert kept.commit("default", bare()).sequence == 1
    kept.close()


def test_the_log_beside_the_file_stays_small_and_goes(path: str) -> None:
    kept = SqliteStore(path)
    limit = Settings().log_bytes
    largest = 0
    for number in range(60):
        work = Workload(kept, f"space {number}")
        grounds = [evidence(f"{number} {one} {'x' * 1_000}") for one in range(700)]
        work.commit(work.observation(grounds))
        largest = max(largest, Path(f"{path}-wal").stat().st_size)
    assert Path(path).stat().st_size > 1.5 * limit
    assert largest < 1.5 * limit
    kept.close()
    assert not Path(f"{path}-wal").exists()


def test_a_snapshot_that_is_over_says_so(store: SqliteStore) -> None:
    fill(store)
    with store.snapshot("default") as snapshot:
        views = snapshot.views()
        next(views)
    with pytest.raises(Fault, match="over"):
        snapshot.every(Slot).__next__()


def test_memory_is_shared_by_threads_and_gone_when_closed() -> None:
    one, other = SqliteStore(":memory:"), SqliteStore(":memory:")
    fill(one)
    places = [Path(str(raw_path)) for raw_path in _files_of(one)]
    assert all(place.parent.stat().st_mode & 0o077 == 0 for place in places)
    counted: list[int] = []

    def count() -> None:
        with one.snapshot("default") as snapshot:
            counted.append(snapshot.counts()["claims"])

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counted == [3] * 4
    with other.snapshot("default") as snapshot:
        assert snapshot.head().sequence == 0
    one.close()
    other.close()
    assert not any(place.parent.exists() for place in places)


def test_memory_that_nobody_holds_any_more_is_gone() -> None:
    kept = SqliteStore(":memory:")
    fill(kept)
    places = [Path(str(raw_path)) for raw_path in _files_of(kept)]
    del kept
    gc.collect()
    assert not any(place.parent.exists() for place in places)


def _files_of(store: SqliteStore) -> list[object]:
    with store.snapshot("default") as snapshot:
        assert isinstance(snapshot, SqliteSnapshot)
        return [row[2] for row in snapshot._session.rows("PRAGMA database_list")]  # noqa: SLF001


# Errors and damage ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("failure", "ours"),
    [
        (apsw.BusyError("locked"), Unavailable),
        (apsw.LockedError("locked"), Unavailable),
        (apsw.FullError("full"), Unavailable),
        (apsw.IOError("io"), Unavailable),
        (apsw.NoMemError("memory"), Unavailable),
        (MemoryError(), Unavailable),
        (apsw.CorruptError("malformed"), Fault),
        (apsw.NotADBError("not a database"), Fault),
        (apsw.SQLError("no such table"), Fault),
        (apsw.ConstraintError("unique"), Fault),
        (apsw.ReadOnlyError("read only"), Refused),
        (apsw.CantOpenError("cannot open"), NotFound),
        (apsw.TooBigError("too big"), InvalidInput),
        (OverflowError("too large"), InvalidInput),
    ],
)
def test_every_failure_of_sqlite_says_what_to_do(failure: Exception, ours: type[KnowwhyError]) -> None:
    error = translated(failure, "memory.db")
    assert type(error) is ours
    assert error.message.endswith(".")
    assert "retry_after" in error.details or ours is not Unavailable


def test_halves_of_characters_are_refused_and_nothing_is_written(store: SqliteStore) -> None:
    work = fill(store)
    ground = evidence("half a character: \ud83d")
    with pytest.raises(InvalidInput, match="half of a character"):
        work.commit(work.observation([ground], [claim(ground, slot("thing 1"), "1 francs")]))
    with store.snapshot("default") as snapshot:
        assert snapshot.head().sequence == 1
        assert snapshot.names(["\ud83d"]) == {}
    assert store.problems("default") == []


def test_damage_is_reported(store: SqliteStore, path: str) -> None:
    fill(store, 400)
    store.close()
    page = raw(path, "SELECT rootpage FROM sqlite_schema WHERE name = 'claims_by_id'")[0][0]
    assert isinstance(page, int)
    with Path(path).open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xff" * 4096)
    kept = SqliteStore(path)
    assert any("damaged" in problem for problem in kept.problems("default"))
    with pytest.raises(Fault, match="restore"), kept.snapshot("default") as snapshot:
        snapshot.claims(["cl_1"])
    kept.close()


@pytest.mark.parametrize(
    ("harm", "problem"),
    [
        ("DELETE FROM evidence WHERE number = 1", "rests on evidence number 1, which is not on record"),
        ("DELETE FROM entities WHERE number = 1", "is about entity number 1, which is not on record"),
        ("DELETE FROM names", "has no name of its own"),
        ("DELETE FROM sources", "comes from source number 1"),
        ("DELETE FROM slots WHERE number = 2", "is about slot number 2"),
        ("DELETE FROM claims WHERE number = 3", "has no claim to rest on"),
        ("DELETE FROM operations WHERE sequence = 1", "Of 2 operations, 1 are on record"),
        ("DELETE FROM beliefs", "neither a belief nor evidence"),
        ("DELETE FROM postings WHERE rowid = (1 << 40) + 1", "in no posting list"),
        ("UPDATE documents SET length = 9 WHERE number = 1", "were counted"),
    ],
)
def test_what_is_missing_is_reported(store: SqliteStore, path: str, harm: str, problem: str) -> None:
    fill(store).commit(bare())
    assert store.problems("default") == []
    raw(path, harm)
    found = store.problems("default")
    assert any(problem in one for one in found), found
    assert store.problems("other") == []


def test_an_alias_may_come_before_its_entity(store: SqliteStore) -> None:
    entity = Entity("en_1", "Order")
    work = Workload(store)
    store.commit("default", replace(work.naming(entity, "Bestellung"), entities=()))
    assert "stands for entity en_1" in store.problems("default")[0]
    store.commit("default", Batch(bare().operation, entities=(entity,)))
    with store.snapshot("default") as snapshot:
        assert snapshot.names(["bestellung"]) == {"bestellung": [entity]}
    assert store.problems("default") == []


# Keys and plans ---------------------------------------------------------------------------------


def test_every_key_and_index_begins_with_the_space(store: SqliteStore, path: str) -> None:
    fill(store)
    tables = raw(
        path,
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        " AND name NOT LIKE 'postings%' AND name NOT IN ('vocabulary', 'spaces')",
    )
    assert len(tables) == 15
    for (table,) in tables:
        columns = raw(path, f"PRAGMA table_info({table})")
        assert [name for _, name, *_, key in columns if key == 1] == ["space"], table
        for _, name, *_ in raw(path, f"PRAGMA index_list({table})"):
            assert raw(path, f"PRAGMA index_info({name})")[0][2] == "space", name


@contextmanager
def statements() -> Iterator[dict[str, object]]:
    """Collect the statements that new connections execute, each with what was bound last."""
    seen: dict[str, object] = {}

    def note(_cursor: apsw.Cursor, sql: str, bindings: object) -> bool:
        seen[sql] = bindings
        return True

    def hook(connection: apsw.Connection) -> None:
        connection.set_exec_trace(note)

    apsw.connection_hooks.append(hook)
    try:
        yield seen
    finally:
        apsw.connection_hooks.remove(hook)


def read_all(snapshot: Snapshot, belief: Belief) -> None:
    """Ask everything that can be asked."""
    about, subject = belief.slot, belief.slot.subject.id
    snapshot.operations(key="k", sequences=[1], before=5, limit=2)
    snapshot.operations(sequences=[1])
    snapshot.declared(Attribute, ["price"])
    snapshot.sources(["handbook"])
    snapshot.names(["order"])
    snapshot.entities([subject])
    snapshot.evidence(ids=["ev_1"], contents=["ct_1"])
    snapshot.testimonies([ContestKey(about.id), ContestKey(about.id, belief.value.key)])
    snapshot.claims(["cl_1", "ev_1"])
    snapshot.search(["thing", "francs", "77"], 5)
    for wanted in (
        BeliefFilter(ids=[belief.id]),
        BeliefFilter(contests=[ContestKey(about.id)]),
        BeliefFilter(contests=[ContestKey(about.id, belief.value.key)]),
        BeliefFilter(subjects=[subject]),
        BeliefFilter(subjects=[subject], attribute=about.attribute),
        BeliefFilter(subjects=[subject], values=[belief.value.key], statuses=[Status.ACCEPTED]),
        BeliefFilter(attribute=about.attribute),
        BeliefFilter(values=[entity_value("en_1", "one").key]),
        BeliefFilter(statuses=[Status.CONTESTED]),
        BeliefFilter(statuses=[Status.CONTESTED, Status.CHALLENGER], limit=5),
        BeliefFilter(evidence=["ev_1"]),
    ):
        snapshot.beliefs(wanted)


def test_no_statement_reads_more_than_it_was_asked_for(path: str) -> None:
    with statements() as seen:
        kept = SqliteStore(path)
        seen.clear()
        fill(kept)
        fill(kept, space="other")
        with kept.snapshot("default") as snapshot:
            (belief, *_) = snapshot.beliefs(BeliefFilter(subjects=[slot("thing 1").subject.id]))
            read_all(snapshot, belief)
        work = Workload(kept)
        work.commit(work.withdrawal(evidence("thing 1 costs 1 francs").id))
        kept.close()
    connection = connected(path, Settings()).connection
    read = {sql: bindings for sql, bindings in seen.items() if re.match("SELECT|UPDATE|DELETE", sql)}
    assert len(read) > 30
    for sql, bindings in read.items():
        plan = connection.execute(f"EXPLAIN QUERY PLAN {sql}", bindings).fetchall()  # type: ignore[arg-type]
        for step in (str(row[3]) for row in plan):
            if "VIRTUAL TABLE" not in step and "SEARCH spaces" not in step:
                assert not re.match("SCAN (?!CONSTANT|p$)", step), (sql, step)
                assert not step.startswith("SEARCH") or re.search(r"\(space=\? AND \w+[=<>]", step), (
                    sql,
                    step,
                )
    connection.close()
