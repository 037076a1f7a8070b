"""ask: what stands for a subject, or for one attribute of it, with its rivals and grounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knowwhy.core.model import Belief, Entity, attribute_key, entity_value, name_key
from knowwhy.core.timeline import Scope
from knowwhy.engine.sight import Sight
from knowwhy.engine.space import Space
from knowwhy.ingest.resolution import conditions_key
from knowwhy.recall.answer import Answer
from knowwhy.recall.finding import Finding
from knowwhy.recall.gate import Gate
from knowwhy.recall.standing import grounded, standing
from knowwhy.store.protocol import BeliefFilter


def ask(
    space: Space,
    subject: str,
    attribute: str | None = None,
    *,
    scope: Scope,
    conditions: Mapping[str, str] | None = None,
    subject_id: str | None = None,
    sight: Sight | None = None,
) -> Answer:
    """What is held of a subject in `scope`; of all its attributes where none is named.

    With `conditions`, beliefs that hold only under others are left out, and those made for more of
    the given ones come first. A name that stands for several entities is asked back.
    """
    with space.reading(scope) as gate:
        entities = meant(gate, subject, subject_id)
        if sight is not None:
            sight.look(gate, (one.id for one in entities))
        return answered(gate, entities, subject, attribute, conditions)


def answered(
    gate: Gate,
    entities: Sequence[Entity],
    subject: str,
    attribute: str | None,
    conditions: Mapping[str, str] | None,
) -> Answer:
    """What is held of the entities that a subject's name may stand for."""
    valid = gate.scope.valid
    if len(entities) > 1:
        return Answer(subject, attribute, valid, candidates=tuple(entities))
    if not entities:
        return Answer(subject, attribute, valid)
    held = about(gate, entities[0], attribute)
    found = standing(gate, _applicable(held, conditions))
    answers = sorted(found.answers, key=_by_strength)
    return Answer(
        subject,
        attribute,
        valid,
        grounded(answers, gate.grounds(one.belief for one in answers)),
        tuple(sorted(found.others, key=_by_strength)),
    )


def meant(gate: Gate, subject: str, subject_id: str | None = None) -> list[Entity]:
    """The entities that a name, or an id, stands for."""
    if subject_id is not None:
        return gate.entities([subject_id])
    key = name_key(subject)
    return gate.names([key]).get(key, [])


def about(gate: Gate, entity: Entity, attribute: str | None) -> list[Belief]:
    """All beliefs about an entity, or about the attribute that a name or synonym means.

    The inverse of an attribute also means those beliefs that have the entity as their value.
    """
    key = None if attribute is None else attribute_key(attribute)
    declared = gate.schema.by_name.get(key) if key is not None else None
    held = gate.beliefs(BeliefFilter(subjects=[entity.id], attribute=declared.key if declared else key))
    relation = gate.schema.inverses.get(key) if key is not None else None
    if relation is not None:
        value = entity_value(entity.id, entity.name).key
        held += gate.beliefs(BeliefFilter(values=[value], attribute=relation.key))
    return held


def _applicable(held: list[Belief], conditions: Mapping[str, str] | None) -> list[Belief]:
    if conditions is None:
        return held
    given = set(conditions_key(conditions))
    return [belief for belief in held if given.issuperset(belief.slot.conditions)]


def _by_strength(finding: Finding) -> tuple[str, int, float, int, str]:
    belief = finding.belief
    return (
        belief.slot.attribute,
        -len(belief.slot.conditions),
        -finding.raw_confidence,
        -belief.observed_at,
        belief.id,
    )
