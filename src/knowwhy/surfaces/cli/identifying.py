"""Commands about which entities are one: questions, duplicates, merge-entities, distinguish."""

from __future__ import annotations

from typing import Annotated, TypeAlias

import typer

from knowwhy.surfaces.cli.desk import opened
from knowwhy.surfaces.cli.options import ASKING, TELLING, Place, Signed
from knowwhy.surfaces.cli.screen import show, show_result
from knowwhy.surfaces.cli.spread import spread

Named: TypeAlias = Annotated[str, typer.Argument(metavar="ENTITY", help="A name of it, or its id (en_…).")]


def enter(app: typer.Typer) -> None:
    """Add the commands of this file to the program."""
    for question in (questions, duplicates):
        app.command(rich_help_panel=ASKING)(spread(question))
    for command in (merge_entities, distinguish):
        app.command(rich_help_panel=TELLING)(spread(command))


def questions(place: Place) -> None:
    """Which entities share a name, and may be one or two: merge-entities or distinguish says."""
    with opened(place) as memory:
        found = memory.questions()
    documents = [one.as_dict() for one in found]
    show("\n".join(map(str, found)) or "No question is open.", documents, is_json=place.is_json)


def duplicates(
    entity: Annotated[
        str | None, typer.Argument(metavar="[ENTITY]", help="Only pairs with this one: a name or an id.")
    ] = None,
    *,
    limit: Annotated[int, typer.Option("--limit", help="How many pairs at the most.")] = 20,
    place: Place,
) -> None:
    """Which entities look like one: what agrees, and what speaks against."""
    with opened(place) as memory:
        found = memory.duplicates(entity, limit=limit)
    documents = [one.as_dict() for one in found]
    show("\n".join(map(str, found)) or "None look like one.", documents, is_json=place.is_json)


def merge_entities(
    entity: Named,
    into: Annotated[str, typer.Argument(metavar="INTO", help="Which one is to stand for both.")],
    *,
    signed: Signed,
    place: Place,
) -> None:
    """Two entities are one: what is held of them is decided as one, until undo or distinguish."""
    with opened(place) as memory:
        outcome = memory.merge_entities(entity, into, author=signed.author, reason=signed.reason)
    show_result(outcome, is_json=place.is_json)


def distinguish(
    one: Named,
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The other one.")],
    *,
    signed: Signed,
    place: Place,
) -> None:
    """Two entities are two, though they may share a name; merged ones become two again."""
    with opened(place) as memory:
        outcome = memory.distinguish(one, other, author=signed.author, reason=signed.reason)
    show_result(outcome, is_json=place.is_json)
