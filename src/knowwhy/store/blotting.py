"""Blotting out: words that an erasure names, wherever the log tells of them beside its records."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

# Declarations about single records, which go with them.
GOING: Final = frozenset({"label"})

# Declarations that hold no words, but name what is gone on purpose.
KEPT: Final = frozenset({"erasure"})

# What stands where words were.
BLOT: Final = "[erased]"


@dataclass(frozen=True)
class Blotter:
    """Finds words in any case, where they stand by themselves, and ids.

    A word of Chinese or Japanese characters is found inside others too, as these are not set apart.
    """

    words: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        parts = [_bounded(one) for one in sorted(set(self.words), key=len, reverse=True) if one.strip()]
        return re.compile("|".join(parts), re.IGNORECASE) if parts else None

    @cached_property
    def _ids(self) -> frozenset[str]:
        return frozenset(self.ids)

    def tells(self, text: str | None) -> bool:
        """Whether a text tells of a word or an id."""
        if not text:
            return False
        if self._pattern is not None and self._pattern.search(text):
            return True
        return self.names(text)

    def names(self, text: str) -> bool:
        """Whether a text names one of the ids."""
        return not self._ids.isdisjoint(_ID.findall(text))

    def blotted(self, content: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
        """JSON content with a blot in the place of each text that tells of a word or an id."""
        if isinstance(content, str):
            return BLOT if self.tells(content) else content
        if isinstance(content, dict):
            return {self.blotted(key): self.blotted(one) for key, one in content.items()}
        if isinstance(content, list | tuple):
            return [self.blotted(one) for one in content]
        return content

    def tells_in(self, text: str | None) -> bool:
        """Whether JSON as text tells of a word or an id. Marks that JSON escapes hide no word."""
        return text is not None and self.blotted_json(text) != text

    def blotted_json(self, text: str) -> str:
        """The same of JSON as text; the very text where it tells of nothing."""
        content = json.loads(text)
        blotted = self.blotted(content)
        return text if blotted == content else json.dumps(blotted, ensure_ascii=False, separators=(",", ":"))


_ID: Final = re.compile(r"\b[a-z]{2}_[0-9a-f]{20}\b")
_HAN: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")


def _bounded(word: str) -> str:
    spaced = r"\s+".join(map(re.escape, word.split()))
    before = "" if _HAN.match(word[0]) or not word[0].isalnum() else r"(?<!\w)"
    after = "" if _HAN.match(word[-1]) or not word[-1].isalnum() else r"(?!\w)"
    return f"{before}{spaced}{after}"


def words_of(names: Iterable[str]) -> tuple[str, ...]:
    """The words that stand for something by these names, each once."""
    return tuple(dict.fromkeys(one.strip() for one in names if one.strip()))
