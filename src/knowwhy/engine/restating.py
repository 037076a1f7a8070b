"""Restating: what is said of entities that were merged is said of the one that stands for them.

A claim on a merged entity stays on record as it was said, set aside by a withdrawal, and beside it stands one
that says the same of what the entity was merged into. Told apart again, the claim is in force as before, and
what restates it is withdrawn: also what was said while they were merged is then said of whom it was said of.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeVar

from knowwhy.core.model import (
    Claim,
    Entity,
    Retraction,
    Schema,
    Slot,
    Testimony,
    ValueType,
    Withdrawal,
    belief_id,
    is_claim,
    is_for_identity,
    is_restated,
    is_retraction,
    original_of,
    premises_of,
    restated,
    restated_slot,
    set_aside_id,
    slot_of,
)
from knowwhy.core.revision import ContestKey, contest_key
from knowwhy.engine.intent import Intent, Reading
from knowwhy.recall.ancestry import by_id
from knowwhy.recall.identity import standing_for
from knowwhy.store.protocol import BeliefFilter

_ENTITY: Final = f"{ValueType.ENTITY}:"
_WHY: Final = "entities merged or told apart"
_PAGE: Final = 500

T = TypeVar("T", str, ContestKey)


def with_restated(reading: Reading, intent: Intent) -> Intent:
    """The intent with all that it takes so that merged entities are spoken of as one, and others are not."""
    schema = reading.schema.with_declared(intent.declarations)
    before, after = reading.schema.merged, schema.merged
    if not before and not after:
        return intent
    found = _Restating(reading, schema, intent)
    moved = {one for one in before.keys() | after.keys() if before.get(one) != after.get(one)}
    return found.restated(moved)


def shadow_slots(reading: Reading, intent: Intent) -> frozenset[str]:
    """The slots that claims of an intent name, but that stand for another entity's."""
    into = reading.schema.with_declared(intent.declarations).merged
    return frozenset(one.slot.id for one in intent.claims if one.slot.subject.id in into)


