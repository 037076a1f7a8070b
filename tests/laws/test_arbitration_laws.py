"""Laws of deciding conflicts: a decision settles, can be taken back whole, and yields to what is said later.

The oracle is the memory itself before and after: what it tells, and which conflicts it lists.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knowwhy
from knowwhy import OpenConflict, Status
from tests.laws.effort import examples
from tests.laws.lives import Life, told, told_anew


def lived(seed: int, steps: int = 14) -> Life:
    """A life that goes on until a conflict is open, or for so many steps."""
    life = Life(seed)
    for step in range(steps):
        life.step()
        if step > 5 and life.memory.conflicts():
            break
    return life


def listed(life: Life) -> list[dict[str, Any]]:
    return [
        {name: kept for name, kept in one.as_dict().items() if name not in ("version", "sides")}
        for one in life.memory.conflicts()
    ]


def choices(conflict: OpenConflict) -> list[str]:
    return [*(side.id for side in conflict.sides), "neither"]


@examples(60)
@given(seed=st.integers(0, 2**32), which=st.integers(0, 10), at=st.integers(0, 10))
def test_a_decision_settles_a_conflict_and_undoing_it_brings_all_back(seed: int, which: int, at: int) -> None:
    life = lived(seed)
    conflicts = life.memory.conflicts()
    if not conflicts:
        return
    conflict = conflicts[which % len(conflicts)]
    choice = choices(conflict)[at % (len(conflict.sides) + 1)]
    # Not at the very instant at which something begins that was announced.
    life.clock.day += 1.03
    before, open_before = told(life.memory), listed(life)
    if conflict.id not in {one["id"] for one in open_before}:
        return  # a day later something of it is over
    key: dict[str, Any] = {"author": "ed", "reason": "I looked.", "idempotency_key": "k"}
    outcome = life.memory.resolve(conflict.id, choice, **key)
    assert conflict.id not in {one.id for one in life.memory.conflicts()}
    held = {one.id: one for side in conflict.sides for one in _beliefs(life, side.subject.name)}
    if choice == "neither":
        assert not any(
            held[side.id].status.is_standing and not held[side.id].is_denial for side in conflict.sides
        )
    else:
        assert held[choice].status in (Status.ACCEPTED, Status.DOUBTFUL, Status.STALE)
    assert told(life.memory) == told_anew(life)
    again = life.memory.resolve(conflict.id, choice, **key)
    assert again.is_repeat
    assert again.operation == outcome.operation
    with pytest.raises(knowwhy.NotFound, match="is open"):
        life.memory.resolve(conflict.id, choice)
    life.memory.undo(outcome.operation)
    assert told(life.memory) == before
    assert listed(life) == open_before
    assert life.memory.doctor().is_healthy


def _beliefs(life: Life, subject: str) -> list[knowwhy.Finding]:
    answer = life.memory.ask(subject)
    return [*answer.findings, *answer.others]


@examples(60)
@given(seed=st.integers(0, 2**32), kind=st.sampled_from(("official", "user", "rumour")))
def test_a_later_word_for_a_side_that_lost_opens_it_again(seed: int, kind: str) -> None:
    chance = random.Random(seed)
    life = Life(seed)
    for name, value in (("a", "u"), ("b", "v")):
        life.memory.observe(
            source=name,
            source_type=kind,
            claims=[("acme", "plan", value)],
            observed_at=life.clock.moment(),
        )
    (conflict,) = life.memory.conflicts()
    winner, loser = chance.sample(conflict.values, 2)
    life.clock.day += 1.0
    life.memory.assign(conflict.id, "ed", due=life.clock.moment(3))
    life.memory.resolve(conflict.id, winner, author="ed", expected_version=conflict.version)
    life.clock.day += 1.0
    assert life.memory.ask("acme", "plan").value == winner
    life.clock.day += 1.0
    life.memory.observe(source="c", source_type=kind, claims=[("acme", "plan", winner)])
    assert not life.memory.conflicts()
    life.memory.observe(source="d", source_type=kind, claims=[("acme", "plan", loser)])
    life.clock.day += 1.0
    (opened,) = life.memory.conflicts()
    assert (opened.id, opened.was_decided, opened.arbitration.assigned_to) == (conflict.id, True, "ed")
    assert opened.arbitration.due is None
    assert life.memory.ask("acme", "plan").value == winner
    life.memory.resolve(opened.id, loser, author="fay")
    life.clock.day += 1.0
    assert life.memory.ask("acme", "plan").value == loser
    assert not life.memory.conflicts()
