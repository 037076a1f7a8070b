"""Commands for those who run the servers: admin distribute."""

from __future__ import annotations

from typing import Annotated

import typer

from knowwhy.engine.distribute import distribute as spread_over
from knowwhy.surfaces.cli.options import KEEPING, Place
from knowwhy.surfaces.cli.screen import show_verbatim
from knowwhy.surfaces.cli.spread import spread

admin = typer.Typer(help="For those who run the servers that memories are on.")


def enter(app: typer.Typer) -> None:
    """Add the commands of this file to the program."""
    admin.command()(spread(distribute))
    # Without it, a program with one command has no name for it.
    admin.callback()(_administer)
    app.add_typer(admin, name="admin", rich_help_panel=KEEPING)


def _administer() -> None:
    """For those who run the servers that memories are on."""


def distribute(
    url: Annotated[str, typer.Argument(metavar="URL", help="The coordinator, as postgresql://…")],
    *,
    shards: Annotated[
        int | None, typer.Option(metavar="N", help="How many pieces to cut each table into; 64 if not said.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only print the statements.")] = False,
    place: Place,
) -> None:
    """Spread the memories of a database over a Citus cluster by space, and print the statements."""
    done = spread_over(url, shards=shards, dry_run=dry_run)
    show_verbatim(str(done).rstrip("\n"), done.as_dict(), is_json=place.is_json)
