"""Replicas: reads may be answered by a copy of the store, as long as it has come far enough."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from threading import Lock
from time import monotonic
from typing import Final

from knowwhy.core.model import Operation
from knowwhy.errors import Unavailable
from knowwhy.store.following import wait_for
from knowwhy.store.protocol import Batch, Erasing, Snapshot, Store, View

# A replica that could not be reached is left alone for so many seconds.
PAUSE: Final = 10.0
# Of as many spaces it is kept how far they have come; of others it is asked again.
SPACES: Final = 10_000
_NEVER: Final = float("-inf")


class Marks:
    """How far a replica must have come in each space to be read, so that one reads one's own writes."""

    def __init__(self, max_staleness: float | None, clock: Callable[[], float] = monotonic) -> None:
        self._max_staleness = max_staleness
        self._clock = clock
        self._lock = Lock()
        # By space: the number of an operation, and when the primary had come at least so far.
        self._marks: OrderedDict[str, tuple[int, float]] = OrderedDict()
        self._has_dropped = False

    def note(self, space: str, sequence: int) -> None:
        """Have a space read no older than after operation `sequence`."""
        self._put(space, sequence, None)

    def due(self, space: str, head: Callable[[], int]) -> int:
        """The operation that a replica must have come to; `head` asks the primary where that is due."""
        with self._lock:
            sequence, asked_at = self._marks.get(space, (0, _NEVER))
            # What was dropped may have been the mark of a write.
            is_lost = self._has_dropped and space not in self._marks
        bound = self._max_staleness
        if is_lost or (bound is not None and self._clock() - asked_at > bound):
            now = self._clock()  # before it is asked: what is committed meanwhile may be missing
            sequence = self._put(space, head(), now)
        return sequence

    def _put(self, space: str, sequence: int, asked_at: float | None) -> int:
        with self._lock:
            known, before = self._marks.get(space, (0, _NEVER))
            kept = max(known, sequence), before if asked_at is None else max(before, asked_at)
            self._marks[space] = kept
            self._marks.move_to_end(space)
            if len(self._marks) > SPACES:
                self._marks.popitem(last=False)
                self._has_dropped = True
            return kept[0]


class NotingStore:
    """The primary: a store whose commits are marked, so that they are seen by whoever reads afterwards."""

    def __init__(self, primary: Store, marks: Marks) -> None:
        self._primary = primary
        self.marks = marks

    def snapshot(self, space: str, *, turn: Collection[str] = ()) -> AbstractContextManager[Snapshot]:
        return self._primary.snapshot(space, turn=turn)

    def commit(self, space: str, batch: Batch) -> Operation:
        operation = self._primary.commit(space, batch)
        self.marks.note(space, operation.sequence)
        return operation

    def replace_views(self, space: str, rows: Iterable[View], *, is_whole: bool = True) -> None:
        self._primary.replace_views(space, rows, is_whole=is_whole)

    def drop(self, space: str, evidence: Sequence[str], before: int, erasing: Erasing | None = None) -> None:
        self._primary.drop(space, evidence, before, erasing)

    def problems(self, space: str) -> list[str]:
        return self._primary.problems(space)

    def wait(self, space: str, after: int, timeout: float) -> None:
        wait_for(self._primary, space, after, timeout)

    def close(self) -> None:
        self._primary.close()


class ReplicaStore(NotingStore):
    """Reads are answered by the replica where it has come far enough, and all else by the primary."""

    def __init__(self, primary: Store, replica: Store, marks: Marks) -> None:
        super().__init__(primary, marks)
        self._replica = replica
        self._left_alone_until = _NEVER

    @contextmanager
    def snapshot(self, space: str, *, turn: Collection[str] = ()) -> Iterator[Snapshot]:
        with ExitStack() as stack:
            # Who takes a turn is about to write, and what is written rests on no replica.
            view = None if turn else self._replicated(space, stack)
            if view is None:
                yield stack.enter_context(self._primary.snapshot(space, turn=turn))
                return
            try:
                yield view
            except Unavailable:
                self._leave_alone()
                raise

    def _replicated(self, space: str, stack: ExitStack) -> Snapshot | None:
        """The state of the replica, None where it is too old or cannot be reached."""
        if monotonic() < self._left_alone_until:
            return None
        due = self.marks.due(space, lambda: self._head(space))
        try:
            view = stack.enter_context(self._replica.snapshot(space))
        except Unavailable:
            self._leave_alone()
            return None
        if view.head().sequence >= due:
            return view
        stack.close()
        return None

    def _head(self, space: str) -> int:
        with self._primary.snapshot(space) as view:
            return view.head().sequence

    def _leave_alone(self) -> None:
        self._left_alone_until = monotonic() + PAUSE

    def close(self) -> None:
        """Let go of the replica; the primary belongs to whoever writes."""
        self._replica.close()
