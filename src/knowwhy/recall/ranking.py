"""Ranking: how much of a question a document accounts for, and how far it can be relied on."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from knowwhy.core.model import HIGHEST_AUTHORITY, RankingWeights
from knowwhy.core.timeline import MICROSECONDS_PER_DAY, Instant
from knowwhy.recall.analysis import terms
from knowwhy.recall.finding import Finding
from knowwhy.recall.leads import Channel
from knowwhy.recall.timing import WHEN

# After so many days something said counts half as recent.
_RECENT_DAYS: Final = 180.0

# For how many words a date counts at the most.
_MOST_OF_A_DATE: Final = 3

# How far one rating moves a weight at the most, and within which bounds.
_RATE: Final = 0.05
_BOUNDS: Final = {
    "meaning": (0.25, 2.0),
    "confidence": (0.1, 0.6),
    "recency": (0.0, 0.4),
    "authority": (0.0, 0.4),
}

# How much what was said one turn farther away counts beside what was said nearer, and how far that goes.
_FARTHER: Final = 0.6
AROUND: Final = 2

# What a belief keeps of its relevance that concerns another entity than the question names.
_ABOUT_ANOTHER: Final = 0.5


@dataclass(frozen=True, slots=True)
class Relevance:
    """How much each term of a question says: rare terms more, as far as the memory can tell."""

    weights: Mapping[str, float] = field(default_factory=dict)
    total: float = 0.0

    def coverage(self, covered: Iterable[str], closeness: float = 0.0) -> float:
        """The share of the question's weight that these terms cover, from 0 to 1.

        `closeness` is how near it comes to the time that the question names.
        """
        if self.total == 0.0:
            return 0.0
        met = self.weights.keys() & covered
        weight = sum([self.weights[term] for term in sorted(met)])
        return min(1.0, (weight + closeness * self.weights.get(WHEN, 0.0)) / self.total)

    def known(self, words: str) -> frozenset[str]:
        """The terms of the question that are in some words."""
        return frozenset(self.weights.keys() & set(terms(words)))


def relevance(question: Iterable[str], frequencies: Mapping[str, int], documents: int) -> Relevance:
    """The weights of a question's terms by inverse document frequency; unknown terms weigh as the rarest."""
    weights = {term: _weight(frequencies.get(term, 0), documents) for term in question}
    return Relevance(weights, sum(weights.values()))


def with_time(
    timeless: Relevance, days: Collection[str], words: int, frequencies: Mapping[str, int], documents: int
) -> Relevance:
    """The same weights, with one for the time that a question names: in so many words, by these days.

    It weighs by how many documents are of these days, once for each word up to three: a date is as good as
    that many words.
    """
    common = min(documents, sum(frequencies.get(day, 0) for day in days))
    weight = _weight(common, documents) * max(1, min(_MOST_OF_A_DATE, words))
    return Relevance({**timeless.weights, WHEN: weight}, timeless.total + weight)


def fused(coverage: float, nearness: float | None, weights: RankingWeights) -> float:
    """How well a document fits: what it covers of the question, and how near it comes in meaning.

    Scores are added, not ranks (decision 0018). `nearness` is None where meaning plays no part.
    """
    if nearness is None:
        return coverage
    return (coverage + weights.meaning * nearness) / (1.0 + weights.meaning)


def with_neighbours(own: float, best_beside: Sequence[float], weights: RankingWeights) -> float:
    """How well an item of a conversation fits, given how well the better of those around it fits.

    They come nearest first: of those just before and after it, then of those two away, which count less.
    """
    fit, total, weight = own, 1.0, weights.beside
    for best in best_beside:
        fit, total, weight = fit + weight * best, total + weight, weight * _FARTHER
    return fit / total


def tempered(
    fit: float, finding: Finding, at: Instant, weights: RankingWeights, *, is_about_another: bool
) -> float:
    """What a fit comes to, given how sure a belief is, how recent, and of what authority.

    Each tempers it by its weight: what is doubtful, old or weakly grounded must fit the question better
    to come first. What concerns another entity than the question names must fit twice as well.
    """
    by_each = zip((weights.confidence, weights.recency, weights.authority), _shares(finding, at), strict=True)
    for weight, share in by_each:
        fit *= 1.0 - weight + weight * share
    return fit * (_ABOUT_ANOTHER if is_about_another else 1.0)


def shares_of(finding: Finding, at: Instant) -> dict[str, float]:
    """How sure, how recent and how authoritative a belief is, each from 0 to 1, by the name of the weight."""
    return dict(zip(("confidence", "recency", "authority"), _shares(finding, at), strict=True))


def _shares(finding: Finding, at: Instant) -> tuple[float, float, float]:
    belief = finding.belief
    age = max(0, at - belief.observed_at) / MICROSECONDS_PER_DAY
    recency = 0.5 ** (age / _RECENT_DAYS)
    return finding.raw_confidence, recency, min(1.0, belief.authority / HIGHEST_AUTHORITY)


def learned(
    weights: RankingWeights, useful: Iterable[Finding], others: Iterable[Finding], at: Instant
) -> RankingWeights:
    """The weights after somebody said which of what recall showed was useful, and which was not.

    Each weight moves a little towards what the useful had more of than the others, on the average over all
    pairs, and stays within bounds, so that no crowd of ratings can silence a criterion or make it the only
    one.
    """
    pairs = [(_traits(good, at), _traits(bad, at)) for good in useful for bad in others]
    if not pairs:
        return weights.changed({}, weights.learned_from + 1)
    moved = {}
    for name, (least, most) in _BOUNDS.items():
        step = sum(good[name] - bad[name] for good, bad in pairs) / len(pairs)
        now: float = getattr(weights, name)
        # What was configured beyond the bounds stays there until ratings bring it back.
        moved[name] = max(min(least, now), min(max(most, now), now + _RATE * step))
    return weights.changed(moved, weights.learned_from + 1)


def _traits(finding: Finding, at: Instant) -> dict[str, float]:
    """What ratings compare of a belief: its shares, and how far its nearness exceeds what its words cover."""
    by_channel = {one.channel: one.score for one in finding.leads}
    meaning = by_channel.get(Channel.VECTORS, 0.0) - by_channel.get(Channel.TEXT, 0.0)
    return shares_of(finding, at) | {"meaning": meaning if Channel.VECTORS in by_channel else 0.0}


def by_score(scored: tuple[float, Finding]) -> tuple[float, int, int, str]:
    """What to sort findings with their scores by: score, then authority, then recency."""
    score, belief = scored[0], scored[1].belief
    return (-score, -belief.authority, -belief.observed_at, belief.id)


def _weight(frequency: int, documents: int) -> float:
    return math.log(1.0 + (documents + 1) / (frequency + 1))
