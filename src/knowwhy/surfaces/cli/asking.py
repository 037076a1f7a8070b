"""Commands that read: ask, recall, trust, why, history, conflicts, declared."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from knowwhy import Answer, Recollection
from knowwhy.surfaces.cli.desk import reading
from knowwhy.surfaces.cli.options import ASKING, Attribute, Conditions, Place, Prompt, Subject, Times, Unit
from knowwhy.surfaces.cli.screen import show, show_result, show_verbatim
from knowwhy.surfaces.cli.spread import spread


def enter(app: typer.Typer) -> None:
    """Add the commands of this file to the program."""
    for command in (ask, recall, trust, why, history, conflicts, declared):
        app.command(rich_help_panel=ASKING)(spread(command))


def _answered(result: Answer | Recollection, prompt: Prompt, place: Place) -> None:
    if prompt.as_prompt:
        words = result.to_prompt(prompt.max_tokens)
        show_verbatim(words, {"prompt": words}, is_json=place.is_json)
    else:
        show_result(result, is_json=place.is_json)


def ask(
    subject: Subject,
    attribute: Annotated[
        str | None, typer.Argument(metavar="ATTRIBUTE", help="Which of its attributes; all, if not given.")
    ] = None,
    subject_id: Annotated[
        str | None,
        typer.Option("--subject-id", metavar="ID", help="Which one, where the name stands for several."),
    ] = None,
    *,
    conditions: Conditions,
    prompt: Prompt,
    times: Times,
    place: Place,
) -> None:
    """What stands for a subject, or for one attribute of it."""
    with reading(place, times) as memory:
        answer = memory.ask(subject, attribute, conditions=conditions.pairs, subject_id=subject_id)
    _answered(answer, prompt, place)


def recall(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="A question in plain words.")],
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", help="How many beliefs at most.")] = 5,
    min_score: Annotated[
        float, typer.Option(metavar="SCORE", help="Leave out what fits less well than this, from 0 to 1.")
    ] = 0.0,
    include: Annotated[
        list[str] | None,
        typer.Option(metavar="STATUS", help="Bring along beliefs of this status too, such as superseded."),
    ] = None,
    channels: Annotated[
        list[str] | None,
        typer.Option(
            "--channel",
            metavar="CHANNEL",
            help="Look by this way alone: names, slots, graph, text or vectors. May be given several times.",
            show_default=False,
        ),
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(
            metavar="TOKENS", min=1, help="Into how many tokens of a prompt it must fit.", show_default=False
        ),
    ] = None,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print it as a Markdown list.")] = False,
    *,
    prompt: Prompt,
    times: Times,
    place: Place,
) -> None:
    """What a question in plain words brings to mind, best first."""
    with reading(place, times) as memory:
        found = memory.recall(
            question,
            limit=limit,
            min_score=min_score,
            include=include or (),
            channels=channels,
            budget=budget,
        )
    if as_markdown:
        words = found.to_markdown()
        show_verbatim(words, {"markdown": words}, is_json=place.is_json)
    else:
        _answered(found, prompt, place)


def trust(
    subject: Subject,
    attribute: Attribute,
    value: Annotated[str, typer.Argument(metavar="VALUE", help="What is said of it.")],
    unit: Unit = None,
    *,
    conditions: Conditions,
    times: Times,
    place: Place,
) -> None:
    """How far one statement can be relied on, and on whose word."""
    with reading(place, times) as memory:
        result = memory.trust(subject, attribute, value, unit=unit, conditions=conditions.pairs)
    show_result(result, is_json=place.is_json)


def why(
    belief: Annotated[
        str, typer.Argument(metavar="BELIEF|SUBJECT", help="The id of a belief (bl_…), or a subject.")
    ],
    attribute: Annotated[
        str | None, typer.Argument(metavar="ATTRIBUTE", help="With a subject: which of its attributes.")
    ] = None,
    *,
    conditions: Conditions,
    times: Times,
    place: Place,
) -> None:
    """On what a belief rests, what stands against it, and what would change it."""
    with reading(place, times) as memory:
        explanation = memory.why(belief, attribute, conditions=conditions.pairs)
    show_result(explanation, is_json=place.is_json)


def history(
    subject: Annotated[
        str, typer.Argument(metavar="SUBJECT|BELIEF", help="What it is about, or the id of a belief (bl_…).")
    ],
    attribute: Annotated[
        str | None, typer.Argument(metavar="ATTRIBUTE", help="With a subject: which of its attributes.")
    ] = None,
    *,
    conditions: Conditions,
    times: Times,
    place: Place,
) -> None:
    """What was true when, when and why the mind changed, and what fell with it."""
    with reading(place, times) as memory:
        turns = memory.history(subject, attribute, conditions=conditions.pairs)
    show_result(turns, is_json=place.is_json)


def conflicts(
    subject: Annotated[
        str | None, typer.Argument(metavar="SUBJECT", help="About what; everything, if not given.")
    ] = None,
    *,
    times: Times,
    place: Place,
) -> None:
    """What cannot all be so, and no rule has put to rest."""
    with reading(place, times) as memory:
        found = memory.conflicts(subject)
    documents: list[dict[str, Any]] = [one.as_dict() for one in found]
    show("\n".join(map(str, found)) or "No open conflicts.", documents, is_json=place.is_json)


def declared(
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="An attribute, rule or denial; everything, if not given."),
    ] = None,
    *,
    times: Times,
    place: Place,
) -> None:
    """What is declared: attributes, rules, denials, and the policy."""
    with reading(place, times) as memory:
        found = memory.declared(name)
    show_result(found, is_json=place.is_json)
