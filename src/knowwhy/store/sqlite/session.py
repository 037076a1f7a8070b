"""Sessions: connections to one file, each used by one thread at a time, kept for the next use."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final, TypeAlias

import apsw

from knowwhy.errors import Fault
from knowwhy.store.sqlite.faults import closed, translated

Row: TypeAlias = tuple[Any, ...]

BUSY_TIMEOUT_MS: Final = 10_000
STATEMENTS: Final = 200
IDLE: Final = 8

_FAILURES: Final = (apsw.Error, UnicodeEncodeError, OverflowError, MemoryError)

# What a connection takes with it into a fork must not be used there, nor even closed.
_INHERITED: Final[list[apsw.Connection]] = []


@dataclass(frozen=True, slots=True)
class Settings:
    """How connections are set up: `checkpoint_pages` of 4 KiB bound the write-ahead log beside the file."""

    synchronous: str = "FULL"
    cache_kib: int = 16_384
    mapped_bytes: int = 1_073_741_824
    checkpoint_pages: int = 8_000
    log_bytes: int = 33_554_432


class Session:
    """One use of a connection. Its methods are the only calls that reach SQLite, so its errors end here."""

    __slots__ = ("_connection", "path")

    def __init__(self, connection: apsw.Connection, path: str) -> None:
        self._connection: apsw.Connection | None = connection
        self.path = path

    @property
    def connection(self) -> apsw.Connection:
        """The connection, while the session lasts."""
        if self._connection is None:
            raise Fault("This snapshot is over; read what you need inside its `with`.")
        return self._connection

    def rows(self, sql: str, bindings: Sequence[object] = ()) -> list[Row]:
        """All rows that a query gives."""
        try:
            return self.connection.execute(sql, bindings).fetchall()
        except _FAILURES as failure:
            raise translated(failure, self.path) from failure

    def row(self, sql: str, bindings: Sequence[object] = ()) -> Row | None:
        """The first row of a query, None where there is none."""
        found = self.rows(sql, bindings)
        return found[0] if found else None

    def number(self, sql: str, bindings: Sequence[object] = ()) -> int:
        """The number that a query gives, 0 where it gives no row."""
        found = self.rows(sql, bindings)
        return int(found[0][0]) if found else 0

    def run(self, sql: str, bindings: Sequence[object] = ()) -> None:
        """Execute one or several statements."""
        self.rows(sql, bindings)

    def run_each(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Execute one statement for each row of bindings."""
        try:
            self.connection.executemany(sql, rows)
        except _FAILURES as failure:
            raise translated(failure, self.path) from failure

    @contextmanager
    def reading(self) -> Iterator[None]:
        """A transaction that only reads: all of it sees what there was at its first read."""
        self.run("BEGIN")
        try:
            yield
        finally:
            self._leave()

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction that is kept if its body succeeds, and leaves nothing if not."""
        self.run("BEGIN IMMEDIATE")
        try:
            yield
            self.run("COMMIT")
        finally:
            self._leave()

    def _leave(self) -> None:
        """Roll back, unless the transaction was kept or SQLite has rolled back by itself."""
        if self.connection.in_transaction:
            self.run("ROLLBACK")

    def end(self) -> apsw.Connection:
        """Its connection, for the next session: this one is over."""
        connection, self._connection = self.connection, None
        return connection


def connected(path: str, settings: Settings, *, create: bool = False) -> Session:
    """A session on the file at `path`, with a connection of its own."""
    flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if create else 0)
    try:
        connection = apsw.Connection(path, flags=flags, statementcachesize=STATEMENTS)
        connection.set_busy_timeout(BUSY_TIMEOUT_MS)
        # Else SQLite plans a join anew for each value bound to it, which costs ten times the query itself.
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    except _FAILURES as failure:
        raise translated(failure, path) from failure
    session = Session(connection, path)
    session.run(
        f"PRAGMA synchronous = {settings.synchronous};"
        f"PRAGMA cache_size = -{settings.cache_kib};"
        f"PRAGMA mmap_size = {settings.mapped_bytes};"
        f"PRAGMA wal_autocheckpoint = {settings.checkpoint_pages};"
        f"PRAGMA journal_size_limit = {settings.log_bytes};"
        "PRAGMA temp_store = MEMORY;"
        "PRAGMA trusted_schema = OFF"
    )
    return session


class Sessions:
    """The sessions of one store. Each use has one for itself, so reads nest and threads do not meet."""

    def __init__(self, first: Session, settings: Settings) -> None:
        self._path = first.path
        self._settings = settings
        self._lock = Lock()
        self._idle = [first.end()]
        self._process = os.getpid()
        self._is_closed = False

    @contextmanager
    def session(self) -> Iterator[Session]:
        """A session for the duration of a `with`."""
        session = self._taken()
        try:
            yield session
        finally:
            self._give_back(session.end())

    def close(self) -> None:
        """Close what is idle now, and what is in use as soon as it is given back."""
        with self._lock:
            self._forget_inherited()
            idle, self._idle, self._is_closed = self._idle, [], True
        for connection in idle:
            connection.close()

    def _taken(self) -> Session:
        with self._lock:
            if self._is_closed:
                raise closed()
            self._forget_inherited()
            if self._idle:
                return Session(self._idle.pop(), self._path)
        return connected(self._path, self._settings)

    def _give_back(self, connection: apsw.Connection) -> None:
        with self._lock:
            self._forget_inherited()
            if not self._is_closed and len(self._idle) < IDLE:
                self._idle.append(connection)
                return
        connection.close()

    def _forget_inherited(self) -> None:
        """After a fork, leave the connections to the process that opened them."""
        if self._process != os.getpid():
            _INHERITED.extend(self._idle)
            self._idle = []
            self._process = os.getpid()
