"""Nearness in meaning, as recall asks for it: whoever keeps vectors answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol


class Nearness(Protocol):
    """How near documents come to one question in meaning, each from 0 (unrelated) to 1 (the same)."""

    @property
    def model(self) -> str:
        """By which model."""

    def nearest(self, most: int) -> Sequence[tuple[str, float]]:
        """The nearest documents, nearest first."""

    def of(self, documents: Iterable[str]) -> dict[str, float]:
        """The nearness of each of some documents; 0 where one has no vector yet."""


@dataclass(frozen=True, slots=True)
class SeenNearness:
    """The same, of the documents that a reader may see."""

    whole: Nearness
    hides: Callable[[str], bool]

    @property
    def model(self) -> str:
        """By which model."""
        return self.whole.model

    def nearest(self, most: int) -> Sequence[tuple[str, float]]:
        """The nearest documents that are not hidden, nearest first."""
        asked = most
        while True:
            read = self.whole.nearest(asked)
            found = [one for one in read if not self.hides(one[0])]
            if len(found) >= most or len(read) < asked:
                return found[:most]
            asked *= 2

    def of(self, documents: Iterable[str]) -> dict[str, float]:
        """The nearness of each of some documents that may be seen."""
        return self.whole.of(documents)
