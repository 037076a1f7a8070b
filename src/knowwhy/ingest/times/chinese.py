"""Times in Chinese: 去年三月, 上周五, 下个月1号, 前天, 明年初, 三个月前, 2025年1月12日."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
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
from knowwhy.recall.expressions import expression

_YEARS: Final = {"前年": -2, "去年": -1, "今年": 0, "本年": 0, "当年": 0, "明年": 1, "后年": 2}
_DAYS: Final = {
    "大前天": -3,
    "前天": -2,
    "前日": -2,
    "昨天": -1,
    "昨日": -1,
    "今天": 0,
    "今日": 0,
    "即日": 0,
    "今晚": 0,
    "明天": 1,
    "明日": 1,
    "后天": 2,
    "后日": 2,
    "大后天": 3,
}
_SHIFTS: Final = {"上上": -2, "上": -1, "这": 0, "本": 0, "当": 0, "下": 1, "下下": 2}
_WEEKDAYS: Final = {mark: at for at, mark in enumerate("一二三四五六日")} | {"天": 6}
_SEASONS: Final = {"春": 3, "夏": 6, "秋": 9, "冬": 12}
_YEARS_AROUND: Final = (-2, -1, 0, 1, 2)
_MOST_AWAY: Final = 1_000

_N: Final = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})"
_SHIFT: Final = r"(?P<shift>上上|下下|上|下|这|本|当)"
_YEAR: Final = rf"(?P<year>\d{{4}}年?|[一二三四五六七八九〇零]{{4}}年|{'|'.join(_YEARS)})"
_MONTH: Final = rf"(?P<month>{_N})月份?"
_DAY: Final = rf"(?P<day>{_N})[日号]"
_WEEK: Final = r"个?(?:周|星期|礼拜)"
_PART: Final = r"(?P<part>上旬|中旬|下旬|初|中|底|末)"
_CLOCK: Final = expression(
    rf"的?(?P<half>凌晨|早上|早晨|上午|中午|下午|傍晚|晚上|晚)?(?P<hour>{_N})(?:点钟?|时|:(?P<minute>\d\d))"
    rf"(?:(?P<some>半|一刻|三刻)|(?P<minutes>{_N})分?)?"
)

# The marks that a time can begin with.
_FIRST: Final = frozenset("0123456789零〇一二两三四五六七八九十百半即去今明前昨后大本当上下这第年月周星礼")

Reader: TypeAlias = Callable[[re.Match[str], date, Direction], "Period | Puzzle | None"]


def _number(written: str) -> int:
    number = number_at(written, 0)
    if number is None or number.end != len(written):
        msg = f"{written} is no number"
        raise ValueError(msg)
    return int(number.amount)


def _year(written: str, day: date) -> int:
    return day.year + _YEARS[written] if written in _YEARS else _number(written.removesuffix("年"))


def _a_day(year: int, month: int, day: int) -> Period:
    return day_of(date(year, month, day))


def _full(found: re.Match[str], day: date, _direction: Direction) -> Period:
    return _a_day(_year(found["year"], day), _number(found["month"]), _number(found["day"]))


def _iso(found: re.Match[str], _day: date, _direction: Direction) -> Period:
    return _a_day(int(found["year"]), int(found["month"]), int(found["day"]))


def _month_and_day(found: re.Match[str], day: date, direction: Direction) -> Period | Puzzle | None:
    month, on = _number(found["month"]), _number(found["day"])
    days = []
    for shift in _YEARS_AROUND:
        try:
            days.append(_a_day(day.year + shift, month, on))
        except ValueError:  # 29 February
            continue
    return placed(days, day, direction) if days else Puzzle.NONE


def _year_and_month(found: re.Match[str], day: date, _direction: Direction) -> Period:
    month = month_of(_year(found["year"], day), _checked_month(found["month"]))
    return _part_of_month(month, found["part"]) if found["part"] else month


def _month(found: re.Match[str], day: date, direction: Direction) -> Period | None:
    number = _checked_month(found["month"])
    month = placed((month_of(day.year + shift, number) for shift in _YEARS_AROUND), day, direction)
    return _part_of_month(month, found["part"]) if month and found["part"] else month


def _checked_month(written: str) -> int:
    return date(2000, _number(written), 1).month


def _whole_year(found: re.Match[str], day: date, _direction: Direction) -> Period:
    return year_of(_year(found["year"], day))


def _part_of_year(found: re.Match[str], day: date, _direction: Direction) -> Period:
    """The first month of a year, its middle one, or its last."""
    year = _year(found["year"], day) if found["year"] else day.year
    return month_of(year, {"初": 1, "中": 6, "底": 12, "末": 12}[found["part"]])


def _part_of_month(month: Period, part: str) -> Period:
    """The first ten days of a month, the next ten, or the rest."""
    tenth, twentieth = month.start + 10 * DAY, month.start + 20 * DAY
    if part in ("初", "上旬"):
        return Period(month.start, tenth)
    return Period(tenth, twentieth) if part in ("中", "中旬") else Period(twentieth, month.end)


def _shifted_month(found: re.Match[str], day: date, _direction: Direction) -> Period:
    month = month_of(day.year, day.month + _SHIFTS[found["shift"]])
    if found["day"]:
        return _a_day(month.start.year, month.start.month, _number(found["day"]))
    return _part_of_month(month, found["part"]) if found["part"] else month


def _this_month(found: re.Match[str], day: date, _direction: Direction) -> Period:
    return _part_of_month(month_of(day.year, day.month), found["part"])


def _shifted_week(found: re.Match[str], day: date, _direction: Direction) -> Period:
    week = week_of(day + _SHIFTS[found["shift"]] * WEEK)
    if found["weekday"]:
        return days_of(week.start + _WEEKDAYS[found["weekday"]] * DAY)
    return Period(week.start + 5 * DAY, week.end) if found["end"] else week


def _weekday(found: re.Match[str], day: date, direction: Direction) -> Period:
    away = (_WEEKDAYS[found["weekday"]] - day.weekday()) % 7
    return days_of(day + (away - 7 if direction is Direction.PAST and away else away) * DAY)


def _around_today(found: re.Match[str], day: date, _direction: Direction) -> Period:
    return days_of(day + _DAYS[found["named"]] * DAY)


def _shifted_quarter(found: re.Match[str], day: date, _direction: Direction) -> Period:
    return month_of(day.year, 3 * ((day.month - 1) // 3 + _SHIFTS[found["shift"]]) + 1, 3)


def _quarter(found: re.Match[str], day: date, _direction: Direction) -> Period:
    year = _year(found["year"], day) if found["year"] else day.year
    number = _number(found["quarter"])
    if not 1 <= number <= 4:  # noqa: PLR2004 - quarters of a year
        msg = "no such quarter"
        raise ValueError(msg)
    return month_of(year, 3 * number - 2, 3)


def _half_of_year(found: re.Match[str], day: date, _direction: Direction) -> Period:
    year = _year(found["year"], day) if found["year"] else day.year
    return month_of(year, 1 if found["which"] == "上" else 7, 6)


def _season(found: re.Match[str], day: date, _direction: Direction) -> Period:
    return month_of(_year(found["year"], day), _SEASONS[found["season"]], 3)


def _away(found: re.Match[str], day: date, _direction: Direction) -> Period | None:
    """So many days, weeks, months or years before or after today; 半 is half of one."""
    sign = -1 if found["way"].endswith("前") else 1
    if found["count"] == "半":
        months = {"年": 6}.get(found["unit"])
        if months is not None:
            return days_of(months_after(day, sign * months))
        return days_of(day + sign * 15 * DAY) if found["unit"].endswith("月") else None
    count = _number(found["count"])
    if not 0 < count < _MOST_AWAY:
        return None
    match found["unit"].removeprefix("个"):
        case "天" | "日":
            return days_of(day + sign * count * DAY)
        case "周" | "星期" | "礼拜":
            return days_of(day + sign * count * WEEK)
        case "月":
            return days_of(months_after(day, sign * count))
        case _:
            return days_of(months_after(day, sign * count * 12))


def _rows(*rows: tuple[str, Reader, bool]) -> tuple[tuple[re.Pattern[str], Reader, bool], ...]:
    return tuple((expression(pattern), reader, needs_word) for pattern, reader, needs_word in rows)


# What a time looks like, who reads it, and whether a word such as 在, 自 or 到 must stand beside it.
_FORMS: Final = _rows(
    (r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?![\d.-])", _iso, False),
    (rf"{_YEAR}的?{_MONTH}{_DAY}", _full, False),
    (rf"{_YEAR}的?{_MONTH}{_PART}?", _year_and_month, False),
    (rf"{_YEAR}的?第?(?P<quarter>[一二三四1-4])季度", _quarter, False),
    (r"(?P<year>\d{4})年?q(?P<quarter>[1-4])", _quarter, False),
    (rf"{_YEAR}(?P<which>上|下)半年", _half_of_year, False),
    (rf"{_YEAR}(?P<season>[春夏秋冬])[天季]", _season, False),
    (rf"{_YEAR}年?(?P<part>初|中|底|末)", _part_of_year, False),
    (
        r"(?P<year>\d{4}年|[一二三四五六七八九〇零]{4}年|前年|去年|今年|明年|后年|本年)(?!前|后|来|多)",
        _whole_year,
        False,
    ),
    (rf"{_MONTH}{_DAY}", _month_and_day, False),
    (rf"(?P<month>{_N})月份(?P<part>(?!.))?", _month, False),
    (rf"{_SHIFT}个?月(?:的)?(?:(?P<day>{_N})[日号]|{_PART})?", _shifted_month, False),
    (rf"{_SHIFT}{_WEEK}(?:(?P<weekday>[一二三四五六日天])|(?P<end>末))?", _shifted_week, False),
    (rf"{_SHIFT}个?季度", _shifted_quarter, False),
    (rf"(?P<named>{'|'.join(sorted(_DAYS, key=len, reverse=True))})", _around_today, False),
    (
        (
            r"(?P<count>半|\d{1,3}|[一二两三四五六七八九十百]{1,5})(?P<unit>天|日|个?星期|周|个?礼拜|个月|年)"
            r"(?P<way>之前|以前|前|之后|以后|后)"
        ),
        _away,
        False,
    ),
    (r"(?P<year>)年(?P<part>初|中|底|末)", _part_of_year, False),
    (r"月(?P<part>初|中|底|末)", _this_month, False),
    (r"(?P<year>)第?(?P<quarter>[一二三四1-4])季度", _quarter, False),
    (r"(?P<year>)(?P<which>上|下)半年", _half_of_year, False),
    (r"(?:周|星期|礼拜)(?P<weekday>[一二三四五六日天])", _weekday, False),
    (rf"(?P<month>\d{{1,2}})月{_PART}?(?!\d)", _month, False),
    (rf"{_MONTH}{_PART}?", _month, True),
)


def time_at(
    plain: str, at: int, day: date, direction: Direction = Direction.NEAR, *, is_led: bool = True
) -> tuple[Period | Puzzle, int] | None:
    """The time that is spoken of at this place of a plain text, and where its words end.

    `day` is when it is spoken of. `is_led` says that a word such as 自 or 到 stands beside it,
    without which a month alone is none.
    """
    if plain[at : at + 1] not in _FIRST:
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
    """The time of day named after a day: hour, minute, and where it ends."""
    found = _CLOCK.match(plain, at)
    if found is None:
        return None
    hour = _number(found["hour"])
    minute = {"半": 30, "一刻": 15, "三刻": 45}.get(found["some"] or "", int(found["minute"] or 0))
    if found["minutes"]:
        minute = _number(found["minutes"])
    is_late = found["half"] in ("下午", "傍晚", "晚上", "晚") or (found["half"] == "中午" and hour < 3)  # noqa: PLR2004
    if is_late and hour < 12:  # noqa: PLR2004 - hours on a dial
        hour += 12
    return (hour, minute, found.end()) if hour < 24 and minute < 60 else None  # noqa: PLR2004 - hours, minutes
