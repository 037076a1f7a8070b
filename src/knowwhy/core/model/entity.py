"""Entities: what beliefs are about."""

from __future__ import annotations

from dataclasses import dataclass, field

from knowwhy.core.model.ids import content_id
from knowwhy.core.model.names import name_key


@dataclass(frozen=True, slots=True)
class Entity:
    """Something beliefs are about. Two things of one name differ in `id`; one thing may have many names."""

    id: str
    name: str
    type: str | None = None


@dataclass(frozen=True, slots=True)
class Alias:
    """A further name of an entity. One name may stand for several entities: then it is ambiguous.

    `operation` is filled in on reading: the number of the last one that gave it.
    """

    key: str
    entity_id: str
    name: str
    operation: int = field(default=0, compare=False)


def alias_target(key: str, entity_id: str) -> str:
    """What a retraction names to take an alias away again."""
    return f"alias:{key}:{entity_id}"


def entity_named(
    name: str, entity_type: str | None = None, own_id: str | None = None, *, is_by_type: bool = False
) -> Entity:
    """The entity that a name means where nothing else is known, or the one with the caller's `own_id`.

    Where it `is_by_type`, it is another than those of that name that have another type, or none.
    """
    determines: tuple[str, ...] = ("id", own_id) if own_id is not None else ("name", name_key(name))
    if own_id is None and is_by_type:
        determines = (*determines, "type", name_key(entity_type or ""))
    return Entity(content_id("en", *determines), name, entity_type)
