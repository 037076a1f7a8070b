"""Identity: which entities are one thing, which are not, and what is said of those merged into others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar, Final

from knowwhy.core.model.claim import Claim, Derivation, Slot, slot_of
from knowwhy.core.model.entity import Entity
from knowwhy.core.model.ids import content_id
from knowwhy.core.model.value import ValueType, entity_value
from knowwhy.core.model.withdrawal import Withdrawal
from knowwhy.core.timeline import BEGINNING, Instant

_RESTATED: Final = "cm_"
_SET_ASIDE: Final = "rt_same"
_ENTITY: Final = f"{ValueType.ENTITY}:"


class Sameness(StrEnum):
    """What is said of two entities: that they are one, that they are two, or nothing any more."""

    SAME = "same"
    DISTINCT = "distinct"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Identity:
    """That two entities (by id) are one, of which the `kept` one stands for both; or that they are two.

    `one` is the lesser id, so that a pair is the same in whatever order it is named; see `identity_of`.
    """

    kind: ClassVar[str] = "identity"
    is_schema: ClassVar[bool] = True

    one: str
    other: str
    sameness: Sameness
    kept: str = ""
    declared_in: int = 0
    declared_at: Instant = BEGINNING

    @property
    def key(self) -> str:
        """Which pair it is about."""
        return pair_key(self.one, self.other)


def pair_key(one: str, other: str) -> str:
    """The key of a pair of entities, in whatever order they are named."""
    return "|".join(sorted((one, other)))


def identity_of(one: str, other: str, sameness: Sameness, kept: str = "") -> Identity:
    """What is said of a pair of entities."""
    first, second = sorted((one, other))
    return Identity(first, second, sameness, kept)


def merged(identities: Iterable[Identity]) -> dict[str, str]:
    """Each entity that is merged into another, with the one that stands for both in the end.

    It does not depend on the order. What would join two that are said to be distinct does not join them.
    """
    ordered = sorted(identities, key=lambda one: one.key)
    apart = [(one.one, one.other) for one in ordered if one.sameness is Sameness.DISTINCT]
    group: dict[str, frozenset[str]] = {}
    left: set[str] = set()
    for one in ordered:
        if one.sameness is not Sameness.SAME:
            continue
        joint = group.get(one.one, frozenset({one.one})) | group.get(one.other, frozenset({one.other}))
        if any(first in joint and second in joint for first, second in apart):
            continue
        group.update(dict.fromkeys(joint, joint))
        left.add(one.other if one.kept == one.one else one.one)
    return {own: stands for own, joint in group.items() if (stands := min(joint - left or joint)) != own}


# What is said of what was merged --------------------------------------------------------------------


def restated(claim: Claim, stands: Mapping[str, Entity], renamed: Mapping[str, str]) -> Claim | None:
    """A claim as said of the entities that stand for those it names; None where it names none of those.

    `stands` gives by id the entity that stands for one, `renamed` the slots and beliefs (ids) that have
    become others by that. It has an id of its own, which tells what it restates.
    """
    slot, value = restated_slot(claim.slot, stands), claim.value
    if value.type is ValueType.ENTITY:
        meant = stands.get(value.key.removeprefix(_ENTITY))
        value = value if meant is None else entity_value(meant.id, meant.name)
    derivation = claim.derivation
    if derivation is not None:
        derivation = Derivation(
            _renamed(derivation.premises, renamed),
            _renamed(derivation.exceptions, renamed),
            derivation.rule,
            derivation.strength,
        )
    depends_on = _renamed(claim.depends_on, renamed)
    if (slot, value.key, derivation, depends_on) == (
        claim.slot,
        claim.value.key,
        claim.derivation,
        claim.depends_on,
    ):
        return None
    rests_on = () if derivation is None else (*derivation.premises, "unless", *derivation.exceptions)
    told = content_id("cm", slot.id, value.key, *rests_on, "on", *depends_on)
    own_id = f"{_RESTATED}{claim.id.partition('_')[2]}_{told.partition('_')[2]}"
    return replace(claim, id=own_id, slot=slot, value=value, derivation=derivation, depends_on=depends_on)


def restated_slot(slot: Slot, stands: Mapping[str, Entity]) -> Slot:
    """A slot as one of the entity that stands for its subject."""
    meant = stands.get(slot.subject.id)
    return slot if meant is None else slot_of(meant, slot.attribute, slot.conditions)


def _renamed(ids: tuple[str, ...], renamed: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(renamed.get(one, one) for one in ids))


def is_claim(record: str) -> bool:
    """Whether a record, by its id, is a claim: one that was made, or one that restates it."""
    return record.startswith(("cl_", _RESTATED))


def is_restated(claim: str) -> bool:
    """Whether a claim, by its id, restates another for the sake of a merge of entities."""
    return claim.startswith(_RESTATED)


def original_of(restatement: str) -> str:
    """The id of the claim that a claim restates."""
    return f"cl_{restatement.removeprefix(_RESTATED).rpartition('_')[0]}"


def set_aside_id(claim: str, at: Instant) -> str:
    """The id of the withdrawal that sets a claim aside because entities were merged, or told apart."""
    return content_id(_SET_ASIDE, claim, str(at))


def is_for_identity(one: Withdrawal) -> bool:
    """Whether a withdrawal or lift was made only because entities were merged or told apart."""
    return one.id.startswith(_SET_ASIDE) or one.target.startswith(_SET_ASIDE)
