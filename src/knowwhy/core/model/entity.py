"""Entities: what beliefs are about."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from knowwhy.core.model.access import PUBLIC, Access
from knowwhy.core.model.ids import content_id
from knowwhy.core.model.names import name_key

_ALIAS: Final = "alias"
_MARKED: Final = "ac"


@dataclass(frozen=True, slots=True)
class Entity:
    """Something beliefs are about. Two things of one name differ in `id`; one thing may have many names.

    `access` is that of the words that first named it.
    """

    id: str
    name: str
    type: str | None = None
    access: Access = field(default=PUBLIC, compare=False)


@dataclass(frozen=True, slots=True)
class Alias:
    """A further name of an entity. One name may stand for several entities: then it is ambiguous.

    `operation` is filled in on reading: the number of the last one that gave it. The same name may be given
    to different readers, by `access`: each is a record of its own.
    """

    key: str
    entity_id: str
    name: str
    operation: int = field(default=0, compare=False)
    access: Access = PUBLIC

    @property
    def target(self) -> str:
        """What a retraction names to take it away again."""
        return alias_target(self.key, self.entity_id, self.access)


def access_mark(access: Access) -> str:
    """What tells records of one access from the same for other readers."""
    return content_id(_MARKED, str(access))


def alias_target(key: str, entity_id: str, access: Access = PUBLIC) -> str:
    """What a retraction names to take an alias away again."""
    apart = "" if access.is_public else f":{access_mark(access)}"
    return f"{_ALIAS}:{key}:{entity_id}{apart}"


def alias_named(target: str) -> tuple[str, str, str] | None:
    """The name key, the entity's id and the mark of its readers ("" for all) in an alias's target.

    None where a retraction names something else. A name may hold a colon itself.
    """
    kind, _, rest = target.partition(":")
    if kind != _ALIAS:
        return None
    named, _, last = rest.rpartition(":")
    mark = last if last.startswith(f"{_MARKED}_") else ""
    key, _, entity = (named if mark else rest).rpartition(":")
    return key, entity, mark


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
