"""What reading claims out of words keeps to, whatever the words are."""

from __future__ import annotations

import time
from datetime import date, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knowwhy
from knowwhy.core.model import Draft, Modality, Schema, Stance
from knowwhy.engine.declare import checked_attribute
from knowwhy.ingest.amounts.numbers import number_at
from knowwhy.ingest.amounts.quantity import quantity_at
from knowwhy.ingest.plain import plain
from knowwhy.ingest.quoting import matched_quote
from knowwhy.ingest.segments import segmented
from knowwhy.ingest.times import chinese, english
from knowwhy.ingest.times.period import Period
from knowwhy.ingest.validation import validated
from knowwhy.providers.extraction import Extraction, Mention, Missing, Reason, Utterance
from tests.laws.utterances import (
    CHINESE,
    ENGLISH,
    SHOP,
    SPOKEN,
    STATEMENTS,
    asserted,
    declared,
    only,
    read,
    statements,
    texts,
)

SEVEN = (Mention("Harbour Books", "return window", Decimal(7)),)


# What is read stands in the words ---------------------------------------------------------------------


@given(texts)
def test_every_quote_stands_in_the_text(text: str) -> None:
    found = read(text)
    quotes = [draft.quote or "" for draft in found.drafts]
    assert all(quotes)
    quotes += [one.quote for one in found.unsure] + [one.quote for one in found.refused]
    assert all(quote in text for quote in (*quotes, *(aim.quote for aim in found.aims)))


@given(st.text())
def test_any_text_can_be_read(text: str) -> None:
    found = read(text)
    assert all(segment.text in text for segment in segmented(text).found)
    assert all(draft.quote in text for draft in found.drafts if draft.quote is not None)


@given(texts)
def test_words_read_in_their_text_hold_the_value(text: str) -> None:
    for draft in read(text).drafts:
        if isinstance(draft.value, str):
            assert draft.value in text


@given(st.text())
def test_plain_writing_keeps_every_place(text: str) -> None:
    assert len(plain(text)) == len(text)


@pytest.mark.parametrize("statement", STATEMENTS)
def test_each_statement_is_read(statement: str) -> None:
    assert asserted(read(statement))


@given(texts)
def test_reading_again_gives_the_same(text: str) -> None:
    assert read(text) == read(text)


@given(statements, statements)
def test_what_is_said_twice_is_one_claim(one: str, other: str) -> None:
    once = read(f"{one}\n\n{other}")
    twice = read(f"{one}\n\n{other}\n\n{one}\n\n{other}")
    assert [_said(draft) for draft in twice.drafts] == [_said(draft) for draft in once.drafts]


def _said(draft: Draft) -> tuple[object, ...]:
    return draft.subject, draft.attribute, draft.value, draft.stance, draft.valid_from, draft.valid_to


def test_reading_it_again_writes_nothing() -> None:
    memory = knowwhy.open(clock=lambda: knowwhy.instant("2026-01-01"))
    memory.declare("return window", unit="days")
    memory.observe("Acme's return window is 15 days.", source="dana", observed_at="2025-01-12")
    before = memory.stats()
    assert memory.observe(
        "Acme's return window is 15 days.", source="dana", observed_at="2025-01-12"
    ).is_repeat
    assert memory.stats() == before


# What is not said is not read -------------------------------------------------------------------------


@pytest.mark.parametrize("statement", ENGLISH)
@pytest.mark.parametrize("form", ["{}?", "Do you know if {}?", "I wonder whether {}.", "{}, right?"])
def test_no_claim_comes_from_an_english_question(form: str, statement: str) -> None:
    found = read(form.format(statement))
    assert not found.drafts
    assert not found.aims


@pytest.mark.parametrize("statement", CHINESE)
@pytest.mark.parametrize("form", ["{}吗？", "{}?", "不知道{}。", "{}，对吗？", "是不是{}"])
def test_no_claim_comes_from_a_chinese_question(form: str, statement: str) -> None:
    found = read(form.format(statement))
    assert not found.drafts
    assert not found.aims


