"""Aiming an erasure by loose words: at one belief, or at nothing."""

from __future__ import annotations

from typing import Final

from knowwhy.core.model import Status
from knowwhy.engine.recall import Wish, recall
from knowwhy.engine.space import Space
from knowwhy.errors import AmbiguousTarget, NotFound
from knowwhy.recall.finding import Finding
from knowwhy.recall.rendering import sentence

# What comes to mind half as readily as the best may be meant as well.
_NEAR: Final = 0.5
_MOST: Final = 20


def aimed(space: Space, words: str) -> tuple[str, ...]:
    """The evidence of the one belief that some words can mean.

    Whatever else they bring to mind at least half as readily may be meant too, words of sources that no
    belief holds among it.

    Raises:
        AmbiguousTarget: they can mean several things; `details["candidates"]` lists them with their evidence.
        NotFound: they bring nothing to mind.
    """
    found = recall(space, words, Wish(_MOST, include=tuple(Status)), scope=space.scope())
    meant = [(one.score, sentence(one), _evidence(one)) for one in (*found.beliefs, *found.withheld)]
    meant += [(one.score, one.evidence.text or "", (one.evidence.id,)) for one in found.passages]
    best = max((score for score, _, _ in meant), default=0.0)
    near = [(told, evidence) for score, told, evidence in meant if score >= _NEAR * best]
    if not near:
        msg = "These words bring nothing to mind; name a person, a source or evidence instead."
        raise NotFound(msg)
    if len(near) > 1:
        msg = f"This may mean {len(near)} things; say which by its evidence, see the candidates."
        candidates = [{"statement": told, "evidence": list(evidence)} for told, evidence in near]
        raise AmbiguousTarget(msg, candidates=candidates)
    return near[0][1]


def _evidence(finding: Finding) -> tuple[str, ...]:
    """The evidence that speaks for it or against it, each item once."""
    return tuple(dict.fromkeys(ground.testimony.claim.evidence_id for ground in finding.grounds))
