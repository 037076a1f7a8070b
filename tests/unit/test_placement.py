"""Spaces on several servers: each is found by its name alone, and few move when a server comes or goes."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knowwhy
from knowwhy.engine.placement import Move
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


SPACES = [f"tenant {number}" for number in range(9)]


def test_spaces_live_on_their_servers_and_move_to_a_new_one(three: list[OwnServer]) -> None:
    urls = {f"server {number}": one.fresh(is_kept=True) for number, one in enumerate(three)}
    two = knowwhy.Placement(dict(list(urls.items())[:2]))
    for number, space in enumerate(SPACES):
        with two.open(space) as memory:
            memory.observe(source="ann", claims=[("tenant", "number", number)])
    # Each is on its server and on no other, whose data nobody needs to ask.
    for name, url in urls.items():
        assert held_by(url) == {space for space in SPACES if two.server_of(space) == name}
    # A third server comes: what is to move there moves while it is in use, then once more for the rest.
    more = knowwhy.Placement(urls)
    moves = list(two.moves_to(more, SPACES))
    assert moves
    assert {one.target for one in moves} == {urls["server 2"]}
    said = {moves[0].space: written_while(moves[0], two)}
    for one in moves:
        move(one)
    # Everybody finds all by the new placement: each on its server, with all that was acknowledged before.
    for number, space in enumerate(SPACES):
        with more.open(space) as memory:
            assert memory.ask("tenant", "number").value == str(number)
            assert memory.doctor().is_healthy
            told = [entry.operation.reason for entry in memory.log(limit=1_000)]
            assert told[::-1] == [None, *said.get(space, ())]
            memory.observe(source="ann", claims=[("tenant", "place", "new")])


def test_a_server_that_is_down_stops_its_own_spaces_alone(three: list[OwnServer]) -> None:
    urls = {f"server {number}": one.fresh(is_kept=True) for number, one in enumerate(three)}
    placement = knowwhy.Placement(urls)
    for space in SPACES:
        with placement.open(space) as memory:
            memory.observe(source="ann", claims=[("tenant", "name", space)])
    down = [space for space in SPACES if placement.server_of(space) == "server 1"]
    assert 0 < len(down) < len(SPACES)
    three[1].stop()
    try:
        for space in SPACES:
            if space in down:
                with pytest.raises(knowwhy.Unavailable):
                    placement.open(space)
            else:
                with placement.open(space) as memory:
                    memory.observe(source="ann", claims=[("tenant", "state", "up")])
    finally:
        three[1].start()
    for space in SPACES:
        with placement.open(space) as memory:
            assert memory.ask("tenant", "name").value == space
            assert memory.log(limit=1)[0].operation.sequence == (1 if space in down else 2)


def move(one: Move) -> None:
    """Bring a space to its new server, as far as it goes by now."""
    knowwhy.migrate(one.source, one.target, space=one.space)


def written_while(moving: Move, placement: knowwhy.Placement) -> list[str]:
    """What a writer is told is written while a space moves, by its reasons; some of it before, some after."""
    said: list[str] = []
    has_begun, is_moved = threading.Event(), threading.Event()

    def write() -> None:
        with placement.open(moving.space) as memory:
            while not is_moved.is_set() or len(said) < 3:
                memory.observe(source="ann", claims=[("step", str(len(said)), "done")], reason=str(len(said)))
                said.append(str(len(said)))
                has_begun.set()

    writer = threading.Thread(target=write)
    writer.start()
    assert has_begun.wait(60)
    move(moving)
    is_moved.set()
    writer.join()
    return said


def held_by(url: str) -> set[str]:
    """The spaces of which a server holds anything."""
    store = PostgresStore(url)
    found = set()
    for space in SPACES:
        with store.snapshot(space) as view:
            if view.head().sequence:
                found.add(space)
    store.close()
    return found
