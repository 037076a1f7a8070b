"""Commands about who may do what: grant, grants."""

from __future__ import annotations

from typing import Annotated

import typer

from knowwhy.surfaces.cli.desk import opened
from knowwhy.surfaces.cli.options import KEEPING, Place, Signed
from knowwhy.surfaces.cli.screen import show, show_result
from knowwhy.surfaces.cli.spread import spread

_GRANT = """\
knowwhy grant group:editors decide authority

knowwhy grant agent:helper
"""


def enter(app: typer.Typer) -> None:
    """Add the commands of this file to the program."""
    app.command(rich_help_panel=KEEPING, epilog=_GRANT)(spread(grant))
    app.command(rich_help_panel=KEEPING)(spread(grants))


def grant(
    name: Annotated[str, typer.Argument(metavar="WHO", help="agent:NAME, user:NAME or group:NAME.")],
    rights: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="RIGHT...",
            help="decide, authority, pin, force, declare, branch, merge, undo, erase, maintain, grant; "
            "none takes all away.",
        ),
    ] = None,
    *,
    signed: Signed,
    place: Place,
) -> None:
    """Say what a principal may do besides reading, and writing what is its own."""
    with opened(place) as memory:
        outcome = memory.grant(name, *(rights or ()), author=signed.author, reason=signed.reason)
    show_result(outcome, is_json=place.is_json)


def grants(place: Place) -> None:
    """What principals have been granted."""
    with opened(place) as memory:
        found = memory.grants()
    documents = [one.as_dict() for one in found]
    show("\n".join(map(str, found)) or "Nothing was granted.", documents, is_json=place.is_json)
