"""A space: one memory, with everything the verbs need to work in it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Final, TypeAlias

from knowwhy.core.model import (
    PUBLIC,
    Access,
    Archive,
    Attribute,
    Branch,
    Charter,
    Denial,
    Horizon,
    Identity,
    InferenceRule,
    Learning,
    Principal,
    Quarantine,
    RankingWeights,
    Schema,
)
from knowwhy.core.revision import AUTHORITY_THEN_RECENCY, POLICIES, Policy
from knowwhy.core.timeline import FOREVER, Instant, Scope, instant, isoformat, shown
from knowwhy.engine.clock import Clock, system_clock
from knowwhy.engine.contention import Contention
from knowwhy.engine.labels import LabelCache, labels_of
from knowwhy.engine.shelf import VectorShelf
from knowwhy.errors import BeyondHorizon
from knowwhy.ingest.extraction import DeterministicExtractor
from knowwhy.providers.embedding import Embedder
from knowwhy.providers.extraction import Extractor
from knowwhy.providers.reranking import Reranker
from knowwhy.recall.calibrating import Calibrations
from knowwhy.recall.gate import Gate
from knowwhy.recall.packing import TokenCounter, estimated_tokens
from knowwhy.store.hidden import HiddenCache, Viewer
from knowwhy.store.protocol import Snapshot, Store
from knowwhy.store.seen import SeenSnapshot

# How callers write a time.
When: TypeAlias = datetime | date | str


# The kinds of declarations that make up a schema.
_OF_SCHEMA: Final = (
    *(Attribute, InferenceRule, Denial, Charter, Learning),
    *(Horizon, Identity, Quarantine, Archive),
)


@dataclass(slots=True)
class _SchemaCache:
    declared_in: int = -1
    schema: Schema = field(default_factory=Schema)


@dataclass(slots=True)
class _WeightsCache:
    read: tuple[int, RankingWeights] = (-1, RankingWeights())


@dataclass(frozen=True, slots=True)
class Space:
    """One memory: the store that holds it, its name there, and how it reads clocks and conflicts.

    `zone` says how times of day without a zone are to be read; where it is None they are refused.
    A strict space takes only declared attributes. `author` signs operations that name nobody else.
    On a `branch` the store is layered, and `trunk` is the main line it belongs to. Operations belong to
    the `run`, where there is one. Words are read by the `extractor`, and attributes that are not
    declared are believed of where it `takes_undeclared` ones. Where there is a `replica`, questions are
    answered from it; what is written never rests on it. `count_tokens` says what fits into a budget.
    Documents are compared by the `embedder`, if there is one, whose `vectors` all branches share, and
    what recall found is ordered anew by the `reranker`, if there is one. Its `contention` is where other
    writers were met. Where it is opened for a `principal`, all is as that may see it; what is written has
    `access`.
    """

    store: Store
    name: str = "main"
    clock: Clock = system_clock
    zone: str | None = None
    is_strict: bool = False
    author: str | None = None
    policy: Policy = AUTHORITY_THEN_RECENCY
    branch: Branch | None = None
    trunk: Space | None = None
    run: str | None = None
    extractor: Extractor = field(default_factory=DeterministicExtractor)
    takes_undeclared: bool = False
    replica: Store | None = None
    count_tokens: TokenCounter = estimated_tokens
    embedder: Embedder | None = None
    reranker: Reranker | None = None
    vectors: VectorShelf = field(default_factory=VectorShelf)
    principal: Principal | None = None
    access: Access = PUBLIC
    contention: Contention = field(default_factory=Contention)
    _schema: _SchemaCache = field(default_factory=_SchemaCache)
    _hidden: HiddenCache = field(default_factory=HiddenCache)
    _labels: LabelCache = field(default_factory=LabelCache, init=False)
    _weights: _WeightsCache = field(default_factory=_WeightsCache, init=False)

    @property
    def root(self) -> Space:
        """The main line: this memory itself, where it is no branch."""
        return self.trunk or self

    @property
    def line(self) -> str:
        """What this line of the memory is called."""
        return "main" if self.branch is None else self.branch.name

    def on(self, branch: Branch | None, store: Store, replica: Store | None = None) -> Space:
        """The same memory on one of its branches, which a layered store keeps."""
        root = self.root
        on = replace(root, store=store, branch=branch, trunk=root, run=self.run, access=self.access)
        return replace(on, replica=replica, _schema=_SchemaCache(), _hidden=HiddenCache())

    def seen_by(self, principal: Principal | None) -> Space:
        """The same line as a principal may see it."""
        trunk = None if self.trunk is None else self.trunk.seen_by(principal)
        return replace(self, principal=principal, trunk=trunk)

    @property
    def written_access(self) -> Access:
        """Who may read what is written, and who owns it."""
        if self.principal is None:
            return self.access
        return replace(self.access, owner=self.principal.name)

    def seen(self, view: Snapshot, viewer: Viewer | None = None) -> Snapshot:
        """A state of this line as the principal, or another viewer, may see it; whole where there is none."""
        by = self.principal if viewer is None else viewer
        return view if by is None else SeenSnapshot(view, by, self._hidden)

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """One consistent state of this line, as the principal may see it."""
        with self.store.snapshot(self.name) as view:
            yield self.seen(view)

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
            self._schema.schema = schema_of(view)
            self._schema.declared_in = declared_in
        return self._schema.schema

    def weights(self, view: Snapshot) -> RankingWeights:
        """The weights that recall ranks by, read once for each operation."""
        read, last = self._weights.read, view.head().sequence
        if read[0] != last:
            read = self._weights.read = (last, view.declared(RankingWeights).get("", RankingWeights()))
        return read[1]

    def policy_under(self, schema: Schema) -> Policy:
        """The policy where an attribute names none: the memory's own, or the default."""
        return self.policy if schema.charter.policy is None else POLICIES[schema.charter.policy]

    @contextmanager
    def reading(self, scope: Scope, *, until: int | None = None) -> Iterator[Gate]:
        """The gate to one consistent state of this memory.

        With the declarations and judgements as they were after an operation, where `until` one is given.

        Raises:
            BeyondHorizon: what was known then was dropped, and can no longer be told.
        """
        if not scope.is_latest_knowledge:
            self._check_horizon(scope.known)
        with (self.replica or self.store).snapshot(self.name) as view:
            schema = self.schema(view) if until is None else schema_of(view, until)
            calibrations = (
                self._labels.calibrations(view, schema, scope.known)
                if until is None
                else Calibrations(labels_of(view, until), schema, scope.known)
            )
            yield Gate(self.seen(view), schema, scope, self.policy_under(schema), calibrations)

    def horizon(self) -> Instant:
        """From when on this memory can still tell what was known."""
        root = self.root
        with root.store.snapshot(root.name) as view:
            return root.schema(view).horizon

    def _check_horizon(self, known: Instant) -> None:
        horizon = self.horizon()
        if known < horizon:
            msg = (
                f"What was known before {shown(horizon)} was dropped, so it can no longer be told; "
                "ask for what was known then or later."
            )
            raise BeyondHorizon(msg, horizon=isoformat(horizon))


def schema_of(view: Snapshot, until: int | None = None) -> Schema:
    """The declarations in force, or those that were after an operation."""
    return Schema().with_declared(
        one for kind in _OF_SCHEMA for one in view.declared(kind, until=until).values()
    )
