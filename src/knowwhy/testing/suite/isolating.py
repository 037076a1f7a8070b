# ruff: noqa: D102, PLR2004, S101 - these are tests, though they are public
"""A snapshot is one state, and a space knows nothing of another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from threading import Barrier, Event, Thread

import pytest

from knowwhy.core.model import Act, Alias, Attribute, Belief, Operation, Retraction
from knowwhy.core.revision import ContestKey
from knowwhy.core.timeline import Instant
from knowwhy.store.protocol import Batch, BeliefFilter, Head, StaleRead, Store, TextEntry
from knowwhy.testing.records import EPOCH, claim, evidence, slot
from knowwhy.testing.suite.committing import WINDOW, said
from knowwhy.testing.suite.opening import Opening, beliefs_of, state, state_of
from knowwhy.testing.workload import Workload

THREADS = 4
ROUNDS = 12
PATIENCE_S = 60.0


class Isolation(Opening):
    """Reads never see half an operation, nor anything of another space."""

    def test_a_snapshot_opened_before_a_commit_does_not_see_it(self, store: Store, work: Workload) -> None:
        work.commit(said(work, "seven"))
        with store.snapshot("default") as snapshot:
            before = state_of(snapshot)
            work.commit(work.declaration(Attribute("return window")))
            work.commit(said(work, "fifteen", "15 days"))
            work.commit(work.withdrawal(evidence("seven").id))
            assert state_of(snapshot) == before
        assert state(store) != before

    def test_a_snapshot_is_of_its_opening_not_of_its_first_read(self, store: Store, work: Workload) -> None:
        with store.snapshot("default") as snapshot:
            work.commit(said(work, "seven"))
            assert snapshot.head() == Head()

    def test_a_snapshot_opened_after_a_commit_sees_all_of_it(self, store: Store, work: Workload) -> None:
        batch = replace(
            said(work, "seven"),
            aliases=(Alias("bestellung", WINDOW.subject.id, "Bestellung"),),
            declarations=(Attribute("return window"),),
            retractions=(Retraction(evidence("seven").id),),
        )
        work.commit(batch)
        with store.snapshot("default") as snapshot:
            assert snapshot.head() == Head(1, batch.operation.at, 1)
            assert len(snapshot.operations()) == 1
            assert snapshot.names(["order", "bestellung"]).keys() == {"order", "bestellung"}
            assert list(snapshot.declared(Attribute)) == ["return window"]
            assert len(snapshot.sources()) == len(snapshot.evidence(ids=[evidence("seven").id])) == 1
            assert [one.retraction for one in snapshot.claims([batch.claims[0].id])] == [1]
            assert len(list(snapshot.views())) == 3
            assert snapshot.search(["seven"], 5).documents == 2

    def test_two_snapshots_of_one_thread_keep_apart(self, store: Store, work: Workload) -> None:
        with store.snapshot("default") as outer:
            work.commit(said(work, "seven"))
            with store.snapshot("default") as inner:
                assert (outer.head().sequence, inner.head().sequence) == (0, 1)
            assert outer.head().sequence == 0

    def test_spaces_never_see_each_other(self, store: Store) -> None:
        there = Workload(store, "there")
        nothing = state(store, "here")
        there.commit(there.declaration(Attribute("return window", half_life_days=9.0)))
        there.commit(said(there, "seven", key="k"))
        there.commit(there.naming(WINDOW.subject, "Bestellung"))
        there.commit(there.withdrawal(evidence("seven").id))
        assert state(store, "here", ["Bestellung"]) == nothing
        with store.snapshot("here") as snapshot:
            ground, belief = evidence("seven"), beliefs_of(store, "there")[0]
            assert snapshot.operations(key="k") == snapshot.operations(sequences=[1, 2, 3]) == []
            assert snapshot.evidence(ids=[ground.id]) == snapshot.evidence(contents=[ground.content]) == []
            assert snapshot.claims([ground.id]) == []
            assert snapshot.entities([WINDOW.subject.id]) == []
            assert snapshot.sources(["handbook"]) == []
            assert snapshot.beliefs(BeliefFilter(ids=[belief.id])) == []
            assert snapshot.beliefs(BeliefFilter(subjects=[WINDOW.subject.id])) == []
            assert snapshot.search(["seven"], 5).frequencies.get("seven", 0) == 0
            assert snapshot.search(["seven"], 5).documents == 0

    def test_each_space_counts_and_checks_for_itself(self, store: Store) -> None:
        here, there = Workload(store, "here"), Workload(store, "there")
        there.commit(there.declaration(Attribute("colour")))
        there.commit(said(there, "seven", key="k"))
        assert here.commit(said(here, "seven", key="k")).sequence == 1
        assert beliefs_of(store, "here")[0].version == 1
        store.replace_views("there", [])
        assert len(beliefs_of(store, "here")) == 1

    @pytest.mark.parametrize("space", ["", "O'Brien", "a%", "a_", "退货 😀", 'x"; --', "A", "a"])
    def test_a_space_may_have_any_name(self, store: Store, space: str) -> None:
        for name in ("a", "A", "ab", "O''Brien", space):
            other = Workload(store, name)
            with store.snapshot(name) as snapshot:
                number = snapshot.head().sequence
            assert other.commit(other.observation([evidence(f"number {number}")])).sequence == number + 1


class Racing(Opening):
    """Several threads may use one store at once."""

    def test_threads_that_decide_different_contests_all_succeed(self, store: Store) -> None:
        def write(number: int, _barrier: Barrier) -> None:
            work = Workload(store, now=Instant(EPOCH + number))
            for step in range(ROUNDS):
                ground = evidence(f"step {step} of {number}")
                read = claim(ground, slot(f"thing {number}"), f"{step} days")
                work.commit(work.observation([ground], [read]))

        _run(write)
        with store.snapshot("default") as snapshot:
            written = snapshot.operations()[::-1]
        assert [operation.sequence for operation in written] == list(range(1, THREADS * ROUNDS + 1))
        assert all(earlier.at < later.at for earlier, later in pairwise(written))
        assert len(beliefs_of(store)) == THREADS * ROUNDS

    def test_of_threads_that_decide_one_contest_one_wins_each_round(self, store: Store) -> None:
        won: list[int] = []
        lost: list[int] = []

        def write(number: int, barrier: Barrier) -> None:
            work = Workload(store)
            for step in range(ROUNDS):
                batch = said(work, f"step {step} of {number}", f"{number} days")
                barrier.wait(PATIENCE_S)
                try:
                    won.append(work.commit(batch).sequence)
                except StaleRead as refusal:
                    lost.append(refusal.versions[ContestKey(WINDOW.id)])
                barrier.wait(PATIENCE_S)

        _run(write)
        assert sorted(won) == list(range(1, ROUNDS + 1))
        assert sorted(lost) == sorted(list(range(1, ROUNDS + 1)) * (THREADS - 1))

    def test_readers_see_whole_operations_while_others_write(self, store: Store) -> None:
        is_over = Event()
        seen: list[tuple[int, int, int, int]] = []

        def read() -> None:
            while not is_over.is_set():
                with store.snapshot("default") as snapshot:
                    head = snapshot.head().sequence
                    found = snapshot.beliefs(BeliefFilter(attribute="return window"))
                    documents = snapshot.search(["days"], 1).documents
                    seen.append((head, len(snapshot.operations()), len(found), documents // 2))

        reader = Thread(target=read)
        reader.start()
        try:
            work = Workload(store)
            for step in range(ROUNDS):
                ground = evidence(f"{step} days")
                work.commit(work.observation([ground], [claim(ground, slot(f"thing {step}"), "7 days")]))
        finally:
            is_over.set()
            reader.join(PATIENCE_S)
        assert seen
        assert all(len(set(numbers)) == 1 for numbers in seen)

    def test_who_takes_a_turn_waits_for_who_has_it(self, store: Store) -> None:
        at_work: list[int] = []
        seen: list[int] = []

        def write(number: int, _barrier: Barrier) -> None:
            # Each two of them have a word in common with a third, and none of their own.
            words = [("a", "b"), ("b", "c"), ("c", "a"), ("b", "a")][number]
            for step in range(ROUNDS):
                with store.snapshot("default", turn=words) as snapshot:
                    if "b" in words:
                        at_work.append(number)
                        seen.append(len(at_work))
                    work = Workload(store)
                    before = snapshot.head().sequence
                    work.commit(said(work, f"step {step} of {number}", f"{number} days"))
                    assert snapshot.head().sequence == before
                    if "b" in words:
                        at_work.remove(number)

        _run(write)
        assert seen == [1] * (THREADS - 1) * ROUNDS
        with store.snapshot("default") as snapshot:
            assert snapshot.head().sequence == THREADS * ROUNDS

    def test_a_turn_keeps_out_nobody_who_takes_none_and_ends_with_its_snapshot(self, store: Store) -> None:
        def read_and_write(work: Workload) -> None:
            work.commit(said(work, "seven"))
            with store.snapshot("default") as other:
                assert other.head().sequence == 1

        with ThreadPoolExecutor(1) as pool:
            with store.snapshot("default", turn=["a"]) as snapshot:
                pool.submit(read_and_write, Workload(store)).result(PATIENCE_S)
                assert snapshot.head().sequence == 0
            with pytest.raises(ZeroDivisionError), store.snapshot("default", turn=["a"]):
                raise ZeroDivisionError
            with store.snapshot("default", turn=["a"]) as snapshot:
                assert snapshot.head().sequence == 1

    def test_writers_wait_while_the_views_are_replaced(self, store: Store, work: Workload) -> None:
        work.commit(said(work, "seven"))
        is_written = Event()
        kept = beliefs_of(store)

        def write() -> None:
            store.commit("default", Batch(Operation(0, EPOCH, EPOCH, Act.OBSERVE)))
            is_written.set()

        writer = Thread(target=write)

        def rows() -> Iterator[Belief | TextEntry]:
            yield from kept
            writer.start()
            assert not is_written.wait(0.3)
            yield TextEntry(kept[0].id, ("late",))

        store.replace_views("default", rows())
        writer.join(PATIENCE_S)
        assert is_written.is_set()
        with store.snapshot("default") as snapshot:
            assert list(snapshot.views()) == [*kept, TextEntry(kept[0].id, ("late",))]


def _run(write: Callable[[int, Barrier], None]) -> None:
    """Let several threads `write` at once; what one of them raises comes back to the caller."""
    barrier = Barrier(THREADS)
    with ThreadPoolExecutor(THREADS) as pool:
        for written in [pool.submit(write, number, barrier) for number in range(THREADS)]:
            written.result(PATIENCE_S)
