"""Sparse spaces: the little that a branch holds is listed, so that it is asked only for what it has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final

from knowwhy.core.model import (
    Alias,
    Belief,
    Entity,
    Evidence,
    Operation,
    Source,
    Testimony,
    Withdrawal,
    name_key,
)
from knowwhy.core.revision import ContestKey
from knowwhy.store.protocol import BeliefFilter, D, E, Head, Hits, Snapshot, TextEntry

# How many records a space may hold for its list to be worth its making.
_MOST: Final = 2_000


@dataclass(slots=True)
class Inventory:
    """What a space holds, by the ids and keys it can be asked for."""

    slots: set[str] = field(default_factory=set)
    subjects: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    values: set[str] = field(default_factory=set)
    beliefs: set[str] = field(default_factory=set)
    evidence: set[str] = field(default_factory=set)
    contents: set[str] = field(default_factory=set)
    contexts: set[str | None] = field(default_factory=set)
    claims: set[str] = field(default_factory=set)
    names: set[str] = field(default_factory=set)
    entities: set[str] = field(default_factory=set)
    withdrawn: set[str] = field(default_factory=set)
    terms: set[str] = field(default_factory=set)
    documents: int = 0


def inventory_of(own: Snapshot) -> Inventory | None:
    """The inventory of a space; None where it holds too much for that."""
    found = Inventory()
    evidence = list(islice(own.every(Evidence), _MOST + 1))
    views = list(islice(own.views(), _MOST + 1))
    entities = own.entities() if len(views) <= _MOST and len(evidence) <= _MOST else []
    if len(evidence) > _MOST or len(views) > _MOST or len(entities) > _MOST:
        return None
    found.evidence = {one.id for one in evidence}
    found.contents = {one.content for one in evidence}
    found.contexts = {one.context for one in evidence}
    for one in own.claims(sorted(found.evidence)):
        found.claims.add(one.claim.id)
        found.slots.add(one.claim.slot.id)
    for view in views:
        if isinstance(view, Belief):
            found.beliefs.add(view.id)
            found.slots.add(view.slot.id)
            found.subjects.add(view.slot.subject.id)
            found.attributes.add(view.slot.attribute)
            found.values.add(view.value.key)
        else:
            found.terms.update(view.terms)
            found.documents += 1
    found.entities = {one.id for one in entities}
    found.names = {name_key(one.name) for one in entities} | {one.key for one in own.every(Alias)}
    found.withdrawn = {one.target for one in own.every(Withdrawal)}
    return found


@dataclass(frozen=True, slots=True)
class SparseSnapshot:
    """A state of a space that is asked only for what its inventory says it holds."""

    own: Snapshot
    held: Inventory

    def head(self) -> Head:
        return self.own.head()

    def operations(
        self,
        *,
        key: str | None = None,
        sequences: Sequence[int] | None = None,
        before: int | None = None,
        limit: int | None = None,
    ) -> list[Operation]:
        return self.own.operations(key=key, sequences=sequences, before=before, limit=limit)

    def declared(
        self, kind: type[D], keys: Sequence[str] | None = None, *, until: int | None = None
    ) -> dict[str, D]:
        return self.own.declared(kind, keys, until=until)

    def sources(
        self, names: Sequence[str] | None = None, *, until: int | None = None, is_whole: bool = False
    ) -> list[Source]:
        return self.own.sources(names, until=until, is_whole=is_whole)

    def names(self, keys: Sequence[str], *, until: int | None = None) -> dict[str, list[Entity]]:
        known = [one for one in keys if one in self.held.names]
        return self.own.names(known, until=until) if known else {}

    def entities(self, ids: Sequence[str] | None = None) -> list[Entity]:
        known = None if ids is None else [one for one in ids if one in self.held.entities]
        return self.own.entities(known) if known is None or known else []

    def evidence(
        self,
        *,
        ids: Sequence[str] | None = None,
        contents: Sequence[str] | None = None,
        beside: Sequence[Evidence] | None = None,
        until: int | None = None,
    ) -> list[Evidence]:
        if ids is None and contents is None and beside is None:
            return self.own.evidence()
        known = [one for one in ids or () if one in self.held.evidence]
        spoken = [one for one in contents or () if one in self.held.contents]
        near = [one for one in beside or () if one.context in self.held.contexts]
        if not known and not spoken and not near:
            return []
        return self.own.evidence(ids=known or None, contents=spoken or None, beside=near or None, until=until)

    def testimonies(
        self, contests: Sequence[ContestKey], *, source: str | None = None, limit: int | None = None
    ) -> dict[ContestKey, list[Testimony]]:
        known = [one for one in contests if one.slot_id in self.held.slots]
        found: dict[ContestKey, list[Testimony]] = {one: [] for one in contests}
        return found | self.own.testimonies(known, source=source, limit=limit) if known else found

    def claims(self, targets: Sequence[str]) -> list[Testimony]:
        known = [one for one in targets if one in self.held.evidence or one in self.held.claims]
        return self.own.claims(known) if known else []

    def beliefs(self, wanted: BeliefFilter) -> list[Belief]:
        held = self.held
        criteria = (
            (wanted.ids, held.beliefs),
            (wanted.subjects, held.subjects),
            (wanted.values, held.values),
            (wanted.evidence, held.evidence),
            (None if wanted.attribute is None else (wanted.attribute,), held.attributes),
            (None if wanted.contests is None else [one.slot_id for one in wanted.contests], held.slots),
        )
        if any(asked is not None and held_ones.isdisjoint(asked) for asked, held_ones in criteria):
            return []
        if wanted.ids is not None:
            wanted = replace(wanted, ids=[one for one in wanted.ids if one in held.beliefs])
        if wanted.contests is not None:
            wanted = replace(wanted, contests=[one for one in wanted.contests if one.slot_id in held.slots])
        return self.own.beliefs(wanted)

    def search(self, terms: Sequence[str], limit: int) -> Hits:
        if self.held.terms.isdisjoint(terms):
            return Hits((), dict.fromkeys(terms, 0), self.held.documents)
        return self.own.search(terms, limit)

    def counts(self) -> dict[str, int]:
        return self.own.counts()

    def views(self) -> Iterator[Belief | TextEntry]:
        return self.own.views()

    def every(self, kind: type[E], targets: Sequence[str] | None = None, *, after: int = 0) -> Iterator[E]:
        if kind is Withdrawal and targets is not None and self.held.withdrawn.isdisjoint(targets):
            return iter(())
        return self.own.every(kind, targets, after=after)


@dataclass(frozen=True, slots=True)
class _Kept:
    """The inventory of one state of a space, once it was read twice; none where it holds too much."""

    sequence: int
    is_listed: bool = False
    inventory: Inventory | None = None


class Shelf:
    """The inventory of one space, made when the same state of it is read for the second time."""

    def __init__(self) -> None:
        self._kept = _Kept(-1)

    def sparse(self, own: Snapshot) -> Snapshot:
        """The state of the space, with its inventory if that is worth its making."""
        # Threads may read different states at once: each takes and leaves what belongs together.
        kept, sequence = self._kept, own.head().sequence
        if kept.sequence != sequence:
            self._kept = _Kept(sequence)
            return own
        if not kept.is_listed:
            kept = self._kept = _Kept(sequence, True, inventory_of(own))  # noqa: FBT003 - its own field
        return own if kept.inventory is None else SparseSnapshot(own, kept.inventory)

    def clear(self) -> None:
        """Forget the inventory: what the space holds was replaced."""
        self._kept = _Kept(-1)
