"""Commands about what is kept beside beliefs: incomplete, complete, dismiss, expire."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

import typer

from knowwhy import Stance
from knowwhy.surfaces.cli.desk import opened
from knowwhy.surfaces.cli.options import (
    ASKING,
    KEEPING,
    TELLING,
    Attribute,
    Conditions,
    Place,
    Signed,
    Subject,
    Unit,
)
from knowwhy.surfaces.cli.screen import show, show_result
from knowwhy.surfaces.cli.spread import spread

Statement: TypeAlias = Annotated[
    str, typer.Argument(metavar="STATEMENT", help="Its id, as incomplete lists it.")
]


@dataclass(frozen=True)
class Way:
    """How a statement is meant, and of which time it speaks."""

    stance: Annotated[Stance, typer.Option(help="What it does to the value.")] = Stance.SUPPORTS
    valid_from: Annotated[
        str | None, typer.Option("--valid-from", metavar="TIME", help="Since when.", show_default=False)
    ] = None
    valid_to: Annotated[
        str | None, typer.Option("--valid-to", metavar="TIME", help="Until when.", show_default=False)
    ] = None


def enter(app: typer.Typer) -> None:
    """Add the commands of this file to the program."""
    app.command(rich_help_panel=ASKING)(spread(incomplete))
    for command in (complete, dismiss):
        app.command(rich_help_panel=TELLING)(spread(command))
    app.command(rich_help_panel=KEEPING)(spread(expire))


def incomplete(place: Place) -> None:
    """What was said and lacks something to be believed: complete or dismiss it."""
    with opened(place) as memory:
        found = memory.incomplete()
    documents = [one.as_dict() for one in found]
    show("\n".join(map(str, found)) or "Nothing waits for what it lacks.", documents, is_json=place.is_json)


def complete(
    statement: Statement,
    subject: Subject,
    attribute: Attribute,
    value: Annotated[str, typer.Argument(metavar="VALUE", help="What it says of it.")],
    unit: Unit = None,
    *,
    way: Way,
    conditions: Conditions,
    signed: Signed,
    place: Place,
) -> None:
    """Say what an incomplete statement claims; it is believed of who said it, from when they said it."""
    with opened(place) as memory:
        outcome = memory.complete(
            statement,
            subject,
            attribute,
            value,
            unit=unit,
            conditions=conditions.pairs,
            valid_from=way.valid_from,
            valid_to=way.valid_to,
            stance=way.stance,
            author=signed.author,
            reason=signed.reason,
        )
    show_result(outcome, is_json=place.is_json)


def dismiss(statement: Statement, signed: Signed, place: Place) -> None:
    """Let an incomplete statement go; its words stay."""
    with opened(place) as memory:
        outcome = memory.dismiss(statement, author=signed.author, reason=signed.reason)
    show_result(outcome, is_json=place.is_json)


def expire(signed: Signed, place: Place) -> None:
    """Withdraw words whose lifetime is over and on which nothing rests; see configure --lifetime."""
    with opened(place) as memory:
        outcome = memory.expire(author=signed.author, reason=signed.reason)
    show_result(outcome, is_json=place.is_json)
