"""Commands about branches: fork, branches, drop, merge."""

from __future__ import annotations

from typing import Annotated

import typer

from knowwhy.surfaces.cli.desk import opened
from knowwhy.surfaces.cli.options import VERSIONING, Place, Signed
from knowwhy.surfaces.cli.screen import show, show_result
from knowwhy.surfaces.cli.spread import spread

_FORK = """\
A branch costs nothing until it is written to. Every command reads and writes it with --branch:

knowwhy fork 'market up' --assumes 'prices rise by a fifth'

knowwhy observe --branch 'market up' --source analyst --claim acme price 120

knowwhy ask --branch 'market up' acme price

knowwhy merge 'market up' --preview
"""


def enter(app: typer.Typer) -> None:
    """Add the commands of this file to the program."""
    app.command(rich_help_panel=VERSIONING, epilog=_FORK)(spread(fork))
    for command in (branches, drop, merge):
        app.command(rich_help_panel=VERSIONING)(spread(command))


def fork(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the branch is called.")],
    assumes: Annotated[
        str | None, typer.Option("--assumes", metavar="TEXT", help="In words, what is assumed on it.")
    ] = None,
    expires_at: Annotated[
        str | None, typer.Option("--expires-at", metavar="TIME", help="When it can no longer be used.")
    ] = None,
    *,
    signed: Signed,
    place: Place,
) -> None:
    """A branch over the main line, or over --branch, as it is now."""
    with opened(place) as memory:
        memory.fork(name, assumes=assumes, expires_at=expires_at, author=signed.author, reason=signed.reason)
        (made,) = (one for one in memory.branches() if one.name == " ".join(name.split()))
    show_result(made, is_json=place.is_json)


def branches(place: Place) -> None:
    """The branches there are: from where each forked, what it assumes, how much was written on it."""
    with opened(place) as memory:
        found = memory.branches()
    documents = [one.as_dict() for one in found]
    show("\n".join(map(str, found)) or "No branches.", documents, is_json=place.is_json)


def drop(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Which branch.")],
    signed: Signed,
    place: Place,
) -> None:
    """Close a branch; its name is free again."""
    with opened(place) as memory:
        outcome = memory.drop(name, author=signed.author, reason=signed.reason)
    show_result(outcome, is_json=place.is_json)


def merge(
    other: Annotated[
        str, typer.Argument(metavar="BRANCH|FILE", help="A branch, main, or a file that holds a memory.")
    ],
    preview: Annotated[
        bool, typer.Option("--preview", help="Only say what it would come to; write nothing.")
    ] = False,
    expected: Annotated[
        str | None,
        typer.Option(
            "--expected", metavar="HEADS", help="Only if both lines stand as in the preview that said this."
        ),
    ] = None,
    *,
    signed: Signed,
    place: Place,
) -> None:
    """Take over all that another line has and this one lacks; what no rule settles is in conflicts."""
    with opened(place) as memory:
        if preview:
            show_result(memory.preview_merge(other), is_json=place.is_json)
            return
        outcome = memory.merge(other, expected=expected, author=signed.author, reason=signed.reason)
    show_result(outcome, is_json=place.is_json)
