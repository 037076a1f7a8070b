"""Commands that decide conflicts: resolve, assign."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from knowwhy.surfaces.cli.desk import opened
from knowwhy.surfaces.cli.options import TELLING, Place, Signed, Versioned
from knowwhy.surfaces.cli.screen import show_result
from knowwhy.surfaces.cli.spread import spread

Which: TypeAlias = Annotated[
    str, typer.Argument(metavar="CONFLICT", help="The id of a conflict (cf_…), as conflicts shows it.")
]


def enter(app: typer.Typer) -> None:
    """Add the commands of this file to the program."""
    for command in (resolve, assign):
        app.command(rich_help_panel=TELLING)(spread(command))


def resolve(
    conflict: Which,
    choice: Annotated[
        str, typer.Argument(metavar="CHOICE", help="The value of one side, or its belief's id; or neither.")
    ],
    idempotency_key: Annotated[
        str | None,
        typer.Option(
            "--idempotency-key",
            metavar="KEY",
            help="Do it once only, however often it is sent.",
            show_default=False,
        ),
    ] = None,
    *,
    versioned: Versioned,
    signed: Signed,
    place: Place,
) -> None:
    """Decide an open conflict; a later word for a losing side opens it again."""
    with opened(place) as memory:
        outcome = memory.resolve(
            conflict,
            choice,
            expected_version=versioned.expected_version,
            idempotency_key=idempotency_key,
            author=signed.author,
            reason=signed.reason,
        )
    show_result(outcome, is_json=place.is_json)


def assign(
    conflict: Which,
    to: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="Who is to decide; nobody in particular, if not given."),
    ] = None,
    due: Annotated[
        str | None, typer.Option("--due", metavar="TIME", help="By when.", show_default=False)
    ] = None,
    *,
    signed: Signed,
    place: Place,
) -> None:
    """Who is to decide an open conflict, and by when."""
    with opened(place) as memory:
        outcome = memory.assign(conflict, to, due=due, author=signed.author, reason=signed.reason)
    show_result(outcome, is_json=place.is_json)
