"""Vectors: what documents say as models see it, numbered in the order in which they were put."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Final

from knowwhy.store.protocol import Vector
from knowwhy.store.sqlite.rows import listed
from knowwhy.store.sqlite.session import Session
from knowwhy.store.sqlite.spaces import Space

PAGE: Final = 500

_TAKE: Final = "DELETE FROM vectors WHERE space = ? AND document = ? AND model = ?"
_ADD: Final = "INSERT INTO vectors (space, number, document, model, numbers) VALUES (?, ?, ?, ?, ?)"
_REMOVE: Final = "DELETE FROM vectors WHERE space = ? AND document IN (SELECT value FROM json_each(?))"
_AFTER: Final = (
    "SELECT document, model, numbers, number FROM vectors WHERE space = ? AND number > ?"
    " ORDER BY number LIMIT ?"
)
_OF: Final = (
    "SELECT document, model, numbers, number FROM vectors WHERE space = ?"
    " AND document IN (SELECT value FROM json_each(?)) AND number > ?"
)


def put(session: Session, space: Space, vectors: Sequence[Vector]) -> None:
    """Put vectors in the place of those of the same document and model, or take those away."""
    distinct = {(one.document, one.model): one for one in vectors}
    session.run_each(_TAKE, [(space.number, *key) for key in distinct])
    added = []
    for one in vectors:
        if not one.numbers:
            continue
        space.vectors += 1
        if distinct[one.document, one.model] is one:
            added.append((space.number, space.vectors, one.document, one.model, one.numbers))
    session.run_each(_ADD, added)


def remove(session: Session, space: Space, documents: Sequence[str]) -> None:
    """Take away all vectors of some documents."""
    session.run(_REMOVE, (space.number, listed(documents)))


def every(session: Session, space: Space, documents: Sequence[str] | None, after: int) -> Iterator[Vector]:
    """The vectors numbered above `after`, in order; of some documents alone where they are given."""
    if documents is not None:
        found = session.rows(_OF, (space.number, listed(documents), after))
        # Put in order here: the engine would move the numbers of each about.
        yield from (Vector(*row) for row in sorted(found, key=itemgetter(3)))
        return
    while rows := session.rows(_AFTER, (space.number, after, PAGE)):
        yield from (Vector(*row) for row in rows)
        after = rows[-1][3]
