"""Writing: one batch into the tables, within the transaction that the store holds open."""
# ruff: noqa: S608 - statements are put together from parts of our own; whatever is given is bound

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final, TypeVar

from knowwhy.core.model import (
    Belief,
    Claim,
    Entity,
    Evidence,
    Operation,
    Slot,
    Source,
    access_from,
    name_key,
    premises_of,
    retraction_id,
)
from knowwhy.core.revision import ContestKey
from knowwhy.core.timeline import Instant
from knowwhy.errors import Fault
from knowwhy.store.encoding import declared_text
from knowwhy.store.protocol import Audit, Batch, Speaker, StaleRead, TextEntry, Vector, View
from knowwhy.store.sqlite import audits, texts, vectors
from knowwhy.store.sqlite.rows import (
    BELIEF_COLUMNS,
    belief_row,
    claim_row,
    evidence_row,
    listed,
    operation_row,
    slot_row,
    written,
)
from knowwhy.store.sqlite.session import Row, Session
from knowwhy.store.sqlite.spaces import Space, keep, space_founded

CHUNK: Final = 1_000

_AMONG: Final = "(SELECT value FROM json_each(?))"
_IS_USED: Final = "SELECT 1 FROM operations WHERE space = ? AND key = ?"
_SPOKEN: Final = (
    "SELECT s.id, j.value ->> 1 FROM json_each(?) AS j"
    " CROSS JOIN slots AS s ON s.space = ? AND s.id = j.value ->> 0"
    " WHERE EXISTS (SELECT 1 FROM claims AS c WHERE c.space = s.space AND c.slot = s.number"
    " AND c.value_key = j.value ->> 1)"
)
_SLOT_VERSIONS: Final = (
    "SELECT s.id, NULL, max(b.version) FROM slots AS s"
    " CROSS JOIN beliefs AS b ON b.space = s.space AND b.slot = s.number"
    f" WHERE s.space = ? AND s.id IN {_AMONG} GROUP BY s.number"
)
_VALUE_VERSIONS: Final = (
    "SELECT s.id, b.value_key, max(b.version) FROM json_each(?) AS j"
    " CROSS JOIN slots AS s ON s.space = ? AND s.id = j.value ->> 0"
    " CROSS JOIN beliefs AS b ON b.space = s.space AND b.slot = s.number AND b.value_key = j.value ->> 1"
    " GROUP BY s.number, b.value_key"
)
_KNOWN_SOURCES: Final = (
    "SELECT name, type, authority, reliability, access, number FROM sources"
    f" WHERE space = ? AND name IN {_AMONG}"
)


def _insertion(table: str, columns: int, otherwise: str = "") -> str:
    return f"INSERT{otherwise} INTO {table} VALUES ({', '.join('?' * columns)})"


_ADD_OPERATION: Final = _insertion("operations", 12)
_ADD_DECLARATION: Final = _insertion("declarations", 5, " OR REPLACE")
_ADD_ENTITY: Final = _insertion("entities", 7)
_ADD_NAME: Final = _insertion("names", 8, " OR IGNORE")
_ADD_SOURCE: Final = _insertion("sources", 8)
_ADD_EVIDENCE: Final = _insertion("evidence", 16)
_ADD_SLOT: Final = _insertion("slots", 6)
_ADD_CLAIM: Final = (
    "INSERT INTO claims VALUES (?1, ?2, ?3, ?4,"
    " (SELECT source FROM evidence WHERE space = ?1 AND number = ?4),"
    f" {', '.join(f'?{place}' for place in range(5, 21))})"
)
_ADD_LINK: Final = _insertion("links", 4, " OR IGNORE")
_ADD_DECISION: Final = _insertion("decisions", 4, " OR REPLACE")
_ADD_RETRACTION: Final = _insertion("retractions", 5, " OR IGNORE")
# In place, so that indexes over what a belief's id determines, its slot and value, are not written again.
_BELIEFS: Final = f"beliefs ({', '.join(BELIEF_COLUMNS)})"
_CHANGING: Final = [one for one in BELIEF_COLUMNS if one not in {"space", "slot", "id", "value_key"}]
_PUT_BELIEF: Final = (
    f"{_insertion(_BELIEFS, len(BELIEF_COLUMNS))} ON CONFLICT (space, id)"
    f" DO UPDATE SET {', '.join(f'{one} = excluded.{one}' for one in _CHANGING)}"
)

Record = TypeVar("Record", Entity, Evidence, Slot)


def record(session: Session, name: str, batch: Batch) -> Operation:
    """Add a batch to a space as its next operation.

    Raises:
        StaleRead: it was decided on something that has moved since.
        Fault: it refers to evidence that is not there, or holds a belief that no claim speaks of.
    """
    space = space_founded(session, name)
    _check(session, space, batch)
    operation = _numbered(space, batch.operation)
    session.run(_ADD_OPERATION, operation_row(space.number, operation))
    space.sequence, space.at = operation.sequence, operation.at
    if any(one.is_schema for one in batch.declarations):
        space.schema = operation.sequence
    if any(map(premises_of, batch.claims)):
        space.links = operation.sequence
    if batch.guards:
        space.guards = operation.sequence
    log = _Log(session, space)
    log.add(batch)
    log.settle(batch.beliefs, operation.sequence)
    texts.put(session, space, batch.texts)
    keep(session, space)
    return operation


