"""What is on record of an answer, and what became of it: given again as it was, and beside what is so now."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from knowwhy.core.model import Principal, one_line
from knowwhy.core.timeline import Instant, isoformat, shown
from knowwhy.recall.answer import Answer, Recollection

# What does not belong to what an answer says: how it was found, and what the log counts.
_NOT_SAID: Final = frozenset({"leads", "version"})


@dataclass(frozen=True, slots=True)
class AuditedBelief:
    """A belief as it was answered, with the evidence it rested on, by id."""

    id: str
    version: int
    status: str
    confidence: float
    evidence: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The belief for a program."""
        return {
            "id": self.id,
            "version": self.version,
            "status": self.status,
            "confidence": round(self.confidence, 6),
            "evidence": list(self.evidence),
        }

    def __str__(self) -> str:
        return f"{self.id}, {self.status}, {self.confidence:.0%}"


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """The record of one answer: what was asked, by whom and when, and on what the answer rested.

    `operation` is the last one that it takes into account, `digest` the fingerprint of what it said. `body`
    is all that is on record, for giving the answer again.
    """

    id: str
    at: Instant
    principal: Principal | None
    body: Mapping[str, Any]

    @property
    def verb(self) -> str:
        """What was called: ask or recall."""
        return str(self.body["verb"])

    @property
    def question(self) -> str:
        """What was asked."""
        if self.verb == "recall":
            return str(self.body["question"])
        subject, attribute = self.body["subject"], self.body["attribute"]
        return str(subject) if attribute is None else f"{subject} / {attribute}"

    @property
    def operation(self) -> int:
        """The last operation that the answer takes into account."""
        return int(self.body["operation"])

    @property
    def valid(self) -> Instant:
        """Of which time of the world it tells."""
        return Instant(self.body["valid"])

    @property
    def known(self) -> Instant:
        """What was known by when."""
        return Instant(self.body["known"])

    @property
    def digest(self) -> str:
        """The fingerprint of what was said."""
        return str(self.body["digest"])

    @property
    def beliefs(self) -> tuple[AuditedBelief, ...]:
        """The beliefs that answered."""
        return tuple(
            AuditedBelief(one["id"], one["version"], one["status"], one["confidence"], tuple(one["evidence"]))
            for one in self.body["beliefs"]
        )

    @property
    def passages(self) -> tuple[str, ...]:
        """The evidence that was shown as it is, by id."""
        return tuple(one["evidence"] for one in self.body.get("passages", ()))

    def as_dict(self) -> dict[str, Any]:
        """The record for a program."""
        by = self.principal
        return {
            "id": self.id,
            "at": isoformat(self.at),
            "verb": self.verb,
            "question": self.question,
            "principal": None if by is None else by.name,
            "valid": isoformat(self.valid),
            "known": isoformat(self.known),
            "operation": self.operation,
            "policy": self.body["policy"],
            "decision": self.body["decision"],
            "beliefs": [one.as_dict() for one in self.beliefs],
            "passages": list(self.passages),
            "digest": self.digest,
        }

    def __str__(self) -> str:
        whom = f" for {self.principal.name}" if self.principal else ""
        number = len(self.beliefs)
        told = "1 belief" if number == 1 else f"{number} beliefs"
        return one_line(
            f"{self.id} {shown(self.at)}{whom}: {self.verb} “{self.question}” → {told},"
            f" {self.body['decision']}"
        )


@dataclass(frozen=True, slots=True)
class Difference:
    """How a belief of an answer would come out now: as it was told (None: not at all), as it is, and why."""

    belief: str
    what: str
    was: str | None
    now: str | None
    reasons: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The difference for a program."""
        return {
            "belief": self.belief,
            "what": self.what,
            "was": self.was,
            "now": self.now,
            "reasons": list(self.reasons),
        }

    def __str__(self) -> str:
        was, now = self.was or "not told", self.now or "not told"
        return one_line(f"{self.what}: then {was}, now {now} ({'; '.join(self.reasons)})")


@dataclass(frozen=True, slots=True)
class AnswerExplanation:
    """An answer on record, given again: as it was, whether it is the very same, and what has changed since.

    `answer` is None where it cannot be given again; `why_not_exact` says what stands in the way.
    """

    audit: AuditEntry
    answer: Answer | Recollection | None
    why_not_exact: str | None
    differences: Sequence[Difference] = ()

    @property
    def is_exact(self) -> bool:
        """Whether the answer came out again to the letter."""
        return self.why_not_exact is None

    @property
    def is_same_now(self) -> bool:
        """Whether the same question would be answered the same now, but for the time that has passed."""
        return not self.differences

    def as_dict(self) -> dict[str, Any]:
        """The explanation for a program."""
        return {
            "audit": self.audit.as_dict(),
            "exact": self.is_exact,
            "why_not_exact": self.why_not_exact,
            "answer": None if self.answer is None else self.answer.as_dict(),
            "same_now": self.is_same_now,
            "differences": [one.as_dict() for one in self.differences],
        }

    def __str__(self) -> str:
        told = "" if self.answer is None else str(self.answer)
        head = "Given again, exactly as it was:" if self.is_exact else f"Not as it was: {self.why_not_exact}"
        lines = [str(self.audit), head, *(f"  {line}" for line in told.splitlines())]
        lines.append("Asked now, it would be answered the same." if self.is_same_now else "Asked now:")
        return "\n".join([*lines, *(f"  {one}" for one in self.differences)])


def digest_of(answer: Answer | Recollection) -> str:
    """The fingerprint of what an answer says: equal for answers that say the same to the letter."""
    said = json.dumps(_said(answer.as_dict()), sort_keys=True, ensure_ascii=True, default=str)
    return hashlib.sha256(said.encode()).hexdigest()


def _said(content: Any) -> Any:  # noqa: ANN401 - whatever a document holds
    if isinstance(content, dict):
        return {key: _said(one) for key, one in content.items() if key not in _NOT_SAID}
    if isinstance(content, list):
        return [_said(one) for one in content]
    return content
