"""The options and arguments that commands share, each said once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, TypeAlias

import typer

FOUNDING = "Set it up"
TELLING = "Tell it"
ASKING = "Ask it"
VERSIONING = "Branch off and go back"
KEEPING = "Look after it"
_PLACE = "Which memory, and how to print"
_TIME = "As of when"
_SIGNED = "On the record"

Subject: TypeAlias = Annotated[str, typer.Argument(metavar="SUBJECT", help="What it is about, by any name.")]
Attribute: TypeAlias = Annotated[str, typer.Argument(metavar="ATTRIBUTE", help="Which of its attributes.")]
Unit: TypeAlias = Annotated[str | None, typer.Option("--unit", metavar="UNIT", help="The unit of the value.")]


def pairs(words: Sequence[str] | None, option: str) -> dict[str, str]:
    """What was written as key=value, by its keys."""
    found: dict[str, str] = {}
    for one in words or ():
        key, equals, value = one.partition("=")
        if not equals or not key.strip() or not value.strip():
            msg = f"{one!r} must be written as key=value, such as region=eu"
            raise typer.BadParameter(msg, param_hint=option)
        found[key.strip()] = value.strip()
    return found


def numbers(words: Sequence[str] | None, option: str) -> dict[str, float] | None:
    """What was written as name=number, by the names; None where nothing was."""
    found: dict[str, float] = {}
    for name, written in pairs(words, option).items():
        try:
            found[name] = float(written)
        except ValueError:
            msg = f"{written!r} is no number, such as 0.3"
            raise typer.BadParameter(msg, param_hint=option) from None
    return found or None


@dataclass(frozen=True)
class Place:
    """Which memory is meant and how it answers; these options may stand before or after the command."""

    db: Annotated[
        str | None,
        typer.Option(
            "--db",
            metavar="PATH",
            help="The file of the memory. Without it $KNOWWHY_DB, or else knowwhy.db here.",
            rich_help_panel=_PLACE,
            show_default=False,
        ),
    ] = None
    space: Annotated[
        str | None,
        typer.Option(
            "--space",
            metavar="NAME",
            help="Which memory in the file; they never see each other. Without it: main.",
            rich_help_panel=_PLACE,
            show_default=False,
        ),
    ] = None
    branch: Annotated[
        str | None,
        typer.Option(
            "--branch",
            metavar="NAME",
            help="Which of its branches to read or write. Without it: the main line.",
            rich_help_panel=_PLACE,
            show_default=False,
        ),
    ] = None
    zone: Annotated[
        str | None,
        typer.Option(
            "--zone",
            metavar="ZONE",
            help="How to read times of day that name no zone, such as Europe/Berlin or +08:00.",
            rich_help_panel=_PLACE,
            show_default=False,
        ),
    ] = None
    agent: Annotated[
        str | None,
        typer.Option(
            "--agent",
            metavar="NAME",
            help="Which agent acts: it reads what it may. Without it $KNOWWHY_AGENT.",
            rich_help_panel=_PLACE,
            show_default=False,
        ),
    ] = None
    user: Annotated[
        str | None,
        typer.Option(
            "--user",
            metavar="NAME",
            help="For which user. Without it $KNOWWHY_USER.",
            rich_help_panel=_PLACE,
            show_default=False,
        ),
    ] = None
    group: Annotated[
        list[str] | None,
        typer.Option(
            "--group",
            metavar="NAME",
            help="To which group they belong; may be repeated. Without it $KNOWWHY_GROUPS.",
            rich_help_panel=_PLACE,
            show_default=False,
        ),
    ] = None
    share: Annotated[
        list[str] | None,
        typer.Option(
            "--share",
            metavar="WHOM",
            help="Who may read what is written: agent:NAME, user:NAME, group:NAME, or nobody else. "
            "May be repeated; all may where it is not given.",
            rich_help_panel=_PLACE,
            show_default=False,
        ),
    ] = None
    is_json: Annotated[
        bool,
        typer.Option("--json", help="Print one JSON document instead of sentences.", rich_help_panel=_PLACE),
    ] = False

    def within(self, outer: Place) -> Place:
        """These options, and where they are silent those given before the command's name."""
        return Place(
            db=outer.db if self.db is None else self.db,
            space=outer.space if self.space is None else self.space,
            branch=outer.branch if self.branch is None else self.branch,
            zone=outer.zone if self.zone is None else self.zone,
            agent=outer.agent if self.agent is None else self.agent,
            user=outer.user if self.user is None else self.user,
            group=self.group or outer.group,
            share=self.share or outer.share,
            is_json=self.is_json or outer.is_json,
        )


@dataclass(frozen=True)
class Times:
    """As of when a memory is read."""

    at: Annotated[
        str | None,
        typer.Option(
            "--at",
            metavar="TIME",
            help="What held in the world then, such as 2025-01-12 or 2025-01-12T09:00Z; now where not given.",
            rich_help_panel=_TIME,
            show_default=False,
        ),
    ] = None
    known: Annotated[
        str | None,
        typer.Option(
            "--known",
            metavar="TIME",
            help="What the memory had been told by then; all of it where not given.",
            rich_help_panel=_TIME,
            show_default=False,
        ),
    ] = None


@dataclass(frozen=True)
class Conditions:
    """Under which conditions a value holds."""

    when: Annotated[
        list[str] | None,
        typer.Option(
            "--when",
            metavar="KEY=VALUE",
            help="A condition, such as region=eu. May be given several times.",
            show_default=False,
        ),
    ] = None

    @property
    def pairs(self) -> Mapping[str, str] | None:
        """The conditions by their keys, or None where none was given."""
        return pairs(self.when, "--when") or None


@dataclass(frozen=True)
class Signed:
    """Who does something, and why: it stays in the log."""

    author: Annotated[
        str | None,
        typer.Option(
            "--author", metavar="NAME", help="Who does this.", rich_help_panel=_SIGNED, show_default=False
        ),
    ] = None
    reason: Annotated[
        str | None,
        typer.Option(
            "--reason", metavar="TEXT", help="Why, for the log.", rich_help_panel=_SIGNED, show_default=False
        ),
    ] = None


@dataclass(frozen=True)
class Versioned:
    """The guard against overwriting what another has changed meanwhile."""

    expected_version: Annotated[
        int | None,
        typer.Option(
            "--expected-version",
            metavar="N",
            help="Do it only if the belief concerned still has this version; a conflict (exit 4) otherwise.",
            rich_help_panel=_SIGNED,
            show_default=False,
        ),
    ] = None


@dataclass(frozen=True)
class Testimony:
    """On whose word something is ended or corrected."""

    text: Annotated[
        str | None,
        typer.Option("--text", metavar="TEXT", help="The words that say so.", show_default=False),
    ] = None
    source: Annotated[
        str | None,
        typer.Option("--source", metavar="NAME", help="Who says so; else the author.", show_default=False),
    ] = None


@dataclass(frozen=True)
class Prompt:
    """The answer as a fragment for a language model's prompt."""

    as_prompt: Annotated[
        bool,
        typer.Option("--prompt", help="Print a fragment for a model's prompt, with all stored text quoted."),
    ] = False
    max_tokens: Annotated[
        int | None,
        typer.Option(
            "--max-tokens",
            metavar="N",
            min=1,
            help="With --prompt: about how long at most.",
            show_default=False,
        ),
    ] = None
