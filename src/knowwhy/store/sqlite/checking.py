"""Checking: what is wrong with the stored data, in plain sentences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from knowwhy.errors import KnowwhyError
from knowwhy.store.sqlite.session import Session
from knowwhy.store.sqlite.spaces import Space

# Of one kind, so many are told; more would say no more.
MOST: Final = 100


@dataclass(frozen=True, slots=True)
class _Rule:
    """What never is: the sentence about it, and the query for what the sentence names in space ?1."""

    sentence: str
    query: str


_RULES: Final = (
    _Rule(
        "The name {!r} stands for entity {}, which is not on record.",
        "SELECT m.name, m.entity FROM names AS m WHERE m.space = ?1"
        " AND NOT EXISTS (SELECT 1 FROM entities AS n WHERE n.space = m.space AND n.id = m.entity)",
    ),
    _Rule(
        "Entity {} has no name of its own.",
        "SELECT n.id FROM entities AS n WHERE n.space = ?1 AND n.id NOT IN"
        " (SELECT m.entity FROM names AS m WHERE m.space = ?1 AND m.is_alias = 0)",
    ),
    _Rule(
        "Slot {} is about entity number {}, which is not on record.",
        "SELECT s.id, s.subject FROM slots AS s WHERE s.space = ?1"
        " AND NOT EXISTS (SELECT 1 FROM entities AS n WHERE n.space = s.space AND n.number = s.subject)",
    ),
    _Rule(
        "Evidence {} comes from source number {}, which is not on record.",
        "SELECT e.id, e.source FROM evidence AS e WHERE e.space = ?1"
        " AND NOT EXISTS (SELECT 1 FROM sources AS o WHERE o.space = e.space AND o.number = e.source)",
    ),
    _Rule(
        "Claim {} rests on evidence number {}, which is not on record.",
        "SELECT c.id, c.evidence FROM claims AS c WHERE c.space = ?1"
        " AND NOT EXISTS (SELECT 1 FROM evidence AS e WHERE e.space = c.space AND e.number = c.evidence)",
    ),
    _Rule(
        "Claim {} is about slot number {}, which is not on record.",
        "SELECT c.id, c.slot FROM claims AS c WHERE c.space = ?1"
        " AND NOT EXISTS (SELECT 1 FROM slots AS s WHERE s.space = c.space AND s.number = c.slot)",
    ),
    _Rule(
        "Claim {} was recorded by operation {}, which is not on record.",
        "SELECT c.id, c.operation FROM claims AS c WHERE c.space = ?1 AND NOT EXISTS"
        " (SELECT 1 FROM operations AS p WHERE p.space = c.space AND p.sequence = c.operation)",
    ),
    _Rule(
        "Belief {} is about slot number {}, which is not on record.",
        "SELECT b.id, b.slot FROM beliefs AS b WHERE b.space = ?1"
        " AND NOT EXISTS (SELECT 1 FROM slots AS s WHERE s.space = b.space AND s.number = b.slot)",
    ),
    _Rule(
        "Belief {} has no claim to rest on.",
        "SELECT b.id FROM beliefs AS b WHERE b.space = ?1 AND NOT EXISTS (SELECT 1 FROM claims AS c"
        " WHERE c.space = b.space AND c.slot = b.slot AND c.value_key = b.value_key)",
    ),
    _Rule(
        "The index holds {}, which is neither a belief nor evidence.",
        "SELECT d.document FROM documents AS d WHERE d.space = ?1"
        " AND NOT EXISTS (SELECT 1 FROM beliefs AS b WHERE b.space = d.space AND b.id = d.document)"
        " AND NOT EXISTS (SELECT 1 FROM evidence AS e WHERE e.space = d.space AND e.id = d.document)",
    ),
    _Rule(
        "The terms of {} are in no posting list.",
        "SELECT d.document FROM documents AS d WHERE d.space = ?1"
        " AND NOT EXISTS (SELECT 1 FROM postings_docsize AS p WHERE p.id = (d.space << 40) + d.number)",
    ),
)

# Tables whose rows are numbered from 1 without gaps, and the column of the numbers.
_NUMBERED: Final = {
    "operations": "sequence",
    "entities": "number",
    "sources": "number",
    "evidence": "number",
    "slots": "number",
    "claims": "number",
    "documents": "number",
}


def problems(session: Session, space: Space) -> Iterator[str]:
    """What is wrong with the file, and with the records of this space; nothing where all is well."""
    damage = list(_damage(session))
    if damage:
        # What a damaged file says of its records would only report the damage again.
        yield from damage
        return
    yield from _gaps(session, space)
    yield from _miscounted_texts(session, space)
    for rule in _RULES:
        rows = session.rows(f"{rule.query} LIMIT ?2", (space.number, MOST + 1))
        yield from (rule.sentence.format(*row) for row in rows[:MOST])
        if len(rows) > MOST:
            yield "There are more of this kind."


def _damage(session: Session) -> Iterator[str]:
    """What SQLite finds in its pages, its indexes and its posting lists."""
    try:
        # A search brings what this connection knows of the index up to date; the check alone would look for
        # what another one has merged meanwhile, and call the index damaged.
        session.rows("SELECT rowid FROM postings WHERE postings MATCH '__' LIMIT 1")
        findings = session.rows("PRAGMA integrity_check")
    except KnowwhyError as failure:
        yield failure.message
        return
    yield from (f"The file is damaged: {finding}." for (finding,) in findings if finding != "ok")


def _gaps(session: Session, space: Space) -> Iterator[str]:
    for table, column in _NUMBERED.items():
        told = space.sequence if table == "operations" else int(getattr(space, table))
        sql = f"SELECT count(*), coalesce(max({column}), 0) FROM {table} WHERE space = ?"  # noqa: S608 - our own names
        count, highest = session.rows(sql, (space.number,))[0]
        dropped = int(getattr(space, f"dropped_{table}", 0))
        if count != told - dropped or (highest > told if dropped else highest != told):
            yield f"Of {told} {table}, {count} are on record, and the last is number {highest}."


def _miscounted_texts(session: Session, space: Space) -> Iterator[str]:
    sql = "SELECT count(*), coalesce(sum(length), 0) FROM documents WHERE space = ?"
    count, terms = session.rows(sql, (space.number,))[0]
    if (count, terms) != (space.texts, space.terms):
        told = f"{space.texts} of {space.terms}"
        yield f"{count} documents of {terms} terms are indexed, but {told} were counted."
