"""Dreaming: how far a memory was consolidated, who is at it, and which beliefs were put away."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from knowwhy.core.timeline import BEGINNING, Instant

# How the rule is called by which a step of dreaming derives something.
DREAMT: Final = "dream "


@dataclass(frozen=True, slots=True)
class ParkedTopic:
    """What a step of dreaming failed at, and why: it is left alone until it is tried again on request."""

    step: str
    topic: str
    why: str


@dataclass(frozen=True, slots=True)
class DreamState:
    """How far a line was consolidated: what each step has read, and what is parked.

    `read` names steps with the number of the last operation that they read. What was recorded up to
    `aged_to` was looked at as possibly unused.
    While somebody is at it, they are the `holder`, and until `leased_until` nobody else may begin.
    """

    kind: ClassVar[str] = "dream"
    is_schema: ClassVar[bool] = False

    read: tuple[tuple[str, int], ...] = ()
    aged_to: int = 0
    holder: str | None = None
    leased_until: Instant | None = None
    parked: tuple[ParkedTopic, ...] = ()
    declared_in: int = 0
    declared_at: Instant = BEGINNING

    @property
    def key(self) -> str:
        """There is one."""
        return ""

    def read_by(self, step: str) -> int:
        """The last operation that a step has read."""
        return dict(self.read).get(step, 0)


@dataclass(frozen=True, slots=True)
class Archive:
    """That a belief (by its id) was put away as long unused, or taken out again.

    It holds for the belief as it was then: what is heard for it later brings it back at once.
    """

    kind: ClassVar[str] = "archive"
    is_schema: ClassVar[bool] = True

    belief: str
    evidence: int = 0
    observed_at: Instant = BEGINNING
    is_undone: bool = False
    declared_in: int = 0
    declared_at: Instant = BEGINNING

    @property
    def key(self) -> str:
        """Which belief."""
        return self.belief


def is_dreamt(rule: str) -> bool:
    """Whether a derivation by this rule was made while dreaming."""
    return rule.startswith(DREAMT)
