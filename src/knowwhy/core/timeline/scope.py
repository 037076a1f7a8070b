"""The two times of a question: when it should have been so, and what was known by when."""

from __future__ import annotations

from dataclasses import dataclass

from knowwhy.core.timeline.instant import FOREVER, Instant


@dataclass(frozen=True, slots=True)
class Scope:
    """What a reader asks about: the world at `valid`, as the memory knew it at `known`."""

    valid: Instant
    known: Instant = FOREVER

    @property
    def is_latest_knowledge(self) -> bool:
        """Whether everything recorded counts, so that kept views may answer."""
        return self.known == FOREVER
