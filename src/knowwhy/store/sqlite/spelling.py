"""Spelling: how terms are written for the text index, so that each stays one word and none is syntax."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Final

_UNUSUAL: Final = re.compile(r"[\x00-/:-`{-\x7f\ud800-\udfff]")
_ESCAPED: Final = re.compile(r"_([0-9a-f]*)_")
_EMPTY: Final = "__"
_LONGEST: Final = 200


@lru_cache(maxsize=16_384)
def spelled(term: str) -> str:
    """A term as the index spells it, so that FTS5 neither splits it nor reads it as its query language.

    Its tokenizer `ascii` takes every character beyond ASCII as it is; of ASCII we leave it small
    letters and digits, and write all else as its number between two underlines. So no two terms
    are spelled alike, and no spelling holds a blank, a quote or a sign.
    """
    return _UNUSUAL.sub(lambda mark: f"_{ord(mark[0]):x}_", term) or _EMPTY


def tallied(spellings: Sequence[str]) -> str:
    """Terms between blanks, each once, with `=` and how often if it is there more often: ` apple pear=2 `."""
    entries = sorted(set(spellings))
    if len(entries) < len(spellings):
        counts = Counter(spellings)
        entries = [one if counts[one] == 1 else f"{one}={counts[one]}" for one in entries]
    return f" {' '.join(entries)} "


def read_back(tally: str) -> tuple[str, ...]:
    """The terms of a tally, sorted, each as often as it is there."""
    found: list[str] = []
    for entry in tally.strip(" ").split(" ") if tally.strip(" ") else ():
        spelling, _, count = entry.partition("=")
        term = _ESCAPED.sub(lambda mark: mark[1] and chr(int(mark[1], 16)), spelling)
        found += [term] * int(count or 1)
    return tuple(sorted(found))


def token(space: int, spelling: str) -> str:
    """What FTS5 keeps of a term: it begins with the space, so that posting lists of spaces stay apart."""
    if len(spelling) > _LONGEST:
        # FTS5 cuts tokens short. In no spelling does an h follow the first of a pair of underlines.
        digest = blake2b(spelling.encode(), digest_size=16).hexdigest()
        spelling = f"{spelling[:_LONGEST]}_h{digest}"
    return f"{space}x{spelling}"


def tokens(space: int, spellings: Sequence[str]) -> str:
    """The text that makes FTS5 keep these terms."""
    text = f"{space}x" + f" {space}x".join(spellings)
    if not spellings or len(text) > _LONGEST:
        return " ".join([token(space, spelling) for spelling in spellings])
    return text


def quoted(space: int, spelling: str) -> str:
    """The query of FTS5 for the documents of a space that hold a term."""
    return f'"{token(space, spelling)}"'
