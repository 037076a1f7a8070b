"""What a belief base records: elements and guards, each with a rank and a place in the log."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Self, TypeAlias

from knowwhy.core.revision.belief_base.language import Sentence
from knowwhy.core.revision.belief_base.reasoning import Theory
from knowwhy.errors import InvalidInput

Rank: TypeAlias = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Element:
    """A sentence that was asserted: with its rank, the higher the harder to give up, and its place."""

    id: str
    sentence: Sentence
    rank: Rank
    place: int = 0


@dataclass(frozen=True, slots=True)
class Guard:
    """A contraction: its sentence is not to be believed, whatever implies it.

    It stays in force until an element with no lower rank that by itself asserts the sentence is recorded
    at a later place, or until the guard is withdrawn.
    """

    id: str
    sentence: Sentence
    rank: Rank
    place: int = 0


@dataclass(frozen=True, slots=True)
class BeliefBase:
    """All that was recorded under a theory: a set, so what is accepted does not depend on arrival."""

    theory: Theory = field(default_factory=Theory)
    elements: frozenset[Element] = frozenset()
    guards: frozenset[Guard] = frozenset()

    def __post_init__(self) -> None:
        times = Counter(one.id for one in self.records)
        if twice := sorted(name for name, count in times.items() if count > 1):
            message = f"Each record needs an id of its own, but these stand for several: {', '.join(twice)}"
            raise InvalidInput(message, ids=twice)

    @classmethod
    def of(cls, theory: Theory, elements: Iterable[Element], guards: Iterable[Guard] = ()) -> Self:
        """The base with these records."""
        return cls(theory, frozenset(elements), frozenset(guards))

    @property
    def records(self) -> tuple[Element | Guard, ...]:
        """All elements and guards, in no order."""
        return (*self.elements, *self.guards)

    @property
    def ranked(self) -> tuple[Element, ...]:
        """The elements, hardest to give up first; those of one rank by id."""
        by_id = sorted(self.elements, key=lambda one: one.id)
        return tuple(sorted(by_id, key=lambda one: one.rank, reverse=True))

    @property
    def top(self) -> Rank:
        """A rank above all that is recorded."""
        levels = (one.rank[1] for one in self.records if one.rank[:1] == (math.inf,))
        return (math.inf, 1.0 + max(levels, default=0.0))

    @property
    def next_place(self) -> int:
        """The place in the log after all that is recorded."""
        return 1 + max((one.place for one in self.records), default=0)

    @property
    def in_force(self) -> tuple[Guard, ...]:
        """The guards that no later element of no lower rank has lifted, by id.

        None that the constraints overrule: what they imply cannot be given up.
        """
        standing = (one for one in self.guards if not self._is_lifted(one))
        return tuple(sorted(standing, key=lambda one: one.id))

    def element(self, record_id: str) -> Element | None:
        """The element with this id."""
        return next((one for one in self.elements if one.id == record_id), None)

    def recording(self, record: Element | Guard) -> Self:
        """The base with one more record, at the next place of the log."""
        placed = replace(record, place=self.next_place)
        if isinstance(placed, Guard):
            return replace(self, guards=self.guards | {placed})
        return replace(self, elements=self.elements | {placed})

    def without(self, *record_ids: str) -> Self:
        """The base as if these records had never been: how they are retracted, and guards lifted.

        With the records back, all is exactly as it was.
        """
        return replace(
            self,
            elements=frozenset(one for one in self.elements if one.id not in record_ids),
            guards=frozenset(one for one in self.guards if one.id not in record_ids),
        )

    def _is_lifted(self, guard: Guard) -> bool:
        later = (one for one in self.elements if one.place > guard.place and one.rank >= guard.rank)
        asserting = (one for one in later if self.theory.entails([one.sentence], guard.sentence))
        by_element = any(self.theory.is_consistent([one.sentence]) for one in asserting)
        return by_element or self.theory.entails([], guard.sentence)
