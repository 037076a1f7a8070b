"""Commands that look after a memory: log, changes, stats, embed, rebuild, doctor, migrate."""

from __future__ import annotations

from typing import Annotated, Final

import typer

import knowwhy
from knowwhy import Fault, NotFound
from knowwhy.engine.changes import MOST
from knowwhy.surfaces.cli.desk import DEFAULT_SPACE, is_there, opened
from knowwhy.surfaces.cli.options import KEEPING, Place
from knowwhy.surfaces.cli.screen import columns, progress, show, show_line, show_result
from knowwhy.surfaces.cli.spread import spread

# How long one look at what comes next lasts.
_FOLLOWING: Final = 60.0


def enter(app: typer.Typer) -> None:
    """Add the commands of this file to the program."""
    for command in (log, changes, stats, embed, rebuild, doctor, migrate):
        app.command(rich_help_panel=KEEPING)(spread(command))


def log(
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", help="How many at most.")] = 20,
    before: Annotated[
        int | None, typer.Option("--before", metavar="N", help="Those that precede operation N.")
    ] = None,
    *,
    place: Place,
) -> None:
    """What was done, newest first, by whom and why."""
    with opened(place) as memory:
        entries = memory.log(limit=limit, before=before)
    documents = [entry.as_dict() for entry in entries]
    show("\n".join(map(str, entries)) or "Nothing was done here.", documents, is_json=place.is_json)


def changes(
    since: Annotated[
        int, typer.Option("--since", metavar="N", help="Those after operation N; all where not given.")
    ] = 0,
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", help="How many at most.")] = MOST,
    wait: Annotated[
        float, typer.Option(metavar="SECONDS", help="How long to wait where there are none yet.")
    ] = 0.0,
    *,
    follow: Annotated[
        bool,
        typer.Option(
            "--follow",
            help="Go on with what comes, until it is interrupted; with --json, one document a line.",
        ),
    ] = False,
    place: Place,
) -> None:
    """What was done since an operation, oldest first; with --follow also what is done from now on."""
    with opened(place) as memory:
        entries = memory.changes(since, limit=limit, wait=wait)
        if not follow:
            documents = [entry.as_dict() for entry in entries]
            show("\n".join(map(str, entries)) or "Nothing was done since.", documents, is_json=place.is_json)
            return
        while True:
            for entry in entries:
                show_line(str(entry), entry.as_dict(), is_json=place.is_json)
                since = entry.operation.sequence
            entries = memory.changes(since, limit=limit, wait=_FOLLOWING)


def stats(place: Place) -> None:
    """How many records of each kind there are, and how many beliefs by status."""
    with opened(place) as memory:
        counts = memory.stats()
    show(columns(counts), counts, is_json=place.is_json)


def embed(place: Place) -> None:
    """Make the vectors that are missing, by the embedder that KNOWWHY_EMBEDDER names."""
    with opened(place) as memory, progress("embedding, by document", is_json=place.is_json) as told:
        report = memory.embed(told)
    show_result(report, is_json=place.is_json)


def rebuild(place: Place) -> None:
    """Compute every view anew from the log; answers are the same before and after."""
    with opened(place) as memory:
        with progress("rebuilding, by slot", is_json=place.is_json) as told:
            memory.rebuild(told)
        counts = memory.stats()
    show(
        "Every view was computed anew from the log.",
        {"rebuilt": True, "counts": counts},
        is_json=place.is_json,
    )


def doctor(place: Place) -> None:
    """Whether the file is sound and every view equals what the log says; exits with 70 if not."""
    with opened(place) as memory, progress("comparing, by slot", is_json=place.is_json) as told:
        diagnosis = memory.doctor(told)
    show_result(diagnosis, is_json=place.is_json)
    if not diagnosis.is_healthy:
        raise typer.Exit(Fault.exit_code)


def migrate(
    source: Annotated[str, typer.Argument(metavar="FROM", help="The file or server where the memory is.")],
    target: Annotated[
        str, typer.Argument(metavar="TO", help="Where it is to be: empty, or what was migrated before.")
    ],
    *,
    place: Place,
) -> None:
    """Move a memory with its branches to another place, while it is in use; again for what is new since."""
    if place.db is not None:
        raise typer.BadParameter("migrate names both places itself: FROM and TO.", param_hint="--db")
    source_place = Place(db=source)
    if not is_there(source_place):
        raise NotFound(f"There is no memory at {source}.", db=source)
    with progress("copying, by operation", is_json=place.is_json) as told:
        done = knowwhy.migrate(source, target, space=place.space or DEFAULT_SPACE, progress=told)
    show_result(done, is_json=place.is_json)