def replace_views(session: Session, name: str, rows: Iterable[View], *, is_whole: bool) -> None:
    """Put `rows` in the place of all views of a space, or of those that they replace."""
    space = space_founded(session, name)
    if is_whole:
        session.run("DELETE FROM beliefs WHERE space = ?", (space.number,))
        texts.forget(session, space)
    log, remaining = _Log(session, space), iter(rows)
    while chunk := list(islice(remaining, CHUNK)):
        log.settle([one for one in chunk if isinstance(one, Belief)])
        texts.put(session, space, [one for one in chunk if isinstance(one, TextEntry)])
        vectors.put(session, space, [one for one in chunk if isinstance(one, Vector)])
        audits.put(session, space, [one for one in chunk if isinstance(one, Audit)])
    keep(session, space)


def _numbered(space: Space, proposed: Operation) -> Operation:
    at = max(proposed.at, space.at + 1) if space.sequence else proposed.at
    return replace(proposed, sequence=space.sequence + 1, at=Instant(at))


def _check(session: Session, space: Space, batch: Batch) -> None:
    """Refuse a batch that was decided on something that has moved since."""
    versions = _versions(session, space, batch.expected)
    is_stale = (
        versions != dict(batch.expected)
        or (_rests_on_schema(batch) and batch.schema != space.schema)
        or batch.links not in (None, space.links)
        or (batch.operation.key is not None and session.row(_IS_USED, (space.number, batch.operation.key)))
        or _numbers(session, space, "evidence", [one.id for one in batch.evidence])
        or _numbers(session, space, "claims", [one.id for one in batch.claims])
    )
    if is_stale:
        raise StaleRead(versions)
    _check_grounds(session, space, batch)


def _rests_on_schema(batch: Batch) -> bool:
    return bool(batch.beliefs) or any(one.is_schema for one in batch.declarations)


def _check_grounds(session: Session, space: Space, batch: Batch) -> None:
    """Refuse a belief that rests on nothing: a claim must speak of it, of this batch or of an earlier one."""
    spoken = {(claim.slot.id, claim.value.key) for claim in batch.claims}
    named = {(one.slot.id, one.value.key): one.id for one in batch.beliefs}
    unspoken = sorted(named.keys() - spoken)
    earlier = set(session.rows(_SPOKEN, (written(unspoken), space.number))) if unspoken else set()
    for key in unspoken:
        if key not in earlier:
            raise Fault(f"Belief {named[key]} has no claim to rest on.")


def _versions(session: Session, space: Space, contests: Iterable[ContestKey]) -> dict[ContestKey, int]:
    """The present version of each contest, 0 where it has no belief."""
    present = dict.fromkeys(contests, 0)
    whole = [one.slot_id for one in present if one.value_key is None]
    single = [(one.slot_id, one.value_key) for one in present if one.value_key is not None]
    rows: list[Row] = []
    if whole:
        rows += session.rows(_SLOT_VERSIONS, (space.number, listed(whole)))
    if single:
        rows += session.rows(_VALUE_VERSIONS, (written(single), space.number))
    present.update((ContestKey(slot, value), version) for slot, value, version in rows)
    return present


def _numbers(session: Session, space: Space, table: str, ids: Sequence[str]) -> dict[str, int]:
    """The numbers of those of `ids` that are on record."""
    if not ids:
        return {}
    sql = f"SELECT id, number FROM {table} WHERE space = ? AND id IN {_AMONG}"
    return dict(session.rows(sql, (space.number, listed(ids))))


