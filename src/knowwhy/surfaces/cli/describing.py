"""The options of declare: what an attribute is, how it ages, is worded and settled, and what hangs on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final

import typer

from knowwhy.core.confidence import ConfidenceModel
from knowwhy.core.model import (
    ACT_ABOVE,
    DEPENDENCE,
    HALF_LIVES,
    HIGH_STAKES,
    STALE_BELOW,
    Cardinality,
    ValueType,
)
from knowwhy.core.revision import POLICIES
from knowwhy.surfaces.cli.options import Unit

_AGEING: Final = "How its evidence ages"
_WORDING: Final = "By which words it is known"
_SETTLING: Final = "How conflicts and numbers are settled"
_BEARING: Final = "What it rests on, and what hangs on it"


@dataclass(frozen=True)
class Nature:
    """What the values of an attribute are."""

    cardinality: Annotated[
        Cardinality,
        typer.Option(help="One value at a time, which excludes others, or many side by side."),
    ] = Cardinality.ONE
    value_type: Annotated[
        ValueType | None, typer.Option("--type", help="What its values are; without it, what comes.")
    ] = None
    unit: Unit = None
    subject_type: Annotated[
        str | None, typer.Option("--subject-type", metavar="TYPE", help="What kind of thing has it: person …")
    ] = None
    object_type: Annotated[
        str | None, typer.Option("--object-type", metavar="TYPE", help="What kind of thing its values are.")
    ] = None
    inverse: Annotated[
        str | None,
        typer.Option("--inverse", metavar="NAME", help="The same relation told from the other side."),
    ] = None
    changes: Annotated[
        bool | None,
        typer.Option(
            "--changes/--fixed",
            help="Whether the world may move (as is usual); if fixed, like a birthday, a later word can "
            "only correct.",
            show_default=False,
        ),
    ] = None


@dataclass(frozen=True)
class Ageing:
    """How evidence on an attribute ages."""

    half_life: Annotated[
        float | None,
        typer.Option(
            "--half-life",
            metavar="DAYS",
            help="After how many days evidence counts half; without it, never.",
            rich_help_panel=_AGEING,
        ),
    ] = None
    kind: Annotated[
        str | None,
        typer.Option(
            "--kind",
            metavar="KIND",
            help=f"For a half-life that fits: {', '.join(HALF_LIVES)}; identity is --fixed too.",
            rich_help_panel=_AGEING,
        ),
    ] = None
    stale_below: Annotated[
        float,
        typer.Option(
            metavar="P",
            help="The confidence under which an aged belief is no longer relied on.",
            rich_help_panel=_AGEING,
        ),
    ] = STALE_BELOW


@dataclass(frozen=True)
class Wording:
    """By which words an attribute is recognised in texts and questions."""

    synonym: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Another name for it. May be given several times.",
            rich_help_panel=_WORDING,
        ),
    ] = None
    pattern: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SENTENCE",
            help="A sentence with {value}, and {subject} or --about, that claims are read by, such as "
            "'returned within {value} days'. May be given several times.",
            rich_help_panel=_WORDING,
        ),
    ] = None
    about: Annotated[
        str | None,
        typer.Option(
            metavar="SUBJECT", help="The subject of patterns that name none.", rich_help_panel=_WORDING
        ),
    ] = None


@dataclass(frozen=True)
class Settling:
    """How conflicts about an attribute are settled, and what its numbers start from."""

    policy: Annotated[
        str | None,
        typer.Option(
            "--policy",
            metavar="NAME",
            help=f"By what its conflicts are settled, {', '.join(POLICIES)}; without it, as the memory does: "
            "see configure --help.",
            rich_help_panel=_SETTLING,
        ),
    ] = None
    confidence: Annotated[
        ConfidenceModel | None,
        typer.Option(
            help="The model of its numbers; without it, that of the memory.", rich_help_panel=_SETTLING
        ),
    ] = None
    base_rate: Annotated[
        float,
        typer.Option(
            metavar="P",
            help="How probable the values spoken of are before any evidence, all together.",
            rich_help_panel=_SETTLING,
        ),
    ] = 0.5
    strictness: Annotated[
        float,
        typer.Option(
            metavar="N",
            help="How many times the usual evidence it takes to be as sure.",
            rich_help_panel=_SETTLING,
        ),
    ] = 1.0


@dataclass(frozen=True)
class Bearing:
    """What an attribute rests on, and how sure one must be to act on it."""

    depends_on: Annotated[
        list[str] | None,
        typer.Option(
            "--depends-on",
            metavar="NAME[=STRENGTH]",
            help="Another attribute of the same subject that it rests on, and how much of it does, from 0 "
            f"to 1 ({DEPENDENCE} if not said): when that one moves, this one is doubtful until confirmed. "
            "May be given several times.",
            rich_help_panel=_BEARING,
        ),
    ] = None
    act_above: Annotated[
        float,
        typer.Option(metavar="P", help="The confidence on which one may act.", rich_help_panel=_BEARING),
    ] = ACT_ABOVE
    domain: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"What a mistake would touch: {', '.join(HIGH_STAKES)} ask for more confidence to act.",
            rich_help_panel=_BEARING,
        ),
    ] = None

    @property
    def dependencies(self) -> Mapping[str, float]:
        """How much rests on each attribute, by its name."""
        return dict(map(_dependency, self.depends_on or ()))


def _dependency(written: str) -> tuple[str, float]:
    name, equals, strength = written.rpartition("=")
    if not equals:
        return written, DEPENDENCE
    try:
        return name.strip(), float(strength)
    except ValueError as problem:
        msg = f"{written!r} must be written as NAME or NAME=STRENGTH, such as employer=0.9"
        raise typer.BadParameter(msg, param_hint="--depends-on") from problem
