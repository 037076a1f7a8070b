"""Commands about reading words: worker, queue, retry, observe-document."""

from __future__ import annotations

import time
from typing import Annotated, Final

import typer

from knowwhy import InvalidInput, Memory, Unavailable
from knowwhy.surfaces.cli.desk import opened
from knowwhy.surfaces.cli.observing import read_words
from knowwhy.surfaces.cli.options import KEEPING, TELLING, VERSIONING, Place, Signed, pairs
from knowwhy.surfaces.cli.screen import show_result
from knowwhy.surfaces.cli.spread import spread

_LEASE: Final = 60.0


def enter(app: typer.Typer) -> None:
    """Add the commands of this file to the program."""
    for command in (worker, queue, retry):
        app.command(rich_help_panel=KEEPING)(spread(command))
    app.command(rich_help_panel=TELLING)(spread(observe_document))
    app.command(rich_help_panel=TELLING)(spread(sync))
    app.command(rich_help_panel=VERSIONING)(spread(reextract))


def observe_document(
    uri: Annotated[
        str, typer.Argument(metavar="URI", help="What the document is called: a path, an address.")
    ],
    version: Annotated[str, typer.Argument(metavar="VERSION", help="What this version is called.")],
    text: Annotated[
        str | None, typer.Argument(metavar="TEXT|-", help="Its words; - reads them from standard input.")
    ] = None,
    file: Annotated[
        str | None, typer.Option("--file", metavar="FILE", help="Read the words from a file.")
    ] = None,
    source_type: Annotated[
        str, typer.Option("--source-type", metavar="KIND", help="What kind of source it is.")
    ] = "document",
    observed_at: Annotated[
        str | None,
        typer.Option(
            "--observed-at", metavar="TIME", help="When this version was published.", show_default=False
        ),
    ] = None,
    metadata: Annotated[
        list[str] | None,
        typer.Option("--metadata", metavar="KEY=VALUE", help="What else to keep.", show_default=False),
    ] = None,
    *,
    signed: Signed,
    place: Place,
) -> None:
    """A version of a document: what it confirms, changes, adds and drops."""
    words = read_words(text, file)
    if words is None:
        raise InvalidInput("Give the words of the document, or a --file that holds them.")
    with opened(place, may_make=True) as memory:
        impact = memory.observe_document(
            uri,
            version,
            words,
            source_type=source_type,
            observed_at=observed_at,
            metadata=pairs(metadata, "--metadata") or None,
            author=signed.author,
            reason=signed.reason,
        )
    show_result(impact, is_json=place.is_json)


def reextract(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What the new branch is called.")],
    since: Annotated[
        str | None,
        typer.Option(
            "--since", metavar="TIME", help="Only what became known from then on.", show_default=False
        ),
    ] = None,
    extractor: Annotated[
        str | None,
        typer.Option(
            "--extractor",
            metavar="NAME",
            help="Who reads: rules (without it), model (see KNOWWHY_MODEL_URL), or an installed one.",
        ),
    ] = None,
    *,
    signed: Signed,
    place: Place,
) -> None:
    """Read kept words again on a new branch, to compare it and merge it."""
    with opened(place) as memory:
        report = memory.reextract(
            name, since=since, extractor=extractor, author=signed.author, reason=signed.reason
        )
    show_result(report, is_json=place.is_json)


def sync(
    folder: Annotated[str, typer.Argument(metavar="FOLDER", help="Where the pages are.")],
    source_type: Annotated[
        str, typer.Option("--source-type", metavar="KIND", help="What kind of source they are.")
    ] = "document",
    every: Annotated[
        float | None,
        typer.Option("--every", metavar="SECONDS", min=0.05, help="Go on, looking so often for changes."),
    ] = None,
    *,
    signed: Signed,
    place: Place,
) -> None:
    """The Markdown, text, HTML and PDF files below a folder as documents, as far as they changed."""
    with opened(place, may_make=True) as memory:
        is_first = True
        while True:
            report = memory.sync(folder, source_type=source_type, author=signed.author, reason=signed.reason)
            if is_first or report.says_anything:
                show_result(report, is_json=place.is_json)
            if every is None:
                return
            is_first = False
            time.sleep(every)


def worker(
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="Stop after so many items.")
    ] = None,
    lease: Annotated[
        float,
        typer.Option("--lease", metavar="SECONDS", help="How long nobody else may take what is being read."),
    ] = _LEASE,
    extractor: Annotated[
        str | None,
        typer.Option(
            "--extractor",
            metavar="NAME",
            help="Who reads: rules (without it), model (see KNOWWHY_MODEL_URL), or an installed one.",
        ),
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Stop once nothing is ready.")] = False,
    every: Annotated[
        float, typer.Option("--every", metavar="SECONDS", min=0.05, help="How often to look for new words.")
    ] = 1.0,
    *,
    signed: Signed,
    place: Place,
) -> None:
    """Read the words that were observed with --later, for as long as it runs; several may run at once."""
    with opened(place, extractor=extractor) as memory:
        left = limit
        while True:
            done = _worked(memory, left, lease, signed, place)
            left = None if left is None else left - done
            if once or left == 0:
                return
            time.sleep(every)


def _worked(memory: Memory, limit: int | None, lease: float, signed: Signed, place: Place) -> int:
    """Work off what is ready, and say so if it was anything; how many items were read."""
    try:
        report = memory.work(limit=limit, lease=lease, author=signed.author, reason=signed.reason)
    except Unavailable as problem:
        wait = problem.details.get("retry_after")
        time.sleep(wait if isinstance(wait, int | float) else 1.0)
        return 0
    if report.read or report.failed or report.parked:
        show_result(report, is_json=place.is_json)
    return report.read


def queue(
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", help="How many to list at most.")] = 20,
    *,
    place: Place,
) -> None:
    """What waits to be read, and what failed."""
    with opened(place) as memory:
        found = memory.queue(limit=limit)
    show_result(found, is_json=place.is_json)


def retry(
    evidence: Annotated[
        str | None, typer.Argument(metavar="EVIDENCE", help="One item; all that is parked, if not given.")
    ] = None,
    *,
    signed: Signed,
    place: Place,
) -> None:
    """Try what is parked again."""
    with opened(place) as memory:
        outcome = memory.retry(evidence, author=signed.author, reason=signed.reason)
    show_result(outcome, is_json=place.is_json)
