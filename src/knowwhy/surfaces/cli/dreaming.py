"""Commands that consolidate a memory, and tell what was said in short: dream, summary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from knowwhy.surfaces.cli.desk import opened, reading
from knowwhy.surfaces.cli.options import ASKING, KEEPING, Place, Signed, Times
from knowwhy.surfaces.cli.screen import show_result, show_verbatim
from knowwhy.surfaces.cli.spread import spread


@dataclass(frozen=True)
class Bounds:
    """How much may change, and what counts as unused."""

    at_most: Annotated[
        float | None,
        typer.Option(
            "--at-most",
            metavar="SHARE",
            help="Of how many of the beliefs the standing may change, from 0 to 1.",
            show_default=False,
        ),
    ] = None
    unused_days: Annotated[
        float,
        typer.Option("--unused-days", metavar="DAYS", help="Put away what nobody spoke of for so long."),
    ] = 180.0
    when: Annotated[
        str | None,
        typer.Option(
            metavar="CRON",
            help='Only if a time of it has come since the last run; "30 3 * * *": at 3:30 (see --zone).',
            show_default=False,
        ),
    ] = None
    expected: Annotated[
        str | None,
        typer.Option(metavar="STATE", help="Only if the memory is as in that dry run.", show_default=False),
    ] = None


def enter(app: typer.Typer) -> None:
    """Add the commands of this file to the program."""
    app.command(rich_help_panel=KEEPING)(spread(dream))
    app.command(rich_help_panel=ASKING)(spread(summary))


def dream(
    steps: Annotated[
        list[str] | None,
        typer.Option("--steps", metavar="STEP", help="One step, given again for more; all if not given."),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only show what would be done, and why.")
    ] = False,
    retry: Annotated[bool, typer.Option("--retry", help="Try again what is parked.")] = False,
    measure: Annotated[
        bool, typer.Option("--measure", help="Tell figures that take a look at everything, too.")
    ] = False,
    html: Annotated[bool, typer.Option("--html", help="The report as a page.")] = False,
    *,
    bounds: Bounds,
    signed: Signed,
    place: Place,
) -> None:
    """Consolidate what is new: one operation, which undo takes back."""
    with opened(place) as memory:
        report = memory.dream(
            steps or None,
            dry_run=dry_run,
            share=bounds.at_most,
            unused_days=bounds.unused_days,
            when=bounds.when,
            expected=bounds.expected,
            retry=retry,
            measure=measure,
            author=signed.author,
            reason=signed.reason,
        )
    if html:
        show_verbatim(report.to_html(), report.as_dict(), is_json=place.is_json)
    else:
        show_result(report, is_json=place.is_json)


def summary(
    subject: Annotated[
        str | None, typer.Argument(metavar="SUBJECT", help="Of what to tell.", show_default=False)
    ] = None,
    context: Annotated[
        str | None, typer.Option("--context", metavar="CONTEXT", help="Of which session.", show_default=False)
    ] = None,
    *,
    times: Times,
    place: Place,
) -> None:
    """What tells of a subject or a session, in the words of its sources, as far as it still holds."""
    with reading(place, times) as memory:
        told = memory.summary(subject, context=context)
    show_result(told, is_json=place.is_json)
