"""Changesets: what a write does to the beliefs it touches, each step with its because."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from knowwhy.core.model import Belief, Rule, Slot, Status, content_id
from knowwhy.core.revision.contests import ContestKey
from knowwhy.core.revision.pool import Pool
from knowwhy.core.revision.together import settle_together
from knowwhy.core.timeline import Instant, Scope

# The least difference in confidence that a reader sees in two digits.
_NOTICEABLE: Final = 0.005


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
    """The outcome of deciding: every belief of the contests decided, what changed, what is in conflict.

    `beliefs` are as a view keeps them, the others as a reader sees them; `policy` is what decided
    where an attribute named none of its own.
    """

    beliefs: tuple[Belief, ...]
    changes: tuple[Change, ...]
    conflicts: tuple[Conflict, ...]
    policy: str

    def without(self, slots: Container[str]) -> Changeset:
        """The same without the values that first come up in one of these slots, by its id."""
        kept = (one for one in self.changes if one.before is not None or one.after.slot.id not in slots)
        return replace(self, changes=tuple(kept))


def revise(pool: Pool, before: Mapping[ContestKey, Iterable[Belief]], at: Instant) -> Changeset:
    """What the contests named in `before` come to at `at`, and how that differs from how they stood.

    The pool holds them, and all that they rest on.
    """
    beliefs: list[Belief] = []
    changes: list[Change] = []
    conflicts: list[Conflict] = []
    settled = settle_together(pool, Scope(at))
    for key, stood in before.items():
        held = settled.held.get(key, ())
        known = {belief.id: belief for belief in stood}
        beliefs.extend(settled.kept.get(key, ()))
        changes.extend(
            Change(known.get(belief.id), belief)
            for belief in held
            if _has_moved(known.get(belief.id), belief, at)
        )
        conflicts.extend(conflicts_among(held))
    changes.sort(key=lambda one: _is_consequence(one.after))
    return Changeset(tuple(beliefs), tuple(changes), tuple(conflicts), pool.terms.policy.name)


def added_changes(added: Iterable[Change], at: Instant, policy: str) -> Changeset:
    """What it comes to at `at` that each of these beliefs was merely confirmed."""
    those = list(added)
    moved = tuple(one for one in those if _has_moved(one.before, one.after, at))
    return Changeset(tuple(one.after for one in those), moved, (), policy)


def conflicts_among(beliefs: Iterable[Belief]) -> tuple[Conflict, ...]:
    """The open conflicts among settled beliefs of one contest: at most one of each kind."""
    settled = list(beliefs)
    contested = tuple(one for one in settled if one.status is Status.CONTESTED)
    challengers = tuple(one for one in settled if one.status is Status.CHALLENGER)
    standing = tuple(one for one in settled if one.status.is_held)
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


def _is_consequence(after: Belief) -> bool:
    """Whether it stands so for the sake of others: told after what it rests on."""
    return bool(after.doubts) or after.because.rule in (Rule.DERIVED, Rule.UNFOUNDED)


def _has_moved(before: Belief | None, after: Belief, at: Instant) -> bool:
    """Whether a reader would see a difference: in its standing, or in the confidence of what stands."""
    if before is None:
        return True
    if before.status is not after.status or before.doubts != after.doubts:
        return True
    if after.derivations:
        # Its number and bounds move with its premises, also where nothing here is decided.
        return False
    if (before.since, before.until) != (after.since, after.until):
        return True
    has_shifted = abs(before.confidence(at) - after.confidence(at)) >= _NOTICEABLE
    return has_shifted and after.status.is_standing
