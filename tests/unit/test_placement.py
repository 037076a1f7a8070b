"""Spaces on several servers: each is found by its name alone, and few move when a server comes or goes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knowwhy
from knowwhy.store.postgres import PostgresStore
from tests.servers import OwnServer, started

names = st.lists(st.text(min_size=1, max_size=6), min_size=1, max_size=6, unique=True)


def over(servers: list[str], **pinned: str) -> knowwhy.Placement:
    return knowwhy.Placement(
        {name: f"postgresql://{number}/shop" for number, name in enumerate(servers)}, pinned
    )


@given(names, st.text(max_size=20))
def test_a_space_is_where_its_name_says_in_whatever_order_servers_are_named(
    servers: list[str], space: str
) -> None:
    assert over(servers).server_of(space) == over(servers[::-1]).server_of(space)


@given(names, st.text(min_size=1, max_size=6), st.lists(st.text(max_size=8), max_size=30))
def test_a_server_more_takes_over_and_nothing_else_moves(
    servers: list[str], new: str, spaces: list[str]
) -> None:
    before, after = over(servers), over([*servers, new]) if new not in servers else over(servers)
    for space in spaces:
        assert after.server_of(space) in {before.server_of(space), new}


def test_spaces_are_spread_evenly_and_a_new_server_takes_its_share() -> None:
    spaces = [f"tenant {number}" for number in range(30_000)]
    three, four = over(["a", "b", "c"]), over(["a", "b", "c", "d"])
    for placement, share in ((three, 10_000), (four, 7_500)):
        held = Counter(map(placement.server_of, spaces))
        # Six times what chance leaves one from the mean.
        assert all(abs(number - share) < 6 * share**0.5 for number in held.values())
    moved = [one for one in spaces if three.server_of(one) != four.server_of(one)]
    assert len(moved) == Counter(map(four.server_of, spaces))["d"]


def test_a_space_may_be_pinned_to_a_server() -> None:
    assert over(["a", "b", "c"], big="c").server_of("big") == "c"
    with pytest.raises(knowwhy.InvalidInput, match="none of the servers"):
        over(["a"], big="b")
    with pytest.raises(knowwhy.InvalidInput, match="at least one server"):
        knowwhy.Placement({})


# Real servers -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def three() -> Iterator[list[OwnServer]]:
    with (
        started(is_durable=False) as one,
        started(is_durable=False) as two,
        started(is_durable=False) as last,
    ):
        yield [one, two, last]


def test_spaces_live_on_their_servers_and_move_to_a_new_one(three: list[OwnServer]) -> None:
    urls = {f"server {number}": one.fresh(is_kept=True) for number, one in enumerate(three)}
    two = knowwhy.Placement(dict(list(urls.items())[:2]))
    spaces = [f"tenant {number}" for number in range(24)]
    for number, space in enumerate(spaces):
        with two.open(space) as memory:
            memory.observe(source="ann", claims=[("tenant", "number", number)])
    # Each is on its server and on no other, whose data nobody needs to ask.
    for space in spaces:
        held = [name for name, url in urls.items() if operations(url, space)]
        assert held == [two.server_of(space)]
    # A third server comes: what is to move there moves, and everybody finds it by the new placement.
    more = knowwhy.Placement(urls)
    moves = list(two.moves_to(more, spaces))
    assert moves
    assert {one.target for one in moves} == {urls["server 2"]}
    for one in moves:
        assert knowwhy.migrate(one.source, one.target, space=one.space).behind == 0
    for number, space in enumerate(spaces):
        with more.open(space) as memory:
            assert memory.ask("tenant", "number").value == str(number)
            assert memory.doctor().is_healthy
    # One server away stops its own spaces alone.
    three[2].stop()
    try:
        for space in spaces:
            if more.server_of(space) != "server 2":
                with more.open(space) as memory:
                    assert not memory.ask("tenant").is_unknown
    finally:
        three[2].start()


def operations(url: str, space: str) -> int:
    store = PostgresStore(url)
    try:
        with store.snapshot(space) as view:
            return view.head().sequence
    finally:
        store.close()
