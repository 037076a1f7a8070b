"""How the suite gets at a store, and all that one snapshot of it says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, get_args

import pytest
from hypothesis import HealthCheck, settings

from knowwhy.core.model import (
    Alias,
    Belief,
    Declared,
    Entity,
    Evidence,
    Slot,
    Source,
    Testimony,
    name_key,
    premises_of,
)
from knowwhy.core.revision import ContestKey
from knowwhy.store.protocol import (
    Audit,
    Batch,
    BeliefFilter,
    Decision,
    Guarded,
    Hits,
    Snapshot,
    Store,
    TextEntry,
    Vector,
)
from knowwhy.store.replay import source_key
from knowwhy.testing.workload import Workload

# Everything that can be declared.
KINDS: Final[tuple[type[Declared], ...]] = get_args(Declared)

# Each example of a property writes to a space of its own, so one store serves them all; and the same
# property is inherited by the suite of every store.
MANY_SPACES: Final = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.differing_executors],
    deadline=None,
)


class Opening:
    """Where the stores of the suite come from. A store under test says `create`, and `reopen` if it lasts."""

    def create(self, folder: Path) -> Store:
        """A new, empty store, which may keep its files in `folder`."""
        raise NotImplementedError

    def reopen(self, store: Store, folder: Path) -> Store:  # noqa: ARG002 - what a lasting store needs
        """The store as the next process finds it; the same one where it does not outlive its process.

        A store that lasts closes the one it is given first, and opens its files again.
        """
        return store

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        """An empty store, closed when the test is over."""
        store = self.create(tmp_path)
        yield store
        store.close()

    @pytest.fixture
    def work(self, store: Store) -> Workload:
        """A workload for the space "default" of that store."""
        return Workload(store)


def state_of(snapshot: Snapshot, names: Iterable[str] = ()) -> dict[str, object]:
    """All that a snapshot says, in a form that two stores of the same content share.

    Aliases are looked up for `names`, since only those who know a name can ask for it.
    """
    views = list(snapshot.views())
    slots = list(snapshot.every(Slot))
    testimonies = snapshot.testimonies([ContestKey(slot.id) for slot in slots])
    entities = snapshot.entities()
    documents = [view.document for view in views if isinstance(view, TextEntry)]
    grounds = [one.id for one in snapshot.every(Evidence)]
    keys = {name_key(name) for name in (*names, *(one.name for one in entities))}
    premises = {one for those in testimonies.values() for each in those for one in premises_of(each.claim)}
    terms = {term for view in views if isinstance(view, TextEntry) for term in view.terms}
    return {
        "head": snapshot.head(),
        "operations": snapshot.operations(),
        "declared": {kind.kind: list(snapshot.declared(kind).items()) for kind in KINDS},
        "sources": in_order(snapshot.sources()),
        "standings": [(one, one.access) for one in by_standing(snapshot.sources(is_whole=True))],
        "entities": [(one, one.access) for one in entities],
        "aliases": [(one, one.operation) for one in snapshot.every(Alias)],
        "guarded": list(snapshot.every(Guarded)),
        "labels": {one.id: one.labels for one in snapshot.beliefs(BeliefFilter(labelled=True))},
        "names": {key: by_id(found) for key, found in snapshot.names(sorted(keys)).items()},
        "evidence": snapshot.evidence(ids=grounds),
        "evidence ids": grounds,
        "slots": slots,
        "testimonies": {key: by_claim(found) for key, found in testimonies.items()},
        "decisions": list(snapshot.every(Decision)),
        "audits": [(one, one.number) for one in snapshot.every(Audit)],
        "vectors": [(one, one.number) for one in snapshot.every(Vector)],
        "beside": [one.id for one in snapshot.evidence(beside=snapshot.evidence(ids=grounds))],
        "resting": {
            one: [belief.id for belief in snapshot.beliefs(BeliefFilter(premises=[one]))]
            for one in sorted(premises)
        },
        "log": list(snapshot.every(Batch)),
        "views": views,
        "counts": snapshot.counts(),
        "search": scores_of(snapshot.search(sorted(terms), len(documents))),
    }


def state(store: Store, space: str = "default", names: Iterable[str] = ()) -> dict[str, object]:
    """All that a space says now, see `state_of`."""
    with store.snapshot(space) as snapshot:
        return state_of(snapshot, names)


def by_claim(testimonies: Iterable[Testimony]) -> list[Testimony]:
    """Testimonies in the order of their claims' ids."""
    return sorted(testimonies, key=lambda one: one.claim.id)


def by_id(entities: Iterable[Entity]) -> list[Entity]:
    """Entities in the order of their ids."""
    return sorted(entities, key=lambda one: one.id)


def in_order(sources: Iterable[Source]) -> list[Source]:
    """Sources in the order of name and type."""
    return sorted(sources, key=lambda one: (one.name, one.type))


def by_standing(sources: Iterable[Source]) -> list[Source]:
    """All standings of sources, in order."""
    return sorted(sources, key=lambda one: (*source_key(one), str(one.access)))


def beliefs_of(store: Store, space: str = "default") -> list[Belief]:
    """All beliefs of a space, in order of id."""
    with store.snapshot(space) as snapshot:
        return [view for view in snapshot.views() if isinstance(view, Belief)]


def scores_of(hits: Hits) -> dict[str, float]:
    """The score of each document found, to nine digits: sums in another order differ in the last ones."""
    return {hit.document: float(f"{hit.score:.9g}") for hit in hits.hits}
