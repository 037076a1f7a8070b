"""Explanations: on what a belief rests, what stands against it, and what would change it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from knowwhy.core.model import HIGHEST_AUTHORITY, Attribute, Belief, Derivation, Rule, Status, one_line
from knowwhy.core.revision import Ground
from knowwhy.core.timeline import FOREVER, Instant, isoformat, shown
from knowwhy.explain.sentences import because


@dataclass(frozen=True, slots=True)
class Inference:
    """One way in which a belief follows: the derivation, and its premises and exceptions as they stand.

    `applies` says whether all premises hold and no exception does.
    """

    derivation: Derivation
    premises: tuple[Belief, ...]
    exceptions: tuple[Belief, ...]
    applies: bool

    def as_dict(self, at: Instant) -> dict[str, Any]:
        """The inference for a program."""
        return {
            "rule": self.derivation.rule or None,
            "strength": self.derivation.strength,
            "applies": self.applies,
            "premises": [_standing(one, at) for one in self.premises],
            "exceptions": [_standing(one, at) for one in self.exceptions],
        }

    def in_words(self, at: Instant) -> str:
        """The inference as a line."""
        rule = f"by the rule “{self.derivation.rule}” " if self.derivation.rule else ""
        head = (
            f"+ follows {rule}(strength {self.derivation.strength:.2f})"
            if self.applies
            else f"  would follow {rule}"
        )
        premises = " and ".join(_mention(one, at) for one in self.premises)
        unless = " or ".join(_mention(one, at) for one in self.exceptions)
        return one_line(f"{head.rstrip()} from {premises}{f', unless {unless}' if unless else ''}")


@dataclass(frozen=True, slots=True)
class Foundations:
    """The least sets of observed beliefs from which a belief follows, the surest first.

    It goes on following while any of them stands as a whole. There may be more if `is_truncated`.
    """

    sets: tuple[tuple[Belief, ...], ...]
    is_truncated: bool = False

    def as_dict(self, at: Instant) -> dict[str, Any]:
        """The foundations for a program."""
        return {
            "sets": [[_standing(one, at) for one in those] for those in self.sets],
            "truncated": self.is_truncated,
        }

    def in_words(self, at: Instant) -> list[str]:
        """A line for each set."""
        lines = [" and ".join(_mention(one, at) for one in those) for those in self.sets]
        lines += ["others"] if self.is_truncated else []
        return [
            one_line(f"{'or' if number else 'rests in the end'} on {line}")
            for number, line in enumerate(lines)
        ]


def _standing(belief: Belief, at: Instant) -> dict[str, Any]:
    return {
        "id": belief.id,
        "subject": belief.slot.subject.name,
        "attribute": belief.slot.attribute,
        "value": str(belief.value),
        "status": belief.status_at(at),
        "confidence": round(belief.confidence(at), 6),
    }


def _mention(belief: Belief, at: Instant) -> str:
    stated = f"{belief.slot.subject.name} / {belief.slot.attribute} = {belief.value}"
    return f"{stated} ({belief.status_at(at)}, {belief.confidence(at):.2f}) [{belief.id}]"


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why one belief has its status and its confidence, at one instant.

    `grounds` are the statements for and against it with what each weighs, `rivals` the other values
    of its slot with theirs, `texts` the words of the evidence by its id, `inferences` how it follows
    from others, and `foundations` on what that rests in the end. `calibrated` holds the confidence of it and
    of its rivals, by id, as a map fitted to labels
    has it; it is empty where no map is in force.
    """

    belief: Belief
    attribute: Attribute
    at: Instant
    policy: str
    grounds: tuple[Ground, ...]
    rivals: tuple[tuple[Belief, tuple[Ground, ...]], ...]
    texts: Mapping[str, str]
    inferences: tuple[Inference, ...] = ()
    foundations: Foundations | None = None
    calibrated: Mapping[str, float] = field(default_factory=dict)

    @property
    def status(self) -> Status:
        """The status when read."""
        return self.belief.status_at(self.at)

    @property
    def confidence(self) -> float:
        """The probability when read; calibrated where a map is in force."""
        return self._confidence(self.belief)

    @property
    def raw_confidence(self) -> float:
        """The projected probability when read, before any calibration: what its weights add up to."""
        return self.belief.confidence(self.at)

    @property
    def because(self) -> str:
        """The reason for the status, in words."""
        if self.status is Status.STALE:
            return f"its evidence has aged; not confirmed since {shown(self.belief.observed_at)}"
        return because(self.belief)

    @property
    def taken_by_rivals(self) -> float:
        """How much more confident it would be if no other value were spoken for."""
        return max(0.0, self.belief.tally.alone().confidence(self.at) - self.raw_confidence)

    @property
    def would_change_it(self) -> tuple[str, ...]:
        """What would make it fall, rise or come back."""
        return tuple(_prospects(self))

    def as_dict(self) -> dict[str, Any]:
        """The explanation for a program."""
        belief = self.belief
        return {
            "id": belief.id,
            "subject": belief.slot.subject.name,
            "attribute": self.attribute.name,
            "value": str(belief.value),
            "conditions": dict(belief.slot.conditions),
            "at": isoformat(self.at),
            "status": self.status,
            "because": self.because,
            "policy": self.policy,
            "confidence": round(self.confidence, 6),
            "raw_confidence": round(self.raw_confidence, 6),
            "ignorance": round(belief.tally.ignorance(self.at), 6),
            "conflict": round(belief.tally.conflict(self.at), 6),
            "taken_by_rivals": round(self.taken_by_rivals, 6),
            "half_life_days": self.attribute.half_life_days,
            "since": isoformat(belief.since),
            "until": isoformat(belief.until),
            "version": belief.version,
            "grounds": [self._ground(ground) for ground in self.grounds],
            "follows_from": [one.as_dict(self.at) for one in self.inferences],
            "foundations": None if self.foundations is None else self.foundations.as_dict(self.at),
            "doubts": [
                {
                    "subject": one.subject,
                    "attribute": one.attribute,
                    "before": one.before,
                    "after": one.after,
                    "moved_at": isoformat(one.moved_at),
                    "strength": one.strength,
                }
                for one in belief.doubts
            ],
            "rivals": [
                {
                    "id": rival.id,
                    "value": str(rival.value),
                    "status": rival.status_at(self.at),
                    "confidence": round(self._confidence(rival), 6),
                    "raw_confidence": round(rival.confidence(self.at), 6),
                    "because": because(rival),
                    "grounds": [self._ground(ground) for ground in those],
                }
                for rival, those in self.rivals
            ],
            "would_change_it": list(self.would_change_it),
        }

    @property
    def _has_steps_between(self) -> bool:
        """Whether what it follows from follows from something else in turn."""
        return any(one.because.rule is Rule.DERIVED for each in self.inferences for one in each.premises)

    def _confidence(self, belief: Belief) -> float:
        return self.calibrated.get(belief.id, belief.confidence(self.at))

    def _ground(self, ground: Ground) -> dict[str, Any]:
        testimony = ground.testimony
        return {
            "evidence": testimony.claim.evidence_id,
            "claim": testimony.claim.id,
            "stance": testimony.claim.stance,
            "source": testimony.source.name,
            "source_type": testimony.source.type,
            "authority": testimony.source.authority,
            "reliability": round(ground.reliability, 6),
            "observed_at": isoformat(testimony.observed_at),
            "text": self._words(ground),
            "count": round(ground.count, 6),
            "decay": round(ground.decay, 6),
            "discount": round(ground.discount, 6),
            "heard": ground.is_heard,
            "counted": ground.is_counted,
            "mass": round(ground.mass, 6),
            "pinned": testimony.is_pinned,
        }

    def __str__(self) -> str:
        belief = self.belief
        raw = f" (raw {self.raw_confidence:.2f})" if self.calibrated else ""
        lines = [
            one_line(f"{belief.slot.subject.name} / {self.attribute.name} = {belief.value}"),
            f"  {self.status}, confidence {self.confidence:.2f}{raw}: {self.because}",
        ]
        lines += [f"  {line}" for line in self._grounds_in_words(self.grounds)]
        lines += [f"  {one.in_words(self.at)}" for one in self.inferences]
        if self.foundations is not None and self._has_steps_between:
            lines += [f"  {line}" for line in self.foundations.in_words(self.at)]
        lines += [f"  − {doubt}" for doubt in belief.doubts]
        for rival, those in self.rivals:
            counted = tuple(ground for ground in those if ground.is_counted)
            standing = f"{rival.status_at(self.at)}, {self._confidence(rival):.2f}"
            head = (
                f"against: {rival.value} ({standing}" if counted else f"before: {rival.value} ({rival.status}"
            )
            lines.append(f"  {head}; {because(rival)})")
            lines += [f"    {line}" for line in self._grounds_in_words(counted)]
        if round(self.taken_by_rivals, 2):
            lines.append(f"  other values take {self.taken_by_rivals:.2f} of its confidence")
        lines += [f"  would change it: {prospect}" for prospect in self.would_change_it]
        return "\n".join(lines)

    def _grounds_in_words(self, grounds: tuple[Ground, ...]) -> list[str]:
        return [
            f"{'+' if ground.is_support else '−'} {_weighed(ground)}: {ground.testimony.source.type} "
            f"{one_line(ground.testimony.source.name)} on {shown(ground.testimony.observed_at)}: "
            f"“{one_line(self._words(ground), 160)}” [{ground.testimony.claim.evidence_id}]"
            for ground in grounds
        ]

    def _words(self, ground: Ground) -> str:
        """The words it rests on: the quote, or else the whole evidence."""
        claim = ground.testimony.claim
        return claim.quote or self.texts.get(claim.evidence_id, "")


