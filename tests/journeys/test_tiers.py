"""Three tiers: small talk goes in time, what lacks something waits, and what is complete is believed."""

from __future__ import annotations

import pytest

import knowwhy
from knowwhy import InvalidInput, Memory, NotFound, Observation

NOW = "2025-03-01"


@pytest.fixture
def memory() -> Memory:
    memory = knowwhy.open(clock=lambda: knowwhy.instant(NOW))
    memory.declare("return window", unit="days", kind="rule")
    memory.observe(
        "Harbour Books' return window is 7 days.",
        source="policy",
        source_type="official",
        observed_at="2025-01-01",
    )
    memory.observe("No, it is 15 days now.", source="ann", source_type="official", observed_at="2025-02-01")
    return memory


def window(memory: Memory) -> str:
    return str(memory.ask("Harbour Books", "return window").value)


def test_a_correction_that_lacks_something_waits_until_it_is_completed(memory: Memory) -> None:
    (waiting,) = memory.incomplete()
    assert (waiting.words, waiting.statement.missing) == ("No, it is 15 days now.", "antecedent")
    assert window(memory) == "7 days"
    done = memory.complete(waiting.id, "Harbour Books", "return window", 15)
    assert (window(memory), memory.incomplete()) == ("15 days", ())
    assert memory.ask("Harbour Books", "return window").findings[0].belief.since == knowwhy.instant(
        "2025-02-01"
    )
    memory.undo([done.operation])
    assert (window(memory), memory.incomplete()) == ("7 days", (waiting,))
    memory.complete(waiting.id, "Harbour Books", "return window", 15)
    assert (window(memory), memory.incomplete()) == ("15 days", ())
    assert memory.doctor().is_healthy


def test_what_is_dismissed_or_withdrawn_waits_no_more(memory: Memory) -> None:
    (waiting,) = memory.incomplete()
    gone = memory.dismiss(waiting.id)
    assert memory.incomplete() == ()
    with pytest.raises(NotFound):
        memory.complete(waiting.id, "Harbour Books", "return window", 15)
    memory.undo([gone.operation])
    assert len(memory.incomplete()) == 1
    memory.retract(waiting.evidence.id)
    assert memory.incomplete() == ()


def test_it_waits_on_other_lines_and_goes_with_what_is_erased(memory: Memory) -> None:
    side = memory.fork("side")
    side.observe("No, it is 30 days now.", source="bea", source_type="official", observed_at="2025-02-02")
    assert [len(one.incomplete()) for one in (memory, side)] == [1, 2]
    memory.merge("side")
    assert len(memory.incomplete()) == 2
    memory.forget(source="bea")
    assert [len(one.incomplete()) for one in (memory, side)] == [1, 1]


def test_words_that_nothing_rests_on_go_when_their_lifetime_is_over(memory: Memory) -> None:
    said = ["Thanks a lot!", "Hello!", "The sky over the harbour was red.", "Hi again!"]
    first, late, other, repeated = (
        memory.observe(text, source="ann", source_type="user", observed_at=day).evidence[0]
        for text, day in zip(said, ["2025-01-02", "2025-02-27", "2025-01-02", "2025-01-02"], strict=True)
    )
    memory.observe_many(
        [Observation("bob", "As Ann says", [("Ann", "greets", "twice")], derived_from=(repeated,))]
    )
    assert memory.expire().is_repeat
    memory.configure(lifetimes={"filler": 7})
    side = memory.fork("before")
    gone = memory.expire()
    evidence = {one for one in (first, late, other, repeated) if not _is_withdrawn(memory, one)}
    assert evidence == {late, other, repeated}
    assert not _is_withdrawn(side, first)
    memory.undo([gone.operation])
    assert not _is_withdrawn(memory, first)
    memory.configure(lifetimes={"user": 30})
    memory.expire()
    assert [_is_withdrawn(memory, one) for one in (first, late, other, repeated)] == [
        True,
        False,
        True,
        False,
    ]
    assert window(memory) == "7 days"
    assert len(memory.incomplete()) == 1
    memory.drop("before")
    memory.vacuum(str(knowwhy.isoformat(memory.log(limit=1)[0].operation.at)))
    assert memory.stats()["evidence"] == 5
    assert memory.doctor().is_healthy


def test_what_somebody_completed_stays_when_words_are_read_again(memory: Memory) -> None:
    memory.complete(memory.incomplete()[0].id, "Harbour Books", "return window", 15)
    memory.reextract("again")
    assert window(memory.on("again")) == "15 days"
    memory.merge("again")
    assert window(memory) == "15 days"


def _is_withdrawn(memory: Memory, evidence: str) -> bool:
    return evidence in _gone(memory)


def _gone(memory: Memory) -> set[str]:
    return {
        one["target"]
        for each in memory.log(limit=100)
        for one in memory.show(each.operation.sequence).as_dict()["withdrew"]
        if one["lifted_in"] is None
    }


def test_a_lifetime_is_of_a_source_type_in_days(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="not a source type"):
        memory.configure(lifetimes={"chat": 7})
    with pytest.raises(InvalidInput, match="number of days"):
        memory.configure(lifetimes={"user": -1})
