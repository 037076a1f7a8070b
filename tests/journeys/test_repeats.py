"""What saying something again does: nothing, a confirmation, or a word that it was withdrawn."""

from __future__ import annotations

from functools import partial

import pytest

import knowwhy

Claims = list[tuple[str, str, str]]

CLAIM: Claims = [("Ann", "city", "Paris")]


def say(memory: knowwhy.Memory, city: str, claims: Claims, observed_at: str | None = None) -> knowwhy.Outcome:
    """Ann says where she lives."""
    words = f"I live in {city}."
    return memory.observe(words, claims=claims, observed_at=observed_at, source="Ann", source_type="user")


@pytest.mark.parametrize("claims", [CLAIM, []], ids=["claim", "text"])
def test_undated_words_that_were_withdrawn_can_be_said_again(claims: Claims) -> None:
    with knowwhy.open() as memory:
        first = say(memory, "Paris", claims)
        memory.retract(first.evidence[0])
        again = say(memory, "Paris", claims)
        assert not again.is_repeat
        assert again.evidence != first.evidence
        assert not memory.recall("who lives in Paris?").is_unknown or not claims


def test_dated_words_that_were_withdrawn_are_said_to_stay_so() -> None:
    with knowwhy.open() as memory:
        first = say(memory, "Paris", CLAIM, "2025-01-01")
        memory.retract(first.evidence[0])
        again = say(memory, "Paris", CLAIM, "2025-01-01")
        assert again.is_repeat
        assert "withdrawn" in str(again)


def test_a_source_that_goes_back_to_its_first_word_is_heard() -> None:
    with knowwhy.open() as memory:
        for city in ("Paris", "Rome", "Paris"):
            say(memory, city, [("Ann", "city", city)])
        assert memory.ask("Ann", "city").value == "Paris"


def test_undated_words_said_twice_are_recorded_once() -> None:
    with knowwhy.open() as memory:
        first = say(memory, "Paris", CLAIM)
        assert say(memory, "Paris", CLAIM).evidence == first.evidence
        assert memory.stats()["evidence"] == 1


def test_of_two_who_write_the_same_words_one_met_what_it_had_read() -> None:
    with knowwhy.open() as memory:
        said = partial(
            memory.observe, source="tally", claims=[("tally", "count", 1)], observed_at="2025-01-01"
        )
        first = said(expected_version=0, idempotency_key="one")
        assert first.recorded == 1
        with pytest.raises(knowwhy.VersionConflict) as refused:
            said(expected_version=0)
        assert refused.value.details["current_version"] == 1
        # Who sends the same call again is told what it came to, and who expects what is there is not refused.
        assert said(expected_version=0, idempotency_key="one").operation == first.operation
        assert said(expected_version=1).is_repeat


def test_a_repeat_is_checked_as_the_write_would_be() -> None:
    with knowwhy.open() as memory:
        mine = memory.seen_by(agent="bob")
        said = partial(mine.observe, source="tally", claims=[("tally", "count", 1)], observed_at="2025-01-01")
        said()
        # What only Bob may read moved the belief for Bob.
        mine.shared_with().observe(source="note", claims=[("tally", "count", 2)], observed_at="2025-01-02")
        version = mine.ask("tally", "count").findings[0].version
        assert said(expected_version=version).is_repeat
        with pytest.raises(knowwhy.VersionConflict):
            said(expected_version=version - 1)


def test_a_repeat_about_a_merged_entity_is_checked_by_who_stands_for_it() -> None:
    with knowwhy.open() as memory:
        memory.observe(source="list", claims=[("ACME", "seat", "Rome")], observed_at="2025-01-01")
        said = partial(
            memory.observe, source="log", claims=[("Acme Ltd", "seat", "Oslo")], observed_at="2025-01-02"
        )
        said()
        memory.merge_entities("Acme Ltd", "ACME")
        version = memory.ask("ACME", "seat").version
        assert said(expected_version=version).is_repeat
        with pytest.raises(knowwhy.VersionConflict):
            said(expected_version=99)


def test_a_repeat_of_several_claims_speaks_of_no_one_version() -> None:
    with knowwhy.open() as memory:
        claims = [("tally", "count", 1), ("tally", "unit", "boxes")]
        said = partial(memory.observe, source="tally", claims=claims, observed_at="2025-01-01")
        said()
        with pytest.raises(knowwhy.InvalidInput):
            said(expected_version=1)
