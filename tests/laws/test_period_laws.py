"""Laws of what is compared in a changing world: who speaks of the same time, and who is judged by it."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowwhy.core.confidence.channel import NOBODY, Table
from knowwhy.core.confidence.reliability import Assertion, fitted, learn, parted, supposed
from knowwhy.core.model import Attribute
from knowwhy.core.revision.periods import Word, course_of, steady
from knowwhy.core.timeline import Instant

STATIC = Attribute("price", changes=False)
MOVING = Attribute("price")


def words(said: Iterable[tuple[str, str, int]]) -> list[Word]:
    return [Word(voice, value, Instant(day), Instant(day)) for voice, value, day in said]


def compared(
    courses: Iterable[Sequence[tuple[str, str, int]]], attribute: Attribute = MOVING
) -> list[Assertion]:
    """What is compared of slots of one attribute, each with what is said of it."""
    traced = {str(place): course_of(words(said), attribute) for place, said in enumerate(courses)}
    is_steady = bool(steady({"price": traced.values()}))
    return [one for slot, course in traced.items() for one in course.assertions(slot, is_steady=is_steady)]


spoken = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("xyz"), st.integers(0, 8)), min_size=1, max_size=12
)


@given(
    st.lists(spoken, min_size=1, max_size=3),
    st.randoms(use_true_random=False),
    st.sampled_from([STATIC, MOVING]),
)
def test_every_word_is_placed_once_and_in_any_order(
    courses: list[list[tuple[str, str, int]]], chance: random.Random, attribute: Attribute
) -> None:
    for said in courses:
        course = course_of(words(said), attribute)
        placed = [word for _, word in (*course.placed, *course.edges, *course.loose)]
        assert sorted(placed, key=repr) == sorted(words(said), key=repr)
        shuffled = list(said)
        chance.shuffle(shuffled)
        assert course_of(words(shuffled), attribute) == course
        for beginning, word in (*course.placed, *course.edges):
            assert beginning <= word.start


@pytest.mark.parametrize("seed", range(3))
def test_sources_that_speak_at_different_times_do_not_contradict_each_other(seed: int) -> None:
    """Stations that are always right of what never stands still are not worse than a clerk's two books."""
    chance = random.Random(seed)
    courses = [[(chance.choice("abc"), f"{place} {day}", day) for day in range(6)] for place in range(60)] + [
        [("x", f"{place}", 0), ("y", f"{place}", 1)] for place in range(60)
    ]
    assert not compared(courses)
    borne_out = [[*said, ("x", f"{place}", 9), ("y", f"{place}", 9)] for place, said in enumerate(courses)]
    assert {one.source for one in compared(borne_out)} == {"x", "y"}


def test_a_source_that_always_speaks_last_is_not_judged_where_it_is_right_alone() -> None:
    """The last word is followed by nobody: where it agrees it seems borne out, where it does not, news."""
    courses = [
        [
            ("a", f"{place} old", 0),
            ("b", f"{place} old", 1),
            ("a", f"{place} new", 2),
            ("b", f"{place} new", 3),
            ("z", f"{place} new" if place % 3 == 0 else f"{place} made up", 4),
        ]
        for place in range(60)
    ]
    table, witnesses = parted(compared(courses))
    assert not any("z" in said for said in table.values())
    assert any("z" in said for said in witnesses.values())


def test_a_value_that_comes_back_shows_who_was_wrong() -> None:
    courses = [
        [
            ("a", f"{place}", 0),
            ("z", f"{place}" if place % 5 == 0 else f"{place} made up", 1),
            ("b", f"{place}", 2),
            ("c", f"{place}", 3),
        ]
        for place in range(40)
    ]
    learned = learn(compared(courses), priors=dict.fromkeys("abcz", 0.7))
    assert learned.sources["z"].mean < 0.3
    assert min(learned.sources[one].mean for one in "abc") > 0.9


def test_one_that_is_behind_is_not_wrong_once_it_has_come_round() -> None:
    courses = [
        [
            ("a", f"{place} old", 0),
            ("b", f"{place} old", 1),
            ("a", f"{place} new", 2),
            ("b", f"{place} old", 3),
            ("c", f"{place} old", 4),
            ("d", f"{place} old", 5),
            ("b", f"{place} new", 6),
            ("c", f"{place} new", 7),
            ("z", f"{place} new" if place % 5 == 0 else f"{place} made up", 8),
            ("z", f"{place} new" if place % 5 == 0 else f"{place} thought out", 9),
            ("d", f"{place} new", 10),
            ("a", f"{place} new", 11),
        ]
        for place in range(40)
    ]
    found = compared(courses)
    assert len({one.object for one in found}) == 2 * len(courses)
    learned = learn(found, priors=dict.fromkeys("abcdz", 0.7))
    assert min(learned.sources[one].mean for one in "abcd") > 0.9
    assert learned.sources["z"].mean < 0.3


# Witnesses --------------------------------------------------------------------------------------


tables = st.lists(
    st.dictionaries(st.sampled_from("abc"), st.sampled_from("xyz"), min_size=1), min_size=1, max_size=6
).map(lambda rows: {f"o{place}": dict(row) for place, row in enumerate(rows)})


@given(tables, st.integers(2, 12), st.lists(st.floats(0.05, 0.95), min_size=3, max_size=3))
def test_a_value_is_as_probable_as_what_is_said_of_it(table: Table, choices: int, trust: list[float]) -> None:
    """Multiplied out from the definition: all values are alike at the outset, the unnamed ones too."""
    rates = dict(zip("abc", trust, strict=True))
    found = supposed(table, rates, dict.fromkeys(table, choices))
    for about, said in table.items():
        named = sorted(set(said.values()))
        size = max(choices, len(named) + 1)
        amounts: dict[str | None, float] = {
            truth: math.prod(
                rates[voice] if value == truth else (1 - rates[voice]) / (size - 1)
                for voice, value in said.items()
            )
            for truth in (*named, None)
        }
        amounts[None] *= size - len(named)
        total = sum(amounts.values())
        assert found[about] == pytest.approx({truth: amount / total for truth, amount in amounts.items()})
        if len(said) == 1:
            (voice,) = said
            assert found[about][said[voice]] == pytest.approx(rates[voice])


@given(tables)
def test_what_a_witness_says_counts_for_the_object_and_not_for_the_witness(table: Table) -> None:
    beside = {about: {"w": "x"} for about in table}
    alone, fit = fitted(table), fitted(table, witnesses=beside)
    assert fit.voices.keys() == alone.voices.keys()
    assert {voice: one.statements for voice, one in fit.voices.items()} == pytest.approx(
        {voice: one.statements for voice, one in alone.voices.items()}
    )
    assert fitted(table, witnesses=NOBODY) == alone
    joined = fitted({about: said | {"w": "x"} for about, said in table.items()})
    assert fit.posteriors.keys() == joined.posteriors.keys()
    assert all(set(fit.posteriors[about]) == set(joined.posteriors[about]) for about in table)


@given(
    st.lists(
        st.builds(
            Assertion,
            st.sampled_from("op"),
            st.sampled_from("ab"),
            st.sampled_from("xy"),
            st.integers(0, 2),
            st.booleans(),
        )
    )
)
def test_a_voice_is_judged_or_a_witness(stated: list[Assertion]) -> None:
    table, witnesses = parted(stated)
    assert all(table[about].keys().isdisjoint(said) for about, said in witnesses.items())
    spoke = {(one.object, one.source) for one in stated if one.object in table}
    named = {(about, voice) for part in (table, witnesses) for about, said in part.items() for voice in said}
    assert named == spoke
