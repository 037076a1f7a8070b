"""By words: the beliefs and the evidence whose words the question shares, by BM25 over the whole memory."""

from __future__ import annotations

from knowwhy.recall.documents import calendar_terms_within
from knowwhy.recall.leads import Catch, Channel
from knowwhy.recall.question import Query
from knowwhy.recall.timing import Relation, Timing
from knowwhy.store.protocol import Hits

_BELIEF = "bl_"
_EVIDENCE = "ev_"


def index_terms(query: Query) -> tuple[str, ...]:
    """What to look for in the index: the terms of the question, and the days that it names."""
    return tuple(dict.fromkeys((*query.terms, *days_named(query.timing))))


def days_named(timing: Timing) -> tuple[str, ...]:
    """The index terms of the days or months that lie in the times named."""
    return tuple(
        dict.fromkeys(
            term
            for one in timing.read
            if one.relation is Relation.IN
            for term in calendar_terms_within(one.start, one.end)
        )
    )


def catch_of(hits: Hits) -> Catch:
    """What a search of the index brings."""
    documents = [hit.document for hit in hits.hits]
    return Catch(
        Channel.TEXT,
        tuple(one for one in documents if one.startswith(_BELIEF)),
        tuple(one for one in documents if one.startswith(_EVIDENCE)),
    )
