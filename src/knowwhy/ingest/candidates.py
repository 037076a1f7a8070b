"""Candidates: what one sentence seems to claim, before it is checked and handed on as a draft."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Final, TypeAlias

from knowwhy.core.model import Attribute, Draft, Modality, RawValue, Stance
from knowwhy.providers.extraction import Aim, Mention, Missing, Reason


@dataclass(frozen=True, slots=True)
class Bounds:
    """From when and until when something holds, as far as the words say so.

    `is_bounded` says that they name a stretch of time that is over or to come, not the present.
    """

    valid_from: date | datetime | None = None
    valid_to: date | datetime | None = None
    is_bounded: bool = False

    def within(self, other: Bounds) -> Bounds:
        """These bounds, and those of `other` where these have none."""
        return Bounds(
            other.valid_from if self.valid_from is None else self.valid_from,
            other.valid_to if self.valid_to is None else self.valid_to,
            self.is_bounded or other.is_bounded,
        )


UNBOUNDED: Final = Bounds()


@dataclass(frozen=True, slots=True)
class Written:
    """A value as read from words, and from where to where they go."""

    value: RawValue
    unit: str | None
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """One statement about one attribute. Without a value it means whatever stands; `but` is not meant then.

    `start` and `end` are the place of its words in the sentence. What `is_intended` says nothing
    unless the words around it tell a plan or a wish.
    """

    subject: str
    attribute: Attribute
    value: RawValue | None
    start: int
    end: int
    unit: str | None = None
    stance: Stance = Stance.SUPPORTS
    modality: Modality = Modality.ASSERTED
    bounds: Bounds = UNBOUNDED
    but: RawValue | None = None
    is_intended: bool = False

    @property
    def mention(self) -> Mention | None:
        """What it speaks of, for what is said after it."""
        if self.value is None or self.stance is not Stance.SUPPORTS:
            return None
        return Mention(self.subject, self.attribute.name, self.value, self.unit)

    def meant(self, modality: Modality) -> Candidate:
        """The same statement, meant otherwise."""
        return replace(self, modality=modality)

    def drafted(self, quote: str) -> Draft | Aim:
        """The draft that it makes with the words of its `quote`, or its aim at what stands.

        When something ended is said by the end of its validity.
        """
        ended = self.bounds.valid_from if self.stance is Stance.ENDS else None
        if self.value is None:
            return Aim(self.subject, self.attribute.name, self.stance, quote, ended, self.but)
        is_ending = self.stance is Stance.ENDS
        return Draft(
            self.subject,
            self.attribute.name,
            self.value,
            stance=self.stance,
            unit=self.unit,
            valid_from=None if is_ending else self.bounds.valid_from,
            valid_to=ended if is_ending else self.bounds.valid_to,
            modality=self.modality,
            quote=quote,
        )


@dataclass(frozen=True, slots=True)
class Gap:
    """A statement that is incomplete: what is missing, and the place of its words."""

    missing: Missing
    start: int
    end: int
    says: str


@dataclass(frozen=True, slots=True)
class Misfit:
    """A statement whose value cannot be one of its attribute."""

    reason: Reason
    start: int
    end: int
    says: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """An attribute that is spoken of and not declared."""

    name: str


Found: TypeAlias = Candidate | Gap | Misfit | Proposal
