"""What is particular to memories on PostgreSQL; what every store must do is in tests/conformance."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import psycopg
import pytest

import knowwhy
from knowwhy.core.model import Entity
from knowwhy.errors import (
    Fault,
    InvalidInput,
    KnowwhyError,
    NewerFormat,
    NotFound,
    Refused,
    Unavailable,
    Unsupported,
)
from knowwhy.store.postgres import PostgresStore, session
from knowwhy.store.postgres.adapting import number_of
from knowwhy.store.postgres.address import Address
from knowwhy.store.postgres.faults import translated
from knowwhy.store.postgres.opening import Migration, shipped
from knowwhy.store.protocol import Batch
from knowwhy.testing.records import claim, evidence, slot
from knowwhy.testing.suite.committing import bare
from knowwhy.testing.workload import Workload
from tests.servers import server

NEXT = Migration(2, "CREATE TABLE later (space bigint, note text); INSERT INTO later VALUES (1, 'new')")
BROKEN = Migration(2, "CREATE TABLE later (space bigint); INSERT INTO nowhere VALUES (1)")
SHAPE = "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'knowwhy'"


@pytest.fixture
def url() -> str:
    return server().fresh()


@pytest.fixture
def store(url: str) -> Iterator[PostgresStore]:
    kept = PostgresStore(url)
    yield kept
    kept.close()


def fill(store: PostgresStore, things: int = 3, space: str = "default") -> Workload:
    """Write a claim about each of some things, in one batch."""
    work = Workload(store, space)
    grounds = [evidence(f"thing {number} costs {number} francs") for number in range(things)]
    read = [claim(one, slot(f"thing {number}"), f"{number} francs") for number, one in enumerate(grounds)]
    work.commit(work.observation(grounds, read))
    return work


def raw(url: str, *statements: str, as_admin: bool = False) -> list[tuple[Any, ...]]:
    """What the server itself answers, to the role of the tests or to one above all policies."""
    if as_admin:
        url = server().url(str(psycopg.conninfo.conninfo_to_dict(url)["dbname"]), as_admin=True)
    found: list[tuple[Any, ...]] = []
    with psycopg.connect(url) as connection:
        connection.execute("SET search_path = knowwhy, public")
        for statement in statements:
            cursor = connection.execute(statement)
            found = cursor.fetchall() if cursor.description else []
    return found


# Databases and formats --------------------------------------------------------------------------


def test_migrations_are_numbered_from_one_without_gaps() -> None:
    assert [one.number for one in shipped()] == list(range(1, len(shipped()) + 1))


def test_an_empty_database_becomes_a_memory_and_says_of_which_format() -> None:
    url = server().empty()
    kept = PostgresStore(url)
    fill(kept)
    kept.close()
    assert raw(url, "SELECT max(number) FROM formats") == [(shipped()[-1].number,)]
    assert raw(url, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == [(0,)]


def test_older_tables_are_brought_up_to_date_with_all_that_is_in_them(url: str) -> None:
    old = PostgresStore(url)
    fill(old)
    old.close()
    newer = PostgresStore(url, migrations=[*shipped(), NEXT])
    with newer.snapshot("default") as snapshot:
        assert snapshot.counts()["claims"] == 3
    newer.close()
    assert raw(url, "SELECT note FROM later") == [("new",)]
    PostgresStore(url, migrations=[*shipped(), NEXT]).close()
    assert raw(url, "SELECT count(*) FROM later") == [(1,)]
    assert raw(url, "SELECT number FROM formats ORDER BY number") == [(1,), (2,)]


def test_a_migration_that_fails_leaves_the_tables_as_they_were(url: str) -> None:
    old = PostgresStore(url)
    fill(old)
    old.close()
    before = raw(url, SHAPE)
    with pytest.raises(Fault):
        PostgresStore(url, migrations=[*shipped(), BROKEN])
    assert raw(url, SHAPE) == before
    again = PostgresStore(url)
    with again.snapshot("default") as snapshot:
        assert snapshot.counts()["claims"] == 3
    again.close()


def test_a_newer_format_is_refused_untouched(url: str) -> None:
    PostgresStore(url, migrations=[*shipped(), NEXT]).close()
    with pytest.raises(NewerFormat, match=r"format 2, this one knows 1.*Upgrade"):
        PostgresStore(url)


def test_a_store_that_was_overtaken_by_an_upgrade_writes_no_more(url: str) -> None:
    old = PostgresStore(url)
    fill(old)
    PostgresStore(url, migrations=[*shipped(), NEXT]).close()
    with pytest.raises(NewerFormat):
        old.commit("default", bare())
    with pytest.raises(NewerFormat):
        old.replace_views("default", [])
    old.close()


def test_several_may_open_an_empty_database_at_once() -> None:
    url = server().empty()
    opened: list[PostgresStore] = []
    threads = [threading.Thread(target=lambda: opened.append(PostgresStore(url))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.commit("default", bare()).sequence for one in opened] == [1, 2, 3, 4]
    for one in opened:
        one.close()


def test_the_tables_of_another_program_are_left_alone() -> None:
    url = server().empty()
    raw(url, "CREATE SCHEMA knowwhy", "CREATE TABLE knowwhy.claims (id text)")
    with pytest.raises(InvalidInput, match="not a memory of knowwhy"):
        PostgresStore(url)
    assert raw(url, SHAPE) == [("claims", "id")]


def test_a_schema_made_beforehand_will_do() -> None:
    url = server().empty()
    raw(url, "CREATE SCHEMA knowwhy")
    PostgresStore(url).close()


def test_a_database_of_another_encoding_is_refused() -> None:
    made = server()
    made.execute("DROP DATABASE IF EXISTS {}", f"{made.name}_latin")
    made.execute(
        "CREATE DATABASE {} TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'",
        f"{made.name}_latin",
    )
    try:
        with pytest.raises(Unsupported, match="UTF8"):
            PostgresStore(made.url(f"{made.name}_latin"))
    finally:
        made.execute("DROP DATABASE {}", f"{made.name}_latin")


# Addresses --------------------------------------------------------------------------------------


def test_a_memory_is_opened_by_its_address(url: str) -> None:
    with knowwhy.open(url) as memory:
        memory.observe("It costs 7.", source="Ann", claims=[("tea", "price", 7)])
    with knowwhy.open(url.replace("postgresql://", "postgres://"), space="other") as memory:
        assert memory.ask("tea").is_unknown
    with knowwhy.open(url) as memory:
        assert memory.ask("tea", "price").value == "7"
        assert memory.doctor().is_healthy


def test_a_database_that_is_not_there_is_named() -> None:
    with pytest.raises(NotFound, match="no_such_place"):
        PostgresStore(server().url("no_such_place"))


def test_a_server_that_is_not_there_is_told_of(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.getbasetemp()
    with pytest.raises(Unavailable, match="cannot be reached") as refusal:
        PostgresStore(f"postgresql://me:secret@/shop?host={folder}")
    assert refusal.value.details["retry_after"] == 1.0
    assert "secret" not in str(refusal.value.as_dict())


@pytest.mark.parametrize("address", ["postgresql://me:secret@[host/shop", "postgresql://me:secret@h/s?x=1"])
def test_an_address_that_cannot_be_read_is_not_repeated(address: str) -> None:
    with pytest.raises(InvalidInput, match="postgresql://user@host") as refusal:
        PostgresStore(address)
    assert "secret" not in str(refusal.value.as_dict())


def test_an_address_is_shown_without_its_password() -> None:
    read = Address.read("postgresql://me:secret@db.example:5433/shop?application_name=till")
    assert read.place == "postgresql://db.example:5433/shop"
    assert "application_name" not in read.settings


def test_who_may_not_make_tables_is_told(url: str) -> None:
    made, role = server(), f"{server().name}_other"
    made.execute("CREATE ROLE {} LOGIN PASSWORD 'none'", role)
    other = made.empty()
    try:
        with pytest.raises(Refused, match="role and grants"):
            PostgresStore(other.replace(f"{made.role}:no%20secret", f"{role}:none"))
        # Once the owner has made the tables and granted their use, this role may remember and recall.
        raw(
            url,
            f'GRANT USAGE ON SCHEMA knowwhy TO "{role}"',
            f'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA knowwhy TO "{role}"',
        )
        kept = PostgresStore(url.replace(f"{made.role}:no%20secret", f"{role}:none"))
        fill(kept, 800)
        with kept.snapshot("default") as snapshot:
            assert snapshot.counts()["claims"] == 800
        kept.close()
    finally:
        for database in (other, url):
            made.drop(database)
        made.execute("DROP ROLE {}", role)


WITHOUT_DRIVER = """
import sys
sys.modules["psycopg"] = None
import knowwhy
with knowwhy.open() as memory:
    memory.observe("Hello.", source="Ann")
