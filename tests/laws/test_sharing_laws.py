"""Sharing: a reader is told what a memory would tell that never held what the reader may not see."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from knowwhy.core.model import Principal
from knowwhy.store.memory import MemoryStore
from knowwhy.store.postgres import PostgresStore
from knowwhy.store.protocol import Store
from knowwhy.store.sqlite import SqliteStore
from tests.laws.readers import (
    ALL,
    ANN,
    BOB,
    GROUP,
    PRIVATE,
    READERS,
    Life,
    Step,
    in_order,
    outcome_of,
    seen,
    steps,
    told_to,
)
from tests.servers import server

FEW = settings(
    max_examples=max(1, settings().max_examples // 2),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    deadline=None,
)
FEWER = settings(FEW, max_examples=max(1, settings().max_examples // 8))
_SPACES = count()


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    found: Store = SqliteStore(":memory:")
    if request.param == "postgres":
        found = PostgresStore(server().database_for(tmp_path))
    yield found
    found.close()


def check(
    done: Sequence[Step],
    reader: Principal,
    whole: Life,
    branch: int | None = None,
    besides: Collection[str] = (),
    *,
    is_watched: bool = False,
) -> None:
    """Tell a life whole, and without what a reader may not see; the reader is told the same of both."""
    less = Life(MemoryStore())
    whole.live(done, lambda _: True, branch, reader if is_watched else None)
    heard = seen(done, whole, reader)
    less.live(done, heard, branch)
    first, second = in_order(whole, heard), in_order(less, heard)
    for number, step in enumerate(done):
        if heard(number) and step.by is not None and step.by.names <= reader.names:
            assert outcome_of(whole.told[number], first) == outcome_of(less.told[number], second), step
    days = len(done) + 1
    whole_told = told_to(whole.memory, reader, first, days)
    less_told = told_to(less.memory, reader, second, days)
    for name in sorted((whole_told.keys() | less_told.keys()) - set(besides)):
        assert whole_told.get(name) == less_told.get(name), name
    assert whole.memory.doctor().problems == ()


def _said(act: str, by: Principal | None, share: str, subject: str = "acme", value: str = "u") -> Step:
    return Step(act, by, share, (subject, "plan", value, ("a", "user"), 1, "supports"))


# What one may not see does not bear on what one may do.
_FATE = [_said("observe", BOB, ALL), _said("observe", None, GROUP), _said("end", BOB, ALL)]
# A name that few know means nothing in words for all.
_NAMED = [
    _said("observe", None, ALL),
    _said("alias", ANN, PRIVATE),
    _said("observe", ANN, ALL, "the firm"),
]
# What was first named in private is called as those call it who name it in public.
_SPELT = [_said("observe", None, PRIVATE, "ACME"), _said("observe", BOB, ALL)]
_ALIASED = [_said("alias", None, PRIVATE, "ACME"), _said("alias", None, ALL), _said("observe", None, ALL)]

# What few may hear takes the place of what all may, for those few.
_BESIDE = [_said("observe", BOB, ALL), _said("observe", None, PRIVATE, value="v")]
# What rests on what few may hear is doubted by those few.
_SITE = Step("observe", BOB, ALL, ("acme", "site", "u", ("b", "user"), 1, "supports"))
_RESTING = [_said("depend", None, ALL), _said("observe", BOB, ALL), _SITE, _BESIDE[1]]
# What follows from what few may hear is told to those few.
_FOLLOWING = [_said("rule", None, ALL), _said("observe", None, GROUP)]
# What was withdrawn unseen was never there to be withdrawn.
_UNSAID = [_said("observe", None, PRIVATE), _said("retract", None, ALL)]
# Words told to few, and later to all, are told to all.
_AGAIN = [
    Step("observe", by, share, ("acme", "plan", "u", ("a", "user"), 8, "supports"))
    for by, share in ((None, PRIVATE), (BOB, ALL))
]


@example(done=_UNSAID, reader=BOB, is_watched=False)
@example(done=_AGAIN, reader=BOB, is_watched=False)
@example(done=_BESIDE, reader=BOB, is_watched=False)
@example(done=_RESTING, reader=BOB, is_watched=False)
@example(done=_FOLLOWING, reader=BOB, is_watched=False)
@example(done=_FATE, reader=BOB, is_watched=False)
@example(done=_NAMED, reader=BOB, is_watched=False)
@example(done=_SPELT, reader=BOB, is_watched=True)
@example(done=_ALIASED, reader=BOB, is_watched=False)
@FEW
@given(done=steps(), reader=st.sampled_from(READERS), is_watched=st.booleans())
def test_a_reader_is_told_as_if_what_it_may_not_see_had_never_been(
    *, done: list[Step], reader: Principal, is_watched: bool
) -> None:
    check(done, reader, Life(MemoryStore()), is_watched=is_watched)


@FEWER
@given(done=steps(), reader=st.sampled_from(READERS), at=st.integers(0, 6))
def test_so_it_is_on_a_branch(done: list[Step], reader: Principal, at: int) -> None:
    # What is in both layers counts twice, and so does what came after the fork.
    check(done, reader, Life(MemoryStore()), at, besides={"stats"})


@FEWER
@given(done=steps(), reader=st.sampled_from(READERS))
def test_so_it_is_over_every_store(store: Store, done: list[Step], reader: Principal) -> None:
    check(done, reader, Life(store, f"space {next(_SPACES)}"))