def _weighed(ground: Ground) -> str:
    if not ground.is_counted:
        return "same voice, counted once" if ground.is_heard else "taken back since"
    if ground.discount == 0.0:
        return "said already by naming another value"
    parts = [f"weight {ground.mass:.2f}"]
    if ground.decay < 1.0:
        parts.append(f"{ground.decay:.0%} left after ageing")
    if ground.discount < 1.0:
        parts.append(f"{ground.discount:.0%} left after later words")
    return ", ".join(parts)


def _prospects(explanation: Explanation) -> list[str]:
    belief, status = explanation.belief, explanation.status
    counted = [ground for ground in explanation.grounds if ground.is_counted and ground.is_support]
    found = []
    if explanation.inferences and status.is_held:
        found.append("any of its premises falling, or another value being observed")
    elif status is Status.DOUBTFUL:
        found.append("a new statement of any source that it still holds")
        found += [f"{one.attribute} turning out to be {one.before} still" for one in belief.doubts]
    elif status is Status.ACCEPTED:
        found.append(f"a later word of {_of(belief.authority)} for another value")
        if len(counted) == 1:
            found.append(f"withdrawing {counted[0].testimony.claim.evidence_id}, its only ground")
        if belief.stale_from < FOREVER:
            found.append(f"time: without new evidence it is stale from {shown(belief.stale_from)}")
    elif status is Status.CONTESTED:
        found.append("one more source for either side, or a correction by a person")
    elif status is Status.CHALLENGER:
        strongest = max((rival.authority for rival, _ in explanation.rivals), default=0)
        if belief.because.rule is Rule.DENIED:
            found.append(f"{belief.because.against} no longer being held")
        found.append(f"the same word from {_of(strongest)}")
    elif status is Status.STALE:
        found.append("a new statement of any source that it still holds")
    elif status is Status.PLANNED:
        found.append(f"time: it begins {shown(belief.since)}")
    else:
        found.append("new evidence for it, later than what stands now")
    return found


def _of(authority: int) -> str:
    """Who has at least this authority, in words."""
    if authority > HIGHEST_AUTHORITY:
        return "somebody who forces it"
    return f"a source with authority {authority} or more"
