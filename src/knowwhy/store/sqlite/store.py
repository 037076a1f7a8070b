"""The store: memories in one SQLite file, for any number of threads and processes."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Final

from knowwhy.core.model import Operation
from knowwhy.store.protocol import Batch, Erasing, Snapshot, View
from knowwhy.store.sqlite import checking, dropping, writing
from knowwhy.store.sqlite.copying import copy
from knowwhy.store.sqlite.erasing import overwrite
from knowwhy.store.sqlite.opening import Migration, check_format, opened, shipped
from knowwhy.store.sqlite.reading import SqliteSnapshot
from knowwhy.store.sqlite.search import Frequencies
from knowwhy.store.sqlite.session import Session, Sessions, Settings
from knowwhy.store.sqlite.spaces import space_named
from knowwhy.store.sqlite.turnstile import Turnstile

IN_MEMORY: Final = ":memory:"


class SqliteStore:
    """All spaces in one file, which is made where it does not exist.

    Readers have a consistent state each and wait for nobody; writers pass one by one, and a commit
    is on the disk before it returns. `:memory:` names a store of this object alone, gone when it is
    closed: a file in a folder of its own that only this user may read, since nobody can read one of
    SQLite's own memory databases while somebody writes it.
    """

    def __init__(self, path: str, *, migrations: Sequence[Migration] | None = None) -> None:
        """Open the file, and bring it to the newest format if an older version wrote it.

        Raises:
            NotFound: there is no such folder.
            InvalidInput: the file is something else.
            NewerFormat: a newer version wrote it.
        """
        settings = Settings()
        self._scratch: weakref.finalize[..., object] | None = None
        if path == IN_MEMORY:
            folder = tempfile.mkdtemp(prefix="knowwhy-")
            self._scratch = weakref.finalize(self, _sweep, folder, os.getpid())
            path, settings = str(Path(folder) / "memory.db"), Settings(synchronous="OFF")
        known = shipped() if migrations is None else migrations
        self._sessions = Sessions(opened(path, settings, known), settings)
        self._format = known[-1].number
        self._turnstile = Turnstile(path)
        self._deciding = Turnstile(path, "turns")
        self._known = Frequencies()

    @contextmanager
    def snapshot(self, space: str, *, turn: Collection[str] = ()) -> Iterator[Snapshot]:
        # All turns in a file are one, as all of its writers are.
        waiting = self._deciding.turn() if turn else nullcontext()
        with waiting, self._sessions.session() as session, session.reading():
            yield SqliteSnapshot(session, space_named(session, space), self._known)

    def commit(self, space: str, batch: Batch) -> Operation:
        with self._written() as session:
            return writing.record(session, space, batch)

    def replace_views(self, space: str, rows: Iterable[View], *, is_whole: bool = True) -> None:
        with self._written() as session:
            writing.replace_views(session, space, rows, is_whole=is_whole)

    def drop(self, space: str, evidence: Sequence[str], before: int, erasing: Erasing | None = None) -> None:
        with self._written() as session:
            dropping.drop(session, space, evidence, before, erasing)
        if erasing is not None and erasing.overwrites:
            with self._sessions.session() as session, self._turnstile.turn():
                overwrite(session)

    def problems(self, space: str) -> list[str]:
        with self._sessions.session() as session, session.reading():
            return list(checking.problems(session, space_named(session, space)))

    def copy(self, path: str, progress: Callable[[int], None] | None = None) -> None:
        """Copy the file with all its spaces to `path`, as it is now, while it is read and written.

        Raises:
            Unavailable: the disk has no room.
            Fault: the copy is damaged.
        """
        with self._sessions.session() as session, session.reading():
            copy(session, path, progress)

    def close(self) -> None:
        self._sessions.close()
        if self._scratch is not None:
            self._scratch()

    @contextmanager
    def _written(self) -> Iterator[Session]:
        """A session in the one writing transaction that there is at a time."""
        with self._sessions.session() as session, self._turnstile.turn(), session.writing():
            # Another process may have upgraded the file since it was opened here.
            check_format(session, self._format)
            yield session


def _sweep(folder: str, process: int) -> None:
    """Remove the folder of a store in memory, if it was this process that made it."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)
