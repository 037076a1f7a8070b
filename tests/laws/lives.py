"""Random lives of a memory in which beliefs rest on each other, and two memories that are told the same."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from knowwhy import InvalidInput, Memory, NotFound, Observation, Reader
from knowwhy.core.model import Operation
from knowwhy.core.timeline import Instant
from knowwhy.engine.space import Space
from knowwhy.store.memory import MemoryStore
from knowwhy.store.protocol import Batch, Store

SUBJECTS = ("acme", "zeta")
ATTRIBUTES = ("plan", "seats", "site", "tier")
VALUES = ("u", "v")
START = datetime(2025, 1, 1, tzinfo=UTC)
SPEAKERS = (("a", "official"), ("b", "user"), ("c", "user"), ("d", "rumour"))
POLICIES = ("authority-then-recency", "confidence-first", "newest", "ratio", "manual")
MODELS = ("evidence", "log-odds", "factors")


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self, day: float = 0.0) -> None:
        self.day = day

    def moment(self, after: float = 0.0) -> datetime:
        """The present, or so many days later."""
        return START + timedelta(days=self.day + after)

    def __call__(self) -> Instant:
        """The present instant."""
        return Instant(int(self.moment().timestamp() * 1_000_000))


class Overtaken(MemoryStore):
    """A store in which something else is written just before a commit, when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.meanwhile: Callable[[], object] | None = None

    def commit(self, space: str, batch: Batch) -> Operation:
        """Write a batch, after whatever was to be written first."""
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile is not None:
            meanwhile()
        return super().commit(space, batch)


class Life:
    """A memory to which all kinds of things are done, one a day."""

    def __init__(self, seed: int, store: Store | None = None) -> None:
        self.chance = random.Random(seed)
        self.clock = Clock()
        self.memory = Memory(Space(store or MemoryStore(), clock=self.clock))
        self.names = 0

    def step(self) -> None:
        """One thing is done, and some time passes."""
        self.act()
        self.clock.day += self.chance.choice((0.01, 1.0, 1.0, 2.0))

    def act(self) -> None:
        """One thing is done, unless there is nothing to do it to."""
        try:
            self.chance.choice(_ACTS)(self)
        except NotFound:
            pass
        except InvalidInput as problem:
            # The same thing derived from itself, or a premise that may mean several.
            if not any(words in str(problem) for words in ("premise", "withdrawn", "itself")):
                raise

    def observe(self) -> None:
        """Somebody says something, perhaps of another time, or that it rests on something."""
        source, kind = self.chance.choice(SPEAKERS)
        begins = self.chance.choice((None, None, None, None, 3, -3))
        claim: dict[str, Any] = {
            "subject": self._subject(),
            "attribute": self._attribute(),
            "value": self.chance.choice(VALUES),
            "stance": self.chance.choice(("supports",) * 5 + ("refutes",)),
            "valid_from": None if begins is None else self.clock.moment(begins),
            "valid_to": self.clock.moment(6) if self.chance.random() < 0.15 else None,
            "modality": "asked" if self.chance.random() < 0.08 else "asserted",
        }
        if self.chance.random() < 0.15:
            claim["depends_on"] = [(self._subject(), self._attribute())]
        late = timedelta(days=self.chance.choice((0, 0, 0, 2)))
        try:
            self.memory.observe(
                source=source,
                source_type=kind,
                claims=[claim],
                observed_at=self.clock.moment() - late,
                is_forced=self.chance.random() < 0.05,
            )
        except InvalidInput as problem:
            if "itself" not in str(problem):
                raise

    def derive(self) -> None:
        """Something follows from what is on record."""
        premises = [(self._subject(), self._attribute(), self.chance.choice(VALUES)) for _ in range(2)]
        exceptions = [(self._subject(), self._attribute(), self.chance.choice(VALUES))]
        self.memory.derive(
            self._subject(),
            self._attribute(),
            self.chance.choice(VALUES),
            premises=premises[: self.chance.choice((1, 1, 2))],
            exceptions=exceptions if self.chance.random() < 0.3 else (),
            strength=self.chance.choice((1.0, 0.8)),
        )

    def declare_rule(self) -> None:
        """A rule is declared, or another of the same name."""
        one, other = self.chance.sample(ATTRIBUTES, 2)
        self.memory.declare_rule(
            self.chance.choice(("r1", "r2")),
            premises=[("?x", one, self.chance.choice((*VALUES, "?v")))],
            conclusion=("?x", other, self.chance.choice(VALUES)),
            exceptions=[("?x", self._attribute(), self.chance.choice(VALUES))]
            if self.chance.random() < 0.4
            else (),
        )

    def declare_denial(self) -> None:
        """Something cannot hold together."""
        one, other = self.chance.sample(ATTRIBUTES, 2)
        statements = [("?x", one, self.chance.choice(VALUES)), ("?x", other, self.chance.choice(VALUES))]
        self.memory.declare_denial(self.chance.choice(("d1", "d2")), statements=statements)

    def withdraw_rule(self) -> None:
        """A rule or denial no longer holds."""
        self.memory.withdraw_rule(self.chance.choice(("r1", "r2", "d1", "d2")))

    def declare(self) -> None:
        """An attribute is declared anew."""
        name = self._attribute()
        others = [one for one in ATTRIBUTES if one != name]
        self.memory.declare(
            name,
            cardinality=self.chance.choice(("one", "one", "one", "many")),
            changes=self.chance.random() < 0.8,
            half_life_days=self.chance.choice((None, None, 4.0)),
            depends_on=self.chance.sample(others, self.chance.choice((0, 1, 1, 2))),
            policy=self.chance.choice((None, None, *POLICIES)),
            synonyms=[f"{name}s"] if self.chance.random() < 0.3 else (),
        )

    def configure(self) -> None:
        """The memory decides otherwise."""
        self.memory.configure(policy=self.chance.choice(POLICIES), confidence=self.chance.choice(MODELS))

    def retract(self) -> None:
        """Some evidence is withdrawn."""
        given = [one for entry in self.memory.log(limit=40) for one in entry.outcome.evidence]
        if given:
            self.memory.retract(self.chance.choice(sorted(given)))

    def end(self) -> None:
        """Something ceased."""
        self.memory.end(
            self._subject(), self._attribute(), at=self.clock.moment(self.chance.choice((0, 0, -1, 2)))
        )

    def give_up(self) -> None:
        """Something is no longer believed."""
        source, kind = self.chance.choice((("ed", "correction"), *SPEAKERS))
        del kind
        self.memory.give_up(self._subject(), self._attribute(), source=source)

    def correct(self) -> None:
        """We were wrong."""
        subject, attribute = self._subject(), self._attribute()
        held = self.memory.ask(subject, attribute).findings
        was = str(held[0].value) if held else self.chance.choice(VALUES)
        self.memory.correct(subject, attribute, self.chance.choice(VALUES), was=was)

    def _subject(self) -> str:
        return self.chance.choice(SUBJECTS[:1] * 3 + SUBJECTS)

    def _attribute(self) -> str:
        return self.chance.choice(ATTRIBUTES)


