"""The queue as a state of the memory has it: its steps are walked back from the last one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from knowwhy.core.model import QueueStep
from knowwhy.ingest.queue import Backlog
from knowwhy.store.protocol import Snapshot

_ONE: Final = QueueStep().key


def brought_up(view: Snapshot, backlog: Backlog) -> Backlog:
    """The queue as of a state of the memory, from the steps since; it goes forward only."""
    backlog.take(_begun(backlog, list(_since(view, backlog.sequence)), is_new=not backlog.sequence))
    return backlog


def _since(view: Snapshot, after: int) -> Iterator[QueueStep]:
    """The steps after an operation, the newest first, no further back than need be."""
    until, floor = None, after
    while (step := view.declared(QueueStep, [_ONE], until=until).get(_ONE)) is not None:
        if step.declared_in <= floor:
            return
        yield step
        if step.kept is not None and not after:
            floor = max(floor, step.as_of)
        until = step.declared_in - 1


def _begun(backlog: Backlog, steps: list[QueueStep], *, is_new: bool) -> list[QueueStep]:
    """The steps still to be taken in, the oldest first; a new queue begins with the newest that is whole."""
    steps.reverse()
    whole = [one for one in steps if one.kept is not None] if is_new else []
    if whole:
        newest = max(whole, key=lambda one: one.as_of)
        backlog.start_from(newest.kept or (), newest.as_of)
    return [one for one in steps if one.declared_in > backlog.sequence]
