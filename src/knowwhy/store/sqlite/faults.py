"""What a failure of SQLite means to the caller: the one place where its errors become ours."""

from __future__ import annotations

import apsw

from knowwhy.errors import Fault, InvalidInput, KnowwhyError, NotFound, Refused, Unavailable

RETRY_AFTER = 1.0

_WAIT = (apsw.BusyError, apsw.LockedError, apsw.ProtocolError)
_DAMAGE = (apsw.CorruptError, apsw.FormatError, apsw.NotADBError)
_FORBIDDEN = (apsw.ReadOnlyError, apsw.PermissionsError, apsw.AuthError)
_ROOM = (apsw.FullError, apsw.IOError, apsw.NoLFSError)
_MEMORY = (apsw.NoMemError, MemoryError)


def translated(failure: Exception, path: str) -> KnowwhyError:
    """The error of ours that a failure of SQLite on the file at `path` comes to."""
    if isinstance(failure, _WAIT):
        return Unavailable(
            f"{path} is busy with another writer. Try again in a moment.", path=path, retry_after=RETRY_AFTER
        )
    if isinstance(failure, _ROOM):
        return Unavailable(
            f"{path} cannot be read or written now ({failure}). Check that the disk is there and has room, "
            "then try again; nothing was half written.",
            path=path,
            retry_after=RETRY_AFTER,
        )
    if isinstance(failure, _MEMORY):
        return Unavailable("There is no memory left to work with.", path=path, retry_after=RETRY_AFTER)
    if isinstance(failure, _DAMAGE):
        return Fault(
            f"{path} is damaged ({failure}). Keep a copy of it, and restore the file from a backup.",
            path=path,
        )
    if isinstance(failure, _FORBIDDEN):
        return Refused(f"{path} may not be written ({failure}). Check its permissions.", path=path)
    if isinstance(failure, apsw.CantOpenError):
        return NotFound(
            f"{path} cannot be opened. Check that its folder is there and may be used.", path=path
        )
    return _of_the_call(failure, path)


def _of_the_call(failure: Exception, path: str) -> KnowwhyError:
    if isinstance(failure, UnicodeEncodeError):
        character = failure.object[failure.start]
        return InvalidInput(f"A text contains {character!r}, half of a character, which cannot be stored.")
    if isinstance(failure, OverflowError):
        return InvalidInput("A number is too large to be stored: at most 64 bits.")
    if isinstance(failure, apsw.TooBigError):
        return InvalidInput("A text is too long to be stored.")
    if isinstance(failure, apsw.ConnectionClosedError | apsw.CursorClosedError):
        return closed()
    return Fault(f"SQLite refused what knowwhy asked of {path}: {failure}. Please report it.", path=path)


def closed() -> Fault:
    """The error for using a store that was closed."""
    return Fault("This store is closed; open the memory again.")
