"""The hearing of one contest: which testimony bears on an instant, and how much each voice weighs."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from types import MappingProxyType
from typing import Final

from knowwhy.core.confidence import ConfidenceModel, Mass, Side, Voice, statement_count
from knowwhy.core.model import HIGHEST_AUTHORITY, Attribute, Modality, Stance, Testimony
from knowwhy.core.timeline import (
    BEGINNING,
    FOREVER,
    MICROSECONDS_PER_DAY,
    Instant,
    Scope,
)

# What was learned of no source: each is as reliable as its type.
NOTHING_LEARNED: Final[Mapping[str, float]] = MappingProxyType({})

# What is forced stands above every authority.
_FORCED: Final = HIGHEST_AUTHORITY + 1

# Sums of multiples of its inverse are exact up to 2^21.
_GRID: Final = 2.0**32


@dataclass(frozen=True, slots=True)
class Statement:
    """A testimony for or against a value: what it weighs, the time it speaks of, and when it last spoke.

    `recency` is when the source spoke, or the beginning it named if that is later: a rule announced
    for next month is newer than today's re-reading of the old one (decision record 0003). `count`
    is its evidence count before ageing, from the `reliability` its source is taken to have;
    `was_ended` says that somebody else said it ceased at `end`, `was_dropped` that its own source says
    it no longer, from `end` on.
    """

    testimony: Testimony
    value_key: str
    is_support: bool
    authority: int
    start: Instant
    end: Instant
    recency: Instant
    count: float
    reliability: float
    was_ended: bool = False
    was_dropped: bool = False

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
    `given_up` are the values that were given up, and not spoken for since.
    """

    spoken: tuple[Statement, ...]
    active: tuple[Statement, ...]
    heard: tuple[Statement, ...]
    stable_until: Instant
    given_up: frozenset[str] = frozenset()


def hear(
    visible: Iterable[Testimony],
    attribute: Attribute,
    scope: Scope,
    learned: Mapping[str, float] = NOTHING_LEARNED,
) -> Hearing:
    """The hearing that `visible` testimony about one contest gives at `scope.valid`.

    `learned` holds reliabilities that take the place of those of the sources' types, by group. What
    is derived is not heard: it follows its premises.
    """
    testimonies = list(visible)
    endings = [one for one in testimonies if one.claim.stance is Stance.ENDS]
    drops = [one for one in testimonies if one.claim.stance is Stance.DROPS]
    guards = guards_among(testimonies)
    spoken = tuple(
        _dropped(_statement(one, endings, attribute, learned), drops)
        for one in testimonies
        if one.claim.stance.is_heard
        and one.claim.modality.is_assertive
        and one.claim.derivation is None
        and not any(guard.bars(one) for guard in guards)
    )
    at = scope.valid
    active = tuple(one for one in spoken if one.start <= at < one.end)
    # What followed something else and then ceased does not bring the former back: the world had moved.
    if ended := [one for one in spoken if one.was_ended and one.end <= at]:
        active = tuple(one for one in active if not any(_follows(later, one, attribute) for later in ended))
    bounds = [bound for one in spoken for bound in (one.start, one.end) if bound > at]
    is_disputed = len({(one.value_key, one.is_support) for one in active}) > 1
    heard = _latest_stances(active, exclusive=attribute.is_exclusive) if is_disputed else active
    given_up = frozenset(guard.value_key for guard in guards)
    if guards:
        given_up -= {one.value_key for one in spoken if one.is_support}
    return Hearing(spoken, active, heard, min(bounds, default=FOREVER), given_up)


@dataclass(frozen=True, slots=True)
class Guard:
    """That a value was given up: what spoke for it till then counts no more.

    It stays in force until a source of equal or higher authority speaks for the value (theory §3.3);
    what is said from then on counts again, whoever says it.
    """

    value_key: str
    authority: int
    given_at: Instant
    lifted_at: Instant

    def bars(self, one: Testimony) -> bool:
        """Whether a testimony counts no more."""
        if one.claim.stance is not Stance.SUPPORTS or one.claim.value.key != self.value_key:
            return False
        return one.effective_at < self.lifted_at and not self.is_answered_by(one)

    def is_answered_by(self, one: Testimony) -> bool:
        """Whether a testimony for the value is a later word of no less authority."""
        return _authority(one) >= self.authority and one.effective_at > self.given_at


