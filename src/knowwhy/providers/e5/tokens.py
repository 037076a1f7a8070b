"""Tokens: a text as the pieces of a SentencePiece unigram vocabulary, by the best of all ways to cut it."""

from __future__ import annotations

from typing import Final

from knowwhy.providers.e5.weights import Vocabulary

# How the vocabulary writes a space.
_SPACE: Final = "\u2581"


def tokens(text: str, vocabulary: Vocabulary) -> list[int]:
    """The numbers of the pieces of a text, in order (Viterbi over the scores of the pieces)."""
    level = vocabulary.levelled
    spaced = " ".join("".join([level.get(mark, mark) for mark in text]).split(" "))
    while "  " in spaced:
        spaced = spaced.replace("  ", " ")
    written = (spaced if spaced.startswith(" ") else f" {spaced}").replace(" ", _SPACE)
    count = len(written)
    best = [0.0] + [float("-inf")] * count
    back: list[tuple[int, int]] = [(0, 0)] * (count + 1)
    known, unknown = vocabulary.pieces.get, (vocabulary.unknown, vocabulary.unknown_score)
    for start in range(count):
        here = best[start]
        for end in range(start + 1, min(count, start + vocabulary.longest) + 1):
            piece = known(written[start:end])
            if piece is not None and here + piece[1] > best[end]:
                best[end], back[end] = here + piece[1], (piece[0], start)
        if here + unknown[1] > best[start + 1]:
            best[start + 1], back[start + 1] = here + unknown[1], (unknown[0], start)
    found, at = [], count
    while at:
        number, at = back[at]
        found.append(number)
    return found[::-1]
