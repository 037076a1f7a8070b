"""Following: waiting until a space moves on, by a store's own news or by looking again and again."""

from __future__ import annotations

from time import monotonic, sleep
from typing import Final, Protocol, cast

from knowwhy.store.protocol import Store

# How often a store that has no news is looked at: reading a head takes far less than a millisecond.
INTERVAL: Final = 0.1


class Following(Protocol):
    """What a store may offer besides: to wait for news without asking again and again."""

    def wait(self, space: str, after: int, timeout: float) -> None:
        """Return once the log of a space has come past operation `after`, or after `timeout` seconds."""


def wait_for(store: Store, space: str, after: int, timeout: float) -> None:
    """Return once the log of a space has come past operation `after`, or after `timeout` seconds."""
    if hasattr(store, "wait"):
        cast("Following", store).wait(space, after, timeout)
        return
    until = monotonic() + timeout
    while not has_moved(store, space, after) and (left := until - monotonic()) > 0:
        sleep(min(INTERVAL, left))


def has_moved(store: Store, space: str, after: int) -> bool:
    """Whether the log of a space has come past operation `after`."""
    with store.snapshot(space) as view:
        return view.head().sequence > after
