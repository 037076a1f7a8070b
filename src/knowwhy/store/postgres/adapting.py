"""Texts on their way to the server and back: characters it cannot hold, and keys too long for an index."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, Final, TypeAlias

from psycopg import Connection
from psycopg.types.json import set_json_loads
from psycopg.types.string import StrDumperUnknown

Row: TypeAlias = tuple[Any, ...]

# PostgreSQL takes every character but NUL. We write NUL as two marks, and the mark itself as one with a 2
# after it, so nothing is lost, no two texts become one, and texts keep their order.
_NUL: Final = "\0"
_MARK: Final = "\1"
_ESCAPED: Final = re.compile("\1([\1\2])")

# The same inside JSON, which spells control characters out; a backslash may itself be escaped there.
_IN_JSON: Final = re.compile(r"\\(?:u000([01])|.)", re.DOTALL)
_ESCAPED_IN_JSON: Final = re.compile(r"\\(?:u0001\\u000([12])|.)", re.DOTALL)

# How many characters of a key are kept as they are: with four bytes each, three of them fit into one index.
LONGEST: Final = 200


class TextDumper(StrDumperUnknown):
    """Texts as the server can hold them."""

    def dump(self, obj: str) -> Any:  # noqa: ANN401 - a buffer, as the driver defines it
        """The bytes that stand for a text."""
        return super().dump(escaped(obj) if _NUL in obj or _MARK in obj else obj)


def adapt(connection: Connection[Any]) -> None:
    """Let a connection write texts and read JSON in our spelling; `restored` reads texts."""
    connection.adapters.register_dumper(str, TextDumper)
    set_json_loads(loaded, connection)


def escaped(text: str) -> str:
    """A text without NUL."""
    return text.replace(_MARK, "\1\2").replace(_NUL, "\1\1")


def _plain(text: str) -> str:
    return _ESCAPED.sub(lambda pair: _NUL if pair[1] == _MARK else _MARK, text)


def restored(rows: list[Row]) -> list[Row]:
    """Rows with their texts as they were before they were written; almost always the very same list."""
    for place, row in enumerate(rows):
        for value in row:
            if value.__class__ is str and _MARK in value:
                rows[place] = tuple(_plain(one) if isinstance(one, str) else one for one in row)
                break
    return rows


def written(content: object) -> str:
    """`content` as JSON that the server can hold."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return escaped_json(text) if "\\u000" in text else text


def escaped_json(text: str) -> str:
    """JSON that says the same without NUL."""
    return _IN_JSON.sub(
        lambda mark: mark[0] if mark[1] is None else r"\u0001\u0001" if mark[1] == "0" else r"\u0001\u0002",
        text,
    )


def plain_json(text: str) -> str:
    """JSON as it was before it was written."""
    if r"\u0001" not in text:
        return text
    return _ESCAPED_IN_JSON.sub(
        lambda mark: mark[0] if mark[1] is None else r"\u0000" if mark[1] == "1" else r"\u0001", text
    )


def loaded(text: str | bytes) -> Any:  # noqa: ANN401 - whatever JSON holds
    """What JSON that was read from the server says."""
    return json.loads(plain_json(text.decode() if isinstance(text, bytes) else text))


def short(text: str) -> str:
    """A text as a key: itself, or where it is too long its beginning and its fingerprint.

    What is cut is longer than any key that is not, so neither is ever taken for the other. A text
    with half of a character cannot be stored and becomes such a key too, one that finds nothing.
    """
    if len(text) <= LONGEST and (text.isascii() or _can_be_written(text)):
        return text
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    start = text[:LONGEST].encode("utf-8", "replace").decode()
    return f"{start:_<{LONGEST}}#{digest}"


def whole(text: str) -> str | None:
    """A text that as a key would be cut short; None where it would not."""
    return None if short(text) == text else text


def shortened(texts: Sequence[str]) -> list[str]:
    """Several texts as keys."""
    return [short(text) for text in texts]


def number_of(name: str) -> int:
    """The number of the space of that name: a fingerprint, so that nobody has to give numbers out."""
    digest = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def _can_be_written(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
