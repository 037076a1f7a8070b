"""Values: what stands where a statement has its value, read as the attribute's type demands."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, time
from decimal import Decimal
from typing import Final, TypeAlias

from knowwhy.core.model import Attribute, ValueType
from knowwhy.ingest.amounts.quantity import Quantity, is_left_open, is_rough, quantity_at
from knowwhy.ingest.amounts.units import unit_named
from knowwhy.ingest.candidates import Gap, Misfit, Written
from knowwhy.ingest.plain import has_han
from knowwhy.ingest.times import chinese, english
from knowwhy.ingest.times.period import Direction, Puzzle
from knowwhy.providers.extraction import Missing, Reason
from knowwhy.recall.expressions import expression
from knowwhy.recall.sentences import name_end

# A value, or what is the matter with it; None where the words are no value at all.
Reading: TypeAlias = Written | Gap | Misfit | None


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value may stand: in a text and its plain writing, from `start` to `end`, said at a moment."""

    text: str
    plain: str
    start: int
    end: int
    spoke_at: datetime


_YES: Final = expression(r"(yes|true|是的?|有|支持|可以)(?=[\s.!。！,，]|$)")
_NO: Final = expression(r"(no|false|否|不是|没有|无|不支持|不可以)(?=[\s.!。！,，]|$)")
# The year of what happens every year, written out.
_ANNUAL: Final = expression(r"\d{4}|[一二三四五六七八九〇零]{4}年")
_ON: Final = expression(r"(?:on|by|at|in(?= \d{4}))\s+|在|于")
_AT_A_NAME: Final = expression(r"(?:in|at) (?=[A-Z0-9])")
_QUALIFIED: Final = expression(
    r"(?:a little|a bit of|some|both|fluent|basic|native) |一点儿?|一些|少许|流利的"
)
_UNIT_WORD: Final = expression(r"[ -]?([a-z]{2,20})\b")

# What is said of a thing, and is not its value.
_REMARK: Final = expression(
    r"""(?:(?:very|too|so|quite|really|pretty|rather|also|still|now|much|far|a\ bit|not)\ )*
    (?:good|great|fine|nice|bad|terrible|awful|ok|okay|fair|unfair|generous|clear|unclear|confusing
      |important|better
      |worse|best|worst|wrong|right|correct|incorrect|unknown|high|higher|low|lower|long|longer|short
        |shorter|expensive
      |cheap|cheaper|fixed|flexible|different|the\ same|similar|as|like|based|about|subject|dependent
        |determined|decided
      |printed|listed|described|shown|explained|known|given|stated|set|written|published|being
        |under\ discussion|open
      \ to|up\ to|to\ be|to\ do|tbd|tba|n/a|none|what|how|why|where|when|that|because|due|just|on\ (?:our
        |the|their)
      |in\ (?:our|the|their)\ |anything|something|everything|nothing|everyone|anyone
      |there|here|it|this|that|you|him|her|them|me|us|one\ of|the\ (?:reason|main
        |most|only|first|last|best|worst|key|one|thing)
      |a\ (?:good|great|bad|nice|big|huge|real|problem|question|mystery|secret|matter|joke|lot)\b
        |an\ (?:issue|open)|my|your|our
      |their|his|her|its|someone|somebody|anyone|nobody|everyone|responsible|happy|sorry|sure|ready
        |available|unavailable|located|situated|found|held|placed|being
      |called|named|not|either|neither|required|necessary|needed|hard|easy|difficult|possible|impossible
        |interesting|boring|annoying|worth|strict)\b""",
    re.VERBOSE,
)
_HAN_REMARK: Final = expression(
    r"(?:很|太|非常|比较|最|更|特别|真|挺|十分|有点|怎|什|多少|哪|谁|几|未知|不详|待定|另行|以.{1,12}为准"
    r"|由.{1,12}决定|按|根据|取决|一样|不同|相同"
    r"|的|不|没|这|那|你|您|我|他|她|它|可|应|必|需|要|会|将|被|对|错|好|差|重要|合理|关键)"
)
_LONGEST_TEXT: Final = 90
_MOST_WORDS: Final = 12
_ARTICLE: Final = expression(r"(?:the|an?) ")
_QUOTES: Final = "\"'“”‘’「」『』《》`*"
_EITHER: Final = expression(r"\w or \w|[^或]或[^或许]|还是")
_CLOSING: Final = _QUOTES + " .。!！;；,，"
_LISTED: Final = expression(r",\s+and\s+|,\s+|\s+and\s+|\s*&\s+|、|[和及与](?=\S)|以及|，")
_CAPITAL: Final = expression(r"[^\W\d_]|\d")


