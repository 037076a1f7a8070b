"""Reading: one consistent state of a space."""
# ruff: noqa: S608 - statements are put together from parts of our own; whatever is given is bound

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final, cast

from knowwhy.core.model import Belief, Entity, Evidence, Operation, Slot, Source, Testimony
from knowwhy.core.revision import ContestKey
from knowwhy.store.encoding import declared_from
from knowwhy.store.protocol import BeliefFilter, D, Decision, E, Head, Hits, TextEntry
from knowwhy.store.sqlite import lookup, texts
from knowwhy.store.sqlite.rows import (
    BELIEF,
    EVIDENCE,
    OPERATION,
    SLOT,
    SOURCE,
    TESTIMONY,
    Reader,
    listed,
    operation_of,
    written,
)
from knowwhy.store.sqlite.search import Frequencies, search
from knowwhy.store.sqlite.session import Row, Session
from knowwhy.store.sqlite.spaces import Space

PAGE: Final = 1_000

_AMONG = "(SELECT value FROM json_each(?))"
_OPERATIONS = f"SELECT {OPERATION} FROM operations WHERE space = ?"
_DECLARED = (
    "SELECT d.key, d.body, max(d.operation), (SELECT p.at FROM operations AS p"
    " WHERE p.space = d.space AND p.sequence = d.operation) FROM declarations AS d"
    " WHERE d.space = ? AND d.kind = ?"
)
_SOURCES = "SELECT name, type, authority, reliability, min(number) FROM sources WHERE space = ?"
_ENTITIES = "SELECT id, name, type FROM entities WHERE space = ?"
_SUBJECT = " CROSS JOIN entities AS n ON n.space = s.space AND n.number = s.subject"
_GROUNDS = (
    " CROSS JOIN evidence AS e ON e.space = c.space AND e.number = c.evidence"
    " CROSS JOIN sources AS o ON o.space = e.space AND o.number = e.source"
)
_TESTIMONIES_OF_SLOTS = (
    f"SELECT {SLOT}, {SOURCE}, {TESTIMONY} FROM slots AS s{_SUBJECT}"
    f" CROSS JOIN claims AS c ON c.space = s.space AND c.slot = s.number{_GROUNDS}"
    f" WHERE s.space = ? AND s.id IN {_AMONG} ORDER BY c.number"
)
_TESTIMONIES_OF_VALUES = (
    f"SELECT {SLOT}, {SOURCE}, {TESTIMONY} FROM json_each(?) AS j"
    f" CROSS JOIN slots AS s ON s.space = ? AND s.id = j.value ->> 0{_SUBJECT}"
    " CROSS JOIN claims AS c ON c.space = s.space AND c.slot = s.number AND c.value_key = j.value ->> 1"
    f"{_GROUNDS} ORDER BY c.number"
)
_TESTIMONIES_OF_CLAIMS = (
    f"SELECT {SLOT}, {SOURCE}, {TESTIMONY} FROM claims AS c"
    f" CROSS JOIN slots AS s ON s.space = c.space AND s.number = c.slot{_SUBJECT}{_GROUNDS}"
    f" WHERE c.space = ? AND c.number IN (SELECT number FROM claims WHERE space = ? AND id IN {_AMONG}"
    " UNION ALL SELECT k.number FROM evidence AS g"
    " CROSS JOIN claims AS k ON k.space = g.space AND k.evidence = g.number"
    f" WHERE g.space = ? AND g.id IN {_AMONG}) ORDER BY c.id"
)
_NAMES = (
    "SELECT m.key, n.id, n.name, n.type FROM names AS m"
    " CROSS JOIN entities AS n ON n.space = m.space AND n.id = m.entity"
    f" WHERE m.space = ? AND m.key IN {_AMONG} AND (m.is_alias = 0"
    # An alias means none from its retraction on, until it is given again.
    " OR m.operation > (SELECT coalesce(max(r.operation), 0) FROM retractions AS r"
    " WHERE r.space = m.space AND r.target = m.target)) ORDER BY n.id"
)
_EVIDENCE = (
    f"SELECT {SOURCE}, {EVIDENCE} FROM evidence AS e"
    " CROSS JOIN sources AS o ON o.space = e.space AND o.number = e.source WHERE e.space = ?"
)
_BELIEFS_AFTER = (
    f"SELECT {SLOT}, {BELIEF} FROM beliefs AS b"
    f" CROSS JOIN slots AS s ON s.space = b.space AND s.number = b.slot{_SUBJECT}"
    " WHERE b.space = ? AND b.id > ? ORDER BY b.id LIMIT ?"
)
_SLOTS_AFTER = f"SELECT {SLOT} FROM slots AS s{_SUBJECT} WHERE s.space = ? AND s.id > ? ORDER BY s.id LIMIT ?"
_EVIDENCE_AFTER = f"{_EVIDENCE} AND e.id > ? ORDER BY e.id LIMIT ?"
_DECISIONS = "SELECT slot, value_key, operation FROM decisions WHERE space = ? ORDER BY slot, value_key"
_COUNTS = (
    "SELECT 'aliases', count(*) FROM"
    " (SELECT DISTINCT key, entity FROM names WHERE space = ?1 AND is_alias = 1)"
    " UNION ALL SELECT 'attributes', count(DISTINCT key) FROM declarations"
    " WHERE space = ?1 AND kind = 'attribute'"
    " UNION ALL SELECT 'sources', count(*) FROM (SELECT DISTINCT name, type FROM sources WHERE space = ?1)"
    " UNION ALL SELECT 'retractions', count(*) FROM retractions WHERE space = ?1"
    " UNION ALL SELECT 'beliefs', count(*) FROM beliefs WHERE space = ?1"
    " UNION ALL SELECT 'belief.' || status, count(*) FROM beliefs WHERE space = ?1 GROUP BY status"
)


