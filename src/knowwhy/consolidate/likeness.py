"""Which entities look like one: compared attribute by attribute and as a whole, without training.

Words and groups of three letters are weighted by how rare they are among the profiles (inverse document
frequency); numbers are compared by their ratio. A pair is proposed where each is the other's best match and
its score lies above the cut that parts the scores of such pairs best in two (Otsu 1979).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from math import fsum, log, sqrt
from typing import Final, TypeAlias

_WORD: Final = re.compile(r"[^\W_]+(?:\.[0-9]+)?")
_NUMBER: Final = re.compile(r"[$€£¥]?\s*([0-9]+(?:\.[0-9]+)?)")
MOST_IN_BLOCK: Final = 40  # words that more profiles share make no candidates: cost stays linear
AGREES: Final = 0.5

Pair: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Profile:
    """What is known of one entity: its key, its attributes as text, and the ids given to it, by scheme."""

    key: str
    fields: Mapping[str, str]
    ids: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Proposal:
    """Two entities that look like one: a score from 0 to 1, which attributes agree and which do not.

    It may be merged automatically only where an id says so: likeness alone proposes.
    """

    left: str
    right: str
    score: float
    agrees: tuple[str, ...]
    against: tuple[str, ...]
    automatic: bool


@dataclass(frozen=True, slots=True)
class _Grams:
    words: frozenset[str]
    triples: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Compared:
    pair: Pair
    score: float
    by_field: tuple[tuple[str, float], ...]
    same_id: bool


def paired(one: str, other: str) -> Pair:
    """The two keys in their one order."""
    return (one, other) if one <= other else (other, one)


def words(text: str) -> list[str]:
    """The words of a text, in one spelling of width and case."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def proposals(
    profiles: Iterable[Profile],
    *,
    distinct: Collection[Pair] = (),
    touched: Collection[str] | None = None,
    pairs: Iterable[Pair] | None = None,
) -> tuple[Proposal, ...]:
    """The pairs that look like one entity, best first.

    `distinct` holds pairs that are never proposed; with `touched`, only pairs with one of these keys are
    compared; with `pairs`, only these instead of those that share a rare word or an id. A shared id proposes
    a pair whatever else is said, and two ids of one scheme that differ rule it out.
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
    return _chosen(compared)


def _candidates(profiles: Iterable[Profile], touched: Collection[str] | None) -> set[Pair]:
    blocks: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    certain: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    for each in profiles:
        for word in {word for text in each.fields.values() for word in words(text)}:
            blocks["word", word].add(each.key)
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
class _Weighing:
    whole: tuple[_Rarity, _Rarity]
    by_field: Mapping[str, tuple[_Rarity, _Rarity]]

    @classmethod
    def of(cls, profiles: Iterable[Profile]) -> _Weighing:
        """The rarities among these profiles, of each attribute and of all text."""
        texts: defaultdict[str, list[_Grams]] = defaultdict(list)
        whole = []
        for each in profiles:
            whole.append(_grams(_all_text(each)))
            for name, text in each.fields.items():
                if text.strip():
                    texts[name].append(_grams(text))
        return cls(_rarities(whole), {name: _rarities(found) for name, found in texts.items()})

    def compare(self, one: Profile, other: Profile) -> _Compared:
        """How alike two profiles are, and in what."""
        fields = tuple(
            (name, self._field(name, one.fields[name], other.fields[name]))
            for name in sorted(one.fields.keys() & other.fields.keys())
            if one.fields[name].strip() and other.fields[name].strip()
        )
        left, right = _grams(_all_text(one)), _grams(_all_text(other))
        whole = fsum(_cosines(self.whole, left, right)) / 2
        mean = fsum(score for _, score in fields) / len(fields) if fields else 0.0
        same = _same_id(one, other)
        return _Compared(
            paired(one.key, other.key),
            1.0 if same else (whole + mean) / 2,
            fields,
            same,
        )

    def _field(self, name: str, one: str, other: str) -> float:
        first, second = _NUMBER.fullmatch(one.strip()), _NUMBER.fullmatch(other.strip())
        if first and second:
            low, high = sorted((float(first[1]), float(second[1])))
            return low / high if high > 0 else 1.0
        return max(_cosines(self.by_field[name], _grams(one), _grams(other)))


def _all_text(profile: Profile) -> str:
    return " ".join(text for _, text in sorted(profile.fields.items()))


def _grams(text: str) -> _Grams:
    found = words(text)
    padded = f" {' '.join(found)} "
    return _Grams(frozenset(found), frozenset(padded[at : at + 3] for at in range(len(padded) - 2)))


def _rarities(texts: Sequence[_Grams]) -> tuple[_Rarity, _Rarity]:
    return _Rarity.of([each.words for each in texts]), _Rarity.of([each.triples for each in texts])


def _cosines(rarities: tuple[_Rarity, _Rarity], one: _Grams, other: _Grams) -> tuple[float, float]:
    by_word, by_triple = rarities
    return by_word.cosine(one.words, other.words), by_triple.cosine(one.triples, other.triples)


def _chosen(compared: Sequence[_Compared]) -> tuple[Proposal, ...]:
    best: defaultdict[str, float] = defaultdict(float)
    for each in compared:
        for key in each.pair:
            best[key] = max(best[key], each.score)
    mutual = [each for each in compared if all(each.score >= best[key] for key in each.pair)]
    chosen = {each.pair for each in mutual}
    cut = parting([each.score for each in mutual if not each.same_id])
    found = [
        _proposed(each) for each in compared if each.same_id or (each.pair in chosen and each.score >= cut)
    ]
    return tuple(sorted(found, key=lambda each: (-each.score, each.left, each.right)))


def _proposed(compared: _Compared) -> Proposal:
    agrees = tuple(name for name, score in compared.by_field if score >= AGREES)
    against = tuple(name for name, score in compared.by_field if score < AGREES)
    return Proposal(*compared.pair, compared.score, agrees, against, compared.same_id)


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
