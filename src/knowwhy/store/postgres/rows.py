"""How records look as rows: the columns of each kind, and the way back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from knowwhy.core.confidence import tally_fields, tally_from
from knowwhy.core.model import (
    Act,
    Because,
    Belief,
    Claim,
    Derivation,
    Doubt,
    Entity,
    Evidence,
    Modality,
    Operation,
    Rule,
    Slot,
    Source,
    Stance,
    Status,
    Testimony,
    Value,
    ValueType,
    access_from,
)
from knowwhy.core.timeline import Instant
from knowwhy.store.postgres.adapting import Row, short, whole, written

# Looking a member up by its text is several times faster than calling the enumeration, and decoding is what
# most of a read consists of.
_STATUS: Final = {str(one): one for one in Status}
_RULE: Final = {str(one): one for one in Rule}
_STANCE: Final = {str(one): one for one in Stance}
_MODALITY: Final = {str(one): one for one in Modality}
_VALUE_TYPE: Final = {str(one): one for one in ValueType}

OPERATION: Final = (
    "sequence, at, decided_at, act, author, reason, policy, coalesce(key_whole, key), request, outcome,"
    " access"
)
ENTITY: Final = "coalesce(n.id_whole, n.id), n.name, n.type"
# A sequence of columns, so that an entity of its own comes with its access.
NAMED: Final = f"{ENTITY}, n.access"
SLOT: Final = f"s.number, s.id, coalesce(s.attribute_whole, s.attribute), s.conditions, {ENTITY}"
SOURCE: Final = "o.number, coalesce(o.name_whole, o.name), o.type, o.authority, o.reliability"
EVIDENCE: Final = (
    "e.id, e.content, e.text, e.observed_at, e.effective_at, e.recorded_at, e.groups, e.is_pinned, e.context,"
    " e.derived_from, e.metadata, e.operation, e.access,"
    " EXISTS (SELECT 1 FROM retractions AS r WHERE r.space = e.space AND r.target = e.id)"
)
# A claim read out of its evidence later was not known before it was read.
TESTIMONY: Final = (
    "c.id, e.id, c.value_type, c.value_text, coalesce(c.value_whole, c.value_key), c.value_unit, c.stance,"
    " c.valid_from, c.valid_to, c.modality, c.weight, c.quote, c.quote_match, c.derivation, c.depends_on,"
    " c.is_forced, e.groups, e.observed_at, e.effective_at,"
    " CASE c.operation WHEN e.operation THEN e.recorded_at"
    " ELSE (SELECT p.at FROM operations AS p WHERE p.space = c.space AND p.sequence = c.operation) END,"
    " e.is_pinned, c.operation, e.access,"
    " EXISTS (SELECT 1 FROM retractions AS r WHERE r.space = c.space AND r.target IN (c.id, e.id))"
)
BELIEF: Final = (
    "b.id, b.value_type, b.value_text, coalesce(b.value_whole, b.value_key), b.value_unit, b.status, b.rule,"
    " b.against, b.since, b.until, b.observed_at, b.authority, b.sources, b.evidence, b.version,"
    " b.settled_at, b.stable_until, b.stale_from, b.tally, b.doubts, b.derivations, b.is_additive,"
    " b.labels"
)

# The place of a belief's id in a row of `SLOT` and `BELIEF`.
BELIEF_ID: Final = 7


def operation_of(row: Row) -> Operation:
    """The operation in a row of `OPERATION`."""
    sequence, at, decided_at, act, author, reason, policy, key, request, outcome, access = row
    by = (author, reason, policy, key, request)
    return Operation(sequence, at, decided_at, Act(act), *by, outcome, access_from(access))


def operation_row(one: Operation, mark: int) -> Row:
    """The row of an operation, in the order of its table after the space."""
    told = None if one.outcome is None else written(one.outcome)
    keys = (None, None) if one.key is None else (short(one.key), whole(one.key))
    by = (one.author, one.reason, one.policy, *keys, one.request)
    return (one.sequence, one.at, one.decided_at, one.act, *by, told, mark, str(one.access))


class Reader:
    """Decodes the rows of one read. What many rows share, their slot or source, is made once."""

    __slots__ = ("_groups", "_known", "_slots", "_sources")

    def __init__(self, known: dict[str, Belief] | None = None) -> None:
        """`known` are beliefs that were decoded before, and it takes those decoded here too."""
        self._known: dict[str, Belief] = {} if known is None else known
        self._slots: dict[int, Slot] = {}
        self._sources: dict[int, Source] = {}
        self._groups: dict[int, tuple[str, ...]] = {}

    def slot(self, row: Row) -> Slot:
        """The slot in a row of `SLOT`."""
        number = row[0]
        known = self._slots.get(number)
        if known is None:
            _, own_id, attribute, conditions, subject, name, kind = row
            known = Slot(own_id, Entity(subject, name, kind), attribute, _pairs(conditions))
            self._slots[number] = known
        return known

    def source(self, row: Row) -> Source:
        """The source in a row of `SOURCE`."""
        number = row[0]
        known = self._sources.get(number)
        if known is None:
            known = self._sources[number] = Source(*row[1:])
            self._groups[number] = (known.group,)
        return known

    def evidence(self, row: Row) -> Evidence:
        """The evidence in a row of `SOURCE` and `EVIDENCE`, without withdrawals.

        The last column tells of any.
        """
        source = self.source(row[:5])
        return Evidence(
            row[5],
            row[6],
            row[7],
            source,
            row[8],
            row[9],
            row[10],
            self._voices(row[0], row[11]),
            row[12],
            row[13],
            tuple(row[14] or ()),
            _pairs(row[15]),
            (),
            access_from(row[17]),
            row[16],
        )

    def testimony(self, row: Row) -> Testimony:
        """The testimony in a row of `SLOT`, `SOURCE` and `TESTIMONY`, without withdrawals.

        The last column tells of any.
        """
        slot = self._slots.get(row[0]) or self.slot(row[:7])
        source = self._sources.get(row[7]) or self.source(row[7:12])
        claim = Claim(
            row[12],
            row[13],
            slot,
            Value(_VALUE_TYPE[row[14]], row[15], row[16], row[17]),
            _STANCE[row[18]],
            row[19],
            row[20],
            _MODALITY[row[21]],
            row[22],
            row[23],
            row[24],
            None if row[25] is None else _derivation(row[25]),
            tuple(row[26] or ()),
            row[27],
        )
        return Testimony(
            claim,
            source,
            self._voices(row[7], row[28]),
            row[29],
            row[30],
            row[31],
            row[32],
            row[33],
            (),
            access_from(row[34]),
        )

    def belief(self, row: Row) -> Belief:
        """The belief in a row of `SLOT` and `BELIEF`."""
        known = self._known.get(row[7])
        if known is not None:
            return known
        slot = self._slots.get(row[0]) or self.slot(row[:7])
        made = self._known[row[7]] = Belief(
            row[7],
            slot,
            Value(_VALUE_TYPE[row[8]], row[9], row[10], row[11]),
            _STATUS[row[12]],
            Because(_RULE[row[13]], row[14]),
            tally_from(json.loads(row[25])),
            row[15],
            row[16],
            row[17],
            row[18],
            row[19],
            row[20],
            row[21],
            row[22],
            row[23],
            row[24],
            () if row[26] is None else tuple(Doubt(*one) for one in row[26]),
            () if row[27] is None else tuple(map(_derivation, row[27])),
            row[28],
            () if row[29] is None else tuple(map(access_from, row[29])),
        )
        return made

    def _voices(self, source: int, groups: list[str] | None) -> tuple[str, ...]:
        return self._groups[source] if groups is None else tuple(groups)


def belief_row(slot: int, one: Belief, version: int) -> Row:
    """The row of a belief, in the order of its table after the space."""
    value = one.value
    return (
        one.id,
        slot,
        *(short(value.key), whole(value.key), value.type, value.text, value.unit),
        *(one.status, one.because.rule, one.because.against),
        *(one.since, one.until, one.observed_at, one.authority, one.sources, one.evidence),
        *(version, one.settled_at, one.stable_until, one.stale_from),
        json.dumps(tally_fields(one.tally), separators=(",", ":")),
        written(list(map(_fields, one.doubts))) if one.doubts else None,
        written(list(map(_fields, one.derivations))) if one.derivations else None,
        one.is_additive,
        written(list(map(str, one.labels))) if one.labels else None,
    )


def claim_row(number: int, one: Claim, evidence: int, slot: int, operation: int) -> Row:
    """The row of a claim, in the order of its table after the space."""
    value = one.value
    return (
        *(number, one.id, evidence, slot),
        *(short(value.key), whole(value.key), value.type, value.text, value.unit),
        *(one.stance, one.valid_from, one.valid_to),
        *(one.modality, one.weight, one.quote, one.quote_match, one.is_forced),
        None if one.derivation is None else written(_fields(one.derivation)),
        written(one.depends_on) if one.depends_on else None,
        operation,
    )


def evidence_row(number: int, one: Evidence, source: int, recorded_at: Instant, operation: int) -> Row:
    """The row of an item of evidence, in the order of its table after the space."""
    return (
        *(number, one.id, one.content, source),
        None if one.groups == (one.source.group,) else written(one.groups),
        *(one.observed_at, one.effective_at, recorded_at, one.is_pinned, operation, one.context),
        written(one.derived_from) if one.derived_from else None,
        written(one.metadata) if one.metadata else None,
        one.text,
        str(one.access),
    )


def slot_row(number: int, one: Slot, subject: int) -> Row:
    """The row of a slot, in the order of its table after the space."""
    conditions = written(one.conditions) if one.conditions else None
    return (number, one.id, subject, short(one.attribute), whole(one.attribute), conditions)


def columns(rows: Iterable[Row]) -> list[list[Any]]:
    """Rows as one list for each column."""
    return [list(column) for column in zip(*rows, strict=True)]


def _fields(one: Doubt | Derivation) -> list[Any]:
    return [getattr(one, name) for name in one.__slots__]


def _derivation(fields: Sequence[Any]) -> Derivation:
    premises, exceptions, rule, strength = fields
    return Derivation(tuple(premises), tuple(exceptions), rule, strength)


def _pairs(pairs: Sequence[Sequence[str]] | None) -> tuple[tuple[str, str], ...]:
    return () if pairs is None else tuple((key, value) for key, value in pairs)
