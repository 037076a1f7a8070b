"""Times in English: "the day before yesterday", "next Monday", "in March", "12 January 2025"."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime
from typing import Final, TypeAlias

from knowwhy.ingest.amounts.numbers import number_at
from knowwhy.ingest.times.period import (
    DAY,
    WEEK,
    Direction,
    Period,
    Puzzle,
    day_of,
    days_of,
    month_of,
    months_after,
    placed,
    week_of,
    year_of,
)
from knowwhy.providers.dates import english_moment
from knowwhy.recall.expressions import expression

_MONTHS: Final = (
    "january february march april may june july august september october november december".split()  # noqa: SIM905
)
_WEEKDAYS: Final = "monday tuesday wednesday thursday friday saturday sunday".split()  # noqa: SIM905
_SEASONS: Final = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_SHIFTS: Final = {"last": -1, "past": -1, "previous": -1, "this": 0, "current": 0, "next": 1, "coming": 1}
_YEARS_AROUND: Final = (-2, -1, 0, 1, 2)
_FIRST_YEAR, _LAST_YEAR = 1900, 2200

_MONTH: Final = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY: Final = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\b"
_YEAR: Final = r"(?P<year>(?:19|20|21)\d\d)(?!\d|-\d|[.,]\d)"
_WEEKDAY: Final = rf"(?P<weekday>{'|'.join(_WEEKDAYS)})\b"
_SHIFT: Final = rf"(?P<shift>{'|'.join(_SHIFTS)})"
_CLOCK: Final = expression(
    r",? (?:at )?(?P<hour>\d{1,2})(?::(?P<minute>\d\d))? ?(?P<half>am|pm|a\.m\.|p\.m\.)?(?![\d%])"
)

# How a time can begin.
_MAY_BE: Final = expression(
    r"\d|the |jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|last |past "
    r"|previous |this |current "
    r"|next |coming |yesterday|today|tonight|tomorrow|an? (?:day|week|month|year)|in |on |q[1-4]|year "
    r"|beginning |start |end "
    r"|close |[a-z-]{3,12} (?:day|week|month|year)"
)

Reader: TypeAlias = Callable[[re.Match[str], date, Direction], "Period | Puzzle | None"]


def _iso(found: re.Match[str], _day: date, _direction: Direction) -> Period | Puzzle:
    return _a_day(int(found["year"]), int(found["m"]), int(found["d"]))


def _slashed(found: re.Match[str], _day: date, _direction: Direction) -> Period | Puzzle:
    one, other, year = int(found["one"]), int(found["other"]), int(found["year"])
    if one <= 12 and other <= 12 and one != other:  # noqa: PLR2004 - months
        return Puzzle.ORDER
    return _a_day(year, *((one, other) if other > 12 else (other, one)))  # noqa: PLR2004


def _a_day(year: int, month: int, day: int) -> Period | Puzzle:
    try:
        return day_of(date(year, month, day))
    except ValueError:
        return Puzzle.NONE


def _dated(found: re.Match[str], day: date, direction: Direction) -> Period | Puzzle | None:
    """A day of a month, with its year or without; dateparser knows how months are written."""
    named = f"{found['day']} {found['month']}"
    years = [int(found["year"])] if found["year"] else [day.year + shift for shift in _YEARS_AROUND]
    noon = datetime(day.year, day.month, day.day, 12)  # noqa: DTZ001 - the day alone is used
    moments = [moment for year in years if (moment := english_moment(f"{named} {year}", noon)) is not None]
    days = [day_of(moment.date()) for moment in moments if moment.day == int(found["day"])]
    return placed(days, day, direction) if not found["year"] else next(iter(days), Puzzle.NONE)


def _of_month(found: re.Match[str], day: date, direction: Direction) -> Period | None:
    month = _month_number(found["month"])
    if found["year"]:
        return month_of(int(found["year"]), month)
    return placed((month_of(day.year + shift, month) for shift in _YEARS_AROUND), day, direction)


def _month_number(written: str) -> int:
    return next(at for at, name in enumerate(_MONTHS, 1) if name.startswith(written.rstrip(".")[:3]))


def _of_year(found: re.Match[str], _day: date, _direction: Direction) -> Period:
    return year_of(int(found["year"]))


def _of_quarter(found: re.Match[str], _day: date, _direction: Direction) -> Period:
    return month_of(int(found["year"]), 3 * int(found["quarter"]) - 2, 3)


def _around_today(found: re.Match[str], day: date, _direction: Direction) -> Period:
    away = {
        "the day before yesterday": -2,
        "yesterday": -1,
        "today": 0,
        "tonight": 0,
        "tomorrow": 1,
        "the day after tomorrow": 2,
    }
    return days_of(day + away[" ".join(found[0].split())] * DAY)


def _shifted_weekday(found: re.Match[str], day: date, _direction: Direction) -> Period | Puzzle:
    """The weekday of another week; where the nearest one lies in this week, people mean either of them."""
    shift, weekday = _SHIFTS[found["shift"]], _WEEKDAYS.index(found["weekday"])
    meant = week_of(day).start + shift * WEEK + weekday * DAY
    if (shift > 0 and weekday > day.weekday()) or (shift < 0 and weekday < day.weekday()):
        return Puzzle.WEEK
    return days_of(meant)


def _weekday(found: re.Match[str], day: date, direction: Direction) -> Period:
    away = (_WEEKDAYS.index(found["weekday"]) - day.weekday()) % 7
    return days_of(day + (away - 7 if direction is Direction.PAST and away else away) * DAY)


def _shifted(found: re.Match[str], day: date, _direction: Direction) -> Period:
    shift = _SHIFTS[found["shift"]]
    match found["unit"]:
        case "week":
            return week_of(day + shift * WEEK)
        case "month":
            return month_of(day.year, day.month + shift)
        case "quarter":
            return month_of(day.year, 3 * ((day.month - 1) // 3 + shift) + 1, 3)
        case _:
            return year_of(day.year + shift)


def _season(found: re.Match[str], day: date, _direction: Direction) -> Period | None:
    """A season of the northern half of the year: the last that is over, or the next that has not begun."""
    month = _SEASONS[found["season"]]
    seasons = [month_of(day.year + shift, month, 3) for shift in _YEARS_AROUND]
    if _SHIFTS[found["shift"]] < 0:
        return next((one for one in reversed(seasons) if one.end <= day), None)
    if _SHIFTS[found["shift"]] > 0:
        return next((one for one in seasons if one.start > day), None)
    return next((one for one in seasons if one.end > day), None)


def _shifted_month(found: re.Match[str], day: date, _direction: Direction) -> Period | None:
    """The March of last or next year by the season's rule: the nearest that is over, or has not begun."""
    months = [month_of(day.year + shift, _month_number(found["month"])) for shift in _YEARS_AROUND]
    if _SHIFTS[found["shift"]] < 0:
        return next((one for one in reversed(months) if one.end <= day), None)
    if _SHIFTS[found["shift"]] > 0:
        return next((one for one in months if one.start > day), None)
    return month_of(day.year, _month_number(found["month"]))


