"""Commands between a memory and files: export, import-from, backup."""

from __future__ import annotations

from typing import Annotated

import typer

from knowwhy.surfaces.cli.desk import opened, reading
from knowwhy.surfaces.cli.options import KEEPING, Place, Signed, Times
from knowwhy.surfaces.cli.screen import progress, show_result
from knowwhy.surfaces.cli.spread import spread


def enter(app: typer.Typer) -> None:
    """Add the commands of this file to the program."""
    for command in (export, import_from, backup):
        app.command(rich_help_panel=KEEPING)(spread(command))


def export(
    path: Annotated[str, typer.Argument(metavar="FILE", help="Where to; it must not be there yet.")],
    format: Annotated[  # noqa: A002 - what it is called everywhere
        str | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="jsonl, the complete archive. Without it, as the file's name ends.",
        ),
    ] = None,
    *,
    times: Times,
    place: Place,
) -> None:
    """Write the memory to a file, as an archive from which it can be made anew."""
    with (
        reading(place, times) as reader,
        progress("exporting, by operation", is_json=place.is_json) as told,
    ):
        done = reader.export(path, format, progress=told)
    show_result(done, is_json=place.is_json)


def import_from(
    path: Annotated[str, typer.Argument(metavar="FILE", help="A file, or a folder, to take from.")],
    format: Annotated[  # noqa: A002 - what it is called everywhere
        str | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="mcp, chat, markdown, mem0, zep or langgraph. An archive (jsonl) is known by itself.",
        ),
    ] = None,
    *,
    signed: Signed,
    place: Place,
) -> None:
    """Take an archive into an empty memory, or what another memory kept; tell what could not be mapped."""
    with (
        opened(place, may_make=True) as memory,
        progress("importing, by operation or item", is_json=place.is_json) as told,
    ):
        done = memory.import_from(path, format, author=signed.author, reason=signed.reason, progress=told)
    show_result(done, is_json=place.is_json)


def backup(
    path: Annotated[str, typer.Argument(metavar="FILE", help="Where to; it must not be there yet.")],
    *,
    place: Place,
) -> None:
    """Copy the memory while it is in use: its whole file, or on a server an archive of it."""
    with opened(place) as memory, progress("copying", is_json=place.is_json) as told:
        done = memory.backup(path, progress=told)
    show_result(done, is_json=place.is_json)
