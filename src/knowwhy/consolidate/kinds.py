"""What a text says by kind: dates, durations, telephone numbers and codes in one spelling."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

_WORD: Final = re.compile(r"[^\W_]+(?:\.[0-9]+)?")
_MONTHS: Final = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAY_FIRST: Final = re.compile(r"\b([0-9]{1,2})[- ]([a-z]{3})[a-z]*[- ]([0-9]{2,4})\b")
_MONTH_FIRST: Final = re.compile(r"\b([a-z]{3})[a-z]* ([0-9]{1,2}) ?,? ([0-9]{4})\b")
_ISO_DAY: Final = re.compile(r"\b([0-9]{4})-([0-9]{2})-([0-9]{2})\b")
_DURATION: Final = re.compile(r"\b([0-9]{1,3}):([0-9]{2})\b")
_PHONE: Final = re.compile(r"(?<![\w.])\(?([0-9]{3})\)?\s*[-/. ]\s*-?([0-9]{3})\s*-\s*([0-9]{4})\b")
_CODE: Final = re.compile(r"\b(?=[a-z0-9/-]*[0-9])[a-z0-9]+(?:[-/][a-z0-9]+)+\b")
_MAIL: Final = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")
_FEWEST_DIGITS: Final = 4
_SHORTEST: Final = 6
_PIVOT: Final = 50  # years of two digits from here on are of the last century


@dataclass(frozen=True, slots=True)
class Features:
    """The words of a text and its groups of three letters, with what it says by kind in both.

    `seconds` are the durations, `phones` the telephone numbers in it.
    """

    words: frozenset[str]
    triples: frozenset[str]
    seconds: frozenset[int] = frozenset()
    phones: frozenset[str] = frozenset()


@lru_cache(maxsize=8192)
def features(text: str) -> Features:
    """What a text is compared by."""
    said = unicodedata.normalize("NFKC", text).casefold()
    days, seconds, phones = list[str](), list[int](), list[str]()

    def day(whole: str, year: str, month: str, of_month: str) -> str:
        if month not in _MONTHS:
            return whole
        days.append(f"{_year(year)}-{_MONTHS.index(month) + 1:02}-{int(of_month):02}")
        return " "

    def iso(found: re.Match[str]) -> str:
        days.append(found[0])
        return " "

    def duration(found: re.Match[str]) -> str:
        seconds.append(int(found[1]) * 60 + int(found[2]))
        return " "

    def phone(found: re.Match[str]) -> str:
        phones.append(found[1] + found[2] + found[3])
        return " "

    said = _ISO_DAY.sub(iso, said)
    said = _DAY_FIRST.sub(lambda one: day(one[0], one[3], one[2], one[1]), said)
    said = _MONTH_FIRST.sub(lambda one: day(one[0], one[3], one[1], one[2]), said)
    said = _PHONE.sub(phone, _DURATION.sub(duration, said))
    said = _CODE.sub(_joined, said)
    found = _WORD.findall(said)
    kinds = (*days, *(f"{one}s" for one in seconds), *phones)
    padded = f" {' '.join(found)} "
    triples = (padded[at : at + 3] for at in range(len(padded) - 2)) if found else ()
    return Features(
        frozenset((*found, *kinds)), frozenset((*triples, *kinds)), frozenset(seconds), frozenset(phones)
    )


def identifier(text: str) -> str | None:
    """The code, number of a telephone or address of mail that a whole value is, in one spelling; else None.

    Amounts, days, durations and short numbers are none: things share these by chance.
    """
    said = unicodedata.normalize("NFKC", text).casefold().strip(" '\"`")
    if _MAIL.fullmatch(said):
        return said
    whole = "".join(one for one in said if one.isalnum())
    parts = _WORD.findall(said)
    is_one = " " not in said or all(one.isdecimal() for one in parts)
    is_other = "." in said or "," in said or features(text).seconds or _is_day(said)
    if not is_one or is_other or len(whole) < _SHORTEST or sum(map(str.isdigit, whole)) < _FEWEST_DIGITS:
        return None
    return whole


def _is_day(said: str) -> bool:
    return any(pattern.fullmatch(said) for pattern in (_ISO_DAY, _DAY_FIRST, _MONTH_FIRST))


def _joined(found: re.Match[str]) -> str:
    """A code without what parts it; numbers alone stay apart."""
    is_code = any(one.isalpha() for one in found[0])
    return found[0].replace("-", "").replace("/", "") if is_code else found[0]


def _year(text: str) -> int:
    year = int(text)
    if year > 99:  # noqa: PLR2004 - written in full
        return year
    return year + (2000 if year < _PIVOT else 1900)
