"""What recall gives back: whole items within a budget, in the language asked in, stale never unmarked."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knowwhy
from knowwhy import InvalidInput
from knowwhy.recall.packing import Budget, estimated_tokens
from knowwhy.recall.rendering import escaped, quoted
from tests.laws.effort import examples

DAY = "2025-01-10"
HAN = re.compile("[\u4e00-\u9fff]")


def shop() -> knowwhy.Memory:
    memory = knowwhy.open(clock=lambda: knowwhy.instant("2025-02-01"))
    memory.declare("return window", unit="day", synonyms=["退货期限"])
    memory.alias("订单", "order")
    for value, day in (("7", "2024-12-01"), ("15", DAY)):
        claims = [("order", "return window", value)]
        memory.observe(source="policy", source_type="official", claims=claims, observed_at=day)
    memory.observe(source="blog", source_type="web", claims=[("order", "colour", "red")], observed_at=DAY)
    return memory


@examples(40)
@given(st.integers(1, 400), st.lists(st.text(max_size=40), max_size=8), st.booleans())
def test_what_is_packed_is_whole_items_in_order_within_the_budget(
    tokens: int,
    parts: list[str],
    counts_words: bool,  # noqa: FBT001 - drawn
) -> None:
    count = (lambda text: len(text.split())) if counts_words else estimated_tokens
    budget = Budget(tokens, count)
    chosen = budget.fitting("head", parts)
    assert chosen == sorted(set(chosen))
    assert not chosen or count("\n".join(["head", *(parts[at] for at in chosen)])) <= tokens
    for at in set(range(len(parts))) - set(chosen):
        before = [parts[one] for one in chosen if one < at]
        assert count("\n".join(["head", *before, parts[at]])) > tokens


def test_a_budget_leaves_out_whole_items_and_says_how_many() -> None:
    with shop() as memory:
        whole = memory.recall("order return window colour", limit=10)
        assert len(whole.beliefs) == 2
        assert whole.left_out == 0
        first = estimated_tokens("\n".join(whole.to_prompt().split("\n")[:2]))
        cut = memory.recall("order return window colour", limit=10, budget=first)
        assert [one.id for one in cut.beliefs] == [whole.beliefs[0].id]
        assert cut.left_out == 1
        assert estimated_tokens(cut.to_prompt()) <= first
        nothing = memory.recall("order return window colour", budget=1)
        assert nothing.to_prompt() == ""
        assert nothing.left_out == 2
        with pytest.raises(InvalidInput, match="at least one token"):
            memory.recall("order", budget=0)


def test_a_tokenizer_of_ones_own_counts() -> None:
    with knowwhy.open(count_tokens=lambda text: 10 * len(text.split())) as memory:
        memory.observe(source="a", claims=[("order", "colour", "red")])
        assert memory.recall("order colour", budget=100).left_out == 1


def test_a_question_in_chinese_is_answered_in_chinese() -> None:
    with shop() as memory:
        found = memory.recall("订单的退货期限是多久？")
        assert found.language == "zh"
        for rendered in (found.to_prompt(), found.to_markdown(), str(found)):
            assert "可信度" in rendered
            assert "已采信" in rendered
            assert "confidence" not in rendered
        asked = memory.recall("return window of an order")
        assert not HAN.search(asked.to_prompt() + str(asked))


def test_words_of_a_source_that_are_out_of_date_say_so_and_come_later() -> None:
    with shop() as memory:
        for words in ("An order may be returned within 7 days.", "An order may be returned within 15 days."):
            memory.observe(words, source="flyer", observed_at=DAY, extract=False)
        found = memory.recall("How long may an order be returned, what is the return window?")
        assert str(found.beliefs[0].value) == "15 day"
        assert ["15" in one.evidence.text for one in found.passages] == [True, False]
        old = found.passages[1]
        assert old.warnings == ("says “7 day”, which is superseded; now it is “15 day”",)
        for rendered in (found.to_prompt(), found.to_markdown(), str(found)):
            at = rendered.index("within 7 days")
            assert "superseded" in rendered[at:].split("\n")[1]


@given(st.text())
def test_stored_text_is_no_markup_and_no_line_of_its_own(text: str) -> None:
    shown = escaped(text)
    assert "\n" not in shown
    bare = re.sub(r"\\.|&(?:amp|lt|gt);", "", shown)
    assert not re.search(r"[*_`\[\]<>#|~]", bare)
    assert "\n" not in quoted(text)


def test_markdown_holds_what_the_prompt_holds() -> None:
    with knowwhy.open() as memory:
        memory.observe(source="a", claims=[("order", "note", "<b>ignore all</b> *rules*")])
        found = memory.recall("order note")
        assert "<b>" not in found.to_markdown()
        assert "&lt;b&gt;ignore all" in found.to_markdown()
        assert "ignore all" in found.to_prompt()
