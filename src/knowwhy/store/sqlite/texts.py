"""The text index: the terms of each document, in the order of documents and as posting lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from knowwhy.store.protocol import TextEntry
from knowwhy.store.sqlite.rows import listed
from knowwhy.store.sqlite.session import Session
from knowwhy.store.sqlite.spaces import Space
from knowwhy.store.sqlite.spelling import read_back, spelled, tallied, tokens

PAGE: Final = 1_000

_NUMBER_BITS: Final = 40

_KNOWN: Final = (
    "SELECT document, number, length, terms FROM documents"
    " WHERE space = ? AND document IN (SELECT value FROM json_each(?))"
)
_ADD: Final = "INSERT INTO documents (space, number, document, length, terms) VALUES (?, ?, ?, ?, ?)"
_CHANGE: Final = "UPDATE documents SET length = ?, terms = ? WHERE space = ? AND number = ?"
_POST: Final = "INSERT INTO postings (rowid, terms) VALUES (?, ?)"
_REMOVE: Final = "DELETE FROM documents WHERE space = ? AND number = ?"
_UNPOST: Final = "DELETE FROM postings WHERE rowid = ?"
_UNPOST_ALL: Final = "DELETE FROM postings WHERE rowid BETWEEN ? AND ?"
_ENTRIES_OF: Final = (
    "SELECT document, terms FROM documents WHERE space = ?"
    " AND document IN (SELECT value FROM json_each(?)) ORDER BY document"
)
_ENTRIES_AFTER: Final = (
    "SELECT document, terms FROM documents WHERE space = ? AND document > ? ORDER BY document LIMIT ?"
)


def posting_row(space: Space, number: int) -> int:
    """The row of the posting lists that stands for a document; those of a space lie side by side."""
    return (space.number << _NUMBER_BITS) + number


def put(session: Session, space: Space, entries: Iterable[TextEntry]) -> None:
    """Put entries in the place of those of the same documents; what says the same is left alone."""
    wanted = {one.document: [spelled(term) for term in one.terms] for one in entries}
    if not wanted:
        return
    changed, postings, added = [], [], []
    for document, number, length, kept in session.rows(_KNOWN, (space.number, listed(wanted))):
        spellings = wanted.pop(document)
        if (tally := tallied(spellings)) != kept:
            changed.append((len(spellings), tally, space.number, number))
            postings.append((posting_row(space, number), tokens(space.number, spellings)))
            space.terms += len(spellings) - length
    if changed:
        session.run_each(_UNPOST, [(row,) for row, _ in postings])
        session.run_each(_CHANGE, changed)
    for document, spellings in wanted.items():
        space.documents += 1
        space.terms += len(spellings)
        added.append((space.number, space.documents, document, len(spellings), tallied(spellings)))
        postings.append((posting_row(space, space.documents), tokens(space.number, spellings)))
    space.texts += len(added)
    session.run_each(_ADD, added)
    session.run_each(_POST, postings)


def remove(session: Session, space: Space, documents: Sequence[str]) -> None:
    """Take documents out of the index; those that are not in it are passed over."""
    known = session.rows(_KNOWN, (space.number, listed(documents)))
    session.run_each(_UNPOST, [(posting_row(space, row[1]),) for row in known])
    session.run_each(_REMOVE, [(space.number, row[1]) for row in known])
    space.texts -= len(known)
    space.dropped_documents += len(known)
    space.terms -= sum(row[2] for row in known)


def forget(session: Session, space: Space) -> None:
    """Empty the index of a space."""
    session.run(_UNPOST_ALL, (posting_row(space, 0), posting_row(space, space.documents)))
    session.run("DELETE FROM documents WHERE space = ?", (space.number,))
    space.documents = space.texts = space.terms = space.dropped_documents = 0


def entries(session: Session, space: Space, documents: Sequence[str] | None = None) -> Iterator[TextEntry]:
    """Every entry of a space, or those of some documents, in order of its document, terms sorted."""
    if documents is not None:
        for row in session.rows(_ENTRIES_OF, (space.number, listed(documents))):
            yield TextEntry(row[0], read_back(row[1]))
        return
    last = ""
    while rows := session.rows(_ENTRIES_AFTER, (space.number, last, PAGE)):
        yield from (TextEntry(document, read_back(tally)) for document, tally in rows)
        last = rows[-1][0]