def guards_among(visible: Iterable[Testimony]) -> list[Guard]:
    """All that was given up in one contest."""
    testimonies = list(visible)
    found = []
    for one in testimonies:
        if one.claim.stance is Stance.GIVES_UP:
            guard = Guard(one.claim.value.key, _authority(one), one.effective_at, FOREVER)
            lifting = (each.effective_at for each in testimonies if _lifts(each, guard))
            found.append(replace(guard, lifted_at=min(lifting, default=FOREVER)))
    return found


def _lifts(one: Testimony, guard: Guard) -> bool:
    claim = one.claim
    is_word = claim.stance is Stance.SUPPORTS and claim.modality.is_assertive and claim.derivation is None
    return is_word and claim.value.key == guard.value_key and guard.is_answered_by(one)


def ended_at(derived: Testimony, visible: Iterable[Testimony], attribute: Attribute) -> Instant:
    """When what a testimony derives ceased, as somebody said; FOREVER if nobody did."""
    start = _start(derived, attribute)
    ends = (
        one.claim.valid_to
        for one in visible
        if one.claim.stance is Stance.ENDS and _ends(one, derived, start)
    )
    return min(ends, default=FOREVER)


def _authority(one: Testimony) -> int:
    return _FORCED if one.claim.is_forced else one.source.authority


def _start(testimony: Testimony, attribute: Attribute) -> Instant:
    """From when on a testimony holds."""
    claim = testimony.claim
    if claim.valid_from is not None:
        return claim.valid_from
    if claim.modality is Modality.PLANNED:
        return FOREVER
    return testimony.effective_at if attribute.changes else BEGINNING


def _statement(
    testimony: Testimony, endings: list[Testimony], attribute: Attribute, learned: Mapping[str, float]
) -> Statement:
    claim, source, spoken_at = testimony.claim, testimony.source, testimony.effective_at
    named, start, end = claim.valid_from, _start(testimony, attribute), claim.valid_to
    if endings:
        ends = (ending.claim.valid_to for ending in endings if _ends(ending, testimony, start))
        end = min(end, min(ends, default=FOREVER))
    reliability = reliability_of(testimony, learned)
    return Statement(
        testimony,
        claim.value.key,
        claim.stance is Stance.SUPPORTS,
        _FORCED if claim.is_forced else source.authority,
        start,
        end,
        spoken_at if named is None else max(named, spoken_at),
        count_of(attribute, reliability, claim.weight),
        reliability,
        was_ended=end < claim.valid_to,
    )


def reliability_of(testimony: Testimony, learned: Mapping[str, float] = NOTHING_LEARNED) -> float:
    """How reliable its source is taken to be; what is pinned stays as its source was stated."""
    source = testimony.source
    return source.reliability if testimony.is_pinned else learned.get(source.group, source.reliability)


def count_of(attribute: Attribute, reliability: float, weight: float = 1.0) -> float:
    """What a statement weighs before ageing, in the unit of the confidence model.

    It lies on a grid so fine that nobody sees it, on which sums are exact: the same in any order.
    """
    count = statement_count(attribute.confidence or ConfidenceModel.EVIDENCE, reliability, weight)
    return round(count * _GRID) / _GRID


def _dropped(one: Statement, drops: list[Testimony]) -> Statement:
    """The statement up to where its own source dropped it; what others say of the value stays."""
    testimony = one.testimony
    later = [
        drop.effective_at
        for drop in drops
        if drop.claim.value.key == one.value_key
        and drop.groups == testimony.groups
        and drop.effective_at > testimony.effective_at
    ]
    if not later or min(later) >= one.end:
        return one
    return replace(one, end=min(later), was_ended=False, was_dropped=True)


