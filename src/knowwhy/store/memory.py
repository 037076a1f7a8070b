"""A store that keeps everything in dictionaries: the oracle that every other store is compared with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy, deepcopy
from dataclasses import dataclass, field, fields, replace
from threading import RLock
from typing import TypeAlias, TypeVar, cast

from knowwhy.core.model import (
    Alias,
    Attribute,
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
    alias_target,
    belief_id,
    in_force,
    name_key,
    premises_of,
    retraction_id,
)
from knowwhy.core.revision import ContestKey
from knowwhy.core.timeline import Instant
from knowwhy.errors import Fault
from knowwhy.store.bm25 import bm25
from knowwhy.store.protocol import (
    Batch,
    BeliefFilter,
    D,
    Decision,
    E,
    Head,
    Hit,
    Hits,
    Snapshot,
    StaleRead,
    TextEntry,
)
from knowwhy.store.replay import batches_kept

Record = TypeVar("Record")
_Traits: TypeAlias = Callable[[Belief], tuple[object, ...]]


class MemoryStore:
    """A store for tests and for memories that need not outlive the process.

    Each commit changes a copy of its space and puts that in the place of the old state in one
    assignment. So a published state never changes: a snapshot is a reference to one, needs no lock,
    and stays what it was even when its own thread commits meanwhile, which holding the lock for the
    duration of a snapshot could not give.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._spaces: dict[str, _Records] = {}
        self._is_closed = False

    @contextmanager
    def snapshot(self, space: str) -> Iterator[Snapshot]:
        yield MemorySnapshot(self._records(space))

    def commit(self, space: str, batch: Batch) -> Operation:
        with self._lock:
            before = self._records(space)
            _check(before, batch)
            after = before.copied()
            operation = after.append(batch)
            self._spaces[space] = after
            return _detached(operation)

    def replace_views(self, space: str, rows: Iterable[Belief | TextEntry]) -> None:
        with self._lock:
            after = self._records(space).copied()
            after.forget_views()
            for row in rows:
                if isinstance(row, Belief):
                    after.put_belief(row)
                else:
                    after.put_text(row)
            self._spaces[space] = after

    def drop(self, space: str, evidence: Sequence[str], before: int) -> None:
        with self._lock:
            after = self._records(space).copied()
            gone = {one for one in evidence if in_force(after.withdrawals_of(one)) is not None}
            after.drop(gone, before)
            self._spaces[space] = after

    def problems(self, space: str) -> list[str]:
        return list(_dangling(self._records(space)))

    def close(self) -> None:
        self._is_closed = True
        self._spaces.clear()

    def _records(self, space: str) -> _Records:
        if self._is_closed:
            raise Fault("This store is closed; open the memory again.")
        return self._spaces.get(space) or _Records()


