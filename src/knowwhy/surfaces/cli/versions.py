"""Commands about versions: show, diff, snapshot, snapshots, undo, what-if, why-not, vacuum."""

from __future__ import annotations

from typing import Annotated

import typer

from knowwhy import InvalidInput, Observation
from knowwhy.surfaces.cli.desk import opened, reading
from knowwhy.surfaces.cli.observing import Observing
from knowwhy.surfaces.cli.options import (
    ASKING,
    KEEPING,
    VERSIONING,
    Attribute,
    Conditions,
    Place,
    Signed,
    Subject,
    Times,
    Unit,
)
from knowwhy.surfaces.cli.saying import Claimed, Said
from knowwhy.surfaces.cli.screen import show as show_words
from knowwhy.surfaces.cli.screen import show_result
from knowwhy.surfaces.cli.spread import spread

_STATES = """\
A state is the number of an operation (the state after it), the name of a snapshot or of a branch, main, or \
a time (what was known then):

knowwhy diff 41 42

knowwhy diff 'before the import'

knowwhy diff main 'market up'

knowwhy diff 2025-08-01 2025-09-01 --valid 2025-08-01
"""
_SUPPOSED = """\
knowwhy what-if --retract ev_6b15e12ef5356eb01782

knowwhy what-if --source 'policy 5' --source-type official --claim order 'return window' 30
"""


def enter(app: typer.Typer) -> None:
    """Add the commands of this file to the program."""
    for command in (show, snapshot, snapshots, undo):
        app.command(rich_help_panel=VERSIONING)(spread(command))
    app.command(rich_help_panel=VERSIONING, epilog=_STATES)(spread(diff))
    app.command(rich_help_panel=ASKING, cls=Observing, epilog=_SUPPOSED)(spread(what_if))
    app.command(rich_help_panel=ASKING)(spread(why_not))
    app.command(rich_help_panel=KEEPING)(spread(vacuum))


def show(
    operation: Annotated[int, typer.Argument(metavar="N", help="The number of an operation, see log.")],
    place: Place,
) -> None:
    """All that an operation did: who, why, by which policy, what it brought, what that changed."""
    with opened(place) as memory:
        report = memory.show(operation)
    show_result(report, is_json=place.is_json)


def snapshot(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the present state is called.")],
    signed: Signed,
    place: Place,
) -> None:
    """Give the present state a name, to compare with later."""
    with opened(place) as memory:
        outcome = memory.snapshot(name, author=signed.author, reason=signed.reason)
    show_result(outcome, is_json=place.is_json)


def snapshots(place: Place) -> None:
    """The states that have a name."""
    with opened(place) as memory:
        found = memory.snapshots()
    documents = [one.as_dict() for one in found]
    show_words("\n".join(map(str, found)) or "No snapshots.", documents, is_json=place.is_json)


def undo(
    operation: Annotated[
        list[int] | None, typer.Argument(metavar="N...", help="The numbers of operations, see log.")
    ] = None,
    run: Annotated[
        str | None,
        typer.Option("--run", metavar="NAME", help="All operations of an import, see observe --run."),
    ] = None,
    anyway: Annotated[bool, typer.Option("--anyway", help="Even if later operations rest on it.")] = False,
    *,
    signed: Signed,
    place: Place,
) -> None:
    """Reverse operations by a new one, which can be undone too."""
    with opened(place) as memory:
        outcome = memory.undo(
            operation or (), run=run, anyway=anyway, author=signed.author, reason=signed.reason
        )
    show_result(outcome, is_json=place.is_json)


def diff(
    before: Annotated[str, typer.Argument(metavar="STATE", help="The earlier state; see below.")],
    after: Annotated[
        str | None, typer.Argument(metavar="STATE", help="The later state; the present, if not given.")
    ] = None,
    valid: Annotated[
        str | None,
        typer.Option("--valid", metavar="TIME", help="The time of the world that is asked about; else now."),
    ] = None,
    *,
    place: Place,
) -> None:
    """How two states differ, value by value: status, confidence and evidence."""
    with opened(place) as memory:
        found = memory.diff(before, after, valid=valid)
    show_result(found, is_json=place.is_json)


def what_if(
    retract: Annotated[
        list[str] | None,
        typer.Option("--retract", metavar="ID", help="Evidence or a claim to withdraw. May be repeated."),
    ] = None,
    *,
    claimed: Claimed,
    conditions: Conditions,
    said: Said,
    place: Place,
) -> None:
    """What a withdrawal, or a new statement, would change; nothing is written."""
    claims = claimed.drafts(conditions.pairs)
    if claims and said.source is None:
        raise InvalidInput("Say who would say so, with --source NAME.")
    supposed = (
        [
            Observation(
                said.source or "",
                claims=claims,
                source_type=said.source_type,
                observed_at=said.observed_at,
                recorded_at=said.recorded_at,
            )
        ]
        if claims
        else []
    )
    with opened(place) as memory:
        found = memory.what_if(retract=retract or (), observe=supposed)
    show_result(found, is_json=place.is_json)


def why_not(
    subject: Subject,
    attribute: Attribute,
    value: Annotated[str, typer.Argument(metavar="VALUE", help="What is not believed of it.")],
    unit: Unit = None,
    *,
    conditions: Conditions,
    times: Times,
    place: Place,
) -> None:
    """Why a value is not believed, and what is in its place."""
    with reading(place, times) as memory:
        found = memory.why_not(subject, attribute, value, unit=unit, conditions=conditions.pairs)
    show_result(found, is_json=place.is_json)


def vacuum(
    horizon: Annotated[
        str, typer.Argument(metavar="TIME", help="What was known before that need not be told any more.")
    ],
    signed: Signed,
    place: Place,
) -> None:
    """Drop for good what is only needed to tell what was known before a time."""
    with opened(place) as memory:
        outcome = memory.vacuum(horizon, author=signed.author, reason=signed.reason)
    show_result(outcome, is_json=place.is_json)
