"""Sharing: a reader is told what a memory would tell that never held what the reader may not see."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowwhy.core.model import Principal
from knowwhy.store.memory import MemoryStore
from knowwhy.store.protocol import Store
from tests.laws.readers import READERS, Life, Step, in_order, outcome_of, seen, steps, told_to

SOME = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)


def check(done: Sequence[Step], reader: Principal, store: Store, branch: int | None = None) -> None:
    whole, less = Life(store), Life(MemoryStore())
    whole.live(done, lambda _: True, branch)
    heard = seen(done, whole, reader)
    less.live(done, heard, branch)
    first, second = in_order(whole, heard), in_order(less, heard)
    for number, step in enumerate(done):
        if heard(number) and step.by is not None and step.by.names <= reader.names:
            assert outcome_of(whole.told[number], first) == outcome_of(less.told[number], second), step
    days = len(done) + 1
    whole_told = told_to(whole.memory, reader, first, days)
    less_told = told_to(less.memory, reader, second, days)
    for name in sorted(whole_told.keys() | less_told.keys()):
        assert whole_told.get(name) == less_told.get(name), name
    assert whole.memory.doctor().problems == ()


@SOME
@given(done=steps(), reader=st.sampled_from(READERS))
def test_a_reader_is_told_as_if_what_it_may_not_see_had_never_been(
    done: list[Step], reader: Principal
) -> None:
    check(done, reader, MemoryStore())
