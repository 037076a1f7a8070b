"""changes: the log from an operation on, oldest first, and waiting for what comes next."""

from __future__ import annotations

from collections.abc import Sequence
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
    found = _after(space, since, limit)
    if not found and wait:
        wait_for(space.store, space.name, since, wait)
        found = _after(space, since, limit)
    return tuple(LogEntry(one, outcome_from(one)) for one in found)


def _after(space: Space, since: int, limit: int) -> Sequence[Operation]:
    with space.store.snapshot(space.name) as view:
        last = min(view.head().sequence, since + limit)
        if last <= since:
            return ()
        return view.operations(sequences=range(since + 1, last + 1))[::-1]
