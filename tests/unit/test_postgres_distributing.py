"""Spreading memories over a cluster: what is asked of Citus, which is not to be had here, and in what order.

In its place functions of the same names note what they are asked for. Whether a real cluster does it is for
those to see who have one: `knowwhy admin distribute` there, and the store's suite against its coordinator.
"""

from __future__ import annotations

import psycopg
import pytest

import knowwhy
from knowwhy.store.postgres import PostgresStore
from knowwhy.store.postgres.distributing import distribute, plan
from tests.servers import server
from tests.surfaces.program import run
from tests.unit.test_postgres_plans import fill

CITUS = """
CREATE TABLE public.asked (number serial, what text, references_left bigint);
CREATE FUNCTION public.note(what text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO public.asked (what, references_left) SELECT $1, count(*) FROM pg_constraint
  WHERE contype = 'f' AND connamespace = 'knowwhy'::regnamespace $$;
CREATE FUNCTION public.create_reference_table(named regclass) RETURNS void LANGUAGE sql AS
  $$ SELECT public.note('everywhere ' || named) $$;
CREATE FUNCTION public.create_distributed_table(
  named regclass, distributed_by text, colocate_with text DEFAULT 'default', shard_count int DEFAULT NULL
) RETURNS void LANGUAGE sql AS
  $$ SELECT public.note(format('%s by %s with %s in %s', named, distributed_by, colocate_with, shard_count))
  $$;
"""
SHAPE = (
    "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint"
    " WHERE connamespace = 'knowwhy'::regnamespace ORDER BY 1"
)


@pytest.fixture
def url() -> str:
    made = server().fresh()
    PostgresStore(made).close()
    return made


def database(url: str) -> str:
    return str(psycopg.conninfo.conninfo_to_dict(url)["dbname"])


def raw(url: str, statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(server().url(database(url), as_admin=True)) as connection:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []


def test_all_tables_are_spread_by_space_and_lie_together(url: str) -> None:
    raw(url, CITUS)
    before = raw(url, SHAPE)
    # As the settings of an extension that is not there are for superusers alone.
    statements = distribute(server().url(database(url), as_admin=True), 32)
    asked = raw(url, "SELECT what, references_left FROM public.asked ORDER BY number")
    found = raw(url, "SELECT tablename FROM pg_tables WHERE schemaname = 'knowwhy'")
    tables = {str(name) for (name,) in found} - {"formats", "spaces"}
    first, spaces, *others = [str(what) for what, _ in asked]
    assert first == "everywhere knowwhy.formats"
    assert spaces == "knowwhy.spaces by space with default in 32"
    assert {one.partition(" ")[0].removeprefix("knowwhy.") for one in others} == tables - {
        "formats",
        "spaces",
    }
    assert all(one.endswith(" by space with knowwhy.spaces in ") for one in others)
    # References stand in the way until all lie together, and are back afterwards.
    assert {left for _, left in asked} == {0}
    assert raw(url, SHAPE) == before
    assert statements == plan(url, 32)
    store = PostgresStore(url)
    fill(store, "default", 3)
    assert store.problems("default") == []
    store.close()
    server().drop(url)


def test_a_plan_changes_nothing_and_is_printed(url: str) -> None:
    before = raw(url, SHAPE)
    told = run("admin", "distribute", url, "--dry-run", "--shards", "128")
    assert told.code == 0
    assert "shard_count => 128" in told.out
    assert run("admin", "distribute", url, "--dry-run", "--json").document["done"] is False
    assert raw(url, SHAPE) == before


def test_what_is_no_cluster_is_left_as_it_is(url: str) -> None:
    before = raw(url, SHAPE)
    told = run("admin", "distribute", url)
    assert told.code == 7
    assert "no Citus cluster" in told.err
    assert raw(url, SHAPE) == before
    assert run("admin", "distribute", "shop.db").code == 7
    with pytest.raises(knowwhy.InvalidInput, match="at least 1 shard"):
        plan(url, 0)
    with pytest.raises(knowwhy.InvalidInput, match="no memories"):
        plan(server().empty())
