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
class Word:
    """The latest of some statements: how recent it is, and which beginnings those that recent name."""

    recency: Instant
    starts: frozenset[Instant]


@dataclass(frozen=True, slots=True)
class Rank:
    """How entrenched a literal is.

    `ruling` is the latest word of its highest `authority`, `latest` that of any, `came_at` when the
    first word for it came, and `mass` its evidence before any ageing: recency is a criterion of its
    own, so letting age into the mass would count it twice, and ranks would drift with the clock.
    """

    authority: int
    ruling: Word
    latest: Word
    came_at: Instant
    mass: float

    @property
    def is_forced(self) -> bool:
        """Whether it stands above all that is not forced, whatever the policy."""
        return self.authority > HIGHEST_AUTHORITY

    @property
    def recency(self) -> Instant:
        """When it was last said with its highest authority."""
        return self.ruling.recency

    def key(self, order: tuple[Criterion, ...]) -> tuple[float, ...]:
        """What to sort by, so that the most entrenched comes last."""
        return self.is_forced, *(self._measure(criterion) for criterion in order)

    def _measure(self, criterion: Criterion) -> float:
        if criterion is Criterion.AUTHORITY:
            return self.authority
        if criterion is Criterion.CONFIDENCE:
            return round(self.mass, 9)
        if criterion in _WORDS:
            return self._word(criterion).recency
        if self.authority < HIGHEST_AUTHORITY:
            return 0
        return self.authority if criterion is Criterion.RULING else self.recency

    def _word(self, criterion: Criterion) -> Word:
        return self.ruling if criterion is Criterion.RECENCY else self.latest

    def beats(self, other: Rank, order: tuple[Criterion, ...]) -> Rule:
        """The criterion by which this, the higher in `order`, settles the matter; TIE where none does.

        Recency settles nothing between words that name the same beginning: they dispute one period.
        """
        if self.is_forced is not other.is_forced:
            return Rule.AUTHORITY if self.is_forced else Rule.TIE
        for criterion in order:
            if criterion in _WORDS and self._word(criterion).starts & other._word(criterion).starts:
                continue
            mine, theirs = self._measure(criterion), other._measure(criterion)
            if mine > theirs:
                return _RULES[criterion]
            if mine < theirs:
                return Rule.TIE
        return Rule.TIE


_WORDS: Final = (Criterion.RECENCY, Criterion.LATEST_WORD)
_RULES: Final = {
    Criterion.AUTHORITY: Rule.AUTHORITY,
    Criterion.RECENCY: Rule.RECENCY,
    Criterion.LATEST_WORD: Rule.RECENCY,
    Criterion.CONFIDENCE: Rule.CONFIDENCE,
    Criterion.RULING: Rule.AUTHORITY,
    Criterion.LATEST_RULING: Rule.RECENCY,
}


def rank_of(statements: Iterable[Statement], mass: float) -> Rank:
    """The rank that its statements, of total `mass`, give a literal; there must be at least one."""
    said = list(statements)
    authority = max(one.authority for one in said)
    highest = [one for one in said if one.authority == authority]
    ruling = _latest(highest)
    latest = ruling if len(highest) == len(said) else _latest(said)
    return Rank(authority, ruling, latest, min(one.recency for one in said), mass)


def _latest(said: list[Statement]) -> Word:
    recency = max(one.recency for one in said)
    named = {one.named_start for one in said if one.recency == recency}
    return Word(recency, frozenset(start for start in named if start is not None))
