"""Records as JSON, field by field by their types, and the way back: nothing is lost, nothing is guessed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from knowwhy.core.model import Access, access_from
from knowwhy.errors import InvalidInput

R = TypeVar("R")


def written(record: Any) -> Any:  # noqa: ANN401 - whatever a record holds
    """The record as JSON can hold it; of a dataclass the fields that are not as they are by default."""
    if isinstance(record, Access):
        return str(record)
    if isinstance(record, Enum):
        return record.value
    if is_dataclass(record) and not isinstance(record, type):
        held = ((one, getattr(record, one.name)) for one in fields(record))
        return {one.name: written(value) for one, value in held if not _is_default(one, value)}
    if isinstance(record, tuple | list):
        return [written(one) for one in record]
    if isinstance(record, Mapping):
        # (In order of the keys: not every store keeps the order in which they came.)
        return {str(key): written(value) for key, value in sorted(record.items())}
    return record


def read(kind: type[R], told: Any) -> R:  # noqa: ANN401 - whatever JSON holds
    """The record of a kind that `written` wrote.

    Raises:
        InvalidInput: it is none.
    """
    try:
        record: R = _reader(cast("Any", kind))(told)
    except (TypeError, ValueError, KeyError, AttributeError) as problem:
        msg = f"It is no {kind.__name__.casefold()} ({problem})."
        raise InvalidInput(msg) from problem
    return record


def _is_default(one: Field[Any], value: object) -> bool:
    if one.default is MISSING or type(value) is not type(one.default):
        return False
    # (Of an access and the like only part is compared.)
    return value == one.default and written(value) == written(one.default)


@cache
def _reader(hint: Any) -> Callable[[Any], Any]:  # noqa: ANN401 - a type
    """What reads values of a type."""
    if hint is Access:
        return access_from
    if isinstance(hint, type) and is_dataclass(hint):
        return _record(hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        (kept,) = (one for one in args if one is not NoneType)
        inner = _reader(kept)
        return lambda told: None if told is None else inner(told)
    if origin is tuple:
        return _tuple(args)
    return _plain(getattr(hint, "__supertype__", hint))


def _record(kind: type[Any]) -> Callable[[Any], Any]:
    readers = {name: hint for name, hint in get_type_hints(kind).items() if name in _names(kind)}

    def record(told: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
        if not isinstance(told, dict):
            raise TypeError(f"{kind.__name__} is an object, not {type(told).__name__}")
        return kind(**{name: _reader(readers[name])(value) for name, value in told.items()})

    return record


def _names(kind: type[Any]) -> frozenset[str]:
    return frozenset(one.name for one in fields(kind))


def _tuple(args: tuple[Any, ...]) -> Callable[[Any], Any]:
    if args[-1] is Ellipsis:
        inner = _reader(args[0])
        return lambda told: tuple(map(inner, _listed(told)))
    readers = tuple(map(_reader, args))
    return lambda told: tuple(one(value) for one, value in zip(readers, _listed(told), strict=True))


def _listed(told: object) -> list[Any]:
    if not isinstance(told, list):
        raise TypeError(f"a list is due, not {type(told).__name__}")
    return told


def _plain(kind: Any) -> Callable[[Any], Any]:  # noqa: ANN401 - a type
    if kind is float:
        return float
    kept = get_origin(kind) or kind

    def plain(told: Any) -> Any:  # noqa: ANN401 - whatever JSON holds
        if kept is not Any and (not isinstance(told, kept) or (kept is int and isinstance(told, bool))):
            raise TypeError(f"{kept.__name__} is due, not {type(told).__name__}")
        return told

    return plain
