"""Failures: what came back otherwise than expected, and in which way."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class FailureKind(StrEnum):
    """In which way an answer failed."""

    SWITCHED = "switched"  # what was expected to stand gave way to another value
    NOT_SWITCHED = "not_switched"  # an older value still stands
    SAID = "said"  # what must not be said was
    GROUNDS = "grounds"  # it rests on other evidence
    CONFLICT = "conflict"  # a dispute that should not be there, or none that should
    NOT_UNKNOWN = "not_unknown"  # something is said where nothing is known
    NO_ANSWER = "no_answer"  # nothing is said where something is known
    WRONG = "wrong"  # another value, and no sign of the one expected
    OTHER = "other"  # any other check
    REFUSED = "refused"  # a step was refused

    @property
    def in_words(self) -> str:
        """The kind as a heading."""
        return _WORDS[self]


_WORDS = {
    FailureKind.SWITCHED: "switched when it should not",
    FailureKind.NOT_SWITCHED: "did not switch when it should",
    FailureKind.SAID: "said what must not be said",
    FailureKind.GROUNDS: "wrong grounds",
    FailureKind.CONFLICT: "a conflict where none is, or none where one is",
    FailureKind.NOT_UNKNOWN: "answered what nobody knows",
    FailureKind.NO_ANSWER: "gave no answer",
    FailureKind.WRONG: "wrong answer",
    FailureKind.OTHER: "otherwise than expected",
    FailureKind.REFUSED: "was refused",
}


@dataclass(frozen=True, slots=True)
class Failure:
    """One expectation that did not hold.

    `at` is the step, `line` where it is written. `confidence` is that of a wrong answer, None where none was
    given.
    """

    kind: FailureKind
    at: str
    message: str
    line: int | None = None
    confidence: float | None = None

    def as_dict(self) -> dict[str, Any]:
        """The failure for a program."""
        return {name: getattr(self, name) for name in self.__slots__}

    def __str__(self) -> str:
        return f"- {self.message}"
