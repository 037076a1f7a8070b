"""Commands for those who run the servers: admin distribute, submit, work, jobs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from knowwhy import Jobs
from knowwhy.engine.distribute import distribute as spread_over
from knowwhy.engine.jobs import KINDS
from knowwhy.engine.on_ray import NEAREST
from knowwhy.surfaces.cli.desk import embedder_named
from knowwhy.surfaces.cli.options import KEEPING, Place
from knowwhy.surfaces.cli.screen import columns, show, show_result, show_verbatim
from knowwhy.surfaces.cli.spread import spread

Url: TypeAlias = Annotated[str, typer.Argument(metavar="URL", help="The server, as postgresql://…")]

admin = typer.Typer(help="For those who run the servers that memories are on.")


def enter(app: typer.Typer) -> None:
    """Add the commands of this file to the program."""
    for command in (distribute, submit, work, jobs):
        admin.command()(spread(command))
    app.add_typer(admin, name="admin", rich_help_panel=KEEPING)


def distribute(
    url: Url,
    *,
    shards: Annotated[
        int | None, typer.Option(metavar="N", help="How many pieces to cut each table into; 64 if not said.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only print the statements.")] = False,
    place: Place,
) -> None:
    """Spread the memories of a database over a Citus cluster by space, and print the statements."""
    done = spread_over(url, shards=shards, dry_run=dry_run)
    show_verbatim(str(done).rstrip("\n"), done.as_dict(), is_json=place.is_json)


def submit(
    url: Url,
    kind: Annotated[str, typer.Argument(metavar="KIND", help=f"What is to be done: {', '.join(KINDS)}.")],
    spaces: Annotated[
        list[str] | None, typer.Argument(metavar="[SPACE]...", help="In which memories.")
    ] = None,
    *,
    listed: Annotated[
        Path | None, typer.Option("--from", metavar="FILE", help="A file with a space on each line.")
    ] = None,
    place: Place,
) -> None:
    """Have offline work done in many memories, by whoever says admin work."""
    named = [*(spaces or ())]
    if listed is not None:
        named += [one for one in listed.read_text("utf-8").splitlines() if one.strip()]
    if not named:
        raise typer.BadParameter("name spaces, or a file of them with --from", param_hint="SPACE")
    number = Jobs(url).submit(kind, named)
    show(f"{number} jobs more are due.", {"submitted": number}, is_json=place.is_json)


def work(
    url: Url,
    *,
    workers: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Let so many workers of a Ray cluster do it, instead of this process."
        ),
    ] = None,
    cluster: Annotated[
        str,
        typer.Option(metavar="ADDRESS", help="The Ray cluster; the one this machine is part of if not said."),
    ] = NEAREST,
    place: Place,
) -> None:
    """Take up one job after the other until none is left; any number of workers may do so at once."""
    queue = Jobs(url, embedder=embedder_named())
    worked = queue.work() if workers is None else queue.work_on_ray(workers, cluster)
    show_result(worked, is_json=place.is_json)


def jobs(url: Url, *, place: Place) -> None:
    """How many jobs there are of each kind, and what was given up and why."""
    queue = Jobs(url)
    counts, failures = queue.status(), queue.failures()
    rows = {f"{kind} {state}": number for kind, found in counts.items() for state, number in found.items()}
    told = [columns(rows)] if rows else ["No jobs were submitted."]
    told += [f"problem: {kind} in {space!r}: {why}" for space, kind, why in failures]
    failed = [{"space": space, "kind": kind, "told": why} for space, kind, why in failures]
    show("\n".join(told), {"jobs": counts, "failed": failed}, is_json=place.is_json)
