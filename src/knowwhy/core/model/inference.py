"""Declared inferences: Horn rules that derive beliefs, and denials of what cannot hold together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from knowwhy.core.model.claim import Slot
from knowwhy.core.model.names import name_key
from knowwhy.core.model.value import Value
from knowwhy.core.timeline import BEGINNING, Instant
from knowwhy.errors import InvalidInput

VARIABLE = "?"


@dataclass(frozen=True, slots=True)
class Pattern:
    """A statement with gaps: who, which attribute (by key), what value, each text or a variable as `?x`."""

    subject: str
    attribute: str
    value: str

    @property
    def variables(self) -> frozenset[str]:
        """The variables in it."""
        return frozenset(one for one in (self.subject, self.value) if one.startswith(VARIABLE))

    def fits(self, slot: Slot, value: Value) -> bool:
        """Whether a statement about a slot is an instance of it; variables stand for anything."""
        if slot.attribute != self.attribute:
            return False
        if not self.subject.startswith(VARIABLE) and name_key(self.subject) != name_key(slot.subject.name):
            return False
        return self.value.startswith(VARIABLE) or self.means(value)

    def means(self, value: Value) -> bool:
        """Whether a value is the one written here."""
        written = name_key(self.value)
        return written in (name_key(value.text), name_key(str(value)))

    def __str__(self) -> str:
        return f"{self.subject} / {self.attribute} = {self.value}"


@dataclass(frozen=True, slots=True)
class InferenceRule:
    """If all of `premises` are accepted, and none of `exceptions`, then `conclusion`, with that strength."""

    kind: ClassVar[str] = "rule"
    is_schema: ClassVar[bool] = True

    name: str
    premises: tuple[Pattern, ...]
    conclusion: Pattern
    exceptions: tuple[Pattern, ...] = ()
    strength: float = 1.0
    is_withdrawn: bool = False
    declared_in: int = 0
    declared_at: Instant = BEGINNING

    def __post_init__(self) -> None:
        """Refuse a rule that could not be evaluated."""
        if not self.premises:
            msg = f"The rule {self.name!r} needs at least one premise; what always holds is an observation."
            raise InvalidInput(msg)
        if not 0.0 < self.strength <= 1.0:
            msg = f"The strength of a rule lies above 0 and up to 1, not {self.strength}."
            raise InvalidInput(msg)
        bound = frozenset().union(*(one.variables for one in self.premises))
        for pattern in (self.conclusion, *self.exceptions):
            if loose := sorted(pattern.variables - bound):
                msg = f"In the rule {self.name!r}, no premise binds {', '.join(loose)} of “{pattern}”."
                raise InvalidInput(msg)

    @property
    def key(self) -> str:
        """What all spellings of its name share."""
        return name_key(self.name)

    def __str__(self) -> str:
        unless = f" unless {' or '.join(map(str, self.exceptions))}" if self.exceptions else ""
        return f"if {' and '.join(map(str, self.premises))}{unless} then {self.conclusion}"


@dataclass(frozen=True, slots=True)
class Denial:
    """That not all of `statements`, which concern one subject, can hold together."""

    kind: ClassVar[str] = "denial"
    is_schema: ClassVar[bool] = True

    name: str
    statements: tuple[Pattern, ...]
    is_withdrawn: bool = False
    declared_in: int = 0
    declared_at: Instant = BEGINNING

    def __post_init__(self) -> None:
        """Refuse a denial of nothing, or of what concerns several subjects."""
        if len({(one.attribute, one.value) for one in self.statements}) <= 1:
            msg = f"The denial {self.name!r} needs at least two different statements."
            raise InvalidInput(msg)
        if len({one.subject for one in self.statements}) > 1:
            msg = f"The statements of the denial {self.name!r} must be about one subject, such as ?x."
            raise InvalidInput(msg)
        if any(one.value.startswith(VARIABLE) for one in self.statements):
            msg = f"The values in the denial {self.name!r} must be given; rules may have variables there."
            raise InvalidInput(msg)

    @property
    def key(self) -> str:
        """What all spellings of its name share."""
        return name_key(self.name)

    def __str__(self) -> str:
        return f"not both {' and '.join(map(str, self.statements))}"
