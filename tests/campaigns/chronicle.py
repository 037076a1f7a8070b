"""A plain account of what was said when: what is held at an instant, and which of it must be doubtful.

The oracle of `premises.py`. It shares no code and no reasoning with the package: it looks through the list of
all words again for each question, and knows nothing of ranks, hearings or views. Times are minutes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

Place: TypeAlias = tuple[str, str]  # a subject and one of its attributes
NEVER: Final = math.inf
BY_ITS_WORD: Final = 0.8  # how much rests on what a single statement names


@dataclass(frozen=True)
class Word:
    """A source says that a place has a value: when, about which time, and on what it says it rests."""

    number: int
    place: Place
    value: str
    said: int
    recorded: int
    source: str
    authority: int
    begins: int | None = None
    ends: float = NEVER
    rests_on: tuple[Place, ...] = ()

    @property
    def start(self) -> int:
        """From when on it holds."""
        return self.said if self.begins is None else self.begins

    @property
    def recency(self) -> int:
        """How new it is: when it was said, or the beginning it announces if that is later."""
        return max(self.start, self.said)


@dataclass(frozen=True)
class Ending:
    """Somebody of the highest authority says that a value ceased at an instant."""

    number: int
    place: Place
    value: str
    said: int
    at: int


@dataclass(frozen=True)
class Moment:
    """What a question is about: the world at an instant, as known at another."""

    at: int
    known: float = NEVER


@dataclass(frozen=True)
class Move:
    """A premise that moved: from which values to which, and how much rests on it."""

    before: frozenset[str]
    after: frozenset[str]
    strength: float = 1.0


Held: TypeAlias = dict[str, list[Word]]  # each value held of a place, with the words that carry it
Doubts: TypeAlias = dict[tuple[Place, str], dict[Place, Move]]


@dataclass
class Chronicle:
    """All that was said, ended, withdrawn and declared, in order."""

    words: list[Word] = field(default_factory=list)
    endings: list[Ending] = field(default_factory=list)
    withdrawn: dict[int, int] = field(default_factory=dict)
    depends_on: dict[str, dict[str, float]] = field(default_factory=dict)
    of_many: set[str] = field(default_factory=set)

    def places(self) -> list[Place]:
        """All that anything was said of."""
        return sorted({word.place for word in self.words})

    def held(self, place: Place, moment: Moment, said_by: float = NEVER) -> Held:
        """What is held of a place, counting only what had been said by an instant."""
        spoken = [
            (word, *self._end(word, moment, said_by))
            for word in self.words
            if word.place == place and word.said <= said_by and self._counts(word, moment.known)
        ]
        active = [word for word, end, _ in spoken if word.start <= moment.at < end]
        if place[1] in self.of_many:
            return _by_value(active)
        # What followed something else and then ceased does not bring that back: the world had moved.
        gone = [word for word, end, was_ended in spoken if was_ended and end <= moment.at]
        active = [word for word in active if not any(_overtakes(other, word) for other in gone)]
        active = [word for word in active if not any(_unsays(other, word) for other in active)]
        if not active:
            return {}
        best = max(active, key=lambda word: (word.authority, word.recency))
        return {best.value: [word for word in active if word.value == best.value]}

    def doubts(self, moment: Moment) -> Doubts:
        """Which values held are doubtful, each with the premises that moved since its last evidence."""
        standing = {place: self.held(place, moment) for place in self.places()}
        found: Doubts = {}
        for place, value, words in _each(standing):
            since = max(word.said for word in words)
            found[place, value] = {
                premise: replace(move, strength=strength)
                for premise, strength in self._premises(place, words).items()
                if (move := self._move(premise, since, moment)) is not None
            }
        is_growing = True
        while is_growing:
            is_growing = False
            for place, value, words in _each(standing):
                since, own = max(word.said for word in words), found[place, value]
                for premise, strength in self._premises(place, words).items():
                    for other in standing.get(premise, {}):
                        for root in found[premise, other].keys() - {place}:
                            move = self._move(root, since, moment)
                            share = strength * found[premise, other][root].strength
                            if move is not None and (root not in own or own[root].strength < share):
                                own[root] = replace(move, strength=share)
                                is_growing = True
        return {name: moves for name, moves in found.items() if moves}

    def _premises(self, place: Place, words: list[Word]) -> dict[Place, float]:
        subject, attribute = place
        premises = {(subject, one): strength for one, strength in self.depends_on.get(attribute, {}).items()}
        premises.update({one: BY_ITS_WORD for word in words for one in word.rests_on})
        return {one: strength for one, strength in premises.items() if one != place}

    def _move(self, premise: Place, since: int, moment: Moment) -> Move | None:
        """How a premise moved after an instant; None if it did not, or nothing was known of it then."""
        then = Moment(min(since, moment.at), moment.known)
        before = frozenset(self.held(premise, then, said_by=since))
        after = frozenset(self.held(premise, moment))
        return Move(before, after) if before and before != after else None

    def _counts(self, one: Word | Ending, known: float) -> bool:
        recorded = one.recorded if isinstance(one, Word) else one.said
        gone = self.withdrawn.get(one.number)
        return recorded <= known and (gone is None or known < gone)

    def _end(self, word: Word, moment: Moment, said_by: float) -> tuple[float, bool]:
        """When a word ceases to hold, and whether somebody else said so."""
        ends = [
            one.at
            for one in self.endings
            if (one.place, one.value) == (word.place, word.value)
            and word.start < one.at
            and one.said <= said_by
            and self._counts(one, moment.known)
        ]
        end = min([word.ends, *ends])
        return end, end < word.ends


def _by_value(words: list[Word]) -> Held:
    found: Held = {}
    for word in words:
        found.setdefault(word.value, []).append(word)
    return found


def _overtakes(later: Word, earlier: Word) -> bool:
    """Whether a word, no weaker and newer, says otherwise."""
    return (
        later.value != earlier.value
        and later.recency > earlier.recency
        and later.authority >= earlier.authority
    )


def _unsays(later: Word, earlier: Word) -> bool:
    """Whether a source has changed its mind."""
    return later.source == earlier.source and _overtakes(later, earlier)


def _each(standing: Mapping[Place, Held]) -> Iterator[tuple[Place, str, list[Word]]]:
    for place, held in standing.items():
        for value, words in held.items():
            yield place, value, words
