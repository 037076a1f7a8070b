"""The text index: which documents contain a term, and how well they answer several."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
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

# How many documents a search scores at the most.
CANDIDATES: Final = 2_000
PAGE: Final = 1_000

_NUMBER_BITS: Final = 40
_UNUSUAL: Final = re.compile(r"[\x00-/:-`{-\x7f\ud800-\udfff]")
_ESCAPED: Final = re.compile(r"_([0-9a-f]+)_")
_LONGEST: Final = 200

_FREQUENCY: Final = "SELECT doc FROM vocabulary WHERE term = ?"
_MATCHES: Final = "SELECT rowid FROM postings WHERE postings MATCH ? ORDER BY rowid DESC LIMIT ?"
_DOCUMENTS: Final = (
    "SELECT document, terms FROM documents WHERE space = ? AND number IN (SELECT value FROM json_each(?))"
)
_KNOWN: Final = (
    "SELECT document, number, terms FROM documents"
    " WHERE space = ? AND document IN (SELECT value FROM json_each(?))"
)
_ADD: Final = "INSERT INTO documents (space, number, document, terms) VALUES (?, ?, ?, ?)"
_CHANGE: Final = "UPDATE documents SET terms = ? WHERE space = ? AND number = ?"
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
    return _UNUSUAL.sub(lambda mark: f"_{ord(mark[0]):x}_", term)


def read_back(spelling: str) -> str:
    """The term that is spelled so."""
    if "_" not in spelling:
        return spelling
    return _ESCAPED.sub(lambda mark: chr(int(mark[1], 16)), spelling)


def put(session: Session, space: Space, entries: Iterable[TextEntry]) -> None:
    """Put entries in the place of those of the same documents."""
    wanted = {one.document: " ".join(sorted(map(spelled, one.terms))) for one in entries}
    if not wanted:
        return
    changed, postings, added = [], [], []
    for document, number, terms in session.rows(_KNOWN, (space.number, listed(wanted))):
        now = wanted.pop(document)
        if now != terms:
            changed.append((now, space.number, number))
            postings.append((_row(space, number), _posted(space, now)))
            space.terms += _length(now) - _length(terms)
    if changed:
        session.run_each(_UNPOST, [(row,) for row, _ in postings])
        session.run_each(_CHANGE, changed)
    for document, terms in wanted.items():
        space.documents += 1
        space.terms += _length(terms)
        added.append((space.number, space.documents, document, terms))
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
        for document, terms in rows:
            yield TextEntry(document, tuple(sorted(map(read_back, _split(terms)))))
        last = rows[-1][0]


def search(session: Session, space: Space, terms: Sequence[str], limit: int) -> Hits:
    """The documents that best answer `terms`, by BM25 over the documents of the space alone.

    The rarest terms choose the candidates: terms are admitted, rarest first, while the documents that
    contain them are no more than `CANDIDATES` together. Candidates are scored by all terms. So a
    document that contains common terms only is found as long as there is room for it, and common
    words cost nothing where there are rarer ones. Where even the rarest term has more documents
    than that, the newest of them are scored.
    """
    asked = {term: spelled(term) for term in terms}
    frequencies = {term: _frequency(session, space, spelling) for term, spelling in asked.items()}
    found = {term: count for term, count in frequencies.items() if count}
    if not found or limit <= 0:
        return Hits((), frequencies, space.texts)
    rows = _candidates(session, space, [asked[term] for term in _telling(found)])
    weights = {asked[term]: _weight(space.texts, count) for term, count in found.items()}
    average = space.terms / space.texts
    hits = [Hit(document, _score(_split(terms), weights, average)) for document, terms in rows]
    hits.sort(key=lambda hit: (-hit.score, hit.document))
    return Hits(tuple(hits[:limit]), frequencies, space.texts)


def _frequency(session: Session, space: Space, spelling: str) -> int:
    return session.value(_FREQUENCY, (_posting(space, spelling),)) or 0


def _telling(frequencies: dict[str, int]) -> list[str]:
    """The rarest terms, at least one, that have few enough documents together."""
    admitted: list[str] = []
    total = 0
    for term, count in sorted(frequencies.items(), key=lambda found: found[1]):
        total += count
        if admitted and total > CANDIDATES:
            break
        admitted.append(term)
    return admitted


def _candidates(session: Session, space: Space, spellings: Iterable[str]) -> list[tuple[str, str]]:
    question = " OR ".join(f'"{_posting(space, spelling)}"' for spelling in spellings)
    rows = session.rows(_MATCHES, (question, CANDIDATES))
    first = _row(space, 0)
    return session.rows(_DOCUMENTS, (space.number, json.dumps([row - first for (row,) in rows])))


def _score(terms: list[str], weights: dict[str, float], average: float) -> float:
    norm = K1 * (1.0 - B + B * len(terms) / average)
    score = 0.0
    for term, weight in weights.items():
        if (count := terms.count(term)) > 0:
            score += weight * count * (K1 + 1.0) / (count + norm)
    return score


def _weight(documents: int, count: int) -> float:
    return max(math.log((documents - count + 0.5) / (count + 0.5)), LEAST_IDF)


def _row(space: Space, number: int) -> int:
    return (space.number << _NUMBER_BITS) + number


def _posted(space: Space, terms: str) -> str:
    return " ".join(_posting(space, term) for term in _split(terms))


def _posting(space: Space, spelling: str) -> str:
    """The token of a term in one space, so that the posting lists of spaces stay apart."""
    if len(spelling) > _LONGEST:
        # FTS5 cuts tokens short. No spelling has a letter after an underline that begins its mark, so none is met.
        digest = blake2b(spelling.encode(), digest_size=16).hexdigest()
        spelling = f"{spelling[:_LONGEST]}_h{digest}"
    return f"{space.number}x{spelling}"


def _split(terms: str) -> list[str]:
    return terms.split(" ") if terms else []


def _length(terms: str) -> int:
    return terms.count(" ") + 1 if terms else 0
