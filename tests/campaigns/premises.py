"""Whether doubt reaches all that rests on a premise that moved, and nothing else.

    python tests/campaigns/premises.py [--worlds 200] [--seed 1] [--small]

Each world is a memory of its own in which 5 to 30 attributes depend on each other, up to four deep and now
and then in a circle. Its history holds changes, confirmations, endings, withdrawals, reversals, words that
come in late, plans, rumours and new declarations. At instants past, present and to come, read from kept views
or settled anew, each belief that stands is compared with what a plain account of the same history says
(`chronicle.py`).
Prints the figures as JSON; exits with 1 if anything is amiss.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # as pytest has it, so that neighbours are found

import knowwhy
from knowwhy.recall.decision import decided
from tests.campaigns.chronicle import NEVER, Chronicle, Ending, Moment, Move, Place, Word

START: Final = datetime(2025, 1, 1, tzinfo=UTC)
SUBJECTS: Final = ("north", "south")
SOURCES: Final = (("ann", "user"), ("bo", "user"), ("register", "official"), ("hearsay", "rumour"))
AUTHORITY: Final = {kind: knowwhy.SOURCE_TYPES[kind].authority for _, kind in SOURCES}
HOUR: Final = 60
SMALL: Final = 4
_MOST_TOLD: Final = 5


def moment_of(minute: float) -> datetime:
    """A minute of a history as a date."""
    return START + timedelta(minutes=minute)


@dataclass
class Clock:
    """A clock that stands still until it is set."""

    minute: int = 0

    def __call__(self) -> knowwhy.Instant:
        """The present instant."""
        return knowwhy.Instant(int(moment_of(self.minute).timestamp()) * 1_000_000)


@dataclass
class Tally:
    """What was found: how often doubt was due and there, due and missing, or there for no reason."""

    figures: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    world: int = 0

    def count(self, name: str, *, is_right: bool, told: Callable[[], str]) -> None:
        """Count a check by its name, and tell what is amiss if it failed."""
        self.figures[name] += 1
        if not is_right:
            self.figures[f"{name} amiss"] += 1
            if len(self.problems) < _MOST_TOLD:
                self.problems.append(f"world {self.world}: {told()}")

    def share(self, name: str) -> float:
        """How many of the checks of a name went well."""
        return 1.0 - self.figures[f"{name} amiss"] / max(1, self.figures[name])

    def as_dict(self) -> dict[str, Any]:
        """The figures for a program."""
        return {
            "cascade_accuracy": self.share("due"),
            "absence_accuracy": self.share("not due"),
            "false_alarms": self.figures["not due amiss"],
            "due": self.figures["due"],
            "not_due": self.figures["not due"],
            "reasons_wrong": self.figures["reason amiss"],
            "values_wrong": self.figures["value amiss"],
            "unhealthy": self.figures["doctor amiss"],
            "rebuilt_otherwise": self.figures["rebuild amiss"],
            "worlds": self.figures["world"],
            "acts": self.figures["act"],
            "questions": self.figures["value"],
        }

    @property
    def is_clean(self) -> bool:
        """Whether every check went well."""
        return not any(name.endswith("amiss") and number for name, number in self.figures.items())


class World:
    """A memory and the plain account of the same history, side by side."""

    def __init__(self, chance: random.Random, tally: Tally, most: int = 30) -> None:
        self.chance = chance
        self.tally = tally
        self.clock = Clock()
        self.memory = knowwhy.open(":memory:", clock=self.clock)
        self.account = Chronicle()
        self.taken = {0}
        self.evidence: dict[int, str] = {}
        self.attributes = [f"a{number}" for number in range(chance.randint(5, most))]
        self.layers = _layered(self.attributes, chance)
        for attribute in self.attributes:
            self._declare(attribute, drawn_premises(attribute, self.layers, chance))

    def live(self, acts: int) -> None:
        """A history of so many acts, with questions on the way and at its end."""
        self.open()
        for number in range(acts):
            self._pass(self.chance.randint(1, 12) * HOUR)
            self.chance.choice(_ACTS)(self)
            self.tally.figures["act"] += 1
            if number % 5 == 4:
                self.check(Moment(self.clock.minute))
            if number % 10 == 9:
                self._check_health()
        last = self.clock.minute
        for minute in sorted(self.chance.randint(0, last) for _ in range(4)):
            self.check(Moment(minute))
        self.check(Moment(self.chance.randint(0, last), known=self.chance.randint(0, last)))
        self._check_health()
        for _ in range(3):  # time passes, and nobody says anything
            self.clock.minute += self.chance.randint(1, 60) * HOUR
            self.check(Moment(self.clock.minute))
        self._check_rebuild()
        self.memory.close()

    # What happens -------------------------------------------------------------------------------

    def say(self, place: Place, value: str, **how: Any) -> None:  # noqa: ANN401 - as `observe` takes it
        """Somebody says something; late words are dated back, plans name a beginning to come."""
        source, kind = how.pop("who", None) or self.chance.choice(SOURCES)
        word = Word(
            len(self.account.words) + len(self.account.endings),
            place,
            value,
            how.pop("said", self.clock.minute),
            self.clock.minute,
            source,
            AUTHORITY[kind],
            **how,
        )
        claim = {
            "subject": place[0],
            "attribute": place[1],
            "value": value,
            "valid_from": None if word.begins is None else moment_of(word.begins),
            "valid_to": None if word.ends == NEVER else moment_of(word.ends),
            "depends_on": [list(premise) for premise in word.rests_on],
        }
        outcome = self.memory.observe(
            source=source, source_type=kind, claims=[claim], observed_at=moment_of(word.said)
        )
        self.account.words.append(word)
        self.evidence[word.number] = outcome.evidence[0]

    def open(self) -> None:
        """Most is said once, in any order."""
        places = [(subject, attribute) for subject in SUBJECTS for attribute in self.attributes]
        self.chance.shuffle(places)
        for place in places[: round(len(places) * self.chance.uniform(0.4, 0.9))]:
            self._pass(1)
            self.say(place, self.chance.choice("uvwxyz"), rests_on=self._rests_on(place))

    def change(self) -> None:
        """A value, often another one."""
        self.say(self._place(), self.chance.choice("uvwxyz"), rests_on=self._rests_on())

    def confirm(self) -> None:
        """What is held is said again."""
        if held := self._held():
            place, value = self.chance.choice(held)
            self.say(place, value, rests_on=self._rests_on(place))

    def confirm_all(self) -> None:
        """Many things are said again, one after the other, as after a visit."""
        for place, value in self.chance.sample(self._held(), k=len(self._held()) // 2):
            self._pass(1)
            self.say(place, value)

    def revert(self) -> None:
        """What was said before last of a premise is said again."""
        words = [word for word in self.account.words if self._is_premise(word.place)]
        if words:
            word = self.chance.choice(words)
            self.say(word.place, word.value)

    def say_late(self) -> None:
        """A word comes in that was said some time ago."""
        said = self._free(self.chance.randint(0, self.clock.minute))
        self.say(self._place(), self.chance.choice("uvwxyz"), said=said)

    def date_back(self) -> None:
        """Somebody says now from when on it has been so."""
        begins = self._free(self.chance.randint(0, self.clock.minute))
        self.say(self._place(), self.chance.choice("uvwxyz"), begins=begins)

    def plan(self) -> None:
        """Something will begin, and perhaps end."""
        begins = self._free(self.clock.minute + self.chance.randint(1, 100) * HOUR)
        ends = self._free(begins + self.chance.randint(1, 60) * HOUR) if self.chance.random() < 0.4 else NEVER
        self.say(self._place(), self.chance.choice("uvwxyz"), begins=begins, ends=ends)

    def end(self) -> None:
        """Something that was said ceases: now, some time ago, or some time to come."""
        words = [word for word in self.account.words if word.number not in self.account.withdrawn]
        if not words:
            return
        word = self.chance.choice(words)
        at = self._free(self.clock.minute + self.chance.choice((0, 0, -30, 50)) * HOUR)
        outcome = self.memory.end(*word.place, word.value, at=moment_of(at))
        number = len(self.account.words) + len(self.account.endings)
        self.account.endings.append(Ending(number, word.place, word.value, self.clock.minute, at))
        self.evidence[number] = outcome.evidence[0]

    def withdraw(self) -> None:
        """Evidence is taken back: most often what came last."""
        left = sorted(self.evidence.keys() - self.account.withdrawn.keys())
        if left:
            number = self.chance.choice(left[-4:] if self.chance.random() < 0.7 else left)
            self.memory.retract(self.evidence[number])
            self.account.withdrawn[number] = self.clock.minute

    def declare(self) -> None:
        """An attribute is declared to depend on other things than before."""
        attribute = self.chance.choice(self.attributes)
        self._declare(attribute, drawn_premises(attribute, self.layers, self.chance))

    # What is asked ------------------------------------------------------------------------------

    def check(self, moment: Moment) -> None:
        """Compare all that is read with what must be."""
        due = self.account.doubts(moment)
        known = None if moment.known == NEVER else moment_of(moment.known)
        is_present = moment.at == self.clock.minute and known is None
        reader = self.memory if is_present else self.memory.at(valid=moment_of(moment.at), known=known)
        for place in self.account.places():
            answer = reader.ask(*place)
            held = set(self.account.held(place, moment))
            said = {str(finding.value) for finding in answer.findings}
            self._count("value", said == held, place, moment, (said, held))
            for finding in answer.findings:
                self._check_one(finding, place, moment, due.get((place, str(finding.value)), {}))
            for finding in answer.others:
                self._count("value", finding.status != "doubtful", place, moment, finding.status)

    def _check_one(
        self, finding: knowwhy.Finding, place: Place, moment: Moment, due: dict[Place, Move]
    ) -> None:
        is_doubtful = finding.status == "doubtful"
        self._count(
            "due" if due else "not due",
            is_doubtful is bool(due),
            place,
            moment,
            (str(finding.value), finding.status, due),
        )
        may_act = decided(finding).may_act
        self._count("reason", not (is_doubtful and may_act), place, moment, "one may act")
        if not (due and is_doubtful):
            return
        said = {
            (one.subject, one.attribute): (one.before, one.after, round(one.strength, 9))
            for one in finding.belief.doubts
            if one.moved_at <= knowwhy.instant(moment_of(moment.at))
        }
        meant = {
            root: (_written(move.before), _written(move.after), round(move.strength, 9))
            for root, move in due.items()
        }
        self._count("reason", said == meant, place, moment, (said, meant))
        told = [f"its premise {attribute} " for _, attribute in due]
        are_told = all(any(one in warning for warning in finding.warnings) for one in told)
        self._count("reason", are_told, place, moment, finding.warnings)

    def _check_health(self) -> None:
        problems = self.memory.doctor().problems
        self.tally.count("doctor", is_right=not problems, told=lambda: f"doctor: {problems[:2]}")

    def _check_rebuild(self) -> None:
        moment = moment_of(self.clock.minute)

        def answers() -> list[object]:
            return [self.memory.at(valid=moment).ask(*place).as_dict() for place in self.account.places()]

        before = answers()
        self.memory.rebuild()
        self.tally.count("rebuild", is_right=answers() == before, told=lambda: "answers differ when rebuilt")

    def _count(self, name: str, is_right: bool, place: Place, moment: Moment, seen: object) -> None:  # noqa: FBT001 - what is counted
        """Count a check of what is read of a place."""
        where = f"{'/'.join(place)} at {moment.at} known {moment.known}"
        self.tally.count(name, is_right=is_right, told=lambda: f"{name}: {where}: {seen}")

    # What is drawn ------------------------------------------------------------------------------

    def _declare(self, attribute: str, premises: dict[str, float]) -> None:
        is_many = self.layers[attribute] == 0 and attribute.endswith(("3", "7"))
        self.memory.declare(attribute, depends_on=premises, cardinality="many" if is_many else "one")
        self.account.depends_on[attribute] = premises
        if is_many:
            self.account.of_many.add(attribute)

    def _pass(self, minutes: int) -> None:
        """Time passes, to the next minute that nobody spoke of."""
        self.clock.minute = self._free(self.clock.minute + minutes)

    def _place(self) -> Place:
        # Premises move more often than what rests on them.
        premises = sorted({one for those in self.account.depends_on.values() for one in those})
        among = premises if premises and self.chance.random() < 0.7 else self.attributes
        return self.chance.choice(SUBJECTS), self.chance.choice(among)

    def _rests_on(self, place: Place | None = None) -> tuple[Place, ...]:
        if self.chance.random() < 0.8:
            return ()
        roots = [(subject, one) for subject in SUBJECTS for one in self.attributes if self.layers[one] == 0]
        return (self.chance.choice([root for root in roots if root != place]),) if place else ()

    def _held(self) -> list[tuple[Place, str]]:
        now = Moment(self.clock.minute)
        return [(place, value) for place in self.account.places() for value in self.account.held(place, now)]

    def _is_premise(self, place: Place) -> bool:
        return any(place[1] in premises for premises in self.account.depends_on.values())

    def _free(self, minute: int) -> int:
        """A minute near the given one at which nothing happens yet."""
        minute = max(1, minute)
        while minute in self.taken:
            minute += 1
        self.taken.add(minute)
        return minute


_ACTS: Final[list[Callable[[World], None]]] = [
    *[World.change] * 7,
    *[World.confirm] * 3,
    World.confirm_all,
    World.revert,
    World.revert,
    World.say_late,
    World.date_back,
    World.plan,
    World.plan,
    World.end,
    World.withdraw,
    World.withdraw,
    World.declare,
]


def _layered(attributes: list[str], chance: random.Random) -> dict[str, int]:
    """On which layer each attribute lies: the roots on 0, what rests on them above."""
    depth = chance.randint(1, 4)
    layers = {one: chance.randint(0, depth) for one in attributes}
    layers[attributes[0]] = 0
    return layers


def drawn_premises(attribute: str, layers: dict[str, int], chance: random.Random) -> dict[str, float]:
    """On what an attribute depends, and how much: on lower layers, now and then in a circle."""
    below = [one for one, layer in layers.items() if layer < layers[attribute]]
    nearest = [one for one in below if layers[one] == layers[attribute] - 1]
    among = nearest if nearest and chance.random() < 0.7 else below
    premises = set(chance.sample(among, k=min(len(among), chance.randint(1, 3)))) if among else set()
    if layers[attribute] > 0 and chance.random() < 0.08:
        premises.add(chance.choice([one for one in layers if one != attribute]))
    return {one: chance.choice((0.3, 0.5, 0.8, 1.0)) for one in sorted(premises)}


def _written(values: frozenset[str]) -> str:
    return " or ".join(sorted(values))


def campaign(worlds: int, seed: int, longest: int = 60) -> Tally:
    """So many worlds with histories of up to so many acts; what was found."""
    tally = Tally()
    for number in range(worlds):
        chance = random.Random(seed * 100_003 + number)
        tally.world = number
        World(chance, tally).live(chance.randint(min(15, longest), longest))
        tally.figures["world"] += 1
    return tally


def main() -> int:
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("--worlds", type=int, default=200, help="how many (200)")
    reader.add_argument("--seed", type=int, default=1, help="which ones (1)")
    reader.add_argument("--small", action="store_true", help="a few worlds, for every change")
    asked = reader.parse_args()
    begun = time.monotonic()
    tally = campaign(SMALL if asked.small else asked.worlds, asked.seed)
    print(json.dumps(tally.as_dict() | {"seconds": round(time.monotonic() - begun, 1)}, indent=2))
    for problem in tally.problems:
        print(f"  {problem}", file=sys.stderr)
    return 0 if tally.is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
