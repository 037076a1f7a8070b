"""Mistakes that were made in reading, each as a law over its whole kind."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowwhy.core.model import Draft, Modality
from tests.laws.utterances import asserted, only, read

# What a name may be made of that says something else where it stands alone.
FORMERLY = "原旧曾"
NAMES = st.builds(
    "{}{}{}".format,
    st.sampled_from(["冻", "高", "平", "冀", "南"]),
    st.sampled_from(FORMERLY),
    st.sampled_from(["户外", "书店", "食品", "实验室"]),
)


def said(text: str) -> list[tuple[str, str, str]]:
    """Subject, attribute and value of what is asserted."""
    return [(one.subject, one.attribute, str(one.value)) for one in asserted(read(text))]


@given(NAMES, st.integers(2, 90))
def test_a_character_inside_a_name_does_not_make_it_past(name: str, days: int) -> None:
    assert said(f"{name}的退货期限是{days}天。") == [(name, "return window", str(days))]
    assert said(f"{name}把退货期限从1天改为{days}天。") == [(name, "return window", str(days))]


@given(NAMES, st.sampled_from(FORMERLY), st.integers(2, 90))
def test_the_same_character_before_an_attribute_does(name: str, formerly: str, days: int) -> None:
    assert said(f"{name}的{formerly}退货期限是{days}天。") == []
    assert said(f"{name}{formerly}退货期限是{days}天。") == []


@pytest.mark.parametrize("leading", ["While", "Whereas", "Although", "Though", "Because", "But", "And"])
def test_no_conjunction_becomes_part_of_an_english_name(leading: str) -> None:
    found = said(f"{leading} Harbour Books' return window is 15 days, the price of the lamp is €49.")
    assert ("Harbour Books", "return window", "15") in found


@pytest.mark.parametrize("leading", ["而", "但", "然而", "至于", "不过", "而且", "此外"])
def test_no_conjunction_becomes_part_of_a_chinese_name(leading: str) -> None:
    found = said(f"台灯的价格是49欧元，{leading}水壶的价格是20欧元。")
    assert found == [("台灯", "price", "49"), ("水壶", "price", "20")]


@pytest.mark.parametrize(
    "condition",
    ["持学生证时", "周末期间", "购买两件的情况下", "促销结束之后", "韩露到任之前", "登山俱乐部会员"],
)
def test_a_condition_in_a_clause_of_its_own_limits_what_follows(condition: str) -> None:
    assert said(f"{condition}，台灯的价格是49欧元。") == []


@pytest.mark.parametrize("lead", ["自2023年起", "从2023年开始", "2023年以来"])
def test_a_time_in_a_clause_of_its_own_bounds_what_follows(lead: str) -> None:
    for statement in ("周敏是北风渡轮的首席执行官", "北风渡轮的首席执行官是周敏"):
        found: Draft = only(f"{lead}，{statement}。")
        assert (found.subject, found.value, found.valid_from) == ("北风渡轮", "周敏", date(2023, 1, 1))


@pytest.mark.parametrize("verb", ["reckons", "suspects", "claims", "insists", "assumes", "says", "believes"])
def test_what_somebody_else_holds_is_quoted(verb: str) -> None:
    found = only(f"Owen {verb} that the price of the lamp is €49.")
    assert (found.subject, found.modality) == ("lamp", Modality.QUOTED)


def test_what_i_know_is_my_own_word() -> None:
    for text in ("据我所知，小林不是素食者。", "As far as I know Priya is not vegetarian."):
        assert only(text).modality is Modality.ASSERTED
    assert only("据报道，小林是素食者。").modality is Modality.QUOTED


@pytest.mark.parametrize("will", ["will become", "will be", "is going to be"])
def test_who_will_hold_an_office_is_planned(will: str) -> None:
    found = only(f"On 1 January 2026 Marta Oliveira {will} the CEO of Northwind Ferries.")
    assert (found.value, found.modality) == ("Marta Oliveira", Modality.PLANNED)
    assert found.valid_from == date(2026, 1, 1)
