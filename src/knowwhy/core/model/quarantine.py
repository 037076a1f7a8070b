"""Quarantine: a source whose words count nothing until it is released."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Final

from knowwhy.core.model.ids import content_id
from knowwhy.core.model.withdrawal import Withdrawal, in_force
from knowwhy.core.timeline import BEGINNING, Instant

# It begins as every retraction does.
_SET_APART: Final = "rt_quarantine"


@dataclass(frozen=True, slots=True)
class Quarantine:
    """That nothing a source says counts, by its name, whatever its type; or that it was released again."""

    kind: ClassVar[str] = "quarantine"
    is_schema: ClassVar[bool] = True

    source: str
    is_released: bool = False
    declared_in: int = 0
    declared_at: Instant = BEGINNING

    @property
    def key(self) -> str:
        """Which source."""
        return self.source


def quarantine_id(evidence: str, at: Instant) -> str:
    """The id of the retraction that sets an item of evidence apart at an instant."""
    return content_id(_SET_APART, evidence, str(at))


def is_for_quarantine(one: Withdrawal) -> bool:
    """Whether a withdrawal or lift was made only because a source is in quarantine, or was released."""
    return one.id.startswith(_SET_APART) or one.target.startswith(_SET_APART)


def is_taken_back(withdrawals: Iterable[Withdrawal]) -> bool:
    """Whether a record is withdrawn by more than a quarantine, so that it stays so when that ends."""
    return in_force(one for one in withdrawals if not is_for_quarantine(one)) is not None
