"""Laws of dreaming: once is enough, undoing it leaves no trace, and what was told stays as it was.

The oracle is the memory itself, before and beside: nothing of how a dream comes about is looked at.
"""

from __future__ import annotations

import math
import random

from hypothesis import given
from hypothesis import strategies as st

from tests.laws.effort import examples
from tests.laws.nights import DAYS, PEOPLE, held, live, opened, records


@examples(25)
@given(seed=st.integers(0, 2**32))
def test_dreaming_twice_is_dreaming_once_and_undoing_it_brings_back_what_was(seed: int) -> None:
    chance = random.Random(seed)
    memory, clock = opened(chance)
    live(memory, clock, chance, chance.randint(5, DAYS))
    clock.day += chance.choice((0, 30, 300))
    before = held(memory)
    shown = memory.dream(dry_run=True)
    assert held(memory) == before
    reports = [memory.dream()]
    assert [str(one) for one in reports[0].of("distil")] == [str(one) for one in shown.of("distil")]
    while not reports[-1].is_complete:
        reports.append(memory.dream())
        assert reports[-1].changed
    after = held(memory)
    again = memory.dream()
    assert again.changed == 0
    assert held(memory) == after
    assert memory.doctor().is_healthy
    memory.undo([one.operation for one in reports if one.operation is not None])
    assert held(memory) == before
    # What somebody took back is not done again.
    memory.dream()
    assert held(memory) == before
    assert memory.doctor().is_healthy


@examples(25)
@given(seed=st.integers(0, 2**32))
def test_what_is_accepted_of_single_valued_facts_is_recalled_alike_and_no_evidence_is_lost(seed: int) -> None:
    chance = random.Random(seed)
    memory, clock = opened(chance)
    for _ in range(chance.randint(1, 3)):
        live(memory, clock, chance, chance.randint(3, 15))
        clock.day += chance.choice((0, 30, 300))
        facts = {who: [str(one.value) for one in memory.ask(who, "plan").findings] for who in PEOPLE}
        told = {
            who: [
                (one.id, str(one.value))
                for one in memory.recall(f"what is the plan of {who}", limit=50).beliefs
                if one.attribute.name == "plan"
            ]
            for who in PEOPLE
        }
        known = records(memory)
        resting = {
            who: [
                ground.testimony.claim.evidence_id
                for one in memory.ask(who).findings
                for ground in one.support
            ]
            for who in PEOPLE
        }
        memory.dream(share=chance.choice((0.05, 1.0)))
        assert facts == {who: [str(one.value) for one in memory.ask(who, "plan").findings] for who in PEOPLE}
        assert told == {
            who: [
                (one.id, str(one.value))
                for one in memory.recall(f"what is the plan of {who}", limit=50).beliefs
                if one.attribute.name == "plan"
            ]
            for who in PEOPLE
        }
        now = records(memory)
        assert all(now[one][0] == text for one, (text, _) in known.items())
        # What a belief rests on stays, unless dreaming itself made it.
        rests = {one for those in resting.values() for one in those}
        assert not [
            one
            for one in rests
            if known[one][1] is None and now[one][1] is not None and ", since " not in known[one][0]
        ]


@examples(15)
@given(seed=st.integers(0, 2**32))
def test_no_run_changes_more_than_its_share_and_many_come_to_what_one_does(seed: int) -> None:
    chance = random.Random(seed)
    memory, clock = opened(chance)
    live(memory, clock, chance, DAYS)
    small = memory.fork("small")
    memory.dream(share=1.0)
    for _ in range(60):
        beliefs = sum(count for name, count in small.stats().items() if name.startswith("belief."))
        report = small.dream(share=0.1)
        assert report.changed <= math.ceil(0.1 * beliefs)
        if report.is_complete:
            break
    else:
        raise AssertionError("it never comes to an end")
    if not report.parked:
        told, whole = (
            {key: [one[:2] for one in held_there[key]] for key in sorted(held_there)}
            for held_there in (held(small), held(memory))
        )
        assert told == whole


@examples(20)
@given(seed=st.integers(0, 2**32))
def test_however_often_it_is_dreamt_in_between_the_end_is_the_same(seed: int) -> None:
    chance, same = random.Random(seed), random.Random(seed)
    often, clock = opened(chance)
    once, other = opened(same)
    for _ in range(3):
        days = chance.randint(3, 12)
        assert days == same.randint(3, 12)
        live(often, clock, chance, days)
        live(once, other, same, days)
        often.dream(unused_days=9_999)
    while not often.dream(unused_days=9_999).is_complete:
        pass
    while not once.dream(unused_days=9_999).is_complete:
        pass
    assert held(often) == held(once)
