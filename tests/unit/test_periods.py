"""How what is said of a slot falls into periods, case by case."""

from __future__ import annotations

import pytest

from knowwhy.core.model import Attribute
from knowwhy.core.revision.periods import Course, Word, course_of, steady
from knowwhy.core.timeline import MICROSECONDS_PER_DAY, Instant

MOVING = Attribute("price")


def traced(*said: tuple[str, str, int], attribute: Attribute = MOVING) -> Course:
    """The course of a slot by (voice, value, day)."""
    return course_of((Word(voice, value, day(on), day(on)) for voice, value, on in said), attribute)


def day(number: int) -> Instant:
    return Instant(number * MICROSECONDS_PER_DAY)


def periods(course: Course) -> dict[int, set[tuple[str, str]]]:
    """The words of each period, by the day it begins, with those at its edges."""
    found: dict[int, set[tuple[str, str]]] = {}
    for beginning, word in (*course.placed, *course.edges):
        found.setdefault(beginning // MICROSECONDS_PER_DAY, set()).add((word.voice, word.value))
    return found


def loose(course: Course) -> list[tuple[str, str]]:
    return [(word.voice, word.value) for _, word in course.loose]


def test_a_period_begins_with_what_another_bears_out() -> None:
    course = traced(("a", "old", 0), ("b", "old", 1), ("a", "new", 2), ("b", "new", 3))
    assert periods(course) == {0: {("a", "old"), ("b", "old")}, 2: {("a", "new"), ("b", "new")}}
    assert (course.returned, course.moved) == (0, 1)
    assert loose(course) == []


def test_what_comes_between_two_periods_belongs_to_the_first() -> None:
    course = traced(("a", "old", 0), ("b", "old", 1), ("z", "odd", 2), ("a", "new", 3), ("b", "new", 4))
    assert periods(course)[0] == {("a", "old"), ("b", "old"), ("z", "odd")}
    assert course.moved == 2


def test_what_nobody_has_spoken_of_since_is_loose() -> None:
    course = traced(("z", "odd", 0), ("a", "old", 1), ("b", "old", 2), ("a", "new", 3))
    assert periods(course) == {1: {("a", "old"), ("b", "old")}}
    assert loose(course) == [("z", "odd"), ("a", "new")]


def test_where_nobody_agrees_nothing_is_compared_but_what_is_said_at_once() -> None:
    assert traced(("a", "x", 0), ("b", "y", 1)).assertions("s", is_steady=False) == []
    at_once = traced(("a", "x", 0), ("b", "y", 0)).assertions("s", is_steady=False)
    assert {(one.source, one.value) for one in at_once} == {("a", "x"), ("b", "y")}
    told = traced(("a", "x", 0), ("b", "y", 1)).assertions("s", is_steady=True)
    assert len({one.object for one in told}) == 1


def test_a_voice_that_is_behind_begins_nothing() -> None:
    course = traced(
        ("a", "old", 0), ("b", "old", 1), ("a", "new", 2), ("b", "old", 3), ("c", "old", 4), ("c", "new", 5)
    )
    assert set(periods(course)) == {0, 2}
    assert ("b", "old") in periods(course)[2]


def test_a_voice_that_knew_better_can_bring_a_value_back() -> None:
    course = traced(
        ("a", "on", 0), ("b", "on", 1), ("a", "off", 2), ("b", "off", 3), ("a", "on", 4), ("b", "on", 5)
    )
    assert set(periods(course)) == {0, 2, 4}


def test_a_voice_that_repeats_itself_bears_nothing_out() -> None:
    course = traced(("a", "x", 0), ("z", "odd", 1), ("z", "odd", 2), ("b", "x", 3))
    assert set(periods(course)) == {0}
    assert (course.returned, course.moved) == (2, 0)


def test_words_bear_on_each_other_for_a_half_life() -> None:
    aging = Attribute("price", half_life_days=10)
    assert periods(traced(("a", "x", 0), ("b", "x", 9), attribute=aging)) == {0: {("a", "x"), ("b", "x")}}
    assert periods(traced(("a", "x", 0), ("b", "x", 11), attribute=aging)) == {}
    course = traced(
        ("a", "x", 0), ("b", "x", 1), ("z", "odd", 5), ("c", "x", 30), ("d", "x", 31), attribute=aging
    )
    assert set(periods(course)) == {0, 30}
    assert loose(course) == [("z", "odd")]


def test_what_is_fixed_has_one_period() -> None:
    fixed = Attribute("born", changes=False)
    course = traced(("a", "x", 0), ("b", "y", 5), attribute=fixed)
    assert len(course.placed) == 2
    assert len({one.object for one in course.assertions("s", is_steady=False)}) == 1


@pytest.mark.parametrize("is_steady", [True, False])
def test_the_first_and_the_last_to_agree_are_witnesses_where_much_moves(is_steady: bool) -> None:  # noqa: FBT001 - a case
    course = traced(("a", "x", 0), ("z", "odd", 1), ("b", "x", 2), ("c", "x", 3))
    told = {one.source: one.is_witness for one in course.assertions("s", is_steady=is_steady)}
    assert told == {"a": not is_steady, "z": False, "b": False, "c": not is_steady}


def test_those_who_agree_at_once_are_no_witnesses() -> None:
    course = traced(("a", "x", 0), ("b", "x", 0), ("z", "odd", 0))
    assert {one.is_witness for one in course.assertions("s", is_steady=False)} == {False}


def test_an_attribute_is_steady_where_what_held_comes_back() -> None:
    back, gone = Course((), returned=1), Course((), moved=1)
    assert steady({"a": [back] * 9}) == frozenset()
    assert steady({"a": [back] * 10}) == {"a"}
    assert steady({"a": [back, gone] * 10}) == frozenset()
    assert steady({"a": [back] * 40, "b": [gone] * 40, "c": []}) == {"a"}
    # Of what little is seen goes by all the others.
    assert steady({"a": [back] * 40, "b": [gone] * 3}) == {"a", "b"}
    assert steady({"a": [back] * 40, "b": [gone] * 12}) == {"a"}
    assert steady({}) == frozenset()
