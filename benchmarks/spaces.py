"""What a call costs as the number of spaces on one PostgreSQL server grows.

    python benchmarks/spaces.py [--counts 10 1000 10000] [--beliefs 10] [--buffers 2GB] [--json FILE]

Makes a database for each count, filled with so many spaces of the same small memory, and measures ask, recall
and observe on all of them in turn: on ten spaces in use, spread over the tables, and on spaces drawn by
chance from all, each of which is then cold for the store and, where they are many, for the server.
Filling goes by a copy of one space's rows, all calls by the public API. The server keeps 128 MB of pages as
it comes; with `--buffers` as many as it is told, so that what is cold for the store alone can be told apart.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import psycopg
from timing import Operation, growth, in_turn, machine

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # a script that is run by its path sees no tests

import knowwhy
from knowwhy.engine.clock import system_clock
from knowwhy.engine.memory import Memory
from knowwhy.engine.space import Space
from knowwhy.store.postgres import PostgresStore
from knowwhy.store.postgres.adapting import number_of
from tests import servers

PAIRS: Final = 30
BLOCK: Final = 8
# How many spaces are worked with at a time, as by one process that serves some users.
IN_USE: Final = 10
# What is drawn comes first and only reads: writing to ten of ten spaces would make these larger than others.
ACTS: Final = {"drawn": ("ask", "recall"), "in use": ("ask", "recall", "observe")}

# The tables that hold a space's rows, those first that others refer to.
TABLES: Final = (
    "spaces", "operations", "declarations", "entities", "names", "sources", "evidence", "slots", "claims",
    "links", "decisions", "retractions", "beliefs", "documents", "postings", "vectors", "audits",
)  # fmt: skip


def name_of(number: int) -> str:
    """The name of a space."""
    return f"tenant {number}"


def found(address: str, beliefs: int) -> None:
    """The first space, through the public API."""
    with knowwhy.open(address, space=name_of(0)) as memory:
        memory.observe_many(
            knowwhy.Observation(
                f"handbook {one % 5}", f"Thing {one} weighs {one} kg.", [(f"thing {one}", "weight", one)]
            )
            for one in range(beliefs)
        )


def copy(admin: str, first: int, last: int) -> None:
    """Spaces of the numbers from `first` up to `last`, with the rows of the first one."""
    origin = number_of(name_of(0))
    numbers = [(number_of(name_of(one)), name_of(one)) for one in range(first, last)]
    with psycopg.connect(admin) as connection:
        connection.execute("SET search_path = knowwhy")
        connection.execute("CREATE TEMPORARY TABLE made (number bigint, called text) ON COMMIT DROP")
        with connection.cursor().copy("COPY made FROM STDIN") as rows:
            for row in numbers:
                rows.write_row(row)
        for table in TABLES:
            columns = [
                column
                for (column,) in connection.execute(
                    "SELECT column_name FROM information_schema.columns WHERE table_schema = 'knowwhy'"
                    " AND table_name = %s ORDER BY ordinal_position",
                    (table,),
                ).fetchall()
            ]
            own = {"space": "made.number"} | ({"name": "made.called"} if table == "spaces" else {})
            read = ", ".join(own.get(one, f't."{one}"') for one in columns)
            listed = ", ".join(f'"{one}"' for one in columns)
            connection.execute(
                f"INSERT INTO {table} ({listed}) SELECT {read}"  # noqa: S608 - names of our own tables
                f" FROM {table} AS t, made WHERE t.space = {origin}"
            )
    with psycopg.connect(admin, autocommit=True) as connection:
        connection.execute("VACUUM ANALYZE")
        connection.execute("CHECKPOINT")


def act_on(store: PostgresStore, act: str, spaces: Sequence[int], beliefs: int) -> Operation:
    """One act on a space drawn by chance from some."""
    chance = random.Random(len(spaces))

    def carry_out(number: int) -> None:
        memory = Memory(Space(store, name_of(chance.choice(spaces)), system_clock))
        thing = f"thing {number % beliefs}"
        if act == "ask":
            memory.ask(thing, "weight")
        elif act == "recall":
            memory.recall(f"how much does {thing} weigh")
        else:
            memory.observe(source="scale", claims=[(thing, "weight", number)])

    return carry_out


def compared(stores: dict[int, PostgresStore], beliefs: int, which: str) -> dict[str, Any]:
    """The times of each act with each number of spaces, and how many times longer it takes with more."""
    found: dict[str, Any] = {}
    for act in ACTS[which]:
        acts = [
            act_on(
                store, act, range(count) if which == "drawn" else range(0, count, count // IN_USE), beliefs
            )
            for count, store in stores.items()
        ]
        times = in_turn(acts, PAIRS, BLOCK)
        found[act] = {
            f"{count} spaces": taken.as_dict() | {"growth": growth(times[0], taken).as_dict()}
            for count, taken in zip(stores, times, strict=True)
        }
        print(json.dumps({which: {act: found[act]}}), file=sys.stderr, flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--counts", type=int, nargs="+", default=[10, 1_000, 10_000], help="how many spaces")
    parser.add_argument("--beliefs", type=int, default=10, help="how many beliefs in each (10)")
    parser.add_argument("--buffers", help="how much the server keeps in memory (128MB)")
    parser.add_argument("--json", type=Path, help="a file to write the figures to")
    given = parser.parse_args()
    if sorted(set(given.counts)) != given.counts or given.counts[0] < IN_USE or given.beliefs < 1:
        parser.error("--counts must grow from at least 10, --beliefs from at least 1")
    with servers.started() as server:
        if given.buffers is not None:
            server.execute(f"ALTER SYSTEM SET shared_buffers = '{given.buffers}'")
            server.restart()
        stores: dict[int, PostgresStore] = {}
        sizes: dict[int, int] = {}
        for count in given.counts:
            address = server.fresh()
            admin = server.url(str(psycopg.conninfo.conninfo_to_dict(address)["dbname"]), as_admin=True)
            found(address, given.beliefs)
            copy(admin, 1, count)
            stores[count], sizes[count] = PostgresStore(address), server_size(admin)
        report = {
            "machine": machine(Path()),
            "beliefs_each": given.beliefs,
            "buffers": server.execute("SHOW shared_buffers")[0][0],
            "bytes": sizes,
            **{which: compared(stores, given.beliefs, which) for which in ACTS},
            "not_measured": "spaces on several servers, many clients at once, memories of different sizes",
        }
        for store in stores.values():
            store.close()
    print(json.dumps(report, indent=2))
    if given.json is not None:
        given.json.write_text(json.dumps(report, indent=2) + "\n", "utf-8")


def server_size(admin: str) -> int:
    """How many bytes all tables and indexes take."""
    with psycopg.connect(admin) as connection:
        ((size,),) = connection.execute(
            "SELECT sum(pg_total_relation_size(oid)) FROM pg_class"
            " WHERE relkind = 'r' AND relnamespace = 'knowwhy'::regnamespace"
        ).fetchall()
    return int(size)


if __name__ == "__main__":
    main()
