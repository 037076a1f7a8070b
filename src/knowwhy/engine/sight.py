"""Sight: what an answer was read from, noted while it is read, for the record of answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from knowwhy.core.timeline import Instant
from knowwhy.engine.configure import auditing_of
from knowwhy.recall.gate import Gate


@dataclass(slots=True)
class Sight:
    """How far the log had come where an answer was read, and whom it was about.

    `days` says for how long the answer is to be kept on record; it is not where that is 0.
    """

    days: float = 0.0
    operation: int = 0
    known: Instant = Instant(0)
    policy: str = ""
    entities: tuple[str, ...] = ()

    def look(self, gate: Gate, entities: Iterable[str] = ()) -> None:
        """Note what a gate opens on, and the ids of whom the question means."""
        self.days = auditing_of(gate.view).days
        if self.days:
            head = gate.view.head()
            self.operation, self.known, self.policy = head.sequence, head.at, gate.policy.name
            self.entities = tuple(entities)
