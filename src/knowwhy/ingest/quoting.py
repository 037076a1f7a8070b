"""Quotes: where in the evidence a claim was read."""

from __future__ import annotations

import unicodedata
from typing import Final

from knowwhy.errors import NotInSource
from knowwhy.recall.analysis import HAN
from knowwhy.recall.expressions import expression

_TOKEN: Final = expression(rf"{HAN}|[^\W_]+")
# Words that turn a statement round, and digits: they may never be among what a quote leaves out.
_TURNS: Final = frozenset(
    """
    not no never none nor neither without cannot longer unless if except but only hardly n t don doesn
    isn won may might 不 没 无 非 未 否 别 勿 若 如 仅 只 除 但 将
    """.split()  # noqa: SIM905 - as a list, the words would stand one a line
)
_LEAST_WORDS: Final = 4
_MOST_LEFT_OUT: Final = 0.25
_MOST_STARTS: Final = 40


def matched_quote(quote: str, text: str) -> tuple[str, str]:
    """The passage of `text` that `quote` names, and how it matched: "exact", "normalised" or "fuzzy".

    Fuzzy is a quote that leaves out some words of its passage, none of which could turn its meaning.

    Raises:
        NotInSource: the words are not in the text, even with case, width and spacing levelled.
    """
    if quote and quote in text:
        return quote, "exact"
    levelled = _levelled(quote)
    if levelled and levelled in _levelled(text):
        return quote, "normalised"
    passage = _with_words_left_out(quote, text)
    if passage is not None:
        return passage, "fuzzy"
    msg = f"The quote {quote!r} is not in the evidence: a claim must rest on words it contains."
    raise NotInSource(msg, quote=quote)


def _levelled(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _with_words_left_out(quote: str, text: str) -> str | None:
    """The passage that a quote names although it leaves out some of its words."""
    wanted = [_levelled(found[0]) for found in _TOKEN.finditer(quote)]
    if len(wanted) < _LEAST_WORDS:
        return None
    spare = int(len(wanted) * _MOST_LEFT_OUT)
    tokens = [(_levelled(found[0]), found.start(), found.end()) for found in _TOKEN.finditer(text)]
    starts = [at for at, (word, _, _) in enumerate(tokens) if word == wanted[0]][:_MOST_STARTS]
    for at in starts:
        end = _reached(wanted, [word for word, _, _ in tokens[at : at + len(wanted) + spare]], spare)
        if end is not None:
            return text[tokens[at][1] : tokens[at + end][2]]
    return None


def _reached(wanted: list[str], there: list[str], spare: int) -> int | None:
    """Where all wanted words were met in order, with few enough and only harmless ones between them."""
    met = left_out = 0
    for at, word in enumerate(there):
        if word == wanted[met]:
            met += 1
            if met == len(wanted):
                return at
        elif left_out < spare and word not in _TURNS and not any(mark.isdigit() for mark in word):
            left_out += 1
        else:
            return None
    return None
