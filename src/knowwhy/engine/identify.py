"""merge_entities, distinguish, questions: which entities are one thing, and which may be one or two."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

from knowwhy.core.model import (
    Act,
    Alias,
    Entity,
    Identity,
    Sameness,
    Schema,
    identity_of,
    merged,
    name_key,
    one_line,
    pair_key,
)
from knowwhy.core.timeline import Scope
from knowwhy.engine.commit import write
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.space import Space
from knowwhy.errors import AmbiguousName, InvalidInput, NotFound
from knowwhy.recall.finding import Finding
from knowwhy.recall.gate import Gate
from knowwhy.recall.identity import followed
from knowwhy.recall.rendering import sentence
from knowwhy.store.protocol import BeliefFilter, Snapshot

_MOST_SHOWN: Final = 3


@dataclass(frozen=True, slots=True)
class Candidate:
    """One of the entities of a question, with the names it goes by and some of what is held of it."""

    entity: Entity
    names: tuple[str, ...]
    held: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """The candidate for a program."""
        return {
            "id": self.entity.id,
            "name": self.entity.name,
            "type": self.entity.type,
            "names": list(self.names),
            "held": list(self.held),
        }

    def __str__(self) -> str:
        kind = f", {self.entity.type}" if self.entity.type else ""
        others = [one for one in self.names if one != self.entity.name]
        also = f", also {', '.join(others)}" if others else ""
        return one_line(f"{self.entity.name}{kind}{also} [{self.entity.id}]")


@dataclass(frozen=True, slots=True)
class Question:
    """Whether two entities are one, which the memory does not guess: they share the names given."""

    shared: tuple[str, ...]
    candidates: tuple[Candidate, Candidate]

    @property
    def id(self) -> str:
        """Which pair it is about."""
        return pair_key(*(one.entity.id for one in self.candidates))

    def as_dict(self) -> dict[str, Any]:
        """The question for a program."""
        return {
            "id": self.id,
            "shared": list(self.shared),
            "candidates": [one.as_dict() for one in self.candidates],
        }

    def __str__(self) -> str:
        lines = [one_line(f"Are these one? Both are called {', '.join(self.shared)}.")]
        for one in self.candidates:
            lines.append(f"  {one}")
            lines += [f"    {one_line(each)}" for each in one.held]
        ids = " ".join(one.entity.id for one in self.candidates)
        lines.append(f"  If so: merge-entities {ids}; if not: distinguish {ids}")
        return "\n".join(lines)


def merge_entities(
    space: Space, entity: str, into: str, *, author: str | None = None, reason: str | None = None
) -> Outcome:
    """Say that one entity is another: from now on the second stands for both.

    Raises:
        NotFound: there is no such entity.
        AmbiguousName: a name stands for several.
        InvalidInput: they are the same already named, or said to be distinct by way of others.
    """

    def form(reading: Reading) -> Intent | Outcome:
        pair = _entity(reading, entity), _entity(reading, into)
        _check_two(*pair)
        gone, kept = pair
        said = identity_of(gone.id, kept.id, Sameness.SAME, kept.id)
        if _said_already(reading.schema, said):
            return _unchanged(reading)
        schema = reading.schema.with_declared([said])
        if _unjoined(schema) != _unjoined(reading.schema) - {said.key}:
            apart = ", ".join(sorted(_told_apart(reading.schema, gone.id, kept.id)))
            msg = (
                f"{gone.name} [{gone.id}] and {kept.name} [{kept.id}] cannot be one: with what each of them "
                f"is merged with, they would join two that are said to be distinct ({apart})."
            )
            raise InvalidInput(msg, distinct=apart)
        return Intent(declarations=(said,), entities=(gone, kept))

    return write(space, Signature(Act.IDENTIFY, author, reason), form)


def distinguish(
    space: Space, one: str, other: str, *, author: str | None = None, reason: str | None = None
) -> Outcome:
    """Say that two entities are two; if they were merged, each is again what it was, with all said since.

    Raises:
        NotFound: there is no such entity.
        AmbiguousName: a name stands for several.
        InvalidInput: it is one entity, or they are merged by way of others.
    """

    def form(reading: Reading) -> Intent | Outcome:
        pair = _entity(reading, one), _entity(reading, other)
        _check_two(*pair)
        first, second = (each.id for each in pair)
        said = identity_of(first, second, Sameness.DISTINCT)
        if _said_already(reading.schema, said):
            return _unchanged(reading)
        others = [each for each in reading.schema.identities if each.key != said.key]
        without = merged(others)
        if without.get(first, first) == without.get(second, second):
            links = ", ".join(
                each.key
                for each in others
                if each.sameness is Sameness.SAME and _stands(each, without, first)
            )
            msg = f"They are merged by way of others ({links}); tell one of those pairs apart first."
            raise InvalidInput(msg)
        return Intent(declarations=(said,), entities=pair)

    return write(space, Signature(Act.IDENTIFY, author, reason), form)


def _stands(one: Identity, into: Mapping[str, str], entity: str) -> bool:
    return into.get(one.one, one.one) == into.get(entity, entity)


def _check_two(one: Entity, other: Entity) -> None:
    if one.id == other.id:
        msg = f"Both names mean one entity, {one.name} [{one.id}]; name two, by their ids if need be."
        raise InvalidInput(msg)


def _unjoined(schema: Schema) -> set[str]:
    """The pairs that are said to be one, and are not, for the sake of two that are said to be distinct."""
    into = schema.merged
    return {
        one.key
        for one in schema.identities
        if one.sameness is Sameness.SAME and into.get(one.one, one.one) != into.get(one.other, one.other)
    }


def _told_apart(schema: Schema, *entities: str) -> set[str]:
    """The pairs said to be distinct among those that are one with some entities."""
    into = schema.merged
    roots = {into.get(one, one) for one in entities}
    return {
        one.key
        for one in schema.identities
        if one.sameness is Sameness.DISTINCT
        and {into.get(one.one, one.one), into.get(one.other, one.other)} <= roots
    }


def _said_already(schema: Schema, said: Identity) -> bool:
    return any((one.key, one.sameness) == (said.key, said.sameness) for one in schema.identities)


def _unchanged(reading: Reading) -> Outcome:
    return Outcome(reading.view.head().sequence, None, is_repeat=True)


def _entity(reading: Reading, named: str) -> Entity:
    """The entity that an id, as it is shown, or a name means: as said, whatever it is merged into.

    Raises:
        NotFound: there is none.
        AmbiguousName: the name stands for several.
    """
    by_id = reading.view.entities([named])
    if by_id:
        return by_id[0]
    found = reading.view.names([name_key(named)]).get(name_key(named), [])
    if not found:
        msg = f"There is no entity called {named!r}; `ask` and `questions` show names and ids."
        raise NotFound(msg, entity=named)
    if len(found) > 1:
        msg = f"{named!r} may mean {len(found)} entities; name it by its id."
        raise AmbiguousName(msg, candidates=[{"id": one.id, "name": one.name} for one in found])
    return found[0]


# Questions ----------------------------------------------------------------------------------------------


def questions(space: Space, *, scope: Scope) -> tuple[Question, ...]:
    """The pairs of entities that go by one name, and of which nobody said whether they are one."""
    with space.reading(scope) as gate:
        called = _called(gate.view)
        return tuple(
            Question(shared, (_candidate(gate, called, one), _candidate(gate, called, other)))
            for shared, one, other in _open(gate, called)
        )


def _called(view: Snapshot) -> dict[str, dict[str, str]]:
    """The names of each entity (by id), by their keys."""
    found: dict[str, dict[str, str]] = {one.id: {name_key(one.name): one.name} for one in view.entities()}
    for alias in view.every(Alias):
        if alias.entity_id in found:
            found[alias.entity_id].setdefault(alias.key, alias.name)
    return found


def _open(gate: Gate, called: dict[str, dict[str, str]]) -> Iterator[tuple[tuple[str, ...], Entity, Entity]]:
    by_name: dict[str, list[str]] = defaultdict(list)
    for own, names in called.items():
        for key in names:
            by_name[key].append(own)
    answered = {one.key for one in gate.schema.identities if one.sameness is not Sameness.OPEN}
    shared: dict[tuple[str, str], list[str]] = defaultdict(list)
    for key, ids in by_name.items():
        if len(ids) > 1:
            standing = sorted(
                one.id for one in followed(gate.view, gate.schema.merged, gate.view.entities(ids))
            )
            for pair in combinations(standing, 2):
                if not _is_answered(gate.schema, pair, answered):
                    shared[pair].append(called[pair[0]].get(key) or called[ids[0]][key])
    for pair, written in sorted(shared.items()):
        one, other = gate.view.entities(pair)
        yield tuple(sorted(written)), one, other


def _is_answered(schema: Schema, pair: tuple[str, str], answered: set[str]) -> bool:
    """Whether two that stand for others are told apart, by themselves or by what they stand for."""
    groups = [{one, *(own for own, stands in schema.merged.items() if stands == one)} for one in pair]
    return any(pair_key(one, other) in answered for one in groups[0] for other in groups[1])


def _candidate(gate: Gate, called: dict[str, dict[str, str]], entity: Entity) -> Candidate:
    held = gate.beliefs(BeliefFilter(subjects=[entity.id], limit=50))
    standing = [one for one in held if one.status_at(gate.scope.valid).is_standing]
    told = (
        sentence(Finding(one, gate.attribute(one.slot.attribute), gate.scope.valid)).splitlines()[0]
        for one in sorted(standing, key=lambda one: (-one.observed_at, one.id))[:_MOST_SHOWN]
    )
    return Candidate(entity, tuple(sorted(called[entity.id].values())), tuple(told))
