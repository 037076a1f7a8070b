"""What keeps the spaces of one database apart: every statement by itself, and the policies behind it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final

import psycopg
import pytest

import knowwhy
from knowwhy.core.model import Evidence
from knowwhy.core.revision import ContestKey
from knowwhy.store.postgres import PostgresStore
from knowwhy.store.postgres.adapting import number_of
from knowwhy.store.protocol import BeliefFilter
from knowwhy.testing.records import claim, evidence
from knowwhy.testing.suite.opening import state
from tests.servers import server
from tests.unit.test_postgres_plans import OPENING, fill, read_all, statements, thing

# What a table is called in a statement: FROM claims AS c, UPDATE documents AS d, DELETE FROM names, …
_TABLES: Final = (
    "operations|declarations|entities|names|sources|evidence|slots|claims|links|decisions|retractions"
    "|beliefs|documents|postings|vectors|audits|spaces"
)
_NAMED: Final = re.compile(rf"(?:FROM|JOIN|UPDATE|USING|,(?=\s+\w+ AS))\s+({_TABLES})\b(?:\s+AS\s+(\w+))?")
_BOUND: Final = re.compile(r"(?:\b(\w+)\.)?\bspace = %s")
_JOINED: Final = re.compile(r"\b(\w+)\.space = (\w+)\.space\b")
# Rows that are put together first, each with the space.
_MADE: Final = re.compile(r"\(SELECT %s::bigint AS space, .*\) AS (\w+)\b")
# Rows of a table that go by another name outside of a subquery.
_PASSED_ON: Final = re.compile(r"\(SELECT (\w+)\.\* FROM [^()]*\) AS (\w+)\b")
_INSERTED: Final = re.compile(rf"INSERT INTO (?:{_TABLES}) \(space, [^)]*\)\s+(?:SELECT %s,|VALUES \(%s,)")


def loose_ends(sql: str) -> set[str]:
    """The tables of a statement whose space is neither bound nor that of a table whose space is."""
    named = _NAMED.findall(sql)
    called = {alias or table for table, alias in named}
    # A condition that names no table is about the one that has no other name.
    plain = [table for table, alias in named if not alias]
    held = {alias or "".join(plain) for alias in _BOUND.findall(sql)}
    held |= set(made := _MADE.findall(sql))
    pairs = [*_JOINED.findall(sql), *_PASSED_ON.findall(sql)]
    while more := {one for pair in pairs for one in pair if held.intersection(pair) and one not in held}:
        held |= more
    is_made = any(f" SELECT {one}.*" in sql for one in made)
    if sql.startswith("INSERT INTO") and not is_made and not _INSERTED.search(sql):
        called.add("the table inserted into")
    return called - held


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1 FROM claims AS c JOIN evidence AS e ON e.number = c.evidence WHERE c.space = %s",
        "SELECT 1 FROM claims AS c, evidence AS e WHERE e.space = %s",
        "DELETE FROM postings USING unnest(%s::text[]) AS j(term) WHERE term = j.term",
        "INSERT INTO links (premise, space) VALUES (%s, %s)",
    ],
)
def test_a_statement_that_reaches_over_spaces_would_be_noticed(sql: str) -> None:
    assert loose_ends(sql)


def live(store: PostgresStore, memory: knowwhy.Memory) -> None:
    """Ask a store, and a memory of the same space, all that they can be asked."""
    work = fill(store, "default", 12)
    with store.snapshot("default") as snapshot:
        (belief, *_) = snapshot.beliefs(BeliefFilter(subjects=[thing(10).subject.id]))
        read_all(snapshot, belief)
    ground = evidence("thing 9 costs 8 francs now")
    resting = replace(claim(ground, thing(9), "8 francs"), depends_on=(thing(8).id,))
    work.commit(work.observation([ground], [resting], key="k"))
    work.commit(work.withdrawal(ground.id))
    work.commit(work.decision([ContestKey(thing(9).id)]))
    store.replace_views("default", list(_views(store)))
    store.drop("default", [ground.id], 3)
    said = memory.observe(
        "Orders may be returned within 15 days.", source="ann", claims=[("order", "days", 15)]
    )
    memory.alias("purchase", "order")
    memory.fork("if").observe(source="bob", claims=[("order", "colour", "red")])
    memory.on("if").ask("order")
    memory.recall("how many days")
    memory.history("order", "days")
    memory.why("order", "days")
    memory.conflicts()
    memory.sources()
    memory.retract(said.evidence[0])
    memory.undo(memory.log(limit=1)[0].operation.sequence)
    memory.merge("if")
    memory.learn()
    memory.vacuum("2001-01-01")
    memory.rebuild()


def _views(store: PostgresStore) -> Iterator[Any]:
    with store.snapshot("default") as snapshot:
        yield from list(snapshot.views())


@pytest.fixture
def url() -> str:
    return server().fresh()


def test_every_table_of_every_statement_is_held_to_one_space(url: str) -> None:
    store = PostgresStore(url)
    with statements() as seen, knowwhy.open(url, space="default") as memory:
        live(store, memory)
    store.close()
    asked = [sql for sql in seen if not OPENING.match(sql) and re.search(rf"\b(?:{_TABLES})\b", sql)]
    assert len(asked) > 60
    assert {sql: loose for sql in asked if (loose := loose_ends(sql))} == {}


def test_no_statement_binds_two_spaces(url: str) -> None:
    store = PostgresStore(url)
    own, other = number_of("default"), number_of("other")
    fill(store, "other", 3)
    with statements() as seen:
        fill(store, "default", 12)
        with store.snapshot("default") as snapshot:
            (belief, *_) = snapshot.beliefs(BeliefFilter(subjects=[thing(10).subject.id]))
            read_all(snapshot, belief)
    store.close()
    for sql, bindings in seen.items():
        if OPENING.match(sql) or not bindings:
            continue
        assert other not in bindings, sql
        assert own in bindings, sql


# Without the policies ---------------------------------------------------------------------------


@contextmanager
def above_the_policies(url: str) -> Iterator[PostgresStore]:
    """A store whose user stands above row-level security, so that only its statements keep spaces apart."""
    name = str(psycopg.conninfo.conninfo_to_dict(url)["dbname"])
    store = PostgresStore(server().url(name, as_admin=True))
    yield store
    store.close()


def test_spaces_with_the_same_records_keep_apart_without_the_policies(url: str) -> None:
    """Ids are hashes of contents, so two spaces may share all of them: no statement may mix them up."""
    with above_the_policies(url) as store, above_the_policies(server().fresh()) as alone:
        for each in (store, alone):
            fill(each, "here", 12)
        fill(store, "there", 12)
        assert state(store, "here") == state(alone, "here")
        before = state(store, "there")
        for each in (store, alone):
            _change(each, "here")
        assert state(store, "here") == state(alone, "here")
        assert state(store, "there") == before
        assert store.problems("here") == store.problems("there") == []


def _change(store: PostgresStore, space: str) -> None:
    """Write all that can be written to a space."""
    work = fill(store, space, 0)
    (item, *_) = _evidence_ids(store, space)
    work.commit(work.withdrawal(item))
    work.commit(work.naming(thing(4).subject, "the second"))
    work.commit(work.unnaming(thing(1).subject, "the first"))
    work.commit(work.decision([ContestKey(thing(9).id)]))
    store.drop(space, [item], 3)
    with store.snapshot(space) as snapshot:
        views = list(snapshot.views())
    store.replace_views(space, views)


def _evidence_ids(store: PostgresStore, space: str) -> Sequence[str]:
    with store.snapshot(space) as snapshot:
        return [one.id for one in snapshot.every(Evidence)]


# A user who is not the owner --------------------------------------------------------------------


def test_a_role_that_owns_nothing_sees_one_space_and_without_its_name_none(url: str) -> None:
    made = server()
    role = f"{made.name}_guest"
    name = str(psycopg.conninfo.conninfo_to_dict(url)["dbname"])
    store = PostgresStore(url)
    fill(store, "here", 3)
    fill(store, "there", 5)
    store.close()
    made.execute("CREATE ROLE {} LOGIN PASSWORD 'none'", role)
    try:
        with psycopg.connect(made.url(name, as_admin=True)) as granting:
            granting.execute(f'GRANT USAGE ON SCHEMA knowwhy TO "{role}"')
            granting.execute(
                f'GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA knowwhy TO "{role}"'
            )
        guest = url.replace(f"{made.role}:no%20secret", f"{role}:none")
        with psycopg.connect(guest) as connection:
            connection.execute("SET search_path = knowwhy")
            tables = [
                table
                for (table,) in connection.execute(
                    "SELECT table_name FROM information_schema.columns"
                    " WHERE table_schema = 'knowwhy' AND column_name = 'space'"
                ).fetchall()
            ]
            assert len(tables) == len(_TABLES.split("|"))
            # No space named, an empty name, and a setting that was used before and is reset.
            for setting in (None, ""):
                if setting is not None:
                    connection.execute("SELECT set_config('knowwhy.space', %s, true)", (setting,))
                for table in tables:
                    assert _count(connection, table) == 0, table
            for space, claims in (("here", 6), ("there", 10)):
                connection.execute("SELECT set_config('knowwhy.space', %s, true)", (str(number_of(space)),))
                assert _count(connection, "claims") == claims
                for table in tables:
                    spaces = connection.execute(f"SELECT DISTINCT space FROM {table}").fetchall()  # noqa: S608
                    assert spaces in ([], [(number_of(space),)]), table
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute("ALTER TABLE claims DISABLE ROW LEVEL SECURITY")
    finally:
        made.drop(url)
        made.execute("DROP ROLE {}", role)


def _count(connection: psycopg.Connection[Any], table: str) -> int:
    ((found,),) = connection.execute(f"SELECT count(*) FROM {table}").fetchall()  # noqa: S608
    return int(found)
