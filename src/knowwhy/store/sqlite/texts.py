"""The text index: which documents contain a term, and how well they answer several."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from heapq import nsmallest
from itertools import accumulate
from typing import Final

from knowwhy.store.protocol import Hit, Hits, TextEntry
from knowwhy.store.sqlite.rows import listed
from knowwhy.store.sqlite.session import Session
from knowwhy.store.sqlite.spaces import Space

# BM25 as FTS5 computes it: its saturation, its length norm, and its floor for terms that more than half of
# all documents contain.
K1: Final = 1.2
B: Final = 0.75
LEAST_IDF: Final = 1e-6

# How many documents a search scores at the most, and how many entries of posting lists it reads for more than
# their number: so a question costs the same however large the memory and however common its words.
CANDIDATES: Final = 2_000
POSTINGS: Final = 20_000
PAGE: Final = 1_000

_NUMBER_BITS: Final = 40
_UNUSUAL: Final = re.compile(r"[\x00-/:-`{-\x7f\ud800-\udfff]")
_ESCAPED: Final = re.compile(r"_([0-9a-f]*)_")
_EMPTY: Final = "__"
_LONGEST: Final = 200

_FREQUENCY: Final = "SELECT doc FROM vocabulary WHERE term = ?"
_CANDIDATES: Final = (
    "SELECT d.document, d.length, d.terms"
    " FROM (SELECT rowid FROM postings WHERE postings MATCH ?1 ORDER BY rowid DESC LIMIT ?2) AS p"
    " CROSS JOIN documents AS d ON d.space = ?3 AND d.number = p.rowid - ?4"
)
_KNOWN: Final = (
    "SELECT document, number, length, terms FROM documents"
    " WHERE space = ? AND document IN (SELECT value FROM json_each(?))"
)
_ADD: Final = "INSERT INTO documents (space, number, document, length, terms) VALUES (?, ?, ?, ?, ?)"
_CHANGE: Final = "UPDATE documents SET length = ?, terms = ? WHERE space = ? AND number = ?"
_POST: Final = "INSERT INTO postings (rowid, terms) VALUES (?, ?)"
_UNPOST: Final = "DELETE FROM postings WHERE rowid = ?"
_ENTRIES_AFTER: Final = (
    "SELECT document, terms FROM documents WHERE space = ? AND document > ? ORDER BY document LIMIT ?"
)


@lru_cache(maxsize=65_536)
def spelled(term: str) -> str:
    """A term as the index spells it, so that FTS5 neither splits it nor reads it as its query language.

    Its tokenizer `ascii` takes every character beyond ASCII as it is; of ASCII we leave it small
    letters and digits, and write all else as its number between two underlines. So no two terms
    are spelled alike.
    """
    return _UNUSUAL.sub(lambda mark: f"_{ord(mark[0]):x}_", term) or _EMPTY


def tallied(terms: Iterable[str]) -> str:
    """The terms of a document, each once between blanks, with `=` and how often if it is there more often."""
    counts = Counter(map(spelled, terms))
    return (
        f" {' '.join([term if count == 1 else f'{term}={count}' for term, count in sorted(counts.items())])} "
    )


def read_back(tally: str) -> tuple[str, ...]:
    """The terms of a document, sorted, each as often as it is there."""
    found: list[str] = []
    for entry in tally[1:-1].split(" ") if tally != "  " else ():
        spelling, _, count = entry.partition("=")
        term = _ESCAPED.sub(lambda mark: mark[1] and chr(int(mark[1], 16)), spelling)
        found += [term] * int(count or 1)
    return tuple(sorted(found))


def put(session: Session, space: Space, entries: Iterable[TextEntry]) -> None:
    """Put entries in the place of those of the same documents; what says the same is left alone."""
    wanted = {one.document: one.terms for one in entries}
    if not wanted:
        return
    changed, postings, added = [], [], []
    for document, number, length, kept in session.rows(_KNOWN, (space.number, listed(wanted))):
        terms = wanted.pop(document)
        if (tally := tallied(terms)) != kept:
            changed.append((len(terms), tally, space.number, number))
            postings.append((_row(space, number), _posted(space, terms)))
            space.terms += len(terms) - length
    if changed:
        session.run_each(_UNPOST, [(row,) for row, _ in postings])
        session.run_each(_CHANGE, changed)
    for document, terms in wanted.items():
        space.documents += 1
        space.terms += len(terms)
        added.append((space.number, space.documents, document, len(terms), tallied(terms)))
        postings.append((_row(space, space.documents), _posted(space, terms)))
    space.texts += len(added)
    session.run_each(_ADD, added)
    session.run_each(_POST, postings)


def forget(session: Session, space: Space) -> None:
    """Empty the index of a space."""
    session.run(
        "DELETE FROM postings WHERE rowid BETWEEN ? AND ?", (_row(space, 0), _row(space, space.documents))
    )
    session.run("DELETE FROM documents WHERE space = ?", (space.number,))
    space.documents = space.texts = space.terms = 0


def entries(session: Session, space: Space) -> Iterator[TextEntry]:
    """Every entry of a space, in order of its document, terms sorted."""
    last = ""
    while rows := session.rows(_ENTRIES_AFTER, (space.number, last, PAGE)):
        yield from (TextEntry(document, read_back(tally)) for document, tally in rows)
        last = rows[-1][0]


def search(session: Session, space: Space, terms: Sequence[str], limit: int) -> Hits:
    """The documents that best answer `terms`, by BM25 over the documents of the space alone.

    Which documents are scored depends on how common the terms are; by what they are scored does
    not. First come all documents of the rarest terms, as many terms as have few enough documents
    together. Then, of the next term, those documents that contain a further term too, as far as
    their posting lists may be read. Only where no term is rare are there, last, the newest documents of the
    rarest one. So up to some thousand matches the answer is exact; beyond that, a document is
    missed only if all of its terms are common.
    """
    asked = {term: spelled(term) for term in terms}
    frequencies = {term: _frequency(session, space, spelling) for term, spelling in asked.items()}
    found = {asked[term]: count for term, count in frequencies.items() if count}
    if not found or limit <= 0:
        return Hits((), frequencies, space.texts)
    marks = [(f" {term}", f" {term} ", _weight(space.texts, count)) for term, count in found.items()]
    average = space.terms / space.texts
    scored = [
        (-_score(tally, length, marks, average), document)
        for document, (length, tally) in _candidates(session, space, found).items()
    ]
    best = (Hit(document, -score) for score, document in nsmallest(limit, scored))
    return Hits(tuple(best), frequencies, space.texts)


def _frequency(session: Session, space: Space, spelling: str) -> int:
    return session.number(_FREQUENCY, (_posting(space, spelling),))


def _candidates(session: Session, space: Space, found: dict[str, int]) -> dict[str, tuple[int, str]]:
    """The length and the tally of each document that is to be scored."""
    candidates: dict[str, tuple[int, str]] = {}
    for question in _questions(space, sorted(found.items(), key=lambda entry: entry[1])):
        room = CANDIDATES - len(candidates)
        if room > 0:
            rows = session.rows(_CANDIDATES, (question, room, space.number, _row(space, 0)))
            candidates.update((document, (length, tally)) for document, length, tally in rows)
    return candidates


def _questions(space: Space, found: list[tuple[str, int]]) -> Iterator[str]:
    """What to ask of the posting lists, most promising first; `found` are the terms, rarest first."""
    rare = _affordable(found, CANDIDATES)
    if rare:
        yield " OR ".join(_quoted(space, rare))
    rest = found[len(rare) :]
    others = _affordable(rest, POSTINGS)[1:]
    if others:
        next_one, *further = _quoted(space, [rest[0][0], *others])
        yield f"{next_one} AND ({' OR '.join(further)})"
    if not rare:
        yield from _quoted(space, [found[0][0]])


def _affordable(found: list[tuple[str, int]], limit: int) -> list[str]:
    """The first terms, as many as have no more than `limit` documents together."""
    totals = accumulate(count for _, count in found)
    return [term for (term, _), total in zip(found, totals, strict=True) if total <= limit]


def _score(tally: str, length: int, marks: list[tuple[str, str, float]], average: float) -> float:
    norm = K1 * (1.0 - B + B * length / average)
    score = 0.0
    for start, whole, weight in marks:
        if start in tally:
            count = 1 if whole in tally else _count(tally, start)
            score += weight * count * (K1 + 1.0) / (count + norm)
    return score


def _count(tally: str, start: str) -> int:
    _, is_there, rest = tally.partition(f"{start}=")
    return int(rest.partition(" ")[0]) if is_there else 0


def _weight(documents: int, count: int) -> float:
    return max(math.log((documents - count + 0.5) / (count + 0.5)), LEAST_IDF)


def _row(space: Space, number: int) -> int:
    return (space.number << _NUMBER_BITS) + number


def _quoted(space: Space, spellings: Iterable[str]) -> list[str]:
    return [f'"{_posting(space, spelling)}"' for spelling in spellings]


def _posted(space: Space, terms: Iterable[str]) -> str:
    return " ".join([_posting(space, spelled(term)) for term in terms])


def _posting(space: Space, spelling: str) -> str:
    """The token of a term in one space, so that the posting lists of spaces stay apart."""
    if len(spelling) > _LONGEST:
        # FTS5 cuts tokens short. No spelling has an h after the first of a pair of underlines.
        digest = blake2b(spelling.encode(), digest_size=16).hexdigest()
        spelling = f"{spelling[:_LONGEST]}_h{digest}"
    return f"{space.number}x{spelling}"