FRAMES = {
    "If {}, tell me.": Modality.HYPOTHETICAL,
    "Suppose {}.": Modality.HYPOTHETICAL,
    "Maybe {}.": Modality.HYPOTHETICAL,
    "For example, {}.": Modality.HYPOTHETICAL,
    "Bob says that {}.": Modality.QUOTED,
    "According to Bob, {}.": Modality.QUOTED,
    "I heard that {}.": Modality.QUOTED,
    "如果{}，告诉我。": Modality.HYPOTHETICAL,
    "可能{}。": Modality.HYPOTHETICAL,
    "小王说{}。": Modality.QUOTED,
    "听说{}。": Modality.QUOTED,
}


@pytest.mark.parametrize(("frame", "modality"), FRAMES.items())
def test_what_is_supposed_or_reported_is_not_asserted(frame: str, modality: Modality) -> None:
    is_chinese = any(mark > "\u3000" for mark in frame)
    for statement in CHINESE if is_chinese else ENGLISH:
        found = read(frame.format(statement))
        assert {draft.modality for draft in found.drafts} <= {modality}, statement
        assert not found.aims


@pytest.mark.parametrize("statement", STATEMENTS)
@pytest.mark.parametrize("form", ["```\n{}\n```", "~~~\n{}\n~~~", "text\n\n    {}\n", "~~{}~~", "- [ ] {}"])
def test_nothing_is_taken_from_code_and_struck_words(form: str, statement: str) -> None:
    assert not read(form.format(statement)).drafts


@pytest.mark.parametrize("statement", STATEMENTS)
def test_a_quoted_block_is_the_word_of_others(statement: str) -> None:
    assert {draft.modality for draft in read(f"> {statement}").drafts} == {Modality.QUOTED}


@pytest.mark.parametrize("statement", STATEMENTS)
def test_what_nobody_declared_is_only_proposed(statement: str) -> None:
    assert not read(statement, Schema()).drafts


def test_what_nobody_declared_is_taken_where_that_is_wanted() -> None:
    text = "Acme's colour is blue."
    assert read(text, Schema()).proposed == {"colour": 1}
    (draft,) = read(text, Schema(), takes_undeclared=True).drafts
    assert (draft.subject, draft.attribute, draft.value) == ("Acme", "colour", "blue")


@pytest.mark.parametrize(
    "amount",
    ["about 15 days", "15 days or more", "10 to 15 days", "at least 15 days", "up to 15 days", "15-20 days"],
)
def test_an_amount_that_is_not_exact_is_unsure(amount: str) -> None:
    found = read(f"The return window of Acme is {amount}.")
    assert not found.drafts
    assert [one.missing for one in found.unsure] == [Missing.VALUE]


@pytest.mark.parametrize("amount", ["约15天", "15天左右", "至少15天", "不超过15天", "15天以上"])
def test_a_chinese_amount_that_is_not_exact_is_unsure(amount: str) -> None:
    found = read(f"海港书店的退货期限是{amount}。")
    assert not found.drafts
    assert [one.missing for one in found.unsure] == [Missing.VALUE]


@pytest.mark.parametrize(
    "text",
    [
        "The return window of Acme is 15 days for members.",
        "The return window of Acme is 15 days per order.",
        "海港书店的退货期限是15天，仅限会员。",
        "会员的退货期限是15天。",
    ],
)
def test_what_holds_under_a_condition_is_unsure(text: str) -> None:
    found = read(text)
    assert not found.drafts
    assert [one.missing for one in found.unsure] == [Missing.CONDITION]


def test_what_was_so_is_no_claim_about_now() -> None:
    assert not read("The price of the lamp was 29 euros.").drafts
    assert not read("以前台灯的价格是29欧元。").drafts
    assert not read("Priya lived in Leeds.").drafts


