"""Replaying: the log of a space as it was written, read table by table."""
# ruff: noqa: S608 - statements are put together from parts of our own; whatever is given is bound

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from knowwhy.store.postgres.adapting import plain_json
from knowwhy.store.postgres.rows import (
    EVIDENCE,
    NAMED,
    OPERATION,
    SLOT,
    SOURCE,
    TESTIMONY,
    Reader,
    operation_of,
)
from knowwhy.store.postgres.session import Session
from knowwhy.store.protocol import Batch
from knowwhy.store.replay import Replay, Statements

# Numbers grow with the operations, so what is read in their order is read in that of the log.
_OPERATIONS: Final = (
    f"SELECT {OPERATION} FROM operations WHERE space = %s AND sequence > %s ORDER BY sequence LIMIT %s"
)
_ENTITIES: Final = (
    f"SELECT n.operation, {NAMED}, n.number FROM entities AS n"
    " WHERE n.space = %s AND n.operation > %s AND n.number > %s ORDER BY n.number LIMIT %s"
)
_EVIDENCE: Final = (
    f"SELECT e.operation, {SOURCE}, {EVIDENCE}, e.number FROM evidence AS e"
    " JOIN sources AS o ON o.space = e.space AND o.number = e.source"
    " WHERE e.space = %s AND e.operation > %s AND e.number > %s ORDER BY e.number LIMIT %s"
)
_CLAIMS: Final = (
    f"SELECT c.operation, {SLOT}, {SOURCE}, {TESTIMONY}, c.number FROM claims AS c"
    " JOIN slots AS s ON s.space = c.space AND s.number = c.slot"
    " JOIN entities AS n ON n.space = s.space AND n.number = s.subject"
    " JOIN evidence AS e ON e.space = c.space AND e.number = c.evidence"
    " JOIN sources AS o ON o.space = e.space AND o.number = e.source"
    " WHERE c.space = %s AND c.operation > %s AND c.number > %s ORDER BY c.number LIMIT %s"
)
_SOURCES: Final = (
    "SELECT o.operation, coalesce(o.name_whole, o.name), o.type, o.authority, o.reliability"
    " FROM sources AS o WHERE o.space = %s ORDER BY o.number"
)
_ALIASES: Final = (
    "SELECT m.operation, coalesce(m.key_whole, m.key), coalesce(m.entity_whole, m.entity), m.name, m.access"
    " FROM names AS m WHERE m.space = %s AND m.is_alias AND m.operation > %s ORDER BY m.operation"
)
_DECLARATIONS: Final = (
    "SELECT d.operation, d.kind, d.body::text, p.at FROM declarations AS d"
    " JOIN operations AS p ON p.space = d.space AND p.sequence = d.operation"
    " WHERE d.space = %s AND d.operation > %s ORDER BY d.operation"
)
_RETRACTIONS: Final = (
    "SELECT r.operation, coalesce(r.target_whole, r.target), r.reason, r.id FROM retractions AS r"
    " WHERE r.space = %s AND r.operation > %s ORDER BY r.operation"
)
_DECISIONS: Final = (
    "SELECT d.operation, d.slot, coalesce(d.value_whole, d.value_key) FROM decisions AS d"
    " WHERE d.space = %s AND d.operation > %s ORDER BY d.operation"
)


STATEMENTS: Final = Statements(
    operations=_OPERATIONS,
    entities=_ENTITIES,
    evidence=_EVIDENCE,
    claims=_CLAIMS,
    sources=_SOURCES,
    aliases=_ALIASES,
    declarations=_DECLARATIONS,
    retractions=_RETRACTIONS,
    decisions=_DECISIONS,
)


def batches(session: Session, space: int, after: int) -> Iterator[Batch]:
    """The log of a space after an operation, oldest first."""
    return Replay(STATEMENTS, session.rows, Reader(), operation_of, space, after, plain_json).batches()
