"""The records of one space, in dictionaries: what the in-memory store keeps, and how a batch changes it."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy, deepcopy
from dataclasses import dataclass, field, fields, replace
from operator import itemgetter
from typing import Any

from knowwhy.core.model import (
    Alias,
    Belief,
    Claim,
    Declared,
    Entity,
    Evidence,
    Operation,
    Retraction,
    Slot,
    Source,
    Testimony,
    Withdrawal,
    name_key,
    premises_of,
    retraction_id,
)
from knowwhy.core.revision import ContestKey
from knowwhy.core.timeline import Instant
from knowwhy.store import replay
from knowwhy.store.protocol import (
    Audit,
    Batch,
    Guarded,
    Head,
    Speaker,
    TextEntry,
    Vector,
)


@dataclass(slots=True)
class Records:
    """All records of one space, and the indexes over them; changed only before it is published.

    Index entries are tuples, so that copying the dictionaries copies everything that may change.
    """

    head: Head = field(default_factory=Head)
    operations: list[Operation] = field(default_factory=list)
    operation_by_key: dict[str, Operation] = field(default_factory=dict)
    declared: dict[tuple[str, str], tuple[Declared, ...]] = field(default_factory=dict)
    sources: dict[tuple[str, str], tuple[int, Source]] = field(default_factory=dict)
    standings: dict[Speaker, tuple[int, Source]] = field(default_factory=dict)
    entities: dict[str, Entity] = field(default_factory=dict)
    entity_operation: dict[str, int] = field(default_factory=dict)
    entities_by_name: dict[str, tuple[str, ...]] = field(default_factory=dict)
    aliases: dict[tuple[str, str], tuple[Alias, ...]] = field(default_factory=dict)
    entities_by_alias: dict[str, tuple[str, ...]] = field(default_factory=dict)
    evidence: dict[str, Evidence] = field(default_factory=dict)
    evidence_operation: dict[str, int] = field(default_factory=dict)
    evidence_by_content: dict[str, tuple[str, ...]] = field(default_factory=dict)
    slots: dict[str, Slot] = field(default_factory=dict)
    testimonies: dict[str, Testimony] = field(default_factory=dict)
    claims_by_slot: dict[str, tuple[str, ...]] = field(default_factory=dict)
    claims_by_evidence: dict[str, tuple[str, ...]] = field(default_factory=dict)
    claims_by_premise: dict[str, tuple[str, ...]] = field(default_factory=dict)
    decisions: dict[ContestKey, int] = field(default_factory=dict)
    withdrawals: dict[str, tuple[Withdrawal, ...]] = field(default_factory=dict)
    beliefs: dict[str, Belief] = field(default_factory=dict)
    beliefs_by_slot: dict[str, tuple[str, ...]] = field(default_factory=dict)
    beliefs_by_subject: dict[str, tuple[str, ...]] = field(default_factory=dict)
    beliefs_by_value: dict[str, tuple[str, ...]] = field(default_factory=dict)
    texts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    vectors: dict[tuple[str, str], Vector] = field(default_factory=dict)
    audits: dict[str, Audit] = field(default_factory=dict)

    def copied(self) -> Records:
        """The same records, to be changed apart from these."""
        return Records(**{one.name: copy(getattr(self, one.name)) for one in fields(self)})

    def version(self, contest: ContestKey) -> int:
        """The number of the last operation that settled the contest, 0 where none did."""
        return max((belief.version for belief in self.contest(contest)), default=0)

    def contest(self, contest: ContestKey) -> list[Belief]:
        """The beliefs of the contest."""
        competing = (self.beliefs[one] for one in self.beliefs_by_slot.get(contest.slot_id, ()))
        return [one for one in competing if contest.value_key in (None, one.value.key)]

    def append(self, batch: Batch) -> Operation:
        """Add a batch that was found to fit, and give its operation as numbered."""
        sequence = self.head.sequence + 1
        at = max(batch.operation.at, Instant(self.head.at + 1)) if self.operations else batch.operation.at
        operation = replace(detached(batch.operation), sequence=sequence, at=at)
        schema = sequence if any(one.is_schema for one in batch.declarations) else self.head.schema
        links = sequence if any(map(premises_of, batch.claims)) else self.head.links
        guards = sequence if batch.guards else self.head.guards
        self.head = replace(self.head, sequence=sequence, at=at, schema=schema, links=links, guards=guards)
        self.operations.append(operation)
        if operation.key is not None:
            self.operation_by_key[operation.key] = operation
        for one in batch.declarations:
            known = self.declared.get((one.kind, one.key), ())
            self.declared[one.kind, one.key] = (*known, replace(one, declared_in=sequence, declared_at=at))
        for source, access in batch.speakers(batch.evidence):
            self.sources.setdefault((source.name, source.type), (sequence, source))
            standing = (source, access)
            self.standings.setdefault(standing, (sequence, replace(source, access=access)))
        for entity in (*batch.entities, *(claim.slot.subject for claim in batch.claims)):
            self._add_entity(entity, sequence)
        for alias in batch.aliases:
            given = self.aliases.get((alias.key, alias.entity_id), ())
            self.aliases[alias.key, alias.entity_id] = (*given, replace(alias, operation=sequence))
            index(self.entities_by_alias, alias.key, alias.entity_id)
        for item in batch.evidence:
            # What is older than the batch was recorded elsewhere; all else is recorded now.
            is_loaded = item.recorded_at < batch.operation.at
            self._add_evidence(item if is_loaded else replace(item, recorded_at=at), sequence)
        for claim in batch.claims:
            self._add_claim(claim, sequence, at)
        for retraction in batch.retractions:
            self._add_retraction(retraction, sequence, at)
        self.decisions.update(dict.fromkeys(batch.decided, sequence))
        for belief in batch.beliefs:
            self.put_belief(replace(belief, version=sequence))
        for text in batch.texts:
            self.put_text(text)
        return operation

    def _add_entity(self, entity: Entity, sequence: int) -> None:
        if entity.id not in self.entities:
            self.entities[entity.id] = entity
            self.entity_operation[entity.id] = sequence
            index(self.entities_by_name, name_key(entity.name), entity.id)

    def _add_evidence(self, one: Evidence, sequence: int) -> None:
        self.evidence[one.id] = one
        self.evidence_operation[one.id] = sequence
        index(self.evidence_by_content, one.content, one.id)

    def _add_claim(self, claim: Claim, sequence: int, at: Instant) -> None:
        evidence = self.evidence[claim.evidence_id]
        # A claim read out of its evidence later was not known before it was read.
        is_together = self.evidence_operation[evidence.id] == sequence
        slot = claim.slot
        if slot.id not in self.slots:
            self.slots[slot.id] = replace(slot, subject=self.entities[slot.subject.id])
        self.testimonies[claim.id] = Testimony(
            claim=replace(claim, slot=self.slots[slot.id]),
            source=evidence.source,
            groups=evidence.groups,
            observed_at=evidence.observed_at,
            effective_at=evidence.effective_at,
            recorded_at=evidence.recorded_at if is_together else at,
            is_pinned=evidence.is_pinned,
            operation=sequence,
            access=evidence.access,
        )
        index(self.claims_by_slot, claim.slot.id, claim.id)
        index(self.claims_by_evidence, claim.evidence_id, claim.id)
        for premise in premises_of(claim):
            index(self.claims_by_premise, premise, claim.id)

    def _add_retraction(self, one: Retraction, sequence: int, at: Instant) -> None:
        own_id = one.id or retraction_id(one.target, at)
        known = self.withdrawals.get(one.target, ())
        if all(own_id != other.id for other in known):
            added = Withdrawal(own_id, one.target, sequence, at, reason=one.reason)
            self.withdrawals[one.target] = (*known, added)

    def withdrawals_of(self, *targets: str) -> tuple[Withdrawal, ...]:
        """The withdrawals of records, in order of operation and id, with what lifted them."""
        found = (self._lifted(one) for target in targets for one in self.withdrawals.get(target, ()))
        return tuple(sorted(found, key=lambda one: (one.operation, one.id)))

    def _lifted(self, one: Withdrawal) -> Withdrawal:
        if not (lifts := self.withdrawals.get(one.id)):
            return one
        first = min(lifts, key=lambda lift: lift.operation)
        return replace(one, lifted_in=first.operation, lifted_at=first.at)

    def stands_for(self, name: str, until: int | None = None) -> set[str]:
        """The ids of the entities that a name key means, or meant after an operation."""
        own = (one for one in self.entities_by_name.get(name, ()) if is_by(self.entity_operation[one], until))
        aliased = (one for one in self.entities_by_alias.get(name, ()) if self._is_given(name, one, until))
        return {*own, *aliased}

    def _is_given(self, name: str, entity: str, until: int | None = None) -> bool:
        return any(True for _ in self._given(name, entity, until))

    def _given(self, name: str, entity: str, until: int | None = None) -> Iterator[Alias]:
        """The last giving of an alias to each who may read it, as far as it is in force."""
        last: dict[str, Alias] = {}
        for one in self.aliases[name, entity]:
            if is_by(one.operation, until):
                last[str(one.access)] = one
        for _, alias in sorted(last.items()):
            if all(
                alias.operation > one.operation
                for one in self.withdrawals_of(alias.target)
                if is_by(one.operation, until)
                and not (one.lifted_in is not None and is_by(one.lifted_in, until))
            ):
                yield alias

    def forget_entity(self, own_id: str) -> None:
        """Drop an entity with all its names."""
        for name, entity in [one for one in self.aliases if one[1] == own_id]:
            given = self.aliases.pop((name, entity))
            unindex(self.entities_by_alias, name, entity)
            for target in {one.target for one in given}:
                for withdrawal in self.withdrawals.pop(target, ()):
                    self.withdrawals.pop(withdrawal.id, None)
        if (known := self.entities.pop(own_id, None)) is not None:
            del self.entity_operation[own_id]
            unindex(self.entities_by_name, name_key(known.name), own_id)

    def every_alias(self) -> Iterator[Alias]:
        """The aliases in force, by name and entity."""
        for name, entity in sorted(self.aliases):
            yield from self._given(name, entity)

    def guarded(self) -> Iterator[Guarded]:
        """What not everybody may read, by kind and id."""
        kept = [(key, one.access, "entity") for key, one in sorted(self.entities.items())]
        kept += [(key, one.access, "evidence") for key, one in sorted(self.evidence.items())]
        kept += [(str(one.sequence), one.access, "operation") for one in self.operations]
        return (Guarded(*one) for one in kept if not one[1].is_public)

    def put_belief(self, belief: Belief) -> None:
        """Keep a belief in the place of the one of the same id."""
        self.beliefs[belief.id] = replace(belief, slot=self.slots.get(belief.slot.id, belief.slot))
        index(self.beliefs_by_slot, belief.slot.id, belief.id)
        index(self.beliefs_by_subject, belief.slot.subject.id, belief.id)
        index(self.beliefs_by_value, belief.value.key, belief.id)

    def put_text(self, text: TextEntry) -> None:
        """Keep an index entry in the place of that of the same document."""
        self.texts[text.document] = tuple(sorted(text.terms))

    def put_vector(self, vector: Vector) -> None:
        """Keep a vector in the place of that of the same document and model, or take that away."""
        self.vectors.pop((vector.document, vector.model), None)
        if vector.numbers:
            self.head = replace(self.head, vectors=self.head.vectors + 1)
            self.vectors[vector.document, vector.model] = replace(vector, number=self.head.vectors)

    def put_audit(self, audit: Audit) -> None:
        """Keep the record of an answer, or take one away, or all from before a time."""
        if not audit.id:
            self.audits = {own: one for own, one in self.audits.items() if one.at >= audit.at}
            return
        kept = {own: one for own, one in self.audits.items() if own != audit.id}
        if audit.body:
            last = max((one.number for one in kept.values()), default=0)
            kept[audit.id] = replace(audit, number=last + 1)
        # Not in place: a state that was published may share it.
        self.audits = kept

    def _forget_text(self, document: str) -> None:
        self.texts.pop(document, None)
        for key in [one for one in self.vectors if one[0] == document]:
            del self.vectors[key]

    def drop(self, evidence: set[str], before: int) -> None:
        """Drop evidence with its claims, what rests on nothing then, and what older operations replaced."""
        gone = {claim for one in evidence for claim in self.claims_by_evidence.get(one, ())}
        for target in (*evidence, *gone):
            for withdrawal in self.withdrawals.pop(target, ()):
                self.withdrawals.pop(withdrawal.id, None)
        for claim in sorted(gone):
            testimony = self.testimonies.pop(claim)
            unindex(self.claims_by_slot, testimony.claim.slot.id, claim)
            for premise in premises_of(testimony.claim):
                unindex(self.claims_by_premise, premise, claim)
        for item in sorted(evidence & self.evidence.keys()):
            unindex(self.evidence_by_content, self.evidence.pop(item).content, item)
            del self.evidence_operation[item]
            self.claims_by_evidence.pop(item, None)
            self._forget_text(item)
        for belief in list(self.beliefs.values()):
            if not self._is_spoken_of(belief):
                self._forget_belief(belief)
        self.operations = [
            replace(one, outcome=None) if one.sequence < before else one for one in self.operations
        ]
        self.operation_by_key = {one.key: one for one in self.operations if one.key is not None}
        for key, made in self.declared.items():
            if made[-1].is_schema:
                older = [one for one in made if one.declared_in < before]
                self.declared[key] = (*older[-1:], *(one for one in made if one.declared_in >= before))

    def _is_spoken_of(self, belief: Belief) -> bool:
        said = (self.testimonies[one].claim for one in self.claims_by_slot.get(belief.slot.id, ()))
        # What ends or gives up a value makes no belief by itself.
        return any(claim.stance.is_heard and claim.value.key == belief.value.key for claim in said)

    def _forget_belief(self, belief: Belief) -> None:
        del self.beliefs[belief.id]
        self._forget_text(belief.id)
        unindex(self.beliefs_by_slot, belief.slot.id, belief.id)
        unindex(self.beliefs_by_subject, belief.slot.subject.id, belief.id)
        unindex(self.beliefs_by_value, belief.value.key, belief.id)

    def batches(self, after: int) -> Iterator[Batch]:
        """The log as it was written, after an operation."""
        declared = [one for made in self.declared.values() for one in made]
        given = [one for made in self.aliases.values() for one in made]
        withdrawn = [one for made in self.withdrawals.values() for one in made]
        found: dict[str, list[tuple[int, Any]]] = {
            "entities": [(self.entity_operation[key], one) for key, one in self.entities.items()],
            "aliases": [(one.operation, one) for one in given],
            "declarations": [(one.declared_in, one) for one in declared],
            "sources": list(self.sources.values()),
            "evidence": [(self.evidence_operation[key], one) for key, one in self.evidence.items()],
            "claims": [(one.operation, one.claim) for one in self.testimonies.values()],
            "retractions": [(one.operation, Retraction(one.target, one.reason, one.id)) for one in withdrawn],
            "decided": [(number, contest) for contest, number in self.decisions.items()],
        }
        records = {
            kind: sorted((pair for pair in pairs if pair[0] > after), key=itemgetter(0))
            for kind, pairs in found.items()
        }
        operations = [detached(one) for one in self.operations if one.sequence > after]
        return replay.batches_of(replay.Records(operations=operations, **records))

    def forget_views(self) -> None:
        """Drop all that is computed from the log."""
        self.beliefs.clear()
        self.beliefs_by_slot.clear()
        self.beliefs_by_subject.clear()
        self.beliefs_by_value.clear()
        self.texts.clear()


def is_by(operation: int, until: int | None) -> bool:
    """Whether an operation is no later than another, if that is named."""
    return until is None or operation <= until


def index(entries: dict[str, tuple[str, ...]], key: str, one: str) -> None:
    """Add an id to those of a key, once."""
    known = entries.get(key, ())
    if one not in known:
        entries[key] = (*known, one)


def unindex(entries: dict[str, tuple[str, ...]], key: str, one: str) -> None:
    """Take an id away from those of a key."""
    kept = tuple(other for other in entries.get(key, ()) if other != one)
    if kept:
        entries[key] = kept
    else:
        entries.pop(key, None)


def detached(operation: Operation) -> Operation:
    """The operation with an outcome that no one else can change."""
    return replace(operation, outcome=deepcopy(operation.outcome))
