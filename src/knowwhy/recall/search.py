"""Searching: what the channels find for a question, and how well each document of it fits."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

from knowwhy.core.model import Belief, Evidence, RankingWeights, belief_id
from knowwhy.core.revision import ContestKey
from knowwhy.recall.analysis import terms
from knowwhy.recall.channels import graph, names, slots, text, vectors
from knowwhy.recall.documents import belief_terms, evidence_words
from knowwhy.recall.finding import Finding
from knowwhy.recall.gate import Gate
from knowwhy.recall.leads import Catch, Channel, Lead, best_first
from knowwhy.recall.question import Query
from knowwhy.recall.ranking import AROUND, Relevance, fused, relevance, tempered, with_neighbours, with_time
from knowwhy.recall.timing import WHEN
from knowwhy.recall.vectors import Nearness
from knowwhy.store.protocol import BeliefFilter

# How many documents the text index may bring at the least, and how many for each one wanted.
MOST_HITS: Final = 40
_HITS_EACH: Final = 4
# What a belief about another attribute keeps, where the question names some in full: enough to part ties.
_NOT_ASKED_FOR: Final = 0.999


@dataclass(frozen=True, slots=True)
class _Way:
    """The words of the question that a walk accounts for, how far to rely on it, and where it went."""

    terms: frozenset[str]
    strength: float
    described: str


@dataclass(frozen=True, slots=True)
class Beside:
    """Which items of conversations were said just before and after which, as far as that is known."""

    before: dict[str, str] = field(default_factory=dict)
    after: dict[str, str] = field(default_factory=dict)

    def link(self, one: str, next_one: str) -> None:
        """Take in that nothing was said between two items."""
        self.after[one], self.before[next_one] = next_one, one

    def rings(self, own: str, most: int) -> Iterator[list[str]]:
        """What was said around an item: those one turn away, two turns away, and so on."""
        ends = [own, own]
        for _ in range(most):
            ends = [self.before.get(ends[0], ""), self.after.get(ends[1], "")]
            yield [one for one in ends if one]


@dataclass(frozen=True, slots=True)
class Search:
    """What the channels found: by which of them, what evidence, and which beliefs were read from it.

    `relevance` weighs the terms of the question and its time, `timeless` the terms alone: a belief is
    held or not at the time named, and gains nothing by speaking of it. `beside` says which items of the
    evidence were said around another; `asked_for` are the declared attributes that the
    question names in full. `near` has the nearness in meaning of what was compared so far, `said` the terms
    of the evidence that was looked at.
    """

    query: Query
    channels: frozenset[Channel]
    weights: RankingWeights
    relevance: Relevance
    timeless: Relevance
    catches: Mapping[Channel, Catch]
    evidence: Mapping[str, Evidence]
    spoken_in: Mapping[str, Sequence[str]]
    beside: Beside = field(default_factory=Beside)
    nearness: Nearness | None = None
    asked_for: frozenset[str] = frozenset()
    near: dict[str, float] = field(default_factory=dict)
    said: dict[str, frozenset[str]] = field(default_factory=dict)

    def compare(self, beliefs: Iterable[Belief]) -> None:
        """Look up how near all that is to be scored comes in meaning, at once."""
        if self.nearness is not None and Channel.VECTORS in self.channels:
            wanted = (*(one.id for one in beliefs), *self.evidence)
            self.near.update(self.nearness.of(one for one in wanted if one not in self.near))

    def score(self, gate: Gate, finding: Finding) -> float:
        """How well a finding answers the question, from 0 to 1."""
        belief = finding.belief
        named = names.names_of(belief, self.query.mentions)
        said = self._said_of(belief) if Channel.TEXT in self.channels else set[str]()
        covered = set(said)
        if Channel.NAMES in self.channels:
            covered |= names.covered(named)
        if Channel.SLOTS in self.channels and (cue := self.query.cue(finding.attribute)).is_whole:
            covered |= cue.terms
        coverage = self.timeless.coverage(covered)
        if (way := self._way(belief)) is not None:
            far = self.timeless.coverage(way.terms | said)
            coverage = max(coverage, far * way.strength)
        if self.asked_for and finding.attribute.key not in self.asked_for:
            coverage *= _NOT_ASKED_FOR
        near = self._nearness((belief.id, *self.spoken_in.get(belief.id, ())))
        is_about = bool(named) or way is not None or not self.query.mentions.named
        fit = fused(coverage, near, self.weights)
        return tempered(fit, finding, gate.scope.valid, self.weights, is_about_another=not is_about)

    def traced(self, finding: Finding) -> Finding:
        """The finding with what each channel says for it."""
        leads = [
            Lead(channel, score, self._by(channel, those, finding))
            for channel, those in self._covers(finding).items()
            if (score := self.timeless.coverage(those)) > 0.0
        ]
        if (way := self._way(finding.belief)) is not None:
            leads.append(Lead(Channel.GRAPH, self.timeless.coverage(way.terms) * way.strength, way.described))
        near = self._nearness((finding.id, *self.spoken_in.get(finding.id, ())))
        leads += self._near_lead(near)
        return replace(finding, leads=best_first(leads))

    def fits(self, gate: Gate) -> Iterator[tuple[Evidence, float]]:
        """Each item of evidence that may be read and that no belief speaks for, with how well it fits."""
        claimed = {evidence_id for ids in self.spoken_in.values() for evidence_id in ids}
        readable = {own: one for own, one in self.evidence.items() if gate.may_read(one)}
        alone: dict[str, float] = {}

        def by_itself(own: str) -> float:
            if own not in alone:
                near, (coverage, _) = self._nearness((own,)), self._coverage_of(readable[own])
                alone[own] = fused(coverage, near, self.weights)
            return alone[own]

        for own, one in readable.items():
            if own in claimed:
                continue
            fit = by_itself(own)
            if one.context is not None:
                best = [
                    max((by_itself(other) for other in ring if other in readable), default=0.0)
                    for ring in self.beside.rings(own, AROUND)
                ]
                fit = with_neighbours(fit, best, self.weights)
            yield one, fit

    def leads_to(self, evidence: Evidence) -> tuple[Lead, ...]:
        """What each channel said for an item of evidence."""
        coverage, covered = self._coverage_of(evidence)
        leads = [Lead(Channel.TEXT, coverage, self._terms(covered))] if coverage else []
        return best_first((*leads, *self._near_lead(self._nearness((evidence.id,)))))

    def _coverage_of(self, evidence: Evidence) -> tuple[float, Collection[str]]:
        """How much of the question an item of evidence accounts for, and by what terms."""
        if Channel.TEXT not in self.channels:
            return 0.0, set()
        covered = self._said(evidence)
        close = self.query.timing.closeness(evidence.observed_at, covered)
        coverage = self.relevance.coverage(covered, close)
        return coverage, covered | ({WHEN} if close == 1.0 else set())

    def _covers(self, finding: Finding) -> dict[Channel, set[str]]:
        """What each channel but the graph accounts for of the question, in what it says of a belief."""
        belief, query, covers = finding.belief, self.query, {}
        if Channel.TEXT in self.channels:
            covers[Channel.TEXT] = self._said_of(belief)
        if Channel.NAMES in self.channels:
            covers[Channel.NAMES] = names.covered(names.names_of(belief, query.mentions))
        if Channel.SLOTS in self.channels:
            cue = query.cue(finding.attribute)
            covers[Channel.SLOTS] = set(cue.terms) if cue.is_whole else set()
        return covers

    def _said_of(self, belief: Belief) -> set[str]:
        """The terms of a belief, and of the evidence found that speaks for it."""
        spoken = (self._said(self.evidence[one]) for one in self.spoken_in.get(belief.id, ()))
        return belief_terms(belief).union(*spoken)

    def _said(self, evidence: Evidence) -> frozenset[str]:
        """The terms of an item of evidence, worked out once a question."""
        said = self.said.get(evidence.id)
        if said is None:
            said = self.said[evidence.id] = frozenset(terms(evidence_words(evidence)))
        return said

    def _way(self, belief: Belief) -> _Way | None:
        """How the walk came to a belief, if it did."""
        caught = self.catches.get(Channel.GRAPH)
        if caught is None or belief.id not in caught.covers:
            return None
        return _Way(caught.covers[belief.id], caught.strength[belief.id], caught.by[belief.id])

    def _near_lead(self, near: float | None) -> list[Lead]:
        return [Lead(Channel.VECTORS, near, self.nearness.model)] if near and self.nearness else []

    def _nearness(self, documents: Iterable[str]) -> float | None:
        """The best nearness of documents that were compared; None where meaning plays no part."""
        if self.nearness is None or Channel.VECTORS not in self.channels:
            return None
        return max(self.near[one] for one in documents)

    def _by(self, channel: Channel, covered: set[str], finding: Finding) -> str:
        if channel is Channel.NAMES:
            return ", ".join(names.names_of(finding.belief, self.query.mentions))
        if channel is Channel.SLOTS:
            return finding.attribute.name
        return self._terms(covered)

    def _terms(self, covered: Collection[str]) -> str:
        met = [term for term in self.query.terms if term in covered]
        if WHEN in covered and WHEN in self.relevance.weights:
            met += [one.words for one in self.query.timing.read]
        return " ".join(met)


def searched(
    gate: Gate,
    query: Query,
    *,
    channels: frozenset[Channel],
    weights: RankingWeights,
    nearness: Nearness | None = None,
    wanted: int = 0,
) -> Search:
    """Send a question through the channels; for each document wanted they bring several."""
    most = max(MOST_HITS, _HITS_EACH * wanted)
    hits = gate.view.search(text.index_terms(query), most if Channel.TEXT in channels else 0)
    telling = timeless = relevance(query.timeless, hits.frequencies, hits.documents)
    if query.timing.read:
        days, words = text.days_named(query.timing), len(set(query.terms) - set(query.timeless))
        telling = with_time(timeless, days, words, hits.frequencies, hits.documents)
    catches: dict[Channel, Catch] = {}
    if Channel.TEXT in channels:
        catches[Channel.TEXT] = text.catch_of(hits)
    if Channel.NAMES in channels:
        catches[Channel.NAMES] = names.find(gate, query)
    if Channel.SLOTS in channels:
        catches[Channel.SLOTS] = slots.find(gate, query, hits if Channel.TEXT in channels else None)
    if Channel.GRAPH in channels and query.mentions.named:
        catches[Channel.GRAPH] = graph.find(gate, query, timeless)
    if Channel.VECTORS in channels and nearness is not None:
        catches[Channel.VECTORS] = vectors.find(nearness, max(vectors.LEAST_NEAR, _HITS_EACH * wanted))
    found = list(dict.fromkeys(one for caught in catches.values() for one in caught.evidence))
    evidence = {one.id: one for one in gate.view.evidence(ids=found)} if found else {}
    beside = _beside(gate, evidence)
    asked_for = frozenset(query.asked_for(gate.schema)) if Channel.SLOTS in channels else frozenset[str]()
    spoken_in: dict[str, list[str]] = defaultdict(list)
    for one in gate.view.claims(sorted(evidence)) if evidence else ():
        if one.is_visible(gate.scope.known):
            spoken_in[belief_id(one.claim.slot.id, one.claim.value.key)].append(one.claim.evidence_id)
    return Search(
        query=query,
        channels=channels,
        weights=weights,
        relevance=telling,
        timeless=timeless,
        catches=catches,
        evidence=evidence,
        spoken_in=spoken_in,
        beside=beside,
        nearness=nearness,
        asked_for=asked_for,
    )


def _beside(gate: Gate, evidence: dict[str, Evidence]) -> Beside:
    """Add what was said around evidence of a conversation; gives who is beside whom."""
    found = Beside()
    asked: set[str] = set()
    for _ in range(AROUND):
        spoken = [one for own, one in evidence.items() if one.context is not None and own not in asked]
        if not spoken:
            break
        asked.update(one.id for one in spoken)
        evidence.update((one.id, one) for one in gate.view.evidence(beside=spoken))
    lines: dict[str | None, list[str]] = defaultdict(list)
    for one in sorted(evidence.values(), key=lambda one: (one.effective_at, one.id)):
        lines[one.context].append(one.id)
    for line in lines.values():
        for before, after in pairwise(line):
            # Only what was asked about is known to have nothing between it and the next.
            if before in asked or after in asked:
                found.link(before, after)
    return found


def candidates(gate: Gate, search: Search) -> list[ContestKey]:
    """The contests of the beliefs that any channel found."""
    near = {one.id: one for caught in search.catches.values() for one in caught.read}
    found = [one for caught in search.catches.values() for one in caught.beliefs]
    ids = [one for one in dict.fromkeys([*found, *search.spoken_in]) if one not in near]
    near.update((one.id, one) for one in (gate.view.beliefs(BeliefFilter(ids=ids)) if ids else ()))
    return gate.contests(near.values())