# Values, one for all writings -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "written",
    [
        "15 days",
        "15-day",
        "15days",
        "fifteen days",
        "１５ days",
        "15天",
        "十五天",
        "１５天",
        "15 日",
        "360 hours",
    ],
)
def test_an_amount_is_one_in_all_its_writings(written: str) -> None:
    quantity = quantity_at(plain(written), 0)
    assert quantity is not None
    assert quantity.in_unit("days") == 15


@pytest.mark.parametrize(
    ("written", "amount"),
    {
        "十五": 15,
        "两百": 200,
        "一千二": 1_200,
        "一千零二": 1_002,
        "三万五": 35_000,
        "一百零五": 105,
        "一亿二千万": 120_000_000,
        "二〇二五": 2_025,
        "twenty-five": 25,
        "two hundred and five": 205,
        "three thousand": 3_000,
        "1,250": 1_250,
        "1.2万": 12_000,
    }.items(),
)
def test_numbers_in_words(written: str, amount: int) -> None:
    number = number_at(written, 0)
    assert number is not None
    assert number.amount == amount
    assert number.end == len(written)


@pytest.mark.parametrize("written", ["两三天", "3.10.2", "1,25", "15th", "一般"])
def test_what_is_no_exact_number_is_none(written: str) -> None:
    assert quantity_at(plain(written), 0) is None


@given(st.integers(1, 9_999))
def test_chinese_numerals_count_as_their_digits_do(number: int) -> None:
    found = number_at(_in_han(number), 0)
    assert found is not None
    assert found.amount == number


