"""Plain text: a writing in which spellings are level, mark by mark, so that places stay the same."""

from __future__ import annotations

import unicodedata
from typing import Final

from knowwhy.recall.analysis import HAN
from knowwhy.recall.expressions import expression

# Quotation marks, dashes and spaces that NFKC leaves as they are, or would make longer.
_FORMS: Final = {
    "’": "'",
    "‘": "'",
    "“": '"',
    "”": '"',
    "–": "-",
    "—": "-",
    "−": "-",
    "\t": " ",
    "\n": " ",
    "\r": " ",
}

_HAN: Final = expression(HAN)


class _Levels(dict[int, str]):
    """How each mark is written plainly: in lower case and half width, one mark for one mark."""

    def __missing__(self, code: int) -> str:
        mark = chr(code)
        level = unicodedata.normalize("NFKC", mark).casefold()
        if len(level) != 1:
            level = mark.lower() if len(mark.lower()) == 1 else mark
        self[code] = level
        return level


_LEVELS: Final = _Levels({ord(mark): level for mark, level in _FORMS.items()})


def plain(text: str) -> str:
    """`text` in lower case and half width, with straight quotes; as long as `text`, place by place."""
    return text.translate(_LEVELS)


def has_han(text: str) -> bool:
    """Whether there is any Han character in `text`."""
    return not text.isascii() and _HAN.search(text) is not None
