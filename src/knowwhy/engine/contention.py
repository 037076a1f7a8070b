"""Contention: where other writers were met, so that who writes next queues there, and decides once."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic
from typing import Final

# For so many seconds after others were last met somewhere they are taken to be there still.
REMEMBERED: Final = 10.0
# A write queues in so many places at the most: each is a lock.
MOST: Final = 16
# The place that stands for a memory as a whole: its schema, and what rests on what.
WHOLE: Final = ""


@dataclass(slots=True)
class Contention:
    """What the writers of one process know of others: for the slots of a write, where it met them."""

    _lock: Lock = field(default_factory=Lock)
    _met: dict[tuple[str, str], tuple[float, frozenset[str]]] = field(default_factory=dict)

    def meet(self, space: str, slots: Collection[str], places: Collection[str]) -> None:
        """Remember that a write about some slots met others in these places."""
        now = monotonic()
        with self._lock:
            self._met = {key: known for key, known in self._met.items() if known[0] > now}
            for slot in slots or (WHOLE,):
                _, before = self._met.get((space, slot), (now, frozenset[str]()))
                self._met[space, slot] = (now + REMEMBERED, _most(before.union(places)))

    def places(self, space: str, slots: Collection[str]) -> frozenset[str]:
        """Where a write about some slots would meet others."""
        if not self._met:
            return frozenset()
        now = monotonic()
        with self._lock:
            known = [self._met.get((space, slot), (now, frozenset[str]())) for slot in slots or (WHOLE,)]
        return _most(frozenset[str]().union(*(places for until, places in known if until > now)))


def _most(places: frozenset[str]) -> frozenset[str]:
    return frozenset(sorted(places)[:MOST])