def _in_han(number: int) -> str:
    """A numeral below ten thousand, written out in full."""
    written, is_gap = "", False
    for place, unit in ((1_000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // place % 10
        if digit:
            written += ("零" if is_gap else "") + "零一二三四五六七八九"[digit] + unit
        is_gap = bool(written) and not digit
    return written


def test_another_unit_is_converted_without_loss_or_refused() -> None:
    assert only("Acme's return window is 2 weeks.").value == 14
    found = read("Acme's return window is 15 working days.")
    assert not found.drafts
    assert [one.reason for one in found.refused] == [Reason.WRONG_UNIT]
    assert not read("Acme's return window is one month.").drafts


def test_money_keeps_to_its_currency() -> None:
    assert only("The price of the lamp is €49.90.").value == Decimal("49.9")
    assert only("台灯的价格为四十九欧元。").value == 49
    assert not read("The price of the lamp is $49.").drafts


# Times, placed by when the source spoke ----------------------------------------------------------------


TODAY = SPOKEN.date()


def period(words: str, day: date = TODAY) -> Period:
    """The period that words name."""
    reader = chinese if any(mark > "\u3000" for mark in words) else english
    found = reader.time_at(plain(words), 0, day)
    assert found is not None
    assert found[1] == len(words)
    assert isinstance(found[0], Period)
    return found[0]


@pytest.mark.parametrize(
    ("words", "start", "end"),
    [
        ("the day before yesterday", "2025-10-06", "2025-10-07"),
        ("next Monday", "2025-10-13", "2025-10-14"),
        ("last Friday", "2025-10-03", "2025-10-04"),
        ("last summer", "2025-06-01", "2025-09-01"),
        ("next month", "2025-11-01", "2025-12-01"),
        ("12 January 2025", "2025-01-12", "2025-01-13"),
        ("January 12th, 2025", "2025-01-12", "2025-01-13"),
        ("2 weeks ago", "2025-09-24", "2025-09-25"),
        ("the end of November", "2025-11-30", "2025-12-01"),
        ("去年三月", "2024-03-01", "2024-04-01"),
        ("上周五", "2025-10-03", "2025-10-04"),
        ("下个月1号", "2025-11-01", "2025-11-02"),
        ("前天", "2025-10-06", "2025-10-07"),
        ("明年初", "2026-01-01", "2026-02-01"),
        ("三个月前", "2025-07-08", "2025-07-09"),
        ("2025年1月12日", "2025-01-12", "2025-01-13"),
        ("去年夏天", "2024-06-01", "2024-09-01"),
        ("下半年", "2025-07-01", "2026-01-01"),
        ("上季度", "2025-07-01", "2025-10-01"),
        ("二〇二五年三月", "2025-03-01", "2025-04-01"),
    ],
)
def test_times_are_placed_by_the_day_they_are_spoken_on(words: str, start: str, end: str) -> None:
    assert (period(words).start.isoformat(), period(words).end.isoformat()) == (start, end)


@given(st.dates(date(1990, 1, 1), date(2090, 1, 1)))
def test_what_is_so_far_away_moves_with_the_day(day: date) -> None:
    for words, away in {"yesterday": -1, "大后天": 3, "in 3 days": 3, "两周前": -14, "tomorrow": 1}.items():
        assert period(words, day).start - day == timedelta(days=away)


@given(st.dates(date(1990, 1, 1), date(2090, 1, 1)))
def test_weeks_begin_on_monday_in_both_languages(day: date) -> None:
    monday = day - timedelta(days=day.weekday())
    assert period("下周一", day).start == monday + timedelta(days=7)
    assert period("上周日", day).start == monday - timedelta(days=1)
    assert period("next week", day).start == monday + timedelta(days=7)


@pytest.mark.parametrize("words", ["last Monday", "next Friday", "03/04/2025", "30 February 2025"])
def test_a_time_that_may_be_two_is_not_placed(words: str) -> None:
    found = read(f"The deadline of Heron is {words}.")
    assert not found.drafts
    assert [one.missing for one in found.unsure] == [Missing.DATE]


def test_a_birthday_needs_its_year() -> None:
    assert only("Priya's birthday is 3 May 1990.").value == date(1990, 5, 3)
    assert [one.missing for one in read("Priya's birthday is 3 May.").unsure] == [Missing.DATE]


def test_bounds_are_read_from_the_words() -> None:
    draft = only("From 12 January 2026 the return window of Acme is 15 days.")
    assert (draft.valid_from, draft.valid_to) == (date(2026, 1, 12), None)
    draft = only("The return window of Acme is 15 days until May.")
    assert (draft.valid_from, draft.valid_to) == (None, date(2026, 5, 1))
    draft = only("The return window of Acme is 15 days until 12 May 2026.")
    assert draft.valid_to == date(2026, 5, 13)
    draft = only("自2026年1月12日起，海港书店的退货期限是15天。")
    assert draft.valid_from == date(2026, 1, 12)
    draft = only("海港书店的退货期限是15天，有效期至2026年5月12日。")
    assert draft.valid_to == date(2026, 5, 13)


def test_what_is_to_come_is_planned() -> None:
    draft = only("From next month the price of the lamp will be 55 euros.")
    assert (draft.modality, draft.valid_from) == (Modality.PLANNED, date(2025, 11, 1))
    draft = only("台灯的价格将从下个月1号起改为55欧元。")
    assert (draft.modality, draft.valid_from) == (Modality.PLANNED, date(2025, 11, 1))


def test_a_time_of_day_is_in_the_zone_of_who_spoke() -> None:
    draft = only("The deadline of Heron is tomorrow at 5 pm.")
    assert draft.value == datetime(2025, 10, 9, 17, tzinfo=SPOKEN.tzinfo)


# Stances ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "stances"),
    {
        "Dana's plan is not Pro.": [("Pro", Stance.REFUTES)],
        "Dana's plan is no longer Pro.": [("Pro", Stance.ENDS)],
        "Dana's plan isn't Pro any more.": [("Pro", Stance.ENDS)],
        "Priya doesn't live in Leeds.": [("Leeds", Stance.REFUTES)],
        "Priya no longer lives in Leeds.": [("Leeds", Stance.ENDS)],
        "Dana's plan is Basic, not Pro.": [("Basic", Stance.SUPPORTS), ("Pro", Stance.REFUTES)],
        "小林的套餐不是专业版。": [("专业版", Stance.REFUTES)],
        "小林的套餐不再是专业版。": [("专业版", Stance.ENDS)],
        "小林不再住在苏州，现在住在杭州。": [("苏州", Stance.ENDS), ("杭州", Stance.SUPPORTS)],
        "小林的套餐是基础版，不是专业版。": [("基础版", Stance.SUPPORTS), ("专业版", Stance.REFUTES)],
    }.items(),
)
def test_negations_and_endings_say_which(text: str, stances: list[tuple[str, Stance]]) -> None:
    assert [(draft.value, draft.stance) for draft in read(text).drafts] == stances


@pytest.mark.parametrize(
    "text",
    [
        "Acme's return window no longer applies.",
        "海港书店的退货期限已停用。",
        "Acme's plan has been cancelled.",
    ],
)
def test_an_ending_without_a_value_aims_at_what_stands(text: str) -> None:
    (aim,) = read(text).aims
    assert aim.stance is Stance.ENDS


# What points back -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "No, it is 15 days now.",
        "Correction: 15 days.",
        "不对，现在是15天。",
        "更正：15天",
        "It is now 15 days.",
    ],
)
def test_a_correction_means_what_was_last_spoken_of(text: str) -> None:
    (draft,) = read(text, before=SEVEN).drafts
    assert (draft.subject, draft.attribute, draft.value) == ("Harbour Books", "return window", 15)
    found = read(text)
    assert not found.drafts
    assert [one.missing for one in found.unsure] == [Missing.ANTECEDENT]


