"""Evidence: a source's words, kept as they came."""

from __future__ import annotations

from dataclasses import dataclass, field

from knowwhy.core.model.access import PUBLIC, Access
from knowwhy.core.model.ids import content_id
from knowwhy.core.model.source import Source
from knowwhy.core.model.withdrawal import Withdrawal, in_force
from knowwhy.core.timeline import Instant


@dataclass(frozen=True, slots=True)
class Evidence:
    """One item of raw material, immutable.

    `observed_at` is when the source spoke, as stated or else when it reached us; `effective_at` is
    the same, but never later than the arrival, so that a date in the future wins nothing (theory
    §6.2). `recorded_at` is when this memory, or the one it was loaded from, came to know of it.
    `content` identifies the words whatever the time; `groups` are the independence groups whose
    voice it is: its source's own, or those of what it was derived from. `withdrawals` are filled in on
    reading, in the order of their operations, and so is `operation`, the number of that which recorded it.
    `access` says who may read it, and who may change what becomes of it.
    """

    id: str
    content: str
    text: str
    source: Source
    observed_at: Instant
    effective_at: Instant
    recorded_at: Instant
    groups: tuple[str, ...]
    is_pinned: bool = False
    context: str | None = None
    derived_from: tuple[str, ...] = ()
    metadata: tuple[tuple[str, str], ...] = ()
    withdrawals: tuple[Withdrawal, ...] = ()
    access: Access = PUBLIC
    operation: int = field(default=0, compare=False)

    @property
    def retracted_at(self) -> Instant | None:
        """When it was withdrawn; None while it stands."""
        withdrawal = in_force(self.withdrawals)
        return None if withdrawal is None else withdrawal.at


def content_of(source: Source, text: str, claims: str, context: str | None, access: Access = PUBLIC) -> str:
    """The fingerprint of one source's words, regardless of when they were said.

    What not everybody may read is another record than the same words told to all.
    """
    apart = () if access.is_public or access.follows else (str(access),)
    return content_id("ct", source.type, source.name, text, claims, context or "", *apart)


def evidence_id(content: str, observed_at: Instant) -> str:
    """The id of these words said at that time."""
    return content_id("ev", content, str(observed_at))