def number(place: Place, attribute: Attribute) -> Reading:
    """An amount, exact and in the attribute's unit."""
    start, end = _begun(place), place.end
    if (rough := is_rough(place.plain, start)) is not None:
        is_amount = quantity_at(place.plain, rough) is not None
        return (
            Gap(Missing.VALUE, start, end, "an exact value: this is a limit or a guess")
            if is_amount
            else None
        )
    found = quantity_at(place.plain[: place.end], start)
    if found is None:
        return None
    if found.unit is None and attribute.unit is not None:
        found = _with_declared_unit(place.plain, found, attribute)
    if is_left_open(place.plain, found.end):
        return Gap(Missing.VALUE, start, end, "an exact value: this is a limit or a guess")
    if attribute.unit is None:
        unit = None if found.unit is None else named_unit(found.unit)
        return Written(tidy(found.amount), unit, start, found.end)
    amount = found.in_unit(attribute.unit)
    if amount is None:
        says = f"{attribute.name!r} is declared in {attribute.unit}, and this is in {found.unit}"
        return Misfit(Reason.WRONG_UNIT, start, found.end, says)
    return Written(tidy(amount), None, start, found.end)


def named_unit(written: str) -> str:
    """A unit by the one name it has here."""
    unit = unit_named(written)
    return written if unit is None else unit.name


def tidy(amount: Decimal) -> Decimal:
    """An amount in the one way it is written."""
    return amount.quantize(Decimal(1)) if amount == amount.to_integral_value() else amount.normalize()


def _with_declared_unit(plain: str, found: Quantity, attribute: Attribute) -> Quantity:
    """The amount together with a unit that only its declaration knows, such as "seats"."""
    word = _UNIT_WORD.match(plain, found.end)
    for name in (attribute.unit or "", attribute.name):
        if word is not None and word[1].rstrip("s") == name.casefold().rstrip("s"):
            return Quantity(found.amount, None, word.end())
        if has_han(name) and plain.startswith(name, found.end):
            return Quantity(found.amount, None, found.end + len(name))
    return found


def day(place: Place, attribute: Attribute) -> Reading:
    """One day."""
    start = _begun(place)
    if led := _ON.match(place.plain, start, place.end):
        start = led.end()
    is_han = has_han(place.plain[place.start : place.end])
    time_at = chinese.time_at if is_han else english.time_at
    found = time_at(place.plain, start, place.spoke_at.date(), Direction.NEAR)
    if found is None:
        return None
    period, end = found
    if isinstance(period, Puzzle):
        return Gap(Missing.DATE, start, place.end, str(period))
    if (period.end - period.start).days != 1:
        return Gap(Missing.DATE, start, place.end, "the day: only a longer time is named")
    if not attribute.changes and not _ANNUAL.search(place.plain[start:end]):
        return Gap(Missing.DATE, start, place.end, "the year")
    clock = (chinese.clock_at if is_han else english.clock_at)(place.plain, end)
    if clock is None:
        return Written(period.start, None, start, end)
    moment = datetime.combine(period.start, time(clock[0], clock[1]), place.spoke_at.tzinfo)
    return Written(moment, None, start, clock[2])


def truth(place: Place, _attribute: Attribute) -> Reading:
    """Yes or no."""
    start = _begun(place)
    for pattern, value in ((_YES, True), (_NO, False)):
        if found := pattern.match(place.plain, start, place.end):
            return Written(value, None, start, found.end())
    return None


