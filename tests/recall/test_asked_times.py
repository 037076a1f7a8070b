"""Time words in questions: placed where and when they are asked, and told where they cannot be."""

import pytest

import knowwhy
from knowwhy.core.timeline import isoformat
from knowwhy.ingest.times.asked import timing_of

ASKED = knowwhy.instant("2026-07-21T12:00:00Z")


@pytest.mark.parametrize(
    ("question", "start", "end", "relation"),
    [
        ("what did I run last week", "2026-07-13", "2026-07-20", "in"),
        ("what did I run yesterday?", "2026-07-20", "2026-07-21", "in"),
        ("the price last March", "2026-03-01", "2026-04-01", "in"),
        ("what did we agree on 1 June", "2026-06-01", "2026-06-02", "in"),
        ("where did she live in 2022?", "2022-01-01", "2023-01-01", "in"),
        ("the rule before 2024", "2024-01-01", "2025-01-01", "before"),
        ("what changed since January 2025", "2025-01-01", "2025-02-01", "after"),
        ("What will the price be in March?", "2027-03-01", "2027-04-01", "in"),
        ("what was the price in March?", "2026-03-01", "2026-04-01", "in"),
        ("去年三月的价格是多少", "2025-03-01", "2025-04-01", "in"),
        ("昨天跑了多远", "2026-07-20", "2026-07-21", "in"),
        ("2025年之前的地址", "2025-01-01", "2026-01-01", "before"),
        ("我4月30号为什么不开心", "2026-04-30", "2026-05-01", "in"),
    ],
)
def test_times_are_placed(question: str, start: str, end: str, relation: str) -> None:
    (one,) = timing_of(question, [], ASKED, None).read
    assert (isoformat(one.start), isoformat(one.end), one.relation) == (start, end, relation)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("runs in the before-times", "in the before-times"),
        ("where did I live before the move?", "before the move"),
        ("what did we say recently", "recently"),
        ("the price on 03/04/2025", "03/04/2025"),
        ("what was on 31 February 2025", "31 February 2025"),
        ("the menu last Christmas", "last Christmas"),
        ("搬家之前住在哪里", "搬家之前"),
        ("他最近怎么样", "最近"),
    ],
)
def test_what_cannot_be_placed_is_told(question: str, words: str) -> None:
    timing = timing_of(question, [], ASKED, None)
    assert timing.read == ()
    assert timing.unread == (words,)


@pytest.mark.parametrize(
    "question",
    [
        "How long may I return an order in 30 days?",
        "What may I do?",
        "When did Caroline go?",
        "What is the last name of Ann?",
        "Does it work with version 2023.04?",
        "什么时候发货",
    ],
)
def test_not_everything_is_a_time(question: str) -> None:
    assert timing_of(question, [], ASKED, None) == timing_of("", [], ASKED, None)


def test_a_name_is_no_time() -> None:
    question = "When does support for Amazon Linux 2023 end, as of 2024?"
    (one,) = timing_of(question, ["amazon linux 2023"], ASKED, None).read
    assert isoformat(one.start) == "2024-01-01"


def test_the_zone_of_who_asks_decides_which_day_it_is() -> None:
    (there,) = timing_of("今天", [], knowwhy.instant("2026-07-21T20:00:00Z"), "Asia/Shanghai").read
    assert isoformat(there.start) == "2026-07-21T16:00:00Z"


def run(memory: knowwhy.Memory, value: str, day: str) -> None:
    memory.observe(
        source="watch",
        claims=[
            {
                "subject": "user-1",
                "attribute": "run",
                "value": value,
                "valid_from": f"{day}T07:00:00Z",
                "valid_to": f"{day}T08:00:00Z",
            }
        ],
        observed_at=f"{day}T08:00:00Z",
    )


def test_a_question_finds_what_was_so_at_any_moment_of_the_time_it_names() -> None:
    with knowwhy.open(clock=lambda: ASKED) as memory:
        run(memory, "5 km", "2021-03-01")
        run(memory, "7 km", "2026-07-16")
        run(memory, "3 km", "2026-07-20")
        week = memory.recall("user-1 runs last week")
        assert [str(one.value) for one in week.beliefs] == ["7 km"]
        assert [str(one.value) for one in memory.recall("user-1 runs yesterday").beliefs] == ["3 km"]
        lost = memory.recall("user-1 runs in the before-times")
        assert lost.timing.unread == ("in the before-times",)
        assert "in the before-times" in str(lost)
        assert "in the before-times" in lost.to_prompt()


def test_a_question_about_the_past_is_answered_with_what_held_then() -> None:
    with knowwhy.open(clock=lambda: ASKED) as memory:
        memory.declare("return window", unit="day")
        for value, day in (("7", "2025-01-01"), ("15", "2026-05-12")):
            claims = [("order", "return window", value)]
            memory.observe(source="policy", source_type="official", claims=claims, observed_at=day)
        assert str(memory.recall("return window of an order last year").best.value) == "7 day"  # type: ignore[union-attr]
        assert str(memory.recall("return window of an order").best.value) == "15 day"  # type: ignore[union-attr]
        assert str(memory.recall("return window of an order before April").best.value) == "7 day"  # type: ignore[union-attr]


def test_words_said_on_a_day_are_found_by_the_day() -> None:
    with knowwhy.open(clock=lambda: ASKED) as memory:
        for day, words in (("2026-04-29", "It rained."), ("2026-04-30", "It was sunny and warm.")):
            memory.observe(words, source="ann", observed_at=f"{day}T09:00:00Z", extract=False)
        first = memory.recall("how was it on April 30th?").passages[0]
        assert first.evidence.text == "It was sunny and warm."
        assert memory.recall("4月29号怎么样").passages[0].evidence.text == "It rained."
