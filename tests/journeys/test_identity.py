"""Who is who: two names of one person, two people of one name, and asking where nobody said."""

from __future__ import annotations

from pathlib import Path

import pytest

import knowwhy
from knowwhy import AmbiguousName, InvalidInput, Memory, NotFound

BOB, ROBERT = "Bob Smith", "Robert Smith"


@pytest.fixture
def memory() -> Memory:
    """Two names of one person, each with a city and an office of its own, and somebody whose boss one is."""
    memory = knowwhy.open()
    memory.declare("boss", value_type="entity")
    memory.declare("commute", depends_on=["city"])
    said = [
        ("register", "official", (BOB, "city", "Rome"), "2025-01-01"),
        ("ann", "user", (ROBERT, "city", "Oslo"), "2025-02-01"),
        ("ann", "user", ("Ann", "boss", BOB), "2025-02-01"),
    ]
    for source, kind, claim, day in said:
        memory.observe(f"{claim}", source=source, source_type=kind, claims=[claim], observed_at=day)
    memory.alias("Bobby", BOB)
    return memory


def value(memory: Memory, subject: str, attribute: str) -> str:
    return str(memory.ask(subject, attribute).value)


def test_merged_entities_are_decided_as_one_and_told_apart_again(memory: Memory) -> None:
    derived = memory.derive("Ann", "travels to", "Rome", premises=[(BOB, "city", "Rome")])
    before = {name: value(memory, name, "city") for name in (BOB, ROBERT)}
    merged = memory.merge_entities(BOB, ROBERT, reason="the same address")
    for name in (BOB, ROBERT, "Bobby"):
        answer = memory.ask(name, "city")
        assert str(answer.value) == "Rome"  # the register's word goes above the newer one
        assert answer.best is not None
        assert answer.best.belief.slot.subject.name == ROBERT
    assert [one.values for one in memory.conflicts(BOB)] == [("Rome", "Oslo")]
    assert value(memory, "Ann", "boss") == ROBERT
    assert value(memory, "Ann", "travels to") == "Rome"
    assert "Rome" in str(memory.recall("What is the city of Bobby?"))
    memory.observe("x", source="register", source_type="official", claims=[(BOB, "room", "7")])
    assert value(memory, ROBERT, "room") == "7"
    assert memory.doctor().is_healthy
    memory.undo([merged.operation])
    assert {name: value(memory, name, "city") for name in (BOB, ROBERT)} == before
    assert (value(memory, BOB, "room"), value(memory, ROBERT, "room")) == ("7", "None")
    assert (value(memory, "Ann", "boss"), value(memory, "Ann", "travels to")) == (BOB, "Rome")
    assert not memory.conflicts()
    assert memory.doctor().is_healthy
    assert derived.changes


def test_what_was_known_before_is_told_as_it_was_known(memory: Memory) -> None:
    before = memory.log(limit=1)[0].operation.at
    memory.merge_entities(BOB, ROBERT)
    then = memory.at(known=knowwhy.isoformat(before))
    assert [str(then.ask(name, "city").value) for name in (BOB, ROBERT)] == ["Rome", "Oslo"]


def test_what_stands_is_ended_and_corrected_by_either_name(memory: Memory) -> None:
    memory.merge_entities(BOB, ROBERT)
    memory.correct(BOB, "city", "Bonn")
    assert value(memory, ROBERT, "city") == "Bonn"
    memory.end(ROBERT, "city")
    assert value(memory, BOB, "city") == "None"


def test_a_name_for_some_readers_is_given_and_taken_back_like_any(memory: Memory) -> None:
    given = memory.shared_with("group:desk").alias("boss: Bob", BOB)
    assert value(memory, "boss: Bob", "city") == "Rome"
    undone = memory.undo([given.operation])
    assert memory.ask("boss: Bob").is_unknown
    memory.undo([undone.operation])
    assert value(memory, "boss: Bob", "city") == "Rome"
    assert value(memory.seen_by(agent="a", groups=["desk"]), "boss: Bob", "city") == "Rome"
    assert memory.seen_by(agent="b").ask("boss: Bob").is_unknown
    assert memory.doctor().is_healthy


@pytest.mark.parametrize("readers", [(), ("group:desk",)], ids=["all", "some"])
def test_a_name_that_was_taken_away_does_not_come_back_with_a_merge(
    tmp_path: Path, readers: tuple[str, ...]
) -> None:
    def to(memory: Memory) -> Memory:
        return memory.shared_with(*readers) if readers else memory

    one, other = tmp_path / "one.db", tmp_path / "other.db"
    with knowwhy.open(one) as memory:
        memory.observe(source="register", claims=[(BOB, "city", "Rome")])
        to(memory).alias("boss: Bob", BOB)
    other.write_bytes(one.read_bytes())
    with knowwhy.open(one) as memory:
        to(memory).unalias("boss: Bob", BOB)
        memory.merge(other)
        assert memory.ask("boss: Bob").is_unknown
    with knowwhy.open(other) as copy:
        copy.merge(one)
        assert copy.ask("boss: Bob").is_unknown


