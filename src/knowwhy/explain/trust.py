"""Trust: how far one proposition can be relied on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from knowwhy.core.model import one_line
from knowwhy.core.timeline import Instant, isoformat
from knowwhy.explain.explanation import Explanation


class FourWay(StrEnum):
    """Which way the evidence on a proposition points."""

    SUPPORTED = "supported"
    REFUTED = "refuted"
    BOTH = "both"
    NEITHER = "neither"


_SEEN = {
    FourWay.SUPPORTED: "all evidence speaks for it",
    FourWay.REFUTED: "all evidence speaks against it",
    FourWay.BOTH: "evidence speaks for it and against it",
    FourWay.NEITHER: "no evidence",
}


@dataclass(frozen=True, slots=True)
class Trust:
    """How far "subject's attribute is value" can be relied on: a number, a view, and on whose word.

    `explanation` is None where nobody ever spoke of the proposition; its confidence is then the base
    rate 0.5 of ignorance, and `view` is neither.
    """

    subject: str
    attribute: str
    value: str
    at: Instant
    explanation: Explanation | None = None

    @property
    def confidence(self) -> float:
        """The projected probability that it holds."""
        return self.explanation.confidence if self.explanation else 0.5

    @property
    def raw_confidence(self) -> float:
        """The same before any calibration."""
        return self.explanation.raw_confidence if self.explanation else 0.5

    @property
    def status(self) -> str:
        """The status of the belief, or "unknown"."""
        return self.explanation.status if self.explanation else "unknown"

    @property
    def view(self) -> FourWay:
        """Whether evidence speaks for it, against it, both or neither. Rival values speak against it."""
        if self.explanation is None:
            return FourWay.NEITHER
        tally = self.explanation.belief.tally
        if tally.speaks_for:
            return FourWay.BOTH if tally.speaks_against else FourWay.SUPPORTED
        return FourWay.REFUTED if tally.speaks_against else FourWay.NEITHER

    @property
    def sources(self) -> tuple[str, ...]:
        """Who says so."""
        grounds = self.explanation.grounds if self.explanation else ()
        return tuple(
            dict.fromkeys(one.testimony.source.name for one in grounds if one.is_support and one.is_heard)
        )

    def as_dict(self) -> dict[str, Any]:
        """The trust for a program."""
        return {
            "subject": self.subject,
            "attribute": self.attribute,
            "value": self.value,
            "at": isoformat(self.at),
            "confidence": round(self.confidence, 6),
            "raw_confidence": round(self.raw_confidence, 6),
            "status": self.status,
            "view": self.view,
            "sources": list(self.sources),
            "explanation": self.explanation.as_dict() if self.explanation else None,
        }

    def __str__(self) -> str:
        topic = f"{self.subject} / {self.attribute} = {self.value}"
        head = one_line(f"{topic}: {self.confidence:.2f}, {_SEEN[self.view]}, {self.status}")
        return head if self.explanation is None else f"{head}\n{self.explanation}"
