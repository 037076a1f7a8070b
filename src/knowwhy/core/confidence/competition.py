"""Values that exclude each other compete for one unit of probability (theory §1.6)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from knowwhy.core.confidence.counts import PRIOR_WEIGHT
from knowwhy.core.confidence.decay import decay
from knowwhy.core.confidence.mass import NO_MASS, Mass
from knowwhy.core.timeline import FOREVER, MICROSECONDS_PER_DAY, Instant


@dataclass(frozen=True, slots=True)
class Tally:
    """The evidence on one value and on its rivals, enough to say its confidence at any later instant.

    `support` and `refutation` concern the value itself, `rival_support` and `rival_refutation` all
    other named values together; `values` counts the named values, this one included. All masses are
    expressed at `reference` and age with one half-life.
    """

    reference: Instant
    half_life_days: float | None = None
    support: Mass = NO_MASS
    refutation: Mass = NO_MASS
    rival_support: Mass = NO_MASS
    rival_refutation: Mass = NO_MASS
    values: int = 1

    def confidence(self, at: Instant | None = None) -> float:
        """The projected probability of the value at `at` (before any ageing where None).

        Of a slot's prior weight, half belongs to "some other value" and half is shared by the named
        ones; refuting a rival is evidence for all that is left. For one named value this is the mean
        (r + 1) / (r + s + 2) of a beta distribution.
        """
        factor = self._factor(at)
        support, refutation = self.support.aged(factor), self.refutation.aged(factor)
        rivals, spared = self.rival_support.aged(factor), self.rival_refutation.aged(factor)
        base_rate = 0.5 / self.values
        total = PRIOR_WEIGHT + support + refutation + rivals + spared
        return (support + spared * base_rate / (1.0 - base_rate) + base_rate * PRIOR_WEIGHT) / total

    def ignorance(self, at: Instant | None = None) -> float:
        """The share of the answer that rests on no evidence at all: 1 where there is none."""
        factor = self._factor(at)
        masses = (self.support, self.refutation, self.rival_support, self.rival_refutation)
        return PRIOR_WEIGHT / (PRIOR_WEIGHT + sum(mass.aged(factor) for mass in masses))

    def conflict(self, at: Instant | None = None) -> float:
        """How much the evidence disagrees about the value: 0 for none, near 1 for an even quarrel."""
        factor = self._factor(at)
        pro = self.support.aged(factor)
        contra = (self.refutation + self.rival_support).aged(factor)
        if pro + contra == 0.0:
            return 0.0
        return 4.0 * pro * contra / (pro + contra) ** 2 * (1.0 - self.ignorance(at))

    def sinks_below(self, threshold: float) -> Instant:
        """The instant from which ageing leaves the confidence below `threshold`; FOREVER if it never does.

        The confidence is (A + B f) / (C + D f) in the ageing factor f, so it only falls or only rises
        with time, and crosses a threshold once. Where it is below already and falling, that is the
        reference.
        """
        if self.half_life_days is None:
            return FOREVER
        base_rate = 0.5 / self.values
        spared_share = base_rate / (1.0 - base_rate)
        masses = (self.support, self.refutation, self.rival_support, self.rival_refutation)
        fixed = self.support.pinned + self.rival_refutation.pinned * spared_share + base_rate * PRIOR_WEIGHT
        in_the_end = fixed / (PRIOR_WEIGHT + sum(mass.pinned for mass in masses))
        at_reference = self.confidence()
        if in_the_end >= min(threshold, at_reference):
            return FOREVER
        if at_reference < threshold:
            return self.reference
        falling = self.support.ageing + self.rival_refutation.ageing * spared_share
        missing = threshold * (PRIOR_WEIGHT + sum(mass.pinned for mass in masses)) - fixed
        factor = missing / (falling - threshold * sum(mass.ageing for mass in masses))
        days = -math.log2(factor) * self.half_life_days
        return Instant(self.reference + math.ceil(days * MICROSECONDS_PER_DAY))

    def _factor(self, at: Instant | None) -> float:
        return 1.0 if at is None else decay(self.reference, at, self.half_life_days)


def compete(
    supports: dict[str, Mass],
    refutations: dict[str, Mass],
    reference: Instant,
    half_life_days: float | None,
) -> dict[str, Tally]:
    """One tally for each value named in `supports` or `refutations`, all excluding each other."""
    named = sorted(supports.keys() | refutations.keys())
    if len(named) == 1:
        alone = named[0]
        support, refutation = supports.get(alone, NO_MASS), refutations.get(alone, NO_MASS)
        return {alone: Tally(reference, half_life_days, support, refutation)}
    all_support = sum((supports.get(value, NO_MASS) for value in named), NO_MASS)
    all_refutation = sum((refutations.get(value, NO_MASS) for value in named), NO_MASS)
    return {
        value: Tally(
            reference=reference,
            half_life_days=half_life_days,
            support=(support := supports.get(value, NO_MASS)),
            refutation=(refutation := refutations.get(value, NO_MASS)),
            rival_support=_without(all_support, support),
            rival_refutation=_without(all_refutation, refutation),
            values=len(named),
        )
        for value in named
    }


def _without(total: Mass, part: Mass) -> Mass:
    # Clamped, since a difference of sums of floats can end a hair below zero.
    return Mass(max(0.0, total.pinned - part.pinned), max(0.0, total.ageing - part.ageing))
