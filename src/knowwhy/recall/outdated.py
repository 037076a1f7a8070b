"""What of a source's words is out of date: values that were given up, spoken of as if they stood."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from knowwhy.core.model import Status, name_key
from knowwhy.recall.analysis import terms
from knowwhy.recall.finding import Finding
from knowwhy.recall.wording import family_of, wanted_by

# What words keep of their fit that speak of a value that no longer stands.
OUTDATED: Final = 0.5

_GONE: Final = (Status.SUPERSEDED, Status.REJECTED, Status.RETRACTED)
_HAN_OR_WORD: Final = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class GoneValue:
    """A value of a slot that no longer stands, and what stands there instead, if anything does."""

    finding: Finding
    instead: tuple[Finding, ...]

    def __str__(self) -> str:
        now = f"; now it is {' or '.join(f'“{one.value}”' for one in self.instead)}" if self.instead else ""
        return f"says “{self.finding.value}”, which is {self.finding.status}{now}"


def gone_values(standing: Iterable[Finding], others: Iterable[Finding]) -> tuple[GoneValue, ...]:
    """The values found that no longer stand, with what stands in their slots."""
    now: dict[str, list[Finding]] = defaultdict(list)
    for one in standing:
        if not one.is_denial:
            now[one.belief.slot.id].append(one)
    return tuple(
        GoneValue(one, tuple(now.get(one.belief.slot.id, ()))) for one in others if one.status in _GONE
    )


def outdated_in(text: str, gone: Iterable[GoneValue]) -> tuple[GoneValue, ...]:
    """Which values that no longer stand a text speaks of, and not of what stands in their place.

    It does where it has the value as a word of its own, and a word of the subject or of the attribute.
    """
    levelled = name_key(text)
    families = frozenset(map(family_of, terms(text)))
    return tuple(
        one
        for one in gone
        if _has(levelled, one.finding.value.text)
        and _is_about(families, one.finding)
        and not any(_has(levelled, now.value.text) for now in one.instead)
    )


def _is_about(families: frozenset[str], finding: Finding) -> bool:
    spoken = families & (wanted_by(finding.subject.name) | wanted_by(finding.attribute.name))
    return bool(spoken)


def _has(levelled: str, value: str) -> bool:
    return _word(name_key(value)).search(levelled) is not None


@lru_cache(maxsize=4_096)
def _word(key: str) -> re.Pattern[str]:
    """A value as a word of its own: 7 is not in 17, and Rome not in Romeo, but 花生 is in 花生酱."""
    start = r"(?<![a-z0-9])" if key[:1].isascii() and _HAN_OR_WORD.match(key[:1]) else ""
    end = r"(?![a-z0-9])" if key[-1:].isascii() and _HAN_OR_WORD.match(key[-1:]) else ""
    return re.compile(f"{start}{re.escape(key)}{end}")
