"""Values that exclude each other compete for one unit of probability (theory §1.6)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

from knowwhy.core.confidence.counts import PRIOR_WEIGHT, evidence_count
from knowwhy.core.confidence.decay import decay
from knowwhy.core.confidence.mass import NO_MASS, Mass
from knowwhy.core.timeline import BEGINNING, FOREVER, MICROSECONDS_PER_DAY, Instant


@dataclass(frozen=True, slots=True)
class Prior:
    """What is taken to hold before any evidence, and how slowly evidence moves it.

    `base_rate` is the share of the prior that the named values have together; the rest belongs to "some
    other value". `strictness` says how many times the usual evidence it takes to be as sure: at 1, a single
    uncontested statement yields the reliability of its source. After `half_life_days` evidence counts half;
    with None it never ages.

    Raises:
        ValueError: a base rate not between 0 and 1, or a strictness or half-life that is not positive.
    """

    base_rate: float = 0.5
    strictness: float = 1.0
    half_life_days: float | None = None

    def __post_init__(self) -> None:
        """Refuse what no prior can be; written so that NaN is refused too."""
        if not 0.0 < self.base_rate < 1.0:
            msg = f"A base rate lies between 0 and 1 and is neither, not {self.base_rate}."
            raise ValueError(msg)
        if not 0.0 < self.strictness < math.inf:
            msg = f"A strictness is a positive number, such as 1, not {self.strictness}."
            raise ValueError(msg)
        if self.half_life_days is not None and not 0.0 < self.half_life_days < math.inf:
            msg = f"A half-life is a positive number of days, not {self.half_life_days}."
            raise ValueError(msg)


@dataclass(frozen=True, slots=True)
class Side:
    """All that is heard for a value, or all that is heard against it.

    `mass` sums what its voices count at the reference instant, in the unit of the confidence model. `voices`
    are the independence groups that count for anything, `best` is the highest reliability among them and
    `latest` when the newest of them spoke; `is_pinned` says whether any of them is pinned.

    Raises:
        ValueError: an infinite mass, a negative number of voices, or a reliability that is no probability.
    """

    mass: Mass = NO_MASS
    voices: int = 0
    best: float = 0.0
    latest: Instant = BEGINNING
    is_pinned: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot have been heard; written so that NaN is refused too."""
        if not self.mass.fresh < math.inf:
            raise ValueError("The evidence on one side of a value must be finite: give it less weight.")
        if not 0 <= self.voices < math.inf:
            msg = f"A number of voices is not negative and finite, not {self.voices}."
            raise ValueError(msg)
        if not 0.0 <= self.best <= 1.0:
            msg = f"A reliability lies between 0 and 1, not {self.best}."
            raise ValueError(msg)


SILENCE = Side()