def words(place: Place, attribute: Attribute) -> Reading:
    """A text, a code or a name: all the words of the place, if they are no remark and not too many."""
    start, end = _unquoted(place)
    written = place.text[start:end]
    if _EITHER.search(written):
        return Gap(Missing.CHOICE, start, end, "which of several values")
    if not written or len(written) > _LONGEST_TEXT or len(written.split()) > _MOST_WORDS:
        return None
    is_han = has_han(written)
    remark = _HAN_REMARK if is_han else _REMARK
    if remark.match(place.plain, start) or not any(mark.isalnum() for mark in written):
        return None
    if is_han and written.endswith("的"):
        return None
    if attribute.value_type is ValueType.ENTITY and not _is_name(written, is_han=is_han):
        return None
    if written.islower() and written.endswith("ly") and " " not in written:  # softly
        return None
    return Written(written, None, start, end)


def untyped(place: Place, attribute: Attribute) -> Reading:
    """What it looks like: an amount if it is nothing else, or else words."""
    found = number(place, attribute)
    if isinstance(found, Gap):
        return found
    if isinstance(found, Written) and not place.plain[found.end : place.end].strip(" .。!！"):
        return found
    return words(place, attribute)


_READERS: Final[dict[ValueType | None, Callable[[Place, Attribute], Reading]]] = {
    ValueType.NUMBER: number,
    ValueType.DATE: day,
    ValueType.BOOLEAN: truth,
    ValueType.TEXT: words,
    ValueType.IDENTIFIER: words,
    ValueType.ENTITY: words,
    None: untyped,
}


def value_in(place: Place, attribute: Attribute) -> Reading:
    """The value of an attribute that stands at a place."""
    return _READERS[attribute.value_type](place, attribute)


def is_wordy(attribute: Attribute) -> bool:
    """Whether its values are words, so that nothing but the sentence tells where they end."""
    return attribute.value_type in (ValueType.TEXT, ValueType.IDENTIFIER, ValueType.ENTITY, None)


def listed(found: Written, text: str) -> list[Written]:
    """The values of a list such as "Hindi, English and Welsh", each at its place."""
    parts: list[Written] = []
    at = found.start
    for joint in _LISTED.finditer(text, found.start, found.end):
        parts.append(_part(text, at, joint.start()))
        at = joint.end()
    parts.append(_part(text, at, found.end))
    return [one for one in parts if str(one.value).strip()]


def _part(text: str, start: int, end: int) -> Written:
    if qualified := _QUALIFIED.match(text, start, end):
        start = qualified.end()
    written = text[start:end]
    lead = len(written) - len(written.lstrip())
    return Written(written.strip(), None, start + lead, start + len(written.rstrip()))


def _begun(place: Place) -> int:
    start = place.start
    while start < place.end and (place.plain[start].isspace() or place.plain[start] in _QUOTES):
        start += 1
    return start


def _unquoted(place: Place) -> tuple[int, int]:
    """The place without quotation marks, closing marks and a leading article."""
    start, end = _begun(place), place.end
    if qualified := _QUALIFIED.match(place.text, start, end):
        start = qualified.end()
    while end > start and place.plain[end - 1] in _CLOSING:
        end -= 1
    end = min(place.end, name_end(place.text, start, end))
    if at := _AT_A_NAME.match(place.text, start, end):
        start = at.end()
    if place.text[start : start + 1].islower() and (article := _ARTICLE.match(place.plain, start, end)):
        start = article.end()
    return start, end


def _is_name(written: str, *, is_han: bool) -> bool:
    """Whether words can be the name of something: they begin with a capital or digit, or are Chinese."""
    if is_han:
        return "的" not in written and "，" not in written
    first = _CAPITAL.search(written)
    return (
        first is not None
        and "'s " not in written.replace("’", "'")
        and (first[0].isupper() or first[0].isdigit())
    )
