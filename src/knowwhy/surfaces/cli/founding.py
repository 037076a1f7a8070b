"""Commands that say how a memory is to understand what it hears: init, declare, configure."""

from __future__ import annotations

from typing import Annotated

import typer

from knowwhy.core.confidence import ConfidenceModel
from knowwhy.core.model import WEIGHTS
from knowwhy.core.revision import POLICIES
from knowwhy.engine.declaring import Traits
from knowwhy.surfaces.cli.describing import Ageing, Bearing, Nature, Settling, Wording
from knowwhy.surfaces.cli.desk import is_there, opened, path_of
from knowwhy.surfaces.cli.options import FOUNDING, Place, Signed, numbers
from knowwhy.surfaces.cli.screen import show, show_result
from knowwhy.surfaces.cli.spread import spread

_CHOICES = """\
Policies: authority-then-recency (the default) lets a higher authority win, then the newer word, then more \
evidence; confidence-first more evidence, then authority; newest the newer word, whoever says it; ratio what \
comes later only with odds more than 1.5 times as good; manual nothing but a correction.

Models: evidence (the default) counts statements, and tells not knowing from disagreement; log-odds is for \
independent sources whose reliability was measured; factors is a score of source, age and agreement.
"""


def enter(app: typer.Typer) -> None:
    """Add the commands of this file to the program."""
    app.command(rich_help_panel=FOUNDING)(spread(init))
    app.command(rich_help_panel=FOUNDING)(spread(declare))
    app.command(rich_help_panel=FOUNDING, epilog=_CHOICES)(spread(configure))


def init(place: Place) -> None:
    """An empty memory in a file of its own; one that exists is left as it is."""
    path, was_there = path_of(place), is_there(place)
    with opened(place, may_make=True):
        words = f"{path} is a memory already." if was_there else f"Made an empty memory in {path}."
        show(words, {"db": path, "made": not was_there}, is_json=place.is_json)


def declare(
    attribute: Annotated[
        str,
        typer.Argument(
            metavar="ATTRIBUTE", help="Its name; “return_window” and “Return window” are the same."
        ),
    ],
    *,
    nature: Nature,
    ageing: Ageing,
    wording: Wording,
    settling: Settling,
    bearing: Bearing,
    signed: Signed,
    place: Place,
) -> None:
    """What an attribute is; what is already held about it is settled anew."""
    traits = Traits(
        stale_below=ageing.stale_below,
        kind=ageing.kind,
        depends_on=bearing.dependencies,
        confidence=settling.confidence,
        policy=settling.policy,
        base_rate=settling.base_rate,
        strictness=settling.strictness,
        act_above=bearing.act_above,
        domain=bearing.domain,
        subject_type=nature.subject_type,
        object_type=nature.object_type,
        inverse=nature.inverse,
        author=signed.author,
        reason=signed.reason,
    )
    if nature.changes is not None:  # else its kind says
        traits["changes"] = nature.changes
    with opened(place, may_make=True) as memory:
        outcome = memory.declare(
            attribute,
            cardinality=nature.cardinality,
            value_type=nature.value_type,
            unit=nature.unit,
            half_life_days=ageing.half_life,
            synonyms=wording.synonym or (),
            patterns=wording.pattern or (),
            about=wording.about,
            **traits,
        )
    show_result(outcome, is_json=place.is_json)


def configure(
    policy: Annotated[
        str | None,
        typer.Option(
            "--policy", metavar="NAME", help=f"By what conflicts are settled: {', '.join(POLICIES)}."
        ),
    ] = None,
    confidence: Annotated[ConfidenceModel | None, typer.Option(help="The model of the numbers.")] = None,
    ranking: Annotated[
        list[str] | None,
        typer.Option(
            "--ranking",
            metavar="WEIGHT=NUMBER",
            help=f"What recall shows first: {', '.join(WEIGHTS)}. May be given several times.",
            show_default=False,
        ),
    ] = None,
    lifetimes: Annotated[
        list[str] | None,
        typer.Option(
            "--lifetime",
            metavar="KIND=DAYS",
            help="How long words are kept on which nothing rests: of a source type, or filler. 0: for good.",
            show_default=False,
        ),
    ] = None,
    audits: Annotated[
        float | None,
        typer.Option(
            "--audits",
            metavar="DAYS",
            help="How long it is kept on record what recall and ask answered to whom. 0: it is not recorded.",
            show_default=False,
        ),
    ] = None,
    *,
    signed: Signed,
    place: Place,
) -> None:
    """By what this memory decides where an attribute does not say; all that is held is settled anew."""
    with opened(place, may_make=True) as memory:
        outcome = memory.configure(
            policy=policy,
            confidence=confidence,
            ranking=numbers(ranking, "--ranking"),
            lifetimes=numbers(lifetimes, "--lifetime"),
            audits=audits,
            author=signed.author,
            reason=signed.reason,
        )
    show_result(outcome, is_json=place.is_json)
