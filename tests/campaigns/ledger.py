"""What must be true of a memory in which agents lived: reckoned from what they wrote into their journals.

The oracle of `soak.py`. It shares no code and no reasoning with the package. Whoever acts writes a line
before and a line after; of what has no second line, either may be true. Of all words of a place that count,
those of the highest authority hold, and among them the newest. Moments are nanoseconds of the machine's
steady clock, times of words are microseconds.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

Place: TypeAlias = tuple[str, str]  # a subject and one of its attributes
MAIN: Final = ""


@dataclass(slots=True)
class Deed:
    """Something that an agent began: when, and when it was told how it ended."""

    kind: str
    begun: int
    line: str = MAIN
    target: str = ""
    ended: int | None = None
    at: str | None = None
    operation: int | None = None
    failure: str | None = None

    @property
    def is_done(self) -> bool:
        """Whether it was acknowledged."""
        return self.ended is not None and self.failure is None

    @property
    def is_open(self) -> bool:
        """Whether nobody knows if it came to pass."""
        return self.ended is None


@dataclass(slots=True)
class Word:
    """One statement: of which place, how much its source counts, when it was said, and by which deed."""

    text: str
    place: Place
    value: str
    rank: int
    said: int
    deed: Deed


@dataclass(frozen=True, slots=True)
class Read:
    """What an agent was answered, between two moments."""

    place: Place
    value: str | None
    begun: int
    ended: int


@dataclass
class Ledger:
    """All that was begun, by whomever."""

    deeds: list[Deed] = field(default_factory=list)
    words: dict[str, Word] = field(default_factory=dict)
    of_place: dict[Place, list[Word]] = field(default_factory=lambda: defaultdict(list))
    taken: dict[str, list[Deed]] = field(default_factory=lambda: defaultdict(list))  # merges, by line
    withdrawn: dict[str, list[Deed]] = field(default_factory=lambda: defaultdict(list))  # by the text
    erased: dict[str, list[Deed]] = field(default_factory=lambda: defaultdict(list))  # by the person
    reads: list[Read] = field(default_factory=list)
    amiss: list[str] = field(default_factory=list)

    def add(self, journal: Path) -> None:
        """Take in what one agent wrote down; a last line that is cut short was not written."""
        if not journal.exists():
            return
        begun: dict[int, Deed] = {}
        for line in journal.read_text("utf-8").splitlines(keepends=True):
            if line.endswith("\n"):
                self._take(json.loads(line), begun)

    def _take(self, said: dict[str, Any], begun: dict[int, Deed]) -> None:
        if "read" in said:
            place = (said["read"][0], said["read"][1])
            self.reads.append(Read(place, said["value"], said["since"], said["t"]))
        elif "amiss" in said:
            self.amiss.append(said["amiss"])
        elif "end" in said:
            deed = begun[said["end"]]
            deed.ended, deed.failure = said["t"], said.get("failed")
            deed.at, deed.operation = said.get("at"), said.get("operation")
        else:
            deed = Deed(said["kind"], said["t"], said.get("line", MAIN), said.get("target", ""))
            begun[said["begin"]] = deed
            self.deeds.append(deed)
            by_kind = {"withdraw": self.withdrawn, "erase": self.erased}
            if deed.kind in by_kind:
                by_kind[deed.kind][deed.target].append(deed)
            elif deed.kind == "merge":
                self.taken[deed.line].append(deed)
            for one in said.get("words", ()):
                place = (one["subject"], one["attribute"])
                word = Word(one["text"], place, one["value"], one["rank"], one["said"], deed)
                self.words[word.text] = word
                self.of_place[place].append(word)

    # What brings a word onto the main line, and what takes it away --------------------------------

    def erasures(self, word: Word) -> list[Deed]:
        """What may have erased it: the erasures of whom it speaks of."""
        return self.erased.get(word.place[0], [])

    def arrivals(self, word: Word) -> list[Deed]:
        """What may have brought it: its own deed, or the merges of the line it was said on."""
        if word.deed.line == MAIN:
            return [word.deed]
        return [] if word.deed.failure else self.taken.get(word.deed.line, [])

    def removals(self, word: Word) -> list[Deed]:
        """What may have taken it away: withdrawals of it, and the erasure of whom it speaks of."""
        return [*self.withdrawn.get(word.text, ()), *self.erasures(word)]

    def may_be(self, word: Word, since: int, until: int) -> bool:
        """Whether it may have counted at some moment between two."""
        came = any(one.begun <= until and one.failure is None for one in self.arrivals(word))
        return came and not any(_done_by(one, since) for one in self.removals(word))

    def must_be(self, word: Word, since: int, until: int) -> bool:
        """Whether it counted during all the time between two moments."""
        sure = word.deed.line == MAIN or word.deed.is_done
        came = sure and any(_done_by(one, since) for one in self.arrivals(word))
        return came and not any(one.begun <= until and one.failure is None for one in self.removals(word))

    # What may be answered ---------------------------------------------------------------------------

    def answers(self, read: Read) -> set[str | None]:
        """All that a reader may rightly have been told."""
        allowed: set[str | None] = set()
        found = sorted(self.of_place.get(read.place, ()), key=_precedence, reverse=True)
        for word in found:
            if self.may_be(word, read.begun, read.ended):
                allowed.add(word.value)
            if self.must_be(word, read.begun, read.ended):
                return allowed
        return allowed | {None}

    def misread(self) -> Iterator[str]:
        """The reads that nothing explains."""
        for read in self.reads:
            allowed = self.answers(read)
            if read.value not in allowed:
                right = " or ".join(sorted(map(str, allowed)))
                yield f"{read.place} was read as {read.value!r}, which may have been {right}"

    def counted_twice(self) -> Iterator[str]:
        """Counts that two agents were told they had made."""
        told = Counter(
            (word.place, word.value)
            for word in self.words.values()
            if word.deed.kind == "count" and word.deed.is_done
        )
        yield from (
            f"{place} was counted up to {value} {n} times" for (place, value), n in told.items() if n > 1
        )


def holds(words: Iterable[Word]) -> str | None:
    """Which value holds by the words that count."""
    best = max(words, key=_precedence, default=None)
    return None if best is None else best.value


def _precedence(word: Word) -> tuple[int, int]:
    return word.rank, word.said


def _done_by(deed: Deed, moment: int) -> bool:
    return deed.is_done and deed.ended is not None and deed.ended <= moment
