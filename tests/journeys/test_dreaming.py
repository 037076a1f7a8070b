"""Dreaming: what three lessons show becomes one belief, and a desk is tidied, without anything being lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import knowwhy
from knowwhy import Instant, InvalidInput, Memory, NotFound, Refused, VersionConflict
from knowwhy.consolidate.material import Material
from knowwhy.consolidate.plan import Proposal, Step
from knowwhy.core.model import DreamState, Sameness, identity_of
from knowwhy.engine import night
from knowwhy.engine.dream_report import Fate
from knowwhy.store.protocol import Batch
from tests.surfaces.program import Ran, run


@dataclass
class Desk:
    """A memory with a calendar."""

    day: str = "2025-05-01"
    seconds: int = 0
    memory: Memory = field(init=False)

    def __post_init__(self) -> None:
        self.memory = knowwhy.open(clock=self.now)

    def now(self) -> Instant:
        """The present: a second later each time somebody looks."""
        self.seconds += 1
        return Instant(knowwhy.instant(self.day) + self.seconds * 1_000_000)

    def lesson(
        self, number: int, words: str, *claims: Mapping[str, Any] | Sequence[str], student: str = "Lin"
    ) -> str:
        """What was seen in a lesson, on the day of its number."""
        self.day = f"2025-05-{number:02}"
        told = [{"subject": student, **one} if isinstance(one, Mapping) else one for one in claims]
        outcome = self.memory.observe(
            words, source="tutor", source_type="user", claims=told, context=f"lesson {number}"
        )
        return outcome.evidence[0]

    def says(self, subject: str, attribute: str, **conditions: str) -> str | None:
        """The one value that stands there, under just these conditions."""
        found = [
            str(one.value)
            for one in self.memory.ask(subject, attribute).findings
            if dict(one.conditions) == conditions
        ]
        assert len(found) < 2
        return found[0] if found else None


@pytest.fixture
def desk() -> Desk:
    return Desk()


def taught(desk: Desk) -> list[str]:
    """Three lessons about absolute values."""
    desk.memory.declare("score", unit="points")
    return [
        desk.lesson(
            number,
            f"With a drawing of the number line Lin got it; the sign was lost again, {score} points.",
            {"attribute": "learns best with", "value": "drawings", "conditions": {"lesson": str(number)}},
            {"attribute": "mistake", "value": "drops the minus sign"},
            {"attribute": "score", "value": score},
        )
        for number, score in ((1, 60), (2, 65), (3, 75))
    ]


def test_three_lessons_that_show_the_same_become_a_preference(desk: Desk) -> None:
    lessons = taught(desk)
    assert desk.says("Lin", "learns best with") is None
    shown = desk.memory.dream(dry_run=True)
    assert desk.says("Lin", "learns best with") is None
    report = desk.memory.dream(expected=shown.state)
    assert [str(one) for one in report.of("distil")] == [str(one) for one in shown.of("distil")]
    (preference,) = [one for one in report.of("distil") if "in general" in one.what]
    assert sorted(preference.evidence) == sorted(lessons)
    assert "in 3 sessions from 2025-05-01 to 2025-05-03" in preference.why
    assert desk.says("Lin", "learns best with") == "drawings"
    which = {"of": "mistake: drops the minus sign"}
    assert desk.says("Lin", "occurrences", **which) == "3"
    assert desk.says("Lin", "last seen", **which) == "2025-05-03"
    # What it rests on is told, and when that falls, it falls.
    assert "dream distil" in str(desk.memory.why("Lin", "occurrences"))
    desk.memory.retract(lessons[0])
    assert desk.says("Lin", "learns best with") is None
    desk.memory.dream()
    assert desk.says("Lin", "occurrences", **which) is None


def test_a_fourth_lesson_counts_on_and_only_the_last_count_stands(desk: Desk) -> None:
    taught(desk)
    desk.memory.dream()
    for number, score in ((4, 80), (5, 90)):
        desk.lesson(
            number,
            f"Again; {score}.",
            {"attribute": "mistake", "value": "drops the minus sign"},
            {"attribute": "score", "value": score},
        )
    report = desk.memory.dream()
    assert desk.says("Lin", "occurrences", of="mistake: drops the minus sign") == "5"
    assert desk.says("Lin", "level", of="score") == "75 points"
    assert desk.says("Lin", "trend", of="score") == "rising"
    # The next number makes level and trend doubtful or gone until it is read; nothing old is told for new.
    desk.lesson(6, "10", {"attribute": "score", "value": 10})
    assert desk.says("Lin", "level", of="score") is None
    assert report.operation is not None
    desk.memory.dream()
    assert desk.says("Lin", "level", of="score") == "75 points"
    assert desk.memory.doctor().is_healthy


def test_a_desk_after_a_fortnight(desk: Desk) -> None:
    memory = desk.memory
    memory.declare("plan", half_life_days=30)
    memory.configure(lifetimes={"filler": 2})
    for number in range(1, 15):
        ticket, last = f"ticket {number}", number % 3 == 0
        cause, cure = ("expired token", "sign in again") if last else (f"cause {number}", f"cure {number}")
        desk.lesson(number, f"{ticket}: {cause}.", (ticket, "cause", cause), (ticket, "fixed by", cure))
    desk.day = "2025-05-14"
    memory.observe("Thanks!", source="Ann", source_type="user", observed_at="2025-05-01")
    report = memory.dream(share=1.0)
    (rule,) = [one for one in report.of("generalise") if "where cause = expired token" in one.what]
    assert "4 cases" in rule.why
    assert len(rule.evidence) == 4
    (candidate,) = memory.ask("cause = expired token").findings
    assert str(candidate.value) == "fixed by = sign in again"
    assert candidate.confidence < candidate.attribute.acts_above
    assert report.of("expire")[0].what == "1 item of raw words withdrawn"
    assert report.operation is not None
    memory.undo([report.operation])
    assert not memory.ask("cause = expired token").findings
    assert memory.recall("Thanks").passages
    assert memory.doctor().is_healthy


def test_what_is_put_away_comes_back_with_the_next_word_and_is_never_pinned_or_the_only_fact(
    desk: Desk,
) -> None:
    memory = desk.memory
    memory.declare("blood group")
    told = {"source_type": "rumour", "observed_at": "2024-01-01"}
    memory.observe(source="mill", claims=[("Bo", "likes", "tea")], **told)  # type: ignore[arg-type]
    memory.observe(source="mill", claims=[("Bo", "fears", "cats")], is_pinned=True, **told)  # type: ignore[arg-type]
    memory.observe(source="mill", claims=[("Bo", "blood group", "A")], **told)  # type: ignore[arg-type]
    assert [one.what for one in memory.dream(["archive"]).of("archive")] == []  # it was heard only now
    desk.day = "2026-01-01"
    report = memory.dream(["archive"])
    assert [one.what for one in report.of("archive")] == ["Bo / likes = tea put away"]
    assert desk.says("Bo", "likes") is None
    recalled = {str(one.value): one.status for one in memory.recall("what does Bo like").beliefs}
    assert "tea" not in recalled
    assert "tea" in {
        str(one.value) for one in memory.recall("what does Bo like", include=["archived"]).beliefs
    }
    assert [one.status for one in memory.ask("Bo", "likes").others] == ["archived"]
    assert desk.says("Bo", "fears") == "cats"
    assert desk.says("Bo", "blood group") == "A"
    assert str(memory.at(known="2025-12-01").ask("Bo", "likes").value) == "tea"
    memory.observe(source="Ann", source_type="user", claims=[("Bo", "likes", "tea")])
    assert desk.says("Bo", "likes") == "tea"
    assert memory.dream(["archive"]).changed == 0


def test_lonely_nodes_are_tied_by_the_evidence_they_share(desk: Desk) -> None:
    claims = [("absolute value", "page", "12"), ("number line", "page", "3")]
    both = desk.memory.observe("Two topics.", source="book", claims=claims).evidence
    report = desk.memory.dream(["link"])
    (tie,) = report.of("link")
    assert tie.evidence == both
    ties = [
        (one.subject.name, str(one.value))
        for name in ("absolute value", "number line")
        for one in desk.memory.ask(name, "mentioned with").findings
    ]
    assert len(ties) == 1
    assert set(ties[0]) == {"absolute value", "number line"}
    assert desk.memory.dream(["link"]).changed == 0


def test_names_that_mean_the_same_are_pointed_out_and_nothing_is_written(desk: Desk) -> None:
    desk.memory.declare("return window")
    desk.memory.observe(source="x", claims=[("shop", "window of returns", "7 days")])
    (advice,) = [one for one in desk.memory.dream(["fold"]).done if one.fate is Fate.ADVICE]
    assert "“window of returns” and “return window”" in advice.proposal.what


def test_what_was_in_dispute_is_decided_again_as_time_goes_by(desk: Desk) -> None:
    memory = desk.memory
    since = {"subject": "shop", "attribute": "opens", "valid_from": "2025-01-01"}
    for source, value, until in (("a", "8", None), ("b", "9", "2025-06-01")):
        memory.observe(source=source, claims=[{**since, "value": value, "valid_to": until}])
    assert len(memory.conflicts()) == 1
    assert memory.stats()["belief.contested"] == 2
    desk.day = "2025-07-01"
    report = memory.dream(["settle"])
    assert [one.what for one in report.of("settle")] == ["shop / opens decided again"]
    assert memory.stats().get("belief.contested", 0) == 0
    assert desk.says("shop", "opens") == "8"


# Guards -----------------------------------------------------------------------------------------


def noting(memory: Memory, words: list[str]) -> Step:
    """A step during which somebody else writes, once."""

    def topics(material: Material) -> list[str]:
        if words:
            memory.observe(source="Ann", claims=[("Lin", "plan", words.pop())])
        return sorted(material.touched)

    def plan(material: Material, topic: str) -> Iterator[Proposal]:
        (one,) = material.beliefs([topic])
        yield Proposal(what=str(one.value), why="it was read", effect="none")

    return Step("note", "tells what was read", topics, plan)


def test_what_comes_in_meanwhile_is_read_too_and_never_overwritten(desk: Desk) -> None:
    taught(desk)
    step = noting(desk.memory, ["pro"])
    report = desk.memory.dream(["distil", step])
    assert "pro" in [one.proposal.what for one in report.done]
    assert desk.says("Lin", "plan") == "pro"
    assert desk.says("Lin", "learns best with") == "drawings"
    shown = desk.memory.dream(dry_run=True)
    desk.memory.observe(source="Ann", claims=[("Lin", "plan", "free")])
    with pytest.raises(VersionConflict):
        desk.memory.dream(expected=shown.state)


def test_only_one_dreams_at_a_time_and_one_that_never_came_back_is_waited_for_no_longer(desk: Desk) -> None:
    taught(desk)

    def topics(material: Material) -> list[str]:
        del material
        with pytest.raises(Refused):
            desk.memory.dream()
        raise KeyboardInterrupt  # as if the process were stopped

    with pytest.raises(KeyboardInterrupt):
        desk.memory.dream([Step("stop", "", topics, lambda _material, _topic: ())])
    assert desk.memory.dream().changed


def test_a_step_of_ones_own_may_merge_entities_and_what_is_taken_back_stays_so(desk: Desk) -> None:
    memory = desk.memory
    memory.observe(source="a", claims=[("Robert Smith", "city", "Leeds")])
    memory.observe(source="b", claims=[("Bob Smith", "phone", "11")])

    def plan(material: Material, topic: str) -> Iterator[Proposal]:
        one, other = sorted(one.slot.subject.id for one in material.touched.values())
        same = identity_of(one, other, Sameness.SAME, one)
        yield Proposal(what=topic, why="they look alike", effect="one of them", declarations=(same,))

    def look(material: Material) -> list[str]:
        return ["both"] if len({one.slot.subject.id for one in material.touched.values()}) > 1 else []

    step = Step("entities", "who is one", look, plan)
    before = str(memory.ask("Bob Smith")), str(memory.ask("Robert Smith"))
    report = memory.dream([step])
    assert {str(one.value) for one in memory.ask("Bob Smith").findings} == {"Leeds", "11"}
    assert report.operation is not None
    memory.undo([report.operation])
    assert (str(memory.ask("Bob Smith")), str(memory.ask("Robert Smith"))) == before
    memory.observe(source="a", claims=[("Robert Smith", "age", "7"), ("Bob Smith", "age", "8")])
    assert memory.dream([step]).changed == 0
    assert {str(one.value) for one in memory.ask("Bob Smith").findings} == {"11", "8"}


def test_what_a_step_fails_at_is_parked_until_it_is_tried_again(desk: Desk) -> None:
    taught(desk)
    bad = ["drawings"]

    def plan(material: Material, topic: str) -> Iterator[Proposal]:
        (one,) = material.beliefs([topic])
        if str(one.value) in bad:
            raise ArithmeticError("no such number")
        yield Proposal(what=str(one.value), why="it was read", effect="none")

    step = Step("note", "", lambda material: sorted(material.touched), plan)
    first = desk.memory.dream([step])
    assert {one.why for one in first.parked} == {"ArithmeticError: no such number"}
    assert len(first.parked) == 3
    assert first.done
    desk.lesson(4, "", {"attribute": "learns best with", "value": "drawings", "conditions": {"lesson": "1"}})
    bad.clear()
    assert len(desk.memory.dream([step]).parked) == 3
    desk.lesson(5, "", {"attribute": "learns best with", "value": "drawings", "conditions": {"lesson": "1"}})
    assert not desk.memory.dream([step], retry=True).parked


def test_what_is_tried_again_is_met_again_though_nothing_is_new(desk: Desk) -> None:
    taught(desk)
    bad: list[Exception] = [KeyError("drawings")]

    def topics(material: Material) -> list[str]:
        if bad and isinstance(bad[0], LookupError):
            raise bad[0]
        return sorted(material.touched)

    def plan(material: Material, topic: str) -> Iterator[Proposal]:
        (one,) = material.beliefs([topic])
        if bad:
            raise bad[0]
        yield Proposal(what=str(one.value), why="it was read", effect="none")

    step = Step("note", "", topics, plan)
    assert [one.topic for one in desk.memory.dream([step]).parked] == [""]
    assert [one.topic for one in desk.memory.dream([step]).parked] == [""]
    bad[:] = [ArithmeticError("drawings")]
    failed = desk.memory.dream([step], retry=True)
    assert "" not in [one.topic for one in failed.parked]
    assert f"{len(failed.parked)} topics are parked." in failed.headline
    assert len(desk.memory.dream([step]).parked) == len(failed.parked)
    bad.clear()
    told = desk.memory.dream([step], retry=True)
    assert (len(told.parked), len(told.done)) == (0, len(failed.parked))
    assert not desk.memory.dream([step]).parked


@pytest.mark.parametrize("problem", [knowwhy.Fault("the file is damaged"), MemoryError()])
def test_where_the_store_fails_the_run_does_and_nothing_is_parked(desk: Desk, problem: Exception) -> None:
    taught(desk)

    def topics(material: Material) -> list[str]:
        del material
        raise problem

    with pytest.raises(type(problem)):
        desk.memory.dream([Step("note", "", topics, lambda _material, _topic: ())])
    assert not desk.memory.dream(dry_run=True).parked


def test_nothing_of_what_was_erased_is_left_in_what_was_parked(desk: Desk) -> None:
    taught(desk)

    def plan(material: Material, topic: str) -> Iterator[Proposal]:
        del material
        raise KeyError(topic)

    def topics(material: Material) -> list[str]:
        return [str(one.value) for one in material.touched.values()]

    assert "drawings" in str(desk.memory.dream([Step("note", "", topics, plan)]))
    desk.memory.forget(person="Lin")
    with desk.memory._space.snapshot() as view:  # noqa: SLF001 - what is left, whatever it is
        left = f"{view.declared(DreamState)} {list(view.every(Batch))}"
    assert "ParkedTopic" in left
    assert "drawings" not in left


def test_however_much_grew_old_at_once_all_of_it_is_looked_at(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(night, "MOST_AGED", 7)
    for number in range(30):
        desk.memory.observe(source="a", source_type="official", claims=[(f"x{number}", "city", "y")])
    desk.memory.observe(source="b", source_type="rumour", claims=[("Bo", "fears", "cats")])
    desk.day = "2026-01-01"
    # A step that puts nothing away is whole, however much there is to put away.
    assert desk.memory.dream(["summarise"]).is_complete
    runs = 0
    while not (report := desk.memory.dream(["archive"])).is_complete:
        assert "More is left" in report.headline
        assert (runs := runs + 1) < 20
    assert runs
    assert [one.status for one in desk.memory.ask("Bo", "fears").others] == ["archived"]
    assert desk.memory.dream(["archive"]).operation is None


def test_it_is_dreamt_once_after_each_time_that_is_named(desk: Desk, tmp_path: Path) -> None:
    nightly = "30 3 * * *"
    with pytest.raises(knowwhy.NaiveTime):
        desk.memory.dream(when=nightly)
    desk.memory = knowwhy.open(clock=desk.now, zone="Asia/Shanghai")
    taught(desk)
    assert desk.memory.dream(when=nightly).changed
    desk.lesson(3, "Again.", {"attribute": "mistake", "value": "drops the minus sign"})
    early = desk.memory.dream(when=nightly)
    assert (early.operation, early.is_due, early.is_complete) == (None, False, True)
    assert early.headline == "It is not time to dream yet."
    # At midnight in London it is eight in Shanghai.
    desk.day = "2025-05-04"
    assert desk.memory.dream(when=nightly).operation
    with pytest.raises(InvalidInput):
        desk.memory.dream(when="sometimes")
    file = tmp_path / "m.db"
    run("--db", file, "observe", "Opens at 8.", "--source", "t", "--claim", "shop", "opens", "8")
    yearly = ("--db", file, "--zone", "UTC", "dream", "--when", "0 0 1 1 *")
    assert "not time" not in run(*yearly).out
    assert "not time" in run(*yearly).out


def test_it_is_for_who_owns_the_memory_and_for_steps_there_are(desk: Desk) -> None:
    with pytest.raises(Refused):
        desk.memory.seen_by(agent="a").dream()
    with pytest.raises(InvalidInput):
        desk.memory.dream(["sleep"])
    with pytest.raises(InvalidInput):
        desk.memory.dream(share=1.5)


def test_what_only_some_may_read_is_not_drawn_together_with_what_others_may(desk: Desk) -> None:
    private = desk.memory.seen_by(agent="a").shared_with()
    for number in (1, 2, 3):
        told = {"subject": "Lin", "attribute": "liked", "value": "x", "conditions": {"lesson": str(number)}}
        (private if number < 3 else desk.memory).observe(source="t", claims=[told], context=str(number))
    desk.memory.dream(["distil"])
    assert desk.says("Lin", "liked") is None
    private.observe(
        source="t",
        claims=[{"subject": "Lin", "attribute": "liked", "value": "x", "conditions": {"lesson": "4"}}],
        context="4",
    )
    desk.memory.dream(["distil"])
    assert not [
        one for one in desk.memory.seen_by(agent="b").ask("Lin", "liked").findings if not one.conditions
    ]


def test_what_several_said_to_all_is_drawn_together(desk: Desk) -> None:
    for number, agent in enumerate(("a", "b", "c")):
        told = {"subject": "Lin", "attribute": "liked", "value": "x", "conditions": {"lesson": str(number)}}
        desk.memory.seen_by(agent=agent).observe(source=agent, claims=[told], context=str(number))
    desk.memory.seen_by(agent="a").shared_with().observe(source="a", claims=[("Bo", "age", "7")])
    desk.memory.dream(["expire"])
    # Each step has read what it has read: the others read it when they are asked for.
    desk.memory.dream(["distil"])
    assert desk.says("Lin", "liked") == "x"


def test_an_erasure_takes_what_dreaming_made_of_it(desk: Desk) -> None:
    taught(desk)
    desk.memory.dream()
    desk.memory.forget(person="Lin")
    with desk.memory._space.snapshot() as view:  # noqa: SLF001 - what is left, whatever it is
        assert "drawings" not in str(list(view.views()))
    with pytest.raises(NotFound):
        desk.memory.why("Lin", "learns best with")


def test_the_report_is_told_in_words_for_programs_and_as_a_page_in_which_nothing_acts(desk: Desk) -> None:
    for number in (1, 2, 3):
        desk.lesson(number, "x", {"attribute": "mistake", "value": "<script>alert(1)</script>"})
    report = desk.memory.dream(measure=True)
    assert f"undo {report.operation} takes it back" in str(report)
    assert "<script>" not in report.to_html()
    assert "&lt;script&gt;" in report.to_html()
    told = report.as_dict()
    assert told["before"]["nodes"] < told["after"]["nodes"]
    assert told["after"]["questions"] == 0


def test_the_command_shows_it_first_and_then_does_it(tmp_path: Path) -> None:
    def said(*words: str) -> Ran:
        return run("--db", tmp_path / "m.db", *words)

    for number in (1, 2, 3):
        told = ("--context", str(number), "--source", "t", "--claim", "Lin", "mistake", "lost")
        assert said("observe", f"Lesson {number}.", *told).code == 0
    shown = said("dream", "--dry-run", "--steps", "distil")
    assert "1 thing would be done; nothing was written" in shown.out
    done = said("dream", "--steps", "distil", "--json").document
    assert done["proposals"][0]["fate"] == "done"
    assert said("dream", "--html").out.startswith("<!doctype html>")
    assert said("dream", "--steps", "sleep").code == 2


# Summaries --------------------------------------------------------------------------------------


def test_a_session_is_told_in_its_own_words_as_far_as_they_still_hold(desk: Desk) -> None:
    memory = desk.memory
    memory.declare("return window", unit="days")
    words = "Hello there! The shop's return window is 7 days. The shop's owner is Ann. Nice weather today."
    claims: list[Any] = [
        ("shop", "owner", "Ann"),
        {"subject": "shop", "attribute": "return window", "value": 7, "unit": "days"},
    ]
    first = memory.observe(words, source="Bo", claims=claims, context="monday").evidence[0]
    report = memory.dream(["summarise"])
    assert [one.evidence for one in report.of("summarise")] == [(first,)]
    told = memory.summary(context="monday")
    assert [one.text for one in told.lines] == [
        "The shop's return window is 7 days.",
        "The shop's owner is Ann.",
    ]
    assert memory.dream(["summarise"]).operation is None
    # What was superseded is not told any more, though it was noted; what came since is noted next.
    memory.observe(
        source="Bo", claims=[{"subject": "shop", "attribute": "return window", "value": 15, "unit": "days"}]
    )
    memory.observe("Opens at 8.", source="Bo", claims=[("shop", "opens", "8")], context="monday")
    assert [one.text for one in memory.summary(context="monday").lines] == ["The shop's owner is Ann."]
    again = memory.dream(["summarise"])
    assert [one.text for one in memory.summary(context="monday").lines] == [
        "The shop's owner is Ann.",
        "Opens at 8.",
    ]
    assert "15 days" in str(memory.summary("shop"))
    assert "7 days" not in str(memory.summary("shop"))
    # It is no evidence, it can be undone, and it goes with what it is told by.
    assert not [one for one in memory.log(limit=99) if one.outcome.recorded and one.operation.act == "dream"]
    assert again.operation is not None
    memory.undo([again.operation])
    assert [one.text for one in memory.summary(context="monday").lines] == ["The shop's owner is Ann."]
    memory.forget(evidence=[first])
    assert not memory.summary(context="monday").lines
    with pytest.raises(InvalidInput):
        memory.summary()
    assert memory.doctor().is_healthy


def test_what_does_not_hold_is_not_told_where_its_words_do_not_show_it(desk: Desk) -> None:
    memory = desk.memory
    window = {"subject": "shop", "attribute": "return window", "unit": "days"}
    words = "The return window is 7 days, Dr. Lee said. Our owner is the lady Ann."
    claims: list[Any] = [{**window, "value": 7}, ("shop", "owner", "Ann Smith")]
    memory.observe(words, source="Bo", claims=claims, context="monday", observed_at="2025-01-01")
    first, _, _ = words.partition(" Our")
    assert [one.text for one in memory.summary("shop").lines] == [first, words]
    # Which sentence names the owner cannot be told: so all of them must hold.
    memory.observe(source="Bo", claims=[{**window, "value": 15}], observed_at="2025-01-20")
    assert not [one for one in memory.summary("shop").lines if "7" in one.text]
    both = "The fair is not in May but in June. Dr. Lee said the fair costs 5 euros."
    told: list[Any] = [
        {"subject": "fair", "attribute": "month", "value": "May", "stance": "refutes"},
        ("fair", "month", "June"),
        ("fair", "price", "5 euros"),
    ]
    memory.observe(both, source="Bo", claims=told, context="tuesday")
    memory.dream(["summarise"])
    lines = ["The fair is not in May but in June.", "Dr. Lee said the fair costs 5 euros."]
    assert [one.text for one in memory.summary("fair").lines] == lines
    assert [one.text for one in memory.summary(context="tuesday").lines] == lines
    # What was said of an entity that was merged into another is told of that one.
    memory.observe("Kermis is in Bonn.", source="Bo", claims=[("Kermis", "city", "Bonn")], context="tuesday")
    memory.dream(["summarise"])
    memory.merge_entities("fair", "Kermis")
    for asked in ("fair", "Kermis"):
        assert {one.text for one in memory.summary(asked).lines} == {*lines, "Kermis is in Bonn."}
    assert {one.text for one in memory.summary(context="tuesday").lines} == {*lines, "Kermis is in Bonn."}


def test_a_summary_tells_nobody_what_is_not_for_them(desk: Desk) -> None:
    desk.memory.observe("Lark ships in May.", source="s", claims=[("Lark", "ships", "May")], context="team")
    private = desk.memory.seen_by(agent="a").shared_with()
    private.observe("Lark may be cut.", source="p", claims=[("Lark", "risk", "may be cut")], context="team")
    desk.memory.dream()
    for told in ({"context": "team"}, {"subject": "Lark"}):
        assert "cut" in str(desk.memory.seen_by(agent="a").summary(**told))
        assert "cut" not in str(desk.memory.seen_by(agent="b").summary(**told))
        assert "May" in str(desk.memory.seen_by(agent="b").summary(**told))


def test_what_was_dreamt_of_stands_in_nobodys_way(desk: Desk) -> None:
    taught(desk)
    desk.memory.dream()
    first = desk.memory.log(limit=99)[-2].operation
    assert first.act == "observe"
    desk.memory.undo([first.sequence])
    assert desk.says("Lin", "learns best with") is None
    desk.memory.dream()
    assert desk.says("Lin", "occurrences", of="mistake: drops the minus sign") is None
    assert desk.memory.doctor().is_healthy
