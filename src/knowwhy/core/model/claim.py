"""Claims: single statements read out of an item of evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from functools import lru_cache

from knowwhy.core.model.access import PUBLIC, Access
from knowwhy.core.model.entity import Entity
from knowwhy.core.model.ids import content_id
from knowwhy.core.model.source import Source
from knowwhy.core.model.value import RawValue, Value
from knowwhy.core.model.withdrawal import Withdrawal, in_force
from knowwhy.core.timeline import FOREVER, Instant


class Stance(StrEnum):
    """What a claim does to its value.

    It speaks for it, speaks against it, says that it ceased, gives it up without denying it, or drops it:
    its own source says it no longer, as the next version of a document does.
    """

    SUPPORTS = "supports"
    REFUTES = "refutes"
    ENDS = "ends"
    GIVES_UP = "gives_up"
    DROPS = "drops"

    @property
    def is_heard(self) -> bool:
        """Whether it is evidence on the value itself, not on other statements about it."""
        return self in (Stance.SUPPORTS, Stance.REFUTES)


class Modality(StrEnum):
    """How a statement was meant. Only what is asserted or inferred can become an accepted belief."""

    ASSERTED = "asserted"
    INFERRED = "inferred"
    PLANNED = "planned"
    SUGGESTED = "suggested"
    HYPOTHETICAL = "hypothetical"
    QUOTED = "quoted"
    ASKED = "asked"

    @property
    def is_assertive(self) -> bool:
        """Whether the speaker stands for it."""
        return self in (Modality.ASSERTED, Modality.INFERRED, Modality.PLANNED)


@dataclass(frozen=True, slots=True)
class Draft:
    """A claim as a caller or an extractor hands it in: names not yet resolved, values not yet typed.

    `valid_from` and `valid_to` bound the time of which it speaks, where it says so. `quote` is the
    passage of the evidence it was read from. `subject_id` names the entity beyond doubt.
    `object_type` is the type of an entity that is the value, and `object_id` names it. `depends_on` names
    the (subject, attribute) pairs it rests on: when one moves, it is doubtful.
    `is_forced` puts it above all that is not forced, whoever says it.
    """

    subject: str
    attribute: str
    value: RawValue
    stance: Stance = Stance.SUPPORTS
    unit: str | None = None
    conditions: Mapping[str, str] | None = None
    valid_from: datetime | date | str | None = None
    valid_to: datetime | date | str | None = None
    modality: Modality = Modality.ASSERTED
    quote: str | None = None
    weight: float = 1.0
    subject_id: str | None = None
    subject_type: str | None = None
    depends_on: Sequence[tuple[str, str]] = ()
    is_forced: bool = False
    object_id: str | None = None
    object_type: str | None = None


@dataclass(frozen=True, slots=True)
class Slot:
    """What values compete for: one attribute (by its key) of one subject under given conditions."""

    id: str
    subject: Entity
    attribute: str
    conditions: tuple[tuple[str, str], ...] = ()


def slot_of(subject: Entity, attribute: str, conditions: tuple[tuple[str, str], ...] = ()) -> Slot:
    """The slot of these three, with the id it has wherever it is met."""
    return Slot(_slot_id(subject.id, attribute, conditions), subject, attribute, conditions)


@lru_cache(maxsize=8_192)
def _slot_id(subject_id: str, attribute: str, conditions: tuple[tuple[str, str], ...]) -> str:
    return content_id("sl", subject_id, attribute, *(part for pair in conditions for part in pair))


@lru_cache(maxsize=8_192)
def belief_id(slot_id: str, value_key: str) -> str:
    """The id of the belief that a slot has this value; it stays while its standing changes."""
    return content_id("bl", slot_id, value_key)


@dataclass(frozen=True, slots=True)
class Derivation:
    """On which beliefs (by id) a claim rests: it holds if all `premises` do and none of `exceptions`.

    `strength` is how surely it follows, `rule` what it follows by.
    """

    premises: tuple[str, ...]
    exceptions: tuple[str, ...] = ()
    rule: str = ""
    strength: float = 1.0


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of one item of evidence about one value of one slot.

    `valid_from` None means the statement names no beginning; BEGINNING means it says "always". What
    ends says so by `valid_to`. With a `derivation` it is inferred, and holds as its premises do.
    `depends_on` are the ids of slots whose moving makes it doubtful.
    """

    id: str
    evidence_id: str
    slot: Slot
    value: Value
    stance: Stance = Stance.SUPPORTS
    valid_from: Instant | None = None
    valid_to: Instant = FOREVER
    modality: Modality = Modality.ASSERTED
    weight: float = 1.0
    quote: str | None = None
    quote_match: str | None = None
    derivation: Derivation | None = None
    depends_on: tuple[str, ...] = ()
    is_forced: bool = False


def premises_of(claim: Claim) -> tuple[str, ...]:
    """The ids of the beliefs and slots that a claim rests on, each once."""
    derived = claim.derivation
    named = () if derived is None else (*derived.premises, *derived.exceptions)
    return tuple(dict.fromkeys((*named, *claim.depends_on)))


def claim_id(
    evidence_id: str, slot: Slot, value: Value, stance: Stance, valid_from: Instant | None, valid_to: Instant
) -> str:
    """The id of the claim that these six determine."""
    return content_id("cl", evidence_id, slot.id, value.key, stance, str(valid_from), str(valid_to))


def claim_of(
    evidence_id: str,
    slot: Slot,
    value: Value,
    stance: Stance = Stance.SUPPORTS,
    valid_from: Instant | None = None,
    valid_to: Instant = FOREVER,
) -> Claim:
    """The plain claim that an item of evidence makes about a value."""
    identity = claim_id(evidence_id, slot, value, stance, valid_from, valid_to)
    return Claim(identity, evidence_id, slot, value, stance, valid_from, valid_to)


@dataclass(frozen=True, slots=True)
class Testimony:
    """A claim together with who made it and when: all that deciding about it needs.

    `operation` is the number of the operation that recorded it. `withdrawals` are those of the claim and
    of its evidence, in the order of their operations, lifted ones too; `access` is that of its evidence.
    """

    claim: Claim
    source: Source
    groups: tuple[str, ...]
    observed_at: Instant
    effective_at: Instant
    recorded_at: Instant
    is_pinned: bool
    operation: int
    withdrawals: tuple[Withdrawal, ...] = ()
    access: Access = PUBLIC

    @property
    def retracted_at(self) -> Instant | None:
        """When it was withdrawn; None while it stands."""
        withdrawal = in_force(self.withdrawals)
        return None if withdrawal is None else withdrawal.at

    @property
    def retraction(self) -> int | None:
        """The number of the operation that withdrew it; None while it stands."""
        withdrawal = in_force(self.withdrawals)
        return None if withdrawal is None else withdrawal.operation

    def as_of(self, operation: int) -> Testimony:
        """The testimony as it was on record after the operation of a number, which must not precede it."""
        if all(max(one.operation, one.lifted_in or 0) <= operation for one in self.withdrawals):
            return self
        return replace(
            self,
            withdrawals=tuple(one.as_of(operation) for one in self.withdrawals if one.operation <= operation),
        )

    def is_visible(self, known: Instant) -> bool:
        """Whether a memory that knew only what was recorded up to `known` would count it."""
        return self.recorded_at <= known and not any(one.covers(known) for one in self.withdrawals)
