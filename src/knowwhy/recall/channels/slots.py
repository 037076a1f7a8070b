"""By slot: what is held about the attributes that a question asks for, by their names or synonyms."""

from __future__ import annotations

from typing import Final

from knowwhy.core.model import Belief
from knowwhy.recall.analysis import terms
from knowwhy.recall.channels.names import MOST_ABOUT
from knowwhy.recall.gate import Gate
from knowwhy.recall.leads import Catch, Channel
from knowwhy.recall.question import Query
from knowwhy.recall.wording import wanted_by
from knowwhy.store.protocol import BeliefFilter, Hits

# How many beliefs of an attribute are looked at where no entity is named, and of how many attributes.
_MOST_HITS: Final = 20
_MOST_ATTRIBUTES: Final = 8


def find(gate: Gate, query: Query, known: Hits | None = None) -> Catch:
    """The beliefs about what the question asks for, of what it names, or else of anything.

    `known` is what a search for the terms of the question brought, where there was one.
    """
    cues = query.asked_for(gate.schema)
    if not cues:
        return Catch(Channel.SLOTS)
    chosen = sorted(cues, key=lambda key: (-len(wanted_by(key)), key))[:_MOST_ATTRIBUTES]
    entities = [entity.id for entity in query.mentions.entities]
    found: list[str] = []
    read: list[Belief] = []
    for key in chosen:
        if entities:
            wanted = BeliefFilter(subjects=entities, attribute=key, limit=MOST_ABOUT)
            read += gate.view.beliefs(wanted)
        else:
            # The index has beliefs under the name of their attribute, whatever synonym the question uses.
            wanted_terms = tuple(dict.fromkeys((*terms(key), *query.terms)))
            is_known = known is not None and known.frequencies.keys() == set(wanted_terms)
            hits = known if known is not None and is_known else gate.view.search(wanted_terms, _MOST_HITS)
            best = (hit.document for hit in hits.hits[:_MOST_HITS])
            found += (document for document in best if document.startswith("bl_"))
    return Catch(Channel.SLOTS, tuple(dict.fromkeys(found)), read=tuple(read))
