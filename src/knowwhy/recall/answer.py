"""Answers and recollections: what the reading verbs give back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from knowwhy.core.model import Entity, Evidence, Status, one_line
from knowwhy.core.timeline import Instant, isoformat
from knowwhy.recall.decision import Decision, ambiguous, decided, most_cautious, unknown
from knowwhy.recall.finding import Finding
from knowwhy.recall.rendering import mention, packed, passage_line, prompt_line, sentence


@dataclass(frozen=True, slots=True)
class Answer:
    """What is held about a subject, or about one attribute of it.

    `findings` are what stands (accepted, contested, stale, or denied where nothing else stands),
    strongest first; `others` all else (superseded, rejected, planned …). `candidates` is not empty where the
    subject's name stands for several entities, and then nothing is answered.
    """

    subject: str
    attribute: str | None
    at: Instant
    findings: tuple[Finding, ...] = ()
    others: tuple[Finding, ...] = ()
    candidates: tuple[Entity, ...] = ()

    @property
    def best(self) -> Finding | None:
        """The strongest belief that stands."""
        return self.findings[0] if self.findings else None

    @property
    def is_unknown(self) -> bool:
        """Whether nothing stands."""
        return not self.findings

    @property
    def is_contested(self) -> bool:
        """Whether what stands is in dispute."""
        return any(finding.status is Status.CONTESTED for finding in self.findings)

    @property
    def value(self) -> str | None:
        """The strongest value as text, or None where nothing stands."""
        return str(self.best.value) if self.best and not self.best.is_denial else None

    @property
    def confidence(self) -> float:
        """The confidence of the strongest value, 0 where nothing stands."""
        return self.best.confidence if self.best else 0.0

    @property
    def raw_confidence(self) -> float:
        """The same before any calibration."""
        return self.best.raw_confidence if self.best else 0.0

    @property
    def decision(self) -> Decision:
        """Whether one may act on it: on the strongest belief, or on all where no attribute was named."""
        if self.candidates:
            return ambiguous(self.subject)
        if not self.findings:
            return unknown(self.subject, self.attribute)
        if self.attribute is not None:
            return decided(self.findings[0])
        return most_cautious([decided(finding) for finding in self.findings])

    def as_dict(self) -> dict[str, Any]:
        """The answer for a program."""
        return {
            "subject": self.subject,
            "attribute": self.attribute,
            "at": isoformat(self.at),
            "unknown": self.is_unknown,
            "decision": self.decision.as_dict(),
            "beliefs": [_as_dict(finding) for finding in self.findings],
            "others": [finding.as_dict() for finding in self.others],
            "candidates": [{"id": one.id, "name": one.name} for one in self.candidates],
        }

    def to_prompt(self, max_tokens: int | None = None) -> str:
        """The answer as a prompt fragment within a token budget; empty where nothing stands or fits."""
        return packed((_for_prompt(finding) for finding in self.findings), max_tokens)

    def __str__(self) -> str:
        topic = f"{self.subject} / {self.attribute}" if self.attribute else self.subject
        if self.candidates:
            names = ", ".join(f"{one.name} ({one.id})" for one in self.candidates)
            return f"“{self.subject}” may mean {names}. Which?"
        if self.is_unknown:
            past = [f"  {mention(finding)}" for finding in self.others]
            return "\n".join([f"{topic}: nothing is known.", *past])
        return "\n".join(map(_in_words, self.findings))


@dataclass(frozen=True, slots=True)
class Passage:
    """Words of a source from which no belief was read, that match a question."""

    evidence: Evidence
    score: float

    def as_dict(self) -> dict[str, Any]:
        """The passage for a program."""
        return {
            "evidence": self.evidence.id,
            "text": self.evidence.text,
            "source": self.evidence.source.name,
            "source_type": self.evidence.source.type,
            "observed_at": isoformat(self.evidence.observed_at),
            "score": round(self.score, 6),
        }


@dataclass(frozen=True, slots=True)
class Recollection:
    """What a question brought to mind: beliefs with their grounds, best first, then raw passages.

    `withheld` matched too, but is no ground to act on: stale, planned or merely supposed.
    `ambiguous` names the words of the question that stand for several entities.
    """

    question: str
    at: Instant
    beliefs: tuple[Finding, ...] = ()
    passages: tuple[Passage, ...] = ()
    withheld: tuple[Finding, ...] = ()
    ambiguous: Mapping[str, tuple[Entity, ...]] = field(default_factory=dict)

    @property
    def is_unknown(self) -> bool:
        """Whether no belief that stands was found."""
        return not self.beliefs

    @property
    def best(self) -> Finding | None:
        """The belief that answers best."""
        return self.beliefs[0] if self.beliefs else None

    @property
    def decision(self) -> Decision:
        """Whether one may act on the belief that answers best."""
        if self.beliefs:
            return decided(self.beliefs[0])
        if self.ambiguous:
            return ambiguous(next(iter(self.ambiguous)))
        return decided(self.withheld[0]) if self.withheld else unknown(None, None)

    def as_dict(self) -> dict[str, Any]:
        """The recollection for a program."""
        return {
            "question": self.question,
            "at": isoformat(self.at),
            "unknown": self.is_unknown,
            "decision": self.decision.as_dict(),
            "beliefs": [_as_dict(finding) for finding in self.beliefs],
            "passages": [passage.as_dict() for passage in self.passages],
            "withheld": [finding.as_dict() for finding in self.withheld],
            "ambiguous": {
                name: [{"id": one.id, "name": one.name} for one in entities]
                for name, entities in self.ambiguous.items()
            },
        }

    def to_prompt(self, max_tokens: int | None = None) -> str:
        """The recollection as a prompt fragment: whole items, best first, within a token budget."""
        parts = [_for_prompt(finding) for finding in self.beliefs]
        parts += [
            passage_line(one.evidence.source.name, isoformat(one.evidence.observed_at), one.evidence.text)
            for one in self.passages
        ]
        return packed(parts, max_tokens)

    def __str__(self) -> str:
        lines = [
            f"“{name}” may mean {', '.join(one.name for one in entities)}. Which?"
            for name, entities in self.ambiguous.items()
        ]
        lines += map(_in_words, self.beliefs)
        lines += [
            one_line(f"{one.evidence.source.name} said: “{one.evidence.text}”") for one in self.passages
        ]
        lines = lines or ["Nothing is known about this."]
        lines += [f"left out: {sentence(finding)}" for finding in self.withheld]
        return "\n".join(lines)


def _as_dict(finding: Finding) -> dict[str, Any]:
    """A finding that answers, with what to do about it."""
    return finding.as_dict() | {"decision": decided(finding).as_dict()}


def _for_prompt(finding: Finding) -> str:
    decision = decided(finding)
    return prompt_line(finding, None if decision.may_act else decision.verdict)


def _in_words(finding: Finding) -> str:
    decision = decided(finding)
    if decision.may_act:
        return sentence(finding)
    # A warning has said already what is wrong.
    needs = decision.would_help if finding.warnings and decision.would_help else None
    words = f"{decision.verdict}: {needs}" if needs else str(decision)
    return f"{sentence(finding)}\n  {one_line(words)}"
