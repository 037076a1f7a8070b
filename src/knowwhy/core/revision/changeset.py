"""Changesets: what a write does to the beliefs it touches, each step with its because."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from knowwhy.core.model import Attribute, Belief, Slot, Status, Testimony, content_id
from knowwhy.core.revision.acceptance import settle
from knowwhy.core.revision.policy import AUTHORITY_THEN_RECENCY, Policy
from knowwhy.core.timeline import Instant, Scope

# The least difference in confidence that a reader sees in two digits.
_NOTICEABLE: Final = 0.005


@dataclass(frozen=True, slots=True)
class ContestKey:
    """What competes together: all values of a slot, or one of them where the attribute takes many."""

    slot_id: str
    value_key: str | None = None


@dataclass(frozen=True, slots=True)
class Contest:
    """The neighbourhood of a write: what competes, all testimony on it, and how it stood when read."""

    key: ContestKey
    attribute: Attribute
    testimonies: tuple[Testimony, ...]
    before: tuple[Belief, ...] = ()


class ConflictKind(StrEnum):
    """Whether a conflict is undecided, or decided for a side whose rival has the newer word."""

    CONTESTED = "contested"
    CHALLENGED = "challenged"


@dataclass(frozen=True, slots=True)
class Conflict:
    """Beliefs of one slot that cannot all hold and that no rule has put to rest. A value, not an error.

    Its `id` depends on the slot and the values alone, so it stays the same while evidence comes in.
    """

    id: str
    kind: ConflictKind
    slot: Slot
    sides: tuple[Belief, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """A belief whose standing a write changed: as it was (None where it is new) and as it is."""

    before: Belief | None
    after: Belief


@dataclass(frozen=True, slots=True)
class Changeset:
    """The outcome of deciding: every belief of the contests touched, what changed, what is in conflict."""

    beliefs: tuple[Belief, ...]
    changes: tuple[Change, ...]
    conflicts: tuple[Conflict, ...]


def contest_key(slot: Slot, value_key: str, attribute: Attribute) -> ContestKey:
    """What the value competes in, under the attribute's cardinality."""
    return ContestKey(slot.id, None if attribute.is_exclusive else value_key)


def revise(contests: Iterable[Contest], at: Instant, policy: Policy = AUTHORITY_THEN_RECENCY) -> Changeset:
    """What `contests` come to at `at`, and how that differs from how they stood before."""
    beliefs: list[Belief] = []
    changes: list[Change] = []
    conflicts: list[Conflict] = []
    for contest in contests:
        settled = settle(contest.testimonies, contest.attribute, Scope(at), policy)
        before = {belief.id: belief for belief in contest.before}
        beliefs.extend(settled)
        changes.extend(
            Change(before.get(belief.id), belief)
            for belief in settled
            if _has_moved(before.get(belief.id), belief, at)
        )
        conflicts.extend(conflicts_among(settled))
    return Changeset(tuple(beliefs), tuple(changes), tuple(conflicts))


def conflicts_among(beliefs: Iterable[Belief]) -> tuple[Conflict, ...]:
    """The open conflicts among settled beliefs of one contest: at most one of each kind."""
    settled = list(beliefs)
    contested = tuple(one for one in settled if one.status is Status.CONTESTED)
    challengers = tuple(one for one in settled if one.status is Status.CHALLENGER)
    standing = tuple(one for one in settled if one.status is Status.ACCEPTED)
    found = []
    if contested:
        found.append(_conflict(ConflictKind.CONTESTED, contested))
    if challengers and standing:
        found.append(_conflict(ConflictKind.CHALLENGED, standing + challengers))
    return tuple(found)


def _conflict(kind: ConflictKind, sides: tuple[Belief, ...]) -> Conflict:
    slot = sides[0].slot
    keys = sorted(side.value.key for side in sides)
    return Conflict(content_id("cf", slot.id, *keys), kind, slot, sides)


def _has_moved(before: Belief | None, after: Belief, at: Instant) -> bool:
    """Whether a reader would see a difference: in its standing, or in the confidence of what stands."""
    if before is None:
        return True
    if (before.status, before.since, before.until) != (after.status, after.since, after.until):
        return True
    has_shifted = abs(before.confidence(at) - after.confidence(at)) >= _NOTICEABLE
    return has_shifted and after.status in (Status.ACCEPTED, Status.CONTESTED)