@pytest.mark.parametrize("first", [BOB, ROBERT])
def test_a_name_of_two_is_taken_from_one_on_a_branch(memory: Memory, first: str) -> None:
    memory.alias("Bobby", ROBERT)
    memory.shared_with("group:desk").alias("chief", BOB)
    trial = memory.fork("trial")
    trial.unalias("Bobby", first)
    other = next(one for one in (BOB, ROBERT) if one != first)
    assert value(trial, "Bobby", "city") == value(memory, other, "city")
    with pytest.raises(NotFound):
        trial.unalias("Bobby", first)
    trial.unalias("Bobby", other)
    desk = trial.shared_with("group:desk")
    desk.unalias("chief", BOB)
    with pytest.raises(NotFound):
        desk.unalias("chief", BOB)
    assert trial.ask("Bobby").is_unknown
    assert trial.ask("chief").is_unknown
    assert value(memory, "chief", "city") == "Rome"
    assert len(memory.ask("Bobby", "city").candidates) == 2


def test_a_branch_may_merge_what_the_main_line_does_not(memory: Memory) -> None:
    side = memory.fork("if they are one")
    side.merge_entities(BOB, ROBERT)
    memory.observe("y", source="register", source_type="official", claims=[(BOB, "room", "9")])
    assert (value(side, ROBERT, "city"), value(memory, ROBERT, "city")) == ("Rome", "Oslo")
    memory.merge("if they are one")
    assert (value(memory, ROBERT, "city"), value(memory, ROBERT, "room")) == ("Rome", "9")
    assert memory.doctor().is_healthy
    assert side.doctor().is_healthy


def test_who_is_forgotten_goes_under_all_names(memory: Memory) -> None:
    memory.merge_entities(BOB, ROBERT)
    memory.forget(person=ROBERT, mentions=True)
    assert value(memory, BOB, "city") == "None"
    assert "Rome" not in str(memory.recall("Who lives in Rome?"))
    assert memory.doctor().is_healthy
    memory.observe("z", source="register", claims=[(BOB, "city", "Kyiv")])
    assert value(memory, BOB, "city") == "Kyiv"
    assert memory.doctor().is_healthy


def test_two_of_one_name_stay_two_until_somebody_says_otherwise(memory: Memory) -> None:
    for own, city in (("crm-1", "Bern"), ("crm-2", "Graz")):
        claim = {"subject": "Kim Lee", "attribute": "city", "value": city, "subject_id": own}
        memory.observe(f"Kim Lee {own}", source="crm", claims=[claim], context=f"ticket {own}")
    (question,) = memory.questions()
    assert question.shared == ("Kim Lee",)
    one, other = (each.entity.id for each in question.candidates)
    with pytest.raises(AmbiguousName):
        memory.observe("Kim Lee moved", source="crm", claims=[("Kim Lee", "city", "Wien")])
    # In a conversation that has spoken of one of them, it is that one.
    told = memory.observe(
        "Kim: room 4", source="crm", claims=[("Kim Lee", "room", "4")], context="ticket crm-2"
    )
    assert any("this conversation has spoken" in each for each in told.warnings)
    rooms = {str(memory.ask("Kim Lee", "room", subject_id=each).value) for each in (one, other)}
    assert rooms == {"4", "None"}
    memory.distinguish(one, other)
    assert memory.questions() == ()
    assert len(memory.ask("Kim Lee", "city").candidates) == 2
    memory.merge_entities(one, other)
    assert memory.ask("Kim Lee", "city").candidates == ()
    answer = memory.ask("Kim Lee", "city")
    assert {str(each.value) for each in (*answer.findings, *answer.others)} == {"Bern", "Graz"}


def test_another_type_is_another_thing() -> None:
    memory = knowwhy.open()
    for kind, said in (("planet", "rock"), ("element", "metal")):
        claim = {"subject": "Mercury", "attribute": "made of", "value": said, "subject_type": kind}
        memory.observe(f"Mercury is {said}", source="book", claims=[claim])
    assert len(memory.ask("Mercury", "made of").candidates) == 2
    (question,) = memory.questions()
    assert {one.entity.type for one in question.candidates} == {"planet", "element"}


def test_what_cannot_be_is_refused(memory: Memory) -> None:
    with pytest.raises(knowwhy.NotFound, match="no entity called"):
        memory.merge_entities("Nobody", BOB)
    with pytest.raises(InvalidInput, match="one entity"):
        memory.merge_entities("Bobby", BOB)
    memory.merge_entities(BOB, ROBERT)
    memory.merge_entities("Ann", ROBERT)
    with pytest.raises(InvalidInput, match="by way of others"):
        memory.distinguish("Ann", BOB)
    memory.distinguish("Ann", ROBERT)
    memory.distinguish("Ann", BOB)
    with pytest.raises(InvalidInput, match="said to be distinct"):
        memory.merge_entities("Ann", ROBERT)
