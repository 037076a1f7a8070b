"""One agent of `soak.py`: what it does is drawn by chance, and its journal is on the disk before and after.

python tests/campaigns/soaking.py ADDRESS JOURNAL NUMBER ROUND SEED STOP

It lives until there is a file STOP.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

import knowwhy

Said: TypeAlias = dict[str, Any]

VALUES: Final = ("red", "green 7", "north side", "weekly", "待定", "每月")
ATTRIBUTES: Final = ("colour", "状态")
KINDS: Final = {"official": 80, "user": 50}
# Half of what is spoken of is new in each round, so that no contest grows for ever.
OLD: Final = 6
NEW: Final = 18
METERS: Final = 4
_TRIES: Final = 200
_SYLLABLES: Final = ("qu", "zo", "vex", "wi", "jad", "ky", "xo", "zim")
_DAWN: Final = datetime(1970, 1, 1, tzinfo=UTC)


class Journal:
    """What an agent says it is about to do, and what came of it."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a", encoding="utf-8")
        self._deeds = 0

    def write(self, *, is_safe: bool = True, **said: Any) -> None:  # noqa: ANN401 - whatever JSON can hold
        """Write a line; it is on the disk when this returns, where it must be safe."""
        self._file.write(json.dumps({**said, "t": time.monotonic_ns()}, ensure_ascii=False) + "\n")
        self._file.flush()
        if is_safe:
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def done(self, act: Callable[[], Any], bearable: tuple[type[Exception], ...], **what: Any) -> Any:  # noqa: ANN401
        """What an act gives, written down before and after; None where it failed as it may."""
        self._deeds += 1
        self.write(begin=self._deeds, **what)
        try:
            outcome = act()
        except knowwhy.KnowwhyError as failure:
            self.write(end=self._deeds, failed=f"{type(failure).__name__}: {failure}")
            if not isinstance(failure, bearable):
                self.write(amiss=f"{what['kind']} failed with {type(failure).__name__}: {failure}")
            return None
        if isinstance(outcome, knowwhy.Outcome):
            self.write(end=self._deeds, at=outcome.at, operation=outcome.operation)
        else:
            self.write(end=self._deeds)
        return outcome


