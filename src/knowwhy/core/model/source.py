"""Sources: who says so, and how far they are trusted before anything is learned about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from knowwhy.core.model.access import PUBLIC, Access


@dataclass(frozen=True, slots=True)
class SourceType:
    """The authority band of a kind of source, and how often such a source is right at the outset.

    What is learned of a source keeps between `floor` and `ceiling`: an office that erred does not become
    a rumour, nor a rumour that was right an office. Where little is known of a kind, there is most to learn.
    """

    name: str
    authority: int
    reliability: float
    floor: float
    ceiling: float

    def __post_init__(self) -> None:
        """Refuse a band that does not hold its own reliability."""
        if not 0.0 <= self.floor <= self.reliability <= self.ceiling <= 1.0:
            msg = f"The reliability of {self.name} lies between its floor and its ceiling, both from 0 to 1."
            raise ValueError(msg)


HIGHEST_AUTHORITY: Final = 100

UNSTATED: Final = SourceType("unstated", 40, 0.70, 0.20, 0.95)

SOURCE_TYPES: Final = {
    kind.name: kind
    for kind in (
        SourceType("correction", HIGHEST_AUTHORITY, 0.98, 0.95, 0.99),
        SourceType("official", 80, 0.95, 0.80, 0.99),
        SourceType("api", 70, 0.93, 0.75, 0.99),
        SourceType("sensor", 60, 0.90, 0.70, 0.98),
        SourceType("tool", 60, 0.90, 0.70, 0.98),
        SourceType("document", 50, 0.85, 0.60, 0.97),
        SourceType("import", 50, 0.80, 0.55, 0.97),
        SourceType("user", 50, 0.80, 0.55, 0.97),
        UNSTATED,
        SourceType("web", 30, 0.70, 0.20, 0.90),
        SourceType("assistant", 20, 0.60, 0.20, 0.85),
        SourceType("model", 20, 0.60, 0.20, 0.85),
        SourceType("derived", 10, 0.60, 0.20, 0.80),
        SourceType("rumour", 10, 0.55, 0.10, 0.75),
    )
}


@dataclass(frozen=True, slots=True)
class Source:
    """One speaker: a document, an interface, a person, a model. One name under two types is two speakers.

    `access` is that of the words by which it became known.
    """

    name: str
    type: str = UNSTATED.name
    authority: int = UNSTATED.authority
    reliability: float = UNSTATED.reliability
    access: Access = field(default=PUBLIC, compare=False)

    @property
    def group(self) -> str:
        """Its own independence group: all its statements count as one voice."""
        return f"{self.type}:{self.name}"

    def within_band(self, rate: float) -> float:
        """A learned reliability, kept within the band of its type; what was stated of it is always within."""
        kind = SOURCE_TYPES.get(self.type, UNSTATED)
        floor, ceiling = min(kind.floor, self.reliability), max(kind.ceiling, self.reliability)
        return min(max(rate, floor), ceiling)
