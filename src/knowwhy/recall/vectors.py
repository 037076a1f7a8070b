"""Nearness in meaning, as recall asks for it: whoever keeps vectors answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
