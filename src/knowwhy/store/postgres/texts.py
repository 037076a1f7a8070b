"""The text index: the terms of each document, in the order of documents and as posting lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from knowwhy.store.postgres.adapting import Row, short
from knowwhy.store.postgres.rows import columns
from knowwhy.store.postgres.session import Asked, Session, Writing
from knowwhy.store.postgres.spaces import Space
from knowwhy.store.protocol import TextEntry

PAGE: Final = 1_000

_KNOWN: Final = (
    "SELECT document, number, terms FROM documents WHERE space = %s AND document = ANY(%s::text[])"
)
_ADD: Final = (
    "INSERT INTO documents (space, number, document, terms)"
    " SELECT %s, j.* FROM unnest(%s::bigint[], %s::text[], %s::text[]) AS j"
)
_CHANGE: Final = (
    "UPDATE documents AS d SET terms = j.terms FROM unnest(%s::bigint[], %s::text[]) AS j(number, terms)"
    " WHERE d.space = %s AND d.number = j.number"
)
_POST: Final = (
    "INSERT INTO postings (space, term, document)"
    " SELECT %s, j.* FROM unnest(%s::text[], %s::bigint[]) AS j ON CONFLICT DO NOTHING"
)
_UNPOST: Final = (
    "DELETE FROM postings AS p USING unnest(%s::text[], %s::bigint[]) AS j(term, document)"
    " WHERE p.space = %s AND p.term = j.term AND p.document = j.document"
)
_REMOVE: Final = "DELETE FROM documents WHERE space = %s AND number = ANY(%s::bigint[])"
_FORGET: Final = ("DELETE FROM postings WHERE space = %s", "DELETE FROM documents WHERE space = %s")
_ENTRIES_OF: Final = (
    "SELECT document, terms FROM documents WHERE space = %s AND document = ANY(%s::text[]) ORDER BY document"
)
_ENTRIES_AFTER: Final = (
    "SELECT document, terms FROM documents WHERE space = %s AND document > %s ORDER BY document LIMIT %s"
)


def lines(terms: Iterable[str]) -> str | None:
    """Terms in order, one on each line; what would end a line is written with a backslash."""
    ordered = sorted(terms)
    if not ordered:
        return None
    text = "\n".join(ordered)
    if "\\" in text or text.count("\n") >= len(ordered):
        text = "\n".join(line_of(term) for term in ordered)
    return text


def line_of(term: str) -> str:
    """A term as its line."""
    return term.replace("\\", "\\\\").replace("\n", "\\n")


def read_back(text: str | None) -> tuple[str, ...]:
    """The terms of such lines, sorted, each as often as it is there."""
    if text is None:
        return ()
    found = text.split("\n")
    if "\\" in text:
        found = ["\\".join(part.replace("\\n", "\n") for part in line.split("\\\\")) for line in found]
    return tuple(found)


def asked_of(space: Space, documents: Sequence[str]) -> Asked:
    """The query for what is known of some documents."""
    return _KNOWN, (space.number, list(documents))


def put(session: Writing, entries: Sequence[TextEntry], known: Iterable[Row]) -> None:
    """Put entries in the place of those of the same documents, which are known; equal ones are left alone."""
    space = session.space
    wanted = {one.document: one.terms for one in entries}
    changed, added = [], []
    posted: list[tuple[str, int]] = []
    unposted: list[tuple[str, int]] = []
    for document, number, text in known:
        before, after = read_back(text), wanted.pop(document)
        if text != (now := lines(after)):
            changed.append((number, now))
            space.terms += len(after) - len(before)
            unposted += [(short(term), number) for term in set(before).difference(after)]
            posted += [(short(term), number) for term in set(after).difference(before)]
    for document, terms in wanted.items():
        space.documents += 1
        space.texts += 1
        space.terms += len(terms)
        added.append((space.documents, document, lines(terms)))
        posted += [(short(term), space.documents) for term in set(terms)]
    if unposted:
        session.later(_UNPOST, (*columns(unposted), space.number))
    if changed:
        session.later(_CHANGE, (*columns(changed), space.number))
    if added:
        session.later(_ADD, (space.number, *columns(added)))
    if posted:
        # In the order of the index, so that neighbours are written together.
        session.later(_POST, (space.number, *columns(sorted(posted))))


def remove(session: Writing, known: Iterable[Row]) -> None:
    """Take documents out of the index, which are known."""
    space = session.space
    unposted: list[tuple[str, int]] = []
    numbers = []
    for _, number, text in known:
        terms = read_back(text)
        numbers.append(number)
        unposted += [(short(term), number) for term in set(terms)]
        space.texts -= 1
        space.dropped_documents += 1
        space.terms -= len(terms)
    if unposted:
        session.later(_UNPOST, (*columns(unposted), space.number))
    if numbers:
        session.later(_REMOVE, (space.number, numbers))


def forget(session: Writing) -> None:
    """Empty the index of a space."""
    space = session.space
    for sql in _FORGET:
        session.later(sql, (space.number,))
    space.documents = space.texts = space.terms = space.dropped_documents = 0


def entries(session: Session, space: Space, documents: Sequence[str] | None = None) -> Iterator[TextEntry]:
    """Every entry of a space, or those of some documents, in order of its document, terms sorted."""
    if documents is not None:
        for row in session.rows(_ENTRIES_OF, (space.number, list(documents))):
            yield TextEntry(row[0], read_back(row[1]))
        return
    last = ""
    while rows := session.rows(_ENTRIES_AFTER, (space.number, last, PAGE)):
        yield from (TextEntry(document, read_back(text)) for document, text in rows)
        last = rows[-1][0]
