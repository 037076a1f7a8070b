"""The turn of one write: where it queues, so that those who write about the same things pass one by one."""

from __future__ import annotations

from knowwhy.engine.contention import WHOLE
from knowwhy.engine.intent import Intent
from knowwhy.engine.space import Space
from knowwhy.store.protocol import Batch, Snapshot, StaleRead


class Turn:
    """Where a write queues. At first nowhere: only who met others there, or knows of them, waits.

    A turn does no more than spare vain work: that nothing is written on what has moved, the store sees to.
    """

    def __init__(self, space: Space) -> None:
        self._space = space
        self._joined_at = 0
        self.places: frozenset[str] = frozenset()

    def joins(self, intent: Intent, view: Snapshot) -> bool:
        """Whether a write is to queue where it does not yet, for others are there; then it reads anew."""
        wanted = self._space.contention.places(self._space.name, _slots_of(intent))
        if wanted <= self.places:
            return False
        self.places |= wanted
        self._joined_at = view.head().sequence
        return True

    def lost(self, intent: Intent, batch: Batch, stale: StaleRead) -> None:
        """Learn from a race that was lost where the others are."""
        moved = {key.slot_id for key, known in stale.versions.items() if known != batch.expected.get(key)}
        self._meet(intent, moved or self._whole(batch))

    def won(self, intent: Intent, batch: Batch) -> None:
        """Learn from a write that waited its turn whether others are still there: they wrote meanwhile."""
        if self.places:
            moved = {key.slot_id for key, known in batch.expected.items() if known > self._joined_at}
            moved |= {WHOLE} if max(batch.schema, batch.links or 0) > self._joined_at else set()
            self._meet(intent, moved & self.places)

    def _whole(self, batch: Batch) -> set[str]:
        """The whole memory, if its schema moved since, or what rests on what."""
        with self._space.store.snapshot(self._space.name) as view:
            head = view.head()
        return {WHOLE} if head.schema != batch.schema or batch.links not in (None, head.links) else set()

    def _meet(self, intent: Intent, places: set[str]) -> None:
        if places:
            self._space.contention.meet(self._space.name, _slots_of(intent), places)


def _slots_of(intent: Intent) -> frozenset[str]:
    """The slots (ids) that an intent is about."""
    return frozenset((*(one.slot.id for one in intent.claims), *(one.slot_id for one in intent.contests)))
