"""Items: what one record of another memory comes to, and how its files are taken apart."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final

from knowwhy.core.timeline import instant, isoformat
from knowwhy.errors import InvalidInput, KnowwhyError
from knowwhy.exchange.files import lines_of
from knowwhy.ingest.observation import Observation

# Above this a number of seconds is one of milliseconds.
_SECONDS: Final = 100_000_000_000
_FIELD: Final = 200


@dataclass(frozen=True, slots=True)
class Mapped:
    """An observation that a record comes to.

    `is_dated` says whether the record itself tells when it was said: else the same words are the same item
    whatever the time. The attributes `many` have several values side by side there, and the values of the
    `relations` are entities.
    """

    said: Observation
    is_dated: bool
    many: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unmapped:
    """What could not be taken, or only without a part: `why`, said alike for all of a kind, and `where`."""

    why: str
    where: str


@dataclass(frozen=True, slots=True)
class Document:
    """An object of a file, and where it stands there."""

    told: Mapping[str, Any]
    where: str

    def text(self, *names: str) -> str:
        """The first of these fields that holds a text with anything in it; empty where none does."""
        held = (self.told.get(name) for name in names)
        return next((one.strip() for one in held if isinstance(one, str) and one.strip()), "")

    def when(self, *names: str) -> str | None:
        """The first of these fields that holds a time that can be read, in UTC where it names no zone."""
        return next((at for name in names if (at := moment(self.told.get(name))) is not None), None)


def documents(path: Path, *lists: str) -> Iterator[Document | Unmapped]:
    """The objects in a file: one a line, or one list of them, also under one of the names in `lists`.

    Raises:
        NotFound: there is no such file.
        InvalidInput: it is no JSON.
    """
    if _is_by_line(path, lists):
        yield from _by_line(path)
        return
    try:
        told = json.loads(b"".join(lines_of(path)))
    except ValueError as problem:
        msg = f"{path} is no JSON, and no lines of it ({problem})."
        raise InvalidInput(msg, path=str(path)) from problem
    named = {"": told} if isinstance(told, list) else told if isinstance(told, dict) else {}
    found = {name: one for name, one in named.items() if isinstance(one, list) and name in ("", *lists)}
    if not found:
        msg = f"{path} holds no list of records; it is due as a list, or as {', '.join(lists) or 'lines'}."
        raise InvalidInput(msg, path=str(path))
    yield from (Unmapped("a part of an unknown kind", name) for name in named if name not in found)
    for name, those in found.items():
        for number, one in enumerate(those, 1):
            where = f"{name} {number}".strip()
            if isinstance(one, dict):
                yield Document({**one, "": name}, where)
            else:
                yield Unmapped("no object", where)


def _is_by_line(path: Path, lists: tuple[str, ...]) -> bool:
    first = next((line for line in lines_of(path) if line.strip()), b"")
    try:
        told = json.loads(first)
    except ValueError:
        return False
    return isinstance(told, dict) and not any(isinstance(told.get(name), list) for name in lists)


def _by_line(path: Path) -> Iterator[Document | Unmapped]:
    for number, line in enumerate(lines_of(path), 1):
        where = f"line {number}"
        if not line.strip():
            continue
        try:
            told = json.loads(line)
        except ValueError:
            yield Unmapped("no JSON", where)
            continue
        yield Document(told, where) if isinstance(told, dict) else Unmapped("no object", where)


def mapped(
    found: Iterator[Document | Unmapped], read: Callable[[Document], Iterator[Mapped | Unmapped]]
) -> Iterator[Mapped | Unmapped]:
    """What `read` makes of each document; what it refuses is not mapped, for the reason it gives."""
    for one in found:
        if isinstance(one, Unmapped):
            yield one
            continue
        try:
            yield from read(one)
        except KnowwhyError as problem:
            yield Unmapped(problem.message, one.where)


def moment(told: object) -> str | None:
    """A time as another program writes it, with its zone; None where it is none."""
    if isinstance(told, bool) or told is None:
        return None
    try:
        if isinstance(told, int | float):
            seconds = told / 1000 if abs(told) >= _SECONDS else told
            told = datetime.fromtimestamp(seconds, UTC)
        if isinstance(told, datetime | date):
            return isoformat(instant(told, "UTC"))
        return isoformat(instant(str(told), "UTC")) if isinstance(told, str) and told.strip() else None
    except (KnowwhyError, ValueError, OverflowError, OSError):
        return None


def kept(told: Mapping[str, Any], *without: str) -> dict[str, str]:
    """The plain fields of a record as metadata, and those of its own metadata."""
    own = told.get("metadata")
    fields = {**(own if isinstance(own, dict) else {}), **told}
    plain = {name: one for name, one in fields.items() if name and name not in without and _is_plain(one)}
    return {name: str(one) for name, one in plain.items() if len(str(one)) <= _FIELD and str(one)}


def _is_plain(one: object) -> bool:
    return isinstance(one, str | int | float | bool)


def plainly(name: str) -> str:
    """The name of a relation in words: WORKS_AT, worksAt and works-at are works at."""
    spaced = "".join(f" {mark}" if mark.isupper() and old.islower() else mark for old, mark in _pairs(name))
    return " ".join(spaced.replace("_", " ").replace("-", " ").casefold().split())


def _pairs(name: str) -> Iterator[tuple[str, str]]:
    return zip(f" {name}", name, strict=False)