@dataclass(slots=True)
class _Records:
    """All records of one space, and the indexes over them; changed only before it is published.

    Index entries are tuples, so that copying the dictionaries copies everything that may change.
    """

    head: Head = field(default_factory=Head)
    operations: list[Operation] = field(default_factory=list)
    operation_by_key: dict[str, Operation] = field(default_factory=dict)
    declared: dict[tuple[str, str], tuple[Declared, ...]] = field(default_factory=dict)
    sources: dict[tuple[str, str], tuple[int, Source]] = field(default_factory=dict)
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
    texts: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def copied(self) -> _Records:
        """The same records, to be changed apart from these."""
        return _Records(**{one.name: copy(getattr(self, one.name)) for one in fields(self)})

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
        operation = replace(_detached(batch.operation), sequence=sequence, at=at)
        schema = sequence if any(one.is_schema for one in batch.declarations) else self.head.schema
        links = sequence if any(map(premises_of, batch.claims)) else self.head.links
        self.head = Head(sequence, at, schema, links)
        self.operations.append(operation)
        if operation.key is not None:
            self.operation_by_key[operation.key] = operation
        for one in batch.declarations:
            known = self.declared.get((one.kind, one.key), ())
            self.declared[one.kind, one.key] = (*known, replace(one, declared_in=sequence, declared_at=at))
        for source in (*batch.sources, *(one.source for one in batch.evidence)):
            self.sources.setdefault((source.name, source.type), (sequence, source))
        for entity in (*batch.entities, *(claim.slot.subject for claim in batch.claims)):
            self._add_entity(entity, sequence)
        for alias in batch.aliases:
            given = self.aliases.get((alias.key, alias.entity_id), ())
            self.aliases[alias.key, alias.entity_id] = (*given, replace(alias, operation=sequence))
            _index(self.entities_by_alias, alias.key, alias.entity_id)
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
            _index(self.entities_by_name, name_key(entity.name), entity.id)

    def _add_evidence(self, one: Evidence, sequence: int) -> None:
        self.evidence[one.id] = one
        self.evidence_operation[one.id] = sequence
        _index(self.evidence_by_content, one.content, one.id)

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
        )
        _index(self.claims_by_slot, claim.slot.id, claim.id)
        _index(self.claims_by_evidence, claim.evidence_id, claim.id)
        for premise in premises_of(claim):
            _index(self.claims_by_premise, premise, claim.id)

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
        own = (
            one for one in self.entities_by_name.get(name, ()) if _is_by(self.entity_operation[one], until)
        )
        aliased = (one for one in self.entities_by_alias.get(name, ()) if self._is_given(name, one, until))
        return {*own, *aliased}

    def _is_given(self, name: str, entity: str, until: int | None = None) -> bool:
        given = [one.operation for one in self.aliases[name, entity] if _is_by(one.operation, until)]
        return bool(given) and all(
            max(given) > one.operation
            for one in self.withdrawals_of(alias_target(name, entity))
            if _is_by(one.operation, until)
            and not (one.lifted_in is not None and _is_by(one.lifted_in, until))
        )

    def every_alias(self) -> Iterator[Alias]:
        """The aliases in force, by name and entity."""
        for name, entity in sorted(self.aliases):
            if self._is_given(name, entity):
                yield self.aliases[name, entity][-1]

    def put_belief(self, belief: Belief) -> None:
        """Keep a belief in the place of the one of the same id."""
        self.beliefs[belief.id] = replace(belief, slot=self.slots.get(belief.slot.id, belief.slot))
        _index(self.beliefs_by_slot, belief.slot.id, belief.id)
        _index(self.beliefs_by_subject, belief.slot.subject.id, belief.id)

    def put_text(self, text: TextEntry) -> None:
        """Keep an index entry in the place of that of the same document."""
        self.texts[text.document] = tuple(sorted(text.terms))

    def drop(self, evidence: set[str], before: int) -> None:
        """Drop evidence with its claims, what rests on nothing then, and what older operations replaced."""
        gone = {claim for one in evidence for claim in self.claims_by_evidence.get(one, ())}
        for target in (*evidence, *gone):
            for withdrawal in self.withdrawals.pop(target, ()):
                self.withdrawals.pop(withdrawal.id, None)
        for claim in sorted(gone):
            testimony = self.testimonies.pop(claim)
            _unindex(self.claims_by_slot, testimony.claim.slot.id, claim)
            for premise in premises_of(testimony.claim):
                _unindex(self.claims_by_premise, premise, claim)
        for item in sorted(evidence & self.evidence.keys()):
            _unindex(self.evidence_by_content, self.evidence.pop(item).content, item)
            del self.evidence_operation[item]
            self.claims_by_evidence.pop(item, None)
            self.texts.pop(item, None)
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
        return any(claim.value.key == belief.value.key for claim in said)

    def _forget_belief(self, belief: Belief) -> None:
        del self.beliefs[belief.id]
        self.texts.pop(belief.id, None)
        _unindex(self.beliefs_by_slot, belief.slot.id, belief.id)
        _unindex(self.beliefs_by_subject, belief.slot.subject.id, belief.id)

    def forget_views(self) -> None:
        """Drop all that is computed from the log."""
        self.beliefs.clear()
        self.beliefs_by_slot.clear()
        self.beliefs_by_subject.clear()
        self.texts.clear()


