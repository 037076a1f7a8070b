"""Random lives of a memory that many share, told twice: whole, and without what one reader may not see."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from hypothesis import strategies as st

from knowwhy import Memory, Observation
from knowwhy.core.model import Principal
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.space import Space
from knowwhy.errors import KnowwhyError
from knowwhy.store.protocol import Store
from tests.laws.lives import Clock

ANN = Principal("ann", None, ("g",))
BOB = Principal("bob", "uma", ())
CID = Principal("cid", None, ("g", "h"))
WRITERS: Final = (None, None, ANN, BOB)
READERS: Final = (ANN, BOB, CID)
ALL, PRIVATE, GROUP = "all", "private", "group:g"
SUBJECTS: Final = ("acme", "ACME", "zeta", "the firm")
ATTRIBUTES: Final = ("plan", "seats", "site")
VALUES: Final = ("u", "v")
SOURCES: Final = (("a", "user"), ("b", "user"), ("c", "rumour"), ("a", None))
LONG_AGO: Final = "2020-01-01"
TEXTS: Final = ("plan u for acme", "nothing of note about zeta", "seats were counted")


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that somebody does, and with whom it is shared."""

    act: str
    by: Principal | None
    share: str
    said: tuple[Any, ...]


def steps() -> st.SearchStrategy[list[Step]]:
    """Some things that are done one after the other."""
    return st.lists(_step(), min_size=2, max_size=9)


@st.composite
def _step(draw: st.DrawFn) -> Step:
    # Most of what is done is that somebody says something.
    act = draw(st.sampled_from((*("observe",) * len(_ACTS), *sorted(_ACTS))))
    by = draw(st.sampled_from(WRITERS))
    share = draw(st.sampled_from((ALL, ALL, PRIVATE, GROUP)))
    if act in _OWNERS:
        by, share = None, ALL
    said = (
        draw(st.sampled_from(("acme", "acme", *SUBJECTS))),
        draw(st.sampled_from(("plan", *ATTRIBUTES))),
        draw(st.sampled_from(VALUES)),
        draw(st.sampled_from(SOURCES)),
        draw(st.integers(0, 8)),
        draw(st.sampled_from(("supports", "supports", "supports", "refutes"))),
    )
    return Step(act, by, share, said)


class Life:
    """A memory to which steps are done, those of them that are `heard`, one a day."""

    def __init__(self, store: Store, space: str = "main") -> None:
        self.clock = Clock()
        self.memory = Memory(Space(store, space, clock=self.clock, takes_undeclared=True))
        # Of each step: the evidence it recorded, its number, and what was told of it, or that it failed.
        self.evidence: dict[int, str] = {}
        self.numbers: dict[int, int] = {}
        self.told: dict[int, Any] = {}
        self.done: Sequence[Step] = ()
        self.at = 0

    def live(
        self,
        done: Sequence[Step],
        heard: Callable[[int], bool],
        branch: int | None = None,
        watched_by: Principal | None = None,
    ) -> None:
        """Do what is heard of all that is done; from step `branch` on, on a branch.

        Whoever watches looks at it after each step, and so keeps what it may not see at hand.
        """
        self.done = done
        for number, step in enumerate(done):
            self.at, self.clock.day = number, float(number + 1)
            if branch == number:
                self.memory = self.memory.fork("if")
            if heard(number):
                self._do(number, step)
            if watched_by is not None:
                as_seen_by(self.memory, watched_by).recall("plan of acme")
        self.clock.day = float(len(done) + 1)

    def _do(self, number: int, step: Step) -> None:
        memory = self.memory
        if step.by is not None:
            memory = as_seen_by(memory, step.by)
        if step.share != ALL:
            memory = memory.shared_with(*(() if step.share == PRIVATE else (step.share,)))
        before = _head(self.memory)
        try:
            told = _ACTS[step.act](self, memory, step.said)
        except KnowwhyError as failure:
            self.told[number] = (type(failure).__name__, str(failure))
            return
        self.told[number] = told
        if _head(self.memory) > before:
            self.numbers[number] = _head(self.memory)
        if isinstance(told, Outcome) and told.evidence and not told.is_repeat:
            self.evidence[number] = told.evidence[0]

    def target(self, number: int) -> str:
        """The evidence of the step that a later one takes aim at, or none."""
        return self.evidence.get(aimed_at(self.done, self.at, number), "ev_none")


