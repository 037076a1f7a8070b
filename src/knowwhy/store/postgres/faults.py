"""What a failure of PostgreSQL means to the caller: the one place where its errors become ours."""

from __future__ import annotations

from typing import Final

import psycopg

from knowwhy.errors import Fault, InvalidInput, KnowwhyError, NotFound, Refused, Unavailable

RETRY_AFTER: Final = 1.0

# All that the driver raises on behalf of what it was given.
FAILURES: Final = (psycopg.Error, UnicodeEncodeError, OverflowError, MemoryError)

# The server ends the connection, or cannot take one yet: it is being stopped, started or fails over.
_GOING: Final = frozenset({"57P01", "57P02", "57P03", "57P05", "25P03"})
# The transaction is rolled back through no fault of its own: made again, it may well succeed.
_UNDONE: Final = frozenset({"40001", "40P01"})
_STARTING: Final = ("starting up", "shutting down", "recovery mode")


class Interrupted(Exception):
    """The transaction is gone: the connection was lost, or the server chose it to end a deadlock.

    Made again on a fresh connection it may succeed. `is_unknown` where it was being committed when the
    connection broke, so that it may have been kept.
    """

    def __init__(self, failure: Exception, *, is_unknown: bool = False) -> None:
        super().__init__(str(failure))
        self.is_unknown = is_unknown


def signal_of(
    failure: Exception, connection: psycopg.Connection[object], place: str
) -> Interrupted | KnowwhyError:
    """What a failure on a connection comes to."""
    state = failure.sqlstate if isinstance(failure, psycopg.Error) else None
    if connection.closed or state in _GOING or state in _UNDONE or (state or "").startswith("08"):
        return Interrupted(failure)
    return translated(failure, place)


def translated(failure: Exception, place: str) -> KnowwhyError:
    """The error of ours that a failure of the server at `place` comes to."""
    if isinstance(failure, psycopg.Error):
        state = failure.sqlstate or ""
        exact = _BY_STATE.get(state) or _BY_CLASS.get(state[:2])
        if exact is not None:
            return exact(_first_line(failure), place)
        if isinstance(failure, psycopg.OperationalError):
            return unreachable(failure, place)
        if isinstance(failure, psycopg.DataError):
            return _unstorable(_first_line(failure), place)
    if isinstance(failure, UnicodeEncodeError):
        character = failure.object[failure.start]
        return InvalidInput(f"A text contains {character!r}, half of a character, which cannot be stored.")
    if isinstance(failure, MemoryError):
        return Unavailable("There is no memory left to work with.", retry_after=RETRY_AFTER)
    if isinstance(failure, OverflowError):
        return InvalidInput("A number is too large to be stored: at most 64 bits.")
    return Fault(
        f"PostgreSQL refused what knowwhy asked of {place}: {failure}. Please report it.", place=place
    )


def unreachable(failure: Exception, place: str) -> KnowwhyError:
    """Why there is no connection. The server says it in words alone, so we go by those."""
    said = _first_line(failure)
    if "does not exist" in said and not any(word in said for word in _STARTING):
        return NotFound(
            f"{place} cannot be opened: {said}. Create it first, or check the address.", place=place
        )
    if "authentication failed" in said or "no pg_hba.conf entry" in said or "permission denied" in said:
        return _forbidden(said, place)
    return Unavailable(
        f"{place} cannot be reached ({said}). Check that the server runs and the address is right, then "
        "try again.",
        place=place,
        retry_after=RETRY_AFTER,
    )


def closed() -> Fault:
    """The error for using a store that was closed."""
    return Fault("This store is closed; open the memory again.")


def over() -> Fault:
    """The error for reading from a snapshot that has ended."""
    return Fault("This snapshot is over; read what you need inside its `with`.")


def given_up(place: str) -> Unavailable:
    """The error where nothing was written, however often it was tried."""
    return Unavailable(
        f"The connection to {place} broke again and again; nothing was written. Try again in a moment.",
        place=place,
        retry_after=RETRY_AFTER,
    )


def unknown(place: str) -> Unavailable:
    """The error where it cannot be found out whether a commit was kept."""
    return Unavailable(
        f"The connection to {place} broke while the operation was being committed, and the server does not "
        "come back. Whether it was written is not known: look at the log, or repeat the call with its "
        "idempotency key.",
        place=place,
        retry_after=RETRY_AFTER,
        outcome="unknown",
    )


def _busy(said: str, place: str) -> KnowwhyError:
    return Unavailable(
        f"{place} is busy ({said}). Try again in a moment; nothing was written.",
        place=place,
        retry_after=RETRY_AFTER,
    )


def _full(said: str, place: str) -> KnowwhyError:
    return Unavailable(
        f"{place} has no room or memory left ({said}). Nothing was written; make room, then try again.",
        place=place,
        retry_after=RETRY_AFTER,
    )


def _read_only(said: str, place: str) -> KnowwhyError:
    return Unavailable(
        f"{place} can only be read now ({said}): it may be a standby. Try again, or name the primary.",
        place=place,
        retry_after=RETRY_AFTER,
    )


def _damaged(said: str, place: str) -> KnowwhyError:
    return Fault(f"{place} is damaged ({said}). Restore it from a backup.", place=place)


def _forbidden(said: str, place: str) -> KnowwhyError:
    return Refused(
        f"{place} does not let this user do that ({said}). Check its role and grants.", place=place
    )


def _missing(said: str, place: str) -> KnowwhyError:
    return NotFound(f"{place} cannot be opened: {said}. Create it first, or check the address.", place=place)


def _too_long(said: str, place: str) -> KnowwhyError:  # noqa: ARG001 - all of these are made alike
    return InvalidInput(f"A text is too long to be stored ({said}).")


def _unstorable(said: str, place: str) -> KnowwhyError:  # noqa: ARG001
    return InvalidInput(f"A value cannot be stored ({said}).")


_BY_STATE: Final = {
    "3D000": _missing,
    "25006": _read_only,
    "42501": _forbidden,
    "54000": _too_long,
    "55P03": _busy,
    "57014": _busy,
    "53300": _busy,
    "58P01": _damaged,
    "XX001": _damaged,
    "XX002": _damaged,
}
_BY_CLASS: Final = {
    "22": _unstorable,
    "28": _forbidden,
    "53": _full,
    "58": _full,
}


def _first_line(failure: Exception) -> str:
    lines = str(failure).strip().splitlines() or [type(failure).__name__]
    return lines[-1 if lines[0].startswith(("connection failed", "connection to")) else 0].strip().rstrip(".")
