"""Searching: the documents that best answer some terms."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from heapq import nsmallest
from itertools import accumulate
from typing import Final, TypeAlias

from knowwhy.store.bm25 import K1, LEAST_IDF, B
from knowwhy.store.postgres.adapting import short
from knowwhy.store.postgres.session import Asked, Session
from knowwhy.store.postgres.spaces import Space
from knowwhy.store.postgres.texts import line_of
from knowwhy.store.protocol import Hit, Hits

# How many documents a search scores at the most, and how many entries of posting lists it reads to find
# documents with two common terms.
CANDIDATES: Final = 600
POSTINGS: Final = 20_000

# Counting a common term reads all of its posting list, so the count is kept until one document in a
# hundred is new.
COMMON: Final = 1_000
LASTING: Final = 1.01
KEPT: Final = 10_000

_COUNTED: Final = (
    "SELECT j.term, (SELECT count(*) FROM postings AS p WHERE p.space = %s AND p.term = j.term)"
    " FROM unnest(%s::text[]) AS j(term)"
)
_SCORED: Final = (
    "SELECT d.document, d.terms FROM ({}) AS p JOIN documents AS d ON d.space = %s AND d.number = p.document"
)
# The newest documents first: with one of some terms; with a term, and another one too; with a term.
WITH_ANY: Final = _SCORED.format(
    "SELECT DISTINCT document FROM postings WHERE space = %s AND term = ANY(%s::text[])"
    " ORDER BY document DESC LIMIT %s"
)
WITH_TWO: Final = _SCORED.format(
    "SELECT document FROM postings WHERE space = %s AND term = %s INTERSECT"
    " SELECT document FROM postings WHERE space = %s AND term = ANY(%s::text[])"
    " ORDER BY document DESC LIMIT %s"
)
WITH_ONE: Final = _SCORED.format(
    "SELECT document FROM postings WHERE space = %s AND term = %s ORDER BY document DESC LIMIT %s"
)

# A term as a line of its own, as two lines that follow each other, by itself, and how much it weighs.
Weighed: TypeAlias = tuple[str, str, str, float]


class Frequencies:
    """In how many documents terms are: counted exactly up to a thousand, and to a hundredth above."""

    def __init__(self) -> None:
        self._common: dict[tuple[int, int, str], tuple[int, int]] = {}

    def counts(self, session: Session, space: Space, terms: Iterable[str]) -> dict[str, int]:
        """How many documents of the space contain each of some terms, given as keys."""
        found, unknown = {}, []
        for term in dict.fromkeys(terms):
            count, counted_at = self._common.get((space.number, space.rebuilds, term), (0, 0))
            if count and counted_at <= space.documents <= counted_at * LASTING:
                found[term] = count
            else:
                unknown.append(term)
        if unknown:
            for term, count in session.rows(_COUNTED, (space.number, unknown)):
                found[term] = count
                if count > COMMON:
                    self._keep((space.number, space.rebuilds, term), (count, space.documents))
        return found

    def _keep(self, key: tuple[int, int, str], count: tuple[int, int]) -> None:
        if len(self._common) >= KEPT:
            self._common.clear()
        self._common[key] = count


def search(session: Session, space: Space, known: Frequencies, terms: Sequence[str], limit: int) -> Hits:
    """The documents that best answer `terms`, by BM25 over the documents of the space alone.

    Which documents are scored depends on how common the terms are; by what they are scored does
    not. First come all documents of the rarest terms, as many terms as have few enough documents
    together. Then, of the next term, those documents that contain a further term too, as far as
    their posting lists may be read. Only where no term is rare are there, last, the newest
    documents of the rarest one. So with up to `CANDIDATES` matches the answer is exact; beyond
    that, a document can be missed only if none of its terms is among the rare ones.
    """
    asked = {term: short(term) for term in terms}
    counts = known.counts(session, space, asked.values())
    frequencies = {term: counts[key] for term, key in asked.items()}
    found = {term: count for term, count in frequencies.items() if count}
    if not found or limit <= 0:
        return Hits((), frequencies, space.texts)
    weights = [_weighed(line_of(term), space.texts, count) for term, count in found.items()]
    average = space.terms / space.texts
    candidates = _candidates(session, space, {asked[term]: count for term, count in found.items()})
    scored = [(-_score(lines, weights, average), document) for document, lines in candidates.items()]
    best = (Hit(document, -score) for score, document in nsmallest(limit, scored))
    return Hits(tuple(best), frequencies, space.texts)


def _candidates(session: Session, space: Space, found: dict[str, int]) -> dict[str, str]:
    """The lines of terms of each document that is to be scored."""
    candidates: dict[str, str] = {}
    for sql, bindings in questions(space.number, sorted(found.items(), key=lambda entry: entry[1])):
        room = CANDIDATES - len(candidates)
        if room > 0:
            candidates.update(session.rows(sql, (*bindings, room, space.number)))
    return candidates


def questions(space: int, found: Sequence[tuple[str, int]]) -> Iterator[Asked]:
    """What to ask of the posting lists, most promising first; `found` are the terms, rarest first.

    What is bound further is how many documents are wanted, and the space again.
    """
    rare = _affordable(found, CANDIDATES)
    if rare:
        yield WITH_ANY, (space, rare)
    common = found[len(rare) :]
    others = _affordable(common, POSTINGS)[1:]
    if others:
        yield WITH_TWO, (space, common[0][0], space, others)
    if not rare:
        yield WITH_ONE, (space, found[0][0])


def _affordable(found: Sequence[tuple[str, int]], limit: int) -> list[str]:
    """The first terms, as many as have no more than `limit` documents together."""
    totals = accumulate(count for _, count in found)
    return [term for (term, _), total in zip(found, totals, strict=True) if total <= limit]


def _score(lines: str, weights: Sequence[Weighed], average: float) -> float:
    """The score of a document."""
    text = f"\n{lines}\n"
    norm = K1 * (1.0 - B + B * (text.count("\n") - 1) / average)
    score = 0.0
    for once, twice, term, weight in weights:
        # Most terms are in few documents and there once, so it pays to look before counting.
        if once in text:
            count = lines.split("\n").count(term) if twice in text else 1
            score += weight * count * (K1 + 1.0) / (count + norm)
    return score


def _weighed(line: str, documents: int, count: int) -> Weighed:
    weight = max(math.log((documents - count + 0.5) / (count + 0.5)), LEAST_IDF)
    return f"\n{line}\n", f"\n{line}\n{line}\n", line, weight
