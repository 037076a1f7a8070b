"""Findings: beliefs as a reader gets them, with their confidence, grounds and warnings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from knowwhy.core.model import Attribute, Belief, Entity, Rule, Stance, Status, Value
from knowwhy.core.revision import Ground
from knowwhy.core.timeline import BEGINNING, FOREVER, Instant, isoformat, shown
from knowwhy.recall.leads import Lead


@dataclass(frozen=True, slots=True)
class Finding:
    """One belief, read at one instant.

    `rivals` are the other values of its slot that are not put to rest: those it is contested by, and
    newer words of weaker sources. `score` says how well it answers a question, from 0 to 1, and `leads` what
    each channel of recall said for it. `calibrated` is the confidence in the value as a map fitted to labels
    has it; None where no map is in force.
    """

    belief: Belief
    attribute: Attribute
    at: Instant
    grounds: tuple[Ground, ...] = ()
    rivals: tuple[Belief, ...] = ()
    score: float = 1.0
    calibrated: float | None = None
    leads: tuple[Lead, ...] = ()

    @property
    def id(self) -> str:
        """The id of the belief."""
        return self.belief.id

    @property
    def subject(self) -> Entity:
        """What it is about."""
        return self.belief.slot.subject

    @property
    def value(self) -> Value:
        """What it says."""
        return self.belief.value

    @property
    def conditions(self) -> Mapping[str, str]:
        """Under which conditions it holds."""
        return dict(self.belief.slot.conditions)

    @property
    def status(self) -> Status:
        """How it stands when read; an accepted belief whose evidence has aged too far is stale."""
        return self.belief.status_at(self.at)

    @property
    def is_denial(self) -> bool:
        """Whether what is believed is that the value does not hold."""
        return self.belief.because.rule is Rule.REFUTED

    @property
    def confidence(self) -> float:
        """The probability, when read, of what is believed: of a denial, that the value is wrong.

        Calibrated where a map is in force.
        """
        held = self.belief.confidence(self.at) if self.calibrated is None else self.calibrated
        return 1.0 - held if self.is_denial else held

    @property
    def raw_confidence(self) -> float:
        """The same before any calibration, as the evidence alone projects it: what order and status go by."""
        held = self.belief.confidence(self.at)
        return 1.0 - held if self.is_denial else held

    @property
    def version(self) -> int:
        """What to pass as `expected_version` when changing it."""
        return self.belief.version

    @property
    def support(self) -> tuple[Ground, ...]:
        """The statements that speak for what is believed and still stand, the most entrenched first."""
        return tuple(
            ground for ground in self.grounds if ground.is_heard and ground.is_support is not self.is_denial
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader must know before relying on it."""
        found = []
        rivals = ", ".join(f"“{rival.value}”" for rival in self.rivals)
        if self.status is Status.CONTESTED:
            opponent = f"{rivals} stands against it" if rivals else "it is also denied"
            found.append(f"contested: {opponent}")
        elif rivals:
            is_derived = all(rival.because.rule is Rule.OBSERVED for rival in self.rivals)
            who = "what is known besides" if is_derived else "a newer word of a weaker source"
            found.append(f"{who} says {rivals}")
        if self.status is Status.STALE:
            found.append(f"not confirmed since {shown(self.belief.observed_at)}; its evidence has aged")
        found += map(str, self.belief.doubts)
        if self.status is Status.ARCHIVED:
            found.append(f"put away: not spoken of since {shown(self.belief.observed_at)}")
        if self.status is Status.HYPOTHESIS:
            found.append("only supposed, asked or quoted; nobody asserts it")
        return tuple(found)

    def as_dict(self) -> dict[str, Any]:
        """The finding for a program."""
        belief = self.belief
        return {
            "id": belief.id,
            "subject": self.subject.name,
            "subject_id": self.subject.id,
            "attribute": self.attribute.name,
            "value": belief.value.text,
            "unit": belief.value.unit,
            "type": belief.value.type,
            "conditions": self.conditions,
            "stance": Stance.REFUTES if self.is_denial else Stance.SUPPORTS,
            "status": self.status,
            "confidence": round(self.confidence, 6),
            "raw_confidence": round(self.raw_confidence, 6),
            "since": isoformat(belief.since),
            "until": isoformat(belief.until),
            "observed_at": isoformat(belief.observed_at),
            "version": belief.version,
            "sources": belief.sources,
            "score": round(self.score, 6),
            "warnings": list(self.warnings),
            "rivals": [str(rival.value) for rival in self.rivals],
            "leads": [lead.as_dict() for lead in self.leads],
            "grounds": [ground_as_dict(ground) for ground in self.grounds],
        }


def ground_as_dict(ground: Ground) -> dict[str, Any]:
    """A ground for a program."""
    testimony = ground.testimony
    return {
        "evidence": testimony.claim.evidence_id,
        "claim": testimony.claim.id,
        "source": testimony.source.name,
        "source_type": testimony.source.type,
        "stance": testimony.claim.stance,
        "observed_at": isoformat(testimony.observed_at),
        "quote": testimony.claim.quote,
        "count": round(ground.count, 6),
        "decay": round(ground.decay, 6),
        "discount": round(ground.discount, 6),
        "heard": ground.is_heard,
        "counted": ground.is_counted,
        "mass": round(ground.mass, 6),
    }


def span_of(belief: Belief) -> str:
    """The time for which a belief is held, in words; empty where it has no bounds."""
    if belief.since > BEGINNING and belief.until < FOREVER:
        return f"{shown(belief.since)} to {shown(belief.until)}"
    if belief.since > BEGINNING:
        return f"since {shown(belief.since)}"
    return f"until {shown(belief.until)}" if belief.until < FOREVER else ""
