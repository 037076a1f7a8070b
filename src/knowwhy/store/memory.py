"""A store that keeps everything in dictionaries: the oracle that every other store is compared with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass, replace
from threading import RLock
from typing import TypeAlias, TypeVar, cast

from knowwhy.core.model import (
    Alias,
    Attribute,
    Belief,
    Entity,
    Evidence,
    Operation,
    Slot,
    Source,
    Testimony,
    Withdrawal,
    belief_id,
    in_force,
)
from knowwhy.core.revision import ContestKey
from knowwhy.errors import Fault
from knowwhy.store.bm25 import bm25
from knowwhy.store.erasing import erase
from knowwhy.store.protocol import (
    Audit,
    Batch,
    BeliefFilter,
    D,
    Decision,
    E,
    Erasing,
    Guarded,
    Head,
    Hit,
    Hits,
    Snapshot,
    StaleRead,
    TextEntry,
    Vector,
    View,
)
from knowwhy.store.records import Records, detached, is_by
from knowwhy.store.turns import Turns

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
        self._spaces: dict[str, Records] = {}
        self._is_closed = False
        self._turns = Turns()

    @contextmanager
    def snapshot(self, space: str, *, turn: Collection[str] = ()) -> Iterator[Snapshot]:
        with self._turns.taken((space, one) for one in turn):
            yield MemorySnapshot(self._records(space))

    def commit(self, space: str, batch: Batch) -> Operation:
        with self._lock:
            before = self._records(space)
            _check(before, batch)
            after = before.copied()
            operation = after.append(batch)
            self._spaces[space] = after
            return detached(operation)

    def replace_views(self, space: str, rows: Iterable[View], *, is_whole: bool = True) -> None:
        with self._lock:
            given, before = list(rows), self._records(space)
            is_beside = not is_whole and all(isinstance(one, Audit) for one in given)
            after = copy(before) if is_beside else before.copied()
            if is_whole:
                after.forget_views()
            for row in given:
                if isinstance(row, Audit):
                    after.put_audit(row)
                elif isinstance(row, Belief):
                    after.put_belief(row)
                elif isinstance(row, TextEntry):
                    after.put_text(row)
                else:
                    after.put_vector(row)
            self._spaces[space] = after

    def drop(self, space: str, evidence: Sequence[str], before: int, erasing: Erasing | None = None) -> None:
        with self._lock:
            after = self._records(space).copied()
            known = [one for one in evidence if one in after.evidence]
            gone = {one for one in known if in_force(after.withdrawals_of(one)) is not None}
            after.drop(gone, before)
            if erasing is not None:
                erase(after, erasing)
            self._spaces[space] = after

    def problems(self, space: str) -> list[str]:
        return list(_dangling(self._records(space)))

    def close(self) -> None:
        self._is_closed = True
        self._spaces.clear()

    def _records(self, space: str) -> Records:
        if self._is_closed:
            raise Fault("This store is closed; open the memory again.")
        return self._spaces.get(space) or Records()


@dataclass(frozen=True, slots=True)
class MemorySnapshot:
    """One published state of a space."""

    _records: Records

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
        return [detached(operation) for operation in found][:limit]

    def declared(
        self, kind: type[D], keys: Sequence[str] | None = None, *, until: int | None = None
    ) -> dict[str, D]:
        known = {
            key: made[-1]
            for (name, key), all_made in self._records.declared.items()
            if name == kind.kind and (made := [one for one in all_made if is_by(one.declared_in, until)])
        }
        wanted = known.keys() if keys is None else known.keys() & set(keys)
        return {key: cast("D", known[key]) for key in sorted(wanted)}

    def sources(
        self, names: Sequence[str] | None = None, *, until: int | None = None, is_whole: bool = False
    ) -> list[Source]:
        wanted = None if names is None else frozenset(names)
        if is_whole:
            standings = self._records.standings.values()
            return [
                one
                for number, one in standings
                if is_by(number, until) and one.name in (wanted or {one.name})
            ]
        known = {key: one for key, (number, one) in self._records.sources.items() if is_by(number, until)}
        return [known[key] for key in sorted(known) if wanted is None or key[0] in wanted]

    def names(self, keys: Sequence[str], *, until: int | None = None) -> dict[str, list[Entity]]:
        meant = {key: _by_id(self._records.entities, self._records.stands_for(key, until)) for key in keys}
        return {key: entities for key, entities in meant.items() if entities}

    def entities(self, ids: Sequence[str] | None = None) -> list[Entity]:
        return _by_id(self._records.entities, ids)

    def evidence(
        self,
        *,
        ids: Sequence[str] | None = None,
        contents: Sequence[str] | None = None,
        beside: Sequence[Evidence] | None = None,
        until: int | None = None,
    ) -> list[Evidence]:
        records = self._records
        is_all = ids is None and contents is None and beside is None
        wanted = set(records.evidence) if is_all else set(ids or ())
        for content in contents or ():
            wanted.update(records.evidence_by_content.get(content, ()))
        for one in beside or ():
            wanted.update(self._beside(one, until))
        found = [self._evidence(one) for one in wanted if one in records.evidence]
        return sorted(found, key=lambda one: (one.effective_at, one.id))

    def _beside(self, item: Evidence, until: int | None) -> Iterator[str]:
        """What was said just before and just after an item, in its context."""
        records, own = self._records, (item.effective_at, item.id)
        said = [
            (one.effective_at, one.id)
            for one in records.evidence.values()
            if one.context is not None
            and one.context == item.context
            and is_by(records.evidence_operation[one.id], until)
        ]
        if before := [one for one in said if one < own]:
            yield max(before)[1]
        if after := [one for one in said if one > own]:
            yield min(after)[1]

    def _evidence(self, evidence_id: str) -> Evidence:
        records = self._records
        return replace(
            records.evidence[evidence_id],
            operation=records.evidence_operation[evidence_id],
            withdrawals=records.withdrawals_of(evidence_id),
        )

    def testimonies(
        self, contests: Sequence[ContestKey], *, source: str | None = None, limit: int | None = None
    ) -> dict[ContestKey, list[Testimony]]:
        return {contest: self._said(contest, source)[:limit] for contest in contests}

    def _said(self, contest: ContestKey, source: str | None) -> list[Testimony]:
        records = self._records
        said = (records.testimonies[claim] for claim in records.claims_by_slot.get(contest.slot_id, ()))
        return [
            self._testimony(one.claim.id)
            for one in said
            if contest.value_key in (None, one.claim.value.key) and source in (None, one.source.name)
        ]

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
        if wanted.values is not None:
            of = (records.beliefs_by_value.get(value, ()) for value in set(wanted.values))
            return [records.beliefs[one] for ids in of for one in ids]
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
        if wanted.labelled:
            yield (True,), lambda belief: (bool(belief.labels),)
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
        if kind is Vector:
            asked = None if targets is None else frozenset(targets)
            put = sorted(records.vectors.values(), key=lambda one: one.number)
            found = [one for one in put if one.number > after and (asked is None or one.document in asked)]
            yield from cast("list[E]", found)
        elif kind is Audit:
            ids = None if targets is None else frozenset(targets)
            newest = sorted(records.audits.values(), key=lambda one: -one.number)
            answers = [one for one in newest if not after or one.number < after]
            yield from cast("list[E]", [one for one in answers if ids is None or one.id in ids])
        elif kind is TextEntry:
            documents = records.texts if targets is None else records.texts.keys() & set(targets)
            entries = [TextEntry(one, records.texts[one]) for one in sorted(documents)]
            yield from cast("list[E]", entries)
        elif kind is Batch:
            yield from cast("Iterator[E]", records.batches(after))
        elif kind is Withdrawal:
            wanted = records.withdrawals if targets is None else set(targets)
            yield from cast("list[E]", sorted(records.withdrawals_of(*wanted), key=lambda one: one.id))
        elif kind is Decision:
            ordered = sorted(records.decisions, key=lambda one: (one.slot_id, one.value_key or ""))
            yield from cast("list[E]", [Decision(one, records.decisions[one]) for one in ordered])
        elif kind is Alias:
            asked = None if targets is None else frozenset(targets)
            given = [one for one in records.every_alias() if asked is None or one.key in asked]
            yield from cast("list[E]", given)
        elif kind is Guarded:
            yield from cast("Iterator[E]", records.guarded())
        elif kind is Slot:
            slots = _by_id(records.slots, None)
            about = None if targets is None else frozenset(targets)
            yield from cast("list[E]", [one for one in slots if about is None or one.subject.id in about])
        else:
            yield from cast("list[E]", [self._evidence(one) for one in sorted(records.evidence)])


def _contests(belief: Belief) -> tuple[ContestKey, ...]:
    """All that a belief may compete in."""
    return ContestKey(belief.slot.id), ContestKey(belief.slot.id, belief.value.key)


def _check(records: Records, batch: Batch) -> None:
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


def _dangling(records: Records) -> Iterator[str]:
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