def aimed_at(done: Sequence[Step], at: int, number: int) -> int:
    """One of the steps before another that say something; -1 where none does."""
    saying = [one for one in range(at) if done[one].act.startswith(("observe", "say", "derive", "end"))]
    return saying[number % len(saying)] if saying else -1


def as_seen_by(memory: Memory, one: Principal) -> Memory:
    """The memory as a principal may use it."""
    return memory.seen_by(agent=one.agent, user=one.user, groups=one.groups)


def _head(memory: Memory) -> int:
    space = memory._space  # noqa: SLF001 - the number of the last operation, whoever may see it
    with space.store.snapshot(space.name) as view:
        return view.head().sequence


def _observe(_: Life, memory: Memory, said: tuple[Any, ...]) -> Outcome:
    subject, attribute, value, (source, kind), number, stance = said
    claim = {"subject": subject, "attribute": attribute, "value": value, "stance": stance}
    if number == 0:
        claim["depends_on"] = [(subject, "plan" if attribute != "plan" else "site")]
    # The same words of the same time are one record, for the same readers.
    at = LONG_AGO if number == 8 else None
    return memory.observe(source=source, source_type=kind, claims=[claim], observed_at=at)


def _say(_: Life, memory: Memory, said: tuple[Any, ...]) -> Outcome:
    (source, kind), number = said[3], said[4]
    text = TEXTS[number % len(TEXTS)]
    return memory.observe(text, source=source, source_type=kind, context="talk", extract=False)


def _derive(_: Life, memory: Memory, said: tuple[Any, ...]) -> Outcome:
    subject, attribute, value = said[:3]
    premise = (subject, ATTRIBUTES[(ATTRIBUTES.index(attribute) + 1) % 3], value)
    return memory.derive(subject, attribute, value, premises=[premise])


def _rule(_: Life, memory: Memory, said: tuple[Any, ...]) -> Outcome:
    return memory.declare_rule("r", premises=[("?x", "plan", said[2])], conclusion=("?x", "seats", "v"))


def _denial(_: Life, memory: Memory, said: tuple[Any, ...]) -> Outcome:
    return memory.declare_denial("d", [("?x", "plan", said[2]), ("?x", "site", "u")])


_ACTS: Final[Mapping[str, Callable[[Life, Memory, tuple[Any, ...]], Any]]] = {
    "observe": _observe,
    "say": _say,
    "derive": _derive,
    "alias": lambda _, memory, said: memory.alias("the firm", said[0]),
    "unalias": lambda _, memory, said: memory.unalias("the firm", said[0]),
    "retract": lambda life, memory, said: memory.retract(life.target(said[4])),
    "end": lambda _, memory, said: memory.end(said[0], said[1]),
    "correct": lambda _, memory, said: memory.correct(said[0], said[1], said[2]),
    "give up": lambda _, memory, said: memory.give_up(said[0], said[1]),
    "rule": _rule,
    "denial": _denial,
    "depend": lambda _, memory, __: memory.declare("site", depends_on=["plan"]),
    "grant": lambda _, memory, __: memory.grant("agent:ann", "decide"),
    "learn": lambda _, memory, __: memory.learn(),
}
# What only the memory's owner does here, for all.
_OWNERS: Final = frozenset({"rule", "denial", "depend", "grant", "learn"})


def seen(done: Sequence[Step], life: Life, reader: Principal) -> Callable[[int], bool]:
    """Which of the steps done in a life a reader may see."""
    made = {life.evidence[number]: number for number in sorted(life.evidence, reverse=True)}

    def may_see(number: int) -> bool:
        step = done[number]
        if step.act == "retract":
            target = life.evidence.get(aimed_at(done, number, step.said[4]))
            return target is not None and may_see(made[target])
        if step.share == ALL or (step.by is not None and step.by.name in reader.names):
            return True
        return step.share == GROUP and GROUP in reader.names

    return may_see


# What a reader is told ----------------------------------------------------------------------------


