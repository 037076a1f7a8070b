"""alias: a further name of an entity."""

from __future__ import annotations

from knowwhy.core.model import Act, Alias, Retraction, Withdrawal, alias_target, checked_name, name_key
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
            return Outcome(operation=reading.view.head().sequence, at=None, is_repeat=True)
        made = Alias(name_key(written), meant.id, written)
        gone = reading.view.every(Withdrawal, [alias_target(made.key, meant.id)])
        return Intent(
            entities=tuple(resolver.made.values()),
            aliases=(made,),
            # So that a merge knows that it was given again, and not merely once.
            retractions=tuple(Retraction(one.id, reason) for one in gone if not one.is_lifted),
        )

    return write(space, Signature(Act.ALIAS, author, reason), form)


def unalias(
    space: Space, name: str, entity: str, *, author: str | None = None, reason: str | None = None
) -> Outcome:
    """Take a further name away again; what was recorded under it stays with its entity.

    Raises:
        NotFound: the name does not stand for that entity, or is its own name.
    """

    def form(reading: Reading) -> Intent:
        known = reading.view.names([name_key(name), name_key(entity)])
        meant = Resolver(known, reading.schema).entity(entity)
        key = name_key(name)
        if key == name_key(meant.name) or all(one.id != meant.id for one in known.get(key, [])):
            msg = f"{name!r} is not a further name of {entity!r}."
            raise NotFound(msg, name=name, entity=entity)
        return Intent(retractions=(Retraction(alias_target(key, meant.id), reason),))

    return write(space, Signature(Act.ALIAS, author, reason), form)
