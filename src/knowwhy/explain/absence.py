"""Absences: why a value is not believed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from knowwhy.core.model import Belief, one_line
from knowwhy.core.timeline import Instant, isoformat
from knowwhy.explain.explanation import Explanation
from knowwhy.explain.sentences import because


@dataclass(frozen=True, slots=True)
class WhyNot:
    """Why "subject's attribute is value" is not believed, and what stands in its place.

    `explanation` is that of the value, None where nobody ever spoke of it; `standing` are the values
    that are held or disputed there.
    """

    subject: str
    attribute: str
    value: str
    at: Instant
    explanation: Explanation | None = None
    standing: tuple[Belief, ...] = ()

    @property
    def is_believed(self) -> bool:
        """Whether it is believed after all."""
        return self.explanation is not None and self.explanation.status.is_held

    @property
    def status(self) -> str:
        """The status of the value, or "unknown"."""
        return "unknown" if self.explanation is None else str(self.explanation.status)

    @property
    def because(self) -> str:
        """The reason, in words."""
        if self.explanation is None:
            return "nobody ever said so"
        return self.explanation.because

    @property
    def would_change_it(self) -> tuple[str, ...]:
        """What would make it believed."""
        if self.explanation is None:
            return ("a source that says so",)
        return () if self.is_believed else self.explanation.would_change_it

    def as_dict(self) -> dict[str, Any]:
        """The absence for a program."""
        return {
            "subject": self.subject,
            "attribute": self.attribute,
            "value": self.value,
            "at": isoformat(self.at),
            "believed": self.is_believed,
            "status": self.status,
            "because": self.because,
            "standing": [
                {
                    "id": one.id,
                    "value": str(one.value),
                    "status": one.status_at(self.at),
                    "because": because(one),
                }
                for one in self.standing
            ],
            "would_change_it": list(self.would_change_it),
            "explanation": None if self.explanation is None else self.explanation.as_dict(),
        }

    def __str__(self) -> str:
        topic = f"{self.subject} / {self.attribute} = {self.value}"
        if self.is_believed:
            return f"{one_line(f'{topic} is believed.')}\n{self.explanation}"
        lines = [one_line(f"{topic} is not believed ({self.status}): {self.because}.")]
        lines += [
            f"  instead: {one_line(str(one.value))}, {one.status_at(self.at)} ({because(one)}) [{one.id}]"
            for one in self.standing
        ]
        if self.explanation is None:
            lines += [f"  would change it: {one}" for one in self.would_change_it]
        else:
            lines += str(self.explanation).splitlines()[1:]
        return "\n".join(lines)
