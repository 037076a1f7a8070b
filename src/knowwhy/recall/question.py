"""Questions: which of a memory's own names and words a question contains, and what it asks for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from knowwhy.core.model import Attribute, Entity, Schema, name_key
from knowwhy.recall.analysis import HAN, terms
from knowwhy.recall.timing import Timing
from knowwhy.recall.wording import asked_by_word, by_family, wanted_by

_LONGEST_NAME: Final = 16
_MOST_NAMES: Final = 600
# The share of an attribute's words that a question must have to mean it at all.
_LEAST_CUE: Final = 0.5

_TOKEN = re.compile(rf"{HAN}|(?:(?!{HAN})[^\W_])+|\S")


@dataclass(frozen=True, slots=True)
class Mentions:
    """The entities that a question names, with the words it names them by.

    Words that stand for several entities are `ambiguous`, and name none.
    """

    named: tuple[tuple[str, Entity], ...] = ()
    ambiguous: Mapping[str, tuple[Entity, ...]] = field(default_factory=dict)

    @property
    def entities(self) -> tuple[Entity, ...]:
        """The entities named, each once."""
        return tuple(dict.fromkeys(entity for _, entity in self.named))


@dataclass(frozen=True, slots=True)
class Cue:
    """How far a question asks for an attribute: the share of its name, and the terms that say so."""

    share: float = 0.0
    terms: frozenset[str] = frozenset()

    @property
    def is_whole(self) -> bool:
        """Whether all of some name of the attribute is asked for."""
        return self.share >= 1.0


@dataclass(frozen=True, slots=True)
class Query:
    """A question taken apart: its terms, what it names, and the time it is about; see `query_of`.

    `families` are the terms outside the names in it, by what they ask for.
    """

    question: str
    terms: tuple[str, ...]
    mentions: Mentions
    timing: Timing
    families: Mapping[str, frozenset[str]]
    _cues: dict[str, Cue] = field(default_factory=dict, compare=False)

    def cue(self, attribute: Attribute) -> Cue:
        """How far the question asks for an attribute, by the best of its names."""
        key = attribute.name
        if key not in self._cues:
            self._cues[key] = cue_of(self.families, (attribute.name, *attribute.synonyms))
        return self._cues[key]

    @property
    def timeless(self) -> tuple[str, ...]:
        """The terms outside the words that name a time."""
        named = {term for one in self.timing.read for term in terms(one.words)}
        return tuple(term for term in self.terms if term not in named)

    def asked_for(self, schema: Schema) -> dict[str, Cue]:
        """The declared attributes that the question names in full, by their keys."""
        cues = {key: self.cue(one) for key, one in schema.attributes.items()}
        return {key: cue for key, cue in cues.items() if cue.is_whole}


def query_of(question: str, named: Mentions, timing: Timing) -> Query:
    """A question taken apart, with what was found in it."""
    asked = tuple(dict.fromkeys(terms(question)))
    within = {term for key, _ in named.named for term in terms(key)}
    unnamed = tuple(term for term in asked if term not in within) or asked
    return Query(question, asked, named, timing, asked_by_word(question) | by_family(unnamed))


def cue_of(families: Mapping[str, frozenset[str]], names: Iterable[str]) -> Cue:
    """How far a question, by the families of its terms, means something of these names."""
    best = Cue()
    for name in names:
        wanted = wanted_by(name)
        met = wanted & families.keys()
        share = len(met) / len(wanted) if wanted else 0.0
        terms_met = frozenset[str]().union(*(families[one] for one in met))
        # A word such as "where" says what kind of thing is asked for, and alone not which.
        if terms_met and share >= _LEAST_CUE and share > best.share:
            best = Cue(share, terms_met)
    return best


def possible_names(question: str) -> list[str]:
    """The name keys that stretches of the question could stand for, longest first.

    A stretch begins and ends at a word, a Han character or a mark, so names are found in sentences
    that nobody cut into words.
    """
    levelled = name_key(question)
    tokens = [match.span() for match in _TOKEN.finditer(levelled)]
    found = {
        levelled[start:end]
        for first, (start, _) in enumerate(tokens)
        for _, end in tokens[first : first + _LONGEST_NAME]
    }
    return sorted(found, key=lambda key: (-len(key), key))[:_MOST_NAMES]


def mentions(question: str, known: Mapping[str, Sequence[Entity]]) -> Mentions:
    """The entities that the question names, longest name first; a stretch names one thing only."""
    rest = name_key(question)
    named: list[tuple[str, Entity]] = []
    ambiguous: dict[str, tuple[Entity, ...]] = {}
    for key in sorted(known, key=lambda key: (-len(key), key)):
        if not known[key] or key not in rest:
            continue
        rest = rest.replace(key, "\n")
        if len(known[key]) > 1:
            ambiguous[key] = tuple(known[key])
        else:
            named.append((key, known[key][0]))
    return Mentions(tuple(named), ambiguous)
