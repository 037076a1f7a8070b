"""Telling: which sentence of a text a claim was read from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from knowwhy.core.model import Claim
from knowwhy.recall.sentences import sentences

# Where sentences of a text begin and end.
Place = tuple[int, int]

_LINE: Final = re.compile(r"[^\n]+")


@dataclass(frozen=True)
class Told:
    """A text, taken apart once however many claims are looked for in it."""

    text: str

    def sentence(self, claim: Claim) -> Place | None:
        """The sentence a claim was read from; of several that may be it, the first to name its subject."""
        wanted = (claim.quote or claim.value.text).casefold()
        subject = claim.slot.subject.name.casefold()
        told = [(place, words) for place, words in self._sentences if wanted in words]
        named = (place for place, words in told if subject in words)
        return next(named, told[0][0] if told else None)

    @property
    def whole(self) -> Place:
        """All of it."""
        return 0, len(self.text)

    @cached_property
    def _sentences(self) -> list[tuple[Place, str]]:
        return [((start, end), self.text[start:end].casefold()) for start, end in _places(self.text)]


def _places(text: str) -> Iterator[Place]:
    for line in _LINE.finditer(text):
        yield from sentences(text, line.start(), line.end())
