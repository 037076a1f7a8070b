"""Contests: what competes together."""

from __future__ import annotations

from dataclasses import dataclass

from knowwhy.core.model import Attribute, Slot


@dataclass(frozen=True, slots=True)
class ContestKey:
    """What competes together: all values of a slot, or one of them where the attribute takes many."""

    slot_id: str
    value_key: str | None = None


def contest_key(slot: Slot, value_key: str, attribute: Attribute) -> ContestKey:
    """What the value competes in, under the attribute's cardinality."""
    return ContestKey(slot.id, None if attribute.is_exclusive else value_key)
