"""By what a memory ranks what it finds; it never touches what is believed, nor how surely."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

from knowwhy.core.timeline import BEGINNING, Instant
from knowwhy.errors import InvalidInput

MOST_MEANING = 4.0


@dataclass(frozen=True, slots=True)
class RankingWeights:
    """How much each thing counts when recall ranks, beside the words of the question, which count 1.

    `meaning` is for nearness by vectors, `beside` for what was said around it in the same
    conversation; `confidence`, `recency` and `authority` say which share of its fit a belief may lose
    for lack of them, from 0 to 1. `learned_from` counts the ratings that shaped them.
    """

    kind: ClassVar[str] = "ranking"
    is_schema: ClassVar[bool] = False

    meaning: float = 1.0
    beside: float = 0.5
    confidence: float = 0.3
    recency: float = 0.05
    authority: float = 0.05
    learned_from: int = 0
    declared_in: int = 0
    declared_at: Instant = BEGINNING

    def __post_init__(self) -> None:
        """Refuse weights that would turn the order round."""
        for name in WEIGHTS:
            weight, most = getattr(self, name), MOST_MEANING if name == "meaning" else 1.0
            if not (math.isfinite(weight) and 0.0 <= weight <= most):
                msg = f"The weight of {name} lies between 0 and {most:g}, not {weight}."
                raise InvalidInput(msg)

    @property
    def key(self) -> str:
        """There is one."""
        return ""

    def changed(self, weights: Mapping[str, float], learned_from: int | None = None) -> RankingWeights:
        """The same with some weights, by name, in the place of its own."""
        own: dict[str, Any] = {name: getattr(self, name) for name in WEIGHTS}
        own |= {name: float(weight) for name, weight in weights.items()}
        count = self.learned_from if learned_from is None else learned_from
        changed = RankingWeights(**own, learned_from=count)
        return self if changed == self.undated else changed

    @property
    def undated(self) -> RankingWeights:
        """The weights, without when they were declared."""
        return replace(self, declared_in=0, declared_at=BEGINNING)


# The weights by name, in the order in which they are shown.
WEIGHTS = tuple(one.name for one in fields(RankingWeights))[:5]
