"""Sessions: connections to one file, each used by one thread at a time, kept for the next use."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final, TypeAlias

import apsw

from knowwhy.store.sqlite.faults import closed, translated

Row: TypeAlias = tuple[Any, ...]

BUSY_TIMEOUT_MS: Final = 10_000
STATEMENTS: Final = 200

# What a connection takes with it into a fork must not be used there, nor even closed.
_INHERITED: Final[list[apsw.Connection]] = []


@dataclass(frozen=True, slots=True)
class Session:
    """One connection. Its methods are the only calls that reach SQLite, so its errors end here."""

    connection: apsw.Connection
    path: str

    def rows(self, sql: str, bindings: Sequence[Any] = ()) -> list[Row]:
        """All rows that a query gives."""
        try:
            return self.connection.execute(sql, bindings).fetchall()
        except (apsw.Error, UnicodeEncodeError, MemoryError) as failure:
            raise translated(failure, self.path) from failure

    def row(self, sql: str, bindings: Sequence[Any] = ()) -> Row | None:
        """The first row of a query, None where there is none."""
        found = self.rows(sql, bindings)
        return found[0] if found else None

    def value(self, sql: str, bindings: Sequence[Any] = ()) -> Any:
        """The first column of the first row, None where there is none."""
        found = self.rows(sql, bindings)
        return found[0][0] if found else None

    def run(self, sql: str, bindings: Sequence[Any] = ()) -> None:
        """Execute one or several statements."""
        self.rows(sql, bindings)

    def run_each(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Execute one statement for each row of bindings."""
        try:
            self.connection.executemany(sql, rows)
        except (apsw.Error, UnicodeEncodeError, MemoryError) as failure:
            raise translated(failure, self.path) from failure

    @contextmanager
    def transaction(self, kind: str) -> Iterator[None]:
        """A transaction that is kept if its body succeeds, and leaves nothing if not."""
        self.run(f"BEGIN {kind}")
        try:
            yield
            self.run("COMMIT")
        finally:
            # SQLite itself has rolled back already where the disk failed it.
            if self.connection.in_transaction:
                self.run("ROLLBACK")

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close(True)


@dataclass(frozen=True, slots=True)
class Settings:
    """How connections are set up; the figures were measured (see the benchmarks)."""

    synchronous: str = "FULL"
    cache_kib: int = 16_384
    mapped_bytes: int = 1_073_741_824
    checkpoint_pages: int = 8_000
    log_bytes: int = 67_108_864


def connected(path: str, settings: Settings, *, create: bool = False) -> Session:
    """A session on the file at `path`."""
    flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if create else 0)
    try:
        connection = apsw.Connection(path, flags=flags, statementcachesize=STATEMENTS)
        connection.set_busy_timeout(BUSY_TIMEOUT_MS)
        # Else SQLite plans a join anew for each value bound to it, which costs ten times the query itself.
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    except apsw.Error as failure:
        raise translated(failure, path) from failure
    session = Session(connection, path)
    session.run(
        f"PRAGMA synchronous = {settings.synchronous}; PRAGMA cache_size = -{settings.cache_kib};"
        f"PRAGMA mmap_size = {settings.mapped_bytes}; PRAGMA wal_autocheckpoint = {settings.checkpoint_pages};"
        f"PRAGMA journal_size_limit = {settings.log_bytes}; PRAGMA temp_store = MEMORY;"
        "PRAGMA trusted_schema = OFF"
    )
    return session


class Sessions:
    """The sessions of one store. Each use has one for itself, so reads nest and threads do not meet."""

    def __init__(self, path: str, settings: Settings) -> None:
        self._path = path
        self._settings = settings
        self._lock = Lock()
        self._idle: list[Session] = []
        self._process = os.getpid()
        self._is_closed = False

    @contextmanager
    def session(self) -> Iterator[Session]:
        """A session for the duration of a `with`."""
        session = self._taken()
        try:
            yield session
        finally:
            self._give_back(session)

    def close(self) -> None:
        """Close what is idle now, and what is in use as soon as it is given back."""
        with self._lock:
            idle, self._idle, self._is_closed = self._idle, [], True
        for session in idle:
            session.close()

    def _taken(self) -> Session:
        with self._lock:
            if self._is_closed:
                raise closed()
            self._forget_inherited()
            if self._idle:
                return self._idle.pop()
        return connected(self._path, self._settings)

    def _give_back(self, session: Session) -> None:
        with self._lock:
            if not self._is_closed and self._process == os.getpid():
                self._idle.append(session)
                return
        session.close()

    def _forget_inherited(self) -> None:
        if self._process != os.getpid():
            _INHERITED.extend(session.connection for session in self._idle)
            self._idle = []
            self._process = os.getpid()
