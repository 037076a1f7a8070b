"""A space: one memory, with everything the verbs need to work in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TypeAlias

from knowwhy.core.model import Attribute, attribute_key
from knowwhy.core.revision import AUTHORITY_THEN_RECENCY, Policy
from knowwhy.core.timeline import FOREVER, Instant, Scope, instant
from knowwhy.engine.clock import Clock, system_clock
from knowwhy.recall.gate import Gate
from knowwhy.store.protocol import Snapshot, Store

# How callers write a time.
When: TypeAlias = datetime | date | str


@dataclass(slots=True)
class _SchemaCache:
    declared_in: int = -1
    attributes: Mapping[str, Attribute] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Space:
    """One memory: the store that holds it, its name there, and how it reads clocks and conflicts.

    `zone` says how times of day without a zone are to be read; where it is None they are refused.
    A strict space takes only declared attributes. `author` signs operations that name nobody else.
    """

    store: Store
    name: str = "main"
    clock: Clock = system_clock
    zone: str | None = None
    is_strict: bool = False
    author: str | None = None
    policy: Policy = AUTHORITY_THEN_RECENCY
    _schema: _SchemaCache = field(default_factory=_SchemaCache)

    def instant(self, when: When) -> Instant:
        """The instant that a caller's writing of a time means here."""
        return instant(when, self.zone)

    def scope(self, valid: When | None = None, known: When | None = None) -> Scope:
        """What a reader asks about: the world now, as known now, unless said otherwise."""
        knew = FOREVER if known is None else self.instant(known)
        return Scope(self.clock() if valid is None else self.instant(valid), knew)

    def schema(self, view: Snapshot) -> Mapping[str, Attribute]:
        """The declarations in force, by the key of each attribute's name and synonyms."""
        declared_in = view.head().schema
        if self._schema.declared_in != declared_in:
            self._schema.attributes = by_every_name(view.attributes())
            self._schema.declared_in = declared_in
        return self._schema.attributes

    @contextmanager
    def reading(self, scope: Scope) -> Iterator[Gate]:
        """The gate to one consistent state of this memory."""
        with self.store.snapshot(self.name) as view:
            yield Gate(view, self.schema(view), scope, self.policy)


def by_every_name(attributes: Mapping[str, Attribute]) -> dict[str, Attribute]:
    """The attributes by the keys of their names and synonyms; a name always beats a synonym."""
    found = {attribute_key(other): one for one in attributes.values() for other in one.synonyms}
    found.update(attributes)
    return found
