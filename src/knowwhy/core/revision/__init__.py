"""How a mind changes: what is heard, what is harder to give up, what is accepted, and why."""

from knowwhy.core.revision.acceptance import settle
from knowwhy.core.revision.changeset import (
    Change,
    Changeset,
    Conflict,
    ConflictKind,
    Contest,
    ContestKey,
    conflicts_among,
    contest_key,
    revise,
)
from knowwhy.core.revision.grounds import Ground, grounds
from knowwhy.core.revision.policy import AUTHORITY_THEN_RECENCY, Criterion, Policy

__all__ = [
    "AUTHORITY_THEN_RECENCY",
    "Change",
    "Changeset",
    "Conflict",
    "ConflictKind",
    "Contest",
    "ContestKey",
    "Criterion",
    "Ground",
    "Policy",
    "conflicts_among",
    "contest_key",
    "grounds",
    "revise",
    "settle",
]
