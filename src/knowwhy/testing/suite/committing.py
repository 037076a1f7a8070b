# ruff: noqa: D102, PLR2004, S101 - these are tests, though they are public
"""What a commit does, and what it refuses."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import pytest
from hypothesis import given

from knowwhy.core.model import Act, Attribute, Cardinality, Entity, Operation, Source
from knowwhy.core.revision import ContestKey
from knowwhy.core.timeline import Instant
from knowwhy.errors import Fault
from knowwhy.store.protocol import Batch, BeliefFilter, StaleRead, Store
from knowwhy.testing.records import EPOCH, claim, evidence, slot, source
from knowwhy.testing.suite.opening import MANY_SPACES, Opening, beliefs_of, by_claim, state
from knowwhy.testing.workload import Workload, batches

WINDOW = slot("order", "return window")
PRICE = slot("order", "price")
_SPACES = count()


def bare(at: int = EPOCH, key: str | None = None) -> Batch:
    """A batch of nothing but its operation."""
    return Batch(Operation(0, Instant(at), Instant(at), Act.OBSERVE, key=key))


def said(work: Workload, text: str, value: str = "7 days", key: str | None = None) -> Batch:
    """A batch in which somebody says what the return window is."""
    ground = evidence(text)
    return work.observation([ground], [claim(ground, WINDOW, value)], key=key)


class Committing(Opening):
    """Operations are numbered and dated by the store, and a batch is written whole or not at all."""

    def test_operations_are_numbered_from_one_whatever_was_proposed(self, store: Store) -> None:
        proposed = bare()
        numbered = [
            store.commit("default", replace(proposed, operation=replace(proposed.operation, sequence=number)))
            for number in (7, 7, 0)
        ]
        assert [operation.sequence for operation in numbered] == [1, 2, 3]

    def test_refused_batches_leave_no_gap_in_the_numbers(self, store: Store) -> None:
        store.commit("default", bare(key="once"))
        with pytest.raises(StaleRead):
            store.commit("default", bare(key="once"))
        assert store.commit("default", bare()).sequence == 2

    def test_a_belief_without_a_claim_is_refused_and_nothing_is_written(
        self, store: Store, work: Workload
    ) -> None:
        batch = said(work, "The window is 7 days.")
        with pytest.raises(Fault, match="no claim"):
            store.commit(work.space, replace(batch, claims=()))
        assert store.commit(work.space, batch).sequence == 1

    def test_time_is_as_proposed_but_always_past_the_operation_before(self, store: Store) -> None:
        proposed = [EPOCH, EPOCH + 10, EPOCH + 10, EPOCH - 10, EPOCH + 12, EPOCH + 50]
        stamped = [store.commit("default", bare(at)).at - EPOCH for at in proposed]
        assert stamped == [0, 10, 11, 12, 13, 50]

    def test_the_instant_decided_for_stays_as_it_is(self, store: Store) -> None:
        store.commit("default", bare(EPOCH + 10))
        assert store.commit("default", bare(EPOCH)).decided_at == EPOCH

    def test_what_commit_gives_back_is_what_is_read(self, store: Store) -> None:
        operation = Operation(
            sequence=0,
            at=EPOCH,
            decided_at=Instant(EPOCH - 5),
            act=Act.CORRECT,
            author="O'Brien 😀",
            reason='because "so"\0',
            policy="authority-then-recency",
            key="k'1",
            request="f00",
            outcome={"changes": [1, None, 2.5, True], "退货": {"text": 'a\0b"'}},
        )
        given_back = store.commit("default", Batch(operation))
        assert given_back == replace(operation, sequence=1)
        with store.snapshot("default") as snapshot:
            assert snapshot.operations() == [given_back]

    def test_no_one_changes_an_outcome_on_record(self, store: Store) -> None:
        outcome: dict[str, list[int]] = {"changes": [1]}
        given_back = store.commit("default", Batch(replace(bare().operation, outcome=outcome)))
        outcome["changes"].append(2)
        with store.snapshot("default") as snapshot:
            read = snapshot.operations()[0].outcome
        for known in (given_back.outcome, read):
            assert known is not None
            known["changes"].append(3)
        with store.snapshot("default") as snapshot:
            assert snapshot.operations()[0].outcome == {"changes": [1]}

    def test_a_key_is_used_once(self, store: Store, work: Workload) -> None:
        work.commit(said(work, "seven", key="k"))
        before = state(store)
        with pytest.raises(StaleRead):
            work.commit(said(work, "fifteen", "15 days", key="k"))
        assert state(store) == before

    def test_operations_without_a_key_are_as_many_as_you_like(self, store: Store) -> None:
        assert [store.commit("default", bare()).sequence for _ in range(3)] == [1, 2, 3]

    def test_entities_and_sources_on_record_stay_as_they_are(self, store: Store) -> None:
        first, second = Entity("en_1", "Order", "thing"), Entity("en_1", "Changed")
        spoken, other = Source("a", "user", 50, 0.8), Source("a", "user", 90, 0.9)
        store.commit("default", replace(bare(), entities=(first,), sources=(spoken,)))
        store.commit("default", replace(bare(), entities=(second,), sources=(other,)))
        with store.snapshot("default") as snapshot:
            assert snapshot.entities() == [first]
            assert snapshot.sources() == [spoken]

    def test_whom_claims_are_about_and_who_spoke_is_on_record_even_if_not_listed(
        self, store: Store, work: Workload
    ) -> None:
        work.commit(replace(said(work, "seven"), entities=(), sources=()))
        with store.snapshot("default") as snapshot:
            assert snapshot.entities() == snapshot.names(["order"])["order"] == [WINDOW.subject]
            assert snapshot.sources() == [source()]

    def test_evidence_on_record_is_refused(self, store: Store, work: Workload) -> None:
        ground = evidence("seven")
        work.commit(work.observation([ground]))
        before = state(store)
        other = evidence("fifteen")
        with pytest.raises(StaleRead):
            work.commit(work.observation([other, ground], [claim(other, WINDOW, "15 days")]))
        assert state(store) == before

    def test_claims_on_record_are_refused(self, store: Store, work: Workload) -> None:
        ground = evidence("seven")
        statement = claim(ground, WINDOW, "7 days")
        work.commit(work.observation([ground], [statement]))
        before = state(store)
        with pytest.raises(StaleRead):
            work.commit(work.observation([], [claim(ground, PRICE, "7"), statement]))
        assert state(store) == before

    def test_evidence_was_recorded_when_it_was_written(self, work: Workload) -> None:
        ground = evidence("seven")
        operation = work.commit(work.observation([ground], [claim(ground, WINDOW, "7 days")]))
        with work.store.snapshot("default") as snapshot:
            assert snapshot.evidence(ids=[ground.id]) == [replace(ground, recorded_at=operation.at)]
            assert [one.recorded_at for one in snapshot.claims([ground.id])] == [operation.at]

    @pytest.mark.parametrize("later", [0, 5_000_000])
    def test_it_was_recorded_at_the_instant_stamped_not_the_one_proposed(
        self, work: Workload, later: int
    ) -> None:
        work.commit(bare(work.now + 60_000_000))
        ground = evidence("seven", recorded_at=Instant(work.now + 1_000_000 + later))
        operation = work.commit(work.observation([ground]))
        assert operation.at == EPOCH + 60_000_001
        with work.store.snapshot("default") as snapshot:
            assert snapshot.evidence(ids=[ground.id]) == [replace(ground, recorded_at=operation.at)]

    def test_evidence_loaded_from_elsewhere_keeps_when_it_was_recorded_there(self, work: Workload) -> None:
        ground = evidence("seven", recorded_at=Instant(EPOCH - 1))
        work.commit(work.observation([ground], [claim(ground, WINDOW, "7 days")]))
        with work.store.snapshot("default") as snapshot:
            assert snapshot.evidence(ids=[ground.id]) == [ground]
            assert [one.recorded_at for one in snapshot.claims([ground.id])] == [EPOCH - 1]

    @MANY_SPACES
    @given(batch=batches())
    def test_a_batch_reads_back_as_it_was_written(self, store: Store, batch: Batch) -> None:
        space = f"round-{next(_SPACES)}"
        operation = store.commit(space, batch)
        known = {one.id: min(one.recorded_at, operation.at) for one in batch.evidence}
        with store.snapshot(space) as snapshot:
            found = snapshot.evidence(ids=[one.id for one in batch.evidence])
            assert {one.id: one for one in found} == {
                one.id: replace(one, recorded_at=known[one.id]) for one in batch.evidence
            }
            read = by_claim(snapshot.claims([one.id for one in batch.claims]))
            assert [one.claim for one in read] == sorted(batch.claims, key=lambda one: one.id)
            assert all(one.operation == 1 and one.retracted_at is None for one in read)
            assert all(one.recorded_at == known[one.claim.evidence_id] for one in read)
            assert snapshot.beliefs(BeliefFilter(ids=[one.id for one in batch.beliefs])) == sorted(
                (replace(one, version=1) for one in batch.beliefs), key=lambda one: one.id
            )


class Versions(Opening):
    """A commit holds against the versions that were read, and says the present ones where it does not."""

    def test_a_belief_bears_the_number_of_the_operation_that_settled_it(self, work: Workload) -> None:
        work.commit(bare())
        work.commit(said(work, "seven"))
        assert [belief.version for belief in beliefs_of(work.store)] == [2]

    def test_settling_again_replaces_the_beliefs_of_the_contest(self, work: Workload) -> None:
        work.commit(said(work, "seven"))
        batch = said(work, "fifteen", "15 days")
        work.commit(batch)
        wanted = sorted((replace(one, version=2) for one in batch.beliefs), key=lambda one: one.id)
        assert beliefs_of(work.store) == wanted
        assert len(wanted) == 2

    def test_a_batch_decided_on_an_older_version_is_refused(self, store: Store, work: Workload) -> None:
        late = said(work, "fifteen", "15 days")
        work.commit(said(work, "seven"))
        before = state(store)
        with pytest.raises(StaleRead) as refusal:
            work.commit(late)
        assert refusal.value.versions == {ContestKey(WINDOW.id): 1}
        assert state(store) == before

    @pytest.mark.parametrize("expected", [-1, 0, 2])
    def test_any_other_version_than_the_present_one_is_refused(self, work: Workload, expected: int) -> None:
        work.commit(said(work, "seven"))
        contests = {ContestKey(WINDOW.id): 1, ContestKey(PRICE.id): 0}
        work.commit(replace(bare(), expected=contests))
        with pytest.raises(StaleRead) as refusal:
            work.commit(replace(bare(), expected={**contests, ContestKey(WINDOW.id): expected}))
        assert refusal.value.versions == contests

    def test_the_version_of_a_slot_is_the_highest_among_its_beliefs(self, work: Workload) -> None:
        work.commit(work.declaration(Attribute("return window", Cardinality.MANY)))
        seven, fifteen = evidence("seven"), evidence("fifteen")
        work.commit(work.observation([seven], [claim(seven, WINDOW, "7")]))
        work.commit(work.observation([fifteen], [claim(fifteen, WINDOW, "15")]))
        present = {
            ContestKey(WINDOW.id): 3,
            ContestKey(WINDOW.id, "number:7"): 2,
            ContestKey(WINDOW.id, "number:15"): 3,
            ContestKey(WINDOW.id, "number:30"): 0,
        }
        work.commit(replace(bare(), expected=present))
        with pytest.raises(StaleRead) as refusal:
            work.commit(replace(bare(), expected=dict.fromkeys(present, 9)))
        assert refusal.value.versions == present

    def test_contests_of_other_values_do_not_meet(self, work: Workload) -> None:
        work.commit(work.declaration(Attribute("return window", Cardinality.MANY)))
        late = said(work, "fifteen", "15 days")
        work.commit(said(work, "seven"))
        assert work.commit(late).sequence == 3

    def test_beliefs_decided_under_an_older_schema_are_refused(self, store: Store, work: Workload) -> None:
        late = said(work, "seven")
        work.commit(work.declaration(Attribute("colour")))
        before = state(store)
        with pytest.raises(StaleRead):
            work.commit(late)
        assert state(store) == before

    def test_declarations_made_under_an_older_schema_are_refused(self, store: Store, work: Workload) -> None:
        late = work.declaration(Attribute("price"))
        work.commit(work.declaration(Attribute("colour")))
        before = state(store)
        with pytest.raises(StaleRead):
            work.commit(late)
        assert state(store) == before

    def test_what_depends_on_no_schema_is_written_under_any(self, work: Workload) -> None:
        late = work.observation([evidence("without claims", source("Ann", "user"))])
        work.commit(work.declaration(Attribute("colour")))
        assert work.commit(late).sequence == 2
