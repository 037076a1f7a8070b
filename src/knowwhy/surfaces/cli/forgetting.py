"""Commands about erasure: forget, erasures."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from knowwhy import InvalidInput, Memory
from knowwhy.engine.forgetting import Chosen
from knowwhy.surfaces.cli.desk import opened
from knowwhy.surfaces.cli.options import KEEPING, Place, Signed
from knowwhy.surfaces.cli.screen import show, show_result
from knowwhy.surfaces.cli.spread import spread

_FORGET = """\
Look first at what would go, and why:

knowwhy forget --person 'Ann Example' --preview

knowwhy forget --person 'Ann Example'

After a backup was restored, forget again what had been forgotten since:

knowwhy erasures --json > erasures.json

knowwhy forget --again erasures.json
"""


def enter(app: typer.Typer) -> None:
    """Add the commands of this file to the program."""
    app.command(rich_help_panel=KEEPING, epilog=_FORGET)(spread(forget))
    app.command(rich_help_panel=KEEPING)(spread(erasures))


@dataclass(frozen=True)
class What:
    """What is to be forgotten."""

    person: Annotated[
        str | None,
        typer.Option("--person", metavar="NAME", help="All they said, and all that is said of them."),
    ] = None
    person_id: Annotated[
        str | None, typer.Option("--person-id", metavar="ID", help="Which, where a name stands for several.")
    ] = None
    source: Annotated[
        str | None, typer.Option("--source", metavar="NAME", help="All that this source said.")
    ] = None
    context: Annotated[
        str | None, typer.Option("--context", metavar="ID", help="All of this conversation or document.")
    ] = None
    evidence: Annotated[
        list[str] | None, typer.Option("--evidence", metavar="ID", help="This item; may be repeated.")
    ] = None
    about: Annotated[
        str | None,
        typer.Option("--about", metavar="WORDS", help="The one belief that these words can mean."),
    ] = None
    again: Annotated[
        Path | None,
        typer.Option("--again", metavar="FILE", help="What is in these receipts, see erasures --json."),
    ] = None
    mentions: Annotated[
        bool, typer.Option("--mentions/--no-mentions", help="Also all words in which the person is named.")
    ] = True

    @property
    def chosen(self) -> Chosen:
        """The same as the verb takes it."""
        return {
            "person": self.person,
            "person_id": self.person_id,
            "source": self.source,
            "context": self.context,
            "evidence": [*(self.evidence or ()), *_records(self.again)],
            "about": self.about,
            "mentions": self.mentions,
        }


def forget(
    what: What,
    preview: Annotated[
        bool, typer.Option("--preview", help="Only say what would go, and why; erase nothing.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask back.")] = False,
    *,
    signed: Signed,
    place: Place,
) -> None:
    """Erase for good, on every branch and from the file: it cannot be undone."""
    chosen = what.chosen
    with opened(place) as memory:
        if preview:
            show_result(memory.preview_forget(**chosen), is_json=place.is_json)
            return
        if not yes and not place.is_json:
            _ask_back(memory, chosen)
        receipt = memory.forget(author=signed.author, reason=signed.reason, **chosen)
    show_result(receipt, is_json=place.is_json)


def _ask_back(memory: Memory, chosen: Chosen) -> None:
    typer.echo(str(memory.preview_forget(**chosen)), err=True)
    typer.confirm("Erase this for good?", abort=True, err=True)


def _records(receipts: Path | None) -> list[str]:
    """The records that a file of receipts names."""
    if receipts is None:
        return []
    try:
        told = json.loads(receipts.read_text("utf-8"))
        return [str(own_id) for receipt in told for own_id in receipt["records"]]
    except (OSError, ValueError, KeyError, TypeError) as failure:
        msg = f"{receipts} holds no receipts: {failure}. Make it with: knowwhy erasures --json."
        raise InvalidInput(msg) from failure


def erasures(place: Place) -> None:
    """The receipts of what was erased, each checked against what is on record."""
    with opened(place) as memory:
        found = memory.erasures()
    documents = [one.as_dict() for one in found]
    show("\n".join(map(str, found)) or "Nothing was erased.", documents, is_json=place.is_json)
