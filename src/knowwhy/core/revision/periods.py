"""Periods: which statements about a slot speak of the same stretch of time, and so can bear each other out.

Where the world changes, two sources that give different values at different times need not disagree. A
period begins where a voice says something new that another voice says too, then or later, and lasts until
the next begins; a voice that goes on with what held before is behind, and begins nothing. What nobody has
spoken of since may be news or wrong. It is held against the period it follows where the attribute is
steady: where what held before came back, more often than not, after somebody had said otherwise. Elsewhere
it is compared only with what is said of the very same instant, and the words at which all that is known of
a slot begins and ends are witnesses, not judged: they are where they are because they agree, so a source
that always speaks last would be judged only where it is right (decision record 0011).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Final, TypeAlias

from knowwhy.core.confidence.reliability import Assertion
from knowwhy.core.model import Attribute
from knowwhy.core.revision.hearing import Statement
from knowwhy.core.timeline import BEGINNING, FOREVER, MICROSECONDS_PER_DAY, Instant

# So many cases say of an attribute as much as all attributes together do.
_ENOUGH_CASES: Final = 10

_IN_ORDER = attrgetter("start", "at", "voice", "value")
_BEGINNING = attrgetter("start")


@dataclass(frozen=True, slots=True)
class Word:
    """That a voice names a value of a slot, from `start` on; `at` is when it said so."""

    voice: str
    value: str
    start: Instant
    at: Instant


Placed: TypeAlias = tuple[Instant, Word]


@dataclass(frozen=True, slots=True)
class Course:
    """How a slot went, as far as words bear each other out: each word with the beginning of its period.

    `edges` are the first and the last that bear each other out, `loose` are words that nobody has spoken of
    since, with the period nearest to them. After a word that contradicted what held, this came back in
    `returned` cases, and in `moved` it did not.
    """

    placed: tuple[Placed, ...]
    edges: tuple[Placed, ...] = ()
    loose: tuple[Placed, ...] = ()
    returned: int = 0
    moved: int = 0

    def assertions(self, slot: str, *, is_steady: bool) -> list[Assertion]:
        """What is said of each period, as of one object; what one voice alone speaks of teaches nothing."""
        judged, witnesses = [*self.placed], [*self.edges]
        if is_steady:
            judged += (*self.edges, *self.loose)
            witnesses = []
        else:
            judged += ((one.start, one) for _, one in self.loose)
        objects: dict[Instant, list[Assertion]] = defaultdict(list)
        for those, is_witness in ((judged, False), (witnesses, True)):
            for beginning, one in those:
                objects[beginning].append(
                    Assertion(f"{slot}@{beginning}", one.voice, one.value, one.at, is_witness)
                )
        return [one for said in objects.values() if _teaches(said) for one in said]


def words_of(spoken: Iterable[Statement]) -> list[Word]:
    """What each voice says for itself: not what it denies, announces for no time, or has from others."""
    return [
        Word(one.testimony.groups[0], one.value_key, one.start, one.recency)
        for one in spoken
        if one.is_support and one.start < FOREVER and one.testimony.groups == (one.testimony.source.group,)
    ]


def course_of(words: Iterable[Word], attribute: Attribute) -> Course:
    """How a slot went by these words; what is fixed has one period."""
    ordered = sorted(words, key=_IN_ORDER)
    if not attribute.changes:
        return Course(tuple((BEGINNING, one) for one in ordered))
    days = attribute.half_life_days
    tracing = _Tracing(ordered, FOREVER if days is None else int(days * MICROSECONDS_PER_DAY))
    for start, together in groupby(ordered, key=_BEGINNING):
        tracing.go_on(start, list(together))
    tracing.lapse()
    return Course(
        tuple(tracing.placed), tuple(tracing.edges), tuple(tracing.loose), tracing.returned, tracing.moved
    )


def steady(courses: Mapping[str, Iterable[Course]]) -> frozenset[str]:
    """The attributes, by key, in which what held came back after a contradiction more often than not.

    Those of which little is seen go by all the others.
    """
    cases = {key: _cases(those) for key, those in courses.items()}
    returned, total = map(sum, zip(*cases.values(), strict=True)) if cases else (0, 0)
    if total < _ENOUGH_CASES:
        return frozenset()
    usual = _ENOUGH_CASES * returned / total
    return frozenset(
        key for key, (came_back, seen) in cases.items() if 2.0 * (came_back + usual) > seen + _ENOUGH_CASES
    )


def _teaches(said: Iterable[Assertion]) -> bool:
    """Whether anybody is judged, and not by its own word alone."""
    voices = {(one.source, one.is_witness) for one in said}
    return len({source for source, _ in voices}) > 1 and any(not is_witness for _, is_witness in voices)


def _cases(courses: Iterable[Course]) -> tuple[int, int]:
    seen = list(courses)
    returned = sum(one.returned for one in seen)
    return returned, returned + sum(one.moved for one in seen)


class _Tracing:
    """A course on its way, instant by instant; a word bears on another for no longer than `reach`."""

    def __init__(self, words: Iterable[Word], reach: int) -> None:
        self.placed: list[Placed] = []
        self.edges: list[Placed] = []
        self.loose: list[Placed] = []
        self.returned = self.moved = 0
        self._reach = reach
        self._named: dict[str, list[Word]] = defaultdict(list)
        for one in words:
            self._named[one.value].append(one)
        self._began: Instant | None = None
        self._held = ""
        self._confirmed = BEGINNING
        # What was said when the period was last confirmed, and whether that is where all begins.
        self._last: list[Word] = []
        self._is_first = False
        # What was said since; it is not known yet whether the period went on.
        self._open: list[Word] = []
        self._stances: dict[str, str] = {}
        # For each value that held before, who has said something else since.
        self._ahead: dict[str, set[str]] = {}

    def go_on(self, start: Instant, together: list[Word]) -> None:
        """Take in what is said from one instant on."""
        last = self._confirmed if self._began is not None else self._open[0].start if self._open else start
        if start - last > self._reach:
            self.lapse()
        opening = Counter(one.value for one in together if self._opens(one))
        if opening:
            self._turn(start, min(opening, key=lambda value: (-opening[value], value)))
        for one in together:
            self._stances[one.voice] = one.value
            for value, voices in self._ahead.items():
                if value != one.value:
                    voices.add(one.voice)
        if self._began is not None and any(one.value == self._held for one in together):
            self.returned += sum(one.value != self._held for one in self._open)
            self._place(self._began)
            self._last, self._confirmed = together, start
        else:
            self._open += together

    def lapse(self) -> None:
        """End without a successor: what was said last stays loose."""
        if self._began is not None:
            loose, self._open, self._is_first = self._open, [], True
            self._place(self._began)
            self.loose += [(self._began, one) for one in loose]
        else:
            self.loose += [(self._open[0].start, one) for one in self._open]
        self._began, self._open, self._stances, self._ahead = None, [], {}, {}

    def _turn(self, start: Instant, value: str) -> None:
        """Begin a period; it bounds the one before, to which all belongs that was said meanwhile."""
        if self._began is None:
            self.loose += [(start, one) for one in self._open]
            self._open, self._is_first = [], True
        else:
            self.moved += len(self._open) + 1
            self._ahead[self._held] = set()
            self._place(self._began)
        self._began, self._held = start, value
        self._ahead.pop(value, None)

    def _place(self, beginning: Instant) -> None:
        """Go past the last confirmation: what was said since belongs to the period."""
        if self._last:
            is_edge = self._is_first and len({one.voice for one in self._last}) == 1
            (self.edges if is_edge else self.placed).extend((beginning, one) for one in self._last)
            self._is_first = False
        self.placed += [(beginning, one) for one in self._open]
        self._last, self._open = [], []

    def _opens(self, one: Word) -> bool:
        is_news = self._stances.get(one.voice) != one.value
        is_other = self._began is None or one.value != self._held
        is_behind = one.value in self._ahead and one.voice not in self._ahead[one.value]
        return is_news and is_other and not is_behind and self._is_borne_out(one)

    def _is_borne_out(self, one: Word) -> bool:
        """Whether another voice says the same, from the same instant on or from a later one within reach."""
        named = self._named[one.value]
        for other in named[bisect_left(named, one.start, key=_BEGINNING) :]:
            if other.start - one.start > self._reach:
                return False
            if other.voice != one.voice:
                return True
        return False