@dataclass(frozen=True, slots=True)
class MemorySnapshot:
    """One published state of a space."""

    _records: _Records

    def head(self) -> Head:
        return self._records.head

    def operations(
        self,
        *,
        key: str | None = None,
        sequences: Sequence[int] | None = None,
        before: int | None = None,
        limit: int | None = None,
    ) -> list[Operation]:
        numbers = None if sequences is None else frozenset(sequences)
        found = (
            operation
            for operation in reversed(self._records.operations)
            if (key is None or operation.key == key)
            and (numbers is None or operation.sequence in numbers)
            and (before is None or operation.sequence < before)
        )
        return [_detached(operation) for operation in found][:limit]

    def declared(
        self, kind: type[D], keys: Sequence[str] | None = None, *, until: int | None = None
    ) -> dict[str, D]:
        known = {
            key: made[-1]
            for (name, key), all_made in self._records.declared.items()
            if name == kind.kind and (made := [one for one in all_made if _is_by(one.declared_in, until)])
        }
        wanted = known.keys() if keys is None else known.keys() & set(keys)
        return {key: cast("D", known[key]) for key in sorted(wanted)}

    def sources(self, names: Sequence[str] | None = None, *, until: int | None = None) -> list[Source]:
        wanted = None if names is None else frozenset(names)
        known = {key: one for key, (number, one) in self._records.sources.items() if _is_by(number, until)}
        return [known[key] for key in sorted(known) if wanted is None or key[0] in wanted]

    def names(self, keys: Sequence[str], *, until: int | None = None) -> dict[str, list[Entity]]:
        meant = {key: _by_id(self._records.entities, self._records.stands_for(key, until)) for key in keys}
        return {key: entities for key, entities in meant.items() if entities}

    def entities(self, ids: Sequence[str] | None = None) -> list[Entity]:
        return _by_id(self._records.entities, ids)

    def evidence(
        self, *, ids: Sequence[str] | None = None, contents: Sequence[str] | None = None
    ) -> list[Evidence]:
        records = self._records
        wanted = set(records.evidence) if ids is None and contents is None else set(ids or ())
        for content in contents or ():
            wanted.update(records.evidence_by_content.get(content, ()))
        found = [self._evidence(one) for one in wanted if one in records.evidence]
        return sorted(found, key=lambda one: (one.effective_at, one.id))

    def _evidence(self, evidence_id: str) -> Evidence:
        records = self._records
        return replace(
            records.evidence[evidence_id],
            operation=records.evidence_operation[evidence_id],
            withdrawals=records.withdrawals_of(evidence_id),
        )

    def testimonies(self, contests: Sequence[ContestKey]) -> dict[ContestKey, list[Testimony]]:
        records = self._records
        return {
            contest: [
                self._testimony(claim)
                for claim in records.claims_by_slot.get(contest.slot_id, ())
                if contest.value_key in (None, records.testimonies[claim].claim.value.key)
            ]
            for contest in contests
        }

    def claims(self, targets: Sequence[str]) -> list[Testimony]:
        records = self._records
        wanted = {target for target in targets if target in records.testimonies}
        for target in targets:
            wanted.update(records.claims_by_evidence.get(target, ()))
        return [self._testimony(claim) for claim in sorted(wanted)]

    def _testimony(self, claim_id: str) -> Testimony:
        records = self._records
        testimony = records.testimonies[claim_id]
        withdrawals = records.withdrawals_of(claim_id, testimony.claim.evidence_id)
        return replace(testimony, withdrawals=withdrawals) if withdrawals else testimony

    def beliefs(self, wanted: BeliefFilter) -> list[Belief]:
        found = self._candidates(wanted)
        for allowed, traits in self._criteria(wanted):
            members = frozenset(allowed)
            found = [belief for belief in found if not members.isdisjoint(traits(belief))]
        return sorted(found, key=lambda belief: belief.id)[: wanted.limit]

    def _candidates(self, wanted: BeliefFilter) -> list[Belief]:
        """All beliefs that can match, each once, by the best index there is."""
        records = self._records
        if wanted.ids is not None:
            return _by_id(records.beliefs, wanted.ids)
        if wanted.contests is not None:
            slots = {contest.slot_id for contest in wanted.contests}
            return [records.beliefs[one] for slot in slots for one in records.beliefs_by_slot.get(slot, ())]
        if wanted.subjects is not None:
            about = (records.beliefs_by_subject.get(subject, ()) for subject in set(wanted.subjects))
            return [records.beliefs[one] for ids in about for one in ids]
        if wanted.premises is not None:
            return _by_id(records.beliefs, self._resting_on(wanted.premises))
        return list(records.beliefs.values())

    def _criteria(self, wanted: BeliefFilter) -> Iterator[tuple[Iterable[object], _Traits]]:
        """What is allowed, and how to read off a belief what must be among it."""
        if wanted.ids is not None:
            yield wanted.ids, lambda belief: (belief.id,)
        if wanted.contests is not None:
            yield wanted.contests, _contests
        if wanted.subjects is not None:
            yield wanted.subjects, lambda belief: (belief.slot.subject.id,)
        if wanted.attribute is not None:
            yield (wanted.attribute,), lambda belief: (belief.slot.attribute,)
        if wanted.values is not None:
            yield wanted.values, lambda belief: (belief.value.key,)
        if wanted.statuses is not None:
            yield wanted.statuses, lambda belief: (belief.status,)
        if wanted.evidence is not None:
            yield self._rested_on(wanted.evidence), _contests
        if wanted.premises is not None:
            yield self._resting_on(wanted.premises), lambda belief: (belief.id,)

    def _rested_on(self, evidence: Iterable[str]) -> Iterator[ContestKey]:
        """Each value that a claim of that evidence names."""
        for one in evidence:
            for claim_id in self._records.claims_by_evidence.get(one, ()):
                claim = self._records.testimonies[claim_id].claim
                yield ContestKey(claim.slot.id, claim.value.key)

    def _resting_on(self, premises: Iterable[str]) -> Iterator[str]:
        """The belief that each claim with one of these premises speaks of."""
        for premise in premises:
            for claim_id in self._records.claims_by_premise.get(premise, ()):
                claim = self._records.testimonies[claim_id].claim
                yield belief_id(claim.slot.id, claim.value.key)

    def search(self, terms: Sequence[str], limit: int) -> Hits:
        asked = list(dict.fromkeys(terms))
        texts = {document: Counter(entry) for document, entry in self._records.texts.items()}
        frequencies = {term: sum(term in entry for entry in texts.values()) for term in asked}
        scores = bm25(texts, frequencies)
        best = sorted(scores.items(), key=lambda hit: (-hit[1], hit[0]))[: max(limit, 0)]
        return Hits(tuple(Hit(*hit) for hit in best), frequencies, len(texts))

    def counts(self) -> dict[str, int]:
        records = self._records
        numbers = {
            "operations": len(records.operations),
            "entities": len(records.entities),
            "aliases": len(records.aliases),
            "attributes": sum(kind == Attribute.kind for kind, _ in records.declared),
            "sources": len(records.sources),
            "evidence": len(records.evidence),
            "claims": len(records.testimonies),
            "retractions": sum(map(len, records.withdrawals.values())),
            "beliefs": len(records.beliefs),
            "documents": len(records.texts),
        }
        statuses = Counter(f"belief.{belief.status}" for belief in records.beliefs.values())
        return {**numbers, **statuses}

    def views(self) -> Iterator[Belief | TextEntry]:
        yield from _by_id(self._records.beliefs, None)
        for document, terms in sorted(self._records.texts.items()):
            yield TextEntry(document, terms)

    def every(self, kind: type[E], targets: Sequence[str] | None = None, *, after: int = 0) -> Iterator[E]:
        records = self._records
        if kind is Batch:
            yield from cast("Iterator[E]", batches_kept(records, after))
        elif kind is Withdrawal:
            wanted = records.withdrawals if targets is None else set(targets)
            yield from cast("list[E]", sorted(records.withdrawals_of(*wanted), key=lambda one: one.id))
        elif kind is Decision:
            ordered = sorted(records.decisions, key=lambda one: (one.slot_id, one.value_key or ""))
            yield from cast("list[E]", [Decision(one, records.decisions[one]) for one in ordered])
        elif kind is Alias:
            yield from cast("list[E]", list(records.every_alias()))
        elif kind is Slot:
            yield from cast("list[E]", _by_id(records.slots, None))
        else:
            yield from cast("list[E]", [self._evidence(one) for one in sorted(records.evidence)])