def _ends(ending: Testimony, testimony: Testimony, start: Instant) -> bool:
    """Whether `ending` bounds `testimony`: same value, begun before, and not the weaker or earlier word."""
    is_same = ending.claim.value.key == testimony.claim.value.key
    weight = (_authority(ending), ending.effective_at)
    is_no_weaker = weight >= (_authority(testimony), testimony.effective_at)
    return is_same and is_no_weaker and start < ending.claim.valid_to


def _latest_stances(active: tuple[Statement, ...], *, exclusive: bool) -> tuple[Statement, ...]:
    """Each group's latest word: what it says later, and no more weakly, takes back what it contradicts.

    What merely repeats a statement takes nothing back, and a retelling of lower authority cannot
    unsay what it retells (theory §1.5).
    """
    later: dict[tuple[str, ...], dict[tuple[str, bool], int]] = defaultdict(dict)
    taken_back: set[str] = set()
    for _, together in groupby(sorted(active, key=_latest_first), key=_latest_first):
        contemporaries = list(together)
        for one in contemporaries:
            if _is_taken_back(one, later[one.testimony.groups], exclusive=exclusive):
                taken_back.add(one.testimony.claim.id)
        for one in contemporaries:
            words, word = later[one.testimony.groups], (one.value_key, one.is_support)
            words[word] = max(one.authority, words.get(word, one.authority))
    return tuple(one for one in active if one.testimony.claim.id not in taken_back)


def _is_taken_back(one: Statement, later: dict[tuple[str, bool], int], *, exclusive: bool) -> bool:
    """Whether a later word of the same group, given with its authority, contradicts this statement."""
    if one.testimony.is_pinned:
        return False
    if later.get((one.value_key, not one.is_support), -1) >= one.authority:
        return True
    # In most cases the first, which is the latest, decides.
    return (exclusive and one.is_support) and any(
        is_support and value_key != one.value_key and authority >= one.authority
        for (value_key, is_support), authority in later.items()
    )


@dataclass(frozen=True, slots=True)
class Weight:
    """The voices for one side of one value: as they count, as if nothing had aged, and before discount."""

    counted: Side
    fresh: Side
    raw: float = 0.0
    voices: int = 0
    stable_until: Instant = FOREVER


def weigh(
    heard: Iterable[Statement], discounts: dict[str, float], attribute: Attribute, reference: Instant
) -> Weight:
    """The weight of the statements of one side: each independence group counts once, by its strongest."""
    half_life = attribute.half_life_days
    voices: list[tuple[float, bool, str, Voice, Statement]] = []
    for one in heard:
        testimony = one.testimony
        share = discounts.get(testimony.claim.id, 1.0) if discounts else 1.0
        voice = Voice(one.count * share, testimony.effective_at, testimony.is_pinned)
        # Of two equally strong items the pinned one counts, since from now on it is the stronger.
        rank = (-voice.aged_count(reference, half_life), not voice.is_pinned, testimony.claim.id)
        voices.append((*rank, voice, one))
    voices.sort()
    pinned = ageing = fresh = raw = best = 0.0
    count, loud, latest, taken = 0, 0, BEGINNING, set[str]()
    # What was derived from several roots is one voice with each of them, so the strongest speaks first.
    for minus_aged, is_ageing, _, voice, one in voices:
        if taken.isdisjoint(one.testimony.groups):
            taken.update(one.testimony.groups)
            pinned, ageing = (pinned, ageing - minus_aged) if is_ageing else (pinned - minus_aged, ageing)
            fresh, raw, count = fresh + voice.count, raw + one.count, count + 1
            if voice.count > 0.0:
                share = min(1.0, voice.count / one.count)
                loud, best = (
                    loud + 1,
                    max(best, one.reliability * min(1.0, one.testimony.claim.weight) * share),
                )
                latest = max(latest, voice.since)
    is_pinned = any(not is_ageing for _, is_ageing, *_ in voices)
    return Weight(
        Side(Mass(pinned, ageing), loud, best, latest, is_pinned),
        Side(Mass(pinned=fresh), loud, best, reference, is_pinned),
        raw,
        count,
        _stable_until(voices, half_life, reference),
    )


