"""What a command that failed says, and the code it exits with: the error's own."""

from __future__ import annotations

import traceback
from collections.abc import Sequence

import typer

from knowwhy import settings
from knowwhy.errors import Fault, InvalidInput, KnowwhyError, Unavailable
from knowwhy.surfaces.cli.screen import complain

INTERRUPTED = 130

# The root of what the command line's own parser raises, wherever this version of typer keeps it.
ParserError: type[Exception] = typer.BadParameter.__mro__[2]


def report(failure: Exception, *, is_json: bool) -> int:
    """Say on the error stream what went wrong; gives the exit code."""
    error = translated(failure)
    document = error.as_dict()
    words = f"knowwhy: {error.message}{_particulars(error)}"
    if settings.read().is_debugging:
        trace = "".join(traceback.format_exception(failure))
        document["traceback"] = trace
        words = f"{trace}{words}"
    complain(words, document, is_json=is_json)
    return error.exit_code


def translated(failure: Exception) -> KnowwhyError:
    """The failure as one of our errors; what nobody foresaw is a fault of ours."""
    if isinstance(failure, KnowwhyError):
        return failure
    if isinstance(failure, ParserError):
        return _misunderstood(failure)
    if isinstance(failure, OSError):
        return Unavailable(f"Reading or writing failed: {failure}.")
    return Fault(
        f"A defect of knowwhy, {type(failure).__name__}: {failure}. Please report it. "
        "With KNOWWHY_DEBUG=1 it shows where it happened.",
        type=type(failure).__name__,
    )


def _misunderstood(failure: Exception) -> InvalidInput:
    message = str(getattr(failure, "format_message", lambda: failure)()).strip()
    context = getattr(failure, "ctx", None)
    if context is None:
        return InvalidInput(message)
    message = message if message.endswith((".", "?", "!")) else f"{message}."
    return InvalidInput(f"{message} Try: {context.command_path} --help", command=context.command_path)


def _particulars(error: KnowwhyError) -> str:
    """What an error lists, such as the entities that a name may mean, one a line."""
    lines = [
        f"\n  {', '.join(f'{key} {value}' for key, value in one.items())}"
        for listed in error.details.values()
        if isinstance(listed, Sequence) and not isinstance(listed, str)
        for one in listed
        if isinstance(one, dict)
    ]
    return "".join(lines)