class Agent:
    """One agent in a memory."""

    def __init__(self, memory: knowwhy.Memory, journal: Journal, number: int, turn: int, seed: int) -> None:
        self._memory, self._journal, self._number = memory, journal, number
        self._chance = random.Random(seed)
        self._subjects = [f"board {one}" for one in range(OLD)] + [
            f"panel {turn} {one}" for one in range(NEW)
        ]
        self._said = 0
        self._own: list[tuple[str, str]] = []
        self._people: list[str] = []

    def live(self, stop: Path) -> None:
        """Work until there is such a file."""
        acts = (self._look, self._recall, self._say, self._count, self._withdraw, self._assume, self._meet)
        rare = (self._erase, self._dream)
        while not stop.exists():
            self._chance.choices((*acts, *rare), (40, 8, 24, 8, 6, 5, 6, 2, 2))[0]()

    def _word(self, subject: str, attribute: str, value: str, kind: str) -> Said:
        """A statement that nobody else makes, at an instant at which nobody else says anything."""
        self._said += 1
        now = time.time_ns() // 1_000
        return {
            "text": f"note a{self._number}n{self._said}: {subject}, {attribute}: {value}.",
            "subject": subject,
            "attribute": attribute,
            "value": value,
            "rank": KINDS[kind],
            "said": now - now % 64 + self._number % 64,
            "kind": kind,
        }

    def _observed(self, memory: knowwhy.Memory, word: Said, version: int | None = None) -> knowwhy.Outcome:
        return memory.observe(
            word["text"],
            source=f"{word['kind']} {self._said % 4}",
            source_type=word["kind"],
            claims=[(word["subject"], word["attribute"], word["value"])],
            observed_at=_DAWN + timedelta(microseconds=word["said"]),
            expected_version=version,
            context=f"talk {self._number} {self._said % 3}",
        )

    def _drawn(self, kind: str | None = None) -> Said:
        chance = self._chance
        kind = kind or chance.choices(tuple(KINDS), (1, 4))[0]
        return self._word(
            chance.choice(self._subjects), chance.choice(ATTRIBUTES), chance.choice(VALUES), kind
        )

    def _say(self) -> None:
        word = self._drawn()
        told = self._journal.done(
            lambda: self._observed(self._memory, word), (knowwhy.Unavailable,), kind="say", words=[word]
        )
        if told is not None:
            self._own.append((word["text"], told.evidence[0]))

    def _look(self) -> None:
        people = [(one, "city") for one in self._people[-1:]]
        boards = [(one, what) for one in self._chance.sample(self._subjects, 2) for what in ATTRIBUTES]
        subject, attribute = self._chance.choice(boards + people)
        begun = time.monotonic_ns()
        value = self._memory.ask(subject, attribute).value
        self._journal.write(is_safe=False, read=[subject, attribute], value=value, since=begun)

    def _recall(self) -> None:
        self._memory.recall(f"What is the colour of {self._chance.choice(self._subjects)}?")

    def _count(self) -> None:
        """Count a meter up by one, as it was read."""
        meter = f"meter {self._chance.randrange(METERS)}"
        for _ in range(_TRIES):
            answer = self._memory.ask(meter, "count")
            word = self._word(meter, "count", str(int(answer.value or 0) + 1), "official")
            told = self._journal.done(
                partial(self._observed, self._memory, word, answer.version),
                (knowwhy.VersionConflict, knowwhy.Unavailable),
                kind="count",
                words=[word],
            )
            if told is not None:
                return

    def _withdraw(self) -> None:
        if self._own:
            text, evidence = self._own.pop(self._chance.randrange(len(self._own)))
            self._journal.done(
                lambda: self._memory.retract(evidence), (knowwhy.Unavailable,), kind="withdraw", target=text
            )

    def _assume(self) -> None:
        """Fork, say something there, look whether it holds there, then merge it or let it go."""
        self._said += 1
        line = f"line {self._number} {self._said}"
        bearable = (knowwhy.Unavailable, knowwhy.Refused)
        branch = self._journal.done(lambda: self._memory.fork(line), bearable, kind="fork", line=line)
        if branch is None:
            return
        for _ in range(self._chance.randint(1, 3)):
            word = self._drawn("official")
            told = self._journal.done(
                partial(self._observed, branch, word), bearable, kind="say", line=line, words=[word]
            )
            held = branch.ask(word["subject"], word["attribute"]).value
            if told is not None and held != word["value"]:
                self._journal.write(amiss=f"{line}: {word['text']!r} was said, but {held!r} is held")
        if self._chance.random() < 0.6:
            self._journal.done(lambda: self._memory.merge(line), bearable, kind="merge", line=line)
        self._journal.done(lambda: self._memory.drop(line), bearable, kind="drop", line=line)

    def _meet(self) -> None:
        """Get to know somebody, who may be erased one day."""
        self._said += 1
        tail = "".join(self._chance.choices(_SYLLABLES, k=3))
        name = f"{tail.capitalize()}a{self._number}b{self._said}"
        word = self._word(name, "city", self._chance.choice(VALUES), "user")
        told = self._journal.done(
            lambda: self._observed(self._memory, word), (knowwhy.Unavailable,), kind="meet", words=[word]
        )
        if told is not None:
            self._people.append(name)

    def _erase(self) -> None:
        if not self._people:
            return
        name = self._people.pop(self._chance.randrange(len(self._people)))
        self._journal.done(
            lambda: self._memory.forget(person=name, reason="asked for it"),
            (knowwhy.Unavailable,),
            kind="erase",
            target=name,
        )
        if name in self._memory.recall(f"Where does {name} live?").to_prompt():
            self._journal.write(amiss=f"{name} was erased, and is recalled")

    def _dream(self) -> None:
        bearable = (knowwhy.Refused, knowwhy.Unavailable, knowwhy.VersionConflict)
        self._journal.done(self._memory.dream, bearable, kind="dream")


def main() -> None:
    address, path, number, turn, seed, stop = sys.argv[1:]
    with knowwhy.open(address) as memory:
        journal = Journal(Path(path))
        try:
            Agent(memory, journal, int(number), int(turn), int(seed)).live(Path(stop))
        except Exception as failure:
            journal.write(amiss=f"agent {number} met {type(failure).__name__}: {failure}")
            raise


if __name__ == "__main__":
    main()
