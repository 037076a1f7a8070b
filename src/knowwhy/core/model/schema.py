"""The schema: what is declared about attributes, and the stated default for those that are not."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from knowwhy.core.model.names import attribute_key
from knowwhy.core.model.value import ValueType
from knowwhy.errors import InvalidInput


class Cardinality(StrEnum):
    """How many values hold at once: of `one` they exclude each other, of `many` they do not."""

    ONE = "one"
    MANY = "many"


STALE_BELOW: Final = 0.6


@dataclass(frozen=True, slots=True)
class Attribute:
    """What is known of an attribute.

    `changes` says whether the world may move (a price) or a later word can only be a correction (a
    birthday). `half_life_days` None: evidence does not age. `stale_below` is the confidence under
    which an aged belief is no longer to be relied on. `patterns` are sentence templates with
    {subject} and {value}; `about` names the subject of patterns that mention none. `declared_in` is
    the number of the operation that declared it, 0 while it is not on record.
    """

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
    is_declared: bool = True
    declared_in: int = 0

    def __post_init__(self) -> None:
        """Refuse what no memory could keep."""
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


def attribute_in(schema: Mapping[str, Attribute], key: str) -> Attribute:
    """The declaration in force for an attribute's key, or the default for undeclared ones."""
    return schema.get(key) or undeclared(key)


def undeclared(name: str) -> Attribute:
    """The stated default: one value at a time, which may change, and does not age."""
    return Attribute(name, is_declared=False)
