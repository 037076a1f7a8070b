"""The archive: the log of a memory and of its branches as JSON lines, complete, from which it is made anew.

First a line that says what it is. Then for each line of the memory one that names its space, its operations
with their records in order, the vectors of its documents and the record of its answers. The last line
counts them, with the SHA-256 of all bytes before it: an archive that was cut off or changed is not taken.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final, TypeAlias

from knowwhy.core.model import Alias, Claim, Declared, Entity, Evidence, Operation, Retraction, Source
from knowwhy.core.revision import ContestKey
from knowwhy.core.timeline import Instant
from knowwhy.errors import InvalidInput, NewerFormat
from knowwhy.exchange.record import read, written
from knowwhy.store.encoding import declared_as, declared_text
from knowwhy.store.protocol import Audit, Batch, Vector

FORMAT: Final = 1
_WHAT: Final = "knowwhy archive"

_KINDS: Final[dict[str, type[Any]]] = {
    "entities": Entity,
    "aliases": Alias,
    "sources": Source,
    "evidence": Evidence,
    "claims": Claim,
    "retractions": Retraction,
    "decided": ContestKey,
}


@dataclass(frozen=True, slots=True)
class Line:
    """That what follows belongs to a line of the memory, which a space keeps."""

    space: str


Entry: TypeAlias = Line | Batch | Vector | Audit


@dataclass(frozen=True, slots=True)
class Counted:
    """What an archive holds, and the fingerprint of its bytes."""

    lines: int
    operations: int
    sha256: str


class Writing:
    """An archive as it is written: gives the bytes of each line, and counts."""

    def __init__(self) -> None:
        self._digest = sha256()
        self._lines = 0
        self._operations = 0

    def begun(self, space: str) -> bytes:
        """The first line."""
        return self._line({_WHAT: FORMAT, "space": space})

    def entry(self, one: Entry) -> bytes:
        """The line of an entry."""
        if isinstance(one, Line):
            self._lines += 1
            return self._line({"line": one.space})
        if isinstance(one, Vector):
            numbers = b64encode(one.numbers).decode("ascii")
            return self._line({"vector": [one.document, one.model, numbers]})
        if isinstance(one, Audit):
            return self._line({"answer": written(replace(one, number=0))})
        self._operations += 1
        return self._line(_told(one))

    def counted(self) -> Counted:
        """What was written so far."""
        return Counted(self._lines, self._operations, self._digest.hexdigest())

    def ended(self) -> bytes:
        """The last line."""
        return self._line({"end": written(self.counted())})

    def _line(self, told: object) -> bytes:
        text = json.dumps(told, ensure_ascii=False, separators=(",", ":")) + "\n"
        line = text.encode("utf-8", "surrogatepass")
        self._digest.update(line)
        return line


def is_archive(first: bytes) -> bool:
    """Whether a file that begins with a line is an archive."""
    try:
        told = json.loads(first)
    except ValueError:
        return False
    return isinstance(told, dict) and _WHAT in told


def checked(lines: Iterable[bytes]) -> tuple[str, Counted]:
    """The space an archive is of, and what it holds, once all of it was looked at.

    Raises:
        InvalidInput: it is no archive, was cut off, or changed.
        NewerFormat: a newer version wrote it.
    """
    digest = sha256()
    pending = iter(lines)
    first = next(pending, b"")
    if not is_archive(first):
        msg = "This file is no archive of a memory: `export` writes one as JSON lines."
        raise InvalidInput(msg)
    told = json.loads(first)
    if told[_WHAT] != FORMAT:
        msg = f"This archive has format {told[_WHAT]!r}, and this version reads {FORMAT}: use a newer one."
        raise NewerFormat(msg)
    digest.update(first)
    last = b""
    for line in pending:
        digest.update(last)
        last = line
    counted = _end(last)
    if counted is None or counted.sha256 != digest.hexdigest():
        why = "it was cut off" if counted is None else "its bytes are not those that were written"
        msg = f"This archive is not whole: {why}. Take another copy; nothing was taken from it."
        raise InvalidInput(msg)
    return str(told["space"]), counted


def entries(lines: Iterable[bytes]) -> Iterator[Entry]:
    """What an archive holds, in the order in which it was written."""
    for line in lines:
        told = json.loads(line)
        if "line" in told:
            yield Line(told["line"])
        elif "vector" in told:
            document, model, numbers = told["vector"]
            yield Vector(document, model, b64decode(numbers))
        elif "answer" in told:
            yield read(Audit, told["answer"])
        elif "operation" in told:
            yield batch_from(told)


def _end(line: bytes) -> Counted | None:
    try:
        told = json.loads(line)
        return read(Counted, told["end"])
    except (ValueError, KeyError, TypeError, InvalidInput):
        return None


def _told(batch: Batch) -> dict[str, Any]:
    told: dict[str, Any] = {"operation": written(batch.operation)}
    if batch.declarations:
        made = batch.declarations
        told["declarations"] = [
            [one.kind, json.loads(declared_text(one)), one.declared_in, one.declared_at] for one in made
        ]
    for name in _KINDS:
        if records := getattr(batch, name):
            told[name] = written(records)
    return told


def batch_from(told: dict[str, Any]) -> Batch:
    """An operation with its records, as an archive has them."""
    records: dict[str, Any] = {
        name: tuple(read(kind, one) for one in told.get(name, ())) for name, kind in _KINDS.items()
    }
    made = tuple(_declared(*one) for one in told.get("declarations", ()))
    return Batch(read(Operation, told["operation"]), declarations=made, **records)


def _declared(kind: str, body: object, operation: int, at: int) -> Declared:
    return declared_as(kind, json.dumps(body), operation, Instant(at))
