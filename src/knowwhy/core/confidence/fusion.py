"""Several opinions on one proposition made into one, and opinions carried over a rule (theory §1.4).

Which fusion fits depends on what the opinions rest on: `cumulative` adds up independent evidence,
`averaging` and `weighted` pool opinions on the same evidence, `compromise` keeps what all share and
turns their quarrel into uncertainty. All take any number of opinions in one step, and give the same
bits in whatever order they come; only cumulative fusion may also be done pair by pair, as long as none
of the opinions is dogmatic.

Definitions: Jøsang, Subjective Logic (2016); for more than two opinions van der Heijden, Kopp and Kargl,
Multi-source fusion operations in subjective logic (arXiv 1805.01388).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from knowwhy.core.confidence.opinion import Opinion, proportioned


def cumulative(opinions: Iterable[Opinion]) -> Opinion:
    """The opinion of somebody who has all their evidence, taken as independent: the counts add up.

    The base rate is the mean weighted by evidence. Dogmatic opinions leave no room for the rest; of
    several the mean is taken.

    Raises:
        ValueError: no opinions.
    """
    voices = _gathered(opinions)
    if dogmatic := [voice for voice in voices if voice.is_dogmatic]:
        return _pooled(dogmatic, [1.0] * len(dogmatic), _mean_base_rate(dogmatic))
    scales = _evidence_scales(voices)
    evidence = [_certainty(voice) * scale for voice, scale in zip(voices, scales, strict=True)]
    return _pooled(voices, [1.0] * len(voices), _mean_base_rate(voices, evidence))


def averaging(opinions: Iterable[Opinion]) -> Opinion:
    """The opinion that rests on the average of their evidence counts: for dependent sources.

    A vacuous opinion counts as one that saw nothing, and so weakens the rest. Dogmatic opinions leave
    no room for the rest, but for the base rate, which is the mean of all.

    Raises:
        ValueError: no opinions.
    """
    voices = _gathered(opinions)
    return _pooled(voices, [1.0 / len(voices)] * len(voices), _mean_base_rate(voices))


def weighted(opinions: Iterable[Opinion]) -> Opinion:
    """As `averaging`, but each opinion has weight by its certainty, so that a vacuous one has none.

    Dogmatic opinions leave no room for the rest; of several the mean is taken.

    Raises:
        ValueError: no opinions.
    """
    voices = _gathered(opinions)
    voices = [voice for voice in voices if voice.is_dogmatic] or voices
    certainties = [_certainty(voice) for voice in voices]
    total = math.fsum(certainties)
    if total == 0.0:
        return Opinion.vacuous(_mean_base_rate(voices))
    shares = [certainty / total for certainty in certainties]
    return _pooled(voices, shares, _mean_base_rate(voices, certainties))


def compromise(opinions: Iterable[Opinion]) -> Opinion:
    """What all of them believe, and for the rest a compromise in which conflict becomes uncertainty.

    Vacuous opinions are left out. The base rate is the mean weighted by certainty. Beware: the result
    jumps where opinions come to agree, since only what remains beyond the consensus is amplified.

    Raises:
        ValueError: no opinions.
    """
    every = _gathered(opinions)
    # The published formula keeps vacuous opinions when there are more than two, where one would dissolve
    # the consensus of all others. Sorted, since the last bits of a product depend on the order of factors.
    voices = sorted(
        (voice for voice in every if _certainty(voice) > 0.0),
        key=lambda voice: (voice.belief, voice.disbelief, voice.uncertainty),
    )
    if not voices:
        return Opinion.vacuous(_mean_base_rate(every))
    base_rate = _mean_base_rate(voices, [_certainty(voice) for voice in voices])
    belief = min(voice.belief for voice in voices)
    disbelief = min(voice.disbelief for voice in voices)
    uncertainty = math.prod(voice.uncertainty for voice in voices)
    rest = max(0.0, 1.0 - belief - disbelief - uncertainty)
    pro, contra, torn = _compromise_of(
        [(voice.belief - belief, voice.disbelief - disbelief, voice.uncertainty) for voice in voices]
    )
    scale = pro + contra + torn
    if scale == 0.0:
        return proportioned(belief, disbelief, uncertainty + rest, base_rate)
    return proportioned(
        belief + rest * (pro / scale),
        disbelief + rest * (contra / scale),
        uncertainty + rest * (torn / scale),
        base_rate,
    )


def discounted_counts(opinion: Opinion, share: float) -> Opinion:
    """The opinion with its evidence counts times `share`: what a partly trusted voice contributes.

    It distributes over cumulative fusion, as `Opinion.discounted` does not. A share of 0 gives a
    vacuous opinion, of a dogmatic one too; any other leaves a dogmatic one as it is.

    Raises:
        ValueError: a share that is not a number from 0 to 1.
    """
    return Opinion.vacuous(opinion.base_rate) if share == 0.0 else opinion.aged(share)


def deduced(x: Opinion, if_true: Opinion, if_false: Opinion, base_rate: float = 0.5) -> Opinion:
    """The opinion on y, of base rate `base_rate`, that follows from the one on x and two conditionals.

    `if_true` and `if_false` are the opinions on y where x holds and where it does not; their own base
    rates play no part. What is not known of x counts as the most uncertain opinion on y that keeps the
    projected probability and the belief and disbelief common to both conditionals.

    Raises:
        ValueError: a base rate that is not a number from 0 to 1.
    """
    ignorant = _apex(x.base_rate, if_true, if_false, base_rate)
    weighed = ((x.belief, if_true), (x.disbelief, if_false), (x.uncertainty, ignorant))
    return proportioned(
        math.fsum(weight * case.belief for weight, case in weighed),
        math.fsum(weight * case.disbelief for weight, case in weighed),
        math.fsum(weight * case.uncertainty for weight, case in weighed),
        base_rate,
    )


def _apex(likelihood: float, if_true: Opinion, if_false: Opinion, base_rate: float) -> Opinion:
    # Belief and disbelief beyond what both conditionals share are turned into uncertainty, as
    # `base_rate` to its complement so that the projected probability stays, until one is used up.
    belief = min(if_true.belief, if_false.belief)
    disbelief = min(if_true.disbelief, if_false.disbelief)
    otherwise = 1.0 - likelihood
    spare_belief = likelihood * (if_true.belief - belief) + otherwise * (if_false.belief - belief)
    spare_disbelief = likelihood * (if_true.disbelief - disbelief)
    spare_disbelief += otherwise * (if_false.disbelief - disbelief)
    if base_rate < 1.0 and spare_disbelief * base_rate <= spare_belief * (1.0 - base_rate):
        belief += max(0.0, spare_belief - spare_disbelief * (base_rate / (1.0 - base_rate)))
    else:
        disbelief += max(0.0, spare_disbelief - spare_belief * ((1.0 - base_rate) / base_rate))
    return proportioned(belief, disbelief, max(0.0, 1.0 - belief - disbelief), base_rate)


def _gathered(opinions: Iterable[Opinion]) -> list[Opinion]:
    voices = list(opinions)
    if not voices:
        msg = "There is nothing to fuse: pass one opinion at least, such as VACUOUS for no evidence."
        raise ValueError(msg)
    return voices


def _certainty(opinion: Opinion) -> float:
    return opinion.belief + opinion.disbelief


def _mean_base_rate(voices: Sequence[Opinion], weights: Sequence[float] | None = None) -> float:
    if weights is None or (total := math.fsum(weights)) == 0.0:
        return math.fsum(voice.base_rate for voice in voices) / len(voices)
    products = (voice.base_rate * weight for voice, weight in zip(voices, weights, strict=True))
    return math.fsum(products) / total


def _evidence_scales(voices: Sequence[Opinion]) -> list[float]:
    # An opinion's counts are its belief and disbelief over its uncertainty. Taken relative to the most
    # certain opinion, so that a nearly dogmatic one cannot overflow.
    least = min(voice.uncertainty for voice in voices)
    return [least / voice.uncertainty for voice in voices]


def _pooled(voices: Sequence[Opinion], shares: Sequence[float], base_rate: float) -> Opinion:
    """The opinion that rests on the sum of the voices' counts, each times its share."""
    if any(voice.is_dogmatic for voice in voices):
        scales = [float(voice.is_dogmatic) for voice in voices]
        uncertainty = 0.0
    else:
        scales = _evidence_scales(voices)
        uncertainty = min(voice.uncertainty for voice in voices)
    factors = [share * scale for share, scale in zip(shares, scales, strict=True)]
    return proportioned(
        math.fsum(voice.belief * factor for voice, factor in zip(voices, factors, strict=True)),
        math.fsum(voice.disbelief * factor for voice, factor in zip(voices, factors, strict=True)),
        uncertainty,
        base_rate,
    )


