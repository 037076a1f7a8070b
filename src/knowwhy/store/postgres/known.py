"""What is on record already of all that a batch names: looked up in one exchange with the server."""
# ruff: noqa: S608 - statements are put together from parts of our own; whatever is given is bound

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from knowwhy.core.model import Source, access_from
from knowwhy.core.revision import ContestKey
from knowwhy.store.postgres import texts
from knowwhy.store.postgres.adapting import Row, short
from knowwhy.store.postgres.lookup import pairs
from knowwhy.store.postgres.session import Asked, Writing
from knowwhy.store.protocol import Batch, Speaker

_IS_USED: Final = "SELECT 1 FROM operations WHERE space = %s AND key = %s"
_SPOKEN: Final = (
    "SELECT j.slot, j.value_key FROM unnest(%s::text[], %s::text[]) AS j(slot, value_key)"
    " JOIN slots AS s ON s.space = %s AND s.id = j.slot"
    " WHERE EXISTS (SELECT 1 FROM claims AS c WHERE c.space = s.space AND c.slot = s.number"
    " AND c.value_key = j.value_key)"
)
_SLOT_VERSIONS: Final = (
    "SELECT s.id, NULL, max(b.version) FROM slots AS s"
    " JOIN beliefs AS b ON b.space = s.space AND b.slot = s.number"
    " WHERE s.space = %s AND s.id = ANY(%s::text[]) GROUP BY s.id"
)
_VALUE_VERSIONS: Final = (
    "SELECT j.slot, j.value_key, max(b.version) FROM unnest(%s::text[], %s::text[]) AS j(slot, value_key)"
    " JOIN slots AS s ON s.space = %s AND s.id = j.slot"
    " JOIN beliefs AS b ON b.space = s.space AND b.slot = s.number AND b.value_key = j.value_key"
    " GROUP BY j.slot, j.value_key"
)
_SOURCES: Final = (
    "SELECT coalesce(name_whole, name), type, authority, reliability, access, number FROM sources"
    " WHERE space = %s AND name = ANY(%s::text[])"
)
_NUMBERS: Final = {
    table: f"SELECT id, number FROM {table} WHERE space = %s AND id = ANY(%s::text[])"
    for table in ("entities", "evidence", "slots", "claims")
}

_Take: TypeAlias = Callable[[list[Row]], None]


@dataclass(slots=True)
class Known:
    """The numbers of records by their ids (as keys), and what else a commit must know before it writes.

    `spoken` are the slots and values that some claim speaks of, those of the batch included;
    `documents` the rows of the documents that its texts are of.
    """

    entities: dict[str, int] = field(default_factory=dict)
    evidence: dict[str, int] = field(default_factory=dict)
    slots: dict[str, int] = field(default_factory=dict)
    claims: dict[str, int] = field(default_factory=dict)
    sources: dict[Speaker, int] = field(default_factory=dict)
    versions: dict[ContestKey, int] = field(default_factory=dict)
    spoken: set[tuple[str, str]] = field(default_factory=set)
    documents: list[Row] = field(default_factory=list)
    is_key_used: bool = False


def known_to(session: Writing, batch: Batch) -> Known:
    """What is on record of all that a batch names."""
    known = Known(versions=dict.fromkeys(batch.expected, 0))
    known.spoken = {(one.slot.id, one.value.key) for one in batch.claims}
    wanted = [*_numbers(session, batch, known), *_versions(session, known), *_others(session, batch, known)]
    for (_, take), rows in zip(wanted, session.together([asked for asked, _ in wanted]), strict=True):
        take(rows)
    return known


def _numbers(session: Writing, batch: Batch, known: Known) -> Iterable[tuple[Asked, _Take]]:
    space = session.space.number
    slots = {one.slot.id: one.slot for one in batch.claims}
    slots |= {one.slot.id: one.slot for one in batch.beliefs}
    subjects = (one.subject for one in slots.values())
    ids = {
        "entities": {short(one.id) for one in (*batch.entities, *subjects)},
        "evidence": {*(one.id for one in batch.evidence), *(one.evidence_id for one in batch.claims)},
        "slots": set(slots),
        "claims": {one.id for one in batch.claims},
    }
    for table, asked in ids.items():
        if asked:
            yield (_NUMBERS[table], (space, sorted(asked))), getattr(known, table).update


def _versions(session: Writing, known: Known) -> Iterable[tuple[Asked, _Take]]:
    space = session.space.number
    whole = [one.slot_id for one in known.versions if one.value_key is None]
    single = [one for one in known.versions if one.value_key is not None]
    meant = dict(zip(zip(*pairs(single), strict=True), single, strict=True))

    def take(rows: Sequence[Row]) -> None:
        for slot, value_key, version in rows:
            contest = ContestKey(slot) if value_key is None else meant[slot, value_key]
            known.versions[contest] = version

    if whole:
        yield (_SLOT_VERSIONS, (space, whole)), take
    if single:
        yield (_VALUE_VERSIONS, (*pairs(single), space)), take


def _others(session: Writing, batch: Batch, known: Known) -> Iterable[tuple[Asked, _Take]]:
    space = session.space
    names = {short(one.name) for one in (*batch.sources, *(one.source for one in batch.evidence))}
    unspoken = {(one.slot.id, one.value.key) for one in batch.beliefs} - known.spoken

    def take_sources(rows: Sequence[Row]) -> None:
        known.sources = {(Source(*row[:4]), access_from(row[4])): row[5] for row in rows}

    def take_key(rows: Sequence[Row]) -> None:
        known.is_key_used = bool(rows)

    def take_spoken(rows: Sequence[Row]) -> None:
        there = set(rows)
        known.spoken |= {(slot, value) for slot, value in unspoken if (slot, short(value)) in there}

    if names:
        yield (_SOURCES, (space.number, sorted(names))), take_sources
    if batch.operation.key is not None:
        yield (_IS_USED, (space.number, short(batch.operation.key))), take_key
    if unspoken:
        slots, values = pairs([ContestKey(*one) for one in sorted(unspoken)])
        yield (_SPOKEN, (slots, values, space.number)), take_spoken
    if batch.texts:
        yield texts.asked_of(space, [one.document for one in batch.texts]), known.documents.extend
