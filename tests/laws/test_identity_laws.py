"""Laws of identity: what is held depends on what was said and on which entities are one now, on nothing else.

The oracle is a memory that was told the same of fewer names: it knows nothing of merging.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knowwhy
from knowwhy import Memory, Observation
from knowwhy.engine.space import Space
from knowwhy.store.memory import MemoryStore
from tests.laws.effort import examples
from tests.laws.lines import START, Draw, Ticking

NAMES = ("Ann", "Bea", "Cem")
VALUES = {"city": ("Rome", "Oslo"), "speaks": ("Thai", "Urdu"), "boss": NAMES}
STANCES = ("supports", "refutes", "ends")
SPEAKERS = (("register", "official"), ("dora", "user"), ("emil", "user"))


@dataclass(frozen=True)
class Said:
    """One statement of one item of evidence, at an hour."""

    hour: int
    subject: str
    attribute: str
    value: str
    speaker: tuple[str, str]
    stance: str
    rests: str | None

    def told(self, names: Mapping[str, str]) -> Observation:
        """The observation, with names replaced."""
        value = names[self.value] if self.attribute == "boss" else self.value
        claim: dict[str, Any] = {
            "subject": names[self.subject],
            "attribute": self.attribute,
            "value": value,
            "stance": self.stance,
        }
        if self.rests is not None and self.attribute != "city":
            claim["depends_on"] = [(names[self.rests], "city")]
        said_at = START + timedelta(hours=self.hour)
        return Observation(
            self.speaker[0], f"item {self.hour}", [claim], self.speaker[1], observed_at=said_at
        )


@dataclass
class Told:
    """A memory with two lines, what was said on them and withdrawn, and what is one."""

    memory: Memory
    clock: Ticking
    said: list[tuple[Said, str]] = field(default_factory=list)
    withdrawn: set[int] = field(default_factory=set)
    pairs: dict[tuple[str, str], tuple[Memory, int]] = field(default_factory=dict)
    distinct: set[tuple[str, str]] = field(default_factory=set)

    def groups(self) -> dict[str, str]:
        """Each name with the least of those that are one with it."""
        found = {name: {name} for name in NAMES}
        for one, other in self.pairs:
            joint = found[one] | found[other]
            found.update(dict.fromkeys(joint, joint))
        return {name: min(group) for name, group in found.items()}


def opened(clock: Ticking) -> Memory:
    memory = Memory(Space(MemoryStore(), clock=clock))
    memory.declare("speaks", cardinality="many")
    memory.declare("boss", value_type="entity")
    memory.declare_rule("tongue", premises=[("?x", "city", "Oslo")], conclusion=("?x", "speaks", "Nynorsk"))
    memory.observe_many(
        [Observation("list", f"There is {name}.", [(name, "is", "somebody")], "import") for name in NAMES]
    )
    clock.tick()
    return memory


def statement(draw: Draw, hour: int) -> Said:
    attribute = draw(st.sampled_from(sorted(VALUES)))
    return Said(
        hour,
        draw(st.sampled_from(NAMES)),
        attribute,
        draw(st.sampled_from(VALUES[attribute])),
        draw(st.sampled_from(SPEAKERS)),
        draw(st.sampled_from(STANCES if attribute != "boss" else STANCES[:2])),
        draw(st.sampled_from((None, None, *NAMES))),
    )


def say(told: Told, line: Memory, said: Said) -> None:
    """Somebody says something, and an hour passes."""
    outcome = line.observe_many([said.told({name: name for name in NAMES})])
    told.said.append((said, outcome.evidence[0]))
    told.clock.tick()


def act(told: Told, line: Memory, draw: Draw, pairs: Iterable[tuple[str, str]]) -> None:
    """Say something, withdraw it, merge two or tell them apart."""
    what = draw(st.sampled_from(("say", "withdraw", "merge", "merge", "part", "part")))
    if what == "say":
        say(told, line, statement(draw, told.clock.hours))
        return
    if what == "withdraw" and told.said:
        place = draw(st.integers(0, len(told.said) - 1))
        with_id = told.said[place][1]
        try:
            line.retract(with_id)
        except knowwhy.NotFound:
            return
        told.withdrawn.add(place)
    elif what == "merge":
        one, other = draw(st.sampled_from(sorted(pairs)))
        try:
            told.pairs.setdefault((one, other), (line, line.merge_entities(one, other).operation))
            told.distinct.discard((one, other))
        except knowwhy.InvalidInput:
            # Only what would join two that are said to be distinct is refused.
            groups = told.groups()
            joint = {name for name in NAMES if groups[name] in (groups[one], groups[other])}
            assert any(joint.issuperset(pair) for pair in told.distinct)
    elif what == "part":
        apart(told, line, draw)
    told.clock.tick()


def apart(told: Told, line: Memory, draw: Draw) -> None:
    """Two that were merged are two again, by undoing that or by saying so."""
    if not told.pairs:
        return
    pair = draw(st.sampled_from(sorted(told.pairs)))
    where, number = told.pairs.pop(pair)
    last = line.log(limit=1)[0].operation
    if draw(st.booleans()) and where is line and (last.sequence, last.act) == (number, "identify"):
        line.undo([number])
    else:
        try:
            line.distinguish(*pair)
            told.distinct.add(pair)
        except knowwhy.InvalidInput:
            # By way of the third they are one all the same; or this line never heard that they are.
            told.pairs[pair] = where, number


def held(memory: Memory, names: Mapping[str, str]) -> dict[str, set[tuple[str, ...]]]:
    """What is held of each name, entities as values by the group they belong to."""
    found: dict[str, set[tuple[str, ...]]] = {}
    for name in NAMES:
        answer = memory.ask(name)
        assert not answer.candidates
        found[name] = {
            (
                one.belief.slot.attribute,
                names.get(str(one.value), str(one.value)),
                str(one.status),
                f"{one.raw_confidence:.9f}",
                str(one.belief.since),
            )
            for one in (*answer.findings, *answer.others)
            if one.status is not knowwhy.Status.RETRACTED
        }
    return found


def expected(told: Told) -> dict[str, set[tuple[str, ...]]]:
    """What a memory holds that was told the same of fewer names from the start."""
    names = told.groups()
    clock = Ticking()
    memory = opened(clock)
    clock.hours = told.clock.hours
    for place, (said, _) in enumerate(told.said):
        outcome = memory.observe_many([said.told(names)])
        if place in told.withdrawn:
            memory.retract(outcome.evidence[0])
    answers = held(memory, names)
    return {name: answers[names[name]] for name in NAMES}


def known(told: Told) -> dict[str, set[tuple[str, ...]]]:
    assert told.memory.doctor().problems == ()
    return held(told.memory, told.groups())


@examples(60)
@given(st.data())
def test_what_is_held_depends_on_what_was_said_and_who_is_one(data: st.DataObject) -> None:
    clock = Ticking()
    told = Told(opened(clock), clock)
    pairs = [(one, other) for one in NAMES for other in NAMES if one < other]
    for _ in range(data.draw(st.integers(0, 3))):
        say(told, told.memory, statement(data.draw, clock.hours))
    for _ in range(data.draw(st.integers(1, 8))):
        act(told, told.memory, data.draw, pairs)
    groups = told.groups()
    assert not any(groups[one] == groups[other] for one, other in told.distinct)
    assert known(told) == expected(told)


@examples(50)
@given(st.data())
def test_it_does_not_matter_on_which_line_of_a_memory_it_was_said(data: st.DataObject) -> None:
    clock = Ticking()
    told = Told(opened(clock), clock)
    lines = [told.memory, told.memory.fork("side")]
    clock.tick()
    for _ in range(data.draw(st.integers(1, 7))):
        act(told, data.draw(st.sampled_from(lines)), data.draw, [("Ann", "Bea")])
    told.memory.merge("side")
    assert lines[1].doctor().problems == ()
    assert known(told) == expected(told)


@examples(24)
@given(st.permutations(NAMES), st.permutations(NAMES), st.integers(1, 2))
def test_what_rests_on_a_merged_entity_is_doubtful_when_that_moves(
    places: list[str], order: list[str], merges: int
) -> None:
    clock = Ticking()
    told = Told(opened(clock), clock)
    lives = [("city", "Rome"), ("speaks", "Thai"), ("city", "Oslo")]
    for name, (attribute, value) in zip(places, lives, strict=True):
        rests = order[0] if attribute == "speaks" else None
        say(told, told.memory, Said(clock.hours, name, attribute, value, SPEAKERS[0], "supports", rests))
        if value == "Thai":
            for one, other in [(order[0], order[1]), (order[1], order[2])][:merges]:
                told.pairs[one, other] = told.memory, told.memory.merge_entities(one, other).operation
                clock.tick()
    assert known(told) == expected(told)


@given(st.permutations(NAMES))
def test_two_that_are_distinct_are_not_joined_by_way_of_a_third(order: list[str]) -> None:
    memory = opened(Ticking())
    one, other, third = order
    side = memory.fork("side")
    memory.distinguish(one, other)
    memory.merge_entities(one, third)
    side.merge_entities(third, other)
    with pytest.raises(knowwhy.InvalidInput, match="said to be distinct"):
        memory.merge_entities(third, other)
    memory.merge("side")
    subjects = [_subject(memory, name) for name in (one, other)]
    assert subjects[0] != subjects[1]
    assert memory.doctor().problems == ()


def _subject(memory: Memory, name: str) -> str:
    return memory.ask(name, "is").findings[0].belief.slot.subject.id
