"""Whatever a model says, what is taken of it stands in the words; what the rules read, a model may say too.

The oracle looks at the marks of the text alone: it knows no grammar.
"""

from __future__ import annotations

import json
import unicodedata
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowwhy.core.model import Draft, Modality, Stance
from knowwhy.errors import UnusableAnswer
from knowwhy.ingest.answers import claims_from, claims_in, kept_claims
from knowwhy.ingest.grounding import Told, grounded
from knowwhy.ingest.validation import validated
from knowwhy.providers.extraction import Aim, Extraction, Refusal, Utterance
from tests.laws.effort import examples
from tests.laws.utterances import SHOP, SPOKEN, STATEMENTS, asserted, read

DIGITS = {7: ("7", "seven", "七"), 15: ("15", "fifteen", "十五"), 30: ("30", "thirty", "三十")}
TEXTS = (
    "The return window of Harbour Books is 15 days, and that of Pier Store seven days.",
    "From 12 January 2026 Dana's plan is Pro. The price of the lamp is €30.",
    "海港书店的退货期限是十五天，台灯的价格是30欧元。",
    "Priya lives in Bath since last Monday. Her birthday is 3 May 1990.",
    "We give at least 30 days. The deadline of Heron is 1 December 2025.",
)
words = st.sampled_from(
    [
        "Harbour Books",
        "Pier Store",
        "Dana",
        "Priya",
        "lamp",
        "Heron",
        "海港书店",
        "台灯",
        "Mallory",
        "Pro",
        "Bath",
    ]
)
values = words | st.sampled_from(
    ["7", "15", "30", "99", "1990-05-03", "2025-12-01", "2026-01-12", "true", "many"]
)
days = st.none() | st.sampled_from(["2026-01-12", "2025-10-06", "2025-12-01", "2031-01-01", "soon"])
names = st.sampled_from(["return window", "plan", "price", "lives in", "deadline", "birthday", "CEO", "mood"])


TRUE = (
    (TEXTS[0], Told("Harbour Books", "return window", "15", TEXTS[0][:46], "days")),
    (
        TEXTS[1],
        Told("Dana", "plan", "Pro", "From 12 January 2026 Dana's plan is Pro", valid_from="2026-01-12"),
    ),
    (TEXTS[2], Told("海港书店", "return window", "15", "海港书店的退货期限是十五天", "天")),
    (TEXTS[3], Told("Priya", "birthday", "1990-05-03", "Her birthday is 3 May 1990")),
    (TEXTS[3], Told("Priya", "lives in", "Bath", "Priya lives in Bath", valid_from="2025-10-06")),
)


@st.composite
def nearly_true(draw: st.DrawFn) -> tuple[str, Told]:
    """A claim that is right but for one thing, which may be right by chance too."""
    text, told = draw(st.sampled_from(TRUE))
    what = draw(st.sampled_from(["value", "value", "subject", "from", "to"]))
    if what == "value":
        return text, replace(
            told, value=draw(st.sampled_from(["7", "30", "99", "2031-01-01", "Bath", "Pro"]))
        )
    if what == "subject":
        return text, replace(told, subject=draw(words))
    if what == "from":
        return text, replace(told, valid_from=draw(days))
    return text, replace(told, valid_to=draw(days))


@st.composite
def made_up(draw: st.DrawFn) -> tuple[str, Told]:
    """A text, and a claim about it that may be right by chance."""
    text = draw(st.sampled_from(TEXTS))
    start = draw(st.integers(0, len(text) - 1))
    end = draw(st.integers(start + 1, len(text)))
    quote = draw(st.just(text[start:end]) | st.just(text) | st.sampled_from(TEXTS))
    told = Told(
        draw(words),
        draw(names),
        draw(st.none() | values),
        quote,
        draw(st.none() | st.sampled_from(["days", "EUR", "weeks"])),
        draw(st.sampled_from([Stance.SUPPORTS, Stance.REFUTES, Stance.ENDS])),
        Modality.ASSERTED,
        draw(days),
        draw(days),
        draw(st.booleans()),
    )
    return text, told


tellings = nearly_true() | made_up()


def taken(text: str, told: Told) -> Draft | Aim | None:
    """What is taken of a claim."""
    utterance = Utterance(text, SPOKEN, "Dana")
    found = grounded(told, utterance, SHOP)
    if isinstance(found, Refusal):
        return None
    one = Extraction(aims=(found,)) if isinstance(found, Aim) else Extraction((found,))
    left = validated(one, utterance, SHOP)
    claims: list[Draft | Aim] = [*left.drafts, *left.aims]
    return next(iter(claims), None)


def level(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


@examples(300)
@given(tellings)
def test_what_is_taken_stands_in_the_words(telling: tuple[str, Told]) -> None:
    text, told = telling
    found = taken(text, told)
    if found is None:
        return
    quote = level(found.quote or "")
    assert quote in level(text)
    assert level(found.subject) in level(text) or found.subject == "Dana"
    if isinstance(found, Draft):
        value = found.value
        if isinstance(value, Decimal):
            amount = int(str(told.value))
            assert any(form in quote for form in DIGITS[amount])
        elif isinstance(value, date):
            assert str(value.year) in quote
            assert str(value.day) in quote
        elif isinstance(value, str):
            assert level(value) in quote


@given(tellings)
def test_a_day_that_bounds_a_claim_is_named_in_the_words(telling: tuple[str, Told]) -> None:
    text, told = telling
    found = taken(text, told)
    bounds = () if found is None else (getattr(found, "valid_from", None), found.valid_to)
    for bound in bounds:
        if bound == date(2025, 10, 6):
            assert "last Monday" in text
        elif isinstance(bound, date):
            assert str(bound.year) in text
            assert str(bound.day) in text


def test_a_number_that_is_only_a_limit_is_no_value() -> None:
    told = Told("We", "return window", "30", "We give at least 30 days", "days")
    assert taken(TEXTS[4], told) is None


@pytest.mark.parametrize("statement", STATEMENTS)
def test_what_the_rules_read_a_model_may_say(statement: str) -> None:
    for draft in asserted(read(statement)):
        value = draft.value.isoformat() if isinstance(draft.value, date | datetime) else str(draft.value)
        told = Told(draft.subject, draft.attribute, value.lower() if isinstance(draft.value, bool) else value,
                    statement, draft.unit)  # fmt: skip
        found = taken(statement, told)
        assert isinstance(found, Draft)
        assert (found.subject, found.attribute) == (draft.subject, draft.attribute)
        assert str(found.value) == str(draft.value)


@given(tellings)
def test_what_is_kept_is_what_was_told(telling: tuple[str, Told]) -> None:
    told = telling[1]
    if told.quote.strip():
        assert claims_from(kept_claims([told, told])) == [told, told]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["passages", "number", "claims", "subject", "quote", "value", "stance"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@pytest.mark.parametrize(("text", "told"), TRUE)
def test_what_is_right_is_taken(text: str, told: Told) -> None:
    assert taken(text, told) is not None


@given(json_values.map(json.dumps) | st.text(max_size=40), st.integers(1, 3))
def test_any_answer_is_understood_or_said_to_be_unusable(answer: str, passages: int) -> None:
    try:
        found = claims_in(answer, passages)
    except UnusableAnswer:
        return
    assert len(found) == passages
