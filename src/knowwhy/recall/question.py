"""Questions: which of a memory's own names and words a question contains."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from knowwhy.core.model import Entity, Schema, name_key
from knowwhy.recall.analysis import HAN, terms

_LONGEST_NAME: Final = 16
_MOST_NAMES: Final = 600

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


def attributes_in(question: str, schema: Schema) -> set[str]:
    """The keys of declared attributes all of whose words, in some name, occur in the question."""
    asked = set(terms(question))
    return {
        attribute.key
        for name, attribute in schema.by_name.items()
        if (wanted := set(terms(name))) and wanted <= asked
    }
