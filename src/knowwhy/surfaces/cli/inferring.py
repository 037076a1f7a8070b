"""Commands about what follows and what is excluded: declare-rule, declare-denial, withdraw-rule, derive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

import typer

from knowwhy.surfaces.cli import notation
from knowwhy.surfaces.cli.desk import opened
from knowwhy.surfaces.cli.options import (
    FOUNDING,
    TELLING,
    Attribute,
    Conditions,
    Place,
    Signed,
    Subject,
    Unit,
)
from knowwhy.surfaces.cli.screen import show_result
from knowwhy.surfaces.cli.spread import spread

_PATTERNS = """\
A statement is written as SUBJECT / ATTRIBUTE = VALUE, with a space on each side of each mark. A subject or \
value that begins with ? is a variable: it stands for the same wherever it occurs. Quote each statement, as \
a shell would take the ? and the spaces for itself:
"""
_RULE = f"""\
{_PATTERNS}
knowwhy declare-rule 'pro support' \\
--if '?c / plan = pro' --unless '?c / in arrears = yes' \\
--then '?c / support hours = 24/7'
"""
_DENIAL = f"""\
{_PATTERNS}
knowwhy declare-denial 'booked is not free' \\
'?room / status = booked' '?room / free = yes'
"""
_DERIVATION = """\
A premise is the id of a belief (bl_…), SUBJECT / ATTRIBUTE for what stands there now, or \
SUBJECT / ATTRIBUTE = VALUE, with a space on each side of each mark:

knowwhy derive Ann 'ships from' Basel --rule 'nearest depot' \\
--from 'Ann / lives in' --from 'Basel / has stock = yes' \\
--unless 'Basel / closed = yes' --strength 0.9
"""

RuleName: TypeAlias = Annotated[
    str, typer.Argument(metavar="NAME", help="What it is called; one of the same name is replaced.")
]
Strength: TypeAlias = Annotated[
    float, typer.Option("--strength", metavar="P", help="How surely it follows, above 0 and up to 1.")
]


@dataclass(frozen=True)
class Derived:
    """From what a value follows, unless what, and by what."""

    premises: Annotated[
        list[str],
        typer.Option("--from", metavar="PREMISE", help="What it rests on. May be given several times."),
    ]
    exceptions: Annotated[
        list[str] | None,
        typer.Option(
            "--unless",
            metavar="PREMISE",
            help="If this is believed, nothing follows; it names a value. May be given several times.",
        ),
    ] = None
    rule: Annotated[
        str, typer.Option("--rule", metavar="NAME", help="By what it follows.", show_default=False)
    ] = ""
    strength: Strength = 1.0


def enter(app: typer.Typer) -> None:
    """Add the commands of this file to the program."""
    app.command(rich_help_panel=FOUNDING, epilog=_RULE)(spread(declare_rule))
    app.command(rich_help_panel=FOUNDING, epilog=_DENIAL)(spread(declare_denial))
    app.command(rich_help_panel=FOUNDING)(spread(withdraw_rule))
    app.command(rich_help_panel=TELLING, epilog=_DERIVATION)(spread(derive))


def declare_rule(
    name: RuleName,
    premises: Annotated[
        list[str],
        typer.Option("--if", metavar="STATEMENT", help="What must hold. May be given several times."),
    ],
    conclusion: Annotated[
        str,
        typer.Option("--then", metavar="STATEMENT", help="What follows; its variables occur in an --if."),
    ],
    exceptions: Annotated[
        list[str] | None,
        typer.Option("--unless", metavar="STATEMENT", help="What must not hold. May be given several times."),
    ] = None,
    strength: Strength = 1.0,
    *,
    signed: Signed,
    place: Place,
) -> None:
    """What follows wherever some statements hold; it is drawn from all that is held already."""
    with opened(place, may_make=True) as memory:
        outcome = memory.declare_rule(
            name,
            premises=notation.statements(premises, "--if"),
            conclusion=notation.statement(conclusion, "--then"),
            exceptions=notation.statements(exceptions, "--unless"),
            strength=strength,
            author=signed.author,
            reason=signed.reason,
        )
    show_result(outcome, is_json=place.is_json)


def declare_denial(
    name: RuleName,
    statements: Annotated[
        list[str],
        typer.Argument(
            metavar="STATEMENT STATEMENT...",
            help="What cannot all hold at once: two or more, of one subject.",
        ),
    ],
    signed: Signed,
    place: Place,
) -> None:
    """What cannot all hold of one subject; what has the weaker grounds gives way."""
    with opened(place, may_make=True) as memory:
        outcome = memory.declare_denial(
            name, notation.statements(statements, "STATEMENT"), author=signed.author, reason=signed.reason
        )
    show_result(outcome, is_json=place.is_json)


def withdraw_rule(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of a rule or a denial.")],
    signed: Signed,
    place: Place,
) -> None:
    """Withdraw a rule or denial: what followed from it falls, what it kept out may come back."""
    with opened(place) as memory:
        outcome = memory.withdraw_rule(name, author=signed.author, reason=signed.reason)
    show_result(outcome, is_json=place.is_json)


def derive(
    subject: Subject,
    attribute: Attribute,
    value: Annotated[str, typer.Argument(metavar="VALUE", help="What follows for it.")],
    unit: Unit = None,
    *,
    derived: Derived,
    conditions: Conditions,
    signed: Signed,
    place: Place,
) -> None:
    """VALUE follows from what is believed, and holds as long as all of that does."""
    with opened(place) as memory:
        outcome = memory.derive(
            subject,
            attribute,
            value,
            premises=notation.premises(derived.premises, "--from"),
            exceptions=notation.premises(derived.exceptions, "--unless"),
            rule=derived.rule,
            strength=derived.strength,
            unit=unit,
            conditions=conditions.pairs,
            author=signed.author,
            reason=signed.reason,
        )
    show_result(outcome, is_json=place.is_json)