try:
    knowwhy.open("postgresql://here/shop")
except knowwhy.Unsupported as refusal:
    print(refusal)
"""


def test_without_the_driver_the_extra_is_named_and_files_work() -> None:
    told = subprocess.run([sys.executable, "-c", WITHOUT_DRIVER], capture_output=True, text=True, check=True)
    assert "pip install 'knowwhy[postgres]'" in told.stdout


def test_the_driver_is_not_loaded_for_files() -> None:
    script = "import knowwhy, sys; knowwhy.open().close(); print('psycopg' in sys.modules)"
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert told.stdout == "False\n"


# The second wall --------------------------------------------------------------------------------


def in_space(space: str) -> str:
    return f"SELECT set_config('knowwhy.space', '{number_of(space)}', true)"


def test_a_query_without_a_condition_sees_one_space_alone(store: PostgresStore, url: str) -> None:
    fill(store)
    fill(store, 5, "other")
    assert raw(url, in_space("default"), "SELECT count(*) FROM beliefs") == [(3,)]
    assert raw(url, in_space("other"), "SELECT count(*) FROM claims") == [(5,)]
    assert raw(url, in_space("other"), "SELECT name FROM spaces") == [("other",)]
    assert raw(url, "SELECT count(*) FROM evidence") == [(0,)]
    # Superusers stand above all policies: no memory should be opened as one.
    assert raw(url, "SELECT count(*) FROM beliefs", as_admin=True) == [(8,)]


def test_a_statement_without_a_condition_changes_one_space_alone(store: PostgresStore, url: str) -> None:
    fill(store)
    fill(store, 5, "other")
    raw(url, in_space("other"), "UPDATE beliefs SET version = 9", "DELETE FROM postings")
    assert raw(url, "SELECT count(*) FROM beliefs WHERE version = 9", as_admin=True) == [(5,)]
    assert store.problems("default") == []
    assert store.problems("other") != []


def test_nothing_is_written_into_another_space(store: PostgresStore, url: str) -> None:
    fill(store)
    statement = f"INSERT INTO postings SELECT {number_of('other')}, 'term', 1"
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
        raw(url, in_space("default"), statement)


def test_every_table_of_a_space_has_the_wall_and_its_owner_no_door(url: str) -> None:
    tables = raw(
        url,
        "SELECT c.relname, c.relrowsecurity, c.relforcerowsecurity, p.polcmd,"
        " pg_get_expr(p.polqual, c.oid) FROM pg_class AS c LEFT JOIN pg_policy AS p ON p.polrelid = c.oid"
        " WHERE c.relkind = 'r' AND c.relnamespace = 'knowwhy'::regnamespace AND EXISTS (SELECT 1"
        " FROM pg_attribute AS a WHERE a.attrelid = c.oid AND a.attname = 'space')",
    )
    assert len(tables) == 17
    assert {(is_on, is_forced, acts) for _, is_on, is_forced, acts, _ in tables} == {(True, True, "*")}
    assert all("current_setting('knowwhy.space'" in expression for *_, expression in tables)


# Commits ----------------------------------------------------------------------------------------


def test_a_commit_is_durable_also_where_the_server_would_not_wait(url: str) -> None:
    raw(url, f'ALTER ROLE "{server().role}" SET synchronous_commit = off')
    try:
        other = PostgresStore(url)
        with other._connections.writing("default") as session:  # noqa: SLF001
            assert session.rows("SHOW synchronous_commit") == [("on",)]
        other.close()
    finally:
        raw(url, f'ALTER ROLE "{server().role}" RESET synchronous_commit')


def test_writers_of_one_space_wait_and_those_of_others_do_not(store: PostgresStore) -> None:
    fill(store)
    with store._connections.writing("default"):  # noqa: SLF001
        assert store.commit("other", bare()).sequence == 1
        writer = threading.Thread(target=store.commit, args=("default", bare()))
        writer.start()
        writer.join(0.3)
        assert writer.is_alive()
    writer.join(30)
    with store.snapshot("default") as snapshot:
        assert snapshot.head().sequence == 2


def test_a_writer_that_does_not_end_is_told_of(store: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(store)
    monkeypatch.setattr(session, "_WRITE", session._WRITE.replace("'30s'", "'50ms'"))  # noqa: SLF001
    with store._connections.writing("default"):  # noqa: SLF001
        with pytest.raises(Unavailable, match="Try again") as refusal:
            store.commit("default", bare())
        assert refusal.value.details["retry_after"] == 1.0
    assert store.commit("default", bare()).sequence == 2


def test_figures_are_looked_at_as_a_space_grows(store: PostgresStore, url: str) -> None:
    fill(store, 100)
    known = "SELECT reltuples >= 1000 FROM pg_class WHERE oid = 'knowwhy.documents'::regclass"
    assert raw(url, known) == [(False,)]
    fill(store, 600, "other")
    assert raw(url, known) == [(True,)]


def test_two_names_of_one_number_are_refused(store: PostgresStore, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("session", "spaces"):
        monkeypatch.setattr(f"knowwhy.store.postgres.{module}.number_of", lambda _name: 7)
    store.commit("one", bare())
    with pytest.raises(Fault, match="same number"):
        store.commit("two", bare())
    with pytest.raises(Fault, match="same number"), store.snapshot("two"):
        pass


# Errors and damage ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("failure", "ours"),
    [
        (psycopg.errors.LockNotAvailable("lock timeout"), Unavailable),
        (psycopg.errors.QueryCanceled("canceled"), Unavailable),
        (psycopg.errors.DiskFull("full"), Unavailable),
        (psycopg.errors.TooManyConnections("many"), Unavailable),
        (psycopg.errors.IoError("io"), Unavailable),
        (psycopg.errors.ReadOnlySqlTransaction("standby"), Unavailable),
        (psycopg.OperationalError("connection refused"), Unavailable),
        (MemoryError(), Unavailable),
        (psycopg.errors.DataCorrupted("page"), Fault),
        (psycopg.errors.UndefinedTable("no such table"), Fault),
        (psycopg.errors.UniqueViolation("unique"), Fault),
        (psycopg.errors.InsufficientPrivilege("denied"), Refused),
        (psycopg.errors.InvalidPassword("password"), Refused),
        (psycopg.OperationalError('role "x": password authentication failed'), Refused),
        (psycopg.errors.InvalidCatalogName("no database"), NotFound),
        (psycopg.OperationalError('database "shop" does not exist'), NotFound),
        (psycopg.errors.ProgramLimitExceeded("index row size"), InvalidInput),
        (psycopg.errors.NumericValueOutOfRange("bigint out of range"), InvalidInput),
        (psycopg.DataError("NUL"), InvalidInput),
        (OverflowError("too large"), InvalidInput),
    ],
)
def test_every_failure_of_the_server_says_what_to_do(failure: Exception, ours: type[KnowwhyError]) -> None:
    error = translated(failure, "postgresql://here/shop")
    assert type(error) is ours
    assert error.message.endswith(".")
    assert "retry_after" in error.details or ours is not Unavailable


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
        ("DELETE FROM postings WHERE document = 1", "0 are in posting lists"),
        ("DELETE FROM documents WHERE number = 1", "The posting list of"),
        ("UPDATE documents SET terms = terms || E'\\nx' WHERE number = 1", "were counted"),
    ],
)
def test_what_is_missing_is_reported(store: PostgresStore, url: str, harm: str, problem: str) -> None:
    fill(store).commit(bare())
    assert store.problems("default") == []
    # What the references between tables forbid happens all the same, as on a damaged disk.
    raw(url, "SET session_replication_role = replica", harm, as_admin=True)
    found = store.problems("default")
    assert any(problem in one for one in found), found
    assert store.problems("other") == []


def test_what_is_referred_to_cannot_be_deleted(store: PostgresStore, url: str) -> None:
    fill(store)
    for table in ("entities", "sources", "evidence", "slots"):
        with pytest.raises(psycopg.errors.ForeignKeyViolation):
            raw(url, in_space("default"), f"DELETE FROM {table}")  # noqa: S608 - our own


def test_an_alias_may_come_before_its_entity(store: PostgresStore) -> None:
    entity = Entity("en_1", "Order")
    work = Workload(store)
    store.commit("default", replace(work.naming(entity, "Bestellung"), entities=()))
    assert "stands for entity en_1" in store.problems("default")[0]
    store.commit("default", Batch(bare().operation, entities=(entity,)))
    with store.snapshot("default") as snapshot:
        assert snapshot.names(["bestellung"]) == {"bestellung": [entity]}
    assert store.problems("default") == []
