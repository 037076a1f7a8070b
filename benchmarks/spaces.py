"""What a call costs as the number of spaces on one PostgreSQL server grows.

    python benchmarks/spaces.py [--counts 10 1000 10000] [--beliefs 20] [--json FILE]

Fills one database with so many spaces, each with the same small memory, and measures ask, recall and observe
twice: on ten spaces in use among all of them, and on spaces drawn by chance from all, each of which is then
cold for the store and, where they are many, for the server's memory. Between the counts nothing but their number
changes. Filling goes by a copy of one space's rows, all calls by the public API.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any, Final

import psycopg

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # a script that is run by its path sees no tests

import knowwhy
from knowwhy.engine.clock import system_clock
from knowwhy.engine.memory import Memory
from knowwhy.engine.space import Space
from knowwhy.store.postgres import PostgresStore
from knowwhy.store.postgres.adapting import number_of
from tests import servers

CALLS: Final = 400
WARM_UP: Final = 60
# How many spaces are worked with at a time, as by one process that serves some users.
IN_USE: Final = 10
ACTS: Final = ("ask", "recall", "observe")

# The tables that hold a space's rows, those first that others refer to.
TABLES: Final = (
    "spaces", "operations", "declarations", "entities", "names", "sources", "evidence", "slots", "claims",
    "links", "decisions", "retractions", "beliefs", "documents", "postings",
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


def measured(store: PostgresStore, spaces: Sequence[int], beliefs: int) -> dict[str, Any]:
    """The median and the 99th percentile of each act, in milliseconds, on spaces drawn by chance."""
    chance = random.Random(len(spaces))
    acts: dict[str, Callable[[Memory, int], object]] = {
        "ask": lambda memory, number: memory.ask(f"thing {number % beliefs}", "weight"),
        "recall": lambda memory, number: memory.recall(f"how much does thing {number % beliefs} weigh"),
        "observe": lambda memory, number: memory.observe(
            source="scale", claims=[(f"thing {number % beliefs}", "weight", number)]
        ),
    }
    figures: dict[str, Any] = {}
    for act, call in acts.items():
        times = []
        for number in range(CALLS + WARM_UP):
            memory = Memory(Space(store, name_of(chance.choice(spaces)), system_clock))
            begun = time.perf_counter()
            call(memory, number)
            times.append((time.perf_counter() - begun) * 1e3)
        kept = sorted(times[WARM_UP:])
        figures[act] = {"p50": round(median(kept), 3), "p99": round(kept[int(len(kept) * 0.99)], 3)}
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--counts", type=int, nargs="+", default=[10, 1_000, 10_000], help="how many spaces")
    parser.add_argument("--beliefs", type=int, default=20, help="how many beliefs in each (20)")
    parser.add_argument("--json", type=Path, help="a file to write the figures to")
    given = parser.parse_args()
    if sorted(set(given.counts)) != given.counts or given.counts[0] < IN_USE or given.beliefs < 1:
        parser.error("--counts must grow from at least 10, --beliefs from at least 1")
    rows: list[dict[str, Any]] = []
    with servers.started() as server:
        address = server.fresh()
        admin = server.url(str(psycopg.conninfo.conninfo_to_dict(address)["dbname"]), as_admin=True)
        found(address, given.beliefs)
        made = 1
        for count in given.counts:
            copy(admin, made, count)
            made = count
            store = PostgresStore(address)
            ((size,),) = server_size(admin)
            rows.append(
                {
                    "spaces": count,
                    "bytes": int(size),
                    # Spread over the tables from one end to the other.
                    "in use": measured(store, range(0, count, count // IN_USE), given.beliefs),
                    "drawn": measured(store, range(count), given.beliefs),
                }
            )
            store.close()
            print(json.dumps(rows[-1]), file=sys.stderr, flush=True)
    first, last = rows[0], rows[-1]
    report = {
        "beliefs_each": given.beliefs,
        "rows": rows,
        "growth_p50": {
            which: {act: round(last[which][act]["p50"] / first[which][act]["p50"], 3) for act in ACTS}
            for which in ("in use", "drawn")
        },
        "not_measured": "spaces on several servers, many clients at once, memories of different sizes",
    }
    print(json.dumps(report, indent=2))
    if given.json is not None:
        given.json.write_text(json.dumps(report, indent=2) + "\n", "utf-8")


def server_size(admin: str) -> list[tuple[Any, ...]]:
    """How many bytes all tables and indexes take."""
    with psycopg.connect(admin) as connection:
        return connection.execute(
            "SELECT sum(pg_total_relation_size(oid)) FROM pg_class"
            " WHERE relkind = 'r' AND relnamespace = 'knowwhy'::regnamespace"
        ).fetchall()


if __name__ == "__main__":
    main()
