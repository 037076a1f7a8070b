"""Which entities look like one: compared attribute by attribute and as a whole, without training.

Words, groups of three letters and what texts say by kind (days, durations, telephone numbers, codes) are
weighted by how rare they are among the profiles (inverse document frequency); numbers are compared by their
ratio; attributes count by how well they tell things apart. A pair is proposed where each is the other's best
match and its score lies above the cut that parts the scores of such pairs best in two (Otsu 1979).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from math import fsum, log, sqrt
from typing import Final, TypeAlias

from knowwhy.consolidate.kinds import Features, features, identifier
from knowwhy.recall.analysis import terms

_NUMBER: Final = re.compile(r"[$€£¥]?\s*([0-9]+(?:\.[0-9]+)?)")
MOST_IN_BLOCK: Final = 40  # words that more profiles share make no candidates: cost stays linear
AGREES: Final = 0.5
NAME: Final = "name"
_LEAST: Final = 0.3
_STRANGE: Final = 0.25  # names that are less alike than this speak against a pair
_AGAINST: Final = 0.5  # by so much a score is multiplied for each thing that speaks against
_SECONDS_APART: Final = 2
_UNIQUE: Final = 0.95
_FEWEST_HOLDERS: Final = 10
_THESE_TWO: Final = 2
_LEAST_WEIGHT: Final = 0.05

Pair: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Profile:
    """What is known of one entity: its key, its attributes as text, and the ids given to it, by scheme.

    The attribute `name` holds its names. `type` and `own_id` (one that a caller gave) never rule a pair out,
    but where they differ it is not merged automatically.
    """

    key: str
    fields: Mapping[str, str]
    ids: Mapping[str, str] = field(default_factory=dict)
    type: str | None = None
    own_id: str | None = None


@dataclass(frozen=True, slots=True)
class Proposal:
    """Two entities that look like one: a score from 0 to 1, which attributes agree and which do not.

    It may be merged automatically where an id says so, or where a code that hardly two things share does, the
    names agree, and nothing that tells things apart speaks against. `by` names what makes it so.
    """

    left: str
    right: str
    score: float
    agrees: tuple[str, ...]
    against: tuple[str, ...]
    automatic: bool
    by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Compared:
    pair: Pair
    score: float
    by_field: tuple[tuple[str, float], ...]
    same_id: bool
    by: tuple[str, ...] = ()
    against: tuple[str, ...] = ()

    @property
    def is_sure(self) -> bool:
        names = dict(self.by_field)
        return self.same_id or (bool(self.by) and names.get(NAME, 0.0) >= AGREES and not self.against)


def paired(one: str, other: str) -> Pair:
    """The two keys in their one order."""
    return (one, other) if one <= other else (other, one)


def proposals(
    profiles: Iterable[Profile],
    *,
    distinct: Collection[Pair] = (),
    touched: Collection[str] | None = None,
    pairs: Iterable[Pair] | None = None,
    cut: float | None = None,
) -> tuple[Proposal, ...]:
    """The pairs that look like one entity, best first.

    `distinct` holds pairs that are never proposed, nor joined by way of others automatically; with `touched`,
    only pairs with one of these keys are compared; with `pairs`, only these instead of those that share a
    rare word or an id. A shared id proposes a pair whatever else is said, and two ids of one scheme that
    differ rule it out. `cut` is the least score, instead of the one that parts the scores
    (0.3 to 0.5: where all are unlike, or all alike, there are not two groups to part).
    """
    known = {each.key: each for each in profiles}
    apart = {paired(*each) for each in distinct}
    wanted = _candidates(known.values(), touched) if pairs is None else {paired(*each) for each in pairs}
    weighing = _Weighing.of(known.values())
    compared = [
        weighing.compare(known[one], known[other])
        for one, other in sorted(wanted)
        if one != other and (one, other) not in apart and not _ids_differ(known[one], known[other])
    ]
    return _guarded(_chosen(compared, cut), known, apart)


def _candidates(profiles: Iterable[Profile], touched: Collection[str] | None) -> set[Pair]:
    blocks: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    certain: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for each in profiles:
        for text in each.fields.values():
            for term in set(terms(text)):
                blocks["word", term].add(each.key)
            if (code := identifier(text)) is not None:
                blocks["code", code].add(each.key)
        for scheme, value in each.ids.items():
            certain[scheme, value].add(each.key)
    small = [keys for keys in blocks.values() if len(keys) <= MOST_IN_BLOCK]
    found: set[Pair] = set()
    for keys in small:
        found.update(each for each in combinations(sorted(keys), 2) if _is_touched(each, touched))
    for keys in certain.values():  # a chain is enough: who shares an id is one entity
        found.update(each for each in pairwise(sorted(keys)) if _is_touched(each, touched))
    return found


def _is_touched(pair: Pair, touched: Collection[str] | None) -> bool:
    return touched is None or pair[0] in touched or pair[1] in touched


def _ids_differ(one: Profile, other: Profile) -> bool:
    return any(other.ids.get(scheme, value) != value for scheme, value in one.ids.items())


def _same_id(one: Profile, other: Profile) -> bool:
    return any(other.ids.get(scheme) == value for scheme, value in one.ids.items())


@dataclass(frozen=True, slots=True)
class _Rarity:
    """How much a word or a group of letters says: the less often it occurs, the more."""

    texts: int
    counts: Mapping[str, int]

    @classmethod
    def of(cls, texts: Sequence[Collection[str]]) -> _Rarity:
        return cls(len(texts), Counter(each for text in texts for each in text))

    def mass(self, features: Iterable[str]) -> float:
        return fsum(log((self.texts + 1) / (self.counts.get(each, 0) + 0.5)) ** 2 for each in features)

    def cosine(self, one: frozenset[str], other: frozenset[str]) -> float:
        both = self.mass(one) * self.mass(other)
        return min(1.0, self.mass(one & other) / sqrt(both)) if both > 0 else 0.0


@dataclass(frozen=True, slots=True)
class _Telling:
    """How an attribute tells things apart: by how much it counts, and whose code nobody else has."""

    weight: float
    is_identifying: bool
    holders: Mapping[str, int]

    @classmethod
    def of(cls, texts: Sequence[str]) -> _Telling:
        spelt = Counter(identifier(each) or " ".join(sorted(features(each).words)) for each in texts)
        few = sum(count for count in spelt.values() if count <= _THESE_TWO)
        is_unique = len(texts) >= _FEWEST_HOLDERS and few >= _UNIQUE * len(texts)
        return cls(max(_LEAST_WEIGHT, len(spelt) / len(texts)), is_unique, spelt)

    def agrees_alone(self, one: str, other: str) -> bool:
        """Whether both have one code, and nobody else has it."""
        code = identifier(one)
        is_same = code is not None and code == identifier(other)
        return is_same and self.is_identifying and self.holders[code or ""] == _THESE_TWO

    def differs(self, one: str, other: str) -> bool:
        """Whether both have a code that tells things apart, and not the same."""
        codes = identifier(one), identifier(other)
        return self.is_identifying and None not in codes and codes[0] != codes[1]


@dataclass(frozen=True, slots=True)
class _Weighing:
    whole: tuple[_Rarity, _Rarity]
    by_field: Mapping[str, tuple[_Rarity, _Rarity]]
    telling: Mapping[str, _Telling]

    @classmethod
    def of(cls, profiles: Iterable[Profile]) -> _Weighing:
        """The rarities among these profiles, of each attribute and of all text."""
        texts: defaultdict[str, list[str]] = defaultdict(list)
        whole = []
        for each in profiles:
            whole.append(features(_all_text(each)))
            for name, text in each.fields.items():
                if text.strip():
                    texts[name].append(text)
        return cls(
            _rarities(whole),
            {name: _rarities([features(each) for each in found]) for name, found in texts.items()},
            {name: _Telling.of(found) for name, found in texts.items()},
        )

    def compare(self, one: Profile, other: Profile) -> _Compared:
        """How alike two profiles are, and in what."""
        both = [
            (name, one.fields[name], other.fields[name])
            for name in sorted(one.fields.keys() & other.fields.keys())
            if one.fields[name].strip() and other.fields[name].strip()
        ]
        fields = tuple((name, self._field(name, left, right)) for name, left, right in both)
        weights = [self.telling[name].weight for name, _ in fields]
        mean = fsum(score * by for (_, score), by in zip(fields, weights, strict=True)) / (
            fsum(weights) or 1.0
        )
        left, right = features(_all_text(one)), features(_all_text(other))
        whole = fsum(_cosines(self.whole, left, right)) / 2
        against = (*_by_kind(left, right), *_strange(fields), *_other_type(one, other))
        codes = tuple(name for name, *texts in both if self.telling[name].differs(*texts))
        same = _same_id(one, other)
        return _Compared(
            paired(one.key, other.key),
            1.0 if same else _AGAINST ** len(against) * (whole + mean) / 2,
            fields,
            same,
            tuple(name for name, *texts in both if self.telling[name].agrees_alone(*texts)),
            (*against, *codes, *_other_id(one, other)),
        )

    def _field(self, name: str, one: str, other: str) -> float:
        first, second = _NUMBER.fullmatch(one.strip()), _NUMBER.fullmatch(other.strip())
        if first and second:
            low, high = sorted((float(first[1]), float(second[1])))
            if self.telling[name].is_identifying:
                return float(low == high)
            return low / high if high > 0 else 1.0
        codes = identifier(one), identifier(other)
        if None not in codes and codes[0] == codes[1]:
            return 1.0
        return max(_cosines(self.by_field[name], features(one), features(other)))


def _by_kind(one: Features, other: Features) -> list[str]:
    """The kinds of which both say something, and nothing alike."""
    found = []
    if one.seconds and other.seconds:
        gap = min(abs(left - right) for left in one.seconds for right in other.seconds)
        if gap > _SECONDS_APART:
            found.append("duration")
    if one.phones and other.phones and not one.phones & other.phones:
        found.append("telephone")
    return found


def _strange(fields: Iterable[tuple[str, float]]) -> list[str]:
    return [NAME for name, score in fields if name == NAME and score < _STRANGE]


def _other_type(one: Profile, other: Profile) -> list[str]:
    return ["type"] if one.type and other.type and one.type != other.type else []


def _other_id(one: Profile, other: Profile) -> list[str]:
    return ["id"] if one.own_id and other.own_id and one.own_id != other.own_id else []


def _all_text(profile: Profile) -> str:
    return " ".join(text for _, text in sorted(profile.fields.items()))


def _rarities(texts: Sequence[Features]) -> tuple[_Rarity, _Rarity]:
    return _Rarity.of([each.words for each in texts]), _Rarity.of([each.triples for each in texts])


def _cosines(rarities: tuple[_Rarity, _Rarity], one: Features, other: Features) -> tuple[float, float]:
    by_word, by_triple = rarities
    return by_word.cosine(one.words, other.words), by_triple.cosine(one.triples, other.triples)


def _chosen(compared: Sequence[_Compared], least: float | None) -> list[Proposal]:
    best: defaultdict[str, float] = defaultdict(float)
    for each in compared:
        for key in each.pair:
            best[key] = max(best[key], each.score)
    mutual = [each for each in compared if all(each.score >= best[key] for key in each.pair)]
    parted = parting([each.score for each in mutual if not each.same_id])
    cut = max(_LEAST, min(AGREES, parted)) if least is None else least
    found = [_proposed(each) for each in mutual if each.score >= cut]
    return sorted(found, key=lambda each: (-each.score, each.left, each.right))


def _proposed(compared: _Compared) -> Proposal:
    agrees = tuple(name for name, score in compared.by_field if score >= AGREES)
    unlike = (name for name, score in compared.by_field if score < AGREES)
    against = tuple(dict.fromkeys((*compared.against, *unlike)))
    agrees = tuple(name for name in agrees if name not in against)
    return Proposal(*compared.pair, compared.score, agrees, against, compared.is_sure, compared.by)


def _guarded(
    found: Iterable[Proposal], known: Mapping[str, Profile], apart: Collection[Pair]
) -> tuple[Proposal, ...]:
    """The same, where what is automatic never joins two that are two, by way of however many others."""
    group = {key: frozenset((key,)) for key in known}
    told = list[Proposal]()
    for each in found:
        sides = group[each.left], group[each.right]
        if each.automatic and any(
            paired(one, other) in apart or _ids_differ(known[one], known[other])
            for one in sides[0]
            for other in sides[1]
            if one != other
        ):
            told.append(replace(each, automatic=False))
            continue
        told.append(each)
        if each.automatic:
            joint = sides[0] | sides[1]
            group.update(dict.fromkeys(joint, joint))
    return tuple(told)


def parting(scores: Iterable[float]) -> float:
    """The cut between two groups of scores that lie furthest apart (Otsu 1979); 1 where there are not two."""
    ordered = sorted(scores)
    count, total = len(ordered), fsum(ordered)
    best, cut, below = 0.0, 1.0, 0.0
    for at in range(1, count):
        below += ordered[at - 1]
        gap = (total - below) / (count - at) - below / at
        spread = at * (count - at) * gap * gap
        if ordered[at] > ordered[at - 1] and spread > best:
            best, cut = spread, (ordered[at] + ordered[at - 1]) / 2
    return cut
