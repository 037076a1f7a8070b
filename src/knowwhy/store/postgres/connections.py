"""Connections to one server: kept for the next use, made anew when lost, used by one thread at a time."""

from __future__ import annotations

import os
import select
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from time import monotonic
from typing import Any, Final, TypeVar

from psycopg import Connection, OperationalError
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from knowwhy.errors import Unavailable
from knowwhy.store.postgres.adapting import Row, adapt
from knowwhy.store.postgres.address import Address
from knowwhy.store.postgres.faults import RETRY_AFTER, Interrupted, closed
from knowwhy.store.postgres.session import READ, Asked, Session, Writing
from knowwhy.store.postgres.spaces import Space, space_in

# As many transactions may be under way in one process; what comes then waits, at the most so long. That is
# also how long a server may take to come back before a call gives up.
MOST: Final = 20
PATIENCE: Final = 30.0
REPLICA_PATIENCE: Final = 1.0
# A connection that nobody used for so long is closed.
IDLE: Final = 300.0
# The pool pauses ever longer between attempts to connect. So after so long it gives one up, and whoever still
# waits asks again after so long, which begins a new one: a server that is back is found within a second.
ATTEMPT: Final = 2.0
TURN: Final = 1.0

T = TypeVar("T")

# What a process takes with it into a fork must not be used there, nor even closed.
_INHERITED: Final[list[ConnectionPool[Connection[Any]]]] = []


class Reading(Session):
    """A transaction that only reads: all of it sees what there was when it was opened.

    If its connection breaks, it goes on with another one where the space still is as it was.
    """

    def __init__(self, connections: Connections, name: str, opening: str = READ) -> None:
        self._connections = connections
        self._name = name
        self._opening = opening
        super().__init__(connections.take(), connections.place)
        try:
            self.space: Space = self._entered()
        except BaseException:
            self.end()
            raise

    def rows(self, sql: str, bindings: Sequence[object] = ()) -> list[Row]:
        ask = super().rows
        return self._insisted(lambda: ask(sql, bindings))

    def together(self, asked: Sequence[Asked]) -> list[list[Row]]:
        ask = super().together
        return self._insisted(lambda: ask(asked))

    def end(self) -> None:
        """End the transaction, and give the connection back."""
        connection = self._connection
        if connection is not None:  # as it is where no other could be had in the place of a broken one
            # Nothing was written. After a rollback the driver would prepare every statement anew.
            self.leave("COMMIT")
            self._connections.give_back(connection)

    def discard(self) -> None:
        """End it whatever the server is about to say."""
        if self._connection is not None:
            self._connection.close()
        self.end()

    def _insisted(self, ask: Callable[[], T]) -> T:
        try:
            return ask()
        except Interrupted:
            self._resume()
        try:
            return ask()
        except Interrupted as interruption:
            raise _lost(self.place, interruption) from interruption

    def _entered(self) -> Space:
        """The space as this transaction sees it; tried once more if the connection turns out to be broken."""
        try:
            return space_in(self.opened(self._opening, self._name), self._name)
        except Interrupted:
            self._replace_connection()
        try:
            return space_in(self.opened(self._opening, self._name), self._name)
        except Interrupted as interruption:
            raise _lost(self.place, interruption) from interruption

    def _resume(self) -> None:
        """Go on with another connection, if nothing was written meanwhile."""
        self._replace_connection()
        if self._entered() != self.space:
            raise Unavailable(
                f"The connection to {self.place} broke while reading, and the memory has moved on since. "
                "Read again.",
                place=self.place,
                retry_after=0.0,
            )

    def _replace_connection(self) -> None:
        before = self.connection
        self.leave()
        self._connections.give_back(before)
        self._connection = self._connections.take()


