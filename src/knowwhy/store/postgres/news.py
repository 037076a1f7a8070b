"""News: which operation a space has come to, told by NOTIFY to whoever listens."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from time import monotonic, sleep
from typing import Any, Final

from psycopg import Connection, connect, sql

from knowwhy.errors import KnowwhyError
from knowwhy.store.postgres.adapting import number_of
from knowwhy.store.postgres.address import Address
from knowwhy.store.postgres.faults import FAILURES, Interrupted
from knowwhy.store.postgres.session import Session

# News may be lost with a connection, so who listens looks at the head by itself as well, so often.
LOOK_AGAIN: Final = 5.0
# So long after a connection could not be had, the next one is tried.
PAUSE: Final = 1.0

_TELL: Final = "SELECT pg_notify(%s, %s)"
_LISTEN: Final = "LISTEN {}"
_ALL: Final = 2**64


def channel_of(space: str) -> str:
    """The channel on which the news of a space are told."""
    return f"knowwhy_{number_of(space) % _ALL:016x}"


def tell(session: Session, space: str, sequence: int) -> None:
    """Tell that an operation was committed, on the connection that did so.

    It is a transaction of its own: one that notifies holds a lock of the whole database until it is on
    the disk, so writers of different spaces would wait for each other. It never fails, for what was
    committed is.
    """
    with suppress(Interrupted, KnowwhyError):
        session.run(_TELL, (channel_of(space), str(sequence)))


def wait(address: Address, space: str, has_come: Callable[[], bool], timeout: float) -> None:
    """Return as soon as what is waited for has come, or after `timeout` seconds; the server may restart."""
    until = monotonic() + timeout
    while (left := until - monotonic()) > 0:
        try:
            with connect(address.target, **address.settings) as connection:
                connection.execute(sql.SQL(_LISTEN).format(sql.Identifier(channel_of(space))))
                _listen(connection, has_come, until)
                return
        except FAILURES:
            sleep(min(PAUSE, left))


def _listen(connection: Connection[Any], has_come: Callable[[], bool], until: float) -> None:
    # Looked at after the channel was opened, so nothing falls between.
    while not has_come() and (left := until - monotonic()) > 0:
        for _ in connection.notifies(timeout=min(LOOK_AGAIN, left), stop_after=1):
            pass
