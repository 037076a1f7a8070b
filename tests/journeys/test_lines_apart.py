"""What becomes of withdrawals, lifts and what follows by rules, where lines of a memory part and meet."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import knowwhy
from tests.journeys.test_versions import Clock, said


@pytest.fixture
def clock() -> Clock:
    return Clock("2025-01-01")


@pytest.fixture
def memory(clock: Clock) -> knowwhy.Memory:
    return knowwhy.open(clock=clock, author="clerk")


def held(line: knowwhy.Memory, attribute: str) -> list[str]:
    """What stands of the anvil."""
    return sorted(str(one.value) for one in line.ask("anvil", attribute).findings if one.status.is_held)


def test_what_was_withdrawn_below_is_lifted_on_a_branch_alone(memory: knowwhy.Memory, clock: Clock) -> None:
    (price,) = said(memory, "list 1", ("anvil", "price", 100)).evidence
    gone = memory.retract(price)
    trial = memory.fork("trial")
    clock.tick()
    trial.undo(gone.operation)
    clock.tick()
    assert (held(trial, "price"), held(memory, "price")) == (["100"], [])
    memory.merge("trial")
    clock.tick()
    assert held(memory, "price") == ["100"]
    assert trial.doctor().is_healthy
    assert memory.doctor().is_healthy


def test_what_was_withdrawn_and_restored_on_a_branch_comes_with_it(
    memory: knowwhy.Memory, clock: Clock
) -> None:
    trial = memory.fork("trial")
    (price,) = said(trial, "list 1", ("anvil", "price", 100)).evidence
    trial.undo(trial.retract(price).operation)
    clock.tick()
    memory.merge("trial")
    clock.tick()
    assert held(memory, "price") == ["100"]
    assert memory.doctor().is_healthy


def test_a_conflict_that_was_settled_below_since_is_still_one_on_a_branch(
    memory: knowwhy.Memory, clock: Clock
) -> None:
    for number, price in enumerate((100, 120)):
        said(memory, f"list {number}", ("anvil", "price", price), "2024-12-01")
    trial = memory.fork("trial")
    clock.tick()
    assert len(trial.conflicts()) == len(memory.conflicts()) == 1
    memory.correct("anvil", "price", 120, was=100)
    clock.tick()
    assert (len(trial.conflicts()), len(memory.conflicts())) == (1, 0)


def test_what_was_withdrawn_after_the_horizon_can_still_be_told(memory: knowwhy.Memory, clock: Clock) -> None:
    (first,) = said(memory, "list 1", ("anvil", "price", 100)).evidence
    (second,) = said(memory, "list 1", ("anvil", "weight", 40)).evidence
    clock.to("2025-02-01")
    memory.retract(first)
    clock.to("2025-04-01")
    memory.retract(second)
    clock.to("2025-05-01")
    memory.vacuum("2025-03-01")
    assert memory.at(known="2025-03-02").ask("anvil", "weight").value == "40"
    assert memory.stats()["evidence"] == 1


def test_what_follows_by_a_rule_of_the_other_line_is_not_taken_over(
    memory: knowwhy.Memory, clock: Clock
) -> None:
    memory.declare_rule("free", premises=[("?x", "price", "0")], conclusion=("?x", "free", "yes"))
    trial = memory.fork("trial")
    clock.tick()
    said(trial, "list 1", ("anvil", "price", 0))
    clock.tick()
    assert held(trial, "free") == ["yes"]
    memory.withdraw_rule("free")
    clock.tick()
    memory.merge("trial")
    clock.tick()
    assert (held(memory, "price"), held(memory, "free")) == (["0"], [])


def test_a_branch_of_a_branch_brings_what_both_were_told(memory: knowwhy.Memory, clock: Clock) -> None:
    trial = memory.fork("trial")
    said(trial, "list 1", ("anvil", "price", 100))
    clock.tick()
    further = trial.fork("further")
    said(further, "list 1", ("anvil", "weight", 40))
    clock.tick()
    memory.merge("further")
    clock.tick()
    assert (held(memory, "price"), held(memory, "weight")) == (["100"], ["40"])


def test_a_branch_may_take_over_what_came_to_the_main_line_since(
    memory: knowwhy.Memory, clock: Clock
) -> None:
    trial = memory.fork("trial")
    clock.tick()
    said(memory, "list 1", ("anvil", "price", 100))
    clock.tick()
    trial.merge("main")
    clock.tick()
    assert held(trial, "price") == ["100"]


def test_what_is_lifted_is_decided_by_that_and_not_drawn_a_second_time(
    memory: knowwhy.Memory, clock: Clock
) -> None:
    memory.declare_rule("free", premises=[("?x", "price", "0")], conclusion=("?x", "free", "yes"))
    (price,) = said(memory, "list 1", ("anvil", "price", 0)).evidence
    clock.tick()
    before = memory.stats()["evidence"]
    acts: list[Callable[[], knowwhy.Outcome]] = [
        lambda: memory.withdraw_rule("free"),
        lambda: memory.retract(price),
    ]
    for act in acts:
        gone = act()
        clock.tick()
        memory.undo(gone.operation)
        clock.tick()
        assert held(memory, "free") == ["yes"]
        assert memory.stats()["evidence"] == before
        assert memory.doctor().is_healthy
