"""Laws of the record of answers: each comes out again to the letter, and keeping it changes nothing.

The oracles are the answers as they were given at the time, and the same life of a memory without it.
"""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from knowwhy import Memory
from knowwhy.recall.answer import Answer, Recollection
from tests.laws.effort import examples
from tests.laws.lives import ATTRIBUTES, SUBJECTS, VALUES, Life, told

QUESTIONS = ("What is the plan of acme?", "seats u", "Which site had zeta on 2025-01-03?", "acme tier")


def asked(chance: random.Random, memory: Memory, life: Life) -> Answer | Recollection:
    """Somebody asks something, perhaps of another time."""
    valid = chance.choice((None, None, life.clock.moment(-3), life.clock.moment(4)))
    reader = memory if valid is None else memory.at(valid=valid)
    if chance.random() < 0.5:
        return reader.ask(chance.choice(SUBJECTS), chance.choice((None, *ATTRIBUTES)))
    include = chance.choice(((), ("superseded", "stale", "rejected")))
    budget = chance.choice((None, None, 60))
    return reader.recall(chance.choice(QUESTIONS), include=include, budget=budget)


def said(answer: Answer | Recollection) -> tuple[dict[str, Any], str, str]:
    """All that an answer says, as a program and as a reader gets it, without how it was found."""
    found = {key: one for key, one in answer.as_dict().items() if key != "timing"}
    for part in ("beliefs", "others", "withheld", "passages"):
        for one in found.get(part, ()):
            one.pop("leads", None)
            one.pop("version", None)
    return found, str(answer), answer.to_prompt()


@examples(40)
@given(seed=st.integers(0, 2**32))
def test_an_answer_on_record_comes_out_again_to_the_letter_whatever_came_since(seed: int) -> None:
    life, chance = Life(seed), random.Random(seed)
    life.memory.configure(audits=1_000)
    life.memory.observe("Ann: nothing was settled of acme's seats.", source="chat", claims=[])
    branch = None
    given = list[tuple[Memory, str, Answer | Recollection]]()
    for number in range(chance.randint(3, 14)):
        life.step()
        if number == 2 and chance.random() < 0.3:
            branch = life.memory.fork("if")
            branch.observe(source="b", claims=[("acme", "plan", chance.choice(VALUES))])
        memory = branch if branch is not None and chance.random() < 0.5 else life.memory
        if chance.random() < 0.6:
            # Not two at one instant: alike, they would be one record.
            life.clock.day += 0.001
            answer = asked(chance, memory, life)
            given.append((memory, memory.audits(limit=1)[0].id, answer))
    assert len({own for _, own, _ in given}) == len(given)
    for memory, own, answer in given:
        again = memory.explain(own)
        assert again.answer is not None
        assert said(again.answer) == said(answer)
        assert again.is_exact, again.why_not_exact


@examples(15)
@given(seed=st.integers(0, 2**32))
def test_keeping_answers_changes_nothing_of_what_is_believed_or_logged(seed: int) -> None:
    one, other = Life(seed), Life(seed)
    one.memory.configure(audits=1_000)
    other.memory.configure(lifetimes={"filler": 7})
    chance = random.Random(seed)
    for _ in range(chance.randint(3, 10)):
        one.step()
        other.step()
        asked(chance, one.memory, one)
    assert len(one.memory.audits(limit=100)) > 0
    assert told(one.memory) == told(other.memory)
    assert [str(entry) for entry in one.memory.log(limit=99)][:-1] == [
        str(entry) for entry in other.memory.log(limit=99)
    ][:-1]
    assert one.memory.stats() == other.memory.stats()
    assert one.memory.doctor().is_healthy
    for question in QUESTIONS:
        assert said(one.memory.recall(question)) == said(other.memory.recall(question))
