"""How a mind changes: what is heard, what is harder to give up, what is accepted, and why."""

from knowwhy.core.revision.acceptance import settle
from knowwhy.core.revision.changeset import (
    Change,
    Changeset,
    Conflict,
    ConflictKind,
    added_changes,
    conflicts_among,
    revise,
)
from knowwhy.core.revision.contests import ContestKey, contest_key
from knowwhy.core.revision.grounds import Ground, grounds
from knowwhy.core.revision.policy import AUTHORITY_THEN_RECENCY, POLICIES, Criterion, Policy
from knowwhy.core.revision.pool import Pool, Terms
from knowwhy.core.revision.together import Settled, settle_together

__all__ = [
    "AUTHORITY_THEN_RECENCY",
    "POLICIES",
    "Change",
    "Changeset",
    "Conflict",
    "ConflictKind",
    "ContestKey",
    "Criterion",
    "Ground",
    "Policy",
    "Pool",
    "Settled",
    "Terms",
    "added_changes",
    "conflicts_among",
    "contest_key",
    "grounds",
    "revise",
    "settle",
    "settle_together",
]
