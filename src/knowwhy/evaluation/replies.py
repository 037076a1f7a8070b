"""Replies: what the product gave at one step, told in the words of the corpus."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from knowwhy.core.model import Status, attribute_key, name_key, undeclared
from knowwhy.core.timeline import Instant, instant, isoformat
from knowwhy.engine.conflicts import OpenConflict
from knowwhy.engine.dream_report import DreamReport
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.summary import Summary
from knowwhy.errors import KnowwhyError, Malformed
from knowwhy.evaluation.written import Written, taken
from knowwhy.explain.history import History
from knowwhy.recall.answer import Answer, Recollection
from knowwhy.recall.finding import Finding

# What a status word of the corpus means here. Without a word of its own: refuted or withdrawn values.
STATUSES: Final[Mapping[str, frozenset[Status]]] = {
    "current": frozenset({Status.ACCEPTED}),
    "past": frozenset({Status.SUPERSEDED}),
    "planned": frozenset({Status.PLANNED}),
    "disputed": frozenset({Status.CONTESTED, Status.CHALLENGER}),
    "suggested": frozenset({Status.HYPOTHESIS}),
    "hypothesis": frozenset({Status.HYPOTHESIS}),
}

_FALLEN: Final = frozenset({Status.SUPERSEDED, Status.REJECTED, Status.RETRACTED})
_HELD: Final = frozenset({Status.ACCEPTED, Status.CONTESTED, Status.SUPERSEDED})
_PATTERN: Final = {"subject", "attribute", "value"}
_FURTHER: Final = {"unit", "status", "polarity", "scope", "valid_from", "freshness"}

# What an erasure counts under the words of the corpus.
ERASED: Final[Mapping[str, str]] = {"claims": "claims", "evidence": "evidence", "entities": "entities"}

# What a check compares is of any kind; the word says of which.
Fact: TypeAlias = Any

_HAN: Final = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Reply:
    """What one step gave.

    `answers` are the beliefs that came back as such; `asides` those that came along marked as
    something else: past, planned, supposed, aged, fallen. `facts` hold what a check can ask about,
    by its word. `refusal` is the code of the error, if it was refused. `other` is what the same
    query gave when it was asked in words too.
    """

    facts: Mapping[str, Fact] = field(default_factory=dict)
    answers: tuple[Finding, ...] = ()
    asides: tuple[Finding, ...] = ()
    refusal: str | None = None
    message: str = ""
    other: Reply | None = None

    def fact(self, name: str) -> Fact:
        """The fact of this name.

        Raises:
            Malformed: such a step knows nothing of the kind.
        """
        if name not in self.facts:
            known = ", ".join(sorted(self.facts)) or "nothing"
            raise Malformed(f"the check {name!r} does not fit its step, which can tell: {known}")
        return self.facts[name]

    def __str__(self) -> str:
        if self.refusal:
            return f"refused: {self.refusal} ({self.message})"
        lines = [f"  {told(one)}" for one in self.answers]
        lines += [f"  aside: {told(one)}" for one in self.asides]
        return "\n".join(lines) or "  nothing"


def told(one: Finding) -> str:
    """A finding in one line."""
    stance = "not " if one.is_denial else ""
    conditions = f" {dict(one.conditions)}" if one.conditions else ""
    claim = f"{one.subject.name} / {one.attribute.name}{conditions} = {stance}{one.value}"
    return f"{claim} [{one.status}, {one.confidence:.3f}, since {isoformat(one.belief.since)}]"


def matching(pattern: Written, findings: Iterable[Finding]) -> list[Finding]:
    """The findings that a pattern of an expectation fits.

    Raises:
        Malformed: the pattern has unknown fields or words.
    """
    fields = taken(pattern, "a pattern", _PATTERN, _FURTHER)
    status, freshness = fields.get("status"), fields.get("freshness")
    if status is not None and status not in STATUSES:
        raise Malformed(f"{status!r} is no status; use one of {', '.join(STATUSES)}.")
    if freshness not in (None, "fresh", "stale"):
        raise Malformed(f"freshness is fresh or stale, not {freshness!r}.")
    denied = fields.get("polarity", "supports") == "refutes"
    return [
        one
        for one in findings
        if name_key(str(fields["subject"])) == name_key(one.subject.name)
        and attribute_key(str(fields["attribute"])) == attribute_key(one.attribute.name)
        and name_key(str(fields["value"])) in {name_key(one.value.text), name_key(str(one.value))}
        and one.is_denial is denied
        and (status is None or one.status in STATUSES[status])
        and (freshness is None or (freshness == "stale") is (one.status is Status.STALE))
        and ("unit" not in fields or fields["unit"] == one.value.unit)
        and ("scope" not in fields or _levelled(fields["scope"]) == dict(one.conditions))
        and ("valid_from" not in fields or one.belief.since == instant(fields["valid_from"]))
    ]


def _levelled(conditions: Mapping[str, str]) -> dict[str, str]:
    return {name_key(key): name_key(str(value)) for key, value in conditions.items()}


def required(pattern: Written, reply: Reply) -> bool:
    """Whether what must come back did: as an answer, or with its status beside the answers."""
    return bool(matching(pattern, [*reply.answers, *(reply.asides if "status" in pattern else ())]))


def forbidden(pattern: Written, reply: Reply) -> bool:
    """Whether what must not come back did; without a status, in any form but as something that fell."""
    asides = [one for one in reply.asides if "status" in pattern or one.status not in _FALLEN]
    return bool(matching(pattern, [*reply.answers, *asides]))


def refused(error: KnowwhyError, *, is_unchanged: bool) -> Reply:
    """The reply of a step that was refused, and whether the memory stayed as it was."""
    told = {"no_error": False, "unchanged": is_unchanged, "changed": 0 if is_unchanged else None}
    candidates = error.details.get("candidates")
    counted = {"candidates": len(candidates)} if isinstance(candidates, list) else {}
    return Reply({**told, **counted}, refusal=error.code, message=error.message)


def of_answer(answer: Answer) -> Reply:
    """The reply to a question about a subject, or one attribute of it."""
    return _found(
        answer.findings,
        answer.others,
        unknown=answer.is_unknown,
        candidates=len(answer.candidates),
        asks_which="Which?" in str(answer),
        version=max((one.version for one in (*answer.findings, *answer.others)), default=0),
    )


def of_recollection(recollection: Recollection, model: str | None = None) -> Reply:
    """The reply to a question in plain words, to a memory whose embedder has this model."""
    compared = {lead.by for one in recollection.beliefs for lead in one.leads if lead.channel == "vectors"}
    candidates = [one for meant in recollection.ambiguous.values() for one in meant]
    return _found(
        recollection.beliefs,
        recollection.withheld,
        unknown=recollection.is_unknown and not recollection.passages,
        candidates=len(candidates),
        asks_which=any(asking in str(recollection) for asking in ("Which?", "是哪一个？")),
        compares_only_same_model=compared <= {model},
    )


def of_window(answers: Iterable[Answer], start: Instant, end: Instant) -> Reply:
    """The reply to a question about a stretch of time: what held at some instant of it."""
    held = [
        one
        for answer in answers
        for one in (*answer.findings, *answer.others)
        if one.status in _HELD and one.belief.since < end and start < one.belief.until
    ]
    return _found(held, (), unknown=not held)


def _found(answers: Sequence[Finding], asides: Sequence[Finding], **facts: object) -> Reply:
    first = next(iter((*answers, *asides)), None)
    grounds = [ground for one in answers for ground in one.support]
    counted = [ground for ground in (first.support if first else ()) if ground.is_counted]
    warnings = [warning for one in (*answers, *asides) for warning in one.warnings]
    found = {
        "claims": len(answers),
        "returned": len(answers),
        "current_values": sum(one.status is Status.ACCEPTED for one in answers),
        "conflict": any(one.status is Status.CONTESTED or one.rivals for one in answers),
        "evidence_items": len({ground.testimony.claim.evidence_id for ground in grounds}),
        "evidence_shown_only": sorted({ground.testimony.source.name for ground in grounds}),
        "independent_sources": first.belief.sources if first else 0,
        "origin": sorted({ground.testimony.claim.evidence_id for ground in counted}),
        "confidence": first.confidence if first else 0.0,
        "order_first": first.value.text if first else None,
        "scores": [one.score for one in answers],
        "shows_observed_at": isoformat(first.belief.observed_at) if first else None,
        "marks_unverified_since": any("not confirmed since" in warning for warning in warnings),
        "quote_span": next((ground.testimony.claim.quote for ground in counted), None),
        "told": [told(one) for one in (*answers, *asides)],
    }
    return Reply({**found, **facts}, tuple(answers), tuple(asides))


def of_outcome(outcome: Outcome) -> Reply:
    """The reply to a write."""
    return Reply(
        {
            "no_error": True,
            "changed": len(outcome.changes),
            "touches_entities": len({change.subject for change in outcome.changes}),
            "warns": list(outcome.warnings),
            "evidence": list(outcome.evidence),
            "said": {**outcome.as_dict(), "is_repeat": False},
            "reveals_first": outcome.is_repeat,
        }
    )


def of_extraction(outcome: Outcome) -> Reply:
    """The reply to a write whose claims an extractor read: how many were taken, and why others were not."""
    reply = of_outcome(outcome)
    accepted = sum(len(one.read) for one in outcome.read_outs)
    reasons = [str(refusal.reason) for one in outcome.read_outs for refusal in one.refused]
    judged = {"accepted": accepted, "rejected": len(reasons), "reason": ", ".join(sorted(set(reasons)))}
    return replace(reply, facts={**reply.facts, **judged})


def of_counts(counts: Mapping[str, int]) -> Reply:
    """The reply to a question for numbers: how many beliefs and items of evidence there are."""
    words = {"claims": "beliefs", "evidence_items": "evidence", "entities": "entities"}
    return Reply({word: counts.get(name, 0) for word, name in words.items()} | {"counts": dict(counts)})


def of_dream(report: DreamReport) -> Reply:
    """The reply of tidying up: how many beliefs changed, and of which state it speaks."""
    return Reply({"changed": report.changed, "state": report.state, "rebased_or_refused": False})


def of_summary(told: Summary, at: Instant) -> Reply:
    """The reply of something told in short: the beliefs that its words carry."""
    return Reply({}, tuple(Finding(one, undeclared(one.slot.attribute), at) for one in told.beliefs))


def of_conflicts(conflicts: Sequence[OpenConflict]) -> Reply:
    """The reply to a question for open conflicts."""
    return Reply({"count": len(conflicts), "values": [list(one.values) for one in conflicts]})


def of_words(texts: Sequence[str]) -> Reply:
    """The reply to a question for a source's own words; their language is told by their script."""
    words = "\n".join(texts)
    return Reply({"text_equals": words, "lang": "zh" if _HAN.search(words) else "en"})


def of_history(history: History) -> Reply:
    """The reply to a question for what replaced what."""
    last = {turn.belief.id: turn.belief for turn in history.turns}
    replaced = {
        str(one.value): one.because.against
        for one in last.values()
        if one.status is Status.SUPERSEDED and one.because.against is not None
    }
    current = [one for one in last.values() if one.status is Status.ACCEPTED]
    one_at_a_time = all(len(period.beliefs) <= 1 for period in history.periods)
    one_after_another = all(number == 1 for number in Counter(replaced.values()).values())
    return Reply(
        {
            "chain_is_linear": one_at_a_time and one_after_another and len(current) == 1,
            "no_cycle": not any(_returns(value, replaced) for value in replaced),
            "current_values": len(current),
            "chain": replaced,
        }
    )


def _returns(value: str, replaced: Mapping[str, str | None]) -> bool:
    """Whether following what replaced a value leads in a circle."""
    seen: set[str] = set()
    at: str | None = value
    while at is not None and at not in seen:
        seen.add(at)
        at = replaced.get(at)
    return at is not None