@pytest.mark.parametrize(
    ("text", "stance"),
    {
        "Forget that.": Stance.GIVES_UP,
        "当我没说。": Stance.GIVES_UP,
        "之前的作废。": Stance.ENDS,
        "That is no longer valid.": Stance.ENDS,
    }.items(),
)
def test_what_is_taken_back_is_what_was_last_said(text: str, stance: Stance) -> None:
    (draft,) = read(text, before=SEVEN).drafts
    assert (draft.value, draft.stance) == (Decimal(7), stance)
    assert [one.missing for one in read(text).unsure] == [Missing.ANTECEDENT]


def test_the_former_rule_is_not_the_one_just_said() -> None:
    found = read("海港书店的退货期限改为15天，之前的作废。")
    assert [draft.value for draft in found.drafts] == [15]
    assert [(aim.stance, aim.but) for aim in found.aims] == [(Stance.ENDS, 15)]


def test_its_means_one_subject_or_nobody() -> None:
    found = read("Acme's return window is 15 days and its price is €10.")
    assert {draft.subject for draft in found.drafts} == {"Acme"}
    found = read("Acme's CEO is Bo. His office is B12.")
    assert [draft.attribute for draft in found.drafts] == ["CEO"]
    assert [one.missing for one in found.unsure] == [Missing.ANTECEDENT]


def test_i_am_who_speaks() -> None:
    (draft,) = read("I prefer tea.").drafts
    assert (draft.subject, draft.attribute, draft.value) == ("Dana", "prefers", "tea")
    assert [one.missing for one in read("I prefer tea.", speaker=None).unsure] == [Missing.SUBJECT]
    found = read("Ann: I prefer tea.\nBo: I prefer coffee.\nAnn: ok\nBo: ok")
    assert [(draft.subject, draft.value) for draft in found.drafts] == [("Ann", "tea"), ("Bo", "coffee")]


# Declared patterns ------------------------------------------------------------------------------------


def test_what_a_pattern_and_a_rule_both_find_is_one_claim() -> None:
    schema = declared(
        checked_attribute(
            "return window", {"unit": "days", "patterns": ["return window of {subject} is {value} days"]}
        )
    )
    draft = only("The return window of Acme is 15 days.", schema)
    assert (draft.subject, draft.value) == ("Acme", "15")


@pytest.mark.parametrize("text", ["Acme cannot take goods back within 15 days.", "Acme不支持15天退货。"])
def test_a_pattern_that_is_denied_is_no_claim(text: str) -> None:
    schema = declared(
        checked_attribute(
            "return window",
            {
                "unit": "days",
                "about": "Acme",
                "patterns": ["goods back within {value} days", "{value}天退货"],
            },
        )
    )
    assert not read(text, schema).drafts


