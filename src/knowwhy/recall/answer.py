"""Answers and recollections: what the reading verbs give back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from knowwhy.core.model import Entity, Evidence, Status, one_line
from knowwhy.core.timeline import Instant, isoformat, shown
from knowwhy.recall.decision import Decision, Verdict, ambiguous, decided, most_cautious, unknown
from knowwhy.recall.finding import Finding
from knowwhy.recall.leads import Lead
from knowwhy.recall.outdated import GoneValue
from knowwhy.recall.packing import Budget
from knowwhy.recall.phrases import Language, Phrases, language_of, phrases_of
from knowwhy.recall.rendering import (
    ENGLISH,
    escaped,
    markdown_line,
    markdown_passage,
    mention,
    passage_line,
    passage_sentence,
    prompt_line,
    quoted,
    sentence,
)
from knowwhy.recall.timing import Relation, Timing


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
    def version(self) -> int:
        """What to pass as `expected_version` to change the one attribute asked for; 0 where empty."""
        return max((one.version for one in (*self.findings, *self.others)), default=0)

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
        parts = [prompt_line(finding, _instead(finding)) for finding in self.findings]
        return Budget(max_tokens).packed(ENGLISH.head, parts)

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
    """Words of a source from which no belief was read, that match a question.

    `outdated` are the values in it that no longer stand; `leads` say by which channels it was found.
    """

    evidence: Evidence
    score: float
    leads: tuple[Lead, ...] = ()
    outdated: tuple[GoneValue, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader must know before relying on it."""
        return tuple(map(str, self.outdated))

    def as_dict(self) -> dict[str, Any]:
        """The passage for a program."""
        return {
            "evidence": self.evidence.id,
            "text": self.evidence.text,
            "source": self.evidence.source.name,
            "source_type": self.evidence.source.type,
            "observed_at": isoformat(self.evidence.observed_at),
            "score": round(self.score, 6),
            "leads": [lead.as_dict() for lead in self.leads],
            "warnings": list(self.warnings),
        }


@dataclass(frozen=True, slots=True)
class Recollection:
    """What a question brought to mind: beliefs with their grounds, best first, then raw passages.

    `withheld` matched too, but is no ground to act on: stale, planned or merely supposed.
    `ambiguous` names the words of the question that stand for several entities. `timing` says how its time
    words were taken, and which could not be. `left_out` counts what did not fit into the `budget`.
    `unsearched` says why it was not searched by meaning, where an embedder should have been asked, and
    `unranked` why it was not ordered anew, where a reranker should have.
    """

    question: str
    at: Instant
    beliefs: tuple[Finding, ...] = ()
    passages: tuple[Passage, ...] = ()
    withheld: tuple[Finding, ...] = ()
    ambiguous: Mapping[str, tuple[Entity, ...]] = field(default_factory=dict)
    timing: Timing = field(default_factory=Timing)
    budget: Budget = field(default_factory=Budget)
    left_out: int = 0
    unsearched: str | None = None
    unranked: str | None = None

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
            "timing": self.timing.as_dict(),
            "left_out": self.left_out,
            "unsearched": self.unsearched,
            "unranked": self.unranked,
        }

    @property
    def language(self) -> Language:
        """The language that it is rendered in: that of the question."""
        return language_of(self.question)

    def to_prompt(self, max_tokens: int | None = None) -> str:
        """A fragment for a prompt: whole items, best first, within a budget of tokens, its own where None."""
        phrases = phrases_of(self.language)
        notes = [f"- {note}" for note in self._notes(quoted)]
        return self._within(max_tokens).packed(phrases.head, [*notes, *self._prompt_parts()])

    def to_markdown(self, max_tokens: int | None = None) -> str:
        """The same as a Markdown list, where stored text cannot become markup."""
        phrases = phrases_of(self.language)
        parts = [f"- *{note}*" for note in self._notes(escaped)]
        parts += [markdown_line(one, _instead(one), phrases) for one in self.beliefs]
        parts += [markdown_passage(one.evidence, one.outdated, phrases) for one in self.passages]
        return self._within(max_tokens).packed("", parts)

    def to_text(self, max_tokens: int | None = None) -> str:
        """The same in sentences for a person."""
        phrases = phrases_of(self.language)
        parts = list(self._notes(_in_quotes))
        parts += [_in_words(one, phrases) for one in self.beliefs]
        parts += [passage_sentence(one.evidence, one.outdated, phrases) for one in self.passages]
        if not self.beliefs and not self.passages and not self.ambiguous:
            parts.append(phrases.nothing)
        parts += [f"{phrases.left_out}{sentence(finding, phrases)}" for finding in self.withheld]
        return self._within(max_tokens).packed("", parts)

    def within(self, budget: Budget) -> Recollection:
        """As much of it as fits into a budget as a prompt, in whole items."""
        parts = self._prompt_parts()
        notes = [f"- {note}" for note in self._notes(quoted)]
        head = "\n".join([phrases_of(self.language).head, *notes])
        chosen = set(budget.fitting(head, parts))
        return replace(
            self,
            beliefs=tuple(one for at, one in enumerate(self.beliefs) if at in chosen),
            passages=tuple(one for at, one in enumerate(self.passages, len(self.beliefs)) if at in chosen),
            budget=budget,
            left_out=len(parts) - len(chosen),
        )

    def _prompt_parts(self) -> list[str]:
        phrases = phrases_of(self.language)
        parts = [prompt_line(one, _instead(one), phrases) for one in self.beliefs]
        return parts + [passage_line(one.evidence, one.outdated, phrases) for one in self.passages]

    def _within(self, max_tokens: int | None) -> Budget:
        return self.budget if max_tokens is None else replace(self.budget, tokens=max_tokens)

    def _notes(self, marked: Callable[[str], str]) -> Iterator[str]:
        """What must be known of the question: names that are not clear, and how times were read."""
        phrases = phrases_of(self.language)
        for name, entities in self.ambiguous.items():
            those = ", ".join(marked(one.name) for one in entities)
            yield phrases.which.format(name=marked(name), entities=those)
        for one in self.timing.read:
            written = {
                Relation.IN: phrases.time_read,
                Relation.BEFORE: phrases.time_before,
                Relation.AFTER: phrases.time_after,
            }[one.relation]
            yield written.format(words=marked(one.words), start=shown(one.start), end=shown(one.end))
        for words in self.timing.unread:
            yield phrases.time_unread.format(words=marked(words))
        yield from (marked(one) for one in (self.unsearched, self.unranked) if one is not None)

    def __str__(self) -> str:
        return self.to_text()


def _as_dict(finding: Finding) -> dict[str, Any]:
    """A finding that answers, with what to do about it."""
    return finding.as_dict() | {"decision": decided(finding).as_dict()}


def _instead(finding: Finding) -> Verdict | None:
    """What to do instead of acting on a finding, where one may not act on it."""
    decision = decided(finding)
    return None if decision.may_act else decision.verdict


def _in_quotes(text: str) -> str:
    return f"“{one_line(text)}”"


def _in_words(finding: Finding, phrases: Phrases = ENGLISH) -> str:
    decision = decided(finding)
    if decision.may_act:
        return sentence(finding, phrases)
    if phrases is not ENGLISH:
        return f"{sentence(finding, phrases)}\n  {phrases.do_not_act}: {phrases.verdicts[decision.verdict]}"
    # A warning has said already what is wrong.
    needs = decision.would_help if finding.warnings and decision.would_help else None
    words = f"{decision.verdict}: {needs}" if needs else str(decision)
    return f"{sentence(finding)}\n  {one_line(words)}"
