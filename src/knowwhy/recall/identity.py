"""Who is meant: the entities that names stand for, once those merged into others are followed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from knowwhy.core.model import (
    Entity,
    Evidence,
    Identity,
    Schema,
    Testimony,
    ValueType,
    is_for_identity,
    is_restated,
    merged,
)
from knowwhy.core.timeline import Instant, Scope
from knowwhy.store.protocol import Snapshot

# So many items back in a conversation it is looked for which of several a name means.
_LOOKED_BACK: Final = 12


def last_by(view: Snapshot, at: Instant) -> int:
    """The number of the last operation by an instant, found by halving."""
    low, high = 0, view.head().sequence
    while low < high:
        middle = (low + high + 1) // 2
        (one,) = view.operations(sequences=[middle])
        low, high = (middle, high) if one.at <= at else (low, middle - 1)
    return low


def merged_in(view: Snapshot, schema: Schema, scope: Scope) -> Mapping[str, str]:
    """Which entities were merged into which, as known in a scope."""
    if scope.is_latest_knowledge or not schema.identities:
        return schema.merged
    return merged(view.declared(Identity, until=last_by(view, scope.known)).values())


def standing_for(view: Snapshot, into: Mapping[str, str], ids: Iterable[str]) -> dict[str, Entity]:
    """For those of the entities that are merged into another, by id, the one that stands for them."""
    moved = {one: into[one] for one in ids if one in into}
    known = {one.id: one for one in view.entities(sorted(set(moved.values())))} if moved else {}
    return {one: known[target] for one, target in moved.items() if target in known}


def followed(view: Snapshot, into: Mapping[str, str], entities: Sequence[Entity]) -> list[Entity]:
    """The entities, those that are merged into another as that one, each once."""
    if not into:
        return list(entities)
    stands = standing_for(view, into, [one.id for one in entities])
    return list({one.id: one for one in (stands.get(each.id, each) for each in entities)}.values())


def names_followed(
    view: Snapshot, into: Mapping[str, str], keys: Sequence[str], *, is_as_said: bool = False
) -> dict[str, list[Entity]]:
    """What each name key stands for, once merges are followed.

    Where it `is_as_said`, only names that stand for several are followed: what is said of a single entity
    is recorded of that one, so that it stays with it should they be told apart again.
    """
    known = view.names(keys)
    if not into:
        return known
    return {
        key: list(those) if is_as_said and len(those) == 1 else followed(view, into, those)
        for key, those in known.items()
    }


def as_said(testimonies: Iterable[Testimony]) -> list[Testimony]:
    """What was said, as if no entities had been merged: without what only restates it for that."""
    return [
        replace(
            one,
            withdrawals=tuple(each for each in one.withdrawals if not is_for_identity(each)),
        )
        for one in testimonies
        if not is_restated(one.claim.id)
    ]


def spoken_of(view: Snapshot, into: Mapping[str, str], evidence: Evidence) -> frozenset[str]:
    """The entities (by id) of which the items just before one in its conversation speak, merges followed."""
    found: set[str] = set()
    last = evidence
    for _ in range(_LOOKED_BACK):
        beside = view.evidence(beside=[last])
        before = [one for one in beside if (one.effective_at, one.id) < (last.effective_at, last.id)]
        if not before:
            break
        last = max(before, key=lambda one: (one.effective_at, one.id))
        if last.retracted_at is None:
            for one in as_said(view.claims([last.id])):
                found.add(one.claim.slot.subject.id)
                if one.claim.value.type is ValueType.ENTITY:
                    found.add(one.claim.value.key.removeprefix(f"{ValueType.ENTITY}:"))
    return frozenset(found | {into[one] for one in found if one in into})
