"""Policies: in which order the criteria of entrenchment are asked when values exclude each other."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Criterion(StrEnum):
    """What one value can be more entrenched by than another."""

    AUTHORITY = "authority"
    RECENCY = "recency"
    CONFIDENCE = "confidence"


@dataclass(frozen=True, slots=True)
class Policy:
    """A named order of criteria, for attributes that change and for those that are fixed (theory §3.4)."""

    name: str
    changing: tuple[Criterion, ...]
    fixed: tuple[Criterion, ...]

    def order(self, *, changes: bool) -> tuple[Criterion, ...]:
        """The criteria, first the one that weighs most."""
        return self.changing if changes else self.fixed


AUTHORITY_THEN_RECENCY: Final = Policy(
    "authority-then-recency",
    changing=(Criterion.AUTHORITY, Criterion.RECENCY, Criterion.CONFIDENCE),
    fixed=(Criterion.AUTHORITY, Criterion.CONFIDENCE, Criterion.RECENCY),
)
