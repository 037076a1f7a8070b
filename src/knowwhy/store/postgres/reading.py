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
from knowwhy.store.postgres import audits, lookup, texts, vectors
from knowwhy.store.postgres.adapting import Row, plain_json, short, shortened
from knowwhy.store.postgres.replaying import batches
from knowwhy.store.postgres.rows import (
    BELIEF,
    BELIEF_ID,
    EVIDENCE,
    NAMED,
    OPERATION,
    SLOT,
    SOURCE,
    TESTIMONY,
    Reader,
    columns,
    operation_of,
)
from knowwhy.store.postgres.search import Frequencies, search
from knowwhy.store.postgres.session import Session
from knowwhy.store.postgres.spaces import Space
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

PAGE: Final = 1_000
# How many beliefs a snapshot keeps decoded.
_MOST_DECODED: Final = 5_000

# Where what few may read is kept: its kind, its table, and the column of its id.
_GUARDED_IN: Final = (
    ("entity", "entities", "coalesce(id_whole, id)"),
    ("evidence", "evidence", "id"),
    ("operation", "operations", "sequence"),
)

# Beyond the number of any operation: for reads that go up to the last one.
_LATEST: Final = 2**62

_AMONG = "ANY(%s::text[])"
_OPERATIONS = f"SELECT {OPERATION} FROM operations WHERE space = %s"
_DECLARED = (
    "SELECT DISTINCT ON (d.key) coalesce(d.key_whole, d.key), d.body::text, d.operation, p.at"
    " FROM declarations AS d JOIN operations AS p ON p.space = d.space AND p.sequence = d.operation"
    " WHERE d.space = %s AND d.kind = %s AND d.operation <= %s"
)
# Of keys that are named, the latest is sought in the index: a key may have been declared many times.
_DECLARED_AMONG = (
    "SELECT DISTINCT ON (d.key) coalesce(d.key_whole, d.key), d.body::text, d.operation, p.at"
    " FROM unnest(%s::text[]) AS k (key) CROSS JOIN LATERAL (SELECT v.* FROM declarations AS v"
    " WHERE v.space = %s AND v.kind = %s AND v.key = k.key AND v.operation <= %s"
    " ORDER BY v.operation DESC LIMIT 1) AS d"
    " JOIN operations AS p ON p.space = d.space AND p.sequence = d.operation ORDER BY d.key"
)
_SOURCES = (
    "SELECT DISTINCT ON (o.name, o.type) coalesce(o.name_whole, o.name), o.type, o.authority, o.reliability"
    " FROM sources AS o WHERE o.space = %s AND o.operation <= %s"
)
_STANDINGS = (
    "SELECT coalesce(o.name_whole, o.name), o.type, o.authority, o.reliability, o.access"
    " FROM sources AS o WHERE o.space = %s AND o.operation <= %s"
)
_ENTITIES = f"SELECT {NAMED} FROM entities AS n WHERE n.space = %s"
_SUBJECT = " JOIN entities AS n ON n.space = s.space AND n.number = s.subject"
_GROUNDS = (
    " JOIN evidence AS e ON e.space = c.space AND e.number = c.evidence"
    " JOIN sources AS o ON o.space = e.space AND o.number = e.source"
)
_TESTIMONIES_OF_SLOTS = (
    f"SELECT {SLOT}, {SOURCE}, {TESTIMONY} FROM slots AS s{_SUBJECT}"
    f" JOIN claims AS c ON c.space = s.space AND c.slot = s.number{_GROUNDS}"
    f" WHERE s.space = %s AND s.id = {_AMONG} ORDER BY c.number"
)
_TESTIMONIES_OF_VALUES = (
    f"SELECT {SLOT}, {SOURCE}, {TESTIMONY} FROM unnest(%s::text[], %s::text[]) AS j(slot, value_key)"
    f" JOIN slots AS s ON s.space = %s AND s.id = j.slot{_SUBJECT}"
    " JOIN claims AS c ON c.space = s.space AND c.slot = s.number AND c.value_key = j.value_key"
    f"{_GROUNDS} WHERE s.space = %s ORDER BY c.number"
)
_OF_SOURCE = (
    f"SELECT {SLOT}, {SOURCE}, {TESTIMONY} FROM slots AS s{_SUBJECT}"
    f" JOIN claims AS c ON c.space = s.space AND c.slot = s.number{_GROUNDS} WHERE s.space = %s AND s.id = %s"
    " AND c.source = ANY(ARRAY(SELECT k.number FROM sources AS k WHERE k.space = %s AND k.name = %s))"
)
_TESTIMONIES_OF_CLAIMS = (
    f"SELECT {SLOT}, {SOURCE}, {TESTIMONY} FROM"
    f" (SELECT k.number FROM claims AS k WHERE k.space = %s AND k.id = {_AMONG} UNION"
    " SELECT k.number FROM evidence AS g JOIN claims AS k ON k.space = g.space AND k.evidence = g.number"
    f" WHERE g.space = %s AND g.id = {_AMONG}) AS j"
    " JOIN claims AS c ON c.space = %s AND c.number = j.number"
    f" JOIN slots AS s ON s.space = c.space AND s.number = c.slot{_SUBJECT}{_GROUNDS}"
    " WHERE c.space = %s ORDER BY c.id"
)
# An alias means none from its retraction on, until that is lifted or the alias given again.
_IS_GIVEN = (
    "m.operation > (SELECT coalesce(max(r.operation), 0) FROM retractions AS r"
    " WHERE r.space = m.space AND r.target = m.target AND r.operation <= %s"
    " AND NOT EXISTS (SELECT 1 FROM retractions AS l WHERE l.space = r.space AND l.target = r.id"
    " AND l.operation <= %s))"
)
_NAMES = (
    f"SELECT m.key, {NAMED} FROM names AS m JOIN entities AS n ON n.space = m.space AND n.id = m.entity"
    f" WHERE m.space = %s AND m.key = {_AMONG} AND m.operation <= %s AND (NOT m.is_alias OR {_IS_GIVEN})"
)
_ALIASES = (
    "SELECT DISTINCT ON (m.key, m.entity, m.access) coalesce(m.key_whole, m.key),"
    " coalesce(m.entity_whole, m.entity), m.name, m.operation, m.access"
    f" FROM names AS m WHERE m.space = %s AND m.is_alias AND {_IS_GIVEN}"
)
_GUARDED = "SELECT {0}, access FROM {1} WHERE space = %s AND substr(access, 1, 1) IN ('[', 'f')"
_WITHDRAWALS = (
    "SELECT r.id, coalesce(r.target_whole, r.target), r.operation, p.at, l.operation, q.at, r.reason"
    " FROM retractions AS r JOIN operations AS p ON p.space = r.space AND p.sequence = r.operation"
    " LEFT JOIN LATERAL (SELECT min(k.operation) AS operation FROM retractions AS k"
    " WHERE k.space = r.space AND k.target = r.id) AS l ON true"
    " LEFT JOIN operations AS q ON q.space = r.space AND q.sequence = l.operation WHERE r.space = %s"
)
_EVIDENCE = (
    f"SELECT {SOURCE}, {EVIDENCE} FROM evidence AS e"
    " JOIN sources AS o ON o.space = e.space AND o.number = e.source WHERE e.space = %s"
)
_NEXT_TO = (
    "(SELECT k.number FROM evidence AS k WHERE k.space = %s AND k.context IS NOT NULL"
    " AND md5(k.context) = md5(j.context) AND k.context = j.context"
    " AND (k.effective_at, k.id) {0} (j.at, j.id) AND k.operation <= %s"
    " ORDER BY k.effective_at {1}, k.id {1} LIMIT 1)"
)
_EVIDENCE_BESIDE = (
    f"SELECT DISTINCT ON (e.number) {SOURCE}, {EVIDENCE}"
    " FROM unnest(%s::text[], %s::bigint[], %s::text[]) AS j(context, at, id)"
    f" CROSS JOIN LATERAL ({_NEXT_TO.format('<', 'DESC')} UNION ALL {_NEXT_TO.format('>', 'ASC')}) AS b"
    " JOIN evidence AS e ON e.space = %s AND e.number = b.number"
    " JOIN sources AS o ON o.space = e.space AND o.number = e.source"
)
_BELIEFS_AFTER = (
    f"SELECT {SLOT}, {BELIEF} FROM beliefs AS b"
    f" JOIN slots AS s ON s.space = b.space AND s.number = b.slot{_SUBJECT}"
    " WHERE b.space = %s AND b.id > %s ORDER BY b.id LIMIT %s"
)
_SLOTS_AFTER = (
    f"SELECT {SLOT} FROM slots AS s{_SUBJECT} WHERE s.space = %s AND s.id > %s ORDER BY s.id LIMIT %s"
)
_SLOTS_OF = f"SELECT {SLOT} FROM slots AS s{_SUBJECT} WHERE s.space = %s AND n.id = {_AMONG} ORDER BY s.id"
_EVIDENCE_AFTER = f"{_EVIDENCE} AND e.id > %s ORDER BY e.id LIMIT %s"
_DECISIONS = "SELECT slot, coalesce(value_whole, value_key), operation FROM decisions WHERE space = %s"
_COUNTS = (
    "SELECT 'aliases', count(DISTINCT (key, entity)) FROM names WHERE space = %s AND is_alias",
    "SELECT 'attributes', count(DISTINCT key) FROM declarations WHERE space = %s AND kind = 'attribute'",
    "SELECT 'sources', count(DISTINCT (name, type)) FROM sources WHERE space = %s",
    "SELECT 'retractions', count(*) FROM retractions WHERE space = %s",
    "SELECT 'beliefs', count(*) FROM beliefs WHERE space = %s",
    "SELECT 'belief.' || status, count(*) FROM beliefs WHERE space = %s GROUP BY status",
)


