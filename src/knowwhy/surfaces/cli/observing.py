"""The command observe: one text, one set of claims, or a file of many."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO, Annotated, Any, Final

import typer
from typer.core import TyperCommand

from knowwhy import InvalidInput, Memory, NotFound
from knowwhy.surfaces.cli.desk import opened
from knowwhy.surfaces.cli.jsonl import FORMAT
from knowwhy.surfaces.cli.loading import Load
from knowwhy.surfaces.cli.options import TELLING, Conditions, Place, Signed, pairs
from knowwhy.surfaces.cli.saying import WORDS_OF_A_CLAIM, Claimed, Guard, Kept, Said
from knowwhy.surfaces.cli.screen import progress, show_result
from knowwhy.surfaces.cli.spread import spread

_STDIN: Final = "-"


class Observing(TyperCommand):
    """A command whose --claim takes three words, as often as it is given."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:  # noqa: ANN401 - as the method it overrides
        """Bind each --claim and its three words into one."""
        bound: list[str] = []
        rest = list(args)
        while rest:
            word = rest.pop(0)
            bound.append(word)
            if word == "--":
                bound, rest = bound + rest, []
            elif word == "--claim":
                if len(rest) < WORDS_OF_A_CLAIM:
                    msg = "--claim takes three words: SUBJECT ATTRIBUTE VALUE"
                    raise typer.BadParameter(msg, ctx=ctx)
                bound.append(json.dumps(rest[:WORDS_OF_A_CLAIM]))
                del rest[:WORDS_OF_A_CLAIM]
        return super().parse_args(ctx, bound)


def enter(app: typer.Typer) -> None:
    """Add the command of this file to the program."""
    app.command(rich_help_panel=TELLING, cls=Observing, epilog=FORMAT)(spread(observe))


def observe(
    text: Annotated[
        str | None,
        typer.Argument(metavar="TEXT|-", help="The source's words; - reads them from standard input."),
    ] = None,
    file: Annotated[
        str | None, typer.Option("--file", metavar="FILE", help="Read the words from a file.")
    ] = None,
    jsonl: Annotated[
        str | None,
        typer.Option(
            "--jsonl", metavar="FILE", help="Observe each line of a file (- for standard input); see below."
        ),
    ] = None,
    *,
    claimed: Claimed,
    conditions: Conditions,
    said: Said,
    kept: Kept,
    guard: Guard,
    signed: Signed,
    place: Place,
) -> None:
    """What a source said; beliefs are revised where it bears on them."""
    if jsonl is not None:
        _refuse_beside_lines(text, file, claimed, kept, guard)
        _load(jsonl, said, guard, signed, place)
        return
    words = read_words(text, file)
    claims = claimed.drafts(conditions.pairs)
    if not claims and (conditions.when or claimed != Claimed()):
        raise InvalidInput(
            "--when, --unit, --valid-from, --valid-to, --stance, --modality and --depends-on need a --claim."
        )
    if said.source is None:
        raise InvalidInput("Say who says so, with --source NAME.")
    with _opened(place, guard) as memory:
        outcome = memory.observe(
            words,
            source=said.source,
            source_type=said.source_type,
            observed_at=said.observed_at,
            recorded_at=said.recorded_at,
            claims=claims,
            is_pinned=kept.is_pinned,
            is_forced=kept.is_forced,
            context=kept.context,
            derived_from=kept.derived_from or (),
            authority=kept.authority,
            reliability=kept.reliability,
            metadata=pairs(kept.metadata, "--metadata") or None,
            extract="later" if guard.is_later else guard.extract,
            takes_undeclared=guard.takes_undeclared,
            idempotency_key=guard.idempotency_key,
            expected_version=guard.expected_version,
            author=signed.author,
            reason=signed.reason,
        )
    show_result(outcome, is_json=place.is_json)


def _opened(place: Place, guard: Guard) -> AbstractContextManager[Memory]:
    """The memory to observe in, which is made where there is none yet."""
    return opened(place, may_make=True, strict=guard.strict, run=guard.run, extractor=guard.extractor)


def _refuse_beside_lines(
    text: str | None, file: str | None, claimed: Claimed, kept: Kept, guard: Guard
) -> None:
    beside = {
        "a text": text is not None,
        "--file": file is not None,
        "--claim and what belongs to it": claimed != Claimed(),
        "--context, --pinned, --forced, --derived-from, --authority, --reliability and --metadata": (
            kept != Kept()
        ),
        "--expected-version": guard.expected_version is not None,
    }
    for what, is_given in beside.items():
        if is_given:
            raise typer.BadParameter(
                f"{what} cannot stand beside it; say it in the lines", param_hint="--jsonl"
            )


def _load(jsonl: str, said: Said, guard: Guard, signed: Signed, place: Place) -> None:
    with _opened_file(jsonl) as (lines, size), _opened(place, guard) as memory:
        name = "standard input" if jsonl == _STDIN else jsonl
        label = f"observing {Path(name).name}"
        with progress(label, total=size, counted=lambda: load.lines, is_json=place.is_json) as told:
            absent = {**said.named, "extract": "later"} if guard.is_later else said.named
            load = Load(memory, name, signed, absent, guard.idempotency_key, told)
            load.run(lines)
    show_result(load, is_json=place.is_json)


def read_words(text: str | None, file: str | None) -> str | None:
    """The words to observe, from wherever they are to come; those from a pipe without their last line end."""
    if text is not None and file is not None:
        raise typer.BadParameter("give the words, or a file of them, not both", param_hint="--file")
    if text != _STDIN and file is None:
        return text
    with _opened_file(file or _STDIN) as (lines, _):
        read = b"".join(lines)
    try:
        words = read.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        msg = f"{file or 'standard input'} is not text in UTF-8."
        raise InvalidInput(msg) from problem
    return words if file is not None else words.removesuffix("\n").removesuffix("\r")


@contextmanager
def _opened_file(path: str) -> Iterator[tuple[IO[bytes], int | None]]:
    """The file at `path`, or standard input, and its size where that is known."""
    if path == _STDIN:
        yield sys.stdin.buffer, None
        return
    try:
        file = Path(path).open("rb")  # noqa: SIM115 - closed below; only opening may fail so
    except OSError as problem:
        msg = f"{path} cannot be read: {problem.strerror}."
        raise NotFound(msg, path=path) from problem
    with file:
        yield file, Path(path).stat().st_size
