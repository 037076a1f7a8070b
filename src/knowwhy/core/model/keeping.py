"""How long words are kept that nothing rests on, and statements that wait for what they lack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from knowwhy.core.model.ids import content_id
from knowwhy.core.timeline import BEGINNING, Instant

# What stands for small talk, whoever says it, in the place of a source type.
FILLER: Final = "filler"


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """For how many days words are kept of which nothing is believed, by the type of their source.

    Those of a type that is not named are kept for good. `FILLER` names greetings, thanks and the like, of
    any source.
    """

    kind: ClassVar[str] = "lifetimes"
    is_schema: ClassVar[bool] = False

    days: tuple[tuple[str, float], ...] = ()
    declared_in: int = 0
    declared_at: Instant = BEGINNING

    @property
    def key(self) -> str:
        """There is one."""
        return ""

    def changed(self, days: Mapping[str, float]) -> Lifetimes:
        """The lifetimes with some of them changed; 0 days mean for good."""
        known = {**dict(self.days), **days}
        return replace(self, days=tuple(sorted((name, each) for name, each in known.items() if each)))

    def of(self, source_type: str) -> float | None:
        """The days that words of a source type are kept; None for good."""
        return dict(self.days).get(source_type)


@dataclass(frozen=True, slots=True)
class Auditing:
    """For how many days it is kept what was answered to whom; answers are not recorded where it is 0."""

    kind: ClassVar[str] = "auditing"
    is_schema: ClassVar[bool] = False

    days: float = 0.0
    declared_in: int = 0
    declared_at: Instant = BEGINNING

    @property
    def key(self) -> str:
        """There is one."""
        return ""


@dataclass(frozen=True, slots=True)
class Incomplete:
    """That a statement was left incomplete: where it stands in the words of its evidence, and what it lacks.

    It waits as long as the evidence stands, no claim quotes just these words, and nobody dismissed it.
    """

    kind: ClassVar[str] = "incomplete"
    is_schema: ClassVar[bool] = False

    evidence: str
    start: int
    end: int
    missing: str
    is_dismissed: bool = False
    declared_in: int = 0
    declared_at: Instant = BEGINNING

    @property
    def key(self) -> str:
        """Which words of which evidence."""
        return f"{self.evidence}:{self.start}-{self.end}"


@dataclass(frozen=True, slots=True)
class Excerpts:
    """Which sentences tell of a session: where each stands in the words of its evidence, and no words.

    `session` is the key of its context; each sentence is an item of evidence, its start and its end.
    """

    kind: ClassVar[str] = "excerpts"
    is_schema: ClassVar[bool] = False

    session: str
    sentences: tuple[tuple[str, int, int], ...] = ()
    declared_in: int = 0
    declared_at: Instant = BEGINNING

    @property
    def key(self) -> str:
        """Of which session."""
        return self.session

    @property
    def evidence(self) -> tuple[str, ...]:
        """The items (by id) that it tells of."""
        return tuple(dict.fromkeys(one[0] for one in self.sentences))


def session_key(context: str) -> str:
    """The key of a session, which does not tell its name."""
    return content_id("ss", context)
