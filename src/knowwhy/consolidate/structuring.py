"""link, archive, fold: ties for lonely nodes, what was long unused put away, names that mean the same."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from knowwhy.consolidate.material import Material, chunks
from knowwhy.consolidate.plan import Conclusion, Proposal, Step
from knowwhy.core.model import (
    HIGH_STAKES,
    Archive,
    Belief,
    Entity,
    Slot,
    Status,
    ValueType,
    attribute_key,
    entity_value,
    slot_of,
)
from knowwhy.core.revision import ContestKey
from knowwhy.core.timeline import shown
from knowwhy.recall.analysis import terms
from knowwhy.recall.gate import ARCHIVABLE
from knowwhy.store.protocol import BeliefFilter

# What is told of more things at once ties none of them to another.
_MOST_TOGETHER: Final = 5
# So many beliefs of a node are looked at.
_MOST_LOOKED_AT: Final = 200
_TIE: Final = "mentioned with"


# Lonely nodes -----------------------------------------------------------------------------------


def _nodes(material: Material) -> Iterable[str]:
    """The nodes of which something was said since, and those told of together with one of them."""
    touched = material.touched.values()
    found = {one.slot.subject.id for one in touched} | set(map(_led_to, touched)) - {""}
    near = {
        each
        for one in sorted(found)
        for those in _together(material, _held_of(material, one)).values()
        for each in those
    }
    return sorted(found | near)


def _led_to(one: Belief) -> str:
    """The node (by id) that a relation leads to; empty where it is no relation."""
    is_relation = one.value.type is ValueType.ENTITY
    return one.value.key.removeprefix(f"{ValueType.ENTITY}:") if is_relation else ""


def _linked(material: Material, topic: str) -> Iterator[Proposal]:
    """Tie a node that no relation leads to or from to the one it shares most evidence with."""
    own, found = _mates(material, topic)
    if not own:
        return
    slot = slot_of(own[0].slot.subject, _TIE)
    tie = None if found is None else _tie(material, slot, *found)
    yield Proposal(
        what=f"{slot.subject.name} / {_TIE}" + (f" = {tie.value}" if tie is not None else ""),
        why="it is lonely no more"
        if tie is None
        else "nothing leads to it or from it, and evidence tells of both",
        effect="nothing ties it" if tie is None else "the two are one step apart in the graph",
        evidence=() if tie is None else tie.evidence,
        conclusions=() if tie is None else (tie,),
        rules_on=(slot,),
    )


def _tie(material: Material, slot: Slot, mate: Entity, shared: tuple[str, ...]) -> Conclusion | None:
    """The tie of a node to another; none where the other is as lonely, and is tied to this one."""
    topic = slot.subject.id
    back = _mates(material, mate.id)[1]
    if back is not None and back[0].id == topic and mate.id < topic:
        return None
    premises = [_first_held(material, one, shared) for one in (topic, mate.id)]
    held = tuple(one for one in premises if one is not None)
    if len(held) < len(premises):
        return None
    value, words = entity_value(mate.id, mate.name), "the same evidence tells of both"
    return Conclusion(slot, value, words, premises=held, evidence=shared, strength=0.5)


def _mates(material: Material, entity: str) -> tuple[list[Belief], tuple[Entity, tuple[str, ...]] | None]:
    """What is held of a lonely node, and whom it shares most evidence with; nobody where it is not lonely."""
    view = material.gate.view
    own = _held_of(material, entity)
    led_to = view.beliefs(BeliefFilter(values=[f"{ValueType.ENTITY}:{entity}"], limit=_MOST_LOOKED_AT))
    relations = [*led_to, *(one for one in own if one.value.type is ValueType.ENTITY)]
    # A tie that dreaming made keeps nobody from being lonely: so it does not matter who was tied first.
    if not own or not all(map(_is_tie, relations)):
        return own, None
    few = _together(material, own)
    count = Counter(each for those in few.values() for each in those if each != entity)
    if not count:
        return own, None
    best = min(count, key=lambda one: (-count[one], one))
    shared = tuple(sorted(item for item, those in few.items() if best in those))
    return own, (few[shared[0]][best], shared)


def _held_of(material: Material, entity: str) -> list[Belief]:
    return material.gate.beliefs(BeliefFilter(subjects=[entity], limit=_MOST_LOOKED_AT))


def _together(material: Material, own: Sequence[Belief]) -> dict[str, dict[str, Entity]]:
    """The evidence (by id) that speaks for some beliefs and of few other nodes, with all of these."""
    items = sorted({one.claim.evidence_id for those in material.heard(own).values() for one in those})
    found: dict[str, dict[str, Entity]] = defaultdict(dict)
    for chunk in chunks(items):
        for one in material.gate.view.claims(chunk):
            if one.retracted_at is None:
                found[one.claim.evidence_id][one.claim.slot.subject.id] = one.claim.slot.subject
    return {item: those for item, those in found.items() if 1 < len(those) <= _MOST_TOGETHER}


def _first_held(material: Material, subject: str, shared: Iterable[str]) -> str | None:
    """A belief on a subject that some evidence speaks for, and that is held."""
    said = material.gate.view.claims(sorted(shared))
    keys = {ContestKey(one.claim.slot.id, one.claim.value.key) for one in said}
    held = material.gate.beliefs(BeliefFilter(subjects=[subject], limit=_MOST_LOOKED_AT))
    return next(
        (
            one.id
            for one in held
            if one.status.is_held and ContestKey(one.slot.id, one.value.key) in keys and not _is_tie(one)
        ),
        None,
    )


def _is_tie(one: Belief) -> bool:
    return one.slot.attribute == _TIE


# What was long unused ---------------------------------------------------------------------------


def _due(material: Material) -> Iterable[str]:
    return sorted({one.id for one in material.due() if _is_unsure(material, one)})


def _archived(material: Material, topic: str) -> Iterator[Proposal]:
    """Put a belief away that is little sure, and that nothing was said of for long."""
    for one in material.beliefs([topic]):
        if not _may_go(material, one):
            continue
        sure = one.confidence(material.at)
        yield Proposal(
            what=f"{one.slot.subject.name} / {one.slot.attribute} = {one.value} put away",
            why=f"not spoken of since {shown(one.observed_at)}, confidence {sure:.2f}",
            effect="recall leaves it out unless asked for what is archived; a new word brings it back",
            declarations=(Archive(one.id, one.evidence, one.observed_at),),
        )


def _is_unsure(material: Material, one: Belief) -> bool:
    status, least = one.status_at(material.at), material.gate.attribute(one.slot.attribute).stale_below
    is_little = status is Status.HYPOTHESIS or one.confidence(material.at) < least
    return status in ARCHIVABLE and is_little


def _may_go(material: Material, one: Belief) -> bool:
    gate = material.gate
    attribute = gate.attribute(one.slot.attribute)
    status = one.status_at(material.at)
    if not _is_unsure(material, one) or attribute.domain in HIGH_STAKES:
        return False
    if attribute.is_declared and attribute.is_exclusive and status is not Status.HYPOTHESIS:
        return False  # it is the only thing said there that is held
    said = gate.view.testimonies([ContestKey(one.slot.id, one.value.key)])
    if any(each.is_pinned or each.claim.is_forced for those in said.values() for each in those):
        return False
    return not gate.view.beliefs(BeliefFilter(premises=[one.id], limit=1))


# Names that mean the same ------------------------------------------------------------------------


def _undeclared(material: Material) -> Iterable[str]:
    touched = {one.slot.attribute for one in material.touched.values()}
    return sorted(one for one in touched if not material.gate.attribute(one).is_declared)


def _folded(material: Material, topic: str) -> Iterator[Proposal]:
    """Point out the attributes whose names have the same words as one that nobody declared."""
    words = frozenset(terms(topic))
    if not words:
        return
    for name, key in sorted(_names(material, topic).items()):
        if key != topic and frozenset(terms(name)) == words and (key < topic or _is_declared(material, key)):
            yield Proposal(
                what=f"“{topic}” and “{name}” may be one attribute",
                why="their names have the same words",
                effect=f"declare {name!r} with {topic!r} as a synonym, if they are",
            )


def _is_declared(material: Material, key: str) -> bool:
    return material.gate.attribute(key).is_declared


def _names(material: Material, topic: str) -> Mapping[str, str]:
    """The names of attributes, with their keys: declared ones, and those of the same subjects."""
    schema = material.gate.schema
    found = {one.name: key for key, one in schema.attributes.items()}
    found |= {name: one.key for one in schema.attributes.values() for name in one.synonyms}
    touched = material.touched.values()
    found.update({one.slot.attribute: one.slot.attribute for one in touched})
    subjects = sorted({one.slot.subject.id for one in touched if one.slot.attribute == topic})
    for one in material.gate.view.beliefs(
        BeliefFilter(subjects=subjects[:_MOST_TOGETHER], limit=_MOST_LOOKED_AT)
    ):
        found[one.slot.attribute] = one.slot.attribute
    return {name: key for name, key in found.items() if attribute_key(name) != topic}


LINK: Final = Step("link", "nodes that nothing leads to, tied by the evidence they share", _nodes, _linked)
ARCHIVE: Final = Step("archive", "beliefs put away that are little sure and long unused", _due, _archived)
FOLD: Final = Step("fold", "attributes pointed out whose names mean the same", _undeclared, _folded)
