"""Pools: contests with all their testimony and all they rest on, and the terms they are settled by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from knowwhy.core.model import Attribute, Schema, Slot, Testimony
from knowwhy.core.revision.contests import ContestKey
from knowwhy.core.revision.policy import AUTHORITY_THEN_RECENCY, Policy
from knowwhy.core.timeline import Instant


@dataclass(frozen=True, slots=True)
class Terms:
    """By what contests are settled: the schema in force, and the policy where an attribute names none."""

    schema: Schema = field(default_factory=Schema)
    policy: Policy = AUTHORITY_THEN_RECENCY


@dataclass(frozen=True, slots=True)
class Pool:
    """Contests with all their testimony, among them all that any of them rests on."""

    testimonies: Mapping[ContestKey, tuple[Testimony, ...]]
    terms: Terms

    def attribute(self, key: ContestKey) -> Attribute:
        """What a contest is about; its testimony must not be empty."""
        return self.terms.schema.attribute(self.slot(key).attribute)

    def slot(self, key: ContestKey) -> Slot:
        """The slot of a contest."""
        return self.testimonies[key][0].claim.slot

    def as_of(self, operation: int) -> Pool:
        """What had been recorded, and withdrawn, by the operation of a number."""
        return replace(
            self,
            testimonies={
                key: tuple(one.as_of(operation) for one in those if one.operation <= operation)
                for key, those in self.testimonies.items()
            },
        )

    def said_by(self, at: Instant) -> Pool:
        """What had been said by an instant; what follows from something is as old as that."""
        return replace(
            self,
            testimonies={
                key: tuple(one for one in those if one.claim.derivation is not None or one.effective_at <= at)
                for key, those in self.testimonies.items()
            },
        )
