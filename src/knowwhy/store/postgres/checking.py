"""Checking: what is wrong with the stored data, in plain sentences."""
# ruff: noqa: S608 - statements are put together from parts of our own; whatever is given is bound

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from knowwhy.store.postgres.session import Session
from knowwhy.store.postgres.spaces import Space

# Of one kind, so many are told; more would say no more.
MOST: Final = 100


@dataclass(frozen=True, slots=True)
class _Rule:
    """What never is: the sentence about it, and the query for what the sentence names in a space."""

    sentence: str
    query: str


def _missing(named: str, there: str, column: str = "number", own: str = "number") -> str:
    """The query for what `named` (a table and a short name for it) refers to and `there` does not hold."""
    table, alias, *columns = named.split()
    told = ", ".join(f"{alias}.{one}" for one in columns)
    return (
        f"SELECT {told} FROM {table} AS {alias} WHERE {alias}.space = %s AND NOT EXISTS"
        f" (SELECT 1 FROM {there} AS t WHERE t.space = {alias}.space AND t.{own} = {alias}.{column})"
    )


# How many different terms a document's lines hold.
_DISTINCT: Final = "(SELECT count(DISTINCT t) FROM unnest(string_to_array(d.terms, E'\\n')) AS t)"

_RULES: Final = (
    _Rule(
        "The name {!r} stands for entity {}, which is not on record.",
        _missing("names m name entity", "entities", "entity", "id"),
    ),
    _Rule(
        "Entity {} has no name of its own.",
        "SELECT n.id FROM entities AS n WHERE n.space = %s AND NOT EXISTS (SELECT 1 FROM names AS m"
        " WHERE m.space = n.space AND m.entity = n.id AND NOT m.is_alias)",
    ),
    _Rule(
        "Slot {} is about entity number {}, which is not on record.",
        _missing("slots s id subject", "entities", "subject"),
    ),
    _Rule(
        "Evidence {} comes from source number {}, which is not on record.",
        _missing("evidence e id source", "sources", "source"),
    ),
    _Rule(
        "Claim {} rests on evidence number {}, which is not on record.",
        _missing("claims c id evidence", "evidence", "evidence"),
    ),
    _Rule(
        "Claim {} is about slot number {}, which is not on record.",
        _missing("claims c id slot", "slots", "slot"),
    ),
    _Rule(
        "Claim {} was recorded by operation {}, which is not on record.",
        _missing("claims c id operation", "operations", "operation", "sequence"),
    ),
    _Rule(
        "Belief {} is about slot number {}, which is not on record.",
        _missing("beliefs b id slot", "slots", "slot"),
    ),
    _Rule(
        "Belief {} has no claim to rest on.",
        "SELECT b.id FROM beliefs AS b WHERE b.space = %s AND NOT EXISTS (SELECT 1 FROM claims AS c"
        " WHERE c.space = b.space AND c.slot = b.slot AND c.value_key = b.value_key)",
    ),
    _Rule(
        "The index holds {}, which is neither a belief nor evidence.",
        "SELECT d.document FROM documents AS d WHERE d.space = %s"
        " AND NOT EXISTS (SELECT 1 FROM beliefs AS b WHERE b.space = d.space AND b.id = d.document)"
        " AND NOT EXISTS (SELECT 1 FROM evidence AS e WHERE e.space = d.space AND e.id = d.document)",
    ),
    _Rule(
        "Of the {} terms of {}, {} are in posting lists.",
        f"SELECT {_DISTINCT}, d.document, coalesce(p.number, 0) FROM documents AS d LEFT JOIN"
        " (SELECT space, document, count(*) AS number FROM postings GROUP BY space, document) AS p"
        " ON p.space = d.space AND p.document = d.number"
        f" WHERE d.space = %s AND {_DISTINCT} <> coalesce(p.number, 0)",
    ),
    _Rule(
        "The posting list of {!r} holds document number {}, which is not on record.",
        _missing("postings p term document", "documents", "document"),
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
    """What is wrong with the records of this space; nothing where all is well.

    Damage to the server's own files is for the server's tools to find.
    """
    yield from _gaps(session, space)
    yield from _miscounted_texts(session, space)
    for rule in _RULES:
        rows = session.rows(f"{rule.query} LIMIT %s", (space.number, MOST + 1))
        yield from (rule.sentence.format(*row) for row in rows[:MOST])
        if len(rows) > MOST:
            yield "There are more of this kind."


def _gaps(session: Session, space: Space) -> Iterator[str]:
    for table, column in _NUMBERED.items():
        told = space.sequence if table == "operations" else int(getattr(space, table))
        sql = f"SELECT count(*), coalesce(max({column}), 0) FROM {table} WHERE space = %s"
        count, highest = session.rows(sql, (space.number,))[0]
        dropped = int(getattr(space, f"dropped_{table}", 0))
        if count != told - dropped or (highest > told if dropped else highest != told):
            yield f"Of {told} {table}, {count} are on record, and the last is number {highest}."


def _miscounted_texts(session: Session, space: Space) -> Iterator[str]:
    sql = (
        "SELECT count(*), coalesce(sum(cardinality(string_to_array(terms, E'\\n'))), 0)::bigint"
        " FROM documents WHERE space = %s"
    )
    count, terms = session.rows(sql, (space.number,))[0]
    if (count, terms) != (space.texts, space.terms):
        told = f"{space.texts} of {space.terms}"
        yield f"{count} documents of {terms} terms are indexed, but {told} were counted."
