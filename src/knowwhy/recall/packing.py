"""Packing: as many whole items as fit into a budget of tokens, the most useful first."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

# Says how many tokens a model will read in a text.
TokenCounter: TypeAlias = Callable[[str], int]

# From here on, the blocks of Chinese, Japanese and Korean.
_FIRST_WIDE: Final = "\u2e80"


def estimated_tokens(text: str) -> int:
    """About how many tokens a model will read in `text`: four letters, or one Han character, a token."""
    wide = sum(mark >= _FIRST_WIDE for mark in text)
    return math.ceil((len(text) - wide) / 4) + wide


@dataclass(frozen=True, slots=True)
class Budget:
    """How many tokens there are, None for no bound, and who counts them."""

    tokens: int | None = None
    count: TokenCounter = estimated_tokens

    def fitting(self, head: str, parts: Iterable[str]) -> list[int]:
        """Which of `parts`, in order, fit whole, each on lines of its own, under a `head`.

        What does not fit is passed over, and the next is tried: none is ever cut. What is chosen comes,
        as one text, to no more tokens than there are.
        """
        if self.tokens is None:
            return [at for at, _ in enumerate(parts)]
        text = head
        chosen: list[int] = []
        for at, part in enumerate(parts):
            longer = f"{text}\n{part}"
            if self.count(longer) <= self.tokens:
                text, chosen = longer, [*chosen, at]
        return chosen

    def packed(self, head: str, parts: Iterable[str]) -> str:
        """The head and the parts that fit, as one text; empty where none does."""
        listed = list(parts)
        chosen = [listed[at] for at in self.fitting(head, listed)]
        return "\n".join([head, *chosen] if head else chosen) if chosen else ""
