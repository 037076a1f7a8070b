"""changes: the log from an operation on, oldest first, and waiting for what comes next."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import Final

from knowwhy.core.model import Operation
from knowwhy.engine.log import LogEntry
from knowwhy.engine.outcome import outcome_from
from knowwhy.engine.space import Space
from knowwhy.errors import InvalidInput
from knowwhy.store.following import wait_for

MOST: Final = 1_000


def changes(space: Space, since: int = 0, *, limit: int = MOST, wait: float = 0.0) -> tuple[LogEntry, ...]:
    """The operations after number `since`, oldest first; where there are none, wait so many seconds for one.

    Raises:
        InvalidInput: a number below 0, or a limit below 1.
    """
    if since < 0 or wait < 0:
        msg = f"Operations count from 1 and seconds from 0, so {min(since, wait)} cannot be asked for."
        raise InvalidInput(msg)
    if limit < 1:
        msg = f"The limit must be at least 1, not {limit}."
        raise InvalidInput(msg)
    last, found = _after(space, since, limit)
    until = monotonic() + wait
    while not found and (left := until - monotonic()) > 0:
        # What the principal may not see is no news.
        wait_for(space.store, space.name, last, left)
        last, found = _after(space, last, limit)
    return tuple(LogEntry(one, outcome_from(one)) for one in found)


def _after(space: Space, since: int, limit: int) -> tuple[int, Sequence[Operation]]:
    """The first operations after a number that may be seen, and up to which number was looked."""
    with space.snapshot() as view:
        head = view.head().sequence
        while since < head:
            last = min(head, since + limit)
            found = view.operations(sequences=range(since + 1, last + 1))[::-1]
            since = last
            if found:
                return since, found
    return since, ()
