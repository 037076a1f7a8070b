"""Copying: a file of memories into another, as it is at one moment, while it is read and written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import apsw

from knowwhy.errors import Fault
from knowwhy.store.sqlite.faults import translated
from knowwhy.store.sqlite.session import Session

# So many pages (of 4 KiB) are copied between two words on how far it is.
_STEP: Final = 2_000

# Told how many pages are copied so far.
Progress = Callable[[int], None]


def copy(session: Session, path: str, progress: Progress | None = None) -> None:
    """Copy the file of a session, as its transaction sees it, to `path`, and look whether the copy is sound.

    Raises:
        Unavailable: the disk has no room.
        Fault: the copy is damaged, so the file probably is too.
    """
    try:
        target = apsw.Connection(path)
        try:
            # What others write meanwhile goes to the log beside the file, and is not seen by this reader: so
            # the copy need never start again, however busy they are.
            session.number("SELECT count(*) FROM sqlite_schema")
            with target.backup("main", session.connection, "main") as running:
                while not running.done:
                    running.step(_STEP)
                    if progress is not None:
                        progress(running.page_count - running.remaining)
            found = [row[0] for row in target.execute("PRAGMA quick_check(1)")]
            # One file, with nothing beside it.
            target.execute("PRAGMA journal_mode = DELETE").fetchall()
        finally:
            target.close()
    except apsw.Error as failure:
        raise translated(failure, path) from failure
    if found != ["ok"]:
        msg = f"The copy of {session.path} is damaged ({found[0]}): run doctor on it."
        raise Fault(msg, path=session.path)
