"""The analyser: the index terms of a text, the same for what is stored and what is asked."""

from __future__ import annotations

import re
import threading
import unicodedata
from functools import lru_cache
from typing import Final

from snowballstemmer.english_stemmer import EnglishStemmer

# One Han character.
_HAN_RANGES: Final = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
HAN: Final = f"[{_HAN_RANGES}]"

_LETTER = rf"[^\W_{_HAN_RANGES}]"
# A run of Han characters, or a word: letters and digits with the marks that hold them together (3.10, don't).
_PIECE = re.compile(rf"{HAN}+|{_LETTER}+(?:[.'’/-]{_LETTER}+)*")
_HAN = re.compile(HAN)
_JOINED = re.compile(r"[/-]")

_STOP_WORDS: Final = frozenset(
    """
    a an and are as at be been but by can could did do does for from had has have how i if in into is it
    its may me might my of on or our shall should so than that the their them then there these they this
    those to was we were what when where which who whom whose why will with would you your
    """.split()  # noqa: SIM905 - as a list, the words would stand one a line
)
_STOP_CHARACTERS: Final = frozenset("的了是吗呢吧啊在和与及或也都就这那")

_LONGEST = 64


class _Stemmer(threading.local):
    """A stemmer for each thread: one keeps the word it is at, so two threads would mix theirs.

    The pure one by name, since `snowballstemmer.stemmer` takes PyStemmer where that is installed, and
    index terms must not depend on the machine.
    """

    def __init__(self) -> None:
        self.stem = EnglishStemmer().stemWord


_stemmer = _Stemmer()


def terms(text: str) -> tuple[str, ...]:
    """The index terms of `text`, in order and with repetitions.

    English words are stemmed; each run of Han characters yields its characters and its pairs of
    neighbours, so that a word is found without anyone having cut the sentence into words.
    """
    found: list[str] = []
    for piece in _PIECE.findall(unicodedata.normalize("NFKC", text).casefold()):
        found += _han_terms(piece) if _HAN.match(piece) else _word_terms(piece[:_LONGEST])
    return tuple(found)


def _han_terms(run: str) -> list[str]:
    characters = [character for character in run if character not in _STOP_CHARACTERS]
    return characters + [run[at : at + 2] for at in range(len(run) - 1)]


@lru_cache(maxsize=16_384)
def _word_terms(word: str) -> tuple[str, ...]:
    """A word's stem, and for a joined one (user-1, and/or) the stems of its parts too."""
    plain = word.replace("’", "'").removesuffix("'s")
    parts = [part for part in _JOINED.split(plain) if part] if _JOINED.search(plain) else []
    return tuple(_stem(part) for part in (plain, *parts) if part not in _STOP_WORDS)


def _stem(word: str) -> str:
    # Only words have stems: names such as v2 and numbers are found as they are.
    return _stemmer.stem(word) if word.isalpha() else word
