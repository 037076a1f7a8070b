"""Ordering what recall found anew, by whoever has read question and texts together."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from knowwhy.core.model import RankingWeights
from knowwhy.core.timeline import Instant
from knowwhy.errors import Unavailable
from knowwhy.providers.reranking import Reranker, relevances
from knowwhy.recall.answer import Passage, Recollection
from knowwhy.recall.documents import belief_words, evidence_words
from knowwhy.recall.finding import Finding
from knowwhy.recall.outdated import OUTDATED
from knowwhy.recall.ranking import by_score, tempered

# How many candidates it reads at the least, and for each one wanted.
_FEWEST: Final = 20
_EACH: Final = 4


def pool(limit: int) -> int:
    """How many candidates a reranker reads, where so many are wanted."""
    return max(_FEWEST, _EACH * limit)


def reranked(
    recollection: Recollection, reranker: Reranker, weights: RankingWeights, *, min_score: float, limit: int
) -> Recollection:
    """The best of a recollection by a reranker: its relevance takes the place of the fit.

    All that tempers a fit tempers it too. Where it cannot be reached the order stays, and that is told.

    Raises:
        Fault: it gives something else than one number from 0 to 1 for each text.
    """
    beliefs, passages = list(recollection.beliefs), list(recollection.passages)
    texts = [belief_words(one.belief) for one in beliefs] + [evidence_words(one.evidence) for one in passages]
    unranked = None
    try:
        found = relevances(reranker, recollection.question, texts) if texts else []
    except Unavailable as failure:
        unranked = f"nothing was ordered anew: {failure.message}"
    else:
        at, split = recollection.at, len(beliefs)
        beliefs = [_as_scored(one, fit, at, weights) for one, fit in zip(beliefs, found[:split], strict=True)]
        beliefs.sort(key=lambda one: by_score((one.score, one)))
        passages = [_as_fitting(one, fit) for one, fit in zip(passages, found[split:], strict=True)]
        passages.sort(key=lambda one: (-one.score, -one.evidence.effective_at, one.evidence.id))
    return replace(
        recollection,
        beliefs=tuple(one for one in beliefs if one.score >= min_score)[:limit],
        passages=tuple(one for one in passages if one.score >= min_score)[:limit],
        withheld=tuple(one for one in recollection.withheld if one.score >= min_score)[:limit],
        unranked=unranked,
    )


def _as_scored(finding: Finding, fit: float, at: Instant, weights: RankingWeights) -> Finding:
    return replace(finding, score=tempered(fit, finding, at, weights, is_about_another=False))


def _as_fitting(passage: Passage, fit: float) -> Passage:
    return replace(passage, score=fit * (OUTDATED if passage.outdated else 1.0))
