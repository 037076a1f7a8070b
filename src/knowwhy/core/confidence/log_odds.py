"""Log-odds: naive Bayes over the values of a slot, for evidence that is independent (theory §1.2, §1.6).

Right where weights are measured likelihood ratios of independent sources. It is surer than evidence counts
where sources agree, and far too sure where they copy each other unnoticed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from operator import itemgetter
from typing import Final

from knowwhy.core.confidence.competition import SILENCE, Prior, Side, first_below, refuse_unless_share
from knowwhy.core.confidence.counts import log_odds_weight
from knowwhy.core.confidence.decay import decay
from knowwhy.core.confidence.mass import NO_MASS, Mass
from knowwhy.core.timeline import FOREVER, MICROSECONDS_PER_DAY, Instant

# After so many half-lives a double has nothing left of what ages.
_HALF_LIVES_TO_NOTHING: Final = 1100.0


@dataclass(frozen=True, slots=True)
class Balance:
    """What speaks for and against a rival: sums of log odds."""

    support: Mass = NO_MASS
    refutation: Mass = NO_MASS

    def net(self, factor: float) -> float:
        """By how much more speaks for it, where `factor` is left of what ages."""
        return self.support.aged(factor) - self.refutation.aged(factor)

    def scaled(self, share: float) -> Balance:
        """Both sides times `share`."""
        return Balance(self.support.scaled(share), self.refutation.scaled(share))


@dataclass(frozen=True, slots=True)
class LogOddsTally:
    """The log odds for one value and for each of its rivals, enough to say its confidence at any instant.

    Masses are natural logarithms of odds at `reference` and age with one half-life; `strictness` divides
    them all. `rival_voice` is the weight of conclusions for some rival that came in since; as it is not said
    for which, the strongest is taken to have it, so that the confidence is never too high, and exact
    where there is one rival.

    What an instant before the reference would give is not known: it is read as the reference.
    """

    reference: Instant
    half_life_days: float | None = None
    support: Mass = NO_MASS
    refutation: Mass = NO_MASS
    rivals: tuple[Balance, ...] = ()
    base_rate: float = 0.5
    strictness: float = 1.0
    rival_voice: float = 0.0

    def confidence(self, at: Instant | None = None) -> float:
        """The posterior probability of the value at `at` (before any ageing where None).

        P(v) = exp(L_v) / (1 + sum over all named x of exp(L_x)), the 1 being "some other value", with
        L_x = b + support - refutation. The prior b = ln(a / (1 - a)) - ln(k) leaves the k named values the
        base rate a together where there is no evidence, each as much; for one value and a = 0.5 it is 0.
        """
        return self._shares(self._factor(at))[0]

    def ignorance(self, at: Instant | None = None) -> float:
        """How little has been heard: 1 where nothing, falling to 0 as evidence on any named value grows.

        The model has no such number of its own. This is 2 / (1 + exp(M)) for log odds of M in all, which for
        a single statement is what evidence counts would leave unknown.
        """
        heard = self._heard(self._factor(at))
        return 2.0 * math.exp(-heard) / (1.0 + math.exp(-heard))

    def conflict(self, at: Instant | None = None) -> float:
        """How much the evidence disagrees about the value: 0 for none, near 1 for an even quarrel.

        As for evidence counts, 4 p c / (p + c)^2 times what is not ignorance, for log odds p for the value
        and c against it, those for its rivals included.
        """
        factor = self._factor(at)
        pro = self.support.aged(factor)
        contra = self.refutation.aged(factor) + self.rival_voice
        contra += math.fsum(rival.support.aged(factor) for rival in self.rivals)
        if pro + contra == 0.0:
            return 0.0
        return 4.0 * (pro / (pro + contra)) * (contra / (pro + contra)) * (1.0 - self.ignorance(at))

    def sinks_below(self, threshold: float) -> Instant:
        """The instant from which ageing leaves the confidence below `threshold`; FOREVER if it never does.

        The logarithm of the confidence is concave in the ageing factor, so the confidence is at the
        threshold or above during one span of time at most: what counts is the end of that span, even if
        it is below at the reference and has yet to rise, as pinned evidence outlives its rivals. Where it
        is always below and in the end has fallen, that is the reference.
        """
        if self.half_life_days is None:
            return FOREVER
        in_the_end = self._shares(0.0)[0]
        if in_the_end >= threshold:
            return FOREVER
        at_reference = self.confidence()
        end = self._all_aged_at(self.half_life_days)
        above = self.reference if at_reference >= threshold else self._peak(end)
        if self.confidence(above) >= threshold:
            return first_below(self.confidence, threshold, above, end)
        return self.reference if in_the_end < at_reference else FOREVER

    @property
    def speaks_for(self) -> bool:
        """Whether any evidence supports the value."""
        return self.support.fresh > 0.0

    @property
    def speaks_against(self) -> bool:
        """Whether any evidence refutes the value or supports a rival."""
        is_rivalled = any(rival.support.fresh > 0.0 for rival in self.rivals)
        return is_rivalled or self.refutation.fresh > 0.0 or self.rival_voice > 0.0

    def scaled(self, share: float) -> LogOddsTally:
        """The tally with every mass times `share`, from 0 to 1: nearer to the base rate.

        Values of one contest are scaled together, or their confidences may add up to more than 1.

        Raises:
            ValueError: not a share.
        """
        refuse_unless_share(share)
        return replace(
            self,
            support=self.support.scaled(share),
            refutation=self.refutation.scaled(share),
            rivals=tuple(rival.scaled(share) for rival in self.rivals),
            rival_voice=self.rival_voice * share,
        )

    def with_voice(self, reliability: float) -> LogOddsTally:
        """The tally with one more independent voice for the value, which does not age.

        Raises:
            ValueError: a reliability that is no probability.
        """
        return replace(self, support=self.support + Mass(pinned=log_odds_weight(reliability)))

    def with_rival_voice(self, reliability: float) -> LogOddsTally:
        """The tally with one more independent voice for some other named value, which does not age.

        Raises:
            ValueError: a reliability that is no probability.
        """
        return replace(self, rival_voice=self.rival_voice + log_odds_weight(reliability))

    def alone(self) -> LogOddsTally:
        """The tally as if no other value had been named."""
        return replace(self, rivals=(), rival_voice=0.0)

    def _shares(self, factor: float) -> list[float]:
        """The probabilities of the value, of "some other value", and of each rival."""
        prior = math.log(self.base_rate / (1.0 - self.base_rate)) - math.log(len(self.rivals) + 1)
        own = self.support.aged(factor) - self.refutation.aged(factor)
        logs = [prior + own / self.strictness, 0.0]
        logs += [prior + rival.net(factor) / self.strictness for rival in self.rivals]
        if self.rival_voice > 0.0:
            strongest, _ = max(list(enumerate(logs))[2:], key=itemgetter(1), default=(1, 0.0))
            logs[strongest] += self.rival_voice / self.strictness
        highest = max(logs)
        parts = [math.exp(log - highest) for log in logs]  # the highest is 1, so that nothing overflows
        total = math.fsum(parts)
        return [part / total for part in parts]

    def _peak(self, end: Instant) -> Instant:
        """The instant up to `end` at which the confidence is highest: it rises until then, and then falls."""

        def rise(at: Instant) -> float:
            factor = self._factor(at)
            slopes = [self.support.ageing - self.refutation.ageing, 0.0]
            slopes += [rival.support.ageing - rival.refutation.ageing for rival in self.rivals]
            shares = self._shares(factor)
            return math.fsum(share * (slope - slopes[0]) for share, slope in zip(shares, slopes, strict=True))

        if rise(self.reference) < 0.0:
            return self.reference
        turn = first_below(rise, 0.0, self.reference, end)
        return max(Instant(turn - 1), turn, key=self.confidence)

    def _all_aged_at(self, half_life_days: float) -> Instant:
        span = _HALF_LIVES_TO_NOTHING * half_life_days * MICROSECONDS_PER_DAY
        return Instant(self.reference + math.ceil(min(span, float(FOREVER - self.reference))))

    def _heard(self, factor: float) -> float:
        """The log odds of all evidence together, whatever it says."""
        masses = [self.support, self.refutation]
        for rival in self.rivals:
            masses += (rival.support, rival.refutation)
        return (math.fsum(mass.aged(factor) for mass in masses) + self.rival_voice) / self.strictness

    def _factor(self, at: Instant | None) -> float:
        return 1.0 if at is None else decay(self.reference, at, self.half_life_days)


def in_log_odds(
    supports: Mapping[str, Side], refutations: Mapping[str, Side], reference: Instant, prior: Prior
) -> dict[str, LogOddsTally]:
    """One tally for each value named in `supports` or `refutations`, all excluding each other."""
    named = sorted(supports.keys() | refutations.keys())
    balances = {
        value: Balance(supports.get(value, SILENCE).mass, refutations.get(value, SILENCE).mass)
        for value in named
    }
    return {
        value: LogOddsTally(
            reference,
            prior.half_life_days,
            own.support,
            own.refutation,
            tuple(balance for rival, balance in balances.items() if rival != value),
            prior.base_rate,
            prior.strictness,
        )
        for value, own in balances.items()
    }
