"""What a memory keeps about itself beside attributes: its defaults, learned reliabilities, judgements."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from knowwhy.core.confidence import ConfidenceModel
from knowwhy.core.timeline import BEGINNING, Instant


@dataclass(frozen=True, slots=True)
class Charter:
    """How a memory decides where an attribute does not say: its policy and its confidence model."""

    kind: ClassVar[str] = "charter"
    is_schema: ClassVar[bool] = True

    policy: str | None = None
    confidence: ConfidenceModel | None = None
    declared_in: int = 0
    declared_at: Instant = BEGINNING

    @property
    def key(self) -> str:
        """There is one."""
        return ""


@dataclass(frozen=True, slots=True)
class Learning:
    """How reliable sources were found to be, from what they said beside each other.

    `rates` holds, for each source (by its group), the reliability, and the number of statements it
    was judged by. Sources that are absent stay at the reliability of their type.
    """

    kind: ClassVar[str] = "learning"
    is_schema: ClassVar[bool] = True

    at: Instant
    rates: tuple[tuple[str, float, int], ...] = ()
    method: str = ""
    declared_in: int = 0
    declared_at: Instant = BEGINNING

    @property
    def key(self) -> str:
        """When it was learned."""
        return f"{self.at:020d}"


class Judgement(StrEnum):
    """Whether somebody who knows found a belief right."""

    RIGHT = "right"
    WRONG = "wrong"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Label:
    """A judgement on a belief as it stood: what calibration is measured and fitted by.

    `confidence` is the number before any calibration at the time of the judgement. Of a denial, what is
    judged is that the value does not hold, and the number is that of the denial. `strategy` says by what
    the number was reckoned: numbers of different strategies are not comparable.
    """

    kind: ClassVar[str] = "label"
    is_schema: ClassVar[bool] = False

    belief: str
    judgement: Judgement
    confidence: float
    at: Instant
    subject: str
    attribute: str
    value: str
    status: str
    by: str | None = None
    is_denial: bool = False
    strategy: str = ""
    declared_in: int = 0
    declared_at: Instant = BEGINNING

    @property
    def key(self) -> str:
        """The belief, who judged it, and when."""
        return f"{self.at:020d}:{self.belief}:{self.by or ''}"
