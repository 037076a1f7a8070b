"""Sources: who says so, and how far they are trusted before anything is learned about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class SourceType:
    """The authority band of a kind of source, and how often such a source is right at the outset."""

    name: str
    authority: int
    reliability: float


HIGHEST_AUTHORITY: Final = 100

UNSTATED: Final = SourceType("unstated", 40, 0.70)

SOURCE_TYPES: Final = {
    kind.name: kind
    for kind in (
        SourceType("correction", HIGHEST_AUTHORITY, 0.98),
        SourceType("official", 80, 0.95),
        SourceType("api", 70, 0.93),
        SourceType("sensor", 60, 0.90),
        SourceType("tool", 60, 0.90),
        SourceType("document", 50, 0.85),
        SourceType("import", 50, 0.80),
        SourceType("user", 50, 0.80),
        UNSTATED,
        SourceType("web", 30, 0.70),
        SourceType("assistant", 20, 0.60),
        SourceType("model", 20, 0.60),
        SourceType("derived", 10, 0.60),
        SourceType("rumour", 10, 0.55),
    )
}


@dataclass(frozen=True, slots=True)
class Source:
    """One speaker: a document, an interface, a person, a model. One name under two types is two speakers."""

    name: str
    type: str = UNSTATED.name
    authority: int = UNSTATED.authority
    reliability: float = UNSTATED.reliability

    @property
    def group(self) -> str:
        """Its own independence group: all its statements count as one voice."""
        return f"{self.type}:{self.name}"
