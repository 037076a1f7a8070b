"""Evidence mass that ages: what is pinned stays, the rest halves."""

from __future__ import annotations

from dataclasses import dataclass

from knowwhy.core.confidence.decay import decay
from knowwhy.core.timeline import Instant


@dataclass(frozen=True, slots=True)
class Mass:
    """An evidence count in two parts, as of a reference instant kept beside it: pinned and ageing."""

    pinned: float = 0.0
    ageing: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what no count can be; written so that NaN is refused too."""
        if not (self.pinned >= 0.0 and self.ageing >= 0.0):
            msg = f"An evidence mass is not negative, but here it is {self.pinned} and {self.ageing}."
            raise ValueError(msg)

    def aged(self, factor: float) -> float:
        """The count that is left when the ageing part has shrunk by `factor`."""
        return self.pinned + self.ageing * factor

    @property
    def fresh(self) -> float:
        """The count as if no time had passed since the reference instant."""
        return self.pinned + self.ageing

    def __add__(self, other: Mass) -> Mass:
        return Mass(self.pinned + other.pinned, self.ageing + other.ageing)

    def scaled(self, factor: float) -> Mass:
        """Both parts times `factor`."""
        return Mass(self.pinned * factor, self.ageing * factor)


NO_MASS = Mass()


@dataclass(frozen=True, slots=True)
class Voice:
    """The strongest statement of one independence group for or against one value.

    `count` is taken before ageing; `since` is when the source spoke.
    """

    count: float
    since: Instant
    is_pinned: bool = False

    def aged_count(self, reference: Instant, half_life_days: float | None) -> float:
        """What is left of its count at `reference`."""
        if self.is_pinned or half_life_days is None:
            return self.count
        return self.count * decay(self.since, reference, half_life_days)

    def mass(self, reference: Instant, half_life_days: float | None) -> Mass:
        """Its evidence mass, expressed at `reference`."""
        left = self.aged_count(reference, half_life_days)
        return Mass(pinned=left) if self.is_pinned else Mass(ageing=left)