class Connections:
    """The connections of one store."""

    def __init__(self, address: Address, patience: float = PATIENCE) -> None:
        self._patience = patience
        self.place = address.place
        self._address = address
        self._lock = Lock()
        self._process = os.getpid()
        self._is_closed = False
        self._pool = self._opened()

    def take(self) -> Connection[Any]:
        """A connection that the server has not given up, for the caller alone.

        Raises:
            Unavailable: all are in use, or the server is not there.
        """
        until = monotonic() + self._patience
        while True:
            pool = self._present()
            try:
                connection = pool.getconn(max(0.0, min(TURN, until - monotonic())))
            except PoolTimeout as failure:
                if monotonic() >= until:
                    raise Unavailable(
                        f"{self.place} gives no connection: it cannot be reached, or others use all. Try "
                        "again.",
                        place=self.place,
                        retry_after=RETRY_AFTER,
                    ) from failure
            except PoolClosed as failure:
                raise closed() from failure
            else:
                if is_alive(connection):
                    return connection
                connection.close()
                pool.putconn(connection)

    def give_back(self, connection: Connection[Any]) -> None:
        """Put a connection back that has no transaction under way, or is closed."""
        if self._process == os.getpid():
            self._pool.putconn(connection)

    @contextmanager
    def reading(self, name: str, opening: str = READ) -> Iterator[Reading]:
        """A transaction that reads the space of that name, in the state of this moment."""
        session = Reading(self, name, opening)
        try:
            yield session
        except Exception:
            session.end()
            raise
        except BaseException:  # interrupted at any point: nobody knows what the server is about to say
            session.discard()
            raise
        else:
            session.end()

    @contextmanager
    def writing(self, name: str) -> Iterator[Writing]:
        """A transaction that writes to the space of that name, kept only if it is committed.

        Raises:
            Interrupted: the connection broke.
        """
        connection = self.take()
        try:
            session = Writing(connection, self.place, name)
            yield session
        except Exception:
            raise
        except BaseException:
            connection.close()
            raise
        finally:
            Session(connection, self.place).leave()
            self.give_back(connection)

    @contextmanager
    def plain(self) -> Iterator[Session]:
        """A connection without a transaction, for what concerns no space."""
        connection = self.take()
        session = Session(connection, self.place)
        try:
            yield session
        finally:
            session.leave()
            self.give_back(connection)

    def close(self) -> None:
        """Close what is idle now, and what is in use as soon as it is given back."""
        with self._lock:
            self._is_closed = True
        if self._process == os.getpid():
            self._pool.close()

    def _present(self) -> ConnectionPool[Connection[Any]]:
        """The pool of this process."""
        with self._lock:
            if self._is_closed:
                raise closed()
            if self._process != os.getpid():
                _INHERITED.append(self._pool)
                self._process = os.getpid()
                self._pool = self._opened()
            return self._pool

    def _opened(self) -> ConnectionPool[Connection[Any]]:
        pool: ConnectionPool[Connection[Any]] = ConnectionPool(
            self._address.target,
            kwargs=self._address.settings,
            min_size=0,
            max_size=MOST,
            open=False,
            configure=configured,
            timeout=PATIENCE,
            max_idle=IDLE,
            reconnect_timeout=ATTEMPT,
            num_workers=2,
        )
        pool.open()
        return pool


def configured(connection: Connection[Any]) -> None:
    """Make a new connection ready: our spelling of texts, and every statement prepared when first used."""
    adapt(connection)
    connection.prepare_threshold = 0


def is_alive(connection: Connection[Any]) -> bool:
    """Whether the server has not closed an idle connection: without asking it anything."""
    if connection.closed:
        return False
    if not _is_readable(connection.fileno()):
        return True
    # Nothing was asked, so what is there to read is news, perhaps of the end.
    try:
        connection.execute("SELECT 1")
    except OperationalError:
        return False
    return True


def _is_readable(descriptor: int) -> bool:
    if not hasattr(select, "poll"):  # not on this system
        return bool(select.select([descriptor], [], [], 0)[0])
    watch = select.poll()
    watch.register(descriptor, select.POLLIN)
    return bool(watch.poll(0))


def _lost(place: str, failure: Exception) -> Unavailable:
    return Unavailable(
        f"The connection to {place} was lost ({failure}). Try again.", place=place, retry_after=RETRY_AFTER
    )
