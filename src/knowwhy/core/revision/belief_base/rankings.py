"""Iterated revision where a mind is a ranking of all possible worlds: three policies for what comes after.

All three make the best worlds where the input holds the best of all. They differ in what else they move,
so in what the next input will find. Rankings list every world: for a few atoms only. The policy for bases
of any size is lexicographic: a belief base revised by forced inputs stands for the same ranking (Nayak,
Pagnucco and Peppas, Dynamic belief revision operators, 2003).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Self, TypeAlias

from knowwhy.core.revision.belief_base.language import Sentence

World: TypeAlias = frozenset[str]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Worlds, each given by the atoms true in it, in levels: first the most plausible, no level empty."""

    levels: tuple[frozenset[World], ...]

    @classmethod
    def of(cls, ranked: Iterable[tuple[World, int]]) -> Self:
        """The ranking of worlds by number, the lowest first."""
        return cls(_levels({world: (number,) for world, number in ranked}))

    @property
    def believed(self) -> frozenset[World]:
        """The most plausible worlds: what holds in all of them is believed."""
        return self.levels[0] if self.levels else frozenset()

    def rank(self, world: World) -> int:
        """The number of the world's level, from 0."""
        return next(number for number, level in enumerate(self.levels) if world in level)

    def natural(self, sentence: Sentence) -> Self:
        """Only the best worlds of the input move, to the top: it is forgotten as soon as it is doubted.

        After Boutilier, Iterated revision and minimal change of conditional beliefs, 1996.
        """
        best = self._best(sentence)
        return self._reordered(lambda world, rank: (0,) if world in best else (1, rank))

    def lexicographic(self, sentence: Sentence) -> Self:
        """All worlds of the input go before all others: nothing said earlier outweighs it.

        After Nayak, Iterated belief change based on epistemic entrenchment, 1994.
        """
        return self._reordered(lambda world, rank: (not sentence.is_true_in(world), rank))

    def restrained(self, sentence: Sentence) -> Self:
        """The best worlds of the input go to the top; elsewhere it only decides between equals.

        After Booth and Meyer, Admissible and restrained revision, 2006.
        """
        best = self._best(sentence)
        return self._reordered(
            lambda world, rank: (0,) if world in best else (1, rank, not sentence.is_true_in(world))
        )

    def _best(self, sentence: Sentence) -> frozenset[World]:
        """The most plausible worlds in which the sentence holds; none if it holds nowhere."""
        holding = (frozenset(world for world in level if sentence.is_true_in(world)) for level in self.levels)
        return next((worlds for worlds in holding if worlds), frozenset())

    def _reordered(self, key: Callable[[World, int], tuple[int, ...]]) -> Self:
        ranked = ((world, rank) for rank, level in enumerate(self.levels) for world in level)
        return type(self)(_levels({world: key(world, rank) for world, rank in ranked}))


def _levels(keys: dict[World, tuple[int, ...]]) -> tuple[frozenset[World], ...]:
    return tuple(
        frozenset(world for world, its_key in keys.items() if its_key == key)
        for key in sorted(set(keys.values()))
    )
