"""The options of observe: who speaks, what is kept with the words, what they claim, and what guards it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated, Final

import typer

from knowwhy import SOURCE_TYPES, Draft, Modality, Stance
from knowwhy.surfaces.cli import notation

WORDS_OF_A_CLAIM: Final = 3

_SPOKEN: Final = "Who says so"
_CLAIMED: Final = "The claims of --claim"


@dataclass(frozen=True)
class Said:
    """Who said it, and when."""

    source: Annotated[
        str | None,
        typer.Option(
            "--source",
            metavar="NAME",
            help="A document with its version, a person, a tool.",
            rich_help_panel=_SPOKEN,
        ),
    ] = None
    source_type: Annotated[
        str | None,
        typer.Option(
            "--source-type",
            metavar="TYPE",
            help=f"Sets its authority: {', '.join(SOURCE_TYPES)}.",
            rich_help_panel=_SPOKEN,
        ),
    ] = None
    observed_at: Annotated[
        str | None,
        typer.Option(
            "--observed-at",
            metavar="TIME",
            help="When the source said it; now, if not given.",
            rich_help_panel=_SPOKEN,
        ),
    ] = None
    recorded_at: Annotated[
        str | None,
        typer.Option(
            "--recorded-at",
            metavar="TIME",
            help="Only for loading history: when it became known.",
            rich_help_panel=_SPOKEN,
        ),
    ] = None

    @property
    def named(self) -> dict[str, str]:
        """Those that were given, by name."""
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True)
class Kept:
    """What is kept with the words of a source."""

    context: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="The session, task or project it belongs to.", rich_help_panel=_SPOKEN
        ),
    ] = None
    is_pinned: Annotated[
        bool, typer.Option("--pinned", help="It is never to age.", rich_help_panel=_SPOKEN)
    ] = False
    is_forced: Annotated[
        bool,
        typer.Option(
            "--forced",
            help="Its claims go above all that is not forced, whoever said it.",
            rich_help_panel=_SPOKEN,
        ),
    ] = False
    derived_from: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID",
            help="Evidence that this merely repeats; it adds no voice of its own.",
            rich_help_panel=_SPOKEN,
        ),
    ] = None
    authority: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Instead of the source type's authority, 0 to 100.", rich_help_panel=_SPOKEN
        ),
    ] = None
    reliability: Annotated[
        float | None,
        typer.Option(
            metavar="P", help="Instead of how often such a source is right, 0 to 1.", rich_help_panel=_SPOKEN
        ),
    ] = None
    metadata: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="Anything to keep beside it.", rich_help_panel=_SPOKEN),
    ] = None


@dataclass(frozen=True)
class Claimed:
    """The claims that are read out of the words."""

    claim: Annotated[
        list[str] | None,
        typer.Option(
            "--claim",
            metavar="SUBJECT ATTRIBUTE VALUE",
            help="One statement in it, three words. May be given several times.",
            rich_help_panel=_CLAIMED,
            show_default=False,
        ),
    ] = None
    unit: Annotated[
        str | None, typer.Option(metavar="UNIT", help="The unit of the values.", rich_help_panel=_CLAIMED)
    ] = None
    valid_from: Annotated[
        str | None,
        typer.Option(
            metavar="TIME", help="From when it holds, if the words say so.", rich_help_panel=_CLAIMED
        ),
    ] = None
    valid_to: Annotated[
        str | None, typer.Option(metavar="TIME", help="Until when.", rich_help_panel=_CLAIMED)
    ] = None
    stance: Annotated[
        Stance, typer.Option(help="Whether it speaks for the value or against it.", rich_help_panel=_CLAIMED)
    ] = Stance.SUPPORTS
    modality: Annotated[Modality, typer.Option(help="How it was meant.", rich_help_panel=_CLAIMED)] = (
        Modality.ASSERTED
    )
    depends_on: Annotated[
        list[str] | None,
        typer.Option(
            "--depends-on",
            metavar="'SUBJECT / ATTRIBUTE'",
            help="What it rests on: when that moves, it is doubtful until confirmed. May be given several "
            "times.",
            rich_help_panel=_CLAIMED,
        ),
    ] = None

    def drafts(self, conditions: Mapping[str, str] | None) -> list[Draft]:
        """The claims as the library takes them."""
        words = [self._three(one) for one in self.claim or ()]
        premises = notation.topics(self.depends_on, "--depends-on")
        return [
            Draft(
                subject,
                attribute,
                value,
                stance=self.stance,
                unit=self.unit,
                conditions=conditions,
                valid_from=self.valid_from,
                valid_to=self.valid_to,
                modality=self.modality,
                depends_on=premises,
            )
            for subject, attribute, value in words
        ]

    @staticmethod
    def _three(bound: str) -> list[str]:
        try:
            words = json.loads(bound)
        except ValueError:
            words = None
        if not isinstance(words, list) or len(words) != WORDS_OF_A_CLAIM:
            msg = "write --claim SUBJECT ATTRIBUTE VALUE, each of the three a word or in quotes"
            raise typer.BadParameter(msg, param_hint="--claim")
        return [str(word) for word in words]


@dataclass(frozen=True)
class Guard:
    """How words are read, and how a repetition and a race are noticed."""

    idempotency_key: Annotated[
        str | None,
        typer.Option(
            metavar="KEY", help="A repeated call with this key gives the first reply and writes nothing."
        ),
    ] = None
    expected_version: Annotated[
        int | None,
        typer.Option(metavar="N", help="Write only if the belief concerned still has this version."),
    ] = None
    run: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="The import it belongs to: undo --run NAME takes all of it back."),
    ] = None
    strict: Annotated[bool, typer.Option("--strict", help="Take only declared attributes.")] = False
    extract: Annotated[
        bool,
        typer.Option("--extract/--no-extract", help="Read claims out of the words, where none are given."),
    ] = True
    extractor: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Who reads: rules (without it), model (see KNOWWHY_MODEL_URL), or an installed one.",
        ),
    ] = None
    is_later: Annotated[
        bool, typer.Option("--later", help="Keep the words now, and let a worker read them.")
    ] = False
    takes_undeclared: Annotated[
        bool | None,
        typer.Option(
            "--take-undeclared/--declared-only",
            help="Believe what words say of attributes that nobody declared.",
            show_default=False,
        ),
    ] = None
