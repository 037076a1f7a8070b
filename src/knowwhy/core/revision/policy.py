"""Policies: in which order the criteria of entrenchment are asked when values exclude each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Criterion(StrEnum):
    """What one value can be more entrenched by than another.

    RECENCY is that of the word of highest authority, LATEST_WORD that of any. RULING and LATEST_RULING ask
    for authority and recency among decisions of the highest authority only.
    """

    AUTHORITY = "authority"
    RECENCY = "recency"
    CONFIDENCE = "confidence"
    LATEST_WORD = "latest_word"
    RULING = "ruling"
    LATEST_RULING = "latest_ruling"


@dataclass(frozen=True, slots=True)
class Policy:
    """A named order of criteria, for attributes that change and for those that are fixed (theory §3.4).

    With `odds_ratio`, what came later takes the place of what stands only if its odds are more than
    so many times as good, whatever the criteria (theory §6.3). What is forced goes before all that is
    not, under every policy.
    """

    name: str
    changing: tuple[Criterion, ...]
    fixed: tuple[Criterion, ...]
    odds_ratio: float | None = None

    def order(self, *, changes: bool) -> tuple[Criterion, ...]:
        """The criteria, first the one that weighs most."""
        return self.changing if changes else self.fixed


AUTHORITY_THEN_RECENCY: Final = Policy(
    "authority-then-recency",
    changing=(Criterion.AUTHORITY, Criterion.RECENCY, Criterion.CONFIDENCE),
    fixed=(Criterion.AUTHORITY, Criterion.CONFIDENCE, Criterion.RECENCY),
)

CONFIDENCE_FIRST: Final = Policy(
    "confidence-first",
    changing=(Criterion.CONFIDENCE, Criterion.AUTHORITY, Criterion.RECENCY),
    fixed=(Criterion.CONFIDENCE, Criterion.AUTHORITY, Criterion.RECENCY),
)

NEWEST: Final = Policy(
    "newest",
    changing=(Criterion.LATEST_WORD, Criterion.AUTHORITY, Criterion.CONFIDENCE),
    fixed=(Criterion.LATEST_WORD, Criterion.AUTHORITY, Criterion.CONFIDENCE),
)

RATIO: Final = Policy(
    "ratio",
    changing=(Criterion.CONFIDENCE, Criterion.RECENCY),
    fixed=(Criterion.CONFIDENCE, Criterion.RECENCY),
    odds_ratio=1.5,
)

# Nothing is settled but by a decision of the highest authority: a correction, or what is forced.
MANUAL: Final = Policy(
    "manual",
    changing=(Criterion.RULING, Criterion.LATEST_RULING),
    fixed=(Criterion.RULING, Criterion.LATEST_RULING),
)

POLICIES: Final[Mapping[str, Policy]] = {
    one.name: one for one in (AUTHORITY_THEN_RECENCY, CONFIDENCE_FIRST, NEWEST, RATIO, MANUAL)
}
