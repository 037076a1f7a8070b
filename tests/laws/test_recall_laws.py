"""What recall brings is what stands, by whatever channel: `ask`, which takes no channel, is the oracle."""

from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

import knowwhy
from knowwhy.recall.leads import Channel
from knowwhy.recall.packing import estimated_tokens
from tests.laws.effort import examples

NOW = knowwhy.instant("2026-07-21T12:00:00Z")
FIRST = date(2025, 1, 1)
SUBJECTS = ("order", "Berlin", "订单")
ATTRIBUTES = ("return window", "status", "价格")
SOURCES = (("law", "official"), ("ann", "user"), ("blog", "web"))

_days = st.integers(0, 500)
_said = st.tuples(
    st.sampled_from(SUBJECTS), st.sampled_from(ATTRIBUTES), st.integers(1, 4), st.sampled_from(SOURCES), _days
)
# Of few slots, so that values follow each other.
_of_few = st.tuples(
    st.sampled_from(SUBJECTS[:2]), st.just(ATTRIBUTES[0]), st.integers(1, 3), st.sampled_from(SOURCES), _days
)
_channels = st.none() | st.sets(st.sampled_from([str(one) for one in Channel]), min_size=1)


def told(claims: list[tuple[str, str, int, tuple[str, str], int]], gone: list[int]) -> knowwhy.Memory:
    """A memory that heard these claims, and took back some of what it heard."""
    memory = knowwhy.open(clock=lambda: NOW)
    for subject, attribute, value, (source, kind), day in claims:
        memory.observe(
            source=source,
            source_type=kind,
            claims=[(subject, attribute, f"v{value}x")],
            observed_at=f"{(FIRST + timedelta(days=day)).isoformat()}T12:00:00Z",
        )
    evidence = [one for entry in memory.log(limit=50) for one in entry.outcome.evidence]
    for one in dict.fromkeys(evidence[at % len(evidence)] for at in gone):
        memory.retract(one)
    return memory


@examples(40)
@given(
    claims=st.lists(_said, min_size=1, max_size=8),
    gone=st.lists(st.integers(0, 9), max_size=2),
    subject=st.sampled_from(SUBJECTS),
    attribute=st.sampled_from(ATTRIBUTES),
    channels=_channels,
)
def test_what_comes_back_stands_whatever_channel_found_it(
    claims: list[tuple[str, str, int, tuple[str, str], int]],
    gone: list[int],
    subject: str,
    attribute: str,
    channels: set[str] | None,
) -> None:
    with told(claims, gone) as memory:
        found = memory.recall(f"{attribute} {subject}", channels=channels, limit=20)
        for one in found.beliefs:
            standing = memory.ask(one.subject.name, one.attribute.name).findings
            assert one.id in {each.id for each in standing}
            assert 0.0 < one.score <= 1.0
        if channels is None or "text" in channels:
            answers = {each.id for each in memory.ask(subject, attribute).findings}
            assert answers <= {one.id for one in (*found.beliefs, *found.withheld)}


@examples(40)
@given(claims=st.lists(_said, min_size=1, max_size=8), day=_days, is_chinese=st.booleans())
def test_a_date_in_the_question_is_the_date_that_is_asked_about(
    claims: list[tuple[str, str, int, tuple[str, str], int]],
    day: int,
    is_chinese: bool,  # noqa: FBT001 - drawn
) -> None:
    when = FIRST + timedelta(days=day)
    subject, attribute, *_ = claims[0]
    written = f"{when.year}年{when.month}月{when.day}日" if is_chinese else f"as of {when.isoformat()}"
    with told(claims, []) as memory:
        end = f"{when.isoformat()}T23:59:59.999999Z"
        due = {one.id for one in memory.at(valid=end).ask(subject, attribute).findings}
        found = memory.recall(f"{attribute} {subject} {written}", limit=20)
        got = {
            one.id for one in found.beliefs if (one.subject.name, one.attribute.name) == (subject, attribute)
        }
        assert got == due
        assert len(found.timing.read) == 1


@examples(40)
@given(
    claims=st.lists(_of_few, min_size=2, max_size=6),
    values=st.lists(st.integers(1, 3), min_size=1, max_size=2),
    about=st.integers(0, 7),
)
def test_raw_words_never_bring_back_a_fallen_value_unmarked(
    claims: list[tuple[str, str, int, tuple[str, str], int]], values: list[int], about: int
) -> None:
    subject, attribute, *_ = claims[about % len(claims)]
    with told(claims, []) as memory:
        spoken = {f"v{value}x" for value in values}
        words = f"The {attribute} of {subject} is {' or '.join(sorted(spoken))}."
        memory.observe(words, source="flyer", observed_at=FIRST.isoformat(), extract=False)
        answer = memory.ask(subject, attribute)
        fallen = {one.value.text for one in answer.others if one.status in ("superseded", "rejected")}
        standing = {one.value.text for one in answer.findings}
        (passage,) = memory.recall(f"{attribute} of {subject}", limit=20).passages
        is_fallen = bool(spoken & fallen) and not spoken & standing
        marked = [
            one for one in passage.outdated if one.finding.belief.slot.attribute == attribute.casefold()
        ]
        assert bool([one for one in marked if one.finding.subject.name == subject]) == is_fallen


@examples(30)
@given(st.lists(_said, min_size=1, max_size=6), st.integers(1, 300))
def test_a_budget_only_ever_leaves_out(
    claims: list[tuple[str, str, int, tuple[str, str], int]], budget: int
) -> None:
    with told(claims, []) as memory:
        question = " ".join((*SUBJECTS, *ATTRIBUTES))
        whole, cut = memory.recall(question, limit=20), memory.recall(question, limit=20, budget=budget)
        kept = [one.id for one in cut.beliefs]
        assert kept == [one.id for one in whole.beliefs if one.id in kept]
        assert cut.left_out == len(whole.beliefs) - len(kept)
        written = cut.to_prompt()
        assert estimated_tokens(written) <= budget
        assert set(written.splitlines()) <= set(whole.to_prompt().splitlines())
        assert sum(line.startswith("- ") for line in written.splitlines()) == len(kept)


@examples(30)
@given(
    said=st.lists(st.tuples(_days, st.booleans()), min_size=1, max_size=6, unique_by=lambda one: one[0]),
    day=_days,
)
def test_words_that_may_not_be_read_are_in_no_passage(said: list[tuple[int, bool]], day: int) -> None:
    with knowwhy.open(clock=lambda: NOW) as memory:
        due = set()
        for at, is_withdrawn in said:
            outcome = memory.observe(
                f"The harbour was calm on watch {at}.",
                source="log",
                observed_at=(FIRST + timedelta(days=at)).isoformat(),
                extract=False,
            )
            if is_withdrawn:
                memory.retract(outcome.evidence[0])
            elif at <= day:
                due.add(outcome.evidence[0])
        reader = memory.at(valid=(FIRST + timedelta(days=day)).isoformat())
        found = reader.recall("harbour watch", limit=20)
        assert {one.evidence.id for one in found.passages} == due


@examples(30)
@given(st.lists(_said, min_size=1, max_size=6), st.sampled_from(("before the move", "in 搬家之前")))
def test_time_words_that_cannot_be_placed_are_told_in_every_rendering(
    claims: list[tuple[str, str, int, tuple[str, str], int]], words: str
) -> None:
    with told(claims, []) as memory:
        subject, attribute, *_ = claims[0]
        found = memory.recall(f"{attribute} {subject} {words}", limit=20)
        (unread,) = found.timing.unread
        assert all(unread in written for written in (found.to_prompt(), found.to_text(), found.to_markdown()))
