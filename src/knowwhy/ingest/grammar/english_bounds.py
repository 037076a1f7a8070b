"""From when and until when, in English: what stands before a statement, and what follows its value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, tzinfo
from typing import Final

from knowwhy.ingest.candidates import UNBOUNDED, Bounds
from knowwhy.ingest.times.english import clock_at, time_at
from knowwhy.ingest.times.period import Direction, Period, Puzzle
from knowwhy.recall.expressions import expression


@dataclass(frozen=True, slots=True)
class Tail:
    """What follows a value: bounds, and where the words that were understood end.

    `denied` is the place of a value that is said not to hold: "15 days, not 7". A `puzzle` is a time
    that cannot be placed.
    """

    bounds: Bounds = UNBOUNDED
    end: int = 0
    denied: tuple[int, int] | None = None
    puzzle: Puzzle | None = None


_FROM: Final = expression(
    r"(?:with effect|effective|effectively|starting|beginning|commencing)(?: (?:from|on|in|as of))? |as (?:of"
    r"|from) |from |between "
)
_SINCE: Final = expression(r"since |ever since ")
_BY: Final = expression(r"by ")
_UNTIL: Final = expression(r"(?:up )?(?:until|till?) |valid (?:un)?til ")
_THROUGH: Final = expression(r"through |up to and including ")
_DURING: Final = expression(
    r"(?:on|during|throughout) |(?:in|for) (?!(?:\d{1,3}|an?|[a-z]+) (?:minute|hour|day|week|month|year)s?\b)"
)
_TO: Final = expression(r" (?:to|until|till?|and|through) | - ")
_DAYS: Final = expression(
    r"(?:the )?(?P<first>\d{1,2})(?:st|nd|rd|th)?(?: to | until | through | and |-)(?=(?:the )?\d)"
)
_NOW: Final = expression(
    r"(?:now|currently|at present|at the moment|right now|these days|nowadays|so far|again|too|as well"
    r"|already|please"
    r"|instead|anyway|any ?more|any ?longer|only|exactly|though|onwards?|and not before|thanks|thank you|btw"
    r"|by the way|for now)\b"
)
_DENIED: Final = expression(r"(?:and |but )?(?:not|rather than|instead of) (?=\S)")
_MAY_BEGIN: Final = expression(
    r"(?<=[^\s,])(?=,?\s+\(?(?:and )?(?:now|currently|at (?:present|the)|right|these|nowadays|so|again|too|as"
    r"|already|please"
    r"|instead|anyway|any ?(?:more|longer)|only|exactly|though|onwards?|not|rather|but|thanks?|btw|by|for"
    r"|with|effective|starting|beginning"
    r"|commencing|from|since|ever|up|until|till?|valid|through|in|on|during|throughout|the|yesterday|today"
    r"|tonight|tomorrow"
    r"|last|past|previous|this|current|next|coming|an?|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|q[1-4]"
    r"|\d|[a-z]+ (?:days?"
    r"|weeks?|months?|years?) ago)\b)"
)
_BETWEEN: Final = expression(r"[\s,]*(?:\(\s*)?(?:and (?=now\b|from\b|until\b|then\b))?")
_CLOSE: Final = expression(r"\s*\)")
_END: Final = expression(r"[\s.!,;:)\]\"']*$")


class EnglishBounds:
    """Reads times in one sentence that was spoken at a moment, in the zone of who spoke."""

    def __init__(self, plain: str, spoke_at: datetime, direction: Direction = Direction.NEAR) -> None:
        self._plain, self._spoke_at, self._direction = plain, spoke_at, direction
        self._day, self._zone = spoke_at.date(), spoke_at.tzinfo

    def looking(self, direction: Direction) -> EnglishBounds:
        """The same, for a sentence whose verb says that what it tells is over."""
        return EnglishBounds(self._plain, self._spoke_at, direction)

    def leading(self, at: int) -> Tail:
        """The time that a sentence begins with, up to its comma if there is one."""
        found = self._adjunct(at)
        if found is None:
            return Tail(end=at)
        comma = expression(r"(?: onwards?)?,? ").match(self._plain, found.end)
        return Tail(found.bounds, comma.end() if comma else found.end, puzzle=found.puzzle)

    def tail(self, at: int, end: int) -> Tail:
        """All that can be understood after a value: times, words such as "now", and "not 7 days"."""
        bounds, denied, puzzle = Bounds(), None, None
        while at < end:
            start = self._after_marks(at)
            if now := _NOW.match(self._plain, start):
                at = now.end()
            elif no := _DENIED.match(self._plain, start):
                denied, at = (no.end(), end), end
            elif (found := self._adjunct(start)) is not None and found.end <= end:
                bounds, at = found.bounds.within(bounds), found.end
                puzzle = puzzle or found.puzzle
            else:
                break
            close = _CLOSE.match(self._plain, at)
            at = close.end() if close else at
        return Tail(bounds, at, denied, puzzle)

    def tail_starts(self, at: int, end: int) -> Iterator[int]:
        """Where words begin that could be a tail."""
        return (found.start() for found in _MAY_BEGIN.finditer(self._plain, at, end))

    def is_end(self, at: int, end: int) -> bool:
        """Whether nothing but marks stands between two places."""
        return _END.match(self._plain[at:end]) is not None

    def _after_marks(self, at: int) -> int:
        between = _BETWEEN.match(self._plain, at)
        return between.end() if between else at

    def _adjunct(self, at: int) -> Tail | None:
        """One time with the word that leads it: from, until, in; or a bare one such as "next month"."""
        plain = self._plain
        if led := _SINCE.match(plain, at):
            return self._bounded(led.end(), Direction.PAST)
        if led := _FROM.match(plain, at):
            return self._from(led.end())
        if led := _BY.match(plain, at):
            by = self._bounded(led.end(), self._direction)
            return None if by is None else Tail(end=by.end, puzzle=by.puzzle)
        if led := _UNTIL.match(plain, at):
            return self._until(led.end())
        if led := _THROUGH.match(plain, at):
            return self._until(led.end(), through=True)
        if led := _DURING.match(plain, at):
            return self._during(led.end()) or self._during(at, is_led=False)
        return self._during(at, is_led=False)

    def _from(self, at: int) -> Tail | None:
        if days := _DAYS.match(self._plain, at):
            return self._days(int(days["first"]), days.end())
        begun = self._bounded(at, self._direction)
        if begun is None or not (to := _TO.match(self._plain, begun.end)):
            return begun
        ended = self._until(to.end(), through=True)
        if ended is None:
            return begun
        if begun.bounds.valid_from is not None and str(ended.bounds.valid_to) <= str(begun.bounds.valid_from):
            begun = self._bounded(at, Direction.PAST) or begun
        start, stop = begun.bounds.valid_from, ended.bounds.valid_to
        if (
            start is not None and stop is not None and str(stop) <= str(start)
        ):  # from Monday to Friday: every week
            return None
        return Tail(ended.bounds.within(begun.bounds), ended.end, puzzle=begun.puzzle or ended.puzzle)

    def _days(self, first: int, at: int) -> Tail | None:
        """From one day to another of the same month."""
        found = time_at(self._plain, at, self._day, self._direction)
        if found is None:
            return None
        period, end = found
        if isinstance(period, Puzzle) or not 0 < first < period.start.day:
            return None
        return Tail(Bounds(period.start.replace(day=first), period.end, is_bounded=True), end)

    def _bounded(self, at: int, direction: Direction) -> Tail | None:
        found = time_at(self._plain, at, self._day, direction)
        if found is None:
            return None
        period, end = found
        if isinstance(period, Puzzle):
            return Tail(end=end, puzzle=period)
        bound, end = self._bound(period.start, end)
        return Tail(Bounds(bound), end)

    def _until(self, at: int, *, through: bool = False) -> Tail | None:
        """Until May is before May; until 12 May, and through May, includes it."""
        direction = Direction.FUTURE if self._direction is Direction.NEAR else self._direction
        found = time_at(self._plain, at, self._day, direction)
        if found is None:
            return None
        period, end = found
        if isinstance(period, Puzzle):
            return Tail(end=end, puzzle=period)
        is_included = through or period.is_date
        clock = clock_at(self._plain, end)
        bound, end = self._bound(period.start if clock else period.end if is_included else period.start, end)
        return Tail(Bounds(valid_to=bound), end)

    def _during(self, at: int, *, is_led: bool = True) -> Tail | None:
        """In March, last week: from its beginning to its end; today is the present."""
        found = time_at(self._plain, at, self._day, self._direction, is_led=is_led)
        if found is None:
            return None
        period, end = found
        if isinstance(period, Puzzle):
            return Tail(end=end, puzzle=period)
        if period.start <= self._day < period.end:
            return Tail(end=end)
        return Tail(Bounds(period.start, period.end, is_bounded=True), end)

    def _bound(self, day: date, at: int) -> tuple[date | datetime, int]:
        clock = clock_at(self._plain, at)
        if clock is None:
            return day, at
        return moment(day, clock[0], clock[1], self._zone), clock[2]


def moment(day: date, hour: int, minute: int, zone: tzinfo | None) -> datetime:
    """A time of day where the speaker is."""
    return datetime.combine(day, time(hour, minute), zone)


def point_of(found: tuple[Period | Puzzle, int] | None) -> date | None:
    """The day that a time is, if it is one day."""
    if found is None or isinstance(found[0], Puzzle):
        return None
    period = found[0]
    return period.start if (period.end - period.start).days == 1 else None
