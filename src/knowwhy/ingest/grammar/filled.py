"""Filled patterns: what a declared pattern finds is a claim, if the sentence around it means it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from knowwhy.core.model import Modality, RawValue, Stance, ValueType
from knowwhy.ingest.amounts.numbers import number_at
from knowwhy.ingest.candidates import Bounds, Candidate, Written
from knowwhy.ingest.grammar.chinese_bounds import ChineseBounds
from knowwhy.ingest.grammar.chinese_topics import Topics
from knowwhy.ingest.grammar.english_bounds import EnglishBounds
from knowwhy.ingest.grammar.moods import modality_of, place_of
from knowwhy.ingest.grammar.subjects import clause_begin
from knowwhy.ingest.grammar.values import Place, value_in
from knowwhy.ingest.patterns import Filled
from knowwhy.ingest.plain import has_han, plain
from knowwhy.recall.expressions import expression

_ENDS: Final = expression(r"(?:\bno longer\b[^,;]{0,15}|不再[^,;。]{0,4})$")
_DENIES: Final = expression(
    r"(?:\b(?:not|never|cannot|can't|isn't|aren't|doesn't|don't|won't)\b[^,;]{0,15}"
    r"|(?:不能|不可|不得|无法|不支持|没有|并非|不是|不会)[^,;。]{0,4})$"
)


def filled_candidate(filled: Filled, text: str, spoke_at: datetime) -> Candidate | None:
    """The candidate that a filled pattern is; None where its sentence asks or denies."""
    value = _value(filled, spoke_at)
    written = plain(text)
    filled = _without_leads(filled, text, written, spoke_at)
    before = written[: filled.start]
    if value is None or not filled.subject or _DENIES.search(before):
        return None
    words_at = filled.start if filled.lead_to is None else filled.lead_to
    modality = modality_of(
        written,
        filled.start,
        filled.end,
        names=[(words_at, filled.end)],
        subjects=place_of(filled.subject, text),
    )
    if modality is None or modality is Modality.ASKED:
        return None
    return Candidate(
        filled.subject,
        filled.attribute,
        value,
        filled.start,
        filled.end,
        stance=Stance.ENDS if _ENDS.search(before) else Stance.SUPPORTS,
        modality=modality,
        bounds=_bounds(written, filled.end, spoke_at),
    )


def _without_leads(filled: Filled, text: str, written: str, spoke_at: datetime) -> Filled:
    """The same without words before its subject that only lead to it: "I heard that", 听说."""
    end = filled.lead_to
    if end is None:
        return filled
    if has_han(written):
        topics = Topics(text, written, ChineseBounds(written, spoke_at))
        start = topics.name_start(filled.start, end)
    else:
        start = clause_begin(written, filled.start, end)
    return replace(filled, subject=text[start:end].strip(), start=start)


def _bounds(written: str, end: int, spoke_at: datetime) -> Bounds:
    """The times that stand before and behind the words of a pattern."""
    if has_han(written):
        chinese = ChineseBounds(written, spoke_at)
        lead = chinese.adjunct(0)
        return chinese.tail(end, len(written)).bounds.within(lead.bounds if lead else Bounds())
    english = EnglishBounds(written, spoke_at)
    return english.tail(end, len(written)).bounds.within(english.leading(0).bounds)


def _value(filled: Filled, spoke_at: datetime) -> RawValue | None:
    attribute, value = filled.attribute, filled.value
    if attribute.value_type is ValueType.NUMBER and not value.isascii():
        number = number_at(plain(value), 0)
        return None if number is None else number.amount
    if attribute.value_type is ValueType.DATE:
        found = value_in(Place(value, plain(value), 0, len(value), spoke_at), attribute)
        return found.value if isinstance(found, Written) else value
    return value
