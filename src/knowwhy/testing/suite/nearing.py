# ruff: noqa: D102, PLR2004, S101 - these are tests, though they are public
"""Vectors of documents, and what was said side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from knowwhy.core.model import Evidence, Retraction
from knowwhy.core.timeline import Instant
from knowwhy.store.protocol import Snapshot, Store, TextEntry, Vector
from knowwhy.testing.records import EPOCH, HOSTILE, evidence
from knowwhy.testing.suite.committing import bare, said
from knowwhy.testing.suite.opening import MANY_SPACES, Opening, state
from knowwhy.testing.workload import Workload

_SPACES = count()
ONE: Final = bytes(range(8))
OTHER: Final = bytes(range(8, 16))

_documents = st.sampled_from(["ev_1", "ev_2", "bl_1"])
_models = st.sampled_from(["small", "large"])
_vectors = st.builds(Vector, _documents, _models, st.sampled_from([b"", ONE, OTHER]))


def vectors_of(snapshot: Snapshot, documents: Sequence[str] | None = None, after: int = 0) -> list[Vector]:
    """The vectors of some documents, or all."""
    return list(snapshot.every(Vector, documents, after=after))


class Nearing(Opening):
    """Each document has one vector of each model at the most, numbered in the order of putting."""

    def test_a_vector_reads_back_bit_for_bit(self, store: Store) -> None:
        given = [Vector("ev_1", "small", ONE), Vector(HOSTILE[0], HOSTILE[1], OTHER)]
        store.replace_views("default", given, is_whole=False)
        with store.snapshot("default") as snapshot:
            assert vectors_of(snapshot) == given
            assert [one.number for one in vectors_of(snapshot)] == [1, 2]
            assert snapshot.head().vectors == 2
            assert vectors_of(snapshot, [HOSTILE[0]]) == given[1:]
            assert vectors_of(snapshot, []) == []
            assert vectors_of(snapshot, after=1) == given[1:]

    def test_vectors_last(self, store: Store, tmp_path: Path) -> None:
        store.replace_views("default", [Vector("ev_1", "small", ONE)], is_whole=False)
        again = self.reopen(store, tmp_path)
        with again.snapshot("default") as snapshot:
            assert vectors_of(snapshot) == [Vector("ev_1", "small", ONE)]
        again.close()

    def test_vectors_of_other_spaces_are_never_seen(self, store: Store) -> None:
        store.replace_views("mine", [Vector("ev_1", "small", ONE)], is_whole=False)
        store.replace_views("yours", [Vector("ev_1", "small", OTHER)], is_whole=False)
        with store.snapshot("mine") as snapshot:
            assert vectors_of(snapshot) == [Vector("ev_1", "small", ONE)]

    @MANY_SPACES
    @given(rounds=st.lists(st.lists(_vectors, max_size=5), max_size=6))
    def test_the_last_put_stands_and_numbers_only_grow(
        self, store: Store, rounds: list[list[Vector]]
    ) -> None:
        space, due = f"vectors-{next(_SPACES)}", dict[tuple[str, str], tuple[bytes, int]]()
        number = 0
        for put in rounds:
            store.replace_views(space, put, is_whole=False)
            for one in put:
                due.pop((one.document, one.model), None)
                if one.numbers:
                    number += 1
                    due[one.document, one.model] = one.numbers, number
        with store.snapshot(space) as snapshot:
            found = vectors_of(snapshot)
            assert snapshot.head().vectors == number
        assert {(one.document, one.model): (one.numbers, one.number) for one in found} == due
        assert [one.number for one in found] == sorted(one.number for one in found)

    def test_replacing_all_other_views_leaves_vectors(self, work: Workload) -> None:
        work.commit(said(work, "seven"))
        vector = Vector(evidence("seven").id, "small", ONE)
        work.store.replace_views("default", [vector], is_whole=False)
        before = state(work.store)
        with work.store.snapshot("default") as snapshot:
            rows = list(snapshot.views())
        work.store.replace_views("default", rows)
        assert state(work.store) == before
        work.store.replace_views("default", [TextEntry("ev_9", ("more",))], is_whole=False)
        with work.store.snapshot("default") as snapshot:
            assert len(list(snapshot.views())) == len(rows) + 1
            assert vectors_of(snapshot) == [vector]

    def test_what_is_dropped_for_good_loses_its_vectors(self, work: Workload) -> None:
        work.commit(said(work, "seven"))
        gone = evidence("seven").id
        put = [Vector(gone, "small", ONE), Vector("ev_other", "small", OTHER)]
        work.store.replace_views("default", put, is_whole=False)
        work.commit(replace(bare(), retractions=(Retraction(gone),)))
        work.store.drop("default", [gone], 0)
        with work.store.snapshot("default") as snapshot:
            assert vectors_of(snapshot) == put[1:]


class Beside(Opening):
    """What was said just before and just after, in one context."""

    def test_neighbours_are_found_in_order_of_time_within_the_context(self, store: Store) -> None:
        turns = [turn(f"turn {at}", at, "chat") for at in (3, 1, 2, 4)]
        others = [turn("elsewhere", 2, "other chat"), replace(turn("nowhere", 2, "x"), context=None)]
        store.commit("default", replace(bare(), evidence=(*turns, *others)))
        third, first, second, fourth = turns
        with store.snapshot("default") as snapshot:
            assert beside(snapshot, second) == [first.id, third.id]
            assert beside(snapshot, first) == [second.id]
            assert beside(snapshot, second, third) == [first.id, second.id, third.id, fourth.id]
            assert beside(snapshot, *others) == []
            assert beside(snapshot) == []
            found = snapshot.evidence(ids=[others[0].id], beside=[first])
            assert sorted(one.id for one in found) == sorted([others[0].id, second.id])

    def test_at_one_instant_the_ids_say_who_is_beside_whom(self, store: Store) -> None:
        turns = sorted((turn(f"turn {at}", 1, "chat") for at in range(4)), key=lambda one: one.id)
        store.commit("default", replace(bare(), evidence=tuple(turns)))
        with store.snapshot("default") as snapshot:
            assert beside(snapshot, turns[1]) == [turns[0].id, turns[2].id]

    def test_until_an_operation_later_words_are_not_there(self, store: Store) -> None:
        first, third, second = (turn(f"turn {at}", at, "chat") for at in (1, 3, 2))
        operation = store.commit("default", replace(bare(), evidence=(first, third)))
        store.commit("default", replace(bare(), evidence=(second,)))
        with store.snapshot("default") as snapshot:
            assert beside(snapshot, first) == [second.id]
            found = snapshot.evidence(beside=[first], until=operation.sequence)
            assert [one.id for one in found] == [third.id]


def turn(text: str, minute: int, context: str) -> Evidence:
    """One turn of a conversation."""
    spoken = evidence(text, observed_at=Instant(EPOCH + minute * 60_000_000), context=context)
    return replace(spoken, effective_at=spoken.observed_at)


def beside(snapshot: Snapshot, *items: Evidence) -> list[str]:
    """The ids of what was said beside some items."""
    return [one.id for one in snapshot.evidence(beside=items)]
