"""The factor model: a score, offered for those who are used to it (theory §1.3).

It is not a probability and means nothing until it is calibrated: it cannot exceed the reliability of the best
source, never falls to 0 once somebody has spoken, and hears a refutation only as one voice among others.
Where three or more values compete, one more voice for a rival lowers the scores of the other rivals too; if
the scores had to be brought down to add up to 1, that may give a little of its share back to the value.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from knowwhy.core.confidence.competition import SILENCE, Prior, Side, first_below, refuse_unless_share
from knowwhy.core.confidence.counts import source_weight
from knowwhy.core.timeline import BEGINNING, FOREVER, MICROSECONDS_PER_DAY, Instant

_STALEST: Final = 0.5
_ONE_SIDED: Final = 0.5
_PER_VOICE: Final = 0.1
_PER_CONFLICT: Final = 0.15
_MOST_DISPUTED: Final = 0.3


@dataclass(frozen=True, slots=True)
class Score:
    """What counts for and against one value.

    `weight` is the highest reliability among its `voices`, of which the newest spoke at `latest`; it does
    not age if `is_pinned`. `refuting` groups deny the value, `rivalling` ones speak for another. `steady` is
    the highest reliability among conclusions that came in since and do not age.
    """

    weight: float = 0.0
    latest: Instant = BEGINNING
    is_pinned: bool = False
    voices: int = 0
    refuting: int = 0
    rivalling: int = 0
    steady: float = 0.0

    @property
    def conflicts(self) -> int:
        """How many groups speak against the value."""
        return self.refuting + self.rivalling

    def at(self, at: Instant, half_life_days: float | None, strictness: float) -> float:
        """The score at an instant, before it is brought into line with those of its rivals."""
        trust = max(self.weight * self._freshness(at, half_life_days), self.steady)
        backing = min(1.0, _ONE_SIDED + _PER_VOICE * self.voices / strictness)
        return trust * backing * max(_MOST_DISPUTED, 1.0 - _PER_CONFLICT * self.conflicts)

    def turns(self, half_life_days: float) -> tuple[float, ...]:
        """The instants at which its course bends, since ageing begins or ends; else it runs straight."""
        if self.is_pinned or self.weight == 0.0:
            return ()
        lowest = min(max(self.steady / self.weight, _STALEST), 1.0)
        span = 2.0 * half_life_days * MICROSECONDS_PER_DAY
        return (self.latest, self.latest + span * (1.0 - lowest))

    def with_voice(self, reliability: float) -> Score:
        """The score with one more voice that does not age."""
        return replace(self, voices=self.voices + 1, steady=max(self.steady, reliability))

    def scaled(self, share: float) -> Score:
        """The score with the weight of its sources times `share`; at 0 nobody has spoken."""
        if share == 0.0:
            return Score()
        return replace(self, weight=self.weight * share, steady=self.steady * share)

    def _freshness(self, at: Instant, half_life_days: float | None) -> float:
        if half_life_days is None or self.is_pinned:
            return 1.0
        age_days = (at - self.latest) / MICROSECONDS_PER_DAY
        return min(1.0, max(_STALEST, 1.0 - age_days / (2.0 * half_life_days)))


@dataclass(frozen=True, slots=True)
class FactorTally:
    """The score of one value and those of its rivals, enough to say its confidence at any later instant.

    `strictness` divides the number of voices. A conclusion for some rival that came in since
    (`with_rival_voice`) counts for each of them, as it is not said for which: the confidence is never too
    high, and exact where there is one rival.

    What an instant before the reference would give is not asked: it is read as the reference.
    """

    reference: Instant
    half_life_days: float | None = None
    own: Score = Score()
    rivals: tuple[Score, ...] = ()
    strictness: float = 1.0

    def confidence(self, at: Instant | None = None) -> float:
        """The score of the value at `at` (at the reference where None), between 0 and 1: no probability.

        c = w * min(1, max(0.5, 1 - age / (2 half-lives))) * min(1, 0.5 + 0.1 n) * max(0.3, 1 - 0.15 m), with
        w the highest reliability among the n groups for the value, m groups against it or for a rival, and
        no ageing without a half-life or where pinned. Divided by the sum over all values where that is above
        1. With nobody for the value it is 0.
        """
        own, total = self._scores(self.reference if at is None else at)
        return own / max(1.0, total)

    def ignorance(self, at: Instant | None = None) -> float:
        """1 where nobody has spoken of any of the values, else 0: a score has no such number of its own."""
        del at
        scores = (self.own, *self.rivals)
        return 0.0 if any(one.voices or one.conflicts for one in scores) else 1.0

    def conflict(self, at: Instant | None = None) -> float:
        """How evenly voices are divided about the value: 4 n m / (n + m)^2 for n for it and m against it."""
        del at
        pro, contra = self.own.voices, self.own.conflicts
        return 4.0 * pro * contra / (pro + contra) ** 2 if pro and contra else 0.0

    def sinks_below(self, threshold: float) -> Instant:
        """The instant from which ageing leaves the confidence below `threshold`; FOREVER if it never does.

        It may rise too, as rivals age: what counts is when it is below for good. Where it is always below
        and in the end has fallen, that is the reference. Scores run straight between their turns, so that
        between two of them, and the instant at which they stop adding up to more than 1, the confidence only
        falls or only rises.
        """
        if self.half_life_days is None:
            return FOREVER
        turns = self._turns(self.half_life_days)
        in_the_end = self.confidence(turns[-1])
        if in_the_end >= threshold:
            return FOREVER
        for later, earlier in pairwise(reversed(turns)):
            if self.confidence(earlier) >= threshold:
                return first_below(self.confidence, threshold, earlier, later)
        return self.reference if in_the_end < self.confidence() else FOREVER

    @property
    def speaks_for(self) -> bool:
        """Whether anybody speaks for the value."""
        return self.own.voices > 0

    @property
    def speaks_against(self) -> bool:
        """Whether anybody denies the value or speaks for a rival."""
        return self.own.conflicts > 0

    def scaled(self, share: float) -> FactorTally:
        """The tally with the weight of every source times `share`, from 0 to 1; at 0 nobody has spoken.

        Values of one contest are scaled together, or their confidences may add up to more than 1.

        Raises:
            ValueError: not a share.
        """
        refuse_unless_share(share)
        rivals = tuple(rival.scaled(share) for rival in self.rivals)
        return replace(self, own=self.own.scaled(share), rivals=rivals)

    def with_voice(self, reliability: float) -> FactorTally:
        """The tally with one more independent voice for the value, which does not age; at 0 it is none.

        Raises:
            ValueError: a reliability that is no probability.
        """
        if not source_weight(reliability):
            return self
        rivals = tuple(replace(rival, rivalling=rival.rivalling + 1) for rival in self.rivals)
        return replace(self, own=self.own.with_voice(reliability), rivals=rivals)

    def with_rival_voice(self, reliability: float) -> FactorTally:
        """The tally with one more independent voice for some other named value, which does not age.

        Raises:
            ValueError: a reliability that is no probability.
        """
        if not source_weight(reliability):
            return self
        rivals = self.rivals or (Score(rivalling=self.own.voices),)
        own = replace(self.own, rivalling=self.own.rivalling + 1)
        return replace(self, own=own, rivals=tuple(rival.with_voice(reliability) for rival in rivals))

    def alone(self) -> FactorTally:
        """The tally as if no other value had been named."""
        return replace(self, own=replace(self.own, rivalling=0), rivals=())

    def _scores(self, at: Instant) -> tuple[float, float]:
        """The score of the value by itself, and the sum over all values."""
        moment = max(at, self.reference)
        own = self.own.at(moment, self.half_life_days, self.strictness)
        rivals = (rival.at(moment, self.half_life_days, self.strictness) for rival in self.rivals)
        return own, math.fsum((own, *rivals))

    def _turns(self, half_life_days: float) -> list[Instant]:
        """The reference and all later instants between which the confidence only falls or only rises."""
        bends = [bend for one in (self.own, *self.rivals) for bend in one.turns(half_life_days)]
        inside = {int(min(bend, float(FOREVER))) for bend in bends if bend > self.reference}
        turns = {self.reference, *map(Instant, inside), *(Instant(bend + 1) for bend in inside)}
        last = max(turns)
        if self._scores(self.reference)[1] >= 1.0 > self._scores(last)[1]:
            fits = first_below(lambda at: self._scores(at)[1], 1.0, self.reference, last)
            turns |= {Instant(fits - 1), fits}
        return sorted(turns)


def in_factors(
    supports: Mapping[str, Side], refutations: Mapping[str, Side], reference: Instant, prior: Prior
) -> dict[str, FactorTally]:
    """One tally for each value named in `supports` or `refutations`, all excluding each other.

    The masses of the sides play no part.
    """
    named = sorted(supports.keys() | refutations.keys())
    voices = sum(side.voices for side in supports.values())
    scores = {}
    for value in named:
        side = supports.get(value, SILENCE)
        scores[value] = Score(
            side.best if side.voices else 0.0,
            side.latest,
            side.is_pinned,
            side.voices,
            refutations.get(value, SILENCE).voices,
            voices - side.voices,
        )
    return {
        value: FactorTally(
            reference,
            prior.half_life_days,
            own,
            tuple(score for rival, score in scores.items() if rival != value),
            prior.strictness,
        )
        for value, own in scores.items()
    }