def _stable_until(
    voices: list[tuple[float, bool, str, Voice, Statement]], half_life_days: float | None, reference: Instant
) -> Instant:
    """The next instant at which an ageing voice falls to what the same group has pinned."""
    if half_life_days is None or all(is_ageing for _, is_ageing, *_ in voices):
        return FOREVER
    crossings = [
        _overtaken_at(ageing, pinned.count, half_life_days)
        for *_, pinned, by in voices
        for *_, ageing, of in voices
        if pinned.is_pinned and not ageing.is_pinned and set(by.testimony.groups) & set(of.testimony.groups)
    ]
    return min((crossing for crossing in crossings if crossing > reference), default=FOREVER)


def _overtaken_at(voice: Voice, pinned: float, half_life_days: float) -> Instant:
    if pinned <= 0.0 or voice.count <= 0.0:
        return FOREVER
    days = math.log2(voice.count / pinned) * half_life_days
    return Instant(voice.since + math.ceil(days * MICROSECONDS_PER_DAY))


def discounts_among(heard: Iterable[Statement], attribute: Attribute) -> dict[str, float]:
    """What is left of each statement (by claim id) beside the others; what keeps its full share is absent.

    A later word of a source of no less authority either reports that the world moved, or errs; the
    earlier statement bears on the present only in the second case, so it keeps the share 1 - t,
    with t the reliability of the best such source (decision record 0003). And a voice that names
    the value has said by that what the value is not: its denials of other values add nothing.
    """
    statements = list(heard)
    if len({(one.value_key, one.is_support) for one in statements}) <= 1:
        return {}
    left = _superfluous_denials(statements) if attribute.is_exclusive else {}
    if not attribute.changes:
        return left
    # The best reliability among the later words of each kind; what is said at once does not follow.
    later: dict[_Word, float] = {}
    for _, together in groupby(sorted(statements, key=_latest_first), key=_latest_first):
        contemporaries = list(together)
        for one in contemporaries:
            trust = max((later[word] for word in later if word.follows(one, attribute)), default=0.0)
            if trust > 0.0 and not one.testimony.is_pinned:
                left[one.testimony.claim.id] = left.get(one.testimony.claim.id, 1.0) * (1.0 - trust)
        for one in contemporaries:
            word = _word_of(one)
            later[word] = max(min(one.reliability, 0.99), later.get(word, 0.0))
    return left


def _superfluous_denials(statements: list[Statement]) -> dict[str, float]:
    naming = {one.testimony.groups for one in statements if one.is_support}
    return {
        one.testimony.claim.id: 0.0
        for one in statements
        if not one.is_support and one.testimony.groups in naming
    }


def _latest_first(one: Statement) -> int:
    return -one.recency


@dataclass(frozen=True, slots=True)
class _Word:
    """What matters of a later statement for the ones before it."""

    value_key: str
    is_support: bool
    authority: int
    named_start: Instant | None

    def follows(self, earlier: Statement, attribute: Attribute) -> bool:
        """Whether it contradicts `earlier` and is no weaker. What names the same beginning cannot follow."""
        if self.authority < earlier.authority:
            return False
        if self.named_start is not None and self.named_start == earlier.named_start:
            return False
        return self.contradicts(earlier, attribute)

    def contradicts(self, earlier: Statement, attribute: Attribute) -> bool:
        """Whether both cannot hold at once."""
        if self.value_key == earlier.value_key:
            return self.is_support is not earlier.is_support
        return attribute.is_exclusive and self.is_support and earlier.is_support


def _word_of(one: Statement) -> _Word:
    return _Word(one.value_key, one.is_support, one.authority, one.named_start)


def overrules(later: Statement, earlier: Statement, attribute: Attribute) -> bool:
    """Whether `later` takes the place of `earlier`: a later word, no weaker, that contradicts it.

    Words of different voices that name the same beginning do not; those of one voice do.
    """
    if later.recency <= earlier.recency or later.authority < earlier.authority:
        return False
    if later.testimony.groups == earlier.testimony.groups:
        return _word_of(later).contradicts(earlier, attribute)
    return _word_of(later).follows(earlier, attribute)


def _follows(later: Statement, earlier: Statement, attribute: Attribute) -> bool:
    return later.recency > earlier.recency and _word_of(later).follows(earlier, attribute)
