"""Profiles of entities, read through the gate: names, what stands of them, and what leads to them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from knowwhy.consolidate.likeness import NAME, Profile
from knowwhy.consolidate.material import chunks
from knowwhy.core.model import (
    Alias,
    Belief,
    Entity,
    Status,
    ValueType,
    entity_named,
    name_key,
)
from knowwhy.recall.gate import Gate
from knowwhy.store.protocol import BeliefFilter

_ENTITY = f"{ValueType.ENTITY}:"
# So many beliefs that lead to entities are read together, and of one entity where there are more.
_MOST_AT_ONCE: Final = 2_000
_MOST_LEADING_TO: Final = 200
_STANDING = (Status.ACCEPTED, Status.STALE, Status.DOUBTFUL, Status.CONTESTED)


@dataclass(frozen=True, slots=True)
class Known:
    """An entity with the names it goes by, and by field of its profile the beliefs that say it."""

    entity: Entity
    names: tuple[str, ...]
    beliefs: Mapping[str, tuple[Belief, ...]]

    @property
    def profile(self) -> Profile:
        """What it is compared by; a relation counts by the name of the neighbour, in both directions."""
        entity = self.entity
        fields = {name: " ; ".join(_told(name, those)) for name, those in self.beliefs.items()}
        fields[NAME] = " ; ".join((*self.names, *filter(None, (fields.get(NAME, ""),))))
        by_name = {entity_named(entity.name, entity.type, is_by_type=each).id for each in (False, True)}
        own = None if entity.id in by_name else entity.id
        return Profile(entity.id, fields, type=entity.type, own_id=own)


def everybody(gate: Gate) -> dict[str, Known]:
    """All entities that stand for themselves, by id, as the reader may know them."""
    those = [one for one in gate.view.entities() if one.id not in gate.schema.merged]
    beliefs = gate.beliefs(BeliefFilter(statuses=_STANDING))
    return _known(gate, those, beliefs, gate.view.every(Alias))


def some(gate: Gate, ids: Iterable[str]) -> dict[str, Known]:
    """Those of some entities (by id), merges followed, to be compared for all to see.

    Of their further names there are only those that others have too, and that everybody may read. Where more
    lead to them than can be looked at, it is as if fewer did.
    """
    those = list[Entity]()
    beliefs = list[Belief]()
    for chunk in chunks(sorted(set(ids))):
        those += gate.entities(chunk)
    for part in chunks(sorted({one.id for one in those})):
        beliefs += gate.beliefs(BeliefFilter(subjects=part))
        beliefs += _leading_to(gate, part)
    keys = sorted({name_key(one.name) for one in those})
    public = (one for one in gate.view.every(Alias, keys) if one.access.is_public)
    return _known(gate, those, beliefs, public)


def _leading_to(gate: Gate, entities: Sequence[str]) -> list[Belief]:
    """What leads to some entities (by id); of hubs, each by itself, only so much."""
    values = [f"{_ENTITY}{one}" for one in entities]
    found = gate.beliefs(BeliefFilter(values=values, limit=_MOST_AT_ONCE))
    if len(found) < _MOST_AT_ONCE:
        return found
    return [
        each for one in values for each in gate.beliefs(BeliefFilter(values=[one], limit=_MOST_LEADING_TO))
    ]


def _known(
    gate: Gate, those: Sequence[Entity], beliefs: Iterable[Belief], aliases: Iterable[Alias]
) -> dict[str, Known]:
    names = {one.id: {name_key(one.name): one.name} for one in those}
    for alias in aliases:
        own = gate.schema.merged.get(alias.entity_id, alias.entity_id)
        if own in names:
            names[own].setdefault(alias.key, alias.name)
    held: dict[str, dict[str, list[Belief]]] = defaultdict(lambda: defaultdict(list))
    for one in sorted({each.id: each for each in beliefs}.values(), key=lambda each: each.id):
        if not one.status_at(gate.scope.valid).is_standing:
            continue
        for own, name in _places(one):
            if own in names:
                held[own][name].append(one)
    return {
        one.id: Known(
            one,
            tuple(names[one.id].values()),
            {name: tuple(found) for name, found in sorted(held[one.id].items())},
        )
        for one in sorted(those, key=lambda each: each.id)
    }


def _places(one: Belief) -> Iterator[tuple[str, str]]:
    """Of whom a belief says something, and in which field: of its subject, and of whom it leads to."""
    yield one.slot.subject.id, one.slot.attribute
    if one.value.type is ValueType.ENTITY:
        yield one.value.key.removeprefix(_ENTITY), f"{one.slot.attribute} of"


def _told(name: str, those: Iterable[Belief]) -> list[str]:
    """The texts of a field, each once."""
    inward = name.endswith(" of")
    found = {
        one.slot.subject.name if inward and one.slot.attribute != name else str(one.value) for one in those
    }
    return sorted(found)
