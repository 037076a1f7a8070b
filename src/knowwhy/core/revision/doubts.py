"""Doubts: beliefs whose premises moved since they were last confirmed."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from knowwhy.core.model import DEPENDENCE, Belief, Doubt, Rule, Slot, Stance, Status, Testimony
from knowwhy.core.revision.acceptance import Case
from knowwhy.core.revision.contests import ContestKey
from knowwhy.core.revision.pool import Pool
from knowwhy.core.timeline import BEGINNING, FOREVER, Instant, Scope

_Held = Mapping[ContestKey, tuple[Belief, ...]]

# The values (key, text) that were held of a slot, or contested, at the first instant by what had been
# said by the second.
ValuesSaid = Callable[[str, Instant, Instant], frozenset[tuple[str, str]]]


@dataclass(frozen=True, slots=True)
class Doubts:
    """The doubts on beliefs, by id, and until when what they rest on stays as it is, by contest."""

    by_belief: Mapping[str, tuple[Doubt, ...]] = field(default_factory=dict)
    stable_until: Mapping[ContestKey, Instant] = field(default_factory=dict)

    def share(self, belief: Belief) -> float:
        """How much of the evidence on a belief does not rest on what moved."""
        return math.prod(1.0 - one.strength for one in self.by_belief.get(belief.id, ()))

    def applied(self, settled: _Held) -> dict[ContestKey, tuple[Belief, ...]]:
        """The beliefs with their doubts: accepted ones are doubtful."""
        return {key: self._applied(key, beliefs) for key, beliefs in settled.items()}

    def _applied(self, key: ContestKey, beliefs: tuple[Belief, ...]) -> tuple[Belief, ...]:
        stable_until = self.stable_until.get(key, FOREVER)
        is_doubted = any(one.id in self.by_belief for one in beliefs)
        if not is_doubted and stable_until == FOREVER:
            return beliefs
        return tuple(
            replace(
                belief,
                status=Status.DOUBTFUL if belief.id in self.by_belief else belief.status,
                doubts=self.by_belief.get(belief.id, ()),
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
    premises: Mapping[str, float]
    confirmed_at: Instant

    def rests_on(self, other: Belief) -> bool:
        """Whether a belief about a premise has a say: what follows does so from some values only."""
        derived = self.belief.derivations
        return not _is_derived(self.belief) or any(other.id in one.premises for one in derived)


def doubted(
    pool: Pool, cases: Mapping[ContestKey, Case], held: _Held, scope: Scope, values_said: ValuesSaid
) -> Doubts:
    """Which accepted beliefs of a pool rest on something that moved since, and when that changes by itself.

    A premise moved if what is held of it now is not what was held, by what had been said by then, when
    the belief was last confirmed. What was unknown then did not move. A premise that is doubtful
    itself hands on its doubts, as far as what they come from moved after the belief's own evidence.
    """
    grounds = _Grounds(pool, cases, held)
    leaning = list(grounds.leaning())
    memory = _Moves(grounds, scope, values_said)
    doubts: dict[str, dict[str, Doubt]] = {}
    for each in leaning:
        if each.confirmed_at == BEGINNING:
            continue
        for premise, strength in each.premises.items():
            if (moved := memory.moved(premise, each.confirmed_at)) is not None:
                doubts.setdefault(each.belief.id, {})[premise] = replace(moved, strength=strength)
    while _handed_on(leaning, grounds.by_slot, doubts, memory):
        pass
    return Doubts(
        {
            belief: tuple(sorted(those.values(), key=lambda one: (one.moved_at, one.premise)))
            for belief, those in doubts.items()
        },
        grounds.stable_until(),
    )


class _Grounds:
    """What rests on what in a pool: beliefs on slots, and so contests on contests."""

    def __init__(self, pool: Pool, cases: Mapping[ContestKey, Case], held: _Held) -> None:
        self._pool = pool
        self._cases = cases
        self._held = held
        self.by_slot: dict[str, list[Belief]] = defaultdict(list)
        self.contests: dict[str, list[ContestKey]] = defaultdict(list)
        self._slot_of: dict[str, str] = {}
        self._about: dict[tuple[str, str], list[Slot]] = defaultdict(list)
        for key, beliefs in held.items():
            self.contests[key.slot_id].append(key)
            for one in beliefs:
                self.by_slot[one.slot.id].append(one)
                self._slot_of[one.id] = one.slot.id
        for those in self.by_slot.values():
            slot = those[0].slot
            self._about[slot.subject.id, slot.attribute].append(slot)
        self._declared = {key: self._declared_premises(key, beliefs) for key, beliefs in held.items()}

    def leaning(self) -> Iterator[_Leaning]:
        """The accepted beliefs that rest on slots of the pool."""
        for key, beliefs in self._held.items():
            for belief in beliefs:
                if belief.status is Status.ACCEPTED and (premises := self._premises(key, belief)):
                    confirmed_at = BEGINNING if _is_derived(belief) else belief.observed_at
                    yield _Leaning(belief, premises, confirmed_at)

    def stable_until(self) -> dict[ContestKey, Instant]:
        """For each contest that rests on others until when those stay as they are, however far it leads."""
        leaning: dict[ContestKey, set[ContestKey]] = defaultdict(set)
        for key, beliefs in self._held.items():
            slots = {slot for belief in beliefs for slot in self._premises(key, belief)}
            for premise in (one for slot in slots for one in self.contests.get(slot, ())):
                leaning[premise].add(key)
        ends = {
            key: min((one.stable_until for one in beliefs), default=FOREVER)
            for key, beliefs in self._held.items()
        }
        found: dict[ContestKey, Instant] = {}
        # The first to change goes first, so that each contest is reached from what changes first of all.
        for start in sorted(leaning, key=lambda one: ends[one]):
            reached = [start]
            while reached:
                for key in leaning.get(reached.pop(), ()):
                    if key not in found:
                        found[key] = ends[start]
                        reached.append(key)
        return found

    def words(self, slot_id: str) -> Iterator[Testimony]:
        """What anybody says about the values of a slot."""
        for key in self.contests.get(slot_id, ()):
            for one in self._cases[key].visible:
                if one.claim.derivation is None and one.claim.modality.is_assertive:
                    yield one

    def _premises(self, key: ContestKey, belief: Belief) -> dict[str, float]:
        """The slots that a belief rests on, each with how much of it does."""
        if _is_derived(belief):
            applying = (one for derivation in belief.derivations for one in derivation.premises)
            return dict.fromkeys((self._slot_of[one] for one in applying if one in self._slot_of), 1.0)
        premises = dict(self._declared[key])
        for literal in self._cases[key].literals:
            if literal.is_support and literal.value_key == belief.value.key:
                named = (one for said in literal.statements for one in said.testimony.claim.depends_on)
                premises.update(dict.fromkeys(named, DEPENDENCE))
        premises.pop(belief.slot.id, None)
        return premises

    def _declared_premises(self, key: ContestKey, beliefs: Iterable[Belief]) -> dict[str, float]:
        """The slots that a contest rests on by what its attribute declares, under no other conditions."""
        slot = next((one.slot for one in beliefs), None)
        if slot is None:
            return {}
        schema = self._pool.terms.schema
        return {
            premise.id: dependency.strength
            for dependency in self._pool.attribute(key).depends_on
            for premise in self._about.get((slot.subject.id, schema.attribute(dependency.attribute).key), ())
            if set(slot.conditions).issuperset(premise.conditions)
        }


def _is_derived(belief: Belief) -> bool:
    return belief.because.rule is Rule.DERIVED


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
            for belief in filter(one.rests_on, by_slot.get(premise, ())):
                for root, doubt in list(doubts.get(belief.id, {}).items()):
                    known = doubts.get(one.belief.id, {}).get(root)
                    weight = strength * doubt.strength
                    if root == one.belief.slot.id or (known is not None and known.strength >= weight):
                        continue
                    moved = doubt if one.confirmed_at == BEGINNING else memory.moved(root, one.confirmed_at)
                    if moved is not None:
                        doubts.setdefault(one.belief.id, {})[root] = replace(moved, strength=weight)
                        is_changed = True
    return is_changed


class _Moves:
    """What moved since an instant, by the slots as they stand and what was said of them by then."""

    def __init__(self, grounds: _Grounds, scope: Scope, values_said: ValuesSaid) -> None:
        self._grounds = grounds
        self._at = scope.valid
        self._values_said = values_said

    def moved(self, slot_id: str, since: Instant) -> Doubt | None:
        """How the slot moved after `since`; None if it did not, or nothing was known of it then.

        What was confirmed later than the instant asked about is compared as of that instant: how the
        premise stood afterwards says nothing about then.
        """
        beliefs = self._grounds.by_slot.get(slot_id, [])
        before = self._values_said(slot_id, min(since, self._at), since)
        standing = [one for one in beliefs if one.status.is_standing]
        after = frozenset((one.value.key, str(one.value)) for one in standing)
        known, left = {key for key, _ in before}, {key for key, _ in after}
        if not known or known == left:
            return None
        slot = beliefs[0].slot
        fresh = [one for one in standing if one.value.key not in known]
        gone = [one for one in beliefs if one.value.key in known - left]
        turns = [one.since for one in fresh] + [one.until for one in gone]
        if not any(since < one <= self._at for one in turns):
            turns = [
                *self._first_words(fresh, since, (Stance.SUPPORTS,)),
                *self._first_words(gone, since, (Stance.REFUTES, Stance.ENDS, Stance.GIVES_UP, Stance.DROPS)),
            ]
        return Doubt(
            slot_id,
            slot.subject.name,
            slot.attribute,
            _written(before),
            _written(after),
            max((one for one in turns if one <= self._at), default=BEGINNING),
        )

    def _first_words(
        self, moved: Iterable[Belief], since: Instant, stances: tuple[Stance, ...]
    ) -> Iterator[Instant]:
        """When after an instant somebody first said of each value what may have moved it."""
        for one in moved:
            said = (
                word.effective_at
                for word in self._grounds.words(one.slot.id)
                if word.claim.value.key == one.value.key and word.claim.stance in stances
            )
            yield min((at for at in said if since < at <= self._at), default=BEGINNING)


def _written(values: Iterable[tuple[str, str]]) -> str:
    return " or ".join(text for _, text in sorted(values))
