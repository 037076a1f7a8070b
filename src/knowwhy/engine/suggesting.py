"""Suggestions: which side of a conflict to decide for, as far as anything tells, and what would decide it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from knowwhy.core.model import HIGHEST_AUTHORITY, Status
from knowwhy.core.timeline import shown
from knowwhy.explain.sentences import because
from knowwhy.recall.finding import Finding

# The least difference in confidence that speaks for a side.
_TELLS: Final = 0.05


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Which side (a belief, by its id) a decision would be for, why, and what would settle it by itself.

    Without a `belief` nothing tells the sides apart. It is a suggestion: nothing rests on it.
    """

    belief: str | None
    value: str | None
    reason: str
    would_settle: str

    def as_dict(self) -> dict[str, Any]:
        """The suggestion for a program."""
        return {
            "belief": self.belief,
            "value": self.value,
            "reason": self.reason,
            "would_settle": self.would_settle,
        }

    def __str__(self) -> str:
        head = "nothing tells the sides apart" if self.value is None else f"“{self.value}”"
        return f"{head}: {self.reason}; {self.would_settle} would settle it"


def suggested(sides: Sequence[Finding], policy: str) -> Suggestion:
    """What is suggested for a conflict between these sides, by the policy that leaves it open."""
    authority = max(one.belief.authority for one in sides)
    settles = (
        f"a word of authority above {authority}" if authority < HIGHEST_AUTHORITY else "a person's decision"
    )
    challengers = [one for one in sides if one.status is Status.CHALLENGER]
    held = [one for one in sides if one.status.is_held]
    if held and challengers:
        reason = f"by the policy {policy} it stands: {because(challengers[0].belief)}"
        return _for(held[0], reason, settles)
    if len(sides) == 1:
        return _of_denial(sides[0], policy, settles)
    return _of_rivals(sides, policy, settles)


def _of_rivals(sides: Sequence[Finding], policy: str, settles: str) -> Suggestion:
    """By confidence, else by the number of independent voices, else by the later word."""
    best, second = sorted(sides, key=lambda one: (-one.raw_confidence, one.id))[:2]
    if best.raw_confidence - second.raw_confidence >= _TELLS:
        reason = f"the policy {policy} leaves it open; {best.raw_confidence:.2f} speaks for it, and for "
        return _for(best, f"{reason}“{second.value}” {second.raw_confidence:.2f}", settles)
    best, second = sorted(sides, key=lambda one: (-one.belief.sources, one.id))[:2]
    if best.belief.sources > second.belief.sources:
        reason = f"{best.belief.sources} independent voices speak for it, and {second.belief.sources} for "
        return _for(best, f"{reason}“{second.value}”", settles)
    best, second = sorted(sides, key=lambda one: (-one.belief.observed_at, one.id))[:2]
    if best.belief.observed_at > second.belief.observed_at:
        reason = f"it was said last, {shown(best.belief.observed_at)}, and “{second.value}” before"
        return _for(best, f"{reason}, {shown(second.belief.observed_at)}", settles)
    return Suggestion(None, None, f"the policy {policy} leaves it open", settles)


def _of_denial(side: Finding, policy: str, settles: str) -> Suggestion:
    """A value that is denied and asserted alike: for it, where more than not speaks for it."""
    confidence = side.raw_confidence
    if confidence >= 0.5 + _TELLS:
        return _for(side, f"{confidence:.2f} speaks for it, and it is denied", settles)
    return Suggestion(None, None, f"the policy {policy} leaves it open against its denial", settles)


def _for(side: Finding, reason: str, settles: str) -> Suggestion:
    return Suggestion(side.id, str(side.value), reason, settles)
