"""What a belief says of its attribute: a text, a number with its unit, a date, a truth value, an entity."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from functools import partial
from typing import TypeAlias

from knowwhy.core.model.text import one_line
from knowwhy.core.timeline import instant, isoformat
from knowwhy.errors import InvalidInput, TypeMismatch

_PLAIN_NUMBER = re.compile(r"-?\d{1,30}(?:\.\d{1,30})?", re.ASCII)


class ValueType(StrEnum):
    """What kind of value an attribute takes."""

    TEXT = "text"
    IDENTIFIER = "identifier"
    NUMBER = "number"
    DATE = "date"
    BOOLEAN = "boolean"
    ENTITY = "entity"


@dataclass(frozen=True, slots=True)
class Value:
    """A value as first written (`text`, `unit`) and what makes two writings one value (`key`)."""

    type: ValueType
    text: str
    key: str
    unit: str | None = None

    def __str__(self) -> str:
        return one_line(f"{self.text} {self.unit}" if self.unit else self.text)


# What a caller may hand in as a value.
RawValue: TypeAlias = str | int | float | Decimal | bool | date | datetime


def value_of(raw: RawValue, declared: ValueType | None = None, unit: str | None = None) -> Value:
    """The value that `raw` stands for; its type is the declared one, or follows from what is given.

    Undeclared, a text that is nothing but a plainly written number is that number.

    Entity values are made by resolving the name instead, see `entity_value`.

    Raises:
        TypeMismatch: `raw` cannot be read as the declared type.
        InvalidInput: empty, not finite, or of a type no value has.
    """
    kind = declared or _natural_type(raw)
    try:
        return _READERS[kind](raw, unit)
    except (ValueError, InvalidOperation, InvalidInput) as problem:
        reason = f" {problem}" if isinstance(problem, InvalidInput) else ""
        msg = f"{raw!r} is not a {kind}.{reason}"
        raise TypeMismatch(msg, value=str(raw), expected=str(kind)) from problem


def entity_value(entity_id: str, name: str) -> Value:
    """The value that stands for an entity: beliefs with such values are the relations of the graph."""
    return Value(ValueType.ENTITY, name, f"entity:{entity_id}")


def _natural_type(raw: RawValue) -> ValueType:
    if isinstance(raw, str):
        return ValueType.NUMBER if _is_plain_number(raw) else ValueType.TEXT
    if isinstance(raw, bool):
        return ValueType.BOOLEAN
    if isinstance(raw, int | float | Decimal):
        return ValueType.NUMBER
    if isinstance(raw, date):
        return ValueType.DATE
    msg = f"A value is a text, a number, a date or a truth value, not {type(raw).__name__}."
    raise InvalidInput(msg)


def _is_plain_number(text: str) -> bool:
    """Whether `text` is a number in the one way a number is written: 15 and 3.1, but not 007 or 3.10."""
    if not _PLAIN_NUMBER.fullmatch(text):
        return False
    return text == format(Decimal(text).normalize(), "f")


def _text(kind: ValueType, raw: RawValue, unit: str | None) -> Value:
    text = " ".join(str(raw).split())
    if not text:
        msg = "A value must not be empty."
        raise InvalidInput(msg)
    levelled = unicodedata.normalize("NFKC", text)
    key = levelled if kind is ValueType.IDENTIFIER else levelled.casefold()
    return Value(kind, text, _keyed("text", key, unit), unit)


def _number(raw: RawValue, unit: str | None) -> Value:
    number = Decimal(unicodedata.normalize("NFKC", str(raw)).replace(",", "").strip())
    if not number.is_finite():
        msg = f"{raw!r} is not finite."
        raise InvalidOperation(msg)
    plain = format(number.normalize(), "f")
    return Value(ValueType.NUMBER, plain, _keyed("number", plain, unit), unit)


def _date(raw: RawValue, _unit: str | None) -> Value:
    # A value's date is read in UTC where it names no zone: it is a calendar entry, not a moment of speech.
    moment = instant(raw if isinstance(raw, date) else str(raw), "UTC")
    text = isoformat(moment)
    if text is None:
        msg = f"{raw!r} lies outside the calendar."
        raise ValueError(msg)
    return Value(ValueType.DATE, text, f"date:{text}")


_TRUE = ("true", "yes", "1", "是")
_FALSE = ("false", "no", "0", "否")


def _boolean(raw: RawValue, _unit: str | None) -> Value:
    word = str(raw).strip().casefold()
    if word not in (*_TRUE, *_FALSE):
        msg = "Write true or false."
        raise InvalidInput(msg)
    text = "true" if word in _TRUE else "false"
    return Value(ValueType.BOOLEAN, text, f"boolean:{text}")


def _keyed(kind: str, key: str, unit: str | None) -> str:
    return f"{kind}:{key}|{unicodedata.normalize('NFKC', unit).casefold()}" if unit else f"{kind}:{key}"


_READERS: dict[ValueType, Callable[[RawValue, str | None], Value]] = {
    ValueType.TEXT: partial(_text, ValueType.TEXT),
    ValueType.IDENTIFIER: partial(_text, ValueType.IDENTIFIER),
    ValueType.NUMBER: _number,
    ValueType.DATE: _date,
    ValueType.BOOLEAN: _boolean,
    ValueType.ENTITY: partial(_text, ValueType.TEXT),
}