@dataclass(frozen=True, slots=True)
class SqliteSnapshot:
    """One consistent state of a space, for as long as its read transaction lasts."""

    _session: Session
    _space: Space
    _known: Frequencies

    def head(self) -> Head:
        return self._space.head

    def operations(
        self,
        *,
        key: str | None = None,
        sequences: Sequence[int] | None = None,
        before: int | None = None,
        limit: int | None = None,
    ) -> list[Operation]:
        among = None if sequences is None else written(list(sequences))
        asked = ((" AND key = ?", key), (f" AND sequence IN {_AMONG}", among), (" AND sequence < ?", before))
        given = [(condition, value) for condition, value in asked if value is not None]
        sql = _OPERATIONS + "".join(condition for condition, _ in given)
        bindings = (self._number, *(value for _, value in given), -1 if limit is None else limit)
        rows = self._session.rows(f"{sql} ORDER BY sequence DESC LIMIT ?", bindings)
        return [operation_of(row) for row in rows]

    def declared(self, kind: type[D], keys: Sequence[str] | None = None) -> dict[str, D]:
        among = "" if keys is None else f" AND d.key IN {_AMONG}"
        asked = () if keys is None else (listed(keys),)
        sql = f"{_DECLARED}{among} GROUP BY d.key ORDER BY d.key"
        rows = self._session.rows(sql, (self._number, kind.kind, *asked))
        return {key: declared_from(kind, body, operation, at) for key, body, operation, at in rows}

    def sources(self, names: Sequence[str] | None = None) -> list[Source]:
        rows = self._among(_SOURCES, "name", names, " GROUP BY name, type ORDER BY name, type")
        return [Source(*row[:-1]) for row in rows]

    def names(self, keys: Sequence[str]) -> dict[str, list[Entity]]:
        found: dict[str, dict[str, Entity]] = {}
        for key, *entity in self._session.rows(_NAMES, (self._number, listed(keys))):
            found.setdefault(key, {}).setdefault(entity[0], Entity(*entity))
        return {key: list(entities.values()) for key, entities in found.items()}

    def entities(self, ids: Sequence[str] | None = None) -> list[Entity]:
        return [Entity(*row) for row in self._among(_ENTITIES, "id", ids, " ORDER BY id")]

    def evidence(
        self, *, ids: Sequence[str] | None = None, contents: Sequence[str] | None = None
    ) -> list[Evidence]:
        reader = Reader()
        rows: list[Row] = []
        if ids is not None or contents is None:
            rows += self._among(_EVIDENCE, "e.id", ids)
        if contents is not None:
            rows += self._among(_EVIDENCE, "e.content", contents)
        found = {one.id: one for one in map(reader.evidence, rows)}
        return sorted(found.values(), key=lambda one: (one.effective_at, one.id))

    def testimonies(self, contests: Sequence[ContestKey]) -> dict[ContestKey, list[Testimony]]:
        found: dict[ContestKey, list[Testimony]] = {contest: [] for contest in contests}
        reader = Reader()
        whole = [one.slot_id for one in found if one.value_key is None]
        if whole:
            for one in self._testimonies(reader, _TESTIMONIES_OF_SLOTS, (self._number, listed(whole))):
                found[ContestKey(one.claim.slot.id)].append(one)
        single = [(one.slot_id, one.value_key) for one in found if one.value_key is not None]
        if single:
            for one in self._testimonies(reader, _TESTIMONIES_OF_VALUES, (written(single), self._number)):
                found[ContestKey(one.claim.slot.id, one.claim.value.key)].append(one)
        return found

    def claims(self, targets: Sequence[str]) -> list[Testimony]:
        wanted = listed(targets)
        bindings = (self._number, self._number, wanted, self._number, wanted)
        return self._testimonies(Reader(), _TESTIMONIES_OF_CLAIMS, bindings)

    def _testimonies(self, reader: Reader, sql: str, bindings: Sequence[object]) -> list[Testimony]:
        found = list(map(reader.testimony, self._session.rows(sql, bindings)))
        withdrawals = {one.retraction for one in found if one.retraction is not None}
        if not withdrawals:
            return found
        at = {one.sequence: one.at for one in self.operations(sequences=sorted(withdrawals))}
        return [
            one if one.retraction is None else replace(one, retracted_at=at[one.retraction]) for one in found
        ]

    def beliefs(self, wanted: BeliefFilter) -> list[Belief]:
        reader = Reader()
        asked = list(lookup.queries(self._number, wanted))
        found = [list(map(reader.belief, self._session.rows(*query))) for query in asked]
        if len(found) == 1:
            return found[0]
        distinct = {one.id: one for one in chain.from_iterable(found)}
        return [distinct[one] for one in sorted(distinct)][: wanted.limit]

    def search(self, terms: Sequence[str], limit: int) -> Hits:
        return search(self._session, self._space, self._known, terms, limit)

    def counts(self) -> dict[str, int]:
        space = self._space
        kept = {
            "operations": space.sequence,
            "entities": space.entities,
            "evidence": space.evidence,
            "claims": space.claims,
            "documents": space.texts,
        }
        return kept | dict(self._session.rows(_COUNTS, (self._number,)))

    def views(self) -> Iterator[Belief | TextEntry]:
        last = ""
        while rows := self._session.rows(_BELIEFS_AFTER, (self._number, last, PAGE)):
            yield from map(Reader().belief, rows)
            last = rows[-1][7]
        yield from texts.entries(self._session, self._space)

    def every(self, kind: type[E]) -> Iterator[E]:
        if kind is Decision:
            found = self._session.rows(_DECISIONS, (self._number,))
            made = (Decision(ContestKey(slot, value or None), number) for slot, value, number in found)
            yield from cast("Iterator[E]", made)
            return
        sql, place = (_SLOTS_AFTER, 1) if kind is Slot else (_EVIDENCE_AFTER, 5)
        last = ""
        while rows := self._session.rows(sql, (self._number, last, PAGE)):
            read = Reader().slot if kind is Slot else Reader().evidence
            yield from cast("Iterator[E]", map(read, rows))
            last = rows[-1][place]

    def _among(self, sql: str, column: str, values: Sequence[str] | None, rest: str = "") -> list[Row]:
        """The rows of this space, where values are given those with one of them in a column."""
        if values is None:
            return self._session.rows(sql + rest, (self._number,))
        return self._session.rows(f"{sql} AND {column} IN {_AMONG}{rest}", (self._number, listed(values)))

    @property
    def _number(self) -> int:
        return self._space.number
