"""What a command prints: sentences for a person, one JSON document for a program, never a stored command."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, Protocol, TextIO

import typer

if TYPE_CHECKING:
    from rich.text import Text

# Columns to write for where nobody is looking: a pipe, a file.
_UNSEEN_WIDTH: Final = 100
_FOLLOWING_INDENT: Final = 4

# What may act on a terminal, or change the order in which it shows letters. Joiners inside words stay.
_ACTING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_CONTROLS_IN_JSON = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")

# Restrained: only what a reader should not miss, and what may be skipped.
_WARNED = re.compile(r"^(warning|note|conflict|contested|challenged|problem|left out)\b")
_DETAILS = re.compile(r"\[[^\[\]]*\]$")


# Told how far things are.
Told = Callable[[int], None]


class Result(Protocol):
    """What the library's verbs give: `str` puts it in words, `as_dict` lays it out for a program."""

    def as_dict(self) -> dict[str, Any]:
        """The result for a program."""
        ...


def plain(text: str) -> str:
    """The text with everything that could act on a terminal written out in letters, as Python would."""
    unified = text.replace("\r\n", "\n").replace("\t", "    ")
    return _ACTING.sub(lambda found: found[0].encode("unicode_escape").decode("ascii"), unified)


def as_json(document: object, *, is_ascii: bool = False) -> str:
    """The document as JSON that is safe to print; every escape in it means the character itself."""
    written = json.dumps(document, ensure_ascii=is_ascii, indent=2, default=str)
    return _CONTROLS_IN_JSON.sub(_escape, written)


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def show(words: str, document: object, *, is_json: bool) -> None:
    """Print the document, or the same in words."""
    if is_json:
        _write_json(document, sys.stdout)
    else:
        _write(_laid_out(plain(words).split("\n")), sys.stdout)


def show_line(words: str, document: object, *, is_json: bool) -> None:
    """Print one of many: its words, or its document on a line of its own."""
    if is_json:
        written = _CONTROLS_IN_JSON.sub(_escape, json.dumps(document, ensure_ascii=False, default=str))
        _write(
            (written if _takes(sys.stdout, written) else json.dumps(document, default=str)) + "\n", sys.stdout
        )
    else:
        show(words, document, is_json=False)


def show_result(result: Result, *, is_json: bool) -> None:
    """Print what a verb gave, in words or for a program."""
    show(str(result), result.as_dict(), is_json=is_json)


def show_verbatim(words: str, document: object, *, is_json: bool) -> None:
    """Print words whose line ends matter, as they are; or the document."""
    if is_json:
        _write_json(document, sys.stdout)
    else:
        _write(plain(words) + "\n", sys.stdout)


def complain(words: str, document: object, *, is_json: bool) -> None:
    """Print what went wrong, on the error stream."""
    if is_json:
        _write_json(document, sys.stderr)
    else:
        _write(plain(words) + "\n", sys.stderr)


def _laid_out(lines: Iterable[str]) -> str:
    """The lines at the width of the terminal; what does not fit goes on below, indented."""
    from rich.console import Console
    from rich.text import Text

    width = max(shutil.get_terminal_size((_UNSEEN_WIDTH, 24)).columns, 20)
    console = Console(width=width, highlight=False, markup=False, emoji=False, soft_wrap=True)
    with console.capture() as captured:
        for line in lines:
            shown = line.rstrip()
            indent = len(shown) - len(shown.lstrip())
            following = min(indent + _FOLLOWING_INDENT, width // 2)
            for number, part in enumerate(_wrapped(shown.lstrip(), width - indent, width - following)):
                before = " " * (following if number else indent)
                console.print(Text.assemble(before, _styled(part)), end="\n")
    return captured.get()


def _wrapped(text: str, first: int, later: int) -> Iterator[str]:
    """The text in pieces of at most so many columns, broken at spaces only: an id stays whole."""
    piece, room = "", first
    for word in text.split(" "):
        if piece and _columns(piece) + 1 + _columns(word) > room:
            yield piece
            piece, room = word, later
        else:
            piece = f"{piece} {word}" if piece else word
    yield piece


def _columns(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(mark) in "WF" else 1 for mark in text)


def _styled(part: str) -> Text:
    from rich.text import Text

    text = Text(part)
    text.highlight_regex(_WARNED, "yellow")
    text.highlight_regex(_DETAILS, "dim")
    return text


def _write_json(document: object, stream: TextIO) -> None:
    written = as_json(document)
    _write((written if _takes(stream, written) else as_json(document, is_ascii=True)) + "\n", stream)


def _write(text: str, stream: TextIO) -> None:
    """Write and flush; a reader that has gone away, as `head` does, ends the command quietly."""
    if not _takes(stream, text):
        text = text.encode("ascii", "backslashreplace").decode("ascii")
    try:
        stream.write(text)
        stream.flush()
    except BrokenPipeError:
        # What is still buffered has nowhere to go, now and when the interpreter closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        raise typer.Exit(0) from None


def _takes(stream: TextIO, text: str) -> bool:
    """Whether the stream's encoding has all these characters."""
    try:
        text.encode(stream.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


@contextmanager
def progress(
    label: str,
    *,
    total: int | None = None,
    counted: Callable[[], int] | None = None,
    is_json: bool = False,
) -> Iterator[Told]:
    """A bar on the error stream that is told how far things are; nothing where nobody is looking.

    Where it can be asked how many were `counted` so far, it shows how many that is a second.
    """
    if is_json or not sys.stderr.isatty():
        yield _unseen
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )

    done = MofNCompleteColumn() if total is None else TaskProgressColumn()
    label_column = TextColumn("{task.description}", markup=False)
    rate = TextColumn("{task.fields[rate]}")
    columns = (label_column, BarColumn(), done, rate, TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(plain(label), total=total, rate="")

        def told(done: int) -> None:
            elapsed = bar.tasks[0].elapsed
            speed = f"{counted() / elapsed:,.0f} a second" if counted is not None and elapsed else ""
            bar.update(task, completed=done, rate=speed)

        yield told


def _unseen(_done: int) -> None:
    """Show nothing."""


def columns(rows: dict[str, Any]) -> str:
    """Names and numbers, one a line, the numbers below each other."""
    widest = max((len(name) for name in rows), default=0)
    longest = max((len(str(value)) for value in rows.values()), default=0)
    return "\n".join(f"{name:<{widest}}  {value!s:>{longest}}" for name, value in rows.items())
