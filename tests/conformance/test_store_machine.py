"""A random machine: whatever is done to a store that lasts and to the oracle, both give the same answers."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, rule

from knowwhy.core.model import (
    Alias,
    Attribute,
    Belief,
    Claim,
    Declared,
    Entity,
    Evidence,
    Operation,
    Slot,
    Status,
    Withdrawal,
    entity_named,
    is_retraction,
    name_key,
)
from knowwhy.core.revision import ContestKey
from knowwhy.errors import Fault
from knowwhy.store.memory import MemoryStore
from knowwhy.store.postgres import PostgresStore
from knowwhy.store.protocol import (
    Batch,
    BeliefFilter,
    Erasing,
    Hits,
    Snapshot,
    StaleRead,
    Store,
    TextEntry,
    Vector,
)
from knowwhy.store.sqlite import SqliteStore
from knowwhy.testing.declarations import attributes, declarations
from knowwhy.testing.records import RESTED_ON, claims, observations, texts
from knowwhy.testing.standings import standings
from knowwhy.testing.suite.opening import KINDS, by_claim, by_id, in_order, state_of
from knowwhy.testing.suite.searching import busy
from knowwhy.testing.workload import Workload
from tests.servers import server

SPACES = ("one", "two's")
NAMES = ("Berlin", "the capital: of")
NAMED = (entity_named("Berlin", "city"), entity_named("order"))
spaces = st.sampled_from((*SPACES, "one", "one"))
Late: TypeAlias = tuple[str, Batch]
Told: TypeAlias = tuple[list[Evidence], list[Claim]]
Known = TypeVar("Known")


class StoreMachine(RuleBasedStateMachine):
    """Does at random to both stores whatever can be done to a store, and compares all that they answer.

    Batches are decided on what the oracle says; those in `late` are committed some time after.
    """

    late: Bundle[Late] = Bundle("late")

    @initialize()
    def open(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.oracle: Store = MemoryStore()
        self.store = self.opened()
        self.works = {space: Workload(self.oracle, space) for space in SPACES}
        self.held: list[tuple[AbstractContextManager[Snapshot], Snapshot, dict[str, object]]] = []
        for batch in beginnings():
            self.commit("one", batch)

    def opened(self) -> Store:
        """The store under test, as the next process finds it."""
        return SqliteStore(str(self.folder / "memory.db"))

    def teardown(self) -> None:
        try:
            while self.held:
                self._let_go()
            for space in SPACES:
                self.ask(space, lambda snapshot: state_of(snapshot, NAMES))
                # `replace_views` may drop a belief and keep its index entry: each store says so in its words.
                assert bool(self.store.problems(space)) is bool(self.oracle.problems(space))
        finally:
            self.store.close()
            shutil.rmtree(self.folder)

    # Writing -----------------------------------------------------------------------------------

    def commit(self, space: str, batch: Batch) -> None:
        """Commit to both stores: the same operation, or the same refusal."""
        assert _committed(self.store, space, batch) == _committed(self.oracle, space, batch)

    @rule(space=spaces, told=st.lists(observations(), min_size=1, max_size=4))
    def observe(self, space: str, told: list[Told]) -> None:
        for one in told:
            self.commit(space, self.works[space].observation(*one))

    @rule(space=spaces, told=observations(1), key=st.sampled_from(["k", "O'k"]))
    def observe_once(self, space: str, told: Told, key: str) -> None:
        self.commit(space, self.works[space].observation(*told, key=key))

    @rule(space=spaces, data=st.data())
    def read_on(self, space: str, data: st.DataObject) -> None:
        """Read further claims out of evidence on record."""
        with self.oracle.snapshot(space) as snapshot:
            grounds = snapshot.evidence()
        if grounds:
            read = data.draw(claims(data.draw(st.sampled_from(grounds))))
            self.commit(space, self.works[space].observation([], [read]))

    @rule(space=spaces, declared=attributes() | declarations())
    def declare(self, space: str, declared: Declared) -> None:
        self.commit(space, self.works[space].declaration(declared))

    @rule(space=spaces, data=st.data())
    def decide(self, space: str, data: st.DataObject) -> None:
        """Decide contests because of others, under links that may or may not be the present ones."""
        batch = self.works[space].decision(_some(data, self.known(space, _contests)))
        links = data.draw(st.just(batch.links) | st.none() | st.integers(0, 12))
        self.commit(space, replace(batch, links=links))

    @rule(space=spaces, data=st.data())
    def stand_otherwise(self, space: str, data: st.DataObject) -> None:
        """Let some beliefs stand in any way whatever."""
        with self.oracle.snapshot(space) as snapshot:
            held = [view for view in snapshot.views() if isinstance(view, Belief)]
        if held:
            chosen = st.lists(st.sampled_from(held), min_size=1, max_size=3, unique_by=lambda one: one.id)
            beliefs = [data.draw(standings(one)) for one in data.draw(chosen)]
            self.commit(space, self.works[space].replacement(beliefs))

    @rule(space=spaces, data=st.data(), reason=st.none() | texts(5))
    def withdraw(self, space: str, data: st.DataObject, reason: str | None) -> None:
        """Take back an item of evidence, some of its claims, or both."""
        ground = data.draw(st.sampled_from(self.known(space, _evidence_ids)))
        with self.oracle.snapshot(space) as snapshot:
            read = [one.claim.id for one in snapshot.claims([ground])]
        for target in data.draw(st.lists(st.sampled_from([ground, *read]), min_size=1, max_size=3)):
            self.commit(space, self.works[space].withdrawal(target, reason))

    @rule(space=spaces, data=st.data())
    def lift(self, space: str, data: st.DataObject) -> None:
        """Give back what was withdrawn, perhaps not all of it."""
        if known := self.known(space, _withdrawals):
            self.commit(space, self.works[space].lift(data.draw(st.sampled_from(known))))

    @rule(space=spaces, data=st.data(), before=st.integers(0, 20))
    def drop(self, space: str, data: st.DataObject, before: int) -> None:
        """Drop for good some evidence, as far as it is withdrawn."""
        evidence = _some(data, self.known(space, _evidence_ids))
        for store in (self.store, self.oracle):
            store.drop(space, evidence, before)

    @rule(space=spaces, data=st.data(), words=st.lists(st.sampled_from(NAMES), max_size=2))
    def erase(self, space: str, data: st.DataObject, words: list[str]) -> None:
        """Erase some evidence, as far as it is withdrawn, with what nothing speaks of any more."""
        evidence = _some(data, self.known(space, _evidence_ids))
        erasing = Erasing(
            tuple(_some(data, [one.id for one in NAMED])),
            tuple(_some(data, self.known(space, _source_names))),
            tuple(words),
            tuple(evidence),
        )
        for store in (self.store, self.oracle):
            store.drop(space, evidence, 0, erasing)

    @rule(space=spaces, until=st.integers(0, 20))
    def read_as_of_an_operation(self, space: str, until: int) -> None:
        keys = [name_key(name) for name in NAMES]
        self.ask(space, lambda view: view.declared(Attribute, until=until))
        self.ask(space, lambda view: in_order(view.sources(until=until)))
        self.ask(space, lambda view: {key: by_id(one) for key, one in view.names(keys, until=until).items()})
        self.ask(space, lambda view: list(view.every(Withdrawal)))
        self.ask(space, lambda view: [(one, one.operation) for one in view.every(Alias)])

    @rule(space=spaces, entity=st.sampled_from(NAMED), name=st.sampled_from(NAMES), is_gone=st.booleans())
    def name(self, space: str, entity: Entity, name: str, is_gone: bool) -> None:  # noqa: FBT001
        work = self.works[space]
        self.commit(space, work.unnaming(entity, name) if is_gone else work.naming(entity, name))

    @rule(target=late, space=spaces, told=observations(2))
    def prepare(self, space: str, told: Told) -> Late:
        return space, self.works[space].observation(*told)

    @rule(target=late, space=spaces, declared=attributes() | declarations())
    def prepare_to_declare(self, space: str, declared: Declared) -> Late:
        return space, self.works[space].declaration(declared)

    @rule(target=late, space=spaces, data=st.data())
    def prepare_to_decide(self, space: str, data: st.DataObject) -> Late:
        return space, self.works[space].decision(_some(data, self.known(space, _contests)))

    @rule(one=late)
    def commit_late(self, one: Late) -> None:
        """Commit what was decided before, perhaps not for the first time."""
        self.commit(*one)

    @rule(space=spaces, data=st.data())
    def expect(self, space: str, data: st.DataObject) -> None:
        """Commit nothing, under versions that may or may not be the present ones."""
        contests = _some(data, self.known(space, _contests))
        numbers = st.integers(0, 12)
        with self.oracle.snapshot(space) as snapshot:
            for contest in contests:
                found = snapshot.beliefs(BeliefFilter(contests=[contest]))
                numbers |= st.just(max((belief.version for belief in found), default=0))
        expected = {contest: data.draw(numbers) for contest in contests}
        self.commit(space, replace(self.works[space].observation([]), expected=expected))

    # Views, snapshots, files -------------------------------------------------------------------

    @rule(space=spaces, data=st.data())
    def put_vectors(self, space: str, data: st.DataObject) -> None:
        """Put vectors of documents that are there and of others, and take some away."""
        documents = [*self.known(space, _belief_ids), *self.known(space, _evidence_ids), "ev_?"]
        one = st.builds(
            Vector,
            st.sampled_from(documents),
            st.sampled_from(["a", "O'b"]),
            st.sampled_from([b"", b"12345678"]),
        )
        rows = data.draw(st.lists(one, max_size=4))
        for store in (self.store, self.oracle):
            store.replace_views(space, rows, is_whole=False)
        self.ask(space, lambda view: [(one, one.number) for one in view.every(Vector)])

    @rule(space=spaces, data=st.data())
    def replace_views(self, space: str, data: st.DataObject) -> None:
        """Put some of the views, changed or not, in the place of all."""
        with self.oracle.snapshot(space) as snapshot:
            views = list(snapshot.views())
        kept = [view for view in views if data.draw(st.booleans())]
        rows = [data.draw(st.just(row) | standings(row)) if isinstance(row, Belief) else row for row in kept]
        for store in (self.store, self.oracle):
            store.replace_views(space, iter(rows))

    @rule(space=spaces)
    def settle_again(self, space: str) -> None:
        """Give the views back what `replace_views` took: settle all contests of every attribute."""
        with self.oracle.snapshot(space) as snapshot:
            declared = list(snapshot.declared(Attribute).values())
        for attribute in declared:
            self.commit(space, self.works[space].declaration(attribute))

    @rule()
    def reopen(self) -> None:
        while self.held:
            self._let_go()
        self.store.close()
        self.store = self.opened()

    @rule(space=spaces)
    def hold(self, space: str) -> None:
        """Keep a snapshot open, together with what the oracle says at this time."""
        with self.oracle.snapshot(space) as snapshot:
            expected = state_of(snapshot)
        if len(self.held) < len(SPACES):
            context = self.store.snapshot(space)
            self.held.append((context, context.__enter__(), expected))

    @rule()
    def look_at_what_is_held(self) -> None:
        if self.held:
            self._let_go()

    def _let_go(self) -> None:
        context, snapshot, expected = self.held.pop()
        try:
            assert state_of(snapshot) == expected
        finally:
            context.__exit__(None, None, None)

    # Reading -----------------------------------------------------------------------------------

    def ask(self, space: str, question: Callable[[Snapshot], object]) -> None:
        """Ask both stores: the same answer."""
        with self.store.snapshot(space) as snapshot, self.oracle.snapshot(space) as expected:
            assert question(snapshot) == question(expected)

    @rule(space=spaces)
    def read_everything(self, space: str) -> None:
        self.ask(space, lambda snapshot: state_of(snapshot, NAMES))

    @rule(
        space=spaces,
        key=st.none() | st.sampled_from(["k", "O'k", "?"]),
        sequences=st.none() | st.lists(st.integers(0, 9), max_size=4),
        before=st.none() | st.integers(0, 12),
        limit=st.none() | st.integers(0, 5),
    )
    def read_operations(self, space: str, **wanted: Any) -> None:  # noqa: ANN401 - as they were drawn
        self.ask(space, lambda snapshot: snapshot.operations(**wanted))

    @rule(space=spaces, data=st.data())
    def read_records(self, space: str, data: st.DataObject) -> None:
        ids = _some(data, self.known(space, _evidence_ids), self.known(space, _claim_ids))
        contests = _some(data, self.known(space, _contests))
        subjects = _some(data, self.known(space, _entity_ids))
        names = data.draw(st.lists(st.sampled_from(["handbook", "Ann", "tool-1", "?"]), max_size=3))
        keys = [name_key(name) for name in data.draw(st.lists(st.sampled_from(NAMES), max_size=3))]
        self.ask(space, lambda view: view.evidence(ids=ids))
        self.ask(space, lambda view: view.evidence(contents=[one.content for one in view.evidence(ids=ids)]))
        self.ask(space, lambda view: by_claim(view.claims(ids)))
        self.ask(space, lambda view: {key: by_claim(one) for key, one in view.testimonies(contests).items()})
        self.ask(space, lambda view: view.entities(subjects))
        self.ask(space, lambda view: in_order(view.sources(names)))
        self.ask(space, lambda view: {key: by_id(found) for key, found in view.names(keys).items()})
        kind = data.draw(st.sampled_from(KINDS))
        declared = _some(data, self.known(space, _declared_keys))
        self.ask(space, lambda view: list(view.declared(kind, declared).items()))

    @rule(space=spaces, data=st.data())
    def read_beliefs(self, space: str, data: st.DataObject) -> None:
        criteria: dict[str, Any] = {
            "ids": _some(data, self.known(space, _belief_ids)),
            "contests": _some(data, self.known(space, _contests)),
            "subjects": _some(data, self.known(space, _entity_ids)),
            "attribute": data.draw(st.sampled_from(["price", "return window", "首都"])),
            "values": _some(data, self.known(space, _value_keys)),
            "statuses": data.draw(st.lists(st.sampled_from(Status), max_size=3)),
            "evidence": _some(data, self.known(space, _evidence_ids)),
            "premises": data.draw(st.lists(st.sampled_from(RESTED_ON), max_size=3)),
        }
        chosen = data.draw(st.lists(st.sampled_from(sorted(criteria)), min_size=1, max_size=3, unique=True))
        wanted = {name: criteria[name] for name in chosen}
        limit = data.draw(st.none() | st.integers(0, 4))
        self.ask(space, lambda snapshot: snapshot.beliefs(BeliefFilter(**wanted, limit=limit)))

    @rule(space=spaces, data=st.data(), limit=st.integers(0, 6))
    def search(self, space: str, data: st.DataObject, limit: int) -> None:
        terms = _some(data, self.known(space, _terms))
        with self.store.snapshot(space) as snapshot, self.oracle.snapshot(space) as expected:
            _compare(snapshot.search(terms, 10_000), expected.search(terms, 10_000))
            everything, best = expected.search(terms, 10_000), snapshot.search(terms, limit)
        scores = {hit.document: hit.score for hit in everything.hits}
        assert [hit.score for hit in best.hits] == pytest.approx(
            [hit.score for hit in everything.hits[:limit]], rel=1e-6
        )
        assert all(hit.score == pytest.approx(scores[hit.document], rel=1e-6) for hit in best.hits)

    # Choosing ----------------------------------------------------------------------------------

    def known(self, space: str, read: Callable[[Snapshot], Iterator[Known]]) -> list[Known]:
        """What there is to name in a space, by the oracle."""
        with self.oracle.snapshot(space) as snapshot:
            return list(dict.fromkeys(read(snapshot)))


def beginnings() -> Iterator[Batch]:
    """Batches with something of every kind, so that even a short run has much to meet."""
    work = Written(MemoryStore())
    busy(work)
    return iter(work.batches)


@dataclass(slots=True)
class Written(Workload):
    """A workload that remembers what it wrote."""

    batches: list[Batch] = field(default_factory=list)

    def commit(self, batch: Batch) -> Operation:
        """Write a batch into the store."""
        self.batches.append(batch)
        return self.store.commit(self.space, batch)


def _some(data: st.DataObject, *known: list[Known]) -> list[Known]:
    """Some of what is known, also twice, or nothing."""
    everything = [one for part in known for one in part]
    return data.draw(st.lists(st.sampled_from(everything), max_size=4)) if everything else []


def _evidence_ids(snapshot: Snapshot) -> Iterator[str]:
    yield "ev_?"
    yield from (one.id for one in snapshot.every(Evidence))


def _source_names(snapshot: Snapshot) -> Iterator[str]:
    yield from (one.name for one in snapshot.sources())


def _withdrawals(snapshot: Snapshot) -> Iterator[Withdrawal]:
    yield from (
        one for one in snapshot.every(Withdrawal) if not one.is_lifted and not is_retraction(one.target)
    )


def _claim_ids(snapshot: Snapshot) -> Iterator[str]:
    yield from (one.claim.id for one in snapshot.claims([one.id for one in snapshot.every(Evidence)]))


def _belief_ids(snapshot: Snapshot) -> Iterator[str]:
    yield "bl_?"
    yield from (view.id for view in snapshot.views() if isinstance(view, Belief))


def _declared_keys(snapshot: Snapshot) -> Iterator[str]:
    yield "?"
    yield from (key for kind in KINDS for key in snapshot.declared(kind))


def _entity_ids(snapshot: Snapshot) -> Iterator[str]:
    yield "en_?"
    yield from (entity.id for entity in snapshot.entities())


def _value_keys(snapshot: Snapshot) -> Iterator[str]:
    yield "text:?"
    yield from (view.value.key for view in snapshot.views() if isinstance(view, Belief))


def _contests(snapshot: Snapshot) -> Iterator[ContestKey]:
    yield ContestKey("sl_?")
    for slot in snapshot.every(Slot):
        yield ContestKey(slot.id)
        yield ContestKey(slot.id, "text:?")
        for one in snapshot.testimonies([ContestKey(slot.id)])[ContestKey(slot.id)]:
            yield ContestKey(slot.id, one.claim.value.key)


def _terms(snapshot: Snapshot) -> Iterator[str]:
    yield "unknown"
    for view in snapshot.views():
        if isinstance(view, TextEntry):
            yield from view.terms


def _committed(store: Store, space: str, batch: Batch) -> object:
    """The operation that a commit gives, or why it is refused: the versions, or what it rests on is gone."""
    try:
        return store.commit(space, batch)
    except StaleRead as refusal:
        return refusal.versions
    except Fault:
        return Fault


def _compare(found: Hits, expected: Hits) -> None:
    """Hits agree in all but the order of equals and the last digits of scores."""
    scores = {hit.document: hit.score for hit in expected.hits}
    assert {hit.document: hit.score for hit in found.hits} == pytest.approx(scores, rel=1e-6)
    assert len(found.hits) == len(scores)
    assert found.frequencies == expected.frequencies
    assert found.documents == expected.documents


class PostgresMachine(StoreMachine):
    """The same over PostgreSQL, each example in a database of its own."""

    def opened(self) -> Store:
        return PostgresStore(server().database_for(self.folder))

    def teardown(self) -> None:
        super().teardown()
        server().sweep()


TestStoreMachine = StoreMachine.TestCase
TestStoreMachine.settings = settings(
    max_examples=max(settings().max_examples // 3, 1),
    stateful_step_count=50,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)
TestPostgresMachine = PostgresMachine.TestCase
TestPostgresMachine.settings = TestStoreMachine.settings
