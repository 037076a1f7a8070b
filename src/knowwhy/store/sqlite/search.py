"""Searching: the documents that best answer some terms."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from heapq import nsmallest
from itertools import accumulate
from typing import Final

from knowwhy.store.protocol import Hit, Hits
from knowwhy.store.sqlite.session import Session
from knowwhy.store.sqlite.spaces import Space
from knowwhy.store.sqlite.spelling import quoted, spelled, token
from knowwhy.store.sqlite.texts import posting_row

# BM25 as FTS5 computes it: its saturation, its length norm, and its floor for terms that more than half of
# all documents contain.
K1: Final = 1.2
B: Final = 0.75
LEAST_IDF: Final = 1e-6

# How many documents a search scores at the most, and how many entries of posting lists it reads to find
# documents with two common terms. Without such bounds, words that one document in ten contains would take
# a hundred milliseconds of a memory of half a million documents.
CANDIDATES: Final = 600
POSTINGS: Final = 20_000

# Counting a common term reads all of its posting list, so the count is kept until one document in a
# hundred is new.
COMMON: Final = 1_000
LASTING: Final = 1.01
KEPT: Final = 10_000

_FREQUENCY: Final = "SELECT doc FROM vocabulary WHERE term = ?"
_CANDIDATES: Final = (
    "SELECT d.document, d.length, d.terms"
    " FROM (SELECT rowid FROM postings WHERE postings MATCH ?1 ORDER BY rowid DESC LIMIT ?2) AS p"
    " CROSS JOIN documents AS d ON d.space = ?3 AND d.number = p.rowid - ?4"
)


class Frequencies:
    """In how many documents terms are: counted exactly up to a thousand, and to a hundredth above."""

    def __init__(self) -> None:
        self._common: dict[str, tuple[int, int]] = {}

    def count(self, session: Session, space: Space, spelling: str) -> int:
        """How many documents of the space contain the term of that spelling."""
        wanted = token(space.number, spelling)
        count, counted_at = self._common.get(wanted, (0, 0))
        if count and counted_at <= space.documents <= counted_at * LASTING:
            return count
        count = session.number(_FREQUENCY, (wanted,))
        if count > COMMON:
            if len(self._common) >= KEPT:
                self._common.clear()
            self._common[wanted] = (count, space.documents)
        return count


def search(session: Session, space: Space, known: Frequencies, terms: Sequence[str], limit: int) -> Hits:
    """The documents that best answer `terms`, by BM25 over the documents of the space alone.

    Which documents are scored depends on how common the terms are; by what they are scored does
    not. First come all documents of the rarest terms, as many terms as have few enough documents
    together. Then, of the next term, those documents that contain a further term too, as far as
    their posting lists may be read. Only where no term is rare are there, last, the newest
    documents of the rarest one. So with up to `CANDIDATES` matches the answer is exact; beyond
    that, a document can be missed only if none of its terms is among the rare ones.
    """
    asked = {term: spelled(term) for term in terms}
    frequencies = {term: known.count(session, space, spelling) for term, spelling in asked.items()}
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


def _candidates(session: Session, space: Space, found: dict[str, int]) -> dict[str, tuple[int, str]]:
    """The length and the tally of each document that is to be scored."""
    candidates: dict[str, tuple[int, str]] = {}
    for question in questions(space.number, sorted(found.items(), key=lambda entry: entry[1])):
        room = CANDIDATES - len(candidates)
        if room > 0:
            rows = session.rows(_CANDIDATES, (question, room, space.number, posting_row(space, 0)))
            candidates.update((document, (length, tally)) for document, length, tally in rows)
    return candidates


def questions(space: int, found: Sequence[tuple[str, int]]) -> Iterator[str]:
    """What to ask of the posting lists, most promising first; `found` are the terms, rarest first."""
    rare = _affordable(found, CANDIDATES)
    if rare:
        yield " OR ".join(quoted(space, term) for term in rare)
    common = found[len(rare) :]
    others = _affordable(common, POSTINGS)[1:]
    if others:
        either = " OR ".join(quoted(space, term) for term in others)
        yield f"{quoted(space, common[0][0])} AND ({either})"
    if not rare:
        yield quoted(space, found[0][0])


def _affordable(found: Sequence[tuple[str, int]], limit: int) -> list[str]:
    """The first terms, as many as have no more than `limit` documents together."""
    totals = accumulate(count for _, count in found)
    return [term for (term, _), total in zip(found, totals, strict=True) if total <= limit]


def _score(tally: str, length: int, marks: list[tuple[str, str, float]], average: float) -> float:
    """The score of a document by BM25 (Robertson and Zaragoza 2009, §3.1)."""
    norm = K1 * (1.0 - B + B * length / average)
    score = 0.0
    for start, whole, weight in marks:
        # Most terms are in few documents, so it pays to look for the term before counting it.
        if start in tally:
            count = 1 if whole in tally else _count(tally, start)
            score += weight * count * (K1 + 1.0) / (count + norm)
    return score


def _count(tally: str, start: str) -> int:
    _, is_there, rest = tally.partition(f"{start}=")
    return int(rest.partition(" ")[0]) if is_there else 0


def _weight(documents: int, count: int) -> float:
    return max(math.log((documents - count + 0.5) / (count + 0.5)), LEAST_IDF)