class _Log:
    """The tables of one space, open for one transaction. Rows that are there stay as they are."""

    def __init__(self, session: Session, space: Space) -> None:
        self._session = session
        self._space = space

    def add(self, batch: Batch) -> None:
        """Add all records of a batch, under the operation that the space has come to."""
        space, now = self._space.number, self._space.sequence
        declared = [(space, one.kind, one.key, now, declared_text(one)) for one in batch.declarations]
        self._session.run_each(_ADD_DECLARATION, declared)
        self.entities(batch.entities)
        aliases = [
            (space, one.key, one.entity_id, True, now, one.name, one.target, str(one.access))
            for one in batch.aliases
        ]
        self._session.run_each(_ADD_NAME, aliases)
        self.claims(batch.claims, self.evidence(batch))
        decided = [(space, one.slot_id, one.value_key or "", now) for one in batch.decided]
        self._session.run_each(_ADD_DECISION, decided)
        at = Instant(self._space.at)
        withdrawn = [
            (space, one.target, one.id or retraction_id(one.target, at), now, one.reason)
            for one in batch.retractions
        ]
        self._session.run_each(_ADD_RETRACTION, withdrawn)

    def settle(self, beliefs: Iterable[Belief], version: int | None = None) -> None:
        """Put beliefs in the place of those of the same ids, with this version or their own."""
        decided = list(beliefs)
        if decided:
            slots = self.slots([one.slot for one in decided])
            rows = [
                belief_row(
                    self._space.number, slots[one.slot.id], one, one.version if version is None else version
                )
                for one in decided
            ]
            self._session.run_each(_PUT_BELIEF, rows)

    def entities(self, entities: Iterable[Entity]) -> dict[str, int]:
        """The numbers of entities, by their ids, after adding those that are new."""
        numbers, added = self._known("entities", entities)
        space, now = self._space.number, self._space.sequence
        rows = [(space, numbers[one.id], one.id, one.name, one.type, now, str(one.access)) for one in added]
        names = [
            (space, name_key(one.name), one.id, False, now, one.name, None, str(one.access)) for one in added
        ]
        self._session.run_each(_ADD_ENTITY, rows)
        self._session.run_each(_ADD_NAME, names)
        return numbers

    def slots(self, slots: Iterable[Slot]) -> dict[str, int]:
        """The numbers of slots, by their ids, after adding those that are new."""
        numbers, added = self._known("slots", slots)
        if added:
            subjects = self.entities([one.subject for one in added])
            space = self._space.number
            rows = [slot_row(space, numbers[one.id], one, subjects[one.subject.id]) for one in added]
            self._session.run_each(_ADD_SLOT, rows)
        return numbers

    def sources(self, sources: Iterable[Speaker]) -> dict[Speaker, int]:
        """The numbers of sources with the access of their words, after adding those that are new.

        A source is known by one standing, the first. Evidence that came with another keeps it: it
        speaks as it did then, wherever it is read.
        """
        asked = dict.fromkeys(sources)
        if not asked:
            return {}
        space, now = self._space.number, self._space.sequence
        rows = self._session.rows(_KNOWN_SOURCES, (space, listed({one.name for one, _ in asked})))
        numbers = {(Source(*row[:4]), access_from(row[4])): row[5] for row in rows}
        added = []
        for one in asked:
            if one not in numbers:
                self._space.sources += 1
                numbers[one] = self._space.sources
                who, access = one
                standing = (who.name, who.type, who.authority, who.reliability)
                added.append((space, numbers[one], *standing, now, str(access)))
        self._session.run_each(_ADD_SOURCE, added)
        return numbers

    def evidence(self, batch: Batch) -> dict[str, int]:
        """The numbers of the evidence that a batch brings or refers to, after adding what it brings."""
        space, now = self._space, self._space.sequence
        numbers, added = self._known("evidence", batch.evidence)
        sources = self.sources(batch.speakers(added))
        rows = [
            evidence_row(
                space.number,
                numbers[one.id],
                one,
                sources[one.source, one.access],
                # What is older than the batch was recorded elsewhere; all else is recorded now.
                one.recorded_at if one.recorded_at < batch.operation.at else Instant(space.at),
                now,
            )
            for one in added
        ]
        self._session.run_each(_ADD_EVIDENCE, rows)
        others = {one.evidence_id for one in batch.claims} - numbers.keys()
        return numbers | _numbers(self._session, space, "evidence", list(others))

    def claims(self, claims: Sequence[Claim], evidence: Mapping[str, int]) -> None:
        """Add claims, whose evidence must be there."""
        for one in claims:
            if one.evidence_id not in evidence:
                raise Fault(f"Claim {one.id} rests on evidence {one.evidence_id}, which is not on record.")
        space = self._space
        slots = self.slots(one.slot for one in claims)
        distinct = {one.id: one for one in claims}
        rows = [
            claim_row(
                space.number, number, one, evidence[one.evidence_id], slots[one.slot.id], space.sequence
            )
            for number, one in enumerate(distinct.values(), space.claims + 1)
        ]
        space.claims += len(rows)
        self._session.run_each(_ADD_CLAIM, rows)
        links = [
            (space.number, premise, slots[one.slot.id], one.value.key)
            for one in distinct.values()
            for premise in premises_of(one)
        ]
        self._session.run_each(_ADD_LINK, links)

    def _known(self, table: str, records: Iterable[Record]) -> tuple[dict[str, int], list[Record]]:
        """The number of each record by its id, and those of them that are new, each once."""
        asked: dict[str, Record] = {}
        for one in records:
            asked.setdefault(one.id, one)
        numbers = _numbers(self._session, self._space, table, list(asked))
        added = [one for own_id, one in asked.items() if own_id not in numbers]
        last: int = getattr(self._space, table)
        numbers.update((one.id, number) for number, one in enumerate(added, last + 1))
        setattr(self._space, table, last + len(added))
        return numbers, added