@dataclass(frozen=True, slots=True)
class PostgresSnapshot:
    """One consistent state of a space, for as long as its transaction lasts."""

    _session: Session
    _space: Space
    _known: Frequencies
    # What was decoded once need not be again: recall reads most beliefs twice, alone and in their contests.
    _decoded: dict[str, Belief] = field(default_factory=dict, repr=False, compare=False)

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
        criteria = (
            ("key = %s", None if key is None else short(key)),
            ("sequence = ANY(%s::bigint[])", None if sequences is None else list(sequences)),
            ("sequence < %s", before),
        )
        given = [(sql, value) for sql, value in criteria if value is not None]
        sql = _OPERATIONS + "".join(f" AND {criterion}" for criterion, _ in given) + " ORDER BY sequence DESC"
        bindings = [self._number, *(value for _, value in given)]
        if limit is not None:
            sql, bindings = f"{sql} LIMIT %s", [*bindings, max(limit, 0)]
        return [operation_of(row) for row in self._session.rows(sql, bindings)]

    def declared(
        self, kind: type[D], keys: Sequence[str] | None = None, *, until: int | None = None
    ) -> dict[str, D]:
        bindings = (self._number, kind.kind, _last(until))
        if keys is None:
            rows = self._session.rows(f"{_DECLARED} ORDER BY d.key, d.operation DESC", bindings)
        else:
            rows = self._session.rows(_DECLARED_AMONG, (shortened(keys), *bindings))
        found = {key: declared_from(kind, plain_json(body), *made) for key, body, *made in rows}
        return {key: found[key] for key in sorted(found)}

    def sources(
        self, names: Sequence[str] | None = None, *, until: int | None = None, is_whole: bool = False
    ) -> list[Source]:
        bindings = (self._number, _last(until))
        if is_whole:
            rows = self._among(_STANDINGS, "o.name", names, " ORDER BY o.number", bindings)
            return [replace(Source(*row[:-1]), access=access_from(row[-1])) for row in rows]
        rows = self._among(_SOURCES, "o.name", names, " ORDER BY o.name, o.type, o.number", bindings)
        return [Source(*row) for row in rows]

    def names(self, keys: Sequence[str], *, until: int | None = None) -> dict[str, list[Entity]]:
        found: dict[str, dict[str, Entity]] = {}
        asked = {short(key): key for key in keys}
        bindings = (self._number, list(asked), _last(until), _last(until), _last(until))
        for key, *entity in self._session.rows(_NAMES, bindings):
            found.setdefault(asked[key], {}).setdefault(entity[0], _entity(entity))
        return {key: [those[one] for one in sorted(those)] for key, those in found.items()}

    def entities(self, ids: Sequence[str] | None = None) -> list[Entity]:
        found = [_entity(row) for row in self._among(_ENTITIES, "n.id", ids)]
        return sorted(found, key=lambda one: one.id)

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
            rows += self._beside([one for one in beside if one.context is not None], _last(until))
        found = {one.id: one for one in self._evidence(reader, rows)}
        return sorted(found.values(), key=lambda one: (one.effective_at, one.id))

    def _beside(self, items: Sequence[Evidence], until: int) -> list[Row]:
        if not items:
            return []
        places = columns([(one.context, one.effective_at, one.id) for one in items])
        number = self._number
        return self._session.rows(_EVIDENCE_BESIDE, (*places, number, until, number, until, number))

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
        whole = [one.slot_id for one in found if one.value_key is None]
        slots, values = lookup.pairs([one for one in found if one.value_key is not None])
        reader = Reader()
        if whole:
            bindings: Sequence[object] = (self._number, shortened(whole))
            for one in self._testimonies(reader, _TESTIMONIES_OF_SLOTS, bindings):
                found[ContestKey(one.claim.slot.id)].append(one)
        if slots:
            bindings = (slots, values, self._number, self._number)
            for one in self._testimonies(reader, _TESTIMONIES_OF_VALUES, bindings):
                found[ContestKey(one.claim.slot.id, one.claim.value.key)].append(one)
        return found

    def claims(self, targets: Sequence[str]) -> list[Testimony]:
        wanted, number = shortened(targets), self._number
        bindings = (number, wanted, number, wanted, number, number)
        return self._testimonies(Reader(), _TESTIMONIES_OF_CLAIMS, bindings)

    def _said_by(self, source: str, contest: ContestKey, limit: int | None) -> list[Testimony]:
        of_value = "" if contest.value_key is None else " AND c.value_key = %s"
        value = () if contest.value_key is None else (short(contest.value_key),)
        given = (self._number, short(contest.slot_id), self._number, short(source), *value, limit)
        return self._testimonies(Reader(), f"{_OF_SOURCE}{of_value} ORDER BY c.number LIMIT %s", given)

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
        for row in self._among(_WITHDRAWALS, "r.target", targets):
            one = Withdrawal(*row)
            found.setdefault(one.target, []).append(one)
        return {target: _in_order({target: those}, target) for target, those in found.items()}

    def beliefs(self, wanted: BeliefFilter) -> list[Belief]:
        if len(self._decoded) > _MOST_DECODED:
            self._decoded.clear()
        reader = Reader(self._decoded)
        asked = list(lookup.queries(self._number, wanted))
        found = [list(map(reader.belief, rows)) for rows in self._session.together(asked)]
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
        counted = self._session.together([(sql, (self._number,)) for sql in _COUNTS])
        return kept | dict(chain.from_iterable(counted))

    def views(self) -> Iterator[Belief | TextEntry]:
        last = ""
        while rows := self._session.rows(_BELIEFS_AFTER, (self._number, last, PAGE)):
            yield from map(Reader().belief, rows)
            last = rows[-1][BELIEF_ID]
        yield from texts.entries(self._session, self._space)

    def every(self, kind: type[E], targets: Sequence[str] | None = None, *, after: int = 0) -> Iterator[E]:
        if kind is Vector:
            yield from cast("Iterator[E]", vectors.every(self._session, self._space, targets, after))
        elif kind is Audit:
            yield from cast("Iterator[E]", audits.every(self._session, self._space, targets, after))
        elif kind is TextEntry:
            yield from cast("Iterator[E]", texts.entries(self._session, self._space, targets))
        elif kind is Batch:
            yield from cast("Iterator[E]", batches(self._session, self._number, after))
        elif kind is Withdrawal:
            gone = [Withdrawal(*row) for row in self._among(_WITHDRAWALS, "r.target", targets)]
            yield from cast("list[E]", sorted(gone, key=lambda one: one.id))
        elif kind is Decision:
            yield from cast("Iterator[E]", self._decisions())
        elif kind is Alias:
            yield from cast("list[E]", self._aliases(targets))
        elif kind is Guarded:
            yield from cast("Iterator[E]", self._guarded())
        else:
            yield from cast("Iterator[E]", self._slots(targets) if kind is Slot else self._all_evidence())

    def _aliases(self, keys: Sequence[str] | None) -> list[Alias]:
        last = " ORDER BY m.key, m.entity, m.access, m.operation DESC"
        given = self._among(_ALIASES, "m.key", keys, last, (self._number, _LATEST, _LATEST))
        aliases = [replace(Alias(*row[:-1]), access=access_from(row[-1])) for row in given]
        return sorted(aliases, key=lambda one: (one.key, one.entity_id, str(one.access)))

    def _guarded(self) -> Iterator[Guarded]:
        for kind, table, own_id in _GUARDED_IN:
            for row in sorted(self._session.rows(_GUARDED.format(own_id, table), (self._number,))):
                yield Guarded(str(row[0]), access_from(row[1]), kind)

    def _decisions(self) -> Iterator[Decision]:
        rows = self._session.rows(_DECISIONS, (self._number,))
        for slot, value, operation in sorted(rows):
            yield Decision(ContestKey(slot, value or None), operation)

    def _slots(self, about: Sequence[str] | None) -> Iterator[Slot]:
        if about is not None:
            yield from map(Reader().slot, self._session.rows(_SLOTS_OF, (self._number, shortened(about))))
            return
        last = ""
        while rows := self._session.rows(_SLOTS_AFTER, (self._number, last, PAGE)):
            yield from map(Reader().slot, rows)
            last = rows[-1][1]

    def _all_evidence(self) -> Iterator[Evidence]:
        last = ""
        while rows := self._session.rows(_EVIDENCE_AFTER, (self._number, last, PAGE)):
            yield from self._evidence(Reader(), rows)
            last = rows[-1][5]

    def _among(
        self,
        sql: str,
        column: str,
        values: Sequence[str] | None,
        rest: str = "",
        bindings: Sequence[object] | None = None,
    ) -> list[Row]:
        """The rows of this space, where values are given those with one of them in a column."""
        bound = (self._number,) if bindings is None else bindings
        if values is None:
            return self._session.rows(sql + rest, bound)
        return self._session.rows(f"{sql} AND {column} = {_AMONG}{rest}", (*bound, shortened(values)))

    @property
    def _number(self) -> int:
        return self._space.number


def _entity(row: Sequence[Any]) -> Entity:
    own_id, name, kind, access = row
    return Entity(own_id, name, kind, access_from(access))


def _last(until: int | None) -> int:
    """The number of the last operation to look at."""
    return _LATEST if until is None else until


def _in_order(known: Mapping[str, Iterable[Withdrawal]], *targets: str) -> tuple[Withdrawal, ...]:
    """The withdrawals of some records, by operation and id."""
    found = (one for target in targets for one in known.get(target, ()))
    return tuple(sorted(found, key=lambda one: (one.operation, one.id)))
