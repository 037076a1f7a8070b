"""Entrenchment: which of two literals is harder to give up (theory §3.4)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from knowwhy.core.model import HIGHEST_AUTHORITY, Rule
from knowwhy.core.revision.hearing import Statement
from knowwhy.core.revision.policy import Criterion
from knowwhy.core.timeline import Instant


@dataclass(frozen=True, slots=True)
class Rank:
    """How entrenched a literal is.

    `recency` is the latest word of its highest `authority`, `starts` the beginnings that word
    names, and `mass` its evidence before any ageing: recency is a criterion of its own, so letting
    age into the mass would count it twice, and ranks would drift with the clock.
    """

    authority: int
    recency: Instant
    mass: float
    starts: frozenset[Instant]

    def key(self, order: tuple[Criterion, ...]) -> tuple[float, ...]:
        """What to sort by, so that the most entrenched comes last."""
        return tuple(self._measure(criterion) for criterion in order)

    def _measure(self, criterion: Criterion) -> float:
        if criterion is Criterion.AUTHORITY:
            return self.authority
        if criterion is Criterion.RECENCY:
            return self.recency
        if criterion is Criterion.CONFIDENCE:
            return round(self.mass, 9)
        if self.authority < HIGHEST_AUTHORITY:
            return 0
        return self.authority if criterion is Criterion.RULING else self.recency

    def beats(self, other: Rank, order: tuple[Criterion, ...]) -> Rule:
        """The criterion by which this, the higher in `order`, settles the matter; TIE where none does.

        Recency settles nothing between words that name the same beginning: they dispute one period.
        """
        for criterion in order:
            if criterion is Criterion.RECENCY and self.starts & other.starts:
                continue
            mine, theirs = self._measure(criterion), other._measure(criterion)
            if mine > theirs:
                return _RULES[criterion]
            if mine < theirs:
                return Rule.TIE
        return Rule.TIE


_RULES: Final = {
    Criterion.AUTHORITY: Rule.AUTHORITY,
    Criterion.RECENCY: Rule.RECENCY,
    Criterion.CONFIDENCE: Rule.CONFIDENCE,
    Criterion.RULING: Rule.AUTHORITY,
    Criterion.LATEST_RULING: Rule.RECENCY,
}


def rank_of(statements: Iterable[Statement], mass: float) -> Rank:
    """The rank that its statements, of total `mass`, give a literal; there must be at least one."""
    by_authority = list(statements)
    authority = max(one.authority for one in by_authority)
    highest = [one for one in by_authority if one.authority == authority]
    recency = max(one.recency for one in highest)
    starts = frozenset(
        one.named_start for one in highest if one.recency == recency and one.named_start is not None
    )
    return Rank(authority, recency, mass, starts)
