"""Beliefs: a value of a slot, with its standing. A view: computed from the log, never written by hand."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from knowwhy.core.confidence import Tally
from knowwhy.core.model.claim import Slot
from knowwhy.core.model.value import Value
from knowwhy.core.timeline import BEGINNING, FOREVER, Instant


class Status(StrEnum):
    """Whether a belief is accepted, and if not, how it fell."""

    ACCEPTED = "accepted"
    CONTESTED = "contested"
    CHALLENGER = "challenger"
    SUPERSEDED = "superseded"
    REJECTED = "rejected"
    RETRACTED = "retracted"
    PLANNED = "planned"
    HYPOTHESIS = "hypothesis"
    STALE = "stale"


class Rule(StrEnum):
    """The rule that gave a belief its status."""

    UNOPPOSED = "unopposed"
    AUTHORITY = "authority"
    RECENCY = "recency"
    CONFIDENCE = "confidence"
    TIE = "tie"
    REFUTED = "refuted"
    ENDED = "ended"
    NOT_YET = "not_yet"
    WITHDRAWN = "withdrawn"
    NOT_ASSERTED = "not_asserted"
    AGED = "aged"


@dataclass(frozen=True, slots=True)
class Because:
    """Why a belief has its status: the rule, and the value (or None for a bare denial) it met there."""

    rule: Rule
    against: str | None = None


@dataclass(frozen=True, slots=True)
class Belief:
    """One value of one slot as it stood at `settled_at`.

    It may be read as it is until `stable_until`, the first instant at which the mere passing of time
    changes more than its confidence. From `stale_from` on, if accepted, it has aged too much to be
    relied on. `since` and `until` bound the time for which it is held true.
    `version` is the number of the last operation that touched what it competes in.
    """

    id: str
    slot: Slot
    value: Value
    status: Status
    because: Because
    tally: Tally
    since: Instant = BEGINNING
    until: Instant = FOREVER
    observed_at: Instant = BEGINNING
    authority: int = 0
    sources: int = 0
    evidence: int = 0
    version: int = 0
    settled_at: Instant = BEGINNING
    stable_until: Instant = FOREVER
    stale_from: Instant = FOREVER

    def confidence(self, at: Instant) -> float:
        """Its projected probability at `at`, between 0 and 1."""
        return self.tally.confidence(at)

    def status_at(self, at: Instant) -> Status:
        """Its status when read at `at`: ageing alone turns an accepted belief stale."""
        if self.status is Status.ACCEPTED and at >= self.stale_from:
            return Status.STALE
        return self.status
