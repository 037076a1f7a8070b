"""Operations: the entries of the log, each one act of one author."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from knowwhy.core.model.access import PUBLIC, Access
from knowwhy.core.timeline import Instant


class Act(StrEnum):
    """What kind of act an operation was."""

    DECLARE = "declare"
    OBSERVE = "observe"
    END = "end"
    RETRACT = "retract"
    CORRECT = "correct"
    ALIAS = "alias"
    DERIVE = "derive"
    GIVE_UP = "give_up"
    CONFIGURE = "configure"
    LEARN = "learn"
    FEEDBACK = "feedback"
    USED = "used"
    FORK = "fork"
    DROP = "drop"
    MERGE = "merge"
    UNDO = "undo"
    SNAPSHOT = "snapshot"
    VACUUM = "vacuum"
    ERASE = "erase"
    LEASE = "lease"
    READ = "read"
    RETRY = "retry"
    DOCUMENT = "document"
    GRANT = "grant"
    IDENTIFY = "identify"
    DISMISS = "dismiss"
    EXPIRE = "expire"
    RESOLVE = "resolve"
    ASSIGN = "assign"
    QUARANTINE = "quarantine"
    RELEASE = "release"
    DREAM = "dream"


@dataclass(frozen=True, slots=True)
class Operation:
    """One act in the log.

    `sequence` counts the operations of a space from 1; `at` is its transaction time and grows with
    it; `decided_at` is the instant for which the beliefs it touched were settled. `request`
    fingerprints what was asked, so that a reused `key` with another request is noticed. `outcome`
    is what the caller was told. `access` says who may read what it did.
    """

    sequence: int
    at: Instant
    decided_at: Instant
    act: Act
    author: str | None = None
    reason: str | None = None
    policy: str | None = None
    key: str | None = None
    request: str = ""
    outcome: dict[str, Any] | None = None
    access: Access = PUBLIC
