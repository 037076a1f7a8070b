"""How statements are written on the command line, read in one place: `subject / attribute = value`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, TypeAlias

import typer

# Whose attribute: (subject, attribute).
Topic: TypeAlias = tuple[str, str]
Statement: TypeAlias = tuple[str, str, str]

# Spaces belong to the marks, so that 24/7 and a=b are words like any other.
_SLASH: Final = " / "
_EQUALS: Final = " = "
_SPACED: Final = "with a space on each side of each mark"
_BELIEF: Final = re.compile(r"bl_[0-9a-f]+")


def statement(written: str, option: str) -> Statement:
    """The three parts of `subject / attribute = value`.

    The subject ends at the first ` / `, the attribute at the first ` = ` after it; all else is the value.

    Raises:
        BadParameter: it is not written so.
    """
    subject, slash, rest = (part.strip() for part in written.partition(_SLASH))
    attribute, equals, value = (part.strip() for part in rest.partition(_EQUALS))
    if not (slash and equals and subject and attribute and value):
        msg = f"{written!r} must be written as SUBJECT / ATTRIBUTE = VALUE, {_SPACED}"
        raise typer.BadParameter(msg, param_hint=option)
    return subject, attribute, value


def topic(written: str, option: str) -> Topic:
    """The two parts of `subject / attribute`.

    Raises:
        BadParameter: it is not written so, or goes on with a value.
    """
    subject, slash, attribute = (part.strip() for part in written.partition(_SLASH))
    if not (slash and subject and attribute) or _EQUALS in attribute:
        msg = f"{written!r} must be written as SUBJECT / ATTRIBUTE and no value, {_SPACED}"
        raise typer.BadParameter(msg, param_hint=option)
    return subject, attribute


def premise(written: str, option: str) -> str | Topic | Statement:
    """What a premise names: the id of a belief, what stands for a topic, or a statement.

    Raises:
        BadParameter: it is none of them.
    """
    if _BELIEF.fullmatch(written.strip()):
        return written.strip()
    subject, slash, rest = written.partition(_SLASH)
    if not (slash and subject.strip() and rest.strip()):
        msg = (
            f"{written!r} must be the id of a belief (bl_…), SUBJECT / ATTRIBUTE, or "
            f"SUBJECT / ATTRIBUTE = VALUE, {_SPACED}"
        )
        raise typer.BadParameter(msg, param_hint=option)
    return statement(written, option) if _EQUALS in rest else topic(written, option)


def statements(written: Sequence[str] | None, option: str) -> list[Statement]:
    """Each as a statement."""
    return [statement(one, option) for one in written or ()]


def topics(written: Sequence[str] | None, option: str) -> list[Topic]:
    """Each as a topic."""
    return [topic(one, option) for one in written or ()]


def premises(written: Sequence[str] | None, option: str) -> list[str | Topic | Statement]:
    """Each as a premise."""
    return [premise(one, option) for one in written or ()]
