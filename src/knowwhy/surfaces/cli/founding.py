"""Commands that begin: init, declare."""

from __future__ import annotations

from typing import Annotated

import typer

from knowwhy.core.model import Cardinality, ValueType
from knowwhy.surfaces.cli.desk import is_there, opened, path_of
from knowwhy.surfaces.cli.options import TELLING, Ageing, Attribute, Place, Signed, Unit, Wording
from knowwhy.surfaces.cli.screen import show, show_result
from knowwhy.surfaces.cli.spread import spread


def enter(app: typer.Typer) -> None:
    """Add the commands of this file to the program."""
    for command in (init, declare):
        app.command(rich_help_panel=TELLING)(spread(command))


def init(place: Place) -> None:
    """An empty memory in a file of its own; one that exists is left as it is."""
    path, was_there = path_of(place), is_there(place)
    with opened(place, may_make=True):
        words = f"{path} is a memory already." if was_there else f"Made an empty memory in {path}."
        show(words, {"db": path, "made": not was_there}, is_json=place.is_json)


def declare(
    attribute: Attribute,
    cardinality: Annotated[
        Cardinality,
        typer.Option(help="One value at a time, which excludes others, or many side by side."),
    ] = Cardinality.ONE,
    value_type: Annotated[
        ValueType | None, typer.Option("--type", help="What its values are; without it, what comes.")
    ] = None,
    unit: Unit = None,
    changes: Annotated[
        bool,
        typer.Option(
            "--changes/--fixed",
            help="Whether the world may move; if fixed, like a birthday, a later word can only correct.",
        ),
    ] = True,
    *,
    ageing: Ageing,
    wording: Wording,
    signed: Signed,
    place: Place,
) -> None:
    """What an attribute is; what is already held about it is settled anew."""
    with opened(place, may_make=True) as memory:
        outcome = memory.declare(
            attribute,
            cardinality=cardinality,
            value_type=value_type,
            unit=unit,
            changes=changes,
            half_life_days=ageing.half_life,
            stale_below=ageing.stale_below,
            synonyms=wording.synonym or (),
            patterns=wording.pattern or (),
            about=wording.about,
            author=signed.author,
            reason=signed.reason,
        )
    show_result(outcome, is_json=place.is_json)
