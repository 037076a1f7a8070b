"""The hearing of one contest: which testimony bears on an instant, and how much each voice weighs."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from knowwhy.core.confidence import NO_MASS, Mass, Voice, evidence_count
from knowwhy.core.model import Attribute, Modality, Stance, Testimony
from knowwhy.core.timeline import (
    BEGINNING,
    FOREVER,
    MICROSECONDS_PER_DAY,
    Instant,
    Interval,
    Scope,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A testimony for or against a value, with the time it speaks of and when it last spoke.

    `recency` is when the source spoke, or the beginning it named if that is later: a rule announced
    for next month is newer than today's re-reading of the old one (decision record 0003).
    """

    testimony: Testimony
    value_key: str
    span: Interval
    recency: Instant

    @property
    def is_support(self) -> bool:
        """Whether it speaks for its value."""
        return self.testimony.claim.stance is Stance.SUPPORTS

    @property
    def authority(self) -> int:
        """The authority of its source."""
        return self.testimony.source.authority

    @property
    def named_start(self) -> Instant | None:
        """The beginning it names, or None where it names none."""
        return self.testimony.claim.valid_from


@dataclass(frozen=True, slots=True)
class Hearing:
    """What is heard about one contest at one instant.

    `spoken` are all assertive statements known, whatever time they speak of; `active` those that
    speak of the instant asked about; `heard` those of `active` that their own source has not taken
    back by a later word. `stable_until` is the next instant at which `active` changes by itself.
    """

    spoken: tuple[Statement, ...]
    active: tuple[Statement, ...]
    heard: tuple[Statement, ...]
    stable_until: Instant


def hear(visible: Iterable[Testimony], attribute: Attribute, scope: Scope) -> Hearing:
    """The hearing that `visible` testimony about one contest gives at `scope.valid`."""
    testimonies = list(visible)
    endings = [one for one in testimonies if one.claim.stance is Stance.ENDS]
    spoken = tuple(
        _statement(one, endings, attribute)
        for one in testimonies
        if one.claim.stance is not Stance.ENDS and one.claim.modality.is_assertive
    )
    active = tuple(one for one in spoken if scope.valid in one.span)
    bounds = (bound for one in spoken for bound in (one.span.start, one.span.end))
    stable_until = min((bound for bound in bounds if bound > scope.valid), default=FOREVER)
    heard = _latest_stances(active, exclusive=attribute.is_exclusive)
    return Hearing(spoken, active, heard, stable_until)


def _statement(testimony: Testimony, endings: list[Testimony], attribute: Attribute) -> Statement:
    claim = testimony.claim
    named = claim.valid_from
    if named is not None:
        start = named
    elif claim.modality is Modality.PLANNED:
        start = FOREVER
    else:
        start = testimony.effective_at if attribute.changes else BEGINNING
    end = min(
        (ending.claim.valid_to for ending in endings if _ends(ending, testimony, start)),
        default=claim.valid_to,
    )
    recency = testimony.effective_at if named is None else max(named, testimony.effective_at)
    key = claim.value.key if claim.value is not None else ""
    return Statement(testimony, key, Interval(start, min(end, claim.valid_to)), recency)


def _ends(ending: Testimony, testimony: Testimony, start: Instant) -> bool:
    """Whether `ending` bounds `testimony`: same value, begun before, and not the weaker or earlier word."""
    claim = ending.claim
    is_same = claim.value is None or (
        testimony.claim.value is not None and claim.value.key == testimony.claim.value.key
    )
    weight = (ending.source.authority, ending.effective_at)
    return is_same and start < claim.valid_to and weight >= (testimony.source.authority, testimony.effective_at)


def _latest_stances(active: tuple[Statement, ...], *, exclusive: bool) -> tuple[Statement, ...]:
    """Each group's latest word: what a source says later takes back what it contradicts (theory §1.5)."""
    last_support: dict[tuple[str, ...], Instant] = {}
    last_word: dict[tuple[tuple[str, ...], str, bool], Instant] = {}
    for one in active:
        groups = one.testimony.groups
        word = (groups, one.value_key, one.is_support)
        last_word[word] = max(one.recency, last_word.get(word, BEGINNING))
        if one.is_support:
            last_support[groups] = max(one.recency, last_support.get(groups, BEGINNING))

    def is_taken_back(one: Statement) -> bool:
        groups = one.testimony.groups
        opposite = last_word.get((groups, one.value_key, not one.is_support), BEGINNING)
        if one.recency < opposite:
            return True
        return exclusive and one.is_support and one.recency < last_support[groups]

    return tuple(one for one in active if one.testimony.is_pinned or not is_taken_back(one))