def told_to(memory: Memory, reader: Principal, numbers: Mapping[int, int], days: int) -> dict[str, Any]:
    """What every reading verb tells a reader, with operations by their order."""
    mine = as_seen_by(memory, reader)
    found: dict[str, Any] = {}
    beliefs: dict[str, None] = {}
    for name, read in (*_readings(mine, days), *_of_operations(mine, numbers)):
        try:
            told = read()
        except KnowwhyError as failure:
            told = (type(failure).__name__, str(failure))
        found[name] = _plain(told, numbers)
    for one in mine.recall("plan seats site acme zeta u v", limit=50).beliefs:
        beliefs[one.id] = None
    for own in sorted(beliefs):
        found[f"why {own}"] = _plain(mine.why(own), numbers)
        found[f"history {own}"] = _plain(mine.history(own), numbers)
    return found


def _readings(mine: Memory, days: int) -> Iterator[tuple[str, Callable[[], Any]]]:
    for subject in SUBJECTS:
        yield f"ask {subject}", partial(mine.ask, subject)
        for attribute in ATTRIBUTES:
            yield f"ask {subject} {attribute}", partial(mine.ask, subject, attribute)
    for question in ("What is the plan of acme?", "seats of the firm", "nothing of note"):
        more = ("superseded", "rejected")
        yield f"recall {question}", partial(mine.recall, question, limit=50, include=more)
    for value in VALUES:
        yield f"trust {value}", partial(mine.trust, "acme", "plan", value)
        yield f"why not {value}", partial(mine.why_not, "acme", "seats", value)
    yield "history", lambda: mine.history("acme", "plan")
    yield "conflicts", mine.conflicts
    yield "sources", mine.sources
    yield "stats", mine.stats
    yield "log", mine.log
    yield "changes", mine.changes
    yield "declared", mine.declared
    yield "to check", lambda: mine.to_check(limit=20)
    for day in range(1, days, 3):
        then = Clock(float(day)).moment()
        yield f"then {day}", partial(mine.at(valid=then, known=then).ask, "acme")
        yield f"known {day}", partial(mine.at(known=then).recall, "plan of acme", limit=50)


def _of_operations(mine: Memory, numbers: Mapping[int, int]) -> Iterator[tuple[str, Callable[[], Any]]]:
    said = Observation("z", claims=[("acme", "plan", "u")], source_type="user")
    yield "what if", lambda: mine.what_if(observe=said)
    for number, place in numbers.items():
        yield f"show {place}", partial(mine.show, number)
        yield f"diff {place}", partial(_differences, mine, number)


def _differences(mine: Memory, number: int) -> list[str]:
    return [str(one) for one in mine.diff(number).differences]


_NUMBERS: Final = frozenset({"operation", "version", "declared_in", "sequence", "lifted_in"})


def _plain(told: Any, numbers: Mapping[int, int]) -> Any:  # noqa: ANN401 - whatever a verb tells
    """What was told as plain data, operations by their order."""
    if isinstance(told, tuple | list):
        return [_plain(one, numbers) for one in told]
    if hasattr(told, "as_dict"):
        return _renumbered(json.loads(json.dumps(told.as_dict(), default=str)), numbers)
    return _renumbered(told, numbers)


def _renumbered(told: Any, numbers: Mapping[int, int]) -> Any:  # noqa: ANN401 - plain data
    if isinstance(told, dict):
        return {
            key: numbers.get(value, value) if key in _NUMBERS else _renumbered(value, numbers)
            for key, value in told.items()
            if key != "version"
        }
    if isinstance(told, list):
        return [_renumbered(one, numbers) for one in told]
    return told


def in_order(life: Life, heard: Callable[[int], bool]) -> dict[int, int]:
    """The operations of the steps that are heard, by their numbers, with their places in order."""
    known = [life.numbers[number] for number in sorted(life.numbers) if heard(number)]
    return {number: place for place, number in enumerate(known, 1)}


def outcome_of(told: Any, numbers: Mapping[int, int]) -> Any:  # noqa: ANN401 - an outcome, or how it failed
    """What the writer was told, as plain data."""
    return _plain(told, numbers)
