"""Leads: that a channel found something, how well it fits, and by what."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from knowwhy.core.model import Belief
from knowwhy.errors import InvalidInput


class Channel(StrEnum):
    """One way in which a question finds what is held; each can be used alone."""

    NAMES = "names"
    SLOTS = "slots"
    GRAPH = "graph"
    TEXT = "text"
    VECTORS = "vectors"


ALL_CHANNELS = frozenset(Channel)


def channels_named(names: Collection[str] | None) -> frozenset[Channel]:
    """The channels of these names; all of them where None.

    Raises:
        InvalidInput: an unknown name, or none at all.
    """
    if names is None:
        return ALL_CHANNELS
    try:
        found = frozenset(Channel(one) for one in ([names] if isinstance(names, str) else names))
    except ValueError as problem:
        msg = f"{problem}; a channel is one of {', '.join(Channel)}."
        raise InvalidInput(msg) from problem
    if not found:
        msg = f"Nothing is found without a channel; name one of {', '.join(Channel)}, or leave them out."
        raise InvalidInput(msg)
    return found


@dataclass(frozen=True, slots=True)
class Lead:
    """What one channel says of a document: how well it fits, from 0 to 1, and `by` what it was found."""

    channel: Channel
    score: float
    by: str

    def as_dict(self) -> dict[str, Any]:
        """The lead for a program."""
        return {"channel": self.channel, "score": round(self.score, 6), "by": self.by}

    def __str__(self) -> str:
        return f"{self.channel} {self.score:.2f} ({self.by})"


@dataclass(frozen=True, slots=True)
class Catch:
    """What one channel brings.

    `beliefs` and `evidence` are the ids found, `read` the beliefs that were read to find more. `covers`
    says which terms of the question the channel accounts for in a document, `strength` how far what it
    says of it can be relied on, and `by` what led there.
    """

    channel: Channel
    beliefs: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    read: tuple[Belief, ...] = ()
    covers: Mapping[str, frozenset[str]] = field(default_factory=dict)
    strength: Mapping[str, float] = field(default_factory=dict)
    by: Mapping[str, str] = field(default_factory=dict)


def best_first(leads: Iterable[Lead]) -> tuple[Lead, ...]:
    """The leads in order of their scores."""
    return tuple(sorted(leads, key=lambda one: (-one.score, one.channel)))
