"""Decisions: whether one may act on what is held, and if not, what is missing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from knowwhy.core.model import HIGH_STAKES, SOURCE_TYPES, Rule, Status
from knowwhy.core.timeline import FOREVER, shown
from knowwhy.recall.finding import Finding


class Verdict(StrEnum):
    """What an agent should do about a belief it would act on."""

    ACT = "act"
    ASK_HUMAN = "ask_human"
    NEED_EVIDENCE = "need_evidence"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether to act, why, and which evidence would help most: on which slot, from what kind of source.

    `confidence_then` is the confidence that such a statement would lead to, where that can be said.
    """

    verdict: Verdict
    reason: str
    subject: str | None = None
    attribute: str | None = None
    would_help: str | None = None
    confidence_then: float | None = None

    @property
    def may_act(self) -> bool:
        """Whether what is held may be acted on as it is."""
        return self.verdict is Verdict.ACT

    def as_dict(self) -> dict[str, Any]:
        """The decision for a program."""
        then = self.confidence_then
        return {
            "verdict": self.verdict,
            "reason": self.reason,
            "subject": self.subject,
            "attribute": self.attribute,
            "would_help": self.would_help,
            "confidence_then": None if then is None else round(then, 6),
        }

    def __str__(self) -> str:
        return f"{self.verdict}: {self.reason}" + (f"; {self.would_help}" if self.would_help else "")


_GONE: Final = (Status.SUPERSEDED, Status.REJECTED, Status.RETRACTED, Status.CHALLENGER)
_OFFICIAL: Final = SOURCE_TYPES["official"]


def decided(finding: Finding) -> Decision:
    """What to do about one belief, by its status, its confidence and what its attribute demands."""
    status = finding.status
    if status in _GONE and not finding.is_denial:
        return _decision(finding, Verdict.BLOCKED, f"it is {status}")
    if status is Status.PLANNED:
        begins = finding.belief.since
        when = f" before {shown(begins)}" if begins < FOREVER else " yet"
        return _decision(finding, Verdict.BLOCKED, f"it does not hold{when}")
    if status is Status.CONTESTED:
        return _contested(finding)
    if status is Status.DOUBTFUL:
        doubts = "; ".join(map(str, finding.belief.doubts))
        return _wanting(finding, doubts, f"ask {_last_speaker(finding)} whether it still holds")
    if status is Status.STALE:
        reason = f"its evidence has aged since {shown(finding.belief.observed_at)}"
        return _wanting(finding, reason, f"ask {_last_speaker(finding)} whether it still holds")
    if status is Status.ARCHIVED:
        return _wanting(
            finding, "it was put away as long unused", f"ask {_last_speaker(finding)} whether it still holds"
        )
    if status is Status.HYPOTHESIS:
        return _wanting(finding, "nobody asserts it", "find a source that does")
    return _held(finding)


def unknown(subject: str | None, attribute: str | None) -> Decision:
    """What to do where nothing is held."""
    return Decision(
        Verdict.NEED_EVIDENCE, "nothing is known", subject, attribute, "observe a source that says it"
    )


def ambiguous(name: str) -> Decision:
    """What to do where a name stands for several entities."""
    return Decision(Verdict.ASK_HUMAN, f"“{name}” stands for several", name, None, "say which is meant")


_CAUTION: Final = (Verdict.ACT, Verdict.NEED_EVIDENCE, Verdict.ASK_HUMAN, Verdict.BLOCKED)


def most_cautious(decisions: list[Decision]) -> Decision:
    """Of several decisions the one that allows least; there must be one."""
    return max(decisions, key=lambda one: _CAUTION.index(one.verdict))


def _held(finding: Finding) -> Decision:
    needed, confidence = finding.attribute.acts_above, finding.confidence
    domain = finding.attribute.domain
    where = f" in {domain} matters" if domain in HIGH_STAKES else ""
    if confidence < needed:
        reason = f"its confidence {confidence:.2f} is below the {needed:.2f} needed{where}"
        return _wanting(finding, reason, "one more independent source would help most")
    if finding.rivals and domain in HIGH_STAKES:
        rivals = ", ".join(f"“{rival.value}”" for rival in finding.rivals)
        return _decision(finding, Verdict.ASK_HUMAN, f"a newer word says {rivals}{where}")
    return _decision(finding, Verdict.ACT, f"confidence {confidence:.2f}, {needed:.2f} needed{where}")


def _contested(finding: Finding) -> Decision:
    if finding.belief.because.rule is Rule.TIE and finding.belief.derivations:
        reason = "what is known leads to several values"
    else:
        reason = "sources of equal standing disagree"
    needs = f"let a person decide, or find a source with authority above {finding.belief.authority}"
    return _decision(finding, Verdict.ASK_HUMAN, reason, needs)


def _wanting(finding: Finding, reason: str, would_help: str) -> Decision:
    """A decision that waits for evidence, with what an official confirmation would lead to."""
    tally = finding.belief.tally
    then = None if finding.is_denial else tally.with_voice(_OFFICIAL.reliability).confidence(finding.at)
    return _decision(finding, Verdict.NEED_EVIDENCE, reason, would_help, then)


def _decision(
    finding: Finding, verdict: Verdict, reason: str, needs: str | None = None, then: float | None = None
) -> Decision:
    return Decision(verdict, reason, finding.subject.name, finding.attribute.name, needs, then)


def _last_speaker(finding: Finding) -> str:
    latest = max(finding.support, key=lambda one: one.testimony.effective_at, default=None)
    if latest is None:
        return "a source"
    source = latest.testimony.source
    return f"{source.name} ({source.type})"