def _away(found: re.Match[str], day: date, _direction: Direction) -> Period | None:
    """So many days, weeks, months or years ago or ahead."""
    written = found["count"]
    number = number_at(written, 0)
    count = 1 if written in ("a", "an") else int(number.amount) if number else 0
    if not 0 < count < 1_000 or (number and number.end != len(written)):  # noqa: PLR2004 - beyond that, no date
        return None
    sign = -1 if found["ago"] else 1
    match found["unit"]:
        case "day":
            return days_of(day + sign * count * DAY)
        case "week":
            return days_of(day + sign * count * WEEK)
        case "month":
            return days_of(months_after(day, sign * count))
        case _:
            return days_of(months_after(day, sign * count * 12))


def _edge(found: re.Match[str], day: date, direction: Direction) -> Period | Puzzle | None:
    """The beginning or the end of a period."""
    of = f"this {found['of']}" if found["of"] in ("week", "month", "quarter", "year") else found["of"]
    inner = time_at(of, 0, day, direction)
    if inner is None or not isinstance(inner[0], Period) or inner[1] < len(of):
        return None
    if found["edge"] in ("end", "close"):
        return Period(inner[0].end - DAY, inner[0].end, is_date=True)
    return Period(inner[0].start, inner[0].start + DAY)


_COUNT: Final = r"(?P<count>\d{1,3}|an?|[a-z]{3,9}(?:-[a-z]{3,5})?)"
_UNIT: Final = r"(?P<unit>day|week|month|year)s?\b"
_OF: Final = r"(?P<of>(?:(?:last|this|next) )?(?:week|month|quarter|year|[a-z]{3,9})(?: \d{4})?)\b"


