"""Ranking: how much of a question a belief covers, and how far it can be relied on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from knowwhy.recall.finding import Finding


@dataclass(frozen=True, slots=True)
class Relevance:
    """How much each term of a question says: rare terms more, as far as the memory can tell."""

    weights: Mapping[str, float]
    total: float

    def coverage(self, terms: Iterable[str]) -> float:
        """The share of the question's weight that `terms` cover, from 0 to 1."""
        if self.total == 0.0:
            return 0.0
        covered = self.weights.keys() & terms
        return min(1.0, sum([self.weights[term] for term in sorted(covered)]) / self.total)


def relevance(question: Iterable[str], frequencies: Mapping[str, int], documents: int) -> Relevance:
    """The weights of a question's terms by inverse document frequency; unknown terms weigh as the rarest."""
    weights = {term: math.log(1.0 + (documents + 1) / (frequencies.get(term, 0) + 1)) for term in question}
    return Relevance(weights, sum(weights.values()))


def final_score(coverage: float, finding: Finding, *, is_about_another: bool) -> float:
    """Coverage tempered by confidence: what is doubtful must fit the question better to come first.

    What concerns another entity than the question names must fit twice as well.
    """
    return coverage * (0.7 + 0.3 * finding.raw_confidence) * (0.5 if is_about_another else 1.0)


def by_score(finding: Finding) -> tuple[float, int, int, str]:
    """What to sort findings by: score, then authority, then recency."""
    belief = finding.belief
    return (-finding.score, -belief.authority, -belief.observed_at, belief.id)
