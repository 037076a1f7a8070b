"""A space: one memory, with everything the verbs need to work in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TypeAlias

from knowwhy.core.model import Attribute, Charter, Denial, InferenceRule, Learning, Schema
from knowwhy.core.revision import AUTHORITY_THEN_RECENCY, POLICIES, Policy
from knowwhy.core.timeline import FOREVER, Instant, Scope, instant
from knowwhy.engine.clock import Clock, system_clock
from knowwhy.recall.gate import Gate
from knowwhy.store.protocol import Snapshot, Store

# How callers write a time.
When: TypeAlias = datetime | date | str


@dataclass(slots=True)
class _SchemaCache:
    declared_in: int = -1
    schema: Schema = field(default_factory=Schema)


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

    def schema(self, view: Snapshot) -> Schema:
        """The declarations in force."""
        declared_in = view.head().schema
        if self._schema.declared_in != declared_in:
            kinds = (Attribute, InferenceRule, Denial, Charter, Learning)
            self._schema.schema = Schema().with_declared(
                one for kind in kinds for one in view.declared(kind).values()
            )
            self._schema.declared_in = declared_in
        return self._schema.schema

    def policy_under(self, schema: Schema) -> Policy:
        """The policy where an attribute names none: the memory's own, or the default."""
        return self.policy if schema.charter.policy is None else POLICIES[schema.charter.policy]

    @contextmanager
    def reading(self, scope: Scope) -> Iterator[Gate]:
        """The gate to one consistent state of this memory."""
        with self.store.snapshot(self.name) as view:
            schema = self.schema(view)
            yield Gate(view, schema, scope, self.policy_under(schema))
