"""Commands that revise what is held: end, retract, correct, give-up, alias, unalias."""

from __future__ import annotations

from typing import Annotated

import typer

from knowwhy.surfaces.cli.desk import opened
from knowwhy.surfaces.cli.options import (
    TELLING,
    Attribute,
    Conditions,
    Place,
    Signed,
    Subject,
    Testimony,
    Unit,
    Versioned,
)
from knowwhy.surfaces.cli.screen import show_result
from knowwhy.surfaces.cli.spread import spread


def enter(app: typer.Typer) -> None:
    """Add the commands of this file to the program."""
    for command in (end, retract, correct, give_up, alias, unalias):
        app.command(rich_help_panel=TELLING)(spread(command))


def end(
    subject: Subject,
    attribute: Attribute,
    value: Annotated[
        str | None, typer.Argument(metavar="VALUE", help="Which value; whatever stands, if not given.")
    ] = None,
    at: Annotated[
        str | None,
        typer.Option("--at", metavar="TIME", help="When it stopped; else now.", show_default=False),
    ] = None,
    *,
    conditions: Conditions,
    testimony: Testimony,
    versioned: Versioned,
    signed: Signed,
    place: Place,
) -> None:
    """It stopped being true: the world moved, and what was true keeps its past."""
    with opened(place) as memory:
        outcome = memory.end(
            subject,
            attribute,
            value,
            at=at,
            text=testimony.text,
            source=testimony.source,
            conditions=conditions.pairs,
            expected_version=versioned.expected_version,
            author=signed.author,
            reason=signed.reason,
        )
    show_result(outcome, is_json=place.is_json)


def retract(
    target: Annotated[
        str, typer.Argument(metavar="ID", help="The id of an item of evidence (ev_…) or of one claim (cl_…).")
    ],
    versioned: Versioned,
    signed: Signed,
    place: Place,
) -> None:
    """Withdraw an item of evidence, or one claim; what rested on it alone falls."""
    with opened(place) as memory:
        outcome = memory.retract(
            target,
            expected_version=versioned.expected_version,
            author=signed.author,
            reason=signed.reason,
        )
    show_result(outcome, is_json=place.is_json)


def correct(
    subject: Subject,
    attribute: Attribute,
    value: Annotated[str, typer.Argument(metavar="VALUE", help="What was right all along.")],
    was: Annotated[
        str | None,
        typer.Option("--was", metavar="VALUE", help="Which value was wrong; else whatever stands."),
    ] = None,
    unit: Unit = None,
    *,
    conditions: Conditions,
    testimony: Testimony,
    versioned: Versioned,
    signed: Signed,
    place: Place,
) -> None:
    """We were wrong: what stood never held, and VALUE did all along."""
    with opened(place) as memory:
        outcome = memory.correct(
            subject,
            attribute,
            value,
            was=was,
            unit=unit,
            text=testimony.text,
            source=testimony.source,
            conditions=conditions.pairs,
            expected_version=versioned.expected_version,
            author=signed.author,
            reason=signed.reason,
        )
    show_result(outcome, is_json=place.is_json)


def give_up(
    subject: Subject,
    attribute: Attribute,
    value: Annotated[
        str | None, typer.Argument(metavar="VALUE", help="Which value; whatever stands, if not given.")
    ] = None,
    *,
    conditions: Conditions,
    testimony: Testimony,
    versioned: Versioned,
    signed: Signed,
    place: Place,
) -> None:
    """No longer believe it, without saying that it is wrong; a correction brings it back."""
    with opened(place) as memory:
        outcome = memory.give_up(
            subject,
            attribute,
            value,
            text=testimony.text,
            source=testimony.source,
            conditions=conditions.pairs,
            expected_version=versioned.expected_version,
            author=signed.author,
            reason=signed.reason,
        )
    show_result(outcome, is_json=place.is_json)


def alias(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The further name.")],
    entity: Annotated[str, typer.Argument(metavar="ENTITY", help="What it is to stand for.")],
    entity_id: Annotated[
        str | None,
        typer.Option("--entity-id", metavar="ID", help="Which one, where the name has several."),
    ] = None,
    *,
    signed: Signed,
    place: Place,
) -> None:
    """A further name for something. A name may stand for several; then a question is asked back."""
    with opened(place) as memory:
        outcome = memory.alias(name, entity, entity_id=entity_id, author=signed.author, reason=signed.reason)
    show_result(outcome, is_json=place.is_json)


def unalias(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The further name.")],
    entity: Annotated[str, typer.Argument(metavar="ENTITY", help="What it no longer stands for.")],
    *,
    signed: Signed,
    place: Place,
) -> None:
    """Take a further name away again."""
    with opened(place) as memory:
        outcome = memory.unalias(name, entity, author=signed.author, reason=signed.reason)
    show_result(outcome, is_json=place.is_json)
