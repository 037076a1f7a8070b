"""The caller's own word: the evidence that an act such as ending or correcting leaves behind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from knowwhy.core.model import Belief, Claim, Draft, Evidence, RawValue, Slot, Status, Value, restated_slot
from knowwhy.core.timeline import Scope
from knowwhy.engine.intake import Speakers, evidence_of
from knowwhy.engine.intent import Intent, Reading
from knowwhy.engine.space import When
from knowwhy.ingest.observation import Observation
from knowwhy.ingest.resolution import Resolver, names_in
from knowwhy.recall.gate import Gate
from knowwhy.recall.identity import standing_for
from knowwhy.store.protocol import BeliefFilter

# What an ending or a correction takes aim at where the caller names no value.
STANDING = (Status.ACCEPTED, Status.DOUBTFUL, Status.CONTESTED, Status.CHALLENGER, Status.ARCHIVED)


@dataclass(frozen=True, slots=True)
class Testifier:
    """Who acts, in what words, and when. Without a source it is the author, with a correction's authority."""

    author: str | None = None
    text: str | None = None
    source: str | None = None
    source_type: str = "correction"
    observed_at: When | None = None
    context: str | None = None


@dataclass(frozen=True, slots=True)
class Topic:
    """The slot that an act is about, as its caller names it, and how such a caller's values are read."""

    subject: str
    attribute: str
    conditions: Mapping[str, str] | None = None
    unit: str | None = None

    def draft(self, value: RawValue = "") -> Draft:
        """The plain claim that the slot has this value."""
        return Draft(self.subject, self.attribute, value, unit=self.unit, conditions=self.conditions)


@dataclass(frozen=True, slots=True)
class Case:
    """What an act argues from: the slot, its beliefs as they stand, and the evidence it leaves."""

    slot: Slot
    held: Sequence[Belief]
    evidence: Evidence
    topic: Topic
    resolver: Resolver

    def value(self, raw: RawValue) -> Value:
        """The typed value that the caller means."""
        return self.resolver.value(self.topic.draft(raw), self.resolver.attribute(self.topic.attribute))


def standing_slot(reading: Reading, slot: Slot) -> Slot:
    """Where to look for what is held of a slot: where its subject was merged, that of the other."""
    subject = slot.subject.id
    return restated_slot(slot, standing_for(reading.view, reading.schema.merged, [subject]))


def testify(
    reading: Reading, who: Testifier, topic: Topic, words: str, argue: Callable[[Case], list[Claim]]
) -> Intent:
    """The intent of an act on one slot: evidence in the caller's name, and the claims that `argue` makes."""
    name = who.source or who.author or reading.space.author or "user"
    observation = Observation(
        name,
        text=who.text or words,
        source_type=who.source_type,
        observed_at=who.observed_at,
        context=who.context,
    )
    evidence = evidence_of(reading, Speakers(reading.view, [name]), observation, [])
    draft = topic.draft()
    known = reading.names(names_in([draft], reading.schema))
    resolver = Resolver(known, reading.schema, reading.space.zone, is_strict=reading.space.is_strict)
    slot = resolver.slot(draft, resolver.attribute(topic.attribute))
    gate = Gate(reading.view, reading.schema, Scope(reading.at), reading.space.policy_under(reading.schema))
    stands = standing_slot(reading, slot)
    held = gate.beliefs(BeliefFilter(subjects=[stands.subject.id], attribute=slot.attribute))
    case = Case(slot, [belief for belief in held if belief.slot.id == stands.id], evidence, topic, resolver)
    claims = argue(case)
    return Intent(
        entities=tuple(resolver.made.values()),
        sources=(evidence.source,),
        evidence=(evidence,),
        claims=tuple(claims),
        reported=(evidence.id,),
    )