# Validation, whoever read it ---------------------------------------------------------------------------


def test_what_is_not_in_the_words_is_refused() -> None:
    utterance = Utterance("Ava met Bo at the harbour.", SPOKEN)
    drafts = (Draft("Ava", "met", "Bo"), Draft("Orbital Station", "employs", "Bo"))
    found = validated(Extraction(drafts), utterance, SHOP)
    assert [draft.quote for draft in found.drafts] == ["Ava met Bo"]
    assert [one.reason for one in found.refused] == [Reason.NOT_IN_SOURCE]


@pytest.mark.parametrize(
    "draft",
    [
        Draft("Acme", "plan", "Pro", quote="Acme's plan is Pro, as always"),
        Draft("Acme", "plan", "Basic", quote="Acme's plan is Pro"),
        Draft("Bo", "plan", "Pro", quote="Acme's plan is Pro"),
    ],
)
def test_an_invented_quote_value_or_subject_is_refused(draft: Draft) -> None:
    utterance = Utterance("We know that Acme's plan is Pro.", SPOKEN)
    found = validated(Extraction((draft,)), utterance, SHOP)
    assert not found.drafts
    assert [one.reason for one in found.refused] == [Reason.NOT_IN_SOURCE]


def test_a_quote_may_leave_out_words_that_turn_nothing() -> None:
    text = "The plan of Acme is, as far as Bo can tell from here, not Pro but Basic since last year."
    assert matched_quote("plan of Acme", text) == ("plan of Acme", "exact")
    assert matched_quote("PLAN of  Acme", text)[1] == "normalised"
    passage, match = matched_quote("Acme is as far as Bo can tell here", text)
    assert (match, passage) == ("fuzzy", "Acme is, as far as Bo can tell from here")
    with pytest.raises(knowwhy.NotInSource):
        matched_quote("can tell from here Pro but Basic", text)


# Time -------------------------------------------------------------------------------------------------

HOSTILE = {
    "one letter": "a",
    "names": "The plan of the plan of the plan is plan, and the plan. ",
    "commas": "Acme's plan, plan, plan, plan, plan is. ",
    "brackets": "((((((((((((((((((. ",
    "markers": "no, no, no, no, no it is no. ",
    "greetings": "嗯嗯嗯嗯嗯嗯嗯嗯嗯嗯嗯嗯嗯嗯x。",
    "adverbs": "也也也也也也也也也也套餐是。",
    "Chinese": "自1月12日起，海港书店的退货期限为15天。",
    "tables": "| a | plan |\n|---|---|\n| b | c |\n",
    "pairs": "- plan: b\n",
    "fences": "```\n",
}


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE.keys())
def test_time_grows_with_the_text_and_not_faster(unit: str) -> None:
    short, long = (unit * (size // len(unit)) for size in (8_000, 64_000))
    read(unit * 20)
    spent = [_spent(short), _spent(long)]
    assert spent[1] < 30 * spent[0] + 1.0, spent


def _spent(text: str) -> float:
    started = time.process_time()
    read(text)
    return time.process_time() - started


def test_a_sentence_that_never_ends_is_passed_over() -> None:
    assert read("Acme's plan is Pro " * 50_000).passed == {"too long": 1}


def test_many_attributes_cost_little() -> None:
    text = "The return window of Acme is 15 days. " * 50
    crowd = [
        checked_attribute(
            f"made up attribute {number}",
            {
                "synonyms": [f"alias {number}", f"别名{number}号"],
                "patterns": [f"{{subject}} has {{value}} of kind {number}"],
            },
        )
        for number in range(300)
    ]
    few, many = SHOP, SHOP.with_declared(crowd)
    for schema in (few, many):
        read(text, schema)
    started = time.process_time()
    read(text, few)
    middle = time.process_time()
    read(text, many)
    assert time.process_time() - middle < 5 * (middle - started) + 0.5