@dataclass
class _Restating:
    """One intent, and what it takes beside it."""

    reading: Reading
    schema: Schema
    intent: Intent
    _claims: dict[str, Claim] = field(default_factory=dict)
    _retractions: dict[str, Retraction] = field(default_factory=dict)
    _contests: set[ContestKey] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._view = self.reading.view
        # What a merge of lines brings as lifted does not fall.
        named = {one.target for one in self.intent.retractions}
        self._gone = {one.target for one in self.intent.retractions if one.id not in named}
        self._entities = {one.id: one for one in self.intent.entities}

    def restated(self, moved: set[str]) -> Intent:
        """The intent with what it takes where the entities of these ids stand for others than before."""
        originals = {one.id: one for one in self.intent.claims if not is_restated(one.id)}
        spoken = self._spoken(moved)
        renamed = self._renamed([*originals.values()], moved)
        found = spoken | self._leaning(renamed) | self._touched()
        known = list(self._as_recorded(found))
        said = [*originals.values(), *(one.claim for one, _ in known)]
        stands = self._standing_for(moved, said)
        for claim in originals.values():
            self._settle(claim, None, (), stands, renamed)
        for original, restatements in known:
            if original.claim.id not in originals:
                self._settle(original.claim, original, restatements, stands, renamed)
        return self.intent.beside(
            Intent(
                entities=tuple(dict.fromkeys(one.slot.subject for one in self._claims.values())),
                claims=tuple(self._claims.values()),
                retractions=tuple(self._retractions.values()),
                contests=tuple(sorted(self._contests, key=by_id)),
            )
        )

    def _settle(
        self,
        claim: Claim,
        recorded: Testimony | None,
        restatements: Sequence[Testimony],
        stands: Mapping[str, Entity],
        renamed: Mapping[str, str],
    ) -> None:
        """See to it that a claim is in force as it was said, or else that one stands that restates it."""
        wanted = restated(claim, stands, renamed)
        withdrawals = () if recorded is None else _own(recorded)
        aside = [one for one in withdrawals if is_for_identity(one) and self._holds(one)]
        is_gone = claim.id in self._gone or any(
            not is_for_identity(one) and self._holds(one) for one in withdrawals
        )
        if any(one.claim.id in self._gone for one in restatements) and not is_gone:
            # Whoever withdraws what restates a claim means the claim.
            self._take_back(claim.id, claim)
            is_gone = True
        if wanted is not None and not aside:
            self._put(Retraction(claim.id, _WHY, set_aside_id(claim.id, self.reading.at)), claim)
        elif wanted is None:
            for one in aside:
                self._put(Retraction(one.id, _WHY), claim)
        standing = {one.claim.id: one for one in restatements}
        for name, other in standing.items():
            marks = [each for each in _own(other) if self._holds(each)]
            is_wanted = wanted is not None and name == wanted.id and not is_gone
            if is_wanted:
                for each in marks:
                    self._put(Retraction(each.id, _WHY), other.claim)
            elif not marks and name not in self._gone:
                self._put(Retraction(name, _WHY, set_aside_id(name, self.reading.at)), other.claim)
        if wanted is not None and wanted.id not in standing:
            self._claims[wanted.id] = wanted
            if is_gone:
                self._put(Retraction(wanted.id, _WHY, set_aside_id(wanted.id, self.reading.at)), wanted)

    def _holds(self, one: Withdrawal) -> bool:
        return not one.is_lifted and one.id not in self._gone

    def _take_back(self, target: str, claim: Claim) -> None:
        if target not in self._gone:
            self._put(Retraction(target), claim)

    def _put(self, one: Retraction, claim: Claim) -> None:
        if one.target not in self._retractions:
            self._retractions[one.target] = one
        self._contests.add(self._contest(claim))

    def _contest(self, claim: Claim) -> ContestKey:
        return contest_key(claim.slot, claim.value.key, self.schema.attribute(claim.slot.attribute))

    # What has to be looked at ------------------------------------------------------------------------

    def _spoken(self, moved: set[str]) -> dict[str, Testimony]:
        """All claims on record that name an entity that stands for another than before."""
        if not moved:
            return {}
        ids = sorted(moved)
        # Of what was only said to have ended there is no belief.
        slots = {one.id for one in self._view.every(Slot, ids)}
        held = self._view.beliefs(BeliefFilter(values=[f"{_ENTITY}{one}" for one in ids]))
        slots |= {one.slot.id for one in held}
        return self._on(map(ContestKey, slots), lambda one: _names(one, moved))

    def _touched(self) -> dict[str, Testimony]:
        """The claims that the intent withdraws one by one, or gives back."""
        lifted = {one for one in self._gone if is_retraction(one)}
        targets = {one for one in self._gone if is_claim(one)}
        if lifted:
            targets |= {
                one.target
                for one in self._view.every(Withdrawal)
                if one.id in lifted and is_claim(one.target)
            }
        return {one.claim.id: one for ids in _pages(sorted(targets)) for one in self._view.claims(ids)}

    def _leaning(self, renamed: Mapping[str, str]) -> dict[str, Testimony]:
        """The claims that rest on slots or beliefs of merged entities, or of what was merged before."""
        if not renamed or not self._view.head().links:
            return {}
        names = set(renamed)
        held = [
            one for ids in _pages(sorted(names)) for one in self._view.beliefs(BeliefFilter(premises=ids))
        ]
        contests = {ContestKey(one.slot.id) for one in held}
        return self._on(contests, lambda one: not names.isdisjoint(premises_of(one.claim)))

    def _on(
        self, contests: Iterable[ContestKey], is_meant: Callable[[Testimony], bool]
    ) -> dict[str, Testimony]:
        found: dict[str, Testimony] = {}
        for page in _pages(sorted(contests, key=by_id)):
            for those in self._view.testimonies(page).values():
                found.update((one.claim.id, one) for one in those if is_meant(one))
        return found

    def _as_recorded(self, found: Mapping[str, Testimony]) -> Iterator[tuple[Testimony, list[Testimony]]]:
        """The claims that were said, of those found, each with all that restate it."""
        rules = {f"rule {one.name}" for one in self.schema.rules}
        wanted = {original_of(one) if is_restated(one) else one for one in found}
        evidence = sorted({one.claim.evidence_id for one in found.values()})
        by_evidence: dict[str, list[Testimony]] = defaultdict(list)
        for ids in _pages(evidence):
            for one in self._view.claims(ids):
                by_evidence[one.claim.evidence_id].append(one)
        for those in by_evidence.values():
            restatements: dict[str, list[Testimony]] = defaultdict(list)
            for one in those:
                if is_restated(one.claim.id):
                    restatements[original_of(one.claim.id)].append(one)
            for one in those:
                # What declared rules derive is drawn anew from what is restated.
                if one.claim.id in wanted and one.source.name not in rules:
                    yield one, restatements[one.claim.id]

    def _standing_for(self, moved: set[str], claims: Iterable[Claim]) -> dict[str, Entity]:
        into = self.schema.merged
        named = {name for one in claims for name in _entities_of(one)} | moved
        found = standing_for(self._view, into, named)
        for one in named:
            if one in into and into[one] in self._entities:
                found.setdefault(one, self._entities[into[one]])
        return found

    def _renamed(self, claims: Sequence[Claim], moved: set[str]) -> dict[str, str]:
        """The slots and beliefs of merged entities, each with the one that it has become, or itself.

        Those that stood for others before are among them, and slots of which nothing was said yet.
        """
        if not self._view.head().links and not any(map(premises_of, claims)):
            return {}
        into = self.schema.merged
        involved = moved | {name for one in claims for name in _entities_of(one)}
        if any(map(premises_of, claims)):
            involved |= into.keys()
        roots = {into.get(one, one) for one in involved}
        members = moved | {one for one in into if into[one] in roots}
        if not members:
            return {}
        stands = standing_for(self._view, into, members) | {
            one: self._entities[into[one]] for one in members if into.get(one) in self._entities
        }
        slots = list(self._view.every(Slot, sorted(members | roots)))
        topics = {(one.attribute, one.conditions) for one in (*slots, *(each.slot for each in claims))}
        topics |= {(one, ()) for one in self.schema.attributes}
        renamed: dict[str, str] = {}
        for one in members:
            for attribute, conditions in topics:
                slot = slot_of(Entity(one, ""), attribute, conditions)
                renamed[slot.id] = restated_slot(slot, stands).id
        held = self._view.beliefs(BeliefFilter(subjects=sorted(members)))
        held += self._view.beliefs(BeliefFilter(values=[f"{_ENTITY}{one}" for one in sorted(members)]))
        for belief in held:
            entity = stands.get(belief.value.key.removeprefix(_ENTITY))
            is_entity = belief.value.type is ValueType.ENTITY and entity is not None
            key = f"{_ENTITY}{entity.id}" if is_entity and entity is not None else belief.value.key
            renamed[belief.id] = belief_id(restated_slot(belief.slot, stands).id, key)
        return renamed


def _own(one: Testimony) -> list[Withdrawal]:
    """The withdrawals of the claim itself, without those of its evidence."""
    return [each for each in one.withdrawals if each.target == one.claim.id]


def _entities_of(claim: Claim) -> Iterator[str]:
    yield claim.slot.subject.id
    if claim.value.type is ValueType.ENTITY:
        yield claim.value.key.removeprefix(_ENTITY)


def _names(one: Testimony, entities: set[str]) -> bool:
    return not entities.isdisjoint(_entities_of(one.claim))


def _pages(named: Iterable[T]) -> Iterator[list[T]]:
    ordered = list(named)
    return (ordered[start : start + _PAGE] for start in range(0, len(ordered), _PAGE))
