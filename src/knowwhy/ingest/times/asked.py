"""Times in questions: "last March", 去年三月, "before 2024", placed where and when they are asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from knowwhy.core.timeline import Instant, instant
from knowwhy.errors import InvalidInput
from knowwhy.ingest.plain import has_han, plain
from knowwhy.ingest.times import chinese, english
from knowwhy.ingest.times.moments import moment_of
from knowwhy.ingest.times.period import Direction, Period, Puzzle
from knowwhy.recall.expressions import expression
from knowwhy.recall.timing import Relation, TimeWords, Timing

# What stands before a time in English, and what before or after one in Chinese.
_LEAD: Final = expression(
    r"\b(?:(?P<before>before|prior to|until|till|by)|(?P<after>after|since|from)"
    r"|in|on|at|during|as of|back in|through)\s+(?:the (?:year|month|week|day) (?:of )?)?$"
)
_LED_BEFORE: Final = expression(r"^(?:之前|以前|前)")
_LED_AFTER: Final = expression(r"^(?:之后|以后|以来|后|起)")
_HAN_LEAD: Final = expression(r"(?:在|自从|从|自|于|到|截至|直到)$")
_WORD: Final = expression(r"[a-z0-9][a-z0-9.:/-]*|[^\x00-\x7f]")
# "In 30 days" says how long something takes, as often as it names a day.
_SPAN: Final = expression(r"in (?:\d|an? |[a-z-]+ (?:day|week|month|year))")
_AHEAD: Final = expression(r"\b(?:will|shall|going to|upcoming|planned)\b|将|打算|计划")

# Words that speak of a time that only somebody who was there could place.
_VAGUE: Final = expression(
    r"\b(?:recently|lately|nowadays|formerly|previously|earlier|back then|back in the day|the other day"
    r"|(?:at|by|around|since) (?:that|the same|this) time|in (?:those|these) days|once upon a time"
    r"|(?:a|some) (?:long )?(?:while|time) (?:ago|back)|long ago|in the past"
    r"|(?:years|months|weeks|days|ages) ago|(?:a few|several|a couple of|some|many) "
    r"(?:years|months|weeks|days) (?:ago|back)"
    r"|(?:last|next|this past|at|over|during|before|after|since) (?:christmas|easter|thanksgiving|halloween"
    r"|new year(?:'s(?: eve)?)?|ramadan|diwali|fiscal year|semester|term|holidays?|decade|century|fortnight"
    r"|night|weekend)"
    r"|(?:in|during|from|before|after|since|until|back in) the [a-z-]*(?:times|days|era|age|years|pandemic)"
    r"|(?:before|after|since|until|during) (?:(?:the|my|our|your|his|her|their|its|a) [\w'-]+"
    r"|(?:i|we|you|he|she|they|it) [\w'-]+)(?: of [\w'-]+)?"
    r"|when (?:i|we|you|he|she|they) (?!do|did|can|could|will|would|should|may|must|have|had)[\w'-]+)"
    r"|最近|近来|近期|当时|那时候?|那会儿|从前|过去|早些时候|前些(?:天|日子|年)|前阵子|有一天|小时候|曾几何时"
    r"|[\u4e00-\u9fff]{2,4}(?:之前|以前|之后|以后|期间)"
)


@dataclass(frozen=True, slots=True)
class _Place:
    """Words that name a time, and where they stand."""

    start: int
    end: int
    period: Period | Puzzle
    relation: Relation


def timing_of(question: str, names: Sequence[str], asked_at: Instant, zone: str | None) -> Timing:
    """What the time words of a question say, asked at an instant, in a zone (UTC where None).

    Words that are part of one of the `names` that the question contains speak of no time. A time that
    names no year is the last such, or the next where the question looks ahead. What speaks of a time
    and cannot be placed is told.
    """
    levelled = _without(plain(question), names)
    spoke_at = moment_of(asked_at, None, zone)
    direction = Direction.FUTURE if _AHEAD.search(levelled) else Direction.PAST
    read: list[TimeWords] = []
    unread: list[str] = []
    rest = levelled
    for one in _places(levelled, spoke_at, direction):
        words = question[one.start : one.end].strip()
        rest = rest[: one.start] + "\n" * (one.end - one.start) + rest[one.end :]
        bounds = _bounds(one.period, zone)
        if bounds is None:
            unread.append(words)
            continue
        start, end = bounds
        if one.relation is Relation.AFTER and not words.lower().startswith(("since", "from", "自", "从")):
            start = end
        read.append(TimeWords(words, start, end, one.relation))
    unread += (question[found.start() : found.end()] for found in _VAGUE.finditer(rest))
    return Timing(tuple(read), tuple(dict.fromkeys(unread)))


def _without(levelled: str, names: Sequence[str]) -> str:
    """The question with the names in it blotted out, place by place."""
    for name in sorted(map(plain, names), key=len, reverse=True):
        if name:
            levelled = levelled.replace(name, "\n" * len(name))
    return levelled


def _places(levelled: str, spoke_at: datetime, direction: Direction) -> Iterator[_Place]:
    is_han, done = has_han(levelled), 0
    for word in _WORD.finditer(levelled):
        at = word.start()
        if at < done or _SPAN.match(levelled, at):
            continue
        before = levelled[done:at]
        lead = _LEAD.search(before)
        han_lead = _HAN_LEAD.search(before) if is_han else None
        is_led = lead is not None or han_lead is not None
        found = None
        if is_han:
            found = chinese.time_at(levelled, at, spoke_at.date(), direction, is_led=is_led)
        if found is None:
            found = english.time_at(levelled, at, spoke_at.date(), direction, is_led=is_led)
        if found is None or not _ends(levelled, found[1]):
            continue
        period, end = found
        relation, end = _relation(levelled, end, lead.lastgroup if lead else None)
        start = done + lead.start() if lead and relation is not Relation.IN else at
        if han_lead and relation is Relation.AFTER:
            start = done + han_lead.start()
        yield _Place(start, end, period, relation)
        done = end


def _bounds(period: Period | Puzzle, zone: str | None) -> tuple[Instant, Instant] | None:
    """Where a period begins and ends in a zone; None where it cannot be placed."""
    if isinstance(period, Puzzle):
        return None
    try:
        return instant(period.start, zone), instant(period.end, zone)
    except (InvalidInput, OverflowError):
        return None


def _relation(levelled: str, end: int, lead: str | None) -> tuple[Relation, int]:
    """How what is asked lies to a time that ends there, and where the words for that end."""
    rest = levelled[end : end + 2]
    if found := _LED_BEFORE.match(rest):
        return Relation.BEFORE, end + found.end()
    if found := _LED_AFTER.match(rest):
        return Relation.AFTER, end + found.end()
    return (Relation(lead) if lead else Relation.IN), end


def _ends(levelled: str, end: int) -> bool:
    """Whether a word ends there: 2023 in 2023.04 names no year."""
    follows = levelled[end : end + 2]
    if not follows or not follows[0].isascii():
        return True
    return not (follows[0].isalnum() or (follows[0] in "-./" and follows[1:].isalnum()))
