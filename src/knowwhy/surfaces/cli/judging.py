"""Commands that judge beliefs, and say how well they do: feedback, used, calibration, to-check."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from knowwhy import CalibrationReport
from knowwhy.core.model import Judgement
from knowwhy.recall.rendering import sentence
from knowwhy.surfaces.cli.desk import opened, reading
from knowwhy.surfaces.cli.options import ASKING, TELLING, Place, Signed, Times
from knowwhy.surfaces.cli.screen import show, show_result
from knowwhy.surfaces.cli.spread import spread


def enter(app: typer.Typer) -> None:
    """Add the commands of this file to the program."""
    app.command(rich_help_panel=TELLING)(spread(feedback))
    app.command(rich_help_panel=TELLING)(spread(used))
    for command in (calibration, to_check):
        app.command(rich_help_panel=ASKING)(spread(command))


def feedback(
    belief: Annotated[
        str, typer.Argument(metavar="BELIEF", help="The id of a belief (bl_…), as ask --json shows it.")
    ],
    judgement: Annotated[
        Judgement, typer.Argument(help="Whether it is so; of a denial, whether it is not so.")
    ],
    by: Annotated[
        str | None,
        typer.Option("--by", metavar="NAME", help="Who judges; else the author.", show_default=False),
    ] = None,
    *,
    signed: Signed,
    place: Place,
) -> None:
    """Somebody who knows finds a belief right or wrong: what calibration is measured by."""
    with opened(place) as memory:
        outcome = memory.feedback(belief, judgement, by=by, author=signed.author, reason=signed.reason)
    show_result(outcome, is_json=place.is_json)


def used(
    recollection: Annotated[
        str, typer.Argument(metavar="QUESTION", help="What was asked; it is asked again, for now.")
    ],
    useful: Annotated[
        list[str] | None,
        typer.Option(
            "--useful",
            metavar="BELIEF",
            help="The id of a belief that was useful. May be given several times.",
            show_default=False,
        ),
    ] = None,
    *,
    signed: Signed,
    place: Place,
) -> None:
    """Which beliefs of what recall brought were useful: the like of them comes first from now on."""
    with opened(place) as memory:
        outcome = memory.used(recollection, useful or (), author=signed.author, reason=signed.reason)
    show_result(outcome, is_json=place.is_json)


def calibration(
    attribute: Annotated[
        str | None,
        typer.Option("--attribute", metavar="ATTRIBUTE", help="Of one attribute; else of all."),
    ] = None,
    svg: Annotated[
        Path | None,
        typer.Option("--svg", metavar="FILE", help="Write the diagram to this file as a drawing, too."),
    ] = None,
    *,
    times: Times,
    place: Place,
) -> None:
    """Whether, of what was held at 0.9, nine in ten were right, as far as somebody judged."""
    with reading(place, times) as memory:
        report = memory.calibration(attribute=attribute)
    drawn = ""
    if svg is not None:
        svg.write_text(report.to_svg(), encoding="utf-8")
        drawn = f"\nThe diagram is drawn in {svg}."
    show(_fitting(report) + drawn, report.as_dict(), is_json=place.is_json)


def to_check(
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", help="How many at most.")] = 5,
    seed: Annotated[
        str, typer.Option("--seed", metavar="TEXT", help="Which sample; the same goes on with the same one.")
    ] = "0",
    *,
    times: Times,
    place: Place,
) -> None:
    """Beliefs drawn by chance, for somebody to check and judge with feedback."""
    with reading(place, times) as memory:
        drawn = memory.to_check(limit, seed=seed)
    words = (
        "\n".join(f"{one.id}  {sentence(one)}" for one in drawn)
        or "Nothing stands that nobody has judged yet."
    )
    show(words, [one.as_dict() for one in drawn], is_json=place.is_json)


def _fitting(report: CalibrationReport) -> str:
    """The report as the terminal can show it."""
    words = str(report)
    try:
        words.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return report.to_text(is_ascii=True)
    return words
