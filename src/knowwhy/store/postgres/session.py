"""Sessions: a transaction in one space. Its methods are the only calls that reach the server."""
# ruff: noqa: S608 - statements are put together from parts of our own; whatever is given is bound

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias

from psycopg import ClientCursor, Connection
from psycopg.pq import TransactionStatus

from knowwhy.store.postgres.adapting import Row, number_of, restored
from knowwhy.store.postgres.faults import FAILURES, Interrupted, over, signal_of
from knowwhy.store.postgres.spaces import COLUMNS, FOUND, Space, space_in

# A statement with what is bound to it.
Asked: TypeAlias = tuple[str, Sequence[object]]

# The schema that holds the tables.
SCHEMA: Final = "knowwhy"

# How long a writer waits for others of its space, and how long one may be silent while others wait for it.
LOCK_TIMEOUT: Final = "30s"
SILENCE_TIMEOUT: Final = "10min"

# A statement is planned once for each connection, whatever is bound to it, and visits tables in the order in
# which it names them, by their indexes: what was asked fast once stays fast, however figures about the tables
# change. (What must read whole tables says so, see `checking`.)
_PLANNED: Final = {
    "plan_cache_mode": "force_generic_plan",
    "join_collapse_limit": "1",
    "enable_hashjoin": "off",
    "enable_material": "off",
    "enable_mergejoin": "off",
    "enable_seqscan": "off",
    "jit": "off",
    # Where there are many spaces the planner may take the rows of one for a hundred thousand, and starting
    # somebody to help takes longer than reading them.
    "max_parallel_workers_per_gather": "0",
}
_WAITING: Final = {
    "lock_timeout": LOCK_TIMEOUT,
    "idle_in_transaction_session_timeout": SILENCE_TIMEOUT,
}


def _set(settings: dict[str, str]) -> str:
    return ", ".join(f"set_config('{name}', '{value}', true)" for name, value in settings.items())


# The space is set by a command of its own, which a cluster can hand on to the servers that hold the rows.
_HERE: Final = f"SET LOCAL knowwhy.space = %s; SELECT set_config('search_path', '{SCHEMA}, pg_temp', true)"
_SPACE: Final = f"SELECT {COLUMNS} FROM spaces WHERE space = %s"

# Each opens in one message to the server, so the values in it are quoted by the driver.
READ: Final = f"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {_HERE}, {_set(_PLANNED)}; {_SPACE}"
CHECK: Final = f"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; {_HERE}; {_SPACE}"
# A commit must be on the disk before it returns, also where the server's default is not to wait for that.
_DURABLE: Final = (
    "set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on'"
    " ELSE current_setting('synchronous_commit') END, true)"
)
_LOCKED: Final = (
    f"SELECT (SELECT max(number) FROM formats), {COLUMNS} FROM spaces WHERE space = %s FOR UPDATE"
)
_WRITE: Final = (
    "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;"
    f" {_HERE}, {_set(_PLANNED | _WAITING)}, {_DURABLE}; {_LOCKED}"
)


class Session:
    """One transaction on a connection that is the caller's alone."""

    def __init__(self, connection: Connection[Any], place: str) -> None:
        self._connection: Connection[Any] | None = connection
        self.place = place

    @property
    def connection(self) -> Connection[Any]:
        """The connection, while the session lasts."""
        if self._connection is None:
            raise over()
        return self._connection

    def rows(self, sql: str, bindings: Sequence[object] = ()) -> list[Row]:
        """All rows that a query gives.

        Raises:
            Interrupted: the transaction is gone.
        """
        connection = self.connection
        try:
            return restored(connection.execute(sql, bindings).fetchall())
        except FAILURES as failure:
            raise signal_of(failure, connection, self.place) from failure

    def run(self, sql: str, bindings: Sequence[object] = ()) -> None:
        """Execute one statement."""
        connection = self.connection
        try:
            connection.execute(sql, bindings)
        except FAILURES as failure:
            raise signal_of(failure, connection, self.place) from failure

    def together(self, asked: Sequence[Asked]) -> list[list[Row]]:
        """What several queries give, all of them sent at once."""
        if len(asked) == 1:
            return [self.rows(*asked[0])]
        connection = self.connection
        try:
            with connection.pipeline():
                cursors = [connection.execute(sql, bindings) for sql, bindings in asked]
                return [restored(cursor.fetchall()) for cursor in cursors]
        except FAILURES as failure:
            raise signal_of(failure, connection, self.place) from failure

    def opened(self, sql: str, name: str) -> Row | None:
        """Begin the transaction, in the space of that name; the last row that the message gives."""
        number = number_of(name)
        connection = self.connection
        try:
            cursor = ClientCursor(connection)
            cursor.execute(sql, (str(number), number))
            while cursor.nextset():
                pass
            row = cursor.fetchone()
        except FAILURES as failure:
            raise signal_of(failure, connection, self.place) from failure
        return None if row is None else restored([row])[0]

    def leave(self, last: str = "ROLLBACK") -> None:
        """Roll back what was not committed, unless the connection is gone with it."""
        connection, self._connection = self.connection, None
        if not connection.closed and connection.info.transaction_status != TransactionStatus.IDLE:
            try:
                connection.execute(last)
            except FAILURES:
                connection.close()


class Writing(Session):
    """A transaction that holds the row of its space, so that the writers of a space pass one by one.

    What it is to write `later` is sent together, at the latest by `commit`.
    """

    def __init__(self, connection: Connection[Any], place: str, name: str) -> None:
        super().__init__(connection, place)
        self._queued: list[Asked] = []
        row = self.opened(_WRITE, name)
        if row is None:
            # By this writer, or by another one at this very moment.
            self.run(FOUND, (number_of(name), name))
            (row,) = self.rows(_LOCKED, (number_of(name),))
        self.format: int = row[0]
        self.space: Space = space_in(row[1:], name)

    def later(self, sql: str, bindings: Sequence[object]) -> None:
        """Write with the next flush, or with the commit."""
        self._queued.append((sql, bindings))

    def flush(self) -> None:
        """Send what is queued."""
        self._send(self._queued)

    def commit(self) -> None:
        """Send what is queued, and keep it all.

        Raises:
            Interrupted: the connection broke, and it is unknown whether all was kept.
        """
        try:
            self._send([*self._queued, ("COMMIT", ())])
        except Interrupted as interruption:
            interruption.is_unknown = self.connection.closed
            raise

    def _send(self, statements: Iterable[Asked]) -> None:
        connection = self.connection
        try:
            with connection.pipeline():
                for sql, bindings in statements:
                    connection.execute(sql, bindings)
        except FAILURES as failure:
            raise signal_of(failure, connection, self.place) from failure
        self._queued = []