def _rows(*rows: tuple[str, Reader, bool]) -> tuple[tuple[re.Pattern[str], Reader, bool], ...]:
    return tuple((expression(pattern), reader, needs_word) for pattern, reader, needs_word in rows)


# What a time looks like, who reads it, and whether a word such as "in" or "from" must stand before it.
_FORMS: Final = _rows(
    (r"(?P<year>\d{4})[-/](?P<m>\d{1,2})[-/](?P<d>\d{1,2})(?![\d-])", _iso, False),
    (r"(?P<one>\d{1,2})[/.](?P<other>\d{1,2})[/.](?P<year>\d{4})(?!\d)", _slashed, False),
    (rf"(?:the )?{_DAY}(?: of)? {_MONTH}(?:,? {_YEAR})?", _dated, False),
    (rf"{_MONTH} (?:the )?{_DAY}(?:,? {_YEAR})?", _dated, False),
    (rf"{_MONTH},? (?:of )?{_YEAR}", _of_month, False),
    (rf"(?:the )?(?P<edge>beginning|start|end|close) of (?:the )?{_OF}", _edge, False),
    (
        r"the day before yesterday\b|the day after tomorrow\b|yesterday\b|today\b|tonight\b|tomorrow\b",
        _around_today,
        False,
    ),
    (rf"{_SHIFT} {_WEEKDAY}", _shifted_weekday, False),
    (rf"(?:the )?{_SHIFT} (?P<unit>week|month|quarter|year)\b", _shifted, False),
    (rf"{_SHIFT} (?P<season>spring|summer|autumn|fall|winter)\b", _season, False),
    (rf"{_SHIFT} {_MONTH}", _shifted_month, False),
    (rf"{_COUNT} {_UNIT} (?P<ago>ago)\b", _away, False),
    (rf"{_COUNT} {_UNIT} (?P<ago>(?!.))?from (?:now|today)\b", _away, False),
    (rf"in {_COUNT} {_UNIT}(?P<ago>(?!.))?(?! (?:of|or|to)\b)", _away, False),
    (rf"(?:on )?{_WEEKDAY}", _weekday, True),
    (rf"q(?P<quarter>[1-4]) {_YEAR}", _of_quarter, False),
    (rf"(?:the )?(?:year )?{_YEAR}", _of_year, True),
    (rf"{_MONTH}(?P<year>(?!.))?", _of_month, True),
)


def time_at(
    plain: str, at: int, day: date, direction: Direction = Direction.NEAR, *, is_led: bool = True
) -> tuple[Period | Puzzle, int] | None:
    """The time that is spoken of at this place of a plain text, and where its words end.

    `day` is when it is spoken of. `is_led` says that a word such as "in" or "from" stands before
    it, without which a name of a month or a number is none.
    """
    if _MAY_BE.match(plain, at) is None:
        return None
    for pattern, reader, needs_word in _FORMS:
        if needs_word and not is_led:
            continue
        found = pattern.match(plain, at)
        if found is not None and (period := _read(reader, found, day, direction)) is not None:
            return period, found.end()
    return None


def _read(reader: Reader, found: re.Match[str], day: date, direction: Direction) -> Period | Puzzle | None:
    try:
        return reader(found, day, direction)
    except (ValueError, OverflowError):
        return Puzzle.NONE


def clock_at(plain: str, at: int) -> tuple[int, int, int] | None:
    """The time of day named after a day: hour, minute, and where it ends. A bare number is none."""
    found = _CLOCK.match(plain, at)
    if found is None or not (found["minute"] or found["half"]):
        return None
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if found["half"]:
        if not 1 <= hour <= 12:  # noqa: PLR2004 - hours on a dial
            return None
        hour = hour % 12 + (12 if found["half"].startswith("p") else 0)
    return (hour, minute, found.end()) if hour < 24 and minute < 60 else None  # noqa: PLR2004 - hours, minutes
