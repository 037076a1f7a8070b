"""Attributes: what is declared about each, and the stated default for those that nobody declared."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import ClassVar, Final

from knowwhy.core.confidence import ConfidenceModel, Prior
from knowwhy.core.model.names import attribute_key
from knowwhy.core.model.value import ValueType
from knowwhy.core.timeline import BEGINNING, Instant
from knowwhy.errors import InvalidInput


class Cardinality(StrEnum):
    """How many values hold at once: of `one` they exclude each other, of `many` they do not."""

    ONE = "one"
    MANY = "many"


STALE_BELOW: Final = 0.6
ACT_ABOVE: Final = 0.7

# After how many days what is known about a kind of thing counts half: a price is soon out of date.
HALF_LIVES: Final = {"price": 1.0, "rule": 30.0, "policy": 90.0, "preference": 180.0, "identity": None}

# The least confidence on which one may act where a mistake is dear, whatever an attribute declares.
HIGH_STAKES: Final = {"medical": 0.95, "legal": 0.9, "payment": 0.9, "safety": 0.95, "security": 0.9}


# How much of a belief's weight rests on a premise, where nothing else is said.
DEPENDENCE: Final = 0.8


@dataclass(frozen=True, slots=True)
class Dependency:
    """That an attribute rests on another of the same subject: a commute on the employer.

    `attribute` is the key of the premise. When its value moves, evidence given before keeps the
    share 1 - `strength` of its weight, until the dependent is confirmed anew.
    """

    attribute: str
    strength: float = DEPENDENCE

    def __post_init__(self) -> None:
        """Refuse a strength that is none."""
        if not 0.0 <= self.strength <= 1.0:
            msg = f"The strength of a dependency lies between 0 and 1, not {self.strength}."
            raise InvalidInput(msg)


@dataclass(frozen=True, slots=True)
class Attribute:
    """What is known of an attribute.

    `changes` says whether the world may move (a price) or a later word can only be a correction (a
    birthday). `half_life_days` None: evidence does not age. `stale_below` is the confidence under
    which an aged belief is no longer to be relied on. `patterns` are sentence templates with
    {subject} and {value}; `about` names the subject of patterns that mention none.

    A relation is an attribute whose values are entities: of `object_type`, where its subjects are of
    `subject_type`. Its `inverse` is the name of the same relation told from the other side.

    `confidence` and `policy` name the model of its numbers and the policy of its conflicts, None
    for those of the memory; `base_rate` and `strictness` are its prior. `depends_on` are the
    attributes it rests on. One may act on its beliefs above `act_above`, or above what its `domain`
    demands if that is more. `declared_in` is the number of the operation that declared it, and
    `declared_at` its time; 0 and BEGINNING while it is not on record.
    """

    kind: ClassVar[str] = "attribute"
    is_schema: ClassVar[bool] = True

    name: str
    cardinality: Cardinality = Cardinality.ONE
    value_type: ValueType | None = None
    unit: str | None = None
    changes: bool = True
    half_life_days: float | None = None
    stale_below: float = STALE_BELOW
    synonyms: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    about: str | None = None
    subject_type: str | None = None
    object_type: str | None = None
    inverse: str | None = None
    confidence: ConfidenceModel | None = None
    policy: str | None = None
    base_rate: float = 0.5
    strictness: float = 1.0
    depends_on: tuple[Dependency, ...] = ()
    act_above: float = ACT_ABOVE
    domain: str | None = None
    is_declared: bool = True
    declared_in: int = 0
    declared_at: Instant = BEGINNING

    def __post_init__(self) -> None:
        """Refuse what no memory could keep."""
        _check_number("A base rate", self.base_rate, below=1.0)
        _check_number("A strictness", self.strictness, below=math.inf)
        if not 0.0 <= self.act_above <= 1.0:
            msg = f"act_above is a confidence between 0 and 1, not {self.act_above}."
            raise InvalidInput(msg)
        if (self.object_type or self.inverse) and self.value_type is not ValueType.ENTITY:
            msg = f"{self.name!r} has an inverse or types its values, so these are entities."
            raise InvalidInput(msg)
        if self.inverse is not None and attribute_key(self.inverse) in (
            self.key,
            *map(attribute_key, self.synonyms),
        ):
            msg = f"The inverse of {self.name!r} needs a name of its own."
            raise InvalidInput(msg)
        if any(one.attribute == self.key for one in self.depends_on):
            msg = f"{self.name!r} cannot depend on itself."
            raise InvalidInput(msg)
        if self.half_life_days is not None and not (
            math.isfinite(self.half_life_days) and self.half_life_days > 0
        ):
            msg = f"A half-life is a positive number of days or None, not {self.half_life_days}."
            raise InvalidInput(msg)
        if not 0.0 <= self.stale_below <= 1.0:
            msg = f"stale_below is a confidence between 0 and 1, not {self.stale_below}."
            raise InvalidInput(msg)

    @property
    def key(self) -> str:
        """What all spellings of its name share."""
        return attribute_key(self.name)

    @property
    def is_exclusive(self) -> bool:
        """Whether its values exclude each other."""
        return self.cardinality is Cardinality.ONE

    @property
    def acts_above(self) -> float:
        """The confidence needed to act: never below what its domain demands."""
        return max(self.act_above, HIGH_STAKES.get(self.domain or "", 0.0))

    @property
    def prior(self) -> Prior:
        """What its numbers start from."""
        return Prior(self.base_rate, self.strictness, self.half_life_days)


@lru_cache(maxsize=4_096)
def undeclared(name: str) -> Attribute:
    """The stated default: one value at a time, which may change, and does not age."""
    return Attribute(name, is_declared=False)


def _check_number(what: str, number: float, *, below: float) -> None:
    if not 0.0 < number < below:
        msg = f"{what} lies above 0{'' if below == math.inf else f' and below {below:g}'}, not {number}."
        raise InvalidInput(msg)
