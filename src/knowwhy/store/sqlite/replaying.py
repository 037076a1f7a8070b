"""Replaying: the log of a space as it was written, read table by table."""
# ruff: noqa: S608 - statements are put together from parts of our own; whatever is given is bound

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from knowwhy.store.protocol import Batch
from knowwhy.store.replay import Replay, Statements
from knowwhy.store.sqlite.rows import EVIDENCE, OPERATION, SLOT, SOURCE, TESTIMONY, Reader, operation_of
from knowwhy.store.sqlite.session import Session

# Numbers grow with the operations, so what is read in their order is read in that of the log.
_OPERATIONS: Final = (
    f"SELECT {OPERATION} FROM operations WHERE space = ? AND sequence > ? ORDER BY sequence LIMIT ?"
)
_ENTITIES: Final = (
    "SELECT n.operation, n.id, n.name, n.type, n.access, n.number FROM entities AS n"
    " WHERE n.space = ? AND n.operation > ? AND n.number > ? ORDER BY n.number LIMIT ?"
)
_EVIDENCE: Final = (
    f"SELECT e.operation, {SOURCE}, {EVIDENCE}, e.number FROM evidence AS e"
    " CROSS JOIN sources AS o ON o.space = e.space AND o.number = e.source"
    " WHERE e.space = ? AND e.operation > ? AND e.number > ? ORDER BY e.number LIMIT ?"
)
_CLAIMS: Final = (
    f"SELECT c.operation, {SLOT}, {SOURCE}, {TESTIMONY}, c.number FROM claims AS c"
    " CROSS JOIN slots AS s ON s.space = c.space AND s.number = c.slot"
    " CROSS JOIN entities AS n ON n.space = s.space AND n.number = s.subject"
    " CROSS JOIN evidence AS e ON e.space = c.space AND e.number = c.evidence"
    " CROSS JOIN sources AS o ON o.space = e.space AND o.number = e.source"
    " WHERE c.space = ? AND c.operation > ? AND c.number > ? ORDER BY c.number LIMIT ?"
)
_SOURCES: Final = (
    "SELECT o.operation, o.name, o.type, o.authority, o.reliability"
    " FROM sources AS o WHERE o.space = ? ORDER BY o.number"
)
_ALIASES: Final = (
    "SELECT m.operation, m.key, m.entity, m.name, m.access"
    " FROM names AS m WHERE m.space = ? AND m.is_alias = 1 AND m.operation > ? ORDER BY m.operation"
)
_DECLARATIONS: Final = (
    "SELECT d.operation, d.kind, d.body, p.at FROM declarations AS d"
    " CROSS JOIN operations AS p ON p.space = d.space AND p.sequence = d.operation"
    " WHERE d.space = ? AND d.operation > ? ORDER BY d.operation"
)
_RETRACTIONS: Final = (
    "SELECT r.operation, r.target, r.reason, r.id FROM retractions AS r"
    " WHERE r.space = ? AND r.operation > ? ORDER BY r.operation"
)
_DECISIONS: Final = (
    "SELECT d.operation, d.slot, d.value_key FROM decisions AS d"
    " WHERE d.space = ? AND d.operation > ? ORDER BY d.operation"
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
    return Replay(STATEMENTS, session.rows, Reader(), operation_of, space, after).batches()
