"""Turns: who wants to work on the same thing, in one process, passes one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic
from typing import Final

from knowwhy.errors import Unavailable

# How many seconds one waits for its turn, and when it may be asked for again.
PATIENCE: Final = 30.0
RETRY_AFTER: Final = 1.0


@dataclass(slots=True)
class _Queue:
    """Those who want one thing: a lock, and how many hold it or wait for it."""

    lock: Lock = field(default_factory=Lock)
    users: int = 0


class Turns:
    """The queues of one process, each there as long as somebody is in it."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._lock = Lock()
        self._queues: dict[tuple[str, str], _Queue] = {}

    @contextmanager
    def taken(self, names: Iterable[tuple[str, str]]) -> Iterator[None]:
        """Wait until nobody else has any of these (a space and a word), and keep others waiting meanwhile.

        Raises:
            Unavailable: the others took too long.
        """
        until = monotonic() + self._patience
        with ExitStack() as stack:
            # In one order for all, so that no two wait for each other.
            for name in sorted(set(names)):
                stack.enter_context(self._one(name, until))
            yield

    @contextmanager
    def _one(self, name: tuple[str, str], until: float) -> Iterator[None]:
        with self._lock:
            queue = self._queues.setdefault(name, _Queue())
            queue.users += 1
        try:
            if not queue.lock.acquire(timeout=max(0.0, until - monotonic())):
                raise busy()
            try:
                yield
            finally:
                queue.lock.release()
        finally:
            with self._lock:
                queue.users -= 1
                if not queue.users:
                    del self._queues[name]


def busy() -> Unavailable:
    """The error where others take too long."""
    return Unavailable(
        "Others are still writing about the same things; nothing was written. Try again in a moment.",
        retry_after=RETRY_AFTER,
    )
