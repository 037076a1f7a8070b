"""Waiting for a turn: who would decide about the same things passes one by one, in all processes."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import Final

from psycopg import ClientCursor

from knowwhy.store.postgres.adapting import number_of
from knowwhy.store.postgres.connections import MOST, Connections
from knowwhy.store.postgres.faults import FAILURES, Interrupted, signal_of
from knowwhy.store.postgres.session import LOCK_TIMEOUT, SILENCE_TIMEOUT, Session
from knowwhy.store.turns import PATIENCE, Turns, busy

# A turn takes three connections at the most: to wait with, to read with, and to write with. So many at a time
# leave enough for all others, and can never wait for each other.
_AT_A_TIME: Final = MOST // 5

_OPEN: Final = (
    "BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY;"
    f" SET LOCAL lock_timeout = '{LOCK_TIMEOUT}';"
    f" SET LOCAL idle_in_transaction_session_timeout = '{SILENCE_TIMEOUT}';"
)
_LOCK: Final = " SELECT pg_advisory_xact_lock(%s);"


class Waiting:
    """The turns of one store.

    They are locks on fingerprints of words, since no row stands for what is decided: a slot may not be on
    record yet, and the row of its space would keep out all who write about other things.
    """

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._turns = Turns()
        self._room = BoundedSemaphore(_AT_A_TIME)

    @contextmanager
    def turn(self, space: str, words: Collection[str]) -> Iterator[None]:
        """Wait until nobody else has a turn for any of these words; at once where there are none.

        Raises:
            Unavailable: others took too long.
        """
        if not words:
            yield
            return
        # The threads of one process wait here: they would use up the connections there.
        with self._turns.taken((space, one) for one in words), self._slot():
            numbers = sorted({number_of(f"{space}\0{one}") for one in words})
            with self._locked(numbers):
                yield

    @contextmanager
    def _slot(self) -> Iterator[None]:
        if not self._room.acquire(timeout=PATIENCE):
            raise busy()
        try:
            yield
        finally:
            self._room.release()

    @contextmanager
    def _locked(self, numbers: Collection[int]) -> Iterator[None]:
        """Hold locks on numbers, in a transaction that does nothing else."""
        connection = self._connections.take()
        try:
            try:
                ClientCursor(connection).execute(_OPEN + _LOCK * len(numbers), list(numbers))
            except FAILURES as failure:
                signal = signal_of(failure, connection, self._connections.place)
                # A turn only spares vain work. Whether the server is there is found out by what comes next.
                if not isinstance(signal, Interrupted):
                    raise signal from failure
            yield
        except Exception:
            raise
        except BaseException:
            connection.close()
            raise
        finally:
            # Nothing was written. After a rollback the driver would prepare every statement anew.
            Session(connection, self._connections.place).leave("COMMIT")
            self._connections.give_back(connection)
