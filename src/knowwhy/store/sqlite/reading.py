"""Reading: one consistent state of a space."""
# ruff: noqa: S608 - statements are put together from parts of our own; whatever is given is bound

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Final, cast

from knowwhy.core.model import (
    Alias,
    Belief,
    Entity,
    Evidence,
    Operation,
    Slot,
    Source,
    Testimony,
    Withdrawal,
    access_from,
)
from knowwhy.core.revision import ContestKey
from knowwhy.store.encoding import declared_from
from knowwhy.store.protocol import (
    Audit,
    Batch,
    BeliefFilter,
    D,
    Decision,
    E,
    Guarded,
    Head,
    Hits,
    TextEntry,
    Vector,
)
from knowwhy.store.sqlite import audits, lookup, texts, vectors
from knowwhy.store.sqlite.replaying import batches
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
from knowwhy.store.sqlite.spaces import Space, space_named

PAGE: Final = 1_000
# How many beliefs a snapshot keeps decoded.
_MOST_DECODED: Final = 5_000

# Where what few may read is kept: its kind, its table, and the column of its id.
_GUARDED_IN: Final = (
    ("entity", "entities", "id"),
    ("evidence", "evidence", "id"),
    ("operation", "operations", "sequence"),
)

_AMONG = "(SELECT value FROM json_each(?))"
_OPERATIONS = f"SELECT {OPERATION} FROM operations WHERE space = ?"
_DECLARED = (
    "SELECT d.key, d.body, max(d.operation), (SELECT p.at FROM operations AS p"
    " WHERE p.space = d.space AND p.sequence = d.operation) FROM declarations AS d"
    " WHERE d.space = ?1 AND d.kind = ?2 AND (?3 IS NULL OR d.operation <= ?3)"
)
# Of keys that are named, the latest is sought in the index: a key may have been declared many times.
_DECLARED_AMONG = (
    "SELECT d.key, d.body, d.operation, (SELECT p.at FROM operations AS p"
    " WHERE p.space = d.space AND p.sequence = d.operation) FROM json_each(?4) AS k"
    " CROSS JOIN declarations AS d ON d.space = ?1 AND d.kind = ?2 AND d.key = k.value"
    " AND d.operation = (SELECT max(o.operation) FROM declarations AS o WHERE o.space = ?1 AND o.kind = ?2"
    " AND o.key = k.value AND o.operation <= coalesce(?3, 9223372036854775807))"
    " GROUP BY d.key ORDER BY d.key"
)
_SOURCES = (
    "SELECT name, type, authority, reliability, min(number) FROM sources WHERE space = ?1"
    " AND (?2 IS NULL OR operation <= ?2)"
)
_STANDINGS = (
    "SELECT name, type, authority, reliability, access FROM sources WHERE space = ?1"
    " AND (?2 IS NULL OR operation <= ?2)"
)
_ENTITIES = "SELECT id, name, type, access FROM entities WHERE space = ?"
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
_OF_SOURCE = (
    f"SELECT {SLOT}, {SOURCE}, {TESTIMONY} FROM slots AS s{_SUBJECT}"
    f" CROSS JOIN claims AS c ON c.space = s.space AND c.slot = s.number{_GROUNDS}"
    " WHERE s.space = ?1 AND s.id = ?2 AND c.source IN"
    " (SELECT number FROM sources WHERE space = ?1 AND name = ?3)"
)
_TESTIMONIES_OF_CLAIMS = (
    f"SELECT {SLOT}, {SOURCE}, {TESTIMONY} FROM claims AS c"
    f" CROSS JOIN slots AS s ON s.space = c.space AND s.number = c.slot{_SUBJECT}{_GROUNDS}"
    f" WHERE c.space = ? AND c.number IN (SELECT number FROM claims WHERE space = ? AND id IN {_AMONG}"
    " UNION ALL SELECT k.number FROM evidence AS g"
    " CROSS JOIN claims AS k ON k.space = g.space AND k.evidence = g.number"
    f" WHERE g.space = ? AND g.id IN {_AMONG}) ORDER BY c.id"
)
# An alias means none from its retraction on, until that is lifted or the alias given again.
_LAST_WITHDRAWN = (
    "(SELECT coalesce(max(r.operation), 0) FROM retractions AS r"
    " WHERE r.space = m.space AND r.target = m.target AND (?3 IS NULL OR r.operation <= ?3)"
    " AND NOT EXISTS (SELECT 1 FROM retractions AS l WHERE l.space = r.space AND l.target = r.id"
    " AND (?3 IS NULL OR l.operation <= ?3)))"
)
_NAMES = (
    "SELECT m.key, n.id, n.name, n.type, n.access FROM names AS m"
    " CROSS JOIN entities AS n ON n.space = m.space AND n.id = m.entity"
    " WHERE m.space = ?1 AND m.key IN (SELECT value FROM json_each(?2))"
    " AND (?3 IS NULL OR m.operation <= ?3)"
    f" AND (m.is_alias = 0 OR m.operation > {_LAST_WITHDRAWN}) ORDER BY n.id"
)
_EVIDENCE = (
    f"SELECT {SOURCE}, {EVIDENCE} FROM evidence AS e"
    " CROSS JOIN sources AS o ON o.space = e.space AND o.number = e.source WHERE e.space = ?"
)
_NEXT_TO = (
    "SELECT {0} FROM json_each(?2) AS j CROSS JOIN evidence AS n ON n.space = ?1 AND n.number ="
    " (SELECT k.number FROM evidence AS k WHERE k.space = ?1 AND k.context = j.value ->> 0"
    " AND (k.effective_at, k.id) {1} (j.value ->> 1, j.value ->> 2)"
    " AND (?3 IS NULL OR k.operation <= ?3) ORDER BY k.effective_at {2}, k.id {2} LIMIT 1)"
)
_BESIDE = f"{_NEXT_TO.format('n.number', '<', 'DESC')} UNION {_NEXT_TO.format('n.number', '>', 'ASC')}"
_EVIDENCE_BESIDE = (
    f"SELECT {SOURCE}, {EVIDENCE} FROM evidence AS e"
    " CROSS JOIN sources AS o ON o.space = e.space AND o.number = e.source"
    f" WHERE e.space = ?1 AND e.number IN ({_BESIDE})"
)
_BELIEFS_AFTER = (
    f"SELECT {SLOT}, {BELIEF} FROM beliefs AS b"
    f" CROSS JOIN slots AS s ON s.space = b.space AND s.number = b.slot{_SUBJECT}"
    " WHERE b.space = ? AND b.id > ? ORDER BY b.id LIMIT ?"
)
_SLOTS_AFTER = f"SELECT {SLOT} FROM slots AS s{_SUBJECT} WHERE s.space = ? AND s.id > ? ORDER BY s.id LIMIT ?"
_SLOTS_OF = (
    f"SELECT {SLOT} FROM slots AS s{_SUBJECT} WHERE s.space = ? AND s.subject IN"
    f" (SELECT i.number FROM entities AS i WHERE i.space = ? AND i.id IN {_AMONG}) ORDER BY s.id"
)
_EVIDENCE_AFTER = f"{_EVIDENCE} AND e.id > ? ORDER BY e.id LIMIT ?"
_ALIASES = (
    "SELECT m.key, m.entity, m.name, m.operation, m.access FROM names AS m"
    " WHERE m.space = ?1 AND m.is_alias = 1"
    "{0}"
    " AND m.operation = (SELECT max(o.operation) FROM names AS o WHERE o.space = m.space"
    " AND o.key = m.key AND o.entity = m.entity AND o.is_alias = 1 AND o.access = m.access)"
    f" AND m.operation > {_LAST_WITHDRAWN} ORDER BY m.key, m.entity, m.access"
)
_GUARDED = "SELECT {0}, access FROM {1} WHERE space = ? AND substr(access, 1, 1) IN ('[', 'f') ORDER BY {0}"
_WITHDRAWALS = (
    "SELECT w.id, w.target, w.operation, p.at, w.lifted, q.at, w.reason FROM (SELECT r.*,"
    " (SELECT min(l.operation) FROM retractions AS l WHERE l.space = r.space AND l.target = r.id) AS lifted"
    " FROM retractions AS r WHERE r.space = ?1"
    " AND (?2 IS NULL OR r.target IN (SELECT value FROM json_each(?2)))) AS w"
    " CROSS JOIN operations AS p ON p.space = w.space AND p.sequence = w.operation"
    " LEFT JOIN operations AS q ON q.space = w.space AND q.sequence = w.lifted"
)
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
    # What was decoded once need not be again: recall reads most beliefs twice, alone and in their contests.
    _decoded: dict[str, Belief] = field(default_factory=dict, repr=False, compare=False)

    def beside(self, space: str) -> SqliteSnapshot:
        """Another space, as of the same moment."""
        return SqliteSnapshot(self._session, space_named(self._session, space), self._known)

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

    def declared(
        self, kind: type[D], keys: Sequence[str] | None = None, *, until: int | None = None
    ) -> dict[str, D]:
        asked = () if keys is None else (listed(keys),)
        sql = f"{_DECLARED} GROUP BY d.key ORDER BY d.key" if keys is None else _DECLARED_AMONG
        rows = self._session.rows(sql, (self._number, kind.kind, until, *asked))
        return {key: declared_from(kind, body, operation, at) for key, body, operation, at in rows}

    def sources(
        self, names: Sequence[str] | None = None, *, until: int | None = None, is_whole: bool = False
    ) -> list[Source]:
        among = "" if names is None else f" AND name IN {_AMONG}"
        asked = () if names is None else (listed(names),)
        if is_whole:
            rows = self._session.rows(f"{_STANDINGS}{among} ORDER BY number", (self._number, until, *asked))
            return [replace(Source(*row[:-1]), access=access_from(row[-1])) for row in rows]
        sql = f"{_SOURCES}{among} GROUP BY name, type ORDER BY name, type"
        rows = self._session.rows(sql, (self._number, until, *asked))
        return [Source(*row[:-1]) for row in rows]

    def names(self, keys: Sequence[str], *, until: int | None = None) -> dict[str, list[Entity]]:
        found: dict[str, dict[str, Entity]] = {}
        for key, *entity in self._session.rows(_NAMES, (self._number, listed(keys), until)):
            found.setdefault(key, {}).setdefault(entity[0], _entity(entity))
        return {key: list(entities.values()) for key, entities in found.items()}

    def entities(self, ids: Sequence[str] | None = None) -> list[Entity]:
        return [_entity(row) for row in self._among(_ENTITIES, "id", ids, " ORDER BY id")]

    def evidence(
        self,
        *,
        ids: Sequence[str] | None = None,
        contents: Sequence[str] | None = None,
        beside: Sequence[Evidence] | None = None,
        until: int | None = None,
    ) -> list[Evidence]:
        reader = Reader()
        rows: list[Row] = []
        if ids is not None or (contents is None and beside is None):
            rows += self._among(_EVIDENCE, "e.id", ids)
        if contents is not None:
            rows += self._among(_EVIDENCE, "e.content", contents)
        if beside is not None:
            placed = written([(one.context, one.effective_at, one.id) for one in beside])
            rows += self._session.rows(_EVIDENCE_BESIDE, (self._number, placed, until))
        found = {one.id: one for one in self._evidence(reader, rows)}
        return sorted(found.values(), key=lambda one: (one.effective_at, one.id))

    def _evidence(self, reader: Reader, rows: Sequence[Row]) -> list[Evidence]:
        read = [(reader.evidence(row), row[-1]) for row in rows]
        known = self._withdrawals([one.id for one, is_withdrawn in read if is_withdrawn])
        return [replace(one, withdrawals=known[one.id]) if one.id in known else one for one, _ in read]

    def testimonies(
        self, contests: Sequence[ContestKey], *, source: str | None = None, limit: int | None = None
    ) -> dict[ContestKey, list[Testimony]]:
        if source is not None:
            return {one: self._said_by(source, one, limit) for one in contests}
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

    def _said_by(self, source: str, contest: ContestKey, limit: int | None) -> list[Testimony]:
        of_value = "" if contest.value_key is None else " AND c.value_key = ?4"
        value = () if contest.value_key is None else (contest.value_key,)
        bindings = (self._number, contest.slot_id, source, *value, -1 if limit is None else limit)
        return self._testimonies(Reader(), f"{_OF_SOURCE}{of_value} ORDER BY c.number LIMIT ?", bindings)

    def _testimonies(self, reader: Reader, sql: str, bindings: Sequence[object]) -> list[Testimony]:
        read = [(reader.testimony(row), row[-1]) for row in self._session.rows(sql, bindings)]
        gone = [one.claim for one, is_withdrawn in read if is_withdrawn]
        known = self._withdrawals([target for one in gone for target in (one.id, one.evidence_id)])
        if not known:
            return [one for one, _ in read]
        return [
            replace(one, withdrawals=_in_order(known, one.claim.id, one.claim.evidence_id))
            if is_withdrawn
            else one
            for one, is_withdrawn in read
        ]

    def _withdrawals(self, targets: Sequence[str]) -> dict[str, tuple[Withdrawal, ...]]:
        """The withdrawals of records, by what they withdraw."""
        if not targets:
            return {}
        found: dict[str, list[Withdrawal]] = {}
        for row in self._session.rows(_WITHDRAWALS, (self._number, listed(targets))):
            one = Withdrawal(*row)
            found.setdefault(one.target, []).append(one)
        return {target: _in_order({target: those}, target) for target, those in found.items()}

    def beliefs(self, wanted: BeliefFilter) -> list[Belief]:
        if len(self._decoded) > _MOST_DECODED:
            self._decoded.clear()
        reader = Reader(self._decoded)
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
            "entities": space.entities - space.dropped_entities,
            "evidence": space.evidence - space.dropped_evidence,
            "claims": space.claims - space.dropped_claims,
            "documents": space.texts,
        }
        return kept | dict(self._session.rows(_COUNTS, (self._number,)))

    def views(self) -> Iterator[Belief | TextEntry]:
        last = ""
        while rows := self._session.rows(_BELIEFS_AFTER, (self._number, last, PAGE)):
            yield from map(Reader().belief, rows)
            last = rows[-1][7]
        yield from texts.entries(self._session, self._space)

    def every(self, kind: type[E], targets: Sequence[str] | None = None, *, after: int = 0) -> Iterator[E]:
        if kind in (Vector, Audit):
            put = vectors if kind is Vector else audits
            yield from cast("Iterator[E]", put.every(self._session, self._space, targets, after))
            return
        if kind is TextEntry:
            yield from cast("Iterator[E]", texts.entries(self._session, self._space, targets))
            return
        if kind is Batch:
            yield from cast("Iterator[E]", batches(self._session, self._number, after))
            return
        if kind is Withdrawal:
            wanted = None if targets is None else listed(targets)
            gone = self._session.rows(f"{_WITHDRAWALS} ORDER BY w.id", (self._number, wanted))
            yield from cast("Iterator[E]", (Withdrawal(*row) for row in gone))
            return
        if kind is Guarded:
            yield from cast("Iterator[E]", self._guarded())
            return
        if kind is Decision:
            found = self._session.rows(_DECISIONS, (self._number,))
            made = (Decision(ContestKey(slot, value or None), number) for slot, value, number in found)
            yield from cast("Iterator[E]", made)
            return
        if kind is Alias:
            keys = None if targets is None else listed(targets)
            among = "" if keys is None else " AND m.key IN (SELECT value FROM json_each(?2))"
            given = self._session.rows(_ALIASES.format(among), (self._number, keys, None))
            yield from cast(
                "Iterator[E]", (replace(Alias(*row[:-1]), access=access_from(row[-1])) for row in given)
            )
            return
        if kind is Slot and targets is not None:
            found = self._session.rows(_SLOTS_OF, (self._number, self._number, listed(targets)))
            yield from cast("Iterator[E]", map(Reader().slot, found))
            return
        sql, place = (_SLOTS_AFTER, 1) if kind is Slot else (_EVIDENCE_AFTER, 5)
        last = ""
        while rows := self._session.rows(sql, (self._number, last, PAGE)):
            read = map(Reader().slot, rows) if kind is Slot else self._evidence(Reader(), rows)
            yield from cast("Iterator[E]", read)
            last = rows[-1][place]

    def _guarded(self) -> Iterator[Guarded]:
        for kind, table, key in _GUARDED_IN:
            for row in self._session.rows(_GUARDED.format(key, table), (self._number,)):
                yield Guarded(str(row[0]), access_from(row[1]), kind)

    def _among(self, sql: str, column: str, values: Sequence[str] | None, rest: str = "") -> list[Row]:
        """The rows of this space, where values are given those with one of them in a column."""
        if values is None:
            return self._session.rows(sql + rest, (self._number,))
        return self._session.rows(f"{sql} AND {column} IN {_AMONG}{rest}", (self._number, listed(values)))

    @property
    def _number(self) -> int:
        return self._space.number


def _entity(row: Sequence[Any]) -> Entity:
    own_id, name, kind, access = row
    return Entity(own_id, name, kind, access_from(access))


def _in_order(known: Mapping[str, Iterable[Withdrawal]], *targets: str) -> tuple[Withdrawal, ...]:
    """The withdrawals of some records, by operation and id."""
    found = (one for target in targets for one in known.get(target, ()))
    return tuple(sorted(found, key=lambda one: (one.operation, one.id)))
