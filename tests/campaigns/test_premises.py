"""Doubt reaches what rests on a premise that moved, and nothing else: the small form of `premises.py`."""

import random
from collections.abc import Iterator

import pytest

from tests.campaigns.chronicle import Word
from tests.campaigns.premises import SMALL, Tally, World, campaign


def test_doubt_is_where_it_must_be_and_nowhere_else() -> None:
    tally = campaign(SMALL, seed=7, longest=30)
    assert tally.is_clean, tally.problems
    figures = tally.as_dict()
    assert (figures["cascade_accuracy"], figures["absence_accuracy"]) == (1.0, 1.0)
    assert figures["due"] > 100


class Unheeding(dict[int, int]):
    """Withdrawals that nobody takes note of."""

    def __setitem__(self, key: int, value: int) -> None:
        """Nothing."""


class Forgetful(list[Word]):
    """Words of which every second is forgotten."""

    def __iter__(self) -> Iterator[Word]:
        return iter(self[::2])


@pytest.mark.parametrize("fault", ["dependency", "withdrawal", "word"])
def test_the_campaign_notices(fault: str) -> None:
    tally = Tally()
    world = World(random.Random(5), tally, most=12)
    if fault == "dependency":
        world.account.depends_on = {name: {} for name in world.attributes}
    elif fault == "withdrawal":
        world.account.withdrawn = Unheeding()
    else:
        world.account.words = Forgetful()
    world.live(20)
    assert not tally.is_clean
