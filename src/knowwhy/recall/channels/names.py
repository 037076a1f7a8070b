"""By name: what is held about the entities that a question names, and what has one of them as its value."""

from __future__ import annotations

from typing import Final

from knowwhy.core.model import Belief
from knowwhy.recall.analysis import terms
from knowwhy.recall.gate import Gate
from knowwhy.recall.leads import Catch, Channel
from knowwhy.recall.question import Mentions, Query
from knowwhy.store.protocol import BeliefFilter

# How many beliefs about one named entity are looked at.
MOST_ABOUT: Final = 200


def find(gate: Gate, query: Query) -> Catch:
    """The beliefs about what the question names; a belief accounts for the names of what it is about."""
    entities = [entity.id for entity in query.mentions.entities]
    if not entities:
        return Catch(Channel.NAMES)
    near = gate.view.beliefs(BeliefFilter(subjects=entities, limit=MOST_ABOUT))
    values = [f"entity:{one}" for one in entities]
    near += gate.view.beliefs(BeliefFilter(values=values, limit=MOST_ABOUT))
    return Catch(Channel.NAMES, read=tuple(near))


def names_of(belief: Belief, mentions: Mentions) -> tuple[str, ...]:
    """By which of the names in the question a belief is about what is named."""
    subject, value = belief.slot.subject.id, belief.value.key
    return tuple(
        key for key, entity in mentions.named if entity.id == subject or value == f"entity:{entity.id}"
    )


def covered(names: tuple[str, ...]) -> set[str]:
    """The terms that names account for."""
    return {term for key in names for term in terms(key)}