def _is_by(operation: int, until: int | None) -> bool:
    return until is None or operation <= until


def _contests(belief: Belief) -> tuple[ContestKey, ...]:
    """All that a belief may compete in."""
    return ContestKey(belief.slot.id), ContestKey(belief.slot.id, belief.value.key)


def _check(records: _Records, batch: Batch) -> None:
    """Refuse a batch that was decided on something that has moved since, or that refers to nothing."""
    versions = {contest: records.version(contest) for contest in batch.expected}
    if (
        versions != dict(batch.expected)
        or (_rests_on_schema(batch) and batch.schema != records.head.schema)
        or batch.links not in (None, records.head.links)
        or batch.operation.key in records.operation_by_key
        or any(one.id in records.evidence for one in batch.evidence)
        or any(claim.id in records.testimonies for claim in batch.claims)
    ):
        raise StaleRead(versions)
    evidence = {one.id for one in batch.evidence}
    for claim in batch.claims:
        if claim.evidence_id not in evidence and claim.evidence_id not in records.evidence:
            raise Fault(f"Claim {claim.id} rests on evidence {claim.evidence_id}, which is not on record.")
    spoken = {(claim.slot.id, claim.value.key) for claim in batch.claims}
    for belief in batch.beliefs:
        said = (records.testimonies[one].claim for one in records.claims_by_slot.get(belief.slot.id, ()))
        is_spoken = (belief.slot.id, belief.value.key) in spoken
        if not is_spoken and all(claim.value.key != belief.value.key for claim in said):
            raise Fault(f"Belief {belief.id} has no claim to rest on.")


