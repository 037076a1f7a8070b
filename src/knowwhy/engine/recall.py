"""recall: what a question in plain words brings to mind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from knowwhy.core.model import Belief, Evidence, Status, belief_id
from knowwhy.core.timeline import Scope
from knowwhy.engine.commit import belief_text
from knowwhy.engine.space import Space
from knowwhy.errors import InvalidInput
from knowwhy.recall.analysis import terms
from knowwhy.recall.answer import Passage, Recollection
from knowwhy.recall.finding import Finding
from knowwhy.recall.gate import Gate
from knowwhy.recall.question import Mentions, attributes_in, mentions, possible_names
from knowwhy.recall.ranking import Relevance, by_score, final_score, relevance
from knowwhy.recall.standing import grounded, standing
from knowwhy.store.protocol import BeliefFilter, Hits

# How many documents the text index may bring, and how many beliefs about one named entity are looked at.
_MOST_HITS: Final = 40
_MOST_ABOUT: Final = 200

_WITHHELD: Final = (Status.STALE, Status.HYPOTHESIS, Status.PLANNED)


def recall(
    space: Space,
    question: str,
    *,
    scope: Scope,
    limit: int = 5,
    min_score: float = 0.0,
    include: Collection[str] = (),
) -> Recollection:
    """The beliefs that answer `question` in `scope`, best first, and words of sources that no belief holds.

    Only what is accepted or contested answers; `include` names further statuses to bring along
    ("superseded", "stale" …). Scores lie between 0 and 1.

    Raises:
        InvalidInput: an unknown status, a limit below 1, or no words in the question.
    """
    if not question.strip() or limit < 1:
        msg = "A question needs words, and a limit of at least 1."
        raise InvalidInput(msg)
    try:
        included = {Status(name) for name in include}
    except ValueError as problem:
        msg = f"{problem}; a status is one of {', '.join(Status)}."
        raise InvalidInput(msg) from problem
    with space.reading(scope) as gate:
        search = _search(gate, question)
        found = standing(gate, _candidates(gate, search))
        scored = sorted((search.scored(one) for one in (*found.answers, *found.others)), key=by_score)
        matching = [one for one in scored if one.score > 0.0 and one.score >= min_score]
        answering = {one.id for one in found.answers}
        best = [
            one
            for one in matching
            if one.status in included or (one.id in answering and one.status is not Status.STALE)
        ][:limit]
        chosen = {one.id for one in best}
        withheld = [one for one in matching if one.status in _WITHHELD and one.id not in chosen][:limit]
        grounds = gate.grounds(one.belief for one in (*best, *withheld))
        return Recollection(
            question=question,
            at=scope.valid,
            beliefs=grounded(best, grounds),
            passages=_passages(gate, search, limit, min_score),
            withheld=grounded(withheld, grounds),
            ambiguous=search.mentions.ambiguous,
        )


@dataclass(frozen=True, slots=True)
class _Search:
    """What the channels found: text hits, the evidence among them, and the entities named."""

    relevance: Relevance
    hits: Hits
    evidence: dict[str, Evidence]
    spoken_in: dict[str, list[str]]
    mentions: Mentions
    attributes: set[str]

    def scored(self, finding: Finding) -> Finding:
        """The finding with its score for the question."""
        belief = finding.belief
        covered = set(belief_text(belief).terms)
        for evidence_id in self.spoken_in.get(belief.id, ()):
            covered.update(terms(self.evidence[evidence_id].text))
        named_by = [
            key
            for key, entity in self.mentions.named
            if entity.id == belief.slot.subject.id or belief.value.key == f"entity:{entity.id}"
        ]
        for key in named_by:
            covered.update(terms(key))
        if belief.slot.attribute in self.attributes:
            for name in (finding.attribute.name, *finding.attribute.synonyms):
                covered.update(terms(name))
        is_about_another = bool(self.mentions.named) and not named_by
        coverage = self.relevance.coverage(covered)
        return replace(finding, score=final_score(coverage, finding, is_about_another=is_about_another))


def _search(gate: Gate, question: str) -> _Search:
    asked = tuple(dict.fromkeys(terms(question)))
    hits = gate.view.search(asked, _MOST_HITS)
    named = mentions(question, gate.view.names(possible_names(question)))
    evidence_ids = [hit.document for hit in hits.hits if hit.document.startswith("ev_")]
    evidence = {one.id: one for one in gate.view.evidence(ids=evidence_ids)} if evidence_ids else {}
    spoken_in: dict[str, list[str]] = defaultdict(list)
    for one in gate.view.claims(evidence_ids) if evidence_ids else ():
        if one.is_visible(gate.scope.known):
            spoken_in[belief_id(one.claim.slot.id, one.claim.value.key)].append(one.claim.evidence_id)
    return _Search(
        relevance(asked, hits.frequencies, hits.documents),
        hits,
        evidence,
        spoken_in,
        named,
        attributes_in(question, gate.schema),
    )


def _candidates(gate: Gate, search: _Search) -> list[Belief]:
    """The beliefs that any channel found, with all that compete with them."""
    found = [hit.document for hit in search.hits.hits if hit.document.startswith("bl_")]
    near = gate.view.beliefs(BeliefFilter(ids=[*found, *search.spoken_in]))
    entities = [entity.id for entity in search.mentions.entities]
    if entities:
        near += gate.view.beliefs(BeliefFilter(subjects=entities, limit=_MOST_ABOUT))
        for attribute in sorted(search.attributes):
            near += gate.view.beliefs(BeliefFilter(subjects=entities, attribute=attribute, limit=_MOST_ABOUT))
        values = [f"entity:{one}" for one in entities]
        near += gate.view.beliefs(BeliefFilter(values=values, limit=_MOST_ABOUT))
    return gate.beliefs(BeliefFilter(contests=gate.contests(near))) if near else []


def _passages(gate: Gate, search: _Search, limit: int, min_score: float) -> tuple[Passage, ...]:
    """Evidence that matches and that no claim was read from, so that no belief speaks for it."""
    claimed = {evidence_id for ids in search.spoken_in.values() for evidence_id in ids}
    found = [
        Passage(one, search.relevance.coverage(terms(one.text)))
        for one in search.evidence.values()
        if one.id not in claimed and _is_readable(one, gate.scope)
    ]
    ranked = sorted(found, key=lambda one: (-one.score, -one.evidence.effective_at, one.evidence.id))
    return tuple(one for one in ranked if one.score > 0.0 and one.score >= min_score)[:limit]


def _is_readable(evidence: Evidence, scope: Scope) -> bool:
    is_withdrawn = evidence.retracted_at is not None and evidence.retracted_at <= scope.known
    return evidence.recorded_at <= scope.known and evidence.effective_at <= scope.valid and not is_withdrawn
