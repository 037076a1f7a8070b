"""recall: what a question in plain words brings to mind."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from knowwhy.core.model import Status
from knowwhy.core.revision import ContestKey
from knowwhy.core.timeline import Instant, Scope
from knowwhy.engine import meaning
from knowwhy.engine.reranking import pool, reranked
from knowwhy.engine.sight import Sight
from knowwhy.engine.space import Space
from knowwhy.errors import InvalidInput
from knowwhy.ingest.times.asked import timing_of
from knowwhy.recall.answer import Passage, Recollection
from knowwhy.recall.finding import Finding
from knowwhy.recall.gate import Gate
from knowwhy.recall.leads import Channel, channels_named
from knowwhy.recall.outdated import OUTDATED, gone_values, outdated_in
from knowwhy.recall.packing import Budget
from knowwhy.recall.question import Query, mentions, possible_names, query_of
from knowwhy.recall.ranking import by_score
from knowwhy.recall.search import Search, candidates, searched
from knowwhy.recall.standing import Standing, grounded, standing
from knowwhy.recall.timing import Timing
from knowwhy.recall.vectors import Nearness, SeenNearness
from knowwhy.store.protocol import BeliefFilter
from knowwhy.store.seen import SeenSnapshot

_WITHHELD: Final = (Status.STALE, Status.HYPOTHESIS, Status.PLANNED, Status.ARCHIVED)

# At how many instants of a time that a question names, beside its end, what stood is looked at.
_MOST_INSTANTS: Final = 8


@dataclass(frozen=True, slots=True)
class Wish:
    """What of all that comes to mind is wanted: how much, how good, in which statuses, by which channels.

    A `budget` says how many tokens there are for it.
    """

    limit: int = 5
    min_score: float = 0.0
    include: Collection[str] = ()
    channels: Collection[str] | None = None
    budget: int | None = None

    @property
    def statuses(self) -> frozenset[Status]:
        """The statuses that are wanted besides.

        Raises:
            InvalidInput: there is no such status.
        """
        try:
            return frozenset(Status(name) for name in self.include)
        except ValueError as problem:
            msg = f"{problem}; a status is one of {', '.join(Status)}."
            raise InvalidInput(msg) from problem


def recall(
    space: Space, question: str, wish: Wish = Wish(), *, scope: Scope, sight: Sight | None = None
) -> Recollection:
    """The beliefs that answer `question` in `scope`, best first, and words of sources that no belief holds.

    Only what is accepted or contested answers; a wish may name further statuses to bring along
    ("superseded", "stale" …). Scores lie between 0 and 1. Time words in the question say of which time
    beliefs are wanted, seen from the valid time of the scope.

    Raises:
        InvalidInput: an unknown status or channel, a limit below 1, or no words in the question.
    """
    if wish.budget is not None and wish.budget < 1:
        msg = f"A budget is at least one token, not {wish.budget}."
        raise InvalidInput(msg)
    if not question.strip() or wish.limit < 1:
        msg = "A question needs words, and a limit of at least 1."
        raise InvalidInput(msg)
    included, channels = wish.statuses, channels_named(wish.channels)
    vector, unsearched = meaning.asked(space, question) if Channel.VECTORS in channels else (None, None)
    near = meaning.nearness(space, vector)
    wide = wish if space.reranker is None else replace(wish, limit=pool(wish.limit), min_score=0.0)
    with space.reading(scope) as asked:
        if sight is not None:
            sight.look(asked)
        weights, query = space.weights(asked.view), _query(space, asked, question)
        gate = replace(asked, scope=query.timing.scope(scope))
        search = searched(
            gate,
            query,
            channels=channels,
            weights=weights,
            nearness=_seen(near, gate),
            wanted=wide.limit,
        )
        found = _standing(gate, candidates(gate, search), query.timing)
        best, withheld = _ranked(gate, search, found, wide, included)
        grounds = gate.grounds(one.belief for one in (*best, *withheld))
        recollection = Recollection(
            question=question,
            at=gate.scope.valid,
            beliefs=grounded(map(search.traced, best), grounds),
            passages=_passages(asked, search, found, wide),
            withheld=grounded(map(search.traced, withheld), grounds),
            ambiguous=query.mentions.ambiguous,
            timing=query.timing,
            unsearched=unsearched,
        )
    if space.reranker is not None:
        recollection = reranked(
            recollection, space.reranker, weights, min_score=wish.min_score, limit=wish.limit
        )
    budget = Budget(wish.budget, space.count_tokens)
    return replace(recollection, budget=budget) if wish.budget is None else recollection.within(budget)


def _ranked(
    gate: Gate, search: Search, found: Standing, wish: Wish, included: Collection[Status]
) -> tuple[list[Finding], list[Finding]]:
    """The findings that answer, and those that match and are withheld, with their scores, best first."""
    everything = (*found.answers, *found.others)
    search.compare(one.belief for one in everything)
    scored = sorted(((search.score(gate, one), one) for one in everything), key=by_score)
    matching = [(score, one) for score, one in scored if score > 0.0 and score >= wish.min_score]
    answering = {one.id for one in found.answers}
    best = [
        (score, one)
        for score, one in matching
        if one.status in included or (one.id in answering and one.status is not Status.STALE)
    ][: wish.limit]
    chosen = {one.id for _, one in best}
    withheld = [(score, one) for score, one in matching if one.status in _WITHHELD and one.id not in chosen]
    parts = (best, withheld[: wish.limit])
    answers, held_back = ([replace(one, score=score) for score, one in part] for part in parts)
    return answers, held_back


def _seen(near: Nearness | None, gate: Gate) -> Nearness | None:
    """Nearness in meaning of what the gate lets through."""
    if near is None or not isinstance(gate.view, SeenSnapshot):
        return near
    return SeenNearness(near, gate.view.hidden.hides)


def _query(space: Space, gate: Gate, question: str) -> Query:
    """The question taken apart."""
    named = mentions(question, gate.names(possible_names(question)))
    timing = timing_of(question, [key for key, _ in named.named], gate.scope.valid, space.zone)
    return query_of(question, named, timing)


def _standing(gate: Gate, contests: Sequence[ContestKey], timing: Timing) -> Standing:
    """What stands in some contests; where a time is named, what stood at any instant of it."""
    if not contests:
        return Standing()
    wanted = BeliefFilter(contests=contests)
    last = standing(gate, gate.beliefs(wanted))
    answers = {one.id: one for one in last.answers}
    for at in _instants(gate, contests, timing):
        then = replace(gate, scope=Scope(at, gate.scope.known))
        for one in standing(then, then.beliefs(wanted)).answers:
            answers.setdefault(one.id, one)
    return Standing(tuple(answers.values()), tuple(one for one in last.others if one.id not in answers))


def _instants(gate: Gate, contests: Sequence[ContestKey], timing: Timing) -> list[Instant]:
    """When, within the times named, something began that these contests hear of; the latest first."""
    if not timing.read:
        return []
    begun = {
        one.claim.valid_from
        for those in gate.view.testimonies(contests).values()
        for one in those
        if one.is_visible(gate.scope.known) and one.claim.valid_from is not None
    }
    within = [at for at in begun if timing.contains(at) and at < gate.scope.valid]
    return sorted(within, reverse=True)[:_MOST_INSTANTS]


def _passages(gate: Gate, search: Search, found: Standing, wish: Wish) -> tuple[Passage, ...]:
    """Evidence that matches and that no claim was read from, so that no belief speaks for it.

    What speaks of a value that no longer stands says so, and counts for less.
    """
    gone = gone_values(found.answers, found.others)
    passages = []
    for one, fit in search.fits(gate):
        if fit > 0.0 and fit >= wish.min_score:
            outdated = outdated_in(one.text, gone)
            passages.append(Passage(one, fit * (OUTDATED if outdated else 1.0), outdated=outdated))
    ranked = sorted(passages, key=lambda one: (-one.score, -one.evidence.effective_at, one.evidence.id))
    best = [one for one in ranked if one.score >= wish.min_score][: wish.limit]
    return tuple(replace(one, leads=search.leads_to(one.evidence)) for one in best)
