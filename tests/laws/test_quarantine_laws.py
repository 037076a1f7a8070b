"""Laws of quarantine: a source set apart has as good as never spoken, and one released was never set apart.

The oracles are a memory that was never told its words, and one that never heard of a quarantine.
"""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from knowwhy import Memory, Observation
from knowwhy.engine.space import Space
from knowwhy.store.memory import MemoryStore
from tests.laws.effort import examples
from tests.laws.lives import START, Clock, declarations, observations, told

APART = "b"


def opened(chance: random.Random) -> Memory:
    memory = Memory(Space(MemoryStore(), clock=Clock(20)))
    for declare in declarations(chance):
        declare(memory)
    memory.observe_many(
        [Observation("start", "There they are.", [("acme", "is", "here")], observed_at=START)]
    )
    return memory


def standing(memory: Memory) -> dict[str, list[tuple[Any, ...]]]:
    """All that is held; of what is not, nothing need be known."""
    return {
        topic: kept
        for topic, those in told(memory).items()
        if (kept := [one for one in those if one[1] not in ("retracted", "rejected", "superseded")])
    }


@examples(50)
@given(seed=st.integers(0, 2**32))
def test_a_source_in_quarantine_has_said_nothing_and_when_released_all(seed: int) -> None:
    chance = random.Random(seed)
    said = observations(chance)
    at = chance.randint(0, len(said))
    entered, evidence = 0, list[tuple[str, str]]()
    memory, without, whole = (opened(random.Random(seed)) for _ in range(3))
    for number, one in enumerate([*said, None]):
        if number == at:
            memory.observe(source=APART, claims=[("else", "where", "x")], observed_at=START)
            whole.observe(source=APART, claims=[("else", "where", "x")], observed_at=START)
            entered = memory.quarantine(APART, author="ed").operation
        if one is not None:
            evidence.append((one.source, memory.observe_many([one]).evidence[0]))
            whole.observe_many([one])
            if one.source != APART:
                without.observe_many([one])
    if (own := [one for one in evidence if one[0] == APART]) and chance.random() < 0.5:
        # What is withdrawn meanwhile stays so.
        for each in (memory, whole):
            each.retract(own[0][1])
    assert standing(memory) == standing(without)
    assert memory.quarantine(APART).is_repeat
    branch = memory.fork("later")
    branch.release(APART)
    assert told(branch) == told(whole)
    if chance.random() < 0.3:
        memory.merge("later")
        assert told(memory) == told(whole)
        return
    assert memory.doctor().is_healthy
    if chance.random() < 0.5:
        memory.release(APART)
    else:
        memory.undo(entered)
    assert told(memory) == told(whole)
    assert memory.doctor().is_healthy
