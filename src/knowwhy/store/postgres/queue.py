"""A queue of offline work, one row for each space and kind, taken by workers under leases."""
# ruff: noqa: S608 - statements are put together from parts of our own; whatever is given is bound

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from secrets import randbits
from typing import Any, Final

import psycopg

from knowwhy.store.postgres.address import Address
from knowwhy.store.postgres.faults import FAILURES, translated

# Apart from the memories: it is about spaces, not in one of them, and no wall stands between its rows.
SCHEMA: Final = "knowwhy_jobs"
_TABLE: Final = f"{SCHEMA}.jobs"

# How often a job is begun before it counts as failed.
MOST_ATTEMPTS: Final = 5
# So many seconds after a failure it is tried again, longer each time.
PAUSE: Final = 2.0

# Whoever makes the table holds this lock: "kwjb".
_LOCK: Final = 0x6B776A62
_TICKET_BITS: Final = 62

_MAKE: Final = f"""
CREATE SCHEMA IF NOT EXISTS {SCHEMA};
CREATE TABLE IF NOT EXISTS {_TABLE} (
  space text COLLATE "C" NOT NULL, kind text COLLATE "C" NOT NULL, state text NOT NULL DEFAULT 'due',
  due_at timestamptz NOT NULL DEFAULT now(), leased_until timestamptz, ticket bigint NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0, told text, PRIMARY KEY (space, kind)
);
CREATE INDEX IF NOT EXISTS jobs_due ON {_TABLE} (kind, due_at) WHERE state IN ('due', 'running');
"""
_ADD: Final = (
    f"INSERT INTO {_TABLE} AS j (space, kind) SELECT s, %s FROM unnest(%s::text[]) AS s"
    " ON CONFLICT (space, kind) DO UPDATE SET state = 'due', due_at = now(), attempts = 0, told = NULL"
    " WHERE j.state IN ('done', 'failed')"
)
# What workers died on again and again is left alone.
_BURY: Final = (
    f"UPDATE {_TABLE} SET state = 'failed', told = 'the worker died' WHERE kind = ANY(%s::text[])"
    " AND state = 'running' AND leased_until < now() AND attempts >= %s"
)
_TAKE: Final = (
    f"UPDATE {_TABLE} AS j SET state = 'running', leased_until = now() + make_interval(secs => %s),"
    " ticket = %s, attempts = j.attempts + 1"
    f" FROM (SELECT space, kind FROM {_TABLE} WHERE kind = ANY(%s::text[])"
    " AND ((state = 'due' AND due_at <= now()) OR (state = 'running' AND leased_until < now()))"
    " ORDER BY due_at, space LIMIT 1 FOR UPDATE SKIP LOCKED) AS t"
    " WHERE j.space = t.space AND j.kind = t.kind RETURNING j.space, j.kind, j.ticket, j.attempts"
)
_OWN: Final = " WHERE space = %s AND kind = %s AND ticket = %s AND state = 'running'"
_EXTEND: Final = f"UPDATE {_TABLE} SET leased_until = now() + make_interval(secs => %s){_OWN}"
_FINISH: Final = f"UPDATE {_TABLE} SET state = 'done', told = %s{_OWN}"
_FAIL: Final = (
    f"UPDATE {_TABLE} SET state = CASE WHEN attempts < %s THEN 'due' ELSE 'failed' END,"
    f" due_at = now() + make_interval(secs => %s * attempts), told = %s{_OWN}"
)
_COUNTS: Final = f"SELECT kind, state, count(*) FROM {_TABLE} GROUP BY kind, state ORDER BY kind, state"
_LEFT: Final = f"SELECT count(*) FROM {_TABLE} WHERE kind = ANY(%s::text[]) AND state IN ('due', 'running')"
_FAILED: Final = f"SELECT space, kind, told FROM {_TABLE} WHERE state = 'failed' ORDER BY space, kind"


@dataclass(frozen=True, slots=True)
class Lease:
    """A job that a worker holds until its lease ends; the ticket tells its own from a later one."""

    space: str
    kind: str
    ticket: int
    attempts: int


class Queue:
    """The queue in one database, made where there is none."""

    def __init__(self, address: str) -> None:
        self._where = Address.read(address)
        try:
            with psycopg.connect(self._where.target, **self._where.settings) as own, own.transaction():
                own.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
                own.execute(_MAKE)
        except FAILURES as failure:
            raise translated(failure, self._where.place) from failure

    def add(self, kind: str, spaces: Iterable[str]) -> int:
        """Have a kind of work done in these spaces, unless it is due or under way there; in how many."""
        return self._run(_ADD, (kind, sorted(set(spaces))))[1]

    def take(self, kinds: Sequence[str], lease: float) -> Lease | None:
        """The next job of these kinds, for the caller alone for so many seconds; None where none is due."""
        self._run(_BURY, (list(kinds), MOST_ATTEMPTS))
        rows, _ = self._run(_TAKE, (lease, randbits(_TICKET_BITS), list(kinds)))
        return Lease(*rows[0]) if rows else None

    def extend(self, held: Lease, lease: float) -> bool:
        """Hold a job for so many seconds from now; whether it is the caller's still."""
        return self._run(_EXTEND, (lease, held.space, held.kind, held.ticket))[1] == 1

    def finish(self, held: Lease, told: str) -> bool:
        """Say that a job is done, and what came of it; whether it was the caller's still."""
        return self._run(_FINISH, (told, held.space, held.kind, held.ticket))[1] == 1

    def fail(self, held: Lease, told: str) -> bool:
        """Say why a job failed: it is tried again later, unless it was often enough."""
        given = (MOST_ATTEMPTS, PAUSE, told, held.space, held.kind, held.ticket)
        return self._run(_FAIL, given)[1] == 1

    def left(self, kinds: Sequence[str]) -> int:
        """How many jobs of these kinds are not done, nor given up."""
        return int(self._run(_LEFT, (list(kinds),))[0][0][0])

    def counts(self) -> dict[str, dict[str, int]]:
        """How many jobs there are of each kind, by how they stand."""
        found: dict[str, dict[str, int]] = {}
        for kind, state, number in self._run(_COUNTS, ())[0]:
            found.setdefault(kind, {})[state] = number
        return found

    def failed(self) -> list[tuple[str, str, str]]:
        """The jobs that were given up: space, kind, why."""
        return [(space, kind, told) for space, kind, told in self._run(_FAILED, ())[0]]

    def _run(self, statement: str, bindings: tuple[Any, ...]) -> tuple[list[tuple[Any, ...]], int]:
        """The rows that a statement gives, and how many it touched.

        On a connection of its own: jobs take far longer, and a server may have gone and come meanwhile.
        """
        try:
            with psycopg.connect(self._where.target, **self._where.settings) as connection:
                cursor = connection.execute(statement, bindings or None)
                return cursor.fetchall() if cursor.description else [], cursor.rowcount
        except FAILURES as failure:
            raise translated(failure, self._where.place) from failure
