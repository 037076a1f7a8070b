"""From raw words to beliefs, through the doors of a memory, in English and Chinese, without a model."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

import knowwhy
from knowwhy import Draft, Memory, Observation, Outcome, instant
from knowwhy.core.model import Schema
from knowwhy.providers.extraction import Extraction, Missing, Reason, Utterance

NOW = "2025-10-08T09:00:00+08:00"


@pytest.fixture
def memory() -> Memory:
    opened = knowwhy.open(clock=lambda: instant(NOW))
    opened.declare("return window", unit="days", synonyms=["退货期限"])
    opened.declare("plan", value_type="text", synonyms=["套餐"])
    opened.declare("prefers", cardinality="many", kind="preference", synonyms=["喜欢"])
    opened.declare("CEO", value_type="entity", synonyms=["首席执行官"])
    return opened


def say(memory: Memory, text: str, at: str, *, source: str = "policy", **details: object) -> Outcome:
    return memory.observe(text, source=source, source_type="user", observed_at=at, **details)  # type: ignore[arg-type]


def stands(memory: Memory, subject: str, attribute: str) -> str:
    return str(memory.ask(subject, attribute).value)


def test_a_rule_changes_in_words_alone(memory: Memory) -> None:
    say(memory, "The return window of Harbour Books is 7 days.", "2025-01-01")
    assert stands(memory, "Harbour Books", "return window") == "7 days"
    outcome = say(memory, "From 12 January the return window of Harbour Books is 15 days.", "2025-01-10")
    assert [one.value for one in outcome.read_outs[0].read] == ["15 days"]
    assert stands(memory, "Harbour Books", "return window") == "15 days"
    assert str(memory.at(valid="2025-01-05").ask("Harbour Books", "return window").value) == "7 days"
    found = memory.why("Harbour Books", "return window")
    assert "return window of Harbour Books is 15 days" in str(found)


def test_a_rule_changes_in_chinese_words_alone(memory: Memory) -> None:
    say(memory, "海港书店的退货期限是七天。", "2025-01-01")
    say(memory, "自1月12日起，海港书店的退货期限由7天调整为15天。", "2025-01-10")
    assert stands(memory, "海港书店", "退货期限") == "15 days"
    assert str(memory.at(valid="2025-01-05").ask("海港书店", "退货期限").value) == "7 days"


@pytest.mark.parametrize(
    ("first", "then", "subject"),
    [
        ("Harbour Books' return window is 7 days.", "No, it is 15 days now.", "Harbour Books"),
        ("海港书店的退货期限是7天。", "不对，现在是15天。", "海港书店"),
    ],
)
def test_feedback_takes_effect_in_its_conversation(
    memory: Memory, first: str, then: str, subject: str
) -> None:
    say(memory, first, "2025-10-01T08:00Z", context="chat-1")
    say(
        memory,
        "Harbour Books' plan is Pro." if first.isascii() else "海港书店的套餐是专业版。",
        "2025-10-01T08:01Z",
    )
    outcome = say(memory, then, "2025-10-01T08:02Z", context="chat-1")
    assert [one.quote for one in outcome.read_outs[0].read]
    assert stands(memory, subject, "return window") == "15 days"


def test_a_correction_that_is_incomplete_is_reported(memory: Memory) -> None:
    say(memory, "Harbour Books' return window is 7 days.", "2025-10-01T08:00Z", context="chat-1")
    outcome = say(memory, "No, it is 15 days now.", "2025-10-01T08:02Z", context="chat-2")
    (out,) = outcome.read_outs
    assert [one.missing for one in out.unsure] == [Missing.ANTECEDENT]
    assert "unsure: “No, it is 15 days now.”" in str(outcome)
    assert stands(memory, "Harbour Books", "return window") == "7 days"


def test_words_of_one_batch_point_back_at_each_other(memory: Memory) -> None:
    turns = [
        ("Harbour Books' return window is 7 days.", "2025-10-01T08:00Z"),
        ("No, it is 15 days now.", "2025-10-01T08:01Z"),
    ]
    memory.observe_many(
        Observation("dana", text, source_type="user", observed_at=at, context="chat") for text, at in turns
    )
    assert stands(memory, "Harbour Books", "return window") == "15 days"


@pytest.mark.parametrize(
    ("first", "then", "subject"),
    [
        ("Harbour Books' return window is 7 days.", "Forget that.", "Harbour Books"),
        ("海港书店的退货期限是7天。", "忘掉刚才说的。", "海港书店"),
        (
            "Harbour Books' return window is 7 days.",
            "Harbour Books' return window no longer applies.",
            "Harbour Books",
        ),
        ("海港书店的退货期限是7天。", "海港书店的退货期限已停用。", "海港书店"),
    ],
)
def test_what_is_taken_back_or_ended_stands_no_more(
    memory: Memory, first: str, then: str, subject: str
) -> None:
    say(memory, first, "2025-10-01T08:00Z", context="chat")
    assert stands(memory, subject, "return window") == "7 days"
    say(memory, then, "2025-10-02T08:00Z", context="chat")
    assert memory.ask(subject, "return window").is_unknown


def test_an_ending_of_what_never_was_is_reported(memory: Memory) -> None:
    outcome = say(memory, "Harbour Books' return window no longer applies.", "2025-10-02")
    assert [one.missing for one in outcome.read_outs[0].unsure] == [Missing.ANTECEDENT]


def test_filler_is_kept_as_text_alone(memory: Memory) -> None:
    outcome = say(memory, "Hi there! Thanks a lot.", "2025-10-02")
    assert (outcome.recorded, outcome.changes) == (1, ())
    assert outcome.read_outs[0].passed == {"filler": 2}
    assert memory.recall("thanks").passages


def test_i_am_the_source_or_whom_the_metadata_names(memory: Memory) -> None:
    say(memory, "I prefer window seats.", "2025-10-02", source="dana")
    assert stands(memory, "dana", "prefers") == "window seats"
    say(memory, "我喜欢靠窗的座位。", "2025-10-02", source="chat-7", metadata={"speaker": "小林"})
    assert stands(memory, "小林", "prefers") == "靠窗的座位"
    outcome = memory.observe("I prefer tea.", source="handbook", source_type="document")
    assert [one.missing for one in outcome.read_outs[0].unsure] == [Missing.SUBJECT]


def test_a_question_and_a_supposition_change_nothing_that_stands(memory: Memory) -> None:
    say(memory, "Harbour Books' return window is 7 days.", "2025-10-01")
    say(memory, "Is Harbour Books' return window 30 days?", "2025-10-02")
    say(memory, "If Harbour Books' return window is 30 days, people will be glad.", "2025-10-02")
    say(memory, "Bob says that Harbour Books' return window is 60 days.", "2025-10-02")
    answer = memory.ask("Harbour Books", "return window")
    assert str(answer.value) == "7 days"
    assert {str(one.value): str(one.status) for one in answer.others} == {
        "30 days": "hypothesis",
        "60 days": "hypothesis",
    }


def test_reading_can_be_turned_off(memory: Memory) -> None:
    outcome = say(memory, "Harbour Books' return window is 7 days.", "2025-10-01", extract=False)
    assert outcome.read_outs == ()
    assert memory.ask("Harbour Books", "return window").is_unknown


def test_claims_that_are_given_are_not_read_again(memory: Memory) -> None:
    claims = [("Harbour Books", "plan", "Pro")]
    outcome = say(memory, "Harbour Books' return window is 7 days.", "2025-10-01", claims=claims)
    assert outcome.read_outs == ()
    assert memory.ask("Harbour Books", "return window").is_unknown


def test_attributes_that_nobody_declared_are_proposed_or_taken(memory: Memory) -> None:
    outcome = say(memory, "Acme's colour is blue.", "2025-10-01")
    assert outcome.read_outs[0].proposed == {"colour": 1}
    assert any("'colour' (1)" in note for note in outcome.warnings)
    say(memory, "Acme's colour is blue.", "2025-10-02", takes_undeclared=True)
    assert stands(memory, "Acme", "colour") == "blue"
    generous = knowwhy.open(takes_undeclared=True)
    generous.observe("Acme的颜色是蓝色。", source="dana")
    assert stands(generous, "Acme", "颜色") == "蓝色"
    strict = knowwhy.open(strict=True, takes_undeclared=True)
    refused = strict.observe("Acme's colour is blue.", source="dana").read_outs[0].refused
    assert [one.reason for one in refused] == [Reason.NOT_DECLARED]


def test_what_cannot_be_a_value_is_refused_and_the_rest_is_taken(memory: Memory) -> None:
    memory.alias("Books", "Harbour Books")
    memory.alias("Books", "Hill Books")
    text = "Harbour Books' return window is 15 working days. Books' plan is Pro. Harbour Books' plan is Pro."
    (out,) = say(memory, text, "2025-10-01").read_outs
    assert [(one.subject, one.attribute) for one in out.read] == [("Harbour Books", "plan")]
    assert [one.reason for one in out.refused] == [Reason.WRONG_UNIT]
    assert [one.missing for one in out.unsure] == [Missing.CHOICE]
    assert [one.name for one in memory.ask("Books").candidates] != []


def test_the_log_keeps_what_was_read(memory: Memory) -> None:
    outcome = say(memory, "Harbour Books' return window is 7 days. Is it? 你好！", "2025-10-01")
    assert memory.log(limit=1)[0].outcome.read_outs == outcome.read_outs
    assert outcome.as_dict()["read_outs"][0]["by"] == "deterministic"


def test_words_may_place_the_bounds_of_claims_that_are_given(memory: Memory) -> None:
    claim = {"subject": "用户甲", "attribute": "日程", "value": "体检", "valid_from": "后天上午十点"}
    memory.observe("后天上午十点去体检。", source="u", observed_at=NOW, claims=[claim])
    belief = memory.at(valid="2025-10-11").ask("用户甲", "日程").best
    assert belief is not None
    assert belief.belief.since == instant("2025-10-10T10:00:00+08:00")
    with pytest.raises(knowwhy.InvalidInput, match="the before-times"):
        memory.observe("x", source="u", claims=[{**claim, "valid_from": "the before-times"}])
    with pytest.raises(knowwhy.InvalidInput, match="which week"):
        memory.observe("x", source="u", observed_at=NOW, claims=[{**claim, "valid_from": "last Monday"}])


@dataclass(frozen=True)
class Scripted:
    """An extractor that says what it is told to."""

    says: tuple[Draft, ...]
    name: str = "scripted"
    heard: list[Utterance] = field(default_factory=list)

    def extract(self, utterance: Utterance, schema: Schema) -> Extraction:
        self.heard.append(utterance)
        assert "return window" in schema.by_name
        return Extraction(self.says)


def test_another_extractor_is_held_to_the_words(memory: Memory) -> None:
    invented = Draft("Orbital Station", "plan", "Pro")
    scripted = Scripted((Draft("Ava", "plan", "Pro"), invented, Draft("Ava", "likes", "Pro")))
    outcome = memory.observe("Ava chose Pro.", source="dana", extract=scripted)
    (out,) = outcome.read_outs
    assert out.by == "scripted"
    assert [(one.subject, one.attribute, one.quote) for one in out.read] == [("Ava", "plan", "Ava chose Pro")]
    assert [one.reason for one in out.refused] == [Reason.NOT_IN_SOURCE]
    assert out.proposed == {"likes": 1}
    assert memory.ask("Orbital Station").is_unknown
    assert [one.speaker for one in scripted.heard] == ["dana"]


def test_a_memory_may_have_an_extractor_of_its_own(tmp_path: Path) -> None:
    scripted = Scripted((Draft("Ava", "return window", "7"),))
    memory = knowwhy.open(tmp_path / "m.db", extractor=scripted)
    memory.declare("return window", unit="days")
    memory.observe("Ava: 7", source="dana")
    assert stands(memory, "Ava", "return window") == "7 days"


def test_documents_are_read_in_all_their_parts(memory: Memory) -> None:
    text = """\
---
name: Pier Café
plan: Basic
---
# About

| shop | return window (days) | plan |
|---|---|---|
| Harbour Books | 15 | Pro |
| 海港书店 | 十天 | - |

- Hill Books return window: 2 weeks

```
Hill Books plan: Secret
```
"""
    say(memory, text, "2025-10-01")
    assert stands(memory, "Pier Café", "plan") == "Basic"
    assert stands(memory, "Harbour Books", "return window") == "15 days"
    assert stands(memory, "海港书店", "return window") == "10 days"
    assert stands(memory, "Hill Books", "return window") == "14 days"
    assert memory.ask("Hill Books", "plan").is_unknown
