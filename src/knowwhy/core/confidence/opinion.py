"""Opinions: how much is believed, how much disbelieved, and how much is simply not known (theory §1.4)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from knowwhy.core.confidence.counts import PRIOR_WEIGHT

_SUM_TOLERANCE: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Opinion:
    """A binomial opinion of subjective logic: `belief`, `disbelief` and `uncertainty` add up to 1.

    Unlike a bare probability it tells ignorance (all uncertainty) from conflict (belief and disbelief
    in balance). `base_rate` says how likely the proposition is where nothing is known of it. An
    opinion without uncertainty is called dogmatic: it stands for infinite evidence.

    Raises:
        ValueError: a component that is not a number from 0 to 1, or a sum more than 1e-9 away from 1.
    """

    belief: float
    disbelief: float
    uncertainty: float
    base_rate: float = 0.5

    def __post_init__(self) -> None:
        for name in ("belief", "disbelief", "uncertainty", "base_rate"):
            _refuse_unless_share(name, getattr(self, name))
        total = self.belief + self.disbelief + self.uncertainty
        if abs(total - 1.0) > _SUM_TOLERANCE:
            msg = (
                f"Belief, disbelief and uncertainty must add up to 1, not {total!r}. Divide each by their "
                "sum, or build the opinion from evidence with Opinion.from_counts(support, refutation)."
            )
            raise ValueError(msg)

    @classmethod
    def vacuous(cls, base_rate: float = 0.5) -> Opinion:
        """The opinion of somebody who knows nothing but the base rate."""
        return cls(0.0, 0.0, 1.0, base_rate)

    @classmethod
    def from_counts(cls, support: float, refutation: float, base_rate: float = 0.5) -> Opinion:
        """The opinion that these evidence counts give: its mean is that of the matching beta distribution.

        Raises:
            ValueError: a count that is negative, infinite or not a number.
        """
        for name, count in (("support", support), ("refutation", refutation)):
            if not (math.isfinite(count) and count >= 0.0):
                msg = f"The {name} must be a finite count of 0 or more, not {count!r}; count what was seen."
                raise ValueError(msg)
        return proportioned(support, refutation, PRIOR_WEIGHT, base_rate)

    @property
    def projected(self) -> float:
        """The one number: the belief, and of the uncertainty the share that the base rate grants."""
        return min(1.0, self.belief + self.base_rate * self.uncertainty)

    @property
    def is_dogmatic(self) -> bool:
        """Whether no uncertainty is left, so that no finite evidence could have led here."""
        return self.uncertainty == 0.0

    def counts(self) -> tuple[float, float]:
        """The evidence counts, supporting and refuting, that give this opinion.

        Raises:
            ValueError: the opinion is dogmatic, or so nearly that its counts are beyond all numbers.
        """
        if not self.is_dogmatic:
            support = PRIOR_WEIGHT * self.belief / self.uncertainty
            refutation = PRIOR_WEIGHT * self.disbelief / self.uncertainty
            if math.isfinite(support) and math.isfinite(refutation):
                return support, refutation
        msg = (
            f"An opinion with uncertainty {self.uncertainty!r} stands for infinite evidence. Keep some "
            "uncertainty: cap the reliability of its source below 1, as evidence_count does."
        )
        raise ValueError(msg)

    def discounted(self, trust: Opinion) -> Opinion:
        """What is left of this opinion when it is heard from somebody trusted this much.

        Distrust makes it vacuous, never its own opposite. This is the trust discount by projected
        probability; `discounted_counts` is the one that distributes over cumulative fusion.
        """
        share = trust.projected
        return proportioned(
            share * self.belief,
            share * self.disbelief,
            (1.0 - share) + share * self.uncertainty,
            self.base_rate,
        )

    def aged(self, factor: float) -> Opinion:
        """The opinion after its evidence has shrunk to `factor`: uncertainty grows, nothing is disbelieved.

        A dogmatic opinion does not age: any share of infinite evidence is still infinite, and the
        factor reaches 0 only where an old enough date rounds to it.

        Raises:
            ValueError: a factor that is not a number from 0 to 1.
        """
        _refuse_unless_share("factor", factor)
        if self.is_dogmatic:
            return self
        return proportioned(factor * self.belief, factor * self.disbelief, self.uncertainty, self.base_rate)


def proportioned(belief: float, disbelief: float, uncertainty: float, base_rate: float) -> Opinion:
    """The opinion whose three components stand to each other as these amounts, which must not be all 0."""
    # Scaled to the greatest before they are added, so that no sum of large amounts becomes infinite.
    greatest = max(belief, disbelief, uncertainty)
    parts = (belief / greatest, disbelief / greatest, uncertainty / greatest)
    total = math.fsum(parts)
    return Opinion(parts[0] / total, parts[1] / total, parts[2] / total, base_rate)


def _refuse_unless_share(name: str, value: float) -> None:
    if not 0.0 <= value <= 1.0:  # also refuses NaN, which compares as false
        msg = f"The {name.replace('_', ' ')} must be a number from 0 to 1, not {value!r}; correct or clip it."
        raise ValueError(msg)


VACUOUS: Final = Opinion.vacuous()
