"""Grounding: what a model read out of words is taken only as far as the words hold it.

Numbers and dates are looked for in the words by the same rules that read them without a model; a number whose
unit cannot be told, a day that the words do not name, or a value that is only a limit makes no claim.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import Final

from knowwhy.core.model import (
    Attribute,
    Draft,
    Modality,
    Schema,
    Stance,
    ValueType,
    attribute_key,
    undeclared,
)
from knowwhy.errors import NotInSource
from knowwhy.ingest.amounts.quantity import Quantity, is_left_open, is_rough, quantity_at
from knowwhy.ingest.amounts.units import factor
from knowwhy.ingest.grammar.values import named_unit, tidy
from knowwhy.ingest.plain import has_han, plain
from knowwhy.ingest.quoting import matched_quote
from knowwhy.ingest.times import chinese, english
from knowwhy.ingest.times.period import Direction, Puzzle
from knowwhy.providers.extraction import Aim, Reason, Refusal, Utterance
from knowwhy.recall.expressions import expression

# What a reader's own doubt takes from a claim: one weak sign among others.
UNSURE_WEIGHT: Final = 0.5
_ROUGH_LEAD: Final = 16
# "Returns within 15 days" says how long the time is: that is the value, and no guess at it.
_WITHIN: Final = expression(r"\bwithin\s+$|在\s*$")
_INSIDE: Final = expression(r"\s*(?:以内|之内|内)")
_TRUTHS: Final = {"true": True, "yes": True, "是": True, "false": False, "no": False, "否": False}


@dataclass(frozen=True, slots=True)
class Told:
    """One claim as somebody reports it, in texts: see the prompts for what each says."""

    subject: str
    attribute: str
    value: str | None
    quote: str
    unit: str | None = None
    stance: Stance = Stance.SUPPORTS
    modality: Modality = Modality.ASSERTED
    valid_from: str | None = None
    valid_to: str | None = None
    is_sure: bool = True


def grounded(told: Told, utterance: Utterance, schema: Schema) -> Draft | Aim | Refusal:
    """The claim, with value and bounds as the words have them; or why it is not taken."""
    try:
        passage, _ = matched_quote(told.quote, utterance.text)
    except NotInSource as problem:
        return Refusal(Reason.NOT_IN_SOURCE, told.quote, problem.message)
    known = schema.by_name.get(attribute_key(told.attribute))
    attribute = undeclared(told.attribute) if known is None else known
    bounds = _bound(told.valid_from, utterance), _bound(told.valid_to, utterance)
    if missing := next((one for one in bounds if isinstance(one, str)), None):
        return Refusal(Reason.NOT_IN_SOURCE, told.quote, missing)
    valid_from, valid_to = (None if isinstance(one, str) else one for one in bounds)
    name = attribute.name if known is not None else told.attribute
    if told.value is None:
        if told.stance is not Stance.ENDS:
            return Refusal(Reason.INVALID, told.quote, "a claim without a value can only say that it ended")
        return Aim(told.subject, name, Stance.ENDS, told.quote, valid_to)
    draft = Draft(
        told.subject,
        name,
        told.value,
        told.stance,
        valid_from=valid_from,
        valid_to=valid_to,
        modality=told.modality,
        quote=told.quote,
        weight=1.0 if told.is_sure else UNSURE_WEIGHT,
    )
    return _valued(draft, told, attribute, passage, utterance)


def _valued(
    draft: Draft, told: Told, attribute: Attribute, passage: str, utterance: Utterance
) -> Draft | Refusal:
    kind = attribute.value_type
    if kind is ValueType.BOOLEAN:
        truth = _TRUTHS.get(str(told.value).casefold())
        wrong = Refusal(Reason.TYPE_MISMATCH, told.quote, f"{attribute.name!r} is yes or no")
        return wrong if truth is None else replace(draft, value=truth)
    if kind is ValueType.DATE:
        day = _day(str(told.value))
        if day is None or day not in days_in(passage, utterance):
            return Refusal(Reason.NOT_IN_SOURCE, told.quote, f"the words name no day such as {told.value}")
        return replace(draft, value=day)
    if kind is ValueType.NUMBER or (kind is None and (attribute.unit or told.unit)):
        return _numbered(draft, told, attribute, passage, utterance)
    return draft


def _numbered(
    draft: Draft, told: Told, attribute: Attribute, passage: str, utterance: Utterance
) -> Draft | Refusal:
    try:
        wanted = Decimal(str(told.value).replace(",", "").strip())
    except InvalidOperation:
        return Refusal(Reason.TYPE_MISMATCH, told.quote, f"{told.value!r} is no number")
    written = plain(passage)
    found = next((one for one in quantities_in(written) if one[1].amount == wanted), None)
    if found is None:
        return Refusal(Reason.NOT_IN_SOURCE, told.quote, f"{told.value} is not in the words that are quoted")
    at, quantity = found
    lead = range(max(0, at - _ROUGH_LEAD), at)
    is_limit = any(is_rough(written, start) == at for start in lead) or is_left_open(written, quantity.end)
    is_window = _WITHIN.search(written[:at]) or _INSIDE.match(written, quantity.end)
    if is_limit and not is_window:
        return Refusal(Reason.INVALID, told.quote, "an exact value is missing: this is a limit or a guess")
    unit = quantity.unit
    if unit is None and told.unit and plain(told.unit) in plain(utterance.text):
        unit = told.unit  # said elsewhere, as in the head of a table
    if attribute.unit is None:
        return replace(draft, value=tidy(wanted), unit=None if unit is None else named_unit(unit))
    times = Decimal(1) if unit is None or _is_same(unit, attribute.unit) else factor(unit, attribute.unit)
    if times is None:
        says = f"{attribute.name!r} is declared in {attribute.unit}, and this is in {unit}"
        return Refusal(Reason.WRONG_UNIT, told.quote, says)
    return replace(draft, value=tidy(wanted * times))


def _is_same(one: str, other: str) -> bool:
    return plain(one).rstrip("s") == plain(other).rstrip("s")


def quantities_in(written: str) -> Iterator[tuple[int, Quantity]]:
    """The quantities in a plain text, each with where it begins."""
    at = 0
    while at < len(written):
        found = None if _is_inside(written, at) else quantity_at(written, at)
        if found is not None:
            yield at, found
        at = max(at + 1, found.end if found is not None else 0)


def days_in(text: str, utterance: Utterance) -> frozenset[date]:
    """The days that the words of a text name, or where stretches of time that they name begin and end."""
    return _days_in(text, utterance.spoke_at.date())


@lru_cache(maxsize=256)
def _days_in(text: str, spoken: date) -> frozenset[date]:
    written = plain(text)
    found: set[date] = set()
    for at in range(len(written)):
        if _is_inside(written, at):
            continue
        for time_at in (english.time_at, chinese.time_at) if has_han(text) else (english.time_at,):
            for direction in Direction:
                read = time_at(written, at, spoken, direction)
                if read is not None and not isinstance(read[0], Puzzle):
                    found |= {read[0].start, read[0].end}
    return frozenset(found)


def _is_inside(written: str, at: int) -> bool:
    """Whether a place is inside of a word or number that does not begin there."""
    before, here = written[at - 1 : at], written[at]
    return here.isspace() or (before.isascii() and before.isalnum() and here.isascii() and here.isalnum())


def _bound(written: str | None, utterance: Utterance) -> date | str | None:
    """The day that bounds a claim; why it cannot be one, where the words do not name it."""
    if written is None:
        return None
    day = _day(written)
    return (
        day
        if day is not None and day in days_in(utterance.text, utterance)
        else (f"the words name no day such as {written}")
    )


def _day(written: str) -> date | None:
    try:
        return date.fromisoformat(written.strip())
    except ValueError:
        return None
