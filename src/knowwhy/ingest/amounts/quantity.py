"""Quantities: a number together with its unit, and whether it is meant exactly."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from knowwhy.ingest.amounts.numbers import Number, number_at
from knowwhy.ingest.amounts.units import factor, unit_after, unit_before, unit_named
from knowwhy.recall.expressions import expression


@dataclass(frozen=True, slots=True)
class Quantity:
    """An amount as written, with its unit as written, and where it ends."""

    amount: Decimal
    unit: str | None
    end: int

    def in_unit(self, declared: str) -> Decimal | None:
        """The amount in the declared unit; None where it measures something else."""
        if self.unit is None:
            return self.amount
        times = factor(self.unit, declared)
        return None if times is None else self.amount * times


# What makes an amount a limit, a range or a rough guess.
_ROUGHLY_BEFORE: Final = expression(
    r"""\s*(?: about | around | approx(?:\.|imately)? | roughly | nearly | almost | over | under
      | above | below
      | (?:no[ ]|not[ ])?(?:more|less|fewer)[ ]than | at[ ](?:least|most) | up[ ]to | between | within
        | maximum
      | minimum | somewhere | circa | ca\. | some (?=[ ]\d) | [~≈<>≥≤]=?
      | 不?(?:超过|低于|高于|少于|多于|足|到|满|止) | 大?约为? | 大概 | 大致 | 接近 | 将近 | 近 | 至少
        | 至多 | 最多 | 最少
      | 最高 | 最低 | 差不多 | 几 | 数 | 好几 | 上 (?=[百千万]) )\s*""",
    re.VERBOSE,
)
_ROUGHLY_AFTER: Final = expression(
    r"""\s*(?: or[ ](?:more|less|so|longer|fewer|fewer) | plus\b | \+ | -ish\b | and[ ](?:up|above|over)
      | (?:-|~|to|or|and|至|到|或|、)\s*[\d零一二两三四五六七八九十百]+ | (?:-|~)\s* | left\b
      | 左右 | 以上 | 以下 | 以内 | 之内 | 内 | 上下 | 多 | 余 | 来 | 几 | 起 (?!止) | 开外 )""",
    re.VERBOSE,
)
_PERCENT: Final = expression(r"百分之")
_HALF: Final = expression(r"半(?=个?(?:小时|钟头|月|天|年|日|星期))|half an? ")
_AND_A_HALF: Final = expression(r"个?半| and a half")
_ONE: Final = expression(r"an? (?=[a-z])")
_END: Final = expression(r"\s*(?:[.。,，;；!！)）\]]|$)")

ONE, HALF = Decimal(1), Decimal("0.5")


def is_rough(plain: str, at: int) -> int | None:
    """Where an amount at this place begins that is only a limit or a rough guess; None if it is exact."""
    found = _ROUGHLY_BEFORE.match(plain, at)
    return None if found is None else found.end()


def is_left_open(plain: str, end: int) -> bool:
    """Whether what follows an amount makes it a limit, a range or a rough guess."""
    return _ROUGHLY_AFTER.match(plain, end) is not None


def quantity_at(plain: str, at: int) -> Quantity | None:
    """The quantity that begins at this place of a plain text."""
    if percent := _PERCENT.match(plain, at):
        number = number_at(plain, percent.end())
        return None if number is None else Quantity(number.amount, "%", number.end)
    currency = unit_before(plain, at)
    if currency is not None:
        number = number_at(plain, currency[1])
        return None if number is None or number.in_words else _priced(plain, number, currency[0])
    number = _counted(plain, at)
    return None if number is None else _measured(plain, number)


def _counted(plain: str, at: int) -> Number | None:
    if half := _HALF.match(plain, at):
        return Number(HALF, half.end(), in_words=True)
    number = number_at(plain, at)
    if number is None and (one := _ONE.match(plain, at)):
        return Number(ONE, one.end() - 1, in_words=True)
    return number


def _priced(plain: str, number: Number, currency: str) -> Quantity | None:
    after = unit_after(plain, number.end)
    unit = unit_named(currency)
    if after is not None and unit is not None and unit_named(after[0]) == unit:  # ¥99元
        return Quantity(number.amount, currency, after[1])
    return (
        None
        if plain[number.end : number.end + 1].isalpha()
        else Quantity(number.amount, currency, number.end)
    )


def _measured(plain: str, number: Number) -> Quantity | None:
    amount, end = number.amount, number.end
    if halves := _AND_A_HALF.match(plain, end):
        after = unit_after(plain, halves.end())
        if after is not None:
            return Quantity(amount + HALF, after[0], after[1])
    after = unit_after(plain, end)
    if after is None:
        is_whole = _END.match(plain, end) is not None or not number.in_words
        return None if not is_whole or plain[end : end + 1].isalpha() else Quantity(amount, None, end)
    unit, end = after
    if halves := expression("半").match(plain, end):  # 一年半
        return Quantity(amount + HALF, unit, halves.end())
    return Quantity(amount, unit, end)
