"""The command that evaluates: eval plays evaluation sets, or makes a first one from a memory."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import typer

import knowwhy
from knowwhy import Evaluation, InvalidInput, NotFound
from knowwhy.surfaces.cli.desk import DEFAULT_SPACE, is_there, opened, principal_of
from knowwhy.surfaces.cli.options import ASKING, Place
from knowwhy.surfaces.cli.screen import complain, progress, show, show_line, show_verbatim
from knowwhy.surfaces.cli.spread import spread

# The exit code where something did not come out as expected.
FAILED: Final = 1

# How often it is looked whether a file changed.
_LOOKS_EVERY: Final = 0.2


def enter(app: typer.Typer) -> None:
    """Add the commands of this file to the program."""
    app.command(rich_help_panel=ASKING)(spread(eval))


def eval(  # noqa: A001 - it is the command's name
    sets: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="Evaluation sets: YAML, or .jsonl.", show_default=False),
    ] = None,
    copy_of: Annotated[
        str | None,
        typer.Option(
            "--copy-of",
            metavar="DB",
            help="Play each story on a copy of this memory, which is not written to; else on an empty one.",
            show_default=False,
        ),
    ] = None,
    from_memory: Annotated[
        str | None,
        typer.Option(
            "--from-memory",
            metavar="DB",
            help="Print a first set instead: a story for every fact of this memory that changed.",
            show_default=False,
        ),
    ] = None,
    junit: Annotated[
        Path | None,
        typer.Option("--junit", metavar="FILE", help="Write the result to this file as JUnit XML, too."),
    ] = None,
    *,
    watch: Annotated[
        bool, typer.Option("--watch", help="Play them again whenever a file changes, until interrupted.")
    ] = False,
    place: Place,
) -> None:
    """Play stories of what a memory is told, and compare what it answers; exits with 1 where it fails."""
    if from_memory is not None:
        if sets or copy_of or junit or watch:
            raise InvalidInput("--from-memory makes a set and plays none: give it alone.")
        _made(replace(place, db=from_memory))
        return
    if not sets:
        raise InvalidInput("Name the files of the set: knowwhy eval FILE. To make one: eval --from-memory DB")
    if place.db is not None or place.branch is not None or place.zone is not None or place.share:
        msg = (
            "eval plays on an empty memory, or on a copy: name that by --copy-of; leave --db, --branch, "
            "--zone and --share out."
        )
        raise InvalidInput(msg)
    if copy_of is not None and not is_there(Place(db=copy_of)):
        raise NotFound(f"There is no memory at {copy_of}.", db=copy_of)
    play = partial(_played, sets, copy_of, junit, place)
    if watch:
        _watched(sets, play, is_json=place.is_json)
    found = play()
    show(str(found), found.as_dict(), is_json=place.is_json)
    if not found.has_passed:
        raise typer.Exit(FAILED)


def _made(place: Place) -> None:
    with opened(place) as memory, progress("reading, by fact", is_json=place.is_json) as told:
        written = knowwhy.from_memory(memory, progress=told)
    show_verbatim(written.rstrip("\n"), {"set": written}, is_json=place.is_json)


def _played(sets: Sequence[Path], copy_of: str | None, junit: Path | None, place: Place) -> Evaluation:
    with progress("playing, by story", is_json=place.is_json) as told:
        found = knowwhy.evaluate(
            *sets,
            copy_of=copy_of,
            space=place.space or DEFAULT_SPACE,
            principal=principal_of(place),
            progress=told,
        )
    if junit is not None:
        junit.write_text(found.to_junit(), encoding="utf-8")
    return found


def _watched(sets: Sequence[Path], play: Callable[[], Evaluation], *, is_json: bool) -> None:
    """Play the sets, and again after every change, until somebody interrupts; a slip is told and mended."""
    while True:
        before = _stamps(sets)
        try:
            found = play()
            show_line(str(found), found.as_dict(), is_json=is_json)
        except InvalidInput as slip:
            complain(f"knowwhy: {slip.message}", slip.as_dict(), is_json=is_json)
        sys.stdout.flush()
        while _stamps(sets) == before:
            time.sleep(_LOOKS_EVERY)


def _stamps(sets: Sequence[Path]) -> list[tuple[int, int] | None]:
    return [(one.stat().st_mtime_ns, one.stat().st_size) if one.exists() else None for one in sets]
