"""duplicates: which entities look like one, with what agrees and what speaks against."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from knowwhy.consolidate.likeness import Proposal, proposals
from knowwhy.consolidate.profiles import Known, everybody
from knowwhy.core.model import Entity, name_key, one_line, pair_key
from knowwhy.core.timeline import Scope
from knowwhy.engine.space import Space
from knowwhy.errors import InvalidInput, NotFound
from knowwhy.recall.gate import Gate


@dataclass(frozen=True, slots=True)
class Agreement:
    """One thing that is said of two entities: what it is, and how it is told of each ("" where it is not)."""

    attribute: str
    one: str
    other: str

    def as_dict(self) -> dict[str, Any]:
        """The comparison for a program."""
        return {"attribute": self.attribute, "one": self.one, "other": self.other}

    def __str__(self) -> str:
        return one_line(f"{self.attribute}: {self.one or '-'} | {self.other or '-'}")


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Two entities that look like one: a score from 0 to 1, what agrees and what speaks against.

    Dreaming may merge them by itself where it is `automatic`, because of the attributes named in `by`.
    """

    entities: tuple[Entity, Entity]
    score: float
    agrees: tuple[Agreement, ...]
    against: tuple[Agreement, ...]
    automatic: bool
    by: tuple[str, ...]

    @property
    def id(self) -> str:
        """Which pair it is about."""
        return pair_key(*(one.id for one in self.entities))

    def as_dict(self) -> dict[str, Any]:
        """The proposal for a program."""
        return {
            "id": self.id,
            "entities": [{"id": one.id, "name": one.name, "type": one.type} for one in self.entities],
            "score": round(self.score, 4),
            "agrees": [one.as_dict() for one in self.agrees],
            "against": [one.as_dict() for one in self.against],
            "automatic": self.automatic,
            "by": list(self.by),
        }

    def __str__(self) -> str:
        one, other = self.entities
        lines = [
            one_line(f"{one.name} [{one.id}] and {other.name} [{other.id}] look like one ({self.score:.2f}).")
        ]
        lines += [f"  alike: {each}" for each in self.agrees]
        lines += [f"  against: {each}" for each in self.against]
        if self.automatic:
            lines.append(f"  nobody else has this {', '.join(self.by)}: dreaming merges them")
        lines.append(f"  If so: merge-entities {one.id} {other.id}; if not: distinguish {one.id} {other.id}")
        return "\n".join(lines)


def duplicates(space: Space, entity: str | None, limit: int, *, scope: Scope) -> tuple[Duplicate, ...]:
    """The pairs that look like one, best first; of one entity alone where it is named.

    Raises:
        InvalidInput: a limit below 1.
        NotFound: there is no such entity.
    """
    if limit < 1:
        raise InvalidInput(f"The limit is at least 1, not {limit}.")
    with space.reading(scope) as gate:
        touched = None if entity is None else _named(gate, entity)
        known = everybody(gate)
        found = proposals((one.profile for one in known.values()), distinct=gate.schema.distinct)
        back = gate.schema.reopened
    meant = (one for one in found if touched is None or touched & {one.left, one.right})
    told = [_duplicate(known, one, is_open=(one.left, one.right) in back) for one in meant]
    return tuple(told[:limit])


def _named(gate: Gate, entity: str) -> set[str]:
    key = name_key(entity)
    those = gate.entities([entity]) or gate.names([key]).get(key, [])
    if not those:
        msg = f"There is no entity called {entity!r}; `ask` and `questions` show names and ids."
        raise NotFound(msg, entity=entity)
    return {one.id for one in those}


def _duplicate(known: dict[str, Known], found: Proposal, *, is_open: bool) -> Duplicate:
    one, other = known[found.left], known[found.right]
    left, right = one.profile.fields, other.profile.fields

    def compared(names: Iterable[str]) -> tuple[Agreement, ...]:
        return tuple(Agreement(name, left.get(name, ""), right.get(name, "")) for name in names)

    return Duplicate(
        (one.entity, other.entity),
        found.score,
        compared(found.agrees),
        compared(found.against),
        found.automatic and not is_open,
        found.by,
    )
