"""The labels of a memory, read again only when one was added, and the maps they make."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Final

from knowwhy.core.model import Act, Label, Schema
from knowwhy.core.timeline import FOREVER, Instant
from knowwhy.recall.calibrating import Calibrations, in_order
from knowwhy.store.protocol import Head, Snapshot

# Up to so many operations since are looked at one by one, whether any of them judged something.
_FEW: Final = 8
# Acts that bring no label, whatever else they do.
_BRING_NONE: Final = frozenset(
    {
        *(Act.OBSERVE, Act.END, Act.RETRACT, Act.CORRECT, Act.ALIAS, Act.DERIVE, Act.GIVE_UP),
        *(Act.DECLARE, Act.CONFIGURE, Act.LEARN, Act.LEASE, Act.READ, Act.RETRY, Act.USED, Act.DOCUMENT),
    }
)
# For so many different times of knowledge the maps are kept.
_MOST_KEPT: Final = 16

# By the schema, the last operation known (None for all), and what was learned of sources by then.
_Made = dict[tuple[int, int | None, int], Calibrations]


@dataclass(frozen=True, slots=True)
class _Read:
    """The labels as of an operation, in order, and the maps made of them so far."""

    sequence: int = 0
    labels: tuple[Label, ...] = ()
    made: _Made = field(default_factory=dict)


class LabelCache:
    """What one process has read of the labels of one memory.

    While the log stays where it was, reading costs nothing; after other operations it costs a look at
    those, or where there are no labels a query that finds none.
    """

    __slots__ = ("_read",)

    def __init__(self) -> None:
        self._read = _Read()

    def calibrations(self, view: Snapshot, schema: Schema, known: Instant) -> Calibrations:
        """The maps that the labels known by an instant make, under a schema."""
        head, read = view.head(), self._read
        if read.sequence < head.sequence:
            read = self._read = _brought_up(view, head, read)
        until = None
        if read.labels and known != FOREVER:
            until = _last_by(view, head, known)
        elif head.sequence < read.sequence:  # another thread has read on meanwhile
            until = head.sequence
        learned = next((one.declared_in for one in reversed(schema.learnings) if one.declared_at <= known), 0)
        key = (head.schema, until, learned)
        made = read.made.get(key)
        if made is None:
            if len(read.made) >= _MOST_KEPT:
                read.made.clear()
            labels = read.labels if until is None else labels_of(view, until)
            made = read.made[key] = Calibrations(labels, schema, known)
        return made


def _brought_up(view: Snapshot, head: Head, read: _Read) -> _Read:
    """The labels as of the head; read anew only if one was added or replaced."""
    missed = range(read.sequence + 1, head.sequence + 1)
    if read.labels and len(missed) <= _FEW:
        acts = {one.act for one in view.operations(sequences=missed)}
        if acts <= _BRING_NONE:
            return _Read(head.sequence, read.labels, read.made)
    labels = labels_of(view)
    return _Read(head.sequence, labels, read.made if labels == read.labels else {})


def labels_of(view: Snapshot, until: int | None = None) -> tuple[Label, ...]:
    """The labels in force after an operation, or now, in the order in which they were given."""
    return tuple(in_order(view.declared(Label, until=until).values()))


def _last_by(view: Snapshot, head: Head, known: Instant) -> int:
    """The number of the last operation of an instant or before, found by halving."""
    numbers = range(1, head.sequence + 1)
    return bisect_right(numbers, known, key=lambda one: view.operations(sequences=[one])[0].at)
