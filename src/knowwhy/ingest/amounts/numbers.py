"""Numbers: digits, English number words and Chinese numerals, wherever they begin in a plain text."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from knowwhy.recall.expressions import expression


@dataclass(frozen=True, slots=True)
class Number:
    """A number and where it ends. In `words` it needs a unit, for `one` and 一 are often no numbers."""

    amount: Decimal
    end: int
    in_words: bool = False


_DIGITS: Final = expression(
    r"[+-]?(?:\d{1,3}(?:,\d{3})+(?:\.\d{1,12})?|\d{1,18}(?:\.\d{1,12})?)(?![\d,.]*\d)"
)

_ENGLISH: Final = {
    word: amount
    for amount, words in {
        0: "zero",
        1: "one",
        2: "two",
        3: "three",
        4: "four",
        5: "five",
        6: "six",
        7: "seven",
        8: "eight",
        9: "nine",
        10: "ten",
        11: "eleven",
        12: "twelve",
        13: "thirteen",
        14: "fourteen",
        15: "fifteen",
        16: "sixteen",
        17: "seventeen",
        18: "eighteen",
        19: "nineteen",
        20: "twenty",
        30: "thirty",
        40: "forty",
        50: "fifty",
        60: "sixty",
        70: "seventy",
        80: "eighty",
        90: "ninety",
    }.items()
    for word in words.split()
}
_MAGNITUDES: Final = {"hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9}
_WORD: Final = expression(r"[a-z]{1,9}")
_BETWEEN_WORDS: Final = expression(r"(?:-| and | )")
_A_MAGNITUDE: Final = expression(r"(?: (hundred|thousand|million|billion)|(k))\b")

_HAN_DIGITS: Final = {mark: at for at, mark in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_HAN_TENS: Final = {"十": 10, "百": 100, "千": 1_000}
_HAN_MYRIADS: Final = {"万": 10**4, "亿": 10**8}
_HAN_NUMBER: Final = expression(r"[零〇一二两三四五六七八九十百千万亿]{1,20}")
_A_MYRIAD: Final = expression(r" ?([百千万亿]{1,2})")
_LEAST_BARE_DIGITS: Final = 3


def number_at(plain: str, at: int) -> Number | None:
    """The number that begins at this place of a plain text."""
    if at >= len(plain):
        return None
    mark = plain[at]
    if mark.isdigit() or (mark in "+-" and plain[at + 1 : at + 2].isdigit()):
        return _in_digits(plain, at)
    if mark in _HAN_DIGITS or mark in _HAN_TENS:
        return _in_han(plain, at)
    return _in_english(plain, at) if mark.isascii() and mark.isalpha() else None


def _in_digits(plain: str, at: int) -> Number | None:
    written = _DIGITS.match(plain, at)
    if written is None:
        return None
    amount, end = Decimal(written[0].replace(",", "")), written.end()
    if larger := _A_MAGNITUDE.match(plain, end):
        return Number(amount * (_MAGNITUDES[larger[1]] if larger[1] else 1_000), larger.end())
    if larger := _A_MYRIAD.match(plain, end):
        for mark in larger[1]:
            amount *= {**_HAN_TENS, **_HAN_MYRIADS}[mark]
        return Number(amount, larger.end())
    return Number(amount, end)


def _in_english(plain: str, at: int) -> Number | None:
    """A number in words: tens and ones add up, a hundred or thousand multiplies what came before it."""
    total = group = 0
    end, last = at, 10**12
    begins = _WORD.match(plain, at)
    while begins is not None:
        word = begins[0]
        if word in _ENGLISH and _may_follow(_ENGLISH[word], last):
            last = _ENGLISH[word]
            group += last
        elif word in _MAGNITUDES and end > at:
            size = _MAGNITUDES[word]
            if size == 100:  # noqa: PLR2004 - a hundred stays within its group
                group *= size
            else:
                total, group = total + group * size, 0
            last = size
        else:
            break
        end = begins.end()
        between = _BETWEEN_WORDS.match(plain, end)
        begins = _WORD.match(plain, between.end()) if between else None
    if end == at or plain[end : end + 1].isalpha():
        return None
    return Number(Decimal(total + group), end, in_words=True)


def _may_follow(amount: int, last: int) -> bool:
    """Whether a word for `amount` continues a number: twenty-five, but not five six."""
    return last >= 100 or (last >= 20 and amount < 10)  # noqa: PLR2004 - the sizes of number words


def _in_han(plain: str, at: int) -> Number | None:
    written = _HAN_NUMBER.match(plain, at)
    if written is None:
        return None
    marks = written[0]
    amount = _han_amount(marks)
    return None if amount is None else Number(Decimal(amount), written.end(), in_words=True)


def _han_amount(marks: str) -> int | None:
    """What a Chinese numeral comes to; None for two digits side by side, which are a rough guess (三四)."""
    if all(mark in _HAN_DIGITS for mark in marks):
        if len(marks) > 1 and len(marks) < _LEAST_BARE_DIGITS and "〇" not in marks and "零" not in marks:
            return None
        return int("".join(str(_HAN_DIGITS[mark]) for mark in marks))
    total = section = digit = 0
    last = 1
    is_spoken = False
    for mark in marks:
        if mark in _HAN_DIGITS:
            if digit:
                return None
            digit, is_spoken = _HAN_DIGITS[mark], is_spoken or mark in "零〇"
        elif mark in _HAN_TENS:
            last = _HAN_TENS[mark]
            section += (digit or 1) * last
            digit, is_spoken = 0, False
        else:
            last = _HAN_MYRIADS[mark]
            group, section, digit, is_spoken = section + digit, 0, 0, False
            total = total + group * last if mark == "万" else (total + group) * last
    # 一千二 is 1200: a last digit counts the next lower place, unless 零 says that it does not.
    return total + section + (digit if is_spoken or last <= 10 else digit * last // 10)  # noqa: PLR2004
