"""Checking: what is wrong with the stored data, in plain sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from knowwhy.errors import KnowwhyError
from knowwhy.store.sqlite.session import Session
from knowwhy.store.sqlite.spaces import Space

MOST: Final = 100

# Each query gives what its sentence needs, for one space; ?1 is the space.
_DANGLING: Final = (
    (
        "SELECT m.name, m.entity FROM names AS m WHERE m.space = ?1 AND m.is_alias = 1 AND NOT EXISTS"
        " (SELECT 1 FROM entities AS n WHERE n.space = m.space AND n.id = m.entity)",
        "The alias {!r} stands for entity {}, which is not on record.",
    ),
    (
        "SELECT m.name, m.entity FROM names AS m WHERE m.space = ?1 AND m.is_alias = 0 AND NOT EXISTS"
        " (SELECT 1 FROM entities AS n WHERE n.space = m.space AND n.id = m.entity)",
        "The name {!r} stands for entity {}, which is not on record.",
    ),
    (
        "SELECT s.id, s.subject FROM slots AS s WHERE s.space = ?1 AND NOT EXISTS"
        " (SELECT 1 FROM entities AS n WHERE n.space = s.space AND n.number = s.subject)",
        "Slot {} is about entity number {}, which is not on record.",
    ),
    (
        "SELECT e.id, e.source FROM evidence AS e WHERE e.space = ?1 AND NOT EXISTS"
        " (SELECT 1 FROM sources AS o WHERE o.space = e.space AND o.number = e.source)",
        "Evidence {} comes from source number {}, which is not on record.",
    ),
    (
        "SELECT c.id, c.evidence FROM claims AS c WHERE c.space = ?1 AND NOT EXISTS"
        " (SELECT 1 FROM evidence AS e WHERE e.space = c.space AND e.number = c.evidence)",
        "Claim {} rests on evidence number {}, which is not on record.",
    ),
    (
        "SELECT c.id, c.slot FROM claims AS c WHERE c.space = ?1 AND NOT EXISTS"
        " (SELECT 1 FROM slots AS s WHERE s.space = c.space AND s.number = c.slot)",
        "Claim {} is about slot number {}, which is not on record.",
    ),
    (
        "SELECT b.id FROM beliefs AS b WHERE b.space = ?1 AND NOT EXISTS (SELECT 1 FROM claims AS c"
        " WHERE c.space = b.space AND c.slot = b.slot AND c.value_key = b.value_key)",
        "Belief {} has no claim to rest on.",
    ),
    (
        "SELECT d.document FROM documents AS d WHERE d.space = ?1 AND NOT EXISTS"
        " (SELECT 1 FROM postings_docsize AS p WHERE p.id = (d.space << 40) + d.number)",
        "The terms of {} are in no posting list.",
    ),
    (
        "SELECT d.document FROM documents AS d WHERE d.space = ?1"
        " AND NOT EXISTS (SELECT 1 FROM beliefs AS b WHERE b.space = d.space AND b.id = d.document)"
        " AND NOT EXISTS (SELECT 1 FROM evidence AS e WHERE e.space = d.space AND e.id = d.document)",
        "The index holds {}, which is neither a belief nor evidence.",
    ),
)

_TOLD: Final = (
    ("operations", "sequence", "sequence"),
    ("entities", "number", "entities"),
    ("sources", "number", "sources"),
    ("evidence", "number", "evidence"),
    ("slots", "number", "slots"),
    ("claims", "number", "claims"),
)


def problems(session: Session, space: Space) -> Iterator[str]:
    """What is wrong with the file, and with the records of this space; nothing where all is well."""
    damage = list(_damage(session))
    yield from damage
    if damage:
        # Records read from a damaged file would only be reported a second time.
        return
    yield from _gaps(session, space)
    yield from _miscounted_texts(session, space)
    for sql, sentence in _DANGLING:
        rows = session.rows(f"{sql} LIMIT ?2", (space.number, MOST + 1))
        yield from (sentence.format(*row) for row in rows[:MOST])
        if len(rows) > MOST:
            yield "There are more of this kind."


def _damage(session: Session) -> Iterator[str]:
    try:
        for (finding,) in session.rows("PRAGMA integrity_check"):
            if finding != "ok":
                yield f"The file is damaged: {finding}."
    except KnowwhyError as failure:
        yield failure.message


def _gaps(session: Session, space: Space) -> Iterator[str]:
    """Numbers count from 1 up to the last one given out, none left out."""
    for table, column, last in _TOLD:
        sql = f"SELECT count(*), coalesce(max({column}), 0) FROM {table} WHERE space = ?"  # noqa: S608 - our own
        count, highest = session.rows(sql, (space.number,))[0]
        told: int = getattr(space, last)
        if not count == highest == told:
            yield f"Of {told} {table}, {count} are on record and the last is number {highest}."


def _miscounted_texts(session: Session, space: Space) -> Iterator[str]:
    sql = "SELECT count(*), coalesce(sum(length), 0) FROM documents WHERE space = ?"
    count, terms = session.rows(sql, (space.number,))[0]
    if (count, terms) != (space.texts, space.terms):
        yield (
            f"The text index holds {count} documents of {terms} terms, and counted {space.texts} of {space.terms}."
        )
