"""Units: the names they go by in English and Chinese, and which of them measure the same."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from knowwhy.ingest.plain import plain
from knowwhy.recall.expressions import expression


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: what it is called here, what it measures, and how much of the smallest of its kind it is."""

    name: str
    kind: str
    size: Decimal = Decimal(1)


# name, kind, size and other names; of one kind only what can be converted without loss or a guess.
_TABLE: Final = """
second | time | 1 | s, sec, secs, seconds, 秒, 秒钟
minute | time | 60 | min, mins, minutes, 分钟
hour | time | 3600 | h, hr, hrs, hours, 小时, 个小时, 钟头, 个钟头
day | time | 86400 | days, 天, 日
week | time | 604800 | wk, wks, weeks, 周, 星期, 个星期, 礼拜, 个礼拜
month | calendar | 1 | mo, mos, months, 个月
quarter | calendar | 3 | quarters, 季度, 个季度
year | calendar | 12 | yr, yrs, years, 年, 岁, years old
working day | workday | 1 | working days, business day, business days, workday, workdays, 工作日, 个工作日
night | night | 1 | nights, 晚, 夜
milligram | mass | 0.001 | mg, milligrams, 毫克
gram | mass | 1 | g, gr, grams, gramme, grammes, 克
kilogram | mass | 1000 | kg, kgs, kilo, kilos, kilograms, 公斤, 千克
catty | mass | 500 | 斤, 市斤
tonne | mass | 1000000 | tonnes, 吨
millimetre | length | 1 | mm, millimetres, millimeter, millimeters, 毫米
centimetre | length | 10 | cm, centimetres, centimeter, centimeters, 厘米, 公分
metre | length | 1000 | m, metres, meter, meters, 米
kilometre | length | 1000000 | km, kms, kilometres, kilometer, kilometers, 公里, 千米
mile | mile | 1 | miles, 英里
inch | inch | 1 | inches, 英寸
foot | foot | 1 | feet, ft, 英尺
millilitre | volume | 1 | ml, millilitres, milliliter, milliliters, 毫升
litre | volume | 1000 | l, litres, liter, liters, 升
square metre | area | 1 | sqm, m2, square metres, square meters, 平方米, 平米
byte | bytes | 1 | bytes, b, 字节
kilobyte | kilobytes | 1 | kb, kilobytes
megabyte | megabytes | 1 | mb, megabytes
gigabyte | gigabytes | 1 | gb, gigabytes
terabyte | terabytes | 1 | tb, terabytes
percent | share | 1 | %, per cent, percentage, pct
percentage point | points | 1 | percentage points, 个百分点, 百分点
euro | euro | 1 | €, eur, euros, 欧元
us dollar | us dollar | 1 | $, us$, usd, dollar, dollars, us dollars, 美元, 美金
yuan | yuan | 1 | ¥, cny, rmb, renminbi, 元, 块, 块钱, 人民币, 元人民币
pound sterling | pound sterling | 1 | £, gbp, pound, pounds, 英镑
yen | yen | 1 | jpy, 日元, 円
hong kong dollar | hong kong dollar | 1 | hkd, hk$, 港元, 港币
swiss franc | swiss franc | 1 | chf, francs, 瑞士法郎
degree celsius | celsius | 1 | °c, ℃, degrees celsius, 摄氏度
degree fahrenheit | fahrenheit | 1 | °f, ℉, degrees fahrenheit, 华氏度
degree | degree | 1 | °, degrees, 度
person | person | 1 | people, persons, 人, 名, 位, 个人, 员工, 名员工
time | count of times | 1 | times, 次
piece | piece | 1 | pieces, pcs, pc, 个, 件, 只
page | page | 1 | pages, 页
point | point | 1 | points, 分
kilometre per hour | speed | 1 | km/h, kph, kmh, 公里每小时
"""

# What a symbol may also mean: it is then taken for the unit that is declared.
_AMBIGUOUS: Final = {
    "$": frozenset({"us dollar", "hong kong dollar", "aud", "cad", "sgd", "nzd"}),
    "dollar": frozenset({"us dollar", "hong kong dollar", "aud", "cad", "sgd", "nzd"}),
    "dollars": frozenset({"us dollar", "hong kong dollar", "aud", "cad", "sgd", "nzd"}),
    "¥": frozenset({"yuan", "yen"}),
    "个": frozenset({"piece", "person"}),
}


def _read_table() -> dict[str, Unit]:
    found: dict[str, Unit] = {}
    for row in _TABLE.strip().splitlines():
        name, kind, size, others = (cell.strip() for cell in row.split("|"))
        unit = Unit(name, kind, Decimal(size))
        for other in (name, *others.split(",")):
            found[plain(other.strip())] = unit
    return found


_UNITS: Final = _read_table()


def _alternatives(names: list[str]) -> str:
    return "|".join(
        re.escape(name) + (r"(?![a-z0-9])" if name[-1].isascii() and name[-1].isalnum() else "")
        for name in sorted(names, key=len, reverse=True)
    )


_AFTER: Final = expression(rf"[ -]?({_alternatives(list(_UNITS))})")
_BEFORE: Final = expression(
    r"(us\$|hk\$|[€$£¥]|(?:eur|usd|cny|rmb|gbp|jpy|hkd|chf)(?=[ \d]))[ ]?", re.IGNORECASE
)


def unit_after(text: str, at: int) -> tuple[str, int] | None:
    """The unit named right after a number that ends at this place of a plain text, and where it ends."""
    found = _AFTER.match(text, at)
    return None if found is None else (found[1], found.end())


def unit_before(text: str, at: int) -> tuple[str, int] | None:
    """The currency that stands before a number at this place of a plain text, and where the number begins."""
    found = _BEFORE.match(text, at)
    return None if found is None else (found[1], found.end())


def unit_named(name: str) -> Unit | None:
    """The unit that goes by this name."""
    return _UNITS.get(plain(name).strip())


def factor(written: str, declared: str) -> Decimal | None:
    """By how much to multiply an amount in the unit as `written` to have it in the `declared` one.

    None where they do not measure the same, or a guess would be needed.
    """
    one, other = unit_named(written), unit_named(declared)
    if one is None or other is None:
        return Decimal(1) if _singular(written) == _singular(declared) else None
    if one.kind == other.kind:
        return one.size / other.size
    return Decimal(1) if other.name in _AMBIGUOUS.get(plain(written), ()) else None


def _singular(name: str) -> str:
    level = plain(name).strip()
    return level.removesuffix("s") if level.isascii() else level
