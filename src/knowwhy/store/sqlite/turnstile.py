"""The turnstile: writers of one file pass one by one, in the order they came.

SQLite lets the writers wait in steps of growing length, so that under load some wait a second where
others wait nothing. A lock on a file of its own queues them in the kernel instead, which also
releases it when a process dies. The file beside the memory is empty, harmless, and used again. A second
one queues those who would decide about the same things at once, and in vain.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

try:
    import fcntl
except ImportError:  # not on this system: SQLite's own waiting must do
    fcntl = None  # type: ignore[assignment]  # a module, where there is one

from knowwhy.errors import Unavailable
from knowwhy.store.sqlite.faults import RETRY_AFTER

PATIENCE = 30.0


class Turnstile:
    """The queue of that name of all writers to the file at `path`, threads and processes alike."""

    def __init__(self, path: str, name: str = "queue") -> None:
        self._path = f"{path}-{name}"
        self._lock = Lock()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait until it is the caller's turn to write; others wait for the duration of the `with`."""
        if not self._lock.acquire(timeout=PATIENCE):
            raise Unavailable("Other threads are still writing. Try again.", retry_after=RETRY_AFTER)
        try:
            descriptor = self._queued()
            try:
                yield
            finally:
                if descriptor is not None:
                    # Unlocked by name: a process forked meanwhile has the file open too.
                    fcntl.flock(descriptor, fcntl.LOCK_UN)
                    os.close(descriptor)
        finally:
            self._lock.release()

    def _queued(self) -> int | None:
        """The locked queue file; None where files cannot be locked here."""
        if fcntl is None:
            return None
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError:  # a folder that may not be written: SQLite will say so, or wait by itself
            return None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        except OSError:
            os.close(descriptor)
            return None
        return descriptor
