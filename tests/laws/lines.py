"""Memories with several lines of random acts, for the laws of versions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

from hypothesis import strategies as st

import knowwhy
from knowwhy import Finding, Instant, KnowwhyError, Memory, NotFound, Reader
from knowwhy.engine.space import Space
from knowwhy.store.memory import MemoryStore
from knowwhy.store.protocol import Store

START = datetime(2025, 1, 1, tzinfo=UTC)
SUBJECTS = ("order", "订单")
ATTRIBUTES = ("window", "likes", "price", "status", "free")
VALUES = ("7", "15", "blue")
NAMES = ("deal", "auftrag")
SPEAKERS = (("a", "official"), ("b", "user"), ("c", "user"), ("d", "document"))

Draw: TypeAlias = Callable[[st.SearchStrategy[Any]], Any]
Act: TypeAlias = Callable[["Life", Memory, Draw], None]


class Ticking:
    """A clock that moves an hour with every act."""

    def __init__(self) -> None:
        self.hours = 0

    def tick(self) -> None:
        """Let an hour pass."""
        self.hours += 1

    def moment(self) -> datetime:
        """The present."""
        return START + timedelta(hours=self.hours)

    def __call__(self) -> Instant:
        """The present instant."""
        return Instant(int(self.moment().timestamp()) * 1_000_000)


@dataclass
class Life:
    """A memory, its clock, and what was said in it so far."""

    store: Store = field(default_factory=MemoryStore)
    clock: Ticking = field(default_factory=Ticking)
    is_new: bool = True
    memory: Memory = field(init=False)

    def __post_init__(self) -> None:
        """Open the memory; one attribute takes many values, and two statements exclude each other."""
        self.memory = Memory(Space(self.store, clock=self.clock))
        if not self.is_new:
            return
        self.memory.declare("likes", cardinality="many")
        self.memory.declare_denial("sold out", [("?x", "status", "blue"), ("?x", "free", "7")])
        self.memory.declare_rule("shows", premises=[("?x", "price", "7")], conclusion=("?x", "free", "7"))
        self.clock.tick()

    def live(self, line: Memory, draw: Draw, acts: tuple[Act, ...], most: int = 4) -> None:
        """Do some acts on a line."""
        for _ in range(draw(st.integers(0, most))):
            draw(st.sampled_from(acts))(self, line, draw)
            self.clock.tick()


def observed(life: Life, line: Memory, draw: Draw) -> None:
    """Somebody says something, dated."""
    name, kind = draw(st.sampled_from(SPEAKERS))
    claim = {
        "subject": draw(st.sampled_from(SUBJECTS)),
        "attribute": draw(st.sampled_from(ATTRIBUTES)),
        "value": draw(st.sampled_from(VALUES)),
        "stance": draw(st.sampled_from(("supports", "supports", "supports", "refutes"))),
        "valid_from": draw(st.sampled_from((None, None, START, START + timedelta(days=5)))),
    }
    line.observe(
        source=name,
        source_type=kind,
        claims=[claim],
        observed_at=life.clock.moment() - timedelta(days=draw(st.sampled_from((0, 0, 1, 3)))),
    )


def retracted(_life: Life, line: Memory, draw: Draw) -> None:
    """Some evidence is withdrawn."""
    given = [one for entry in line.log(limit=50) for one in entry.outcome.evidence]
    if given:
        line.retract(draw(st.sampled_from(sorted(given))))


def corrected(_life: Life, line: Memory, draw: Draw) -> None:
    """We were wrong about something single-valued."""
    line.correct(draw(st.sampled_from(SUBJECTS)), "window", draw(st.sampled_from(VALUES)))


def ended(life: Life, line: Memory, draw: Draw) -> None:
    """Something stopped being true, if it stands."""
    try:
        line.end(
            draw(st.sampled_from(SUBJECTS)),
            draw(st.sampled_from(("window", "price"))),
            at=life.clock.moment(),
        )
    except NotFound:
        return


def named(_life: Life, line: Memory, draw: Draw) -> None:
    """Something gets a further name, or loses it."""
    name, entity = draw(st.sampled_from(NAMES)), draw(st.sampled_from(SUBJECTS))
    try:
        getattr(line, draw(st.sampled_from(("alias", "unalias"))))(name, entity)
    except KnowwhyError:
        return


def declared(_life: Life, line: Memory, draw: Draw) -> None:
    """An attribute is declared anew."""
    line.declare(
        draw(st.sampled_from(("price", "likes"))),
        cardinality=draw(st.sampled_from(("one", "many"))),
        half_life_days=draw(st.sampled_from((None, 4.0))),
        changes=draw(st.booleans()),
    )


def ruled(_life: Life, line: Memory, draw: Draw) -> None:
    """A rule is declared, or withdrawn."""
    value = draw(st.sampled_from(VALUES))
    if value == "blue":
        try:
            line.withdraw_rule("shows")
        except NotFound:
            return
    else:
        line.declare_rule("shows", premises=[("?x", "price", value)], conclusion=("?x", "free", "7"))


def undone(_life: Life, line: Memory, draw: Draw) -> None:
    """An operation is undone, whatever rests on it."""
    numbers = [one.operation.sequence for one in line.log(limit=6) if one.operation.act != "fork"]
    line.undo(draw(st.sampled_from(numbers)), anyway=True)


SAYING: tuple[Act, ...] = (observed, observed, observed, retracted, corrected, ended)
ACTS: tuple[Act, ...] = (*SAYING, observed, retracted, named, declared, ruled, undone)


def told(reader: Reader | Memory) -> dict[str, object]:
    """Everything a reader is told: what is held of each subject, by each of its names, and what is open."""
    answers = {name: reader.ask(name) for name in (*SUBJECTS, *NAMES)}
    return {
        **{name: sorted(map(_line, answer.findings)) for name, answer in answers.items()},
        "candidates": {name: [one.id for one in answer.candidates] for name, answer in answers.items()},
        "conflicts": [(one.id, one.kind, sorted(one.values)) for one in reader.conflicts()],
    }


def _line(one: Finding) -> tuple[object, ...]:
    number = round(one.confidence, 9)
    return one.attribute.key, str(one.value), one.status, number, one.is_denial, len(one.grounds)


def now(line: Memory, life: Life) -> dict[str, object]:
    """What a line says of the present, at one fixed instant for all lines."""
    return told(line.at(valid=life.clock.moment()))


def apart(draw: Draw, acts: tuple[Act, ...] = ACTS) -> tuple[Life, list[Memory]]:
    """A memory that lived for a while, and three branches of it, on each of which other things happened."""
    life = Life()
    life.live(life.memory, draw, acts)
    lines = [life.memory.fork(name) for name in ("up", "down", "flat")]
    for line in (*lines, life.memory):
        life.live(line, draw, acts, most=3)
    return life, lines


def opened(life: Life) -> knowwhy.Memory:
    """The main line of a life, opened again."""
    return Memory(Space(life.store, clock=life.clock))
