"""Extraction: what is asked of whoever reads claims out of words, and what they give back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from typing import Final, Protocol, runtime_checkable

from knowwhy.core.model import Draft, RawValue, Schema, Stance


@dataclass(frozen=True, slots=True)
class Mention:
    """What was spoken of: a value of an attribute of a subject."""

    subject: str
    attribute: str
    value: RawValue
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Utterance:
    """Words to be read, with what is known of their saying.

    `spoke_at` is when they were said, in the zone of who said them: dates are placed by it. `speaker`
    is whom "I" means. `before` is what was last spoken of in the same conversation, the latest
    last. Attributes that are not declared are only proposed, unless `takes_undeclared`.
    """

    text: str
    spoke_at: datetime
    speaker: str | None = None
    before: tuple[Mention, ...] = ()
    takes_undeclared: bool = False


class Missing(StrEnum):
    """What a statement lacks to become a claim."""

    SUBJECT = "subject"
    ANTECEDENT = "antecedent"
    VALUE = "value"
    CONDITION = "condition"
    DATE = "date"
    CHOICE = "choice"


class Reason(StrEnum):
    """Why a claim that was read is not taken."""

    NOT_IN_SOURCE = "not_in_source"
    TYPE_MISMATCH = "type_mismatch"
    WRONG_UNIT = "wrong_unit"
    NOT_DECLARED = "undeclared_attribute"
    INVALID = "invalid_input"


@dataclass(frozen=True, slots=True)
class Refusal:
    """A claim that was read and is not taken, with the words it was read from."""

    reason: Reason
    quote: str
    says: str


@dataclass(frozen=True, slots=True)
class Unsure:
    """A statement that is incomplete, and what is missing."""

    missing: Missing
    quote: str
    says: str


@dataclass(frozen=True, slots=True)
class Aim:
    """A word against whatever stands for an attribute, whose value it does not name.

    `stance` is how: it ended (at `valid_to`), or it is given up. The value `but` is not meant.
    """

    subject: str
    attribute: str
    stance: Stance
    quote: str
    valid_to: date | datetime | None = None
    but: RawValue | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """What reading cost: calls of a model, tokens, money (by the price that was set) and seconds.

    `cached` counts what was answered from a cache instead.
    """

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    seconds: float = 0.0
    cached: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    def as_dict(self) -> dict[str, float]:
        """What there is to tell."""
        return {name: value for name in self.__slots__ if (value := getattr(self, name))}


NO_USAGE: Final = Usage()


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was read out of words.

    `drafts` are complete claims, `aims` those that need to know what stands. `proposed` counts the
    attributes spoken of that are not declared; `passed` what was passed over, by reason: filler,
    questions, code. `by` names the extractor; the caller fills it in. `usage` is what reading cost.
    """

    drafts: tuple[Draft, ...] = ()
    aims: tuple[Aim, ...] = ()
    refused: tuple[Refusal, ...] = ()
    unsure: tuple[Unsure, ...] = ()
    proposed: Mapping[str, int] = field(default_factory=dict)
    passed: Mapping[str, int] = field(default_factory=dict)
    by: str = ""
    usage: Usage = NO_USAGE


class Extractor(Protocol):
    """Reads claims out of words: by rules, or by a model."""

    @property
    def name(self) -> str:
        """What the log calls it."""

    def extract(self, utterance: Utterance, schema: Schema) -> Extraction:
        """The claims in some words, as far as they can be told.

        It never invents: a draft's quote is a passage of the text, and what is incomplete is
        reported as such.
        """


@runtime_checkable
class ExtractsMany(Protocol):
    """An extractor that reads several texts at less than they cost one by one."""

    def extract_many(self, utterances: Sequence[Utterance], schema: Schema) -> list[Extraction]:
        """The claims in each of some words, as `extract` gives them; asked again, it remembers."""
