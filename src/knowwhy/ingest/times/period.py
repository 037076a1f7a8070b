"""Periods: the stretch of time that words such as "in March", "next Monday" or 下个月1号 name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from typing import Final

DAY: Final = timedelta(days=1)
WEEK: Final = timedelta(days=7)
MONTHS: Final = 12

# How long ago something may be for a date without a year to mean it, and not its next return.
_GRACE: Final = timedelta(days=90)


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of whole days where the speaker is, its end excluded.

    `is_date` says that it was named as a day of the calendar, which "until" then includes.
    """

    start: date
    end: date
    is_date: bool = False


class Puzzle(StrEnum):
    """Why words that speak of a time cannot be placed."""

    ORDER = "whether the day or the month comes first"
    WEEK = "which week is meant"
    NONE = "there is no such day"


class Direction(StrEnum):
    """Where a time that names no year lies, seen from when it is spoken of."""

    NEAR = "near"
    PAST = "past"
    FUTURE = "future"


def day_of(day: date) -> Period:
    """One day of the calendar."""
    return Period(day, day + DAY, is_date=True)


def days_of(first: date, count: int = 1) -> Period:
    """Some days, named by how far they are away."""
    return Period(first, first + count * DAY)


def month_of(year: int, month: int, count: int = 1) -> Period:
    """One month of a year or several, from that month on."""
    return Period(_first_of(year, month), _first_of(year, month + count))


def year_of(year: int) -> Period:
    """One year."""
    return month_of(year, 1, MONTHS)


def week_of(day: date) -> Period:
    """The week, from Monday on, in which a day lies."""
    return days_of(day - day.weekday() * DAY, 7)


def months_after(day: date, count: int) -> date:
    """The same day some months later or earlier, or the last of that month where it has no such day."""
    month = month_of(day.year, day.month + count)
    last = month.end - DAY
    return min(month.start + (day.day - 1) * DAY, last)


def placed(choices: Iterable[Period], day: date, direction: Direction) -> Period | None:
    """Of the returns of a period in several years, the one that is meant on this day.

    The last that has begun, or the first that is not over; or, where neither is said, the first
    that is not over since more than some weeks.
    """
    found = sorted(choices, key=lambda one: one.start)
    if direction is Direction.PAST:
        return next((one for one in reversed(found) if one.start <= day), None)
    since = day if direction is Direction.FUTURE else day - _GRACE
    return next((one for one in found if one.end > since), None)


def _first_of(year: int, month: int) -> date:
    years, months = divmod(month - 1, MONTHS)
    return date(year + years, months + 1, 1)