def _rests_on_schema(batch: Batch) -> bool:
    return bool(batch.beliefs) or any(one.is_schema for one in batch.declarations)


def _dangling(records: _Records) -> Iterator[str]:
    """What refers to something that is not there."""
    for key, entity in records.aliases:
        if entity not in records.entities:
            yield f"The alias {key!r} stands for entity {entity}, which is not on record."
    values = {(one.claim.slot.id, one.claim.value.key) for one in records.testimonies.values()}
    for belief in records.beliefs.values():
        if (belief.slot.id, belief.value.key) not in values:
            yield f"Belief {belief.id} has no claim to rest on."
    for document in records.texts:
        if document not in records.beliefs and document not in records.evidence:
            yield f"The index holds {document}, which is neither a belief nor evidence."


def _by_id(records: Mapping[str, Record], ids: Iterable[str] | None) -> list[Record]:
    """The records of these ids, or all, in order of id."""
    wanted = records if ids is None else set(ids)
    return [records[one] for one in sorted(wanted) if one in records]


def _index(entries: dict[str, tuple[str, ...]], key: str, one: str) -> None:
    known = entries.get(key, ())
    if one not in known:
        entries[key] = (*known, one)


def _unindex(entries: dict[str, tuple[str, ...]], key: str, one: str) -> None:
    kept = tuple(other for other in entries.get(key, ()) if other != one)
    if kept:
        entries[key] = kept
    else:
        entries.pop(key, None)


def _detached(operation: Operation) -> Operation:
    """The operation with an outcome that no one else can change."""
    return replace(operation, outcome=deepcopy(operation.outcome))
