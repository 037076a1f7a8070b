# ruff: noqa: D102, S101 - these are tests, though they are public
"""Records of answers: beside the log, newest first, and nothing that a commit rests on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowwhy.core.timeline import Instant
from knowwhy.store.protocol import Audit, Erasing, Snapshot, Store
from knowwhy.testing.records import EPOCH, HOSTILE
from knowwhy.testing.suite.committing import bare, said
from knowwhy.testing.suite.opening import MANY_SPACES, Opening, state
from knowwhy.testing.workload import Workload

_SPACES = count()
_audits = st.builds(
    Audit,
    st.sampled_from(["", "au_1", "au_2", "au_3"]),
    st.integers(0, 4).map(Instant),
    st.sampled_from([None, "agent:ann"]),
    st.sampled_from(["", "{}", '{"question":"Who?"}']),
)


def audits_of(snapshot: Snapshot, ids: Sequence[str] | None = None, after: int = 0) -> list[Audit]:
    """The records of some answers, or of all."""
    return list(snapshot.every(Audit, ids, after=after))


class Answering(Opening):
    """What was answered can be looked up, is let go of by time and by what it tells, and bears on nothing."""

    def test_an_audit_reads_back_as_it_was_put(self, store: Store) -> None:
        put = [Audit("au_1", EPOCH, HOSTILE[0], HOSTILE[1]), Audit("au_2", Instant(EPOCH + 1), None, "{}")]
        store.replace_views("default", put, is_whole=False)
        store.replace_views("other", [replace(put[0], body="{}")], is_whole=False)
        with store.snapshot("default") as snapshot:
            assert audits_of(snapshot) == put[::-1]
            newest, first = audits_of(snapshot)
            assert newest.number > first.number
            assert audits_of(snapshot, after=newest.number) == put[:1]
            assert audits_of(snapshot, ["au_2", "au_9"]) == put[1:]
            assert audits_of(snapshot, []) == []

    def test_audits_last(self, store: Store, tmp_path: Path) -> None:
        store.replace_views("default", [Audit("au_1", EPOCH, None, "{}")], is_whole=False)
        again = self.reopen(store, tmp_path)
        with again.snapshot("default") as snapshot:
            assert audits_of(snapshot) == [Audit("au_1", EPOCH, None, "{}")]
        again.close()

    @MANY_SPACES
    @given(rounds=st.lists(st.lists(_audits, max_size=5), max_size=6))
    def test_they_come_newest_first_as_far_as_they_were_not_let_go(
        self, store: Store, rounds: list[list[Audit]]
    ) -> None:
        space, due = f"audits-{next(_SPACES)}", list[Audit]()
        for put in rounds:
            store.replace_views(space, put, is_whole=False)
            for one in put:
                due = [each for each in due if each.id != one.id and (one.id or each.at >= one.at)]
                due += [one] if one.id and one.body else []
        with store.snapshot(space) as snapshot:
            found = audits_of(snapshot)
        assert found == due[::-1]
        assert [one.number for one in found] == sorted({one.number for one in found}, reverse=True)

    def test_nothing_that_a_commit_rests_on_moves_with_them(self, work: Workload) -> None:
        work.commit(said(work, "seven"))
        before = state(work.store)
        batch = said(work, "eight")
        work.store.replace_views("default", [Audit("au_1", EPOCH, None, "{}")], is_whole=False)
        assert state(work.store) | {"audits": []} == before
        with work.store.snapshot("default") as snapshot:
            rows = list(snapshot.views())
        work.store.replace_views("default", rows)
        work.commit(batch)
        with work.store.snapshot("default") as snapshot:
            assert audits_of(snapshot) == [Audit("au_1", EPOCH, None, "{}")]

    def test_what_is_open_does_not_see_those_put_later(self, store: Store) -> None:
        store.commit("default", bare())
        with store.snapshot("default") as snapshot:
            assert audits_of(snapshot) == []
            store.replace_views("default", [Audit("au_1", EPOCH, None, "{}")], is_whole=False)
            assert audits_of(snapshot) == []

    @pytest.mark.parametrize("name", ["Ann", 'Ann "The Rock" Lee', "Ann\\Lee", "安妮"])
    def test_an_erasure_takes_those_that_tell_of_it(self, store: Store, name: str) -> None:
        own = f"ev_{'0' * 20}"
        put = [
            Audit("au_1", EPOCH, None, json.dumps({"question": f"Where does {name} live?"})),
            Audit("au_2", EPOCH, None, f'{{"beliefs":["{own}"]}}'),
            Audit("au_3", EPOCH, f"user:{name}", "{}"),
            Audit("au_4", EPOCH, "user:Anna", '{"question":"Where does Anna live?"}'),
        ]
        store.replace_views("default", put, is_whole=False)
        store.drop("default", [], 0, Erasing(words=(name,), ids=(own,)))
        with store.snapshot("default") as snapshot:
            assert audits_of(snapshot) == put[3:]
