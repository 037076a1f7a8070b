"""Commands about whom to trust: learn, sources, quarantine, release."""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

import typer

from knowwhy.surfaces.cli.desk import opened, reading
from knowwhy.surfaces.cli.options import ASKING, KEEPING, Place, Signed, Times
from knowwhy.surfaces.cli.screen import show, show_result
from knowwhy.surfaces.cli.spread import spread

Speaker: TypeAlias = Annotated[str, typer.Argument(metavar="SOURCE", help="The name of the source.")]


def enter(app: typer.Typer) -> None:
    """Add the commands of this file to the program."""
    app.command(rich_help_panel=ASKING)(spread(sources))
    for command in (learn, quarantine, release):
        app.command(rich_help_panel=KEEPING)(spread(command))


def learn(signed: Signed, place: Place) -> None:
    """Learn how reliable sources are, from how they bear each other out."""
    with opened(place) as memory:
        outcome = memory.learn(author=signed.author, reason=signed.reason)
    show_result(outcome, is_json=place.is_json)


def sources(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Which source; all of them, if not given.")
    ] = None,
    *,
    times: Times,
    place: Place,
) -> None:
    """How far each source is trusted, and what became of what it said."""
    with reading(place, times) as memory:
        found = memory.sources(name)
    documents: list[dict[str, Any]] = [one.as_dict() for one in found]
    show("\n".join(map(str, found)) or "Nobody has spoken here.", documents, is_json=place.is_json)


def quarantine(source: Speaker, signed: Signed, place: Place) -> None:
    """What a source said, and will say, counts nothing until it is released; nothing is deleted."""
    with opened(place) as memory:
        outcome = memory.quarantine(source, author=signed.author, reason=signed.reason)
    show_result(outcome, is_json=place.is_json)


def release(source: Speaker, signed: Signed, place: Place) -> None:
    """What a source said counts again."""
    with opened(place) as memory:
        outcome = memory.release(source, author=signed.author, reason=signed.reason)
    show_result(outcome, is_json=place.is_json)
