"""Settling together: contests that bear on each other by denials, derivations and dependencies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from knowwhy.core.model import Belief, Denial, Schema
from knowwhy.core.revision.acceptance import (
    Case,
    heard_case,
    settle_alone,
    settle_jointly,
    tallies_of,
)
from knowwhy.core.revision.contests import ContestKey
from knowwhy.core.revision.derived import Inference, inferences, with_inferred
from knowwhy.core.revision.doubts import Doubts, doubted
from knowwhy.core.revision.labelling import is_guarded, labelled
from knowwhy.core.revision.pool import Pool
from knowwhy.core.timeline import Instant, Scope

_Cases = Mapping[ContestKey, Case]
_Beliefs = dict[ContestKey, tuple[Belief, ...]]


@dataclass(frozen=True, slots=True)
class Settled:
    """What a pool comes to.

    `held` is how each contest stands, as a reader gets it. `kept` is the same without what changes
    whenever a premise is looked at anew, the confidence and bounds of what is derived: this is what
    a view can keep until the standing of a premise changes.
    """

    held: Mapping[ContestKey, tuple[Belief, ...]]
    kept: Mapping[ContestKey, tuple[Belief, ...]]


def settle_together(pool: Pool, scope: Scope) -> Settled:
    """Where every value of every contest of the pool stands in `scope`.

    Layer on layer (theory §0): what was observed is accepted by entrenchment; what follows from
    accepted premises is labelled; what rests on something that has moved is doubted, and counts less,
    also for what follows from it.
    """
    settled = _together(pool, scope)
    if not is_guarded(pool):
        return settled
    return Settled(labelled(pool, settled.held), labelled(pool, settled.kept))


def _together(pool: Pool, scope: Scope) -> Settled:
    cases, observed = _observed(pool, scope)
    inferred = _inferred(pool, cases, observed, scope)
    if not _has_dependencies(pool):
        return _settled(cases, observed, inferred, Doubts(), {})
    labelled = _with_inferred(observed, inferred, is_kept=False)
    doubts = doubted(pool, cases, labelled, scope, _Past(pool, scope).values_said)
    shares = _shares(observed, doubts, scope.valid)
    if shares:
        inferred = _inferred(pool, cases, observed, scope, shares)
        observed = {key: _scaled(those, shares.get(key, 1.0)) for key, those in observed.items()}
    return _settled(cases, observed, inferred, doubts, shares)


def _settled(
    cases: _Cases, observed: _Beliefs, inferred: Inference, doubts: Doubts, shares: Mapping[ContestKey, float]
) -> Settled:
    """What a pool comes to by what was observed, what follows, and what of it is doubted."""
    kept = doubts.applied(_with_inferred(observed, inferred, is_kept=True))
    if not inferred.conclusions:
        return Settled(kept, kept)
    lifted = {
        key: _with_support(cases[key], those, inferred, shares.get(key, 1.0))
        for key, those in observed.items()
    }
    return Settled(doubts.applied(_with_inferred(lifted, inferred, is_kept=False)), kept)


def _observed(pool: Pool, scope: Scope) -> tuple[dict[ContestKey, Case], _Beliefs]:
    """Each contest as heard, and as settled by what was observed alone."""
    learned = pool.terms.schema.learned_by(scope.known)
    cases = {
        key: heard_case(those, pool.attribute(key), scope, learned)
        for key, those in pool.testimonies.items()
        if those
    }
    settled: _Beliefs = {}
    for group, denials in _joined(cases, pool.terms.schema):
        if not denials:
            (key,) = group
            settled[key] = settle_alone(cases[key], pool.terms.policy)
            continue
        together = settle_jointly([cases[key] for key in group], denials, pool.terms.policy)
        settled.update(zip(group, together, strict=True))
    return cases, settled


def _joined(cases: _Cases, schema: Schema) -> Iterable[tuple[list[ContestKey], tuple[Denial, ...]]]:
    """The contests in groups: each alone, or with those of its subject that denials join it to."""
    subjects: dict[object, dict[str, list[ContestKey]]] = defaultdict(lambda: defaultdict(list))
    for key, case in cases.items():
        slot = case.slot
        if slot is None or slot.attribute not in schema.denied_with:
            yield [key], ()
        else:
            subjects[slot.subject.id, slot.conditions][slot.attribute].append(key)
    for present in subjects.values():
        for attributes in _linked(present.keys(), schema):
            denials = {one.key: one for name in attributes for one in schema.denied_with[name]}
            group = [key for name in attributes for key in present[name]]
            yield group, tuple(denials[key] for key in sorted(denials))


def _linked(attributes: Iterable[str], schema: Schema) -> list[list[str]]:
    """The attributes in groups that denials link, step by step, by way of one another."""
    left = set(attributes)
    found = []
    while left:
        group = [min(left)]
        left.remove(group[0])
        for name in group:  # grows on the way
            named = {one.attribute for denial in schema.denied_with[name] for one in denial.statements}
            group += sorted(named & left)
            left -= named
        found.append(group)
    return found


def _inferred(
    pool: Pool,
    cases: _Cases,
    observed: _Beliefs,
    scope: Scope,
    shares: Mapping[ContestKey, float] = MappingProxyType({}),
) -> Inference:
    if not any(one.claim.derivation is not None for those in pool.testimonies.values() for one in those):
        return Inference()
    settled = {key: (case, observed[key]) for key, case in cases.items()}
    return inferences(settled, scope, pool.terms.schema, shares)


def _with_inferred(beliefs: _Beliefs, inferred: Inference, *, is_kept: bool) -> _Beliefs:
    if not inferred.conclusions:
        return beliefs
    return {key: with_inferred(those, inferred, is_kept=is_kept) for key, those in beliefs.items()}


def _with_support(
    case: Case, beliefs: tuple[Belief, ...], inferred: Inference, share: float
) -> tuple[Belief, ...]:
    """The beliefs of a contest with the confidence that premises lend to what is derived among them."""
    lent = {one.value.key: inferred.lent[one.id] for one in beliefs if one.id in inferred.lent}
    if not lent:
        return beliefs
    tallies = tallies_of(case, lent, share)
    return tuple(replace(one, tally=tallies.get(one.value.key, one.tally)) for one in beliefs)


def _shares(observed: _Beliefs, doubts: Doubts, at: Instant) -> dict[ContestKey, float]:
    """What is left of the evidence on each contest in which a belief is doubted.

    The evidence on a contest was given while the premise stood as it did, so all of it keeps the same
    share; values that exclude each other never add up to more than one. Where a value has less than it
    would have without any evidence, doubt has nothing to take from it.
    """
    shares = {}
    for key, beliefs in observed.items():
        for one in beliefs:
            share = doubts.share(one)
            if share < 1.0 and one.tally.scaled(share).confidence(at) < one.confidence(at):
                shares[key] = share
    return shares


def _scaled(beliefs: tuple[Belief, ...], share: float) -> tuple[Belief, ...]:
    return beliefs if share == 1.0 else tuple(replace(one, tally=one.tally.scaled(share)) for one in beliefs)


def _has_dependencies(pool: Pool) -> bool:
    return any(
        pool.attribute(key).depends_on or any(one.claim.depends_on for one in those)
        for key, those in pool.testimonies.items()
        if those
    )


class _Past:
    """What had been said of a slot by an instant, settled at most once for each."""

    def __init__(self, pool: Pool, scope: Scope) -> None:
        self._pool = pool
        self._scope = scope
        self._known: dict[tuple[str, Instant, Instant], frozenset[tuple[str, str]]] = {}
        self._whole: dict[tuple[Instant, Instant], _Beliefs] = {}
        self._by_slot: dict[str, list[ContestKey]] = defaultdict(list)
        for key, those in pool.testimonies.items():
            if those:
                self._by_slot[key.slot_id].append(key)

    def values_said(self, slot_id: str, at: Instant, said_by: Instant) -> frozenset[tuple[str, str]]:
        """The values (key and text) that were held, or contested, at `at` by what had been said by then."""
        asked = slot_id, at, said_by
        if asked not in self._known:
            self._known[asked] = frozenset(
                (one.value.key, str(one.value))
                for beliefs in self._settled(*asked)
                for one in beliefs
                if one.status.is_standing
            )
        return self._known[asked]

    def _settled(self, slot_id: str, at: Instant, said_by: Instant) -> Iterable[tuple[Belief, ...]]:
        keys = self._by_slot.get(slot_id, [])
        scope = Scope(at, self._scope.known)
        if all(map(self._is_plain, keys)):
            part = Pool({key: self._pool.testimonies[key] for key in keys}, self._pool.terms)
            return _observed(part.said_by(said_by), scope)[1].values()
        if (at, said_by) not in self._whole:
            said = self._pool.said_by(said_by)
            cases, observed = _observed(said, scope)
            inferred = _inferred(said, cases, observed, scope)
            self._whole[at, said_by] = _with_inferred(observed, inferred, is_kept=True)
        whole = self._whole[at, said_by]
        return [whole[key] for key in keys if key in whole]

    def _is_plain(self, key: ContestKey) -> bool:
        """Whether a contest is settled by itself."""
        is_joined = self._pool.slot(key).attribute in self._pool.terms.schema.denied_with
        return not is_joined and all(one.claim.derivation is None for one in self._pool.testimonies[key])
