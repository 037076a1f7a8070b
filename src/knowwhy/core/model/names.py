"""When two spellings are one name."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from knowwhy.errors import InvalidInput

# What nobody pronounces: emoji and other symbols, zero-width joiners, bidi controls.
_SILENT = frozenset({"So", "Sk", "Cf", "Cc", "Co", "Cs"})


@lru_cache(maxsize=8_192)
def name_key(name: str) -> str:
    """What two spellings of one name share: width, case, emoji and spacing are levelled.

    Letters of every script and punctuation stay, so that neither `user-1` and `user 1` nor two
    Chinese names ever become one.
    """
    levelled = unicodedata.normalize("NFKC", name).casefold()
    spoken = "".join(
        " " if mark.isspace() else mark
        for mark in levelled
        if mark.isspace() or unicodedata.category(mark) not in _SILENT
    )
    # A name made of symbols alone keeps them: it has nothing else to be told apart by.
    return " ".join(spoken.split()) or " ".join(levelled.split())


def attribute_key(name: str) -> str:
    """The key of an attribute: as `name_key`, and spellings with _, - and spaces are one."""
    return name_key(name.replace("_", " ").replace("-", " "))


def checked_name(name: object, what: str) -> str:
    """`name` without outer white space.

    Raises:
        InvalidInput: not a text, or nothing in it.
    """
    if not isinstance(name, str) or not name.strip():
        msg = f"The {what} must be a text that is not empty, not {name!r}."
        raise InvalidInput(msg)
    return " ".join(name.split())
