"""Dreaming: how far a memory was consolidated, who is at it, and which beliefs were put away."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from knowwhy.core.model.ids import content_id
from knowwhy.core.timeline import BEGINNING, Instant

# How the rule is called by which a step of dreaming derives something.
DREAMT: Final = "dream "


@dataclass(frozen=True, slots=True)
class ParkedTopic:
    """What a step of dreaming failed at, and why: it is left alone until it is tried again on request.

    In a report topic and reason are told in words. On record the topic is a mark and the reason says no more
    than the kind of failure, so that nothing of what was said is left there: `read` and `aged` are how far
    the line was consolidated when it was met, from where trying again goes on.
    """

    step: str
    topic: str
    why: str
    read: int = 0
    aged: int = 0


@dataclass(frozen=True, slots=True)
class DreamState:
    """How far a line was consolidated: what each step has read, and what is parked.

    `read` names steps with the number of the last operation that they read. What was recorded up to
    `aged_to` was looked at as possibly unused. `dreamt_at` is when this was last carried through.
    While somebody is at it, they are the `holder`, and until `leased_until` nobody else may begin.
    """

    kind: ClassVar[str] = "dream"
    is_schema: ClassVar[bool] = False

    read: tuple[tuple[str, int], ...] = ()
    aged_to: int = 0
    holder: str | None = None
    leased_until: Instant | None = None
    parked: tuple[ParkedTopic, ...] = ()
    dreamt_at: Instant | None = None
    declared_in: int = 0
    declared_at: Instant = BEGINNING

    @property
    def key(self) -> str:
        """There is one."""
        return ""

    def read_by(self, step: str) -> int:
        """The last operation that a step has read."""
        return dict(self.read).get(step, 0)

    def retried(self, steps: Collection[str]) -> DreamState:
        """The state from before anything that is parked of some steps was met."""
        again = [one for one in self.parked if one.step in steps]
        read, aged_to = dict(self.read), self.aged_to
        for one in again:
            read[one.step] = min(read.get(one.step, 0), one.read)
            aged_to = min(aged_to, one.aged)
        left = tuple(one for one in self.parked if one.step not in steps)
        return replace(self, read=tuple(sorted(read.items())), aged_to=aged_to, parked=left)


def topic_mark(topic: str) -> str:
    """What stands for a topic on record; the whole of a step, whose topic is empty, for itself."""
    return content_id("tp", topic) if topic else ""


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