_ACTS: Sequence[Callable[[Life], None]] = (
    *[Life.observe] * 8,
    *[Life.derive] * 3,
    *[Life.declare] * 3,
    Life.declare_rule,
    Life.declare_rule,
    Life.declare_denial,
    Life.declare_denial,
    Life.withdraw_rule,
    Life.configure,
    Life.retract,
    Life.retract,
    Life.end,
    Life.give_up,
    Life.correct,
)


def told(reader: Reader, *, exact: bool = True) -> dict[str, list[tuple[Any, ...]]]:
    """Everything a reader is told of all subjects."""
    found = {}
    for subject in SUBJECTS:
        for attribute in ATTRIBUTES:
            answer = reader.ask(subject, attribute)
            found[f"{subject} {attribute}"] = sorted(
                (
                    str(one.value),
                    str(one.status),
                    round(one.confidence, 9),
                    str(one.belief.because.rule),
                    tuple(map(str, one.belief.doubts)) if exact else len(one.belief.doubts),
                )
                for one in (*answer.findings, *answer.others)
            )
    return found


def told_anew(life: Life) -> dict[str, list[tuple[Any, ...]]]:
    """The same for the present, with nothing taken from a kept view."""
    now = life.clock.moment()
    return told(life.memory.at(valid=now, known=now))


def observations(chance: random.Random) -> list[Observation]:
    """What sources said within some days, each with the day on which it became known."""
    found = []
    for number in range(chance.randint(3, 9)):
        source, kind = chance.choice(SPEAKERS)
        said = START + timedelta(days=chance.randint(0, 8), minutes=number)
        begins = chance.choice((None, None, None, 2, 12))
        claim: dict[str, Any] = {
            "subject": chance.choice(SUBJECTS[:1] * 3 + SUBJECTS),
            "attribute": chance.choice(ATTRIBUTES),
            "value": chance.choice(VALUES),
            "stance": chance.choice(("supports",) * 6 + ("refutes",)),
            "valid_from": None if begins is None else START + timedelta(days=begins, minutes=number),
        }
        if chance.random() < 0.15:
            others = [one for one in ATTRIBUTES if one != claim["attribute"]]
            claim["depends_on"] = [(claim["subject"], chance.choice(others))]
        found.append(
            Observation(source, claims=[claim], source_type=kind, observed_at=said, recorded_at=said)
        )
    return found


def declarations(chance: random.Random) -> list[Callable[[Memory], object]]:
    """Attributes, rules and denials, each of a name of its own."""
    found: list[Callable[[Memory], object]] = []
    for name in ATTRIBUTES:
        others = [one for one in ATTRIBUTES if one != name]
        traits: dict[str, Any] = {
            "depends_on": chance.sample(others, chance.choice((0, 0, 1, 2))),
            "policy": chance.choice((None, None, *POLICIES)),
            "changes": chance.random() < 0.8,
            "half_life_days": chance.choice((None, 4.0)),
        }
        found.append(_declaring(name, traits))
    for number in range(chance.randint(0, 3)):
        *some, other = chance.sample(ATTRIBUTES, chance.choice((2, 3)))
        premises = [("?x", name, chance.choice((*VALUES, "?v"))) for name in some]
        found.append(_ruling(f"r{number}", premises, ("?x", other, chance.choice(VALUES))))
    for number in range(chance.randint(0, 2)):
        one, other = chance.sample(ATTRIBUTES, 2)
        statements = [("?x", one, chance.choice(VALUES)), ("?x", other, chance.choice(VALUES))]
        found.append(_denying(f"d{number}", statements))
    return found


def _declaring(name: str, traits: dict[str, Any]) -> Callable[[Memory], object]:
    return lambda memory: memory.declare(name, **traits)


def _ruling(
    name: str, premises: list[tuple[str, str, str]], conclusion: tuple[str, str, str]
) -> Callable[[Memory], object]:
    return lambda memory: memory.declare_rule(name, premises=premises, conclusion=conclusion)


def _denying(name: str, statements: list[tuple[str, str, str]]) -> Callable[[Memory], object]:
    return lambda memory: memory.declare_denial(name, statements=statements)
