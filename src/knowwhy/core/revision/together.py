"""Settling together: contests that bear on each other by denials, derivations and dependencies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from knowwhy.core.model import Belief, Denial, Schema
from knowwhy.core.revision.acceptance import Case, beliefs_of, heard_case, settle_jointly
from knowwhy.core.revision.contests import ContestKey
from knowwhy.core.revision.derived import Inference, inferences, with_inferred
from knowwhy.core.revision.doubts import doubted
from knowwhy.core.revision.judging import judge, policy_for
from knowwhy.core.revision.pool import Pool
from knowwhy.core.timeline import Instant, Scope


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
    accepted premises is labelled; what rests on something that has moved is doubted.
    """
    plain, observed = _observed(pool, scope)
    if any(one.claim.derivation is not None for those in pool.testimonies.values() for one in those):
        inferred = inferences({key: (case, observed[key]) for key, case in plain.items()}, scope)
        kept = {key: with_inferred(observed[key], inferred, is_kept=True) for key in observed}
        held = _with_support(plain, observed, inferred, pool)
    else:
        kept = held = observed
    if not _has_dependencies(pool):
        return Settled(held, kept)
    doubts = doubted(pool, held, scope, _Past(pool, scope).values_said)
    return Settled(doubts.applied(held), doubts.applied(kept))


def _observed(
    pool: Pool, scope: Scope
) -> tuple[dict[ContestKey, Case], dict[ContestKey, tuple[Belief, ...]]]:
    """Each contest as heard, and as settled by what was observed alone."""
    learned = pool.terms.schema.learned_by(scope.known)
    cases = {
        key: heard_case(those, pool.attribute(key), scope, learned)
        for key, those in pool.testimonies.items()
        if those
    }
    settled: dict[ContestKey, tuple[Belief, ...]] = {}
    for group, denials in _joined(cases, pool.terms.schema):
        if not denials:
            (key,) = group
            verdicts = judge(cases[key].literals, policy_for(cases[key].attribute, pool.terms.policy))
            settled[key] = beliefs_of(cases[key], verdicts)
            continue
        together = settle_jointly([cases[key] for key in group], denials, pool.terms.policy)
        settled.update(zip(group, together, strict=True))
    return cases, settled


def _joined(
    cases: Mapping[ContestKey, Case], schema: Schema
) -> Iterable[tuple[list[ContestKey], tuple[Denial, ...]]]:
    """The contests in groups: each alone, or with those of its subject that denials join it to."""
    groups: dict[object, list[ContestKey]] = defaultdict(list)
    for key, case in cases.items():
        slot = case.slot
        if slot is None or slot.attribute not in schema.denied_with:
            yield [key], ()
        else:
            groups[slot.subject.id, slot.conditions].append(key)
    for group in groups.values():
        attributes = {slot.attribute for key in group if (slot := cases[key].slot) is not None}
        denials = {one.key: one for name in sorted(attributes) for one in schema.denied_with[name]}
        yield group, tuple(denials[key] for key in sorted(denials))


def _with_support(
    cases: Mapping[ContestKey, Case],
    observed: Mapping[ContestKey, tuple[Belief, ...]],
    inferred: Inference,
    pool: Pool,
) -> dict[ContestKey, tuple[Belief, ...]]:
    """The beliefs with what is derived among them, and with the confidence that premises lend."""
    held = {}
    for key, beliefs in observed.items():
        lifted = beliefs
        lent = {one.value.key: inferred.support[one.id] for one in beliefs if one.id in inferred.support}
        if lent:
            case = cases[key]
            verdicts = judge(case.literals, policy_for(case.attribute, pool.terms.policy))
            weighed = {one.id: one for one in beliefs_of(case, verdicts, lent)}
            lifted = tuple(replace(one, tally=weighed[one.id].tally) for one in beliefs)
        held[key] = with_inferred(lifted, inferred, is_kept=False)
    return held


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
        self._known: dict[tuple[str, Instant], frozenset[tuple[str, str]]] = {}
        self._whole: dict[Instant, Mapping[ContestKey, tuple[Belief, ...]]] = {}
        self._by_slot: dict[str, list[ContestKey]] = defaultdict(list)
        for key in pool.testimonies:
            self._by_slot[key.slot_id].append(key)

    def values_said(self, slot_id: str, at: Instant) -> frozenset[tuple[str, str]]:
        """The values (key and text) that were held, or contested, at `at` by what had been said by then."""
        if (slot_id, at) not in self._known:
            self._known[slot_id, at] = frozenset(
                (one.value.key, str(one.value))
                for beliefs in self._settled(slot_id, at)
                for one in beliefs
                if one.status.is_standing
            )
        return self._known[slot_id, at]

    def _settled(self, slot_id: str, at: Instant) -> Iterable[tuple[Belief, ...]]:
        keys = self._by_slot[slot_id]
        scope = Scope(at, self._scope.known)
        said = self._pool.said_by(at)
        is_plain = all(
            one.claim.derivation is None for key in keys for one in self._pool.testimonies[key]
        ) and not any(self._pool.slot(key).attribute in self._pool.terms.schema.denied_with for key in keys)
        if is_plain:
            part = Pool({key: said.testimonies[key] for key in keys}, self._pool.terms)
            return _observed(part, scope)[1].values()
        if at not in self._whole:
            cases, observed = _observed(said, scope)
            inferred = inferences({key: (case, observed[key]) for key, case in cases.items()}, scope)
            self._whole[at] = {
                key: with_inferred(those, inferred, is_kept=True) for key, those in observed.items()
            }
        return [self._whole[at][key] for key in keys if key in self._whole[at]]
