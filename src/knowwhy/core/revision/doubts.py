"""Doubts: beliefs whose premises moved since they were last confirmed."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from knowwhy.core.model import DEPENDENCE, Belief, Doubt, Rule, Slot, Stance, Status
from knowwhy.core.revision.contests import ContestKey
from knowwhy.core.revision.pool import Pool
from knowwhy.core.timeline import BEGINNING, FOREVER, Instant, Scope

# The values (key, text) that were held of a slot, or contested, at an instant, by what was said by then.
ValuesSaid = Callable[[str, Instant], frozenset[tuple[str, str]]]


@dataclass(frozen=True, slots=True)
class Doubts:
    """The doubts on beliefs, by id, and until when what they rest on stays as it is, by contest."""

    by_belief: Mapping[str, tuple[Doubt, ...]]
    stable_until: Mapping[ContestKey, Instant]

    def applied(
        self, settled: Mapping[ContestKey, tuple[Belief, ...]]
    ) -> dict[ContestKey, tuple[Belief, ...]]:
        """The beliefs with their doubts: accepted ones are doubtful, and all of their contest count less.

        The evidence on a contest was given while the premise stood as it did, so all of it keeps the
        same share; values that exclude each other never add up to more than one.
        """
        return {key: self._doubted(key, beliefs) for key, beliefs in settled.items()}

    def _doubted(self, key: ContestKey, beliefs: tuple[Belief, ...]) -> tuple[Belief, ...]:
        stable_until = self.stable_until.get(key, FOREVER)
        strengths = [1.0 - one.strength for belief in beliefs for one in self.by_belief.get(belief.id, ())]
        share = math.prod(strengths)
        if not strengths and stable_until == FOREVER:
            return beliefs
        return tuple(
            replace(
                belief,
                status=Status.DOUBTFUL if belief.id in self.by_belief else belief.status,
                doubts=self.by_belief.get(belief.id, ()),
                tally=belief.tally.scaled(share) if strengths else belief.tally,
                stable_until=min(belief.stable_until, stable_until),
            )
            for belief in beliefs
        )


@dataclass(frozen=True, slots=True)
class _Leaning:
    """An accepted belief that rests on slots, each with a strength, and when it was last confirmed.

    What is derived has no evidence of its own: it was never confirmed, and takes over all doubts.
    """

    belief: Belief
    slot: Slot
    premises: Mapping[str, float]
    confirmed_at: Instant


def doubted(
    pool: Pool, held: Mapping[ContestKey, tuple[Belief, ...]], scope: Scope, values_said: ValuesSaid
) -> Doubts:
    """Which accepted beliefs of a pool rest on something that moved since, and when that changes by itself.

    A premise moved if what is held of it now is not what was held, by what had been said by then, when
    the belief was last confirmed. What was unknown then did not move. A premise that is doubtful
    itself hands on its doubts, as far as what they come from moved after the belief's own evidence.
    """
    by_slot: dict[str, list[Belief]] = defaultdict(list)
    for beliefs in held.values():
        for one in beliefs:
            by_slot[one.slot.id].append(one)
    leaning, bounds = _leaning(pool, held, by_slot)
    memory = _Moves(by_slot, scope, values_said)
    doubts: dict[str, dict[str, Doubt]] = {}
    for each in leaning:
        if each.confirmed_at == BEGINNING:
            continue
        for premise, strength in each.premises.items():
            if (moved := memory.moved(premise, each.confirmed_at)) is not None:
                doubts.setdefault(each.belief.id, {})[premise] = replace(moved, strength=strength)
    while _handed_on(leaning, by_slot, doubts, memory):
        pass
    return Doubts(
        {
            belief: tuple(sorted(those.values(), key=lambda one: (one.moved_at, one.premise)))
            for belief, those in doubts.items()
        },
        bounds,
    )


def _leaning(
    pool: Pool, held: Mapping[ContestKey, tuple[Belief, ...]], by_slot: Mapping[str, list[Belief]]
) -> tuple[list[_Leaning], dict[ContestKey, Instant]]:
    """The accepted beliefs that rest on slots of the pool; for each contest until when those are stable."""
    slots: dict[tuple[str, str], list[Slot]] = defaultdict(list)
    for those in by_slot.values():
        slot = those[0].slot
        slots[slot.subject.id, slot.attribute].append(slot)
    slot_of_belief = {one.id: slot for slot, those in by_slot.items() for one in those}
    found: list[_Leaning] = []
    bounds: dict[ContestKey, Instant] = {}
    for key, beliefs in held.items():
        declared = _declared_premises(pool, key, beliefs, slots)
        for belief in beliefs:
            premises = dict(declared)
            for one in pool.testimonies[key]:
                if one.claim.value.key == belief.value.key and one.claim.stance is Stance.SUPPORTS:
                    premises.update(dict.fromkeys(one.claim.depends_on, DEPENDENCE))
            is_inferred = belief.because.rule is Rule.DERIVED
            if is_inferred:
                named = (one for derivation in belief.derivations for one in derivation.premises)
                premises = {slot_of_belief[one]: 1.0 for one in named if one in slot_of_belief}
            premises.pop(belief.slot.id, None)
            if premises:
                until = (one.stable_until for slot in premises for one in by_slot.get(slot, ()))
                bounds[key] = min(bounds.get(key, FOREVER), *until, FOREVER)
            if premises and belief.status is Status.ACCEPTED:
                confirmed_at = BEGINNING if is_inferred else belief.observed_at
                found.append(_Leaning(belief, belief.slot, premises, confirmed_at))
    return found, bounds


def _declared_premises(
    pool: Pool,
    key: ContestKey,
    beliefs: Iterable[Belief],
    slots: Mapping[tuple[str, str], list[Slot]],
) -> dict[str, float]:
    """The slots that a contest rests on by what its attribute declares, under no other conditions."""
    slot = next((one.slot for one in beliefs), None)
    if slot is None:
        return {}
    conditions = set(slot.conditions)
    return {
        premise.id: dependency.strength
        for dependency in pool.attribute(key).depends_on
        for premise in slots.get((slot.subject.id, dependency.attribute), ())
        if conditions.issuperset(premise.conditions)
    }


def _handed_on(
    leaning: Iterable[_Leaning],
    by_slot: Mapping[str, list[Belief]],
    doubts: dict[str, dict[str, Doubt]],
    memory: _Moves,
) -> bool:
    """Whether any belief took over a doubt from a premise in this round; there are finitely many."""
    is_changed = False
    for one in leaning:
        for premise, strength in one.premises.items():
            for belief in by_slot.get(premise, ()):
                for root, doubt in list(doubts.get(belief.id, {}).items()):
                    own = doubts.setdefault(one.belief.id, {})
                    known = own.get(root)
                    weight = strength * doubt.strength
                    if root == one.slot.id or (known is not None and known.strength >= weight):
                        continue
                    moved = doubt if one.confirmed_at == BEGINNING else memory.moved(root, one.confirmed_at)
                    if moved is not None:
                        own[root] = replace(moved, strength=weight)
                        is_changed = True
        if not doubts.get(one.belief.id, {"": None}):
            del doubts[one.belief.id]
    return is_changed


class _Moves:
    """What moved since an instant, by the slots as they stand and what was said of them by then."""

    def __init__(self, by_slot: Mapping[str, list[Belief]], scope: Scope, values_said: ValuesSaid) -> None:
        self._by_slot = by_slot
        self._scope = scope
        self._values_said = values_said

    def moved(self, slot_id: str, since: Instant) -> Doubt | None:
        """How the slot moved after `since`; None if it did not, or nothing was known of it then."""
        beliefs = self._by_slot.get(slot_id, [])
        before = self._values_said(slot_id, since)
        standing = [one for one in beliefs if one.status.is_standing]
        after = {(one.value.key, str(one.value)) for one in standing}
        if not before or {key for key, _ in before} == {key for key, _ in after}:
            return None
        fresh = [one for one in standing if (one.value.key, str(one.value)) not in before]
        gone = [one for one in beliefs if one.value.key in {key for key, _ in before}]
        if fresh:
            moved_at = max(max(one.since, BEGINNING) for one in fresh)
        else:
            ends = [one.until for one in gone if one.until <= self._scope.valid]
            moved_at = max(ends, default=self._scope.valid)
        slot = beliefs[0].slot
        return Doubt(
            slot_id,
            slot.subject.name,
            slot.attribute,
            _written(before),
            _written(after),
            moved_at,
        )


def _written(values: Iterable[tuple[str, str]]) -> str:
    return " or ".join(text for _, text in sorted(values))
