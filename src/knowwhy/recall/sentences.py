"""Sentences: where one ends and the next begins, in English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from knowwhy.recall.expressions import expression

# Longer than this is no sentence that anybody said: it is not read, so that reading stays linear.
LONGEST: Final = 600

_BOUNDARY: Final = expression(
    r"""(?P<wide>[。！？；…]+)[”’」』）)"']* | (?P<narrow>[.!?;]+)["'”’)\]]*(?=\s|$)
    | (?P<han>[!?;])(?=[\u4e00-\u9fff])""",
    re.VERBOSE,
)
_LAST_WORD: Final = expression(r"[^\s(]{1,12}\Z")
_INITIAL: Final = expression(r"(?:[A-Z]\.)*[A-Z]\Z|[a-z](?:\.[a-z])+\Z")
_ABBREVIATIONS: Final = frozenset(
    """
    mr mrs ms dr prof st jr sr inc ltd co corp llc plc dept no vs etc e.g i.e approx ca cf fig jan feb mar apr
    jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun a.m p.m u.s u.k gov gen rev hon ave
    """.split()  # noqa: SIM905 - as a list, the words would stand one a line
)
# What is written with a dot wherever it stands.
_DOTTED: Final = expression(r"(?:\b[A-Za-z]\.[A-Za-z]|\b(?:Inc|Corp|Co|Jr|Sr|Bros))\Z")
# Words that begin a new sentence even after an abbreviation.
_BEGINNINGS: Final = expression(
    r"\s+(?:It|Its|The|This|That|He|She|They|We|I|You|Our|My|His|Her|Their|There|In|On|From|As|If|But|And)\b"
)
_CAPITAL: Final = expression(r"""\s+["'“‘(\[]?[^\Wa-z_]""")


def sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The places of the sentences between `start` and `end`, without white space around them."""
    at = start
    for found in _BOUNDARY.finditer(text, start, end):
        if (
            found["narrow"]
            and found["narrow"] == "."
            and not _is_boundary(text, found.start(), found.end(), end)
        ):
            continue
        yield from _trimmed(text, at, found.end())
        at = found.end()
    yield from _trimmed(text, at, end)


def name_end(text: str, start: int, end: int) -> int:
    """Where words end that may be a name: before closing marks, but with the dot of D.C. and Inc."""
    while end > start and (text[end - 1].isspace() or text[end - 1] in ".。!！?？;；,，"):
        end -= 1
    end = max(end, start)
    is_short = text[end : end + 1] == "." and _DOTTED.search(text, max(start, end - 12), end) is not None
    return end + 1 if is_short else end


def _is_boundary(text: str, dot: int, after: int, end: int) -> bool:
    """Whether a full stop ends a sentence, and not an abbreviation or an initial."""
    if after >= end:
        return True
    if _CAPITAL.match(text, after, end) is None:
        return False
    word = _LAST_WORD.search(text, max(0, dot - 12), dot)
    if word is None:
        return True
    is_short = word[0].lower() in _ABBREVIATIONS or _INITIAL.search(word[0]) is not None
    return not is_short or _BEGINNINGS.match(text, after, end) is not None


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end
