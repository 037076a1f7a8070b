"""Beliefs: a value of a slot, with its standing. A view: computed from the log, never written by hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from knowwhy.core.confidence import AnyTally
from knowwhy.core.model.access import Access
from knowwhy.core.model.claim import Derivation, Slot
from knowwhy.core.model.value import Value
from knowwhy.core.timeline import BEGINNING, FOREVER, Instant, shown


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
    DOUBTFUL = "doubtful"
    ARCHIVED = "archived"

    @property
    def is_held(self) -> bool:
        """Whether the value is taken to be so, if with reserve."""
        return self in (Status.ACCEPTED, Status.STALE, Status.DOUBTFUL)

    @property
    def is_standing(self) -> bool:
        """Whether the value is held, or at least disputed: not put to rest."""
        return self.is_held or self is Status.CONTESTED


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
    DERIVED = "derived"
    UNFOUNDED = "unfounded"
    DENIED = "denied"
    OBSERVED = "observed"
    GIVEN_UP = "given_up"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Because:
    """Why a belief has its status: the rule, and the value (or None for a bare denial) it met there."""

    rule: Rule
    against: str | None = None


@dataclass(frozen=True, slots=True)
class Doubt:
    """A premise that moved since a belief was last confirmed: from what to what, and when.

    `premise` is the id of the slot that moved itself, which may lie several steps back. `strength`
    is how much of the evidence rests on it. An empty `after` means that nothing holds there now, a
    `moved_at` of BEGINNING that no word on it says when it moved: it follows from others.
    """

    premise: str
    subject: str
    attribute: str
    before: str
    after: str
    moved_at: Instant
    strength: float = 1.0

    def __str__(self) -> str:
        change = (
            f"changed from {self.before} to {self.after}" if self.after else f"is no longer {self.before}"
        )
        when = f" on {shown(self.moved_at)}" if self.moved_at > BEGINNING else ""
        return f"its premise {self.attribute} {change}{when}, not confirmed since"


@dataclass(frozen=True, slots=True)
class Belief:
    """One value of one slot as it stood at `settled_at`.

    It may be read as it is until `stable_until`, the first instant at which the mere passing of time
    changes more than its confidence. From `stale_from` on, if accepted, it has aged too much to be
    relied on. `since` and `until` bound the time for which it is held true.
    `version` is the number of the last operation that touched what it competes in. `doubts` are
    the premises that moved since its last evidence; `derivations` those of its justifications that
    apply, of whose premises' confidence a reader computes its own. It `is_additive` where a further plain
    word for it, the only value of its contest, just adds to its tally. `labels` are the accesses of what it
    was settled from that not everybody may read: who may not read all of them gets it settled anew.
    """

    id: str
    slot: Slot
    value: Value
    status: Status
    because: Because
    tally: AnyTally
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
    doubts: tuple[Doubt, ...] = ()
    derivations: tuple[Derivation, ...] = ()
    is_additive: bool = False
    labels: tuple[Access, ...] = field(default=(), compare=False)

    def confidence(self, at: Instant) -> float:
        """Its projected probability at `at`, between 0 and 1."""
        return self.tally.confidence(at)

    def status_at(self, at: Instant) -> Status:
        """Its status when read at `at`: ageing alone turns an accepted belief stale."""
        if self.status is Status.ACCEPTED and at >= self.stale_from:
            return Status.STALE
        return self.status
