"""alias: a further name of an entity."""

from __future__ import annotations

from knowwhy.core.model import Access, Act, Alias, Retraction, Withdrawal, checked_name, name_key
from knowwhy.engine.commit import write
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.space import Space
from knowwhy.errors import NotFound
from knowwhy.ingest.resolution import Resolver


def alias(
    space: Space,
    name: str,
    entity: str,
    *,
    entity_id: str | None = None,
    author: str | None = None,
    reason: str | None = None,
) -> Outcome:
    """Let `name` stand for the entity called `entity` too.

    One name may stand for several entities; then a question that uses it is asked back.

    Raises:
        InvalidInput: an empty name.
        AmbiguousName: `entity` itself stands for several, and no `entity_id` says which.
    """
    written = checked_name(name, "alias")

    def form(reading: Reading) -> Intent | Outcome:
        known = reading.view.names([name_key(written), name_key(entity)])
        resolver = Resolver(known, reading.schema)
        meant = resolver.entity(entity, entity_id)
        if any(one.id == meant.id for one in known.get(name_key(written), [])):
            return Outcome(operation=reading.last, at=None, is_repeat=True)
        made = Alias(name_key(written), meant.id, written, access=reading.space.written_access)
        gone = reading.view.every(Withdrawal, [made.target])
        return Intent(
            entities=tuple(resolver.made.values()),
            # What has no name yet but this one is called so by itself.
            aliases=() if made.key == name_key(meant.name) else (made,),
            # So that a merge knows that it was given again, and not merely once.
            retractions=tuple(Retraction(one.id, reason) for one in gone if not one.is_lifted),
        )

    return write(space, Signature(Act.ALIAS, author, reason), form)


def unalias(
    space: Space, name: str, entity: str, *, author: str | None = None, reason: str | None = None
) -> Outcome:
    """Take a further name away again from those it was given to; what was recorded under it stays.

    Raises:
        NotFound: the name does not stand for that entity, or is its own name.
    """

    def form(reading: Reading) -> Intent:
        known = reading.view.names([name_key(name), name_key(entity)])
        meant = Resolver(known, reading.schema).entity(entity)
        key = name_key(name)
        written = reading.space.written_access
        given = [
            one
            for one in reading.view.every(Alias, [key])
            if one.entity_id == meant.id and _is_same_audience(one.access, written)
        ]
        if key == name_key(meant.name) or not given:
            msg = f"{name!r} is not a further name of {entity!r}."
            raise NotFound(msg, name=name, entity=entity)
        return Intent(
            retractions=tuple(Retraction(one.target, reason) for one in given),
        )

    return write(space, Signature(Act.ALIAS, author, reason), form)


def _is_same_audience(one: Access, other: Access) -> bool:
    """Whether the same may read what has either access; what is private is its owner's."""
    return one.readers == other.readers and (one.readers != () or one.owner == other.owner)
