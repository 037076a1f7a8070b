"""Arbitrations: who is to decide a conflict, by when, and what was decided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from knowwhy.core.timeline import BEGINNING, Instant


@dataclass(frozen=True, slots=True)
class Arbitration:
    """Who is to decide a conflict (by its id), by when, and what was decided the last time, by whom.

    A conflict that is open and has a `decision` was opened again.
    """

    kind: ClassVar[str] = "arbitration"
    is_schema: ClassVar[bool] = False

    conflict: str
    assigned_to: str | None = None
    due: Instant | None = None
    decision: str | None = None
    decided_by: str | None = None
    declared_in: int = 0
    declared_at: Instant = BEGINNING

    @property
    def key(self) -> str:
        """Of which conflict."""
        return self.conflict
