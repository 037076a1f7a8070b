"""Vectors: what documents say as models see it, numbered in the order in which they were put."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from knowwhy.store.postgres.adapting import Row
from knowwhy.store.postgres.rows import columns
from knowwhy.store.postgres.session import Session, Writing
from knowwhy.store.postgres.spaces import Space
from knowwhy.store.protocol import Vector

PAGE: Final = 500

_TAKE: Final = (
    "DELETE FROM vectors AS v USING unnest(%s::text[], %s::text[]) AS j(document, model)"
    " WHERE v.space = %s AND v.document = j.document AND v.model = j.model"
)
_ADD: Final = (
    "INSERT INTO vectors (space, number, document, model, numbers)"
    " SELECT %s, j.* FROM unnest(%s::bigint[], %s::text[], %s::text[], %s::bytea[]) AS j"
)
_REMOVE: Final = "DELETE FROM vectors WHERE space = %s AND document = ANY(%s::text[])"
_AFTER: Final = (
    "SELECT document, model, numbers, number FROM vectors WHERE space = %s AND number > %s"
    " ORDER BY number LIMIT %s"
)
_OF: Final = (
    "SELECT document, model, numbers, number FROM vectors WHERE space = %s AND document = ANY(%s::text[])"
    " AND number > %s ORDER BY number"
)


def put(session: Writing, vectors: Sequence[Vector]) -> None:
    """Put vectors in the place of those of the same document and model, or take those away."""
    if not vectors:
        return
    space = session.space
    distinct = {(one.document, one.model): one for one in vectors}
    session.later(_TAKE, (*columns(list(distinct)), space.number))
    added = []
    for one in vectors:
        if not one.numbers:
            continue
        space.vectors += 1
        if distinct[one.document, one.model] is one:
            added.append((space.vectors, one.document, one.model, one.numbers))
    if added:
        session.later(_ADD, (space.number, *columns(added)))


def remove(session: Writing, documents: Sequence[str]) -> None:
    """Take away all vectors of some documents."""
    session.later(_REMOVE, (session.space.number, list(documents)))


def every(session: Session, space: Space, documents: Sequence[str] | None, after: int) -> Iterator[Vector]:
    """The vectors numbered above `after`, in order; of some documents alone where they are given."""
    if documents is not None:
        yield from map(_read, session.rows(_OF, (space.number, list(documents), after)))
        return
    while rows := session.rows(_AFTER, (space.number, after, PAGE)):
        yield from map(_read, rows)
        after = rows[-1][3]


def _read(row: Row) -> Vector:
    document, model, numbers, number = row
    return Vector(document, model, bytes(numbers), number)
