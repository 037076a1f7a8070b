"""Commands by which a memory answers for its answers: audits, explain."""

from __future__ import annotations

from typing import Annotated

import typer

from knowwhy.surfaces.cli.desk import opened
from knowwhy.surfaces.cli.options import ASKING, Place
from knowwhy.surfaces.cli.screen import show, show_result
from knowwhy.surfaces.cli.spread import spread


def enter(app: typer.Typer) -> None:
    """Add the commands of this file to the program."""
    for command in (audits, explain):
        app.command(rich_help_panel=ASKING)(spread(command))


def audits(
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="How many, at the most.")] = 20,
    before: Annotated[
        str | None,
        typer.Option(
            "--before", metavar="AUDIT", help="Only answers older than this one.", show_default=False
        ),
    ] = None,
    *,
    place: Place,
) -> None:
    """The last answers on record, newest first; configure --audits DAYS has them recorded."""
    with opened(place) as memory:
        found = memory.audits(limit=limit, before=before)
    documents = [one.as_dict() for one in found]
    show("\n".join(map(str, found)) or "No answers are on record.", documents, is_json=place.is_json)


def explain(
    audit: Annotated[str, typer.Argument(metavar="AUDIT", help="The id of an answer (au_…), see audits.")],
    place: Place,
) -> None:
    """An answer on record, given again as of its time, and how it would come out now, and why."""
    with opened(place) as memory:
        found = memory.explain(audit)
    show_result(found, is_json=place.is_json)