@dataclass(frozen=True, slots=True)
class Weight:
    """The voices for one side of one value: their mass as it counts, and before ageing and discount."""

    counted: Mass = NO_MASS
    fresh: Mass = NO_MASS
    raw: float = 0.0
    voices: int = 0
    stable_until: Instant = FOREVER


def weigh(
    heard: Iterable[Statement], discounts: dict[str, float], attribute: Attribute, reference: Instant
) -> Weight:
    """The weight of the statements of one side: each independence group counts once, by its strongest."""
    strongest: dict[tuple[str, ...], Statement] = {}
    pinned: dict[tuple[str, ...], Statement] = {}
    half_life = attribute.half_life_days

    def mass_of(one: Statement) -> float:
        return _voice(one, discounts).mass(reference, half_life).fresh

    for one in sorted(heard, key=lambda one: one.testimony.claim.id):
        groups = one.testimony.groups
        rival = strongest.get(groups)
        if rival is None or mass_of(one) > mass_of(rival):
            strongest[groups] = one
        if one.testimony.is_pinned and (groups not in pinned or mass_of(one) > mass_of(pinned[groups])):
            pinned[groups] = one

    counted, fresh, raw, voices, stable_until = NO_MASS, NO_MASS, 0.0, 0, FOREVER
    taken: set[str] = set()
    # What was derived from several roots is one voice with each of them, so the strongest speaks first.
    for groups, one in sorted(strongest.items(), key=lambda item: (-mass_of(item[1]), item[0])):
        if taken.intersection(groups):
            continue
        taken.update(groups)
        voice = _voice(one, discounts)
        counted += voice.mass(reference, half_life)
        fresh += Mass(pinned=voice.count)
        raw += _count(one)
        voices += 1
        if groups in pinned and not voice.is_pinned and half_life is not None:
            stable_until = min(stable_until, _overtaken_at(voice, mass_of(pinned[groups]), half_life))
    return Weight(counted, fresh, raw, voices, stable_until)


def _voice(one: Statement, discounts: dict[str, float]) -> Voice:
    factor = discounts.get(one.testimony.claim.id, 1.0)
    return Voice(_count(one) * factor, one.testimony.effective_at, one.testimony.is_pinned)


def _count(one: Statement) -> float:
    return evidence_count(one.testimony.source.reliability, one.testimony.claim.weight)


def _overtaken_at(voice: Voice, pinned: float, half_life_days: float) -> Instant:
    """When an ageing voice falls to what its group has pinned."""
    days = math.log2(voice.count / pinned) * half_life_days if pinned > 0 else math.inf
    return Instant(voice.since + math.ceil(days * MICROSECONDS_PER_DAY)) if math.isfinite(days) else FOREVER


def succession_discounts(heard: Iterable[Statement], attribute: Attribute) -> dict[str, float]:
    """What is left of each statement (by claim id) after later words that contradict it.

    A later word of a source of no less authority either reports that the world moved, or errs; the
    earlier statement bears on the present only in the second case, so it keeps the share 1 - t,
    with t the reliability of the best such source (decision record 0003). Statements that name the
    same beginning cannot follow one another and keep their full share; so does what is pinned.
    """
    if not attribute.changes:
        return {}
    by_recency: dict[Instant, list[Statement]] = defaultdict(list)
    for one in heard:
        by_recency[one.recency].append(one)
    discounts: dict[str, float] = {}
    later: dict[tuple[str, bool, int, Instant | None], float] = {}
    for recency in sorted(by_recency, reverse=True):
        for one in by_recency[recency]:
            trust = max(
                (reliability for word, reliability in later.items() if _contradicts(word, one, attribute)),
                default=0.0,
            )
            if trust > 0.0 and not one.testimony.is_pinned:
                discounts[one.testimony.claim.id] = 1.0 - trust
        for one in by_recency[recency]:
            word = (one.value_key, one.is_support, one.authority, one.named_start)
            later[word] = max(min(one.testimony.source.reliability, 0.99), later.get(word, 0.0))
    return discounts


def _contradicts(
    word: tuple[str, bool, int, Instant | None], earlier: Statement, attribute: Attribute
) -> bool:
    value_key, is_support, authority, named_start = word
    if authority < earlier.authority or (named_start is not None and named_start == earlier.named_start):
        return False
    if value_key == earlier.value_key:
        return is_support is not earlier.is_support
    return attribute.is_exclusive and is_support and earlier.is_support