@dataclass(frozen=True, slots=True)
class Tally:
    """The evidence on one value and on its rivals, enough to say its confidence at any later instant.

    `support` and `refutation` concern the value itself, `rival_support` and `rival_refutation` all
    other named values together; `values` counts the named values, this one included. All masses are
    evidence counts, expressed at `reference`, and age with one half-life. Of the `prior_weight`, also an
    evidence count, the named values have the share `base_rate` together, each as much.

    What an instant before the reference would give is not known: it is read as the reference.
    """

    reference: Instant
    half_life_days: float | None = None
    support: Mass = NO_MASS
    refutation: Mass = NO_MASS
    rival_support: Mass = NO_MASS
    rival_refutation: Mass = NO_MASS
    values: int = 1
    base_rate: float = 0.5
    prior_weight: float = PRIOR_WEIGHT

    def confidence(self, at: Instant | None = None) -> float:
        """The projected probability of the value at `at` (before any ageing where None).

        Of a slot's prior weight, by default half belongs to "some other value" and half is shared by the
        named ones; refuting a rival is evidence for all that is left. For one named value this is the mean
        (r + 1) / (r + s + 2) of a beta distribution.
        """
        return self._projected(self._factor(at))

    def ignorance(self, at: Instant | None = None) -> float:
        """The share of the answer that rests on no evidence at all: 1 where there is none."""
        factor = self._factor(at)
        masses = (self.support, self.refutation, self.rival_support, self.rival_refutation)
        return self.prior_weight / (self.prior_weight + sum(mass.aged(factor) for mass in masses))

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
        at_reference, in_the_end = self._projected(1.0), self._projected(0.0)
        if in_the_end >= min(threshold, at_reference):
            return FOREVER
        if at_reference < threshold:
            return self.reference
        base_rate = self.base_rate / self.values
        spared_share = base_rate / (1.0 - base_rate)
        masses = (self.support, self.refutation, self.rival_support, self.rival_refutation)
        prior = base_rate * self.prior_weight
        fixed = self.support.pinned + self.rival_refutation.pinned * spared_share + prior
        falling = self.support.ageing + self.rival_refutation.ageing * spared_share
        missing = threshold * (self.prior_weight + sum(mass.pinned for mass in masses)) - fixed
        spare = falling - threshold * sum(mass.ageing for mass in masses)
        if missing <= 0.0:  # by rounding alone, as the end is below
            return FOREVER
        factor = missing / spare if spare > missing else 1.0
        days = -math.log2(factor) * self.half_life_days
        return Instant(min(FOREVER, self.reference + math.ceil(days * MICROSECONDS_PER_DAY)))

    @property
    def speaks_for(self) -> bool:
        """Whether any evidence supports the value."""
        return self.support.fresh > 0.0

    @property
    def speaks_against(self) -> bool:
        """Whether any evidence refutes the value or supports a rival."""
        return self.refutation.fresh > 0.0 or self.rival_support.fresh > 0.0

    def scaled(self, share: float) -> Tally:
        """The tally with every mass times `share`, from 0 to 1: less evidence, more ignorance.

        Values of one contest are scaled together, or their confidences may add up to more than 1.

        Raises:
            ValueError: not a share.
        """
        refuse_unless_share(share)
        return replace(
            self,
            support=self.support.scaled(share),
            refutation=self.refutation.scaled(share),
            rival_support=self.rival_support.scaled(share),
            rival_refutation=self.rival_refutation.scaled(share),
        )

    def with_voice(self, reliability: float) -> Tally:
        """The tally with one more independent voice for the value, which does not age.

        Raises:
            ValueError: a reliability that is no probability.
        """
        return replace(self, support=self.support + Mass(pinned=evidence_count(reliability)))

    def with_rival_voice(self, reliability: float) -> Tally:
        """The tally with one more independent voice for some other named value, which does not age.

        Raises:
            ValueError: a reliability that is no probability.
        """
        return replace(self, rival_support=self.rival_support + Mass(pinned=evidence_count(reliability)))

    def alone(self) -> Tally:
        """The tally as if no other value had been named."""
        return Tally(
            self.reference,
            self.half_life_days,
            self.support,
            self.refutation,
            base_rate=self.base_rate,
            prior_weight=self.prior_weight,
        )

    def _projected(self, factor: float) -> float:
        """The confidence where `factor` is left of what ages."""
        support, refutation = self.support.aged(factor), self.refutation.aged(factor)
        rivals, spared = self.rival_support.aged(factor), self.rival_refutation.aged(factor)
        base_rate = self.base_rate / self.values
        total = self.prior_weight + support + refutation + rivals + spared
        return (support + spared * base_rate / (1.0 - base_rate) + base_rate * self.prior_weight) / total

    def _factor(self, at: Instant | None) -> float:
        return 1.0 if at is None else decay(self.reference, at, self.half_life_days)


def compete(
    supports: dict[str, Mass],
    refutations: dict[str, Mass],
    reference: Instant,
    half_life_days: float | None,
    *,
    base_rate: float = 0.5,
    prior_weight: float = PRIOR_WEIGHT,
) -> dict[str, Tally]:
    """One tally for each value named in `supports` or `refutations`, all excluding each other."""
    named = sorted(supports.keys() | refutations.keys())
    all_support = sum((supports.get(value, NO_MASS) for value in named), NO_MASS)
    all_refutation = sum((refutations.get(value, NO_MASS) for value in named), NO_MASS)
    is_contested = len(named) > 1
    return {
        value: Tally(
            reference=reference,
            half_life_days=half_life_days,
            support=(support := supports.get(value, NO_MASS)),
            refutation=(refutation := refutations.get(value, NO_MASS)),
            rival_support=_without(all_support, support) if is_contested else NO_MASS,
            rival_refutation=_without(all_refutation, refutation) if is_contested else NO_MASS,
            values=len(named),
            base_rate=base_rate,
            prior_weight=prior_weight,
        )
        for value in named
    }


def first_below(
    confidence: Callable[[Instant], float], threshold: float, above: Instant, below: Instant
) -> Instant:
    """The first instant after `above` at which `confidence` is below `threshold`; at the latest `below`.

    It must not be below at `above`, and fall below once between the two.
    """
    while below - above > 1:
        middle = Instant((above + below) // 2)
        if confidence(middle) < threshold:
            below = middle
        else:
            above = middle
    return below


def refuse_unless_share(share: float) -> None:
    """Refuse what is no share.

    Raises:
        ValueError: not a number from 0 to 1.
    """
    if not 0.0 <= share <= 1.0:  # also refuses NaN, which compares as false
        msg = f"Evidence is scaled by a share from 0 to 1, not by {share}."
        raise ValueError(msg)


def _without(total: Mass, part: Mass) -> Mass:
    # Clamped, since a difference of sums of floats can end a hair below zero.
    return Mass(max(0.0, total.pinned - part.pinned), max(0.0, total.ageing - part.ageing))