def _compromise_of(residues: Sequence[tuple[float, float, float]]) -> tuple[float, float, float]:
    """How residual belief, disbelief and conflict stand to each other in the compromise.

    Belief gathers where one source has it and all others are uncertain, or where all have it; where
    all believe something beyond the consensus, but not all the same, they are torn.
    """
    all_unsure, one_pro, one_contra = 1.0, 0.0, 0.0
    all_pro, all_contra, all_firm = 1.0, 1.0, 1.0
    for pro, contra, unsure in residues:
        one_pro = one_pro * unsure + all_unsure * pro
        one_contra = one_contra * unsure + all_unsure * contra
        all_unsure *= unsure
        all_pro, all_contra, all_firm = all_pro * pro, all_contra * contra, all_firm * (pro + contra)
        # Every term has one factor of each source. They are kept near 1 together, or a few hundred
        # sources would all underflow to 0.
        greatest = max(all_unsure, one_pro, one_contra, all_pro, all_contra, all_firm) or 1.0
        all_unsure, one_pro, one_contra = all_unsure / greatest, one_pro / greatest, one_contra / greatest
        all_pro, all_contra, all_firm = all_pro / greatest, all_contra / greatest, all_firm / greatest
    return one_pro + all_pro, one_contra + all_contra, max(0.0, all_firm - all_pro - all_contra)
