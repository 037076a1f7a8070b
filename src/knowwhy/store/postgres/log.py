"""The log of one space, open for one transaction: what is on record stays, what is new gets a number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

from knowwhy.core.model import (
    Alias,
    Belief,
    Claim,
    Entity,
    Evidence,
    Retraction,
    Slot,
    name_key,
    premises_of,
    retraction_id,
)
from knowwhy.core.timeline import Instant
from knowwhy.store.encoding import declared_text
from knowwhy.store.postgres import tables
from knowwhy.store.postgres.adapting import Row, escaped_json, short, whole
from knowwhy.store.postgres.known import Known
from knowwhy.store.postgres.rows import belief_row, claim_row, columns, evidence_row, slot_row
from knowwhy.store.postgres.session import Writing
from knowwhy.store.protocol import Batch, Speaker

Record = TypeVar("Record", Entity, Evidence, Slot, Claim)

_OWN: Final = False
_ALIAS: Final = True


class Log:
    """Queues the records of a batch for writing, under the operation that the space has come to."""

    def __init__(self, session: Writing, known: Known) -> None:
        self._session = session
        self._space = session.space
        self._known = known

    def add(self, batch: Batch) -> None:
        """Add all records of a batch but its views."""
        now = self._space.sequence
        declared = {
            (one.kind, short(one.key)): (now, whole(one.key), escaped_json(declared_text(one)))
            for one in batch.declarations
        }
        self._write(tables.ADD_DECLARATION, [(*key, *rest) for key, rest in declared.items()])
        slots = [*(one.slot for one in batch.claims), *(one.slot for one in batch.beliefs)]
        self._entities([*batch.entities, *(one.subject for one in slots)])
        self._slots(slots)
        self._aliases(batch.aliases)
        self._sources(batch.speakers(batch.evidence))
        self._evidence(batch)
        self._claims(batch.claims)
        decided = {
            (one.slot_id, short(one.value_key or "")): (now, whole(one.value_key or ""))
            for one in batch.decided
        }
        self._write(tables.ADD_DECISION, [(*key, *rest) for key, rest in decided.items()])
        self._retractions(batch.retractions)

    def settle(self, beliefs: Iterable[Belief], version: int | None = None) -> None:
        """Put beliefs in the place of those of the same ids, with this version or their own."""
        decided = {one.id: one for one in beliefs}
        slots = [one.slot for one in decided.values()]
        # There already, unless a view speaks of a slot that no claim names.
        self._entities([one.subject for one in slots])
        self._slots(slots)
        numbers = self._known.slots
        rows = [
            belief_row(numbers[one.slot.id], one, one.version if version is None else version)
            for one in decided.values()
        ]
        self._write(tables.PUT_BELIEF, rows)

    def _entities(self, entities: Iterable[Entity]) -> None:
        now = self._space.sequence
        added = self._added("entities", entities)
        self._write(
            tables.ADD_ENTITY,
            [
                (number, short(one.id), whole(one.id), one.name, one.type, now, str(one.access))
                for number, one in added
            ],
        )
        names = [Alias(name_key(one.name), one.id, one.name, access=one.access) for _, one in added]
        self._write(tables.ADD_NAME, [_name_row(one, now, is_alias=_OWN) for one in names])

    def _aliases(self, aliases: Iterable[Alias]) -> None:
        now = self._space.sequence
        self._write(tables.ADD_NAME, [_name_row(one, now, is_alias=_ALIAS) for one in aliases])

    def _slots(self, slots: Iterable[Slot]) -> None:
        subjects = self._known.entities
        added = self._added("slots", slots)
        rows = [slot_row(number, one, subjects[short(one.subject.id)]) for number, one in added]
        self._write(tables.ADD_SLOT, rows)

    def _sources(self, sources: Iterable[Speaker]) -> None:
        """A source is known by one standing, the first. Evidence that came with another keeps it."""
        rows = []
        for one in dict.fromkeys(sources):
            if one not in self._known.sources:
                self._space.sources += 1
                self._known.sources[one] = self._space.sources
                who, access = one
                row = (self._space.sources, short(who.name), who.type, who.authority, who.reliability)
                rows.append((*row, self._space.sequence, whole(who.name), str(access)))
        self._write(tables.ADD_SOURCE, rows)

    def _evidence(self, batch: Batch) -> None:
        space, sources = self._space, self._known.sources
        rows = [
            evidence_row(
                number,
                one,
                sources[one.source, one.access],
                # What is older than the batch was recorded elsewhere; all else is recorded now.
                one.recorded_at if one.recorded_at < batch.operation.at else Instant(space.at),
                space.sequence,
            )
            for number, one in self._added("evidence", batch.evidence)
        ]
        self._write(tables.ADD_EVIDENCE, rows)

    def _claims(self, claims: Iterable[Claim]) -> None:
        evidence, slots = self._known.evidence, self._known.slots
        added = self._added("claims", claims)
        rows = [
            claim_row(number, one, evidence[one.evidence_id], slots[one.slot.id], self._space.sequence)
            for number, one in added
        ]
        if rows:
            number = self._space.number
            self._session.later(tables.ADD_CLAIM, (number, *columns(rows), number))
        links = [
            (short(premise), slots[one.slot.id], short(one.value.key))
            for _, one in added
            for premise in premises_of(one)
        ]
        self._write(tables.ADD_LINK, links)

    def _retractions(self, retractions: Iterable[Retraction]) -> None:
        now, at = self._space.sequence, Instant(self._space.at)
        rows = [
            (short(one.target), one.id or retraction_id(one.target, at), now, one.reason, whole(one.target))
            for one in retractions
        ]
        self._write(tables.ADD_RETRACTION, rows)

    def _added(self, table: str, records: Iterable[Record]) -> list[tuple[int, Record]]:
        """Those of some records that are not on record yet, each once, with the numbers they get."""
        numbers: dict[str, int] = getattr(self._known, table)
        last: int = getattr(self._space, table)
        added: list[tuple[int, Record]] = []
        for one in records:
            # Only the ids of entities may be given by callers, and so be of any length.
            key = short(one.id) if table == "entities" else one.id
            if key not in numbers:
                last += 1
                numbers[key] = last
                added.append((last, one))
        setattr(self._space, table, last)
        return added

    def _write(self, sql: str, rows: Sequence[Row]) -> None:
        if rows:
            self._session.later(sql, (self._space.number, *columns(rows)))


def _name_row(one: Alias, operation: int, *, is_alias: bool) -> Row:
    target = short(one.target) if is_alias else None
    key, entity = short(one.key), short(one.entity_id)
    wholes = (whole(one.key), whole(one.entity_id))
    return (key, entity, is_alias, operation, one.name, target, *wholes, str(one.access))
