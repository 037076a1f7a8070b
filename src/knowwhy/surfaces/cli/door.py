"""The door itself: the commands under one name, and every failure turned into words and an exit code."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import knowwhy
from knowwhy.surfaces.cli import (
    administering,
    answering,
    arbitrating,
    asking,
    branching,
    dreaming,
    evaluating,
    exchanging,
    forgetting,
    founding,
    identifying,
    inferring,
    judging,
    keeping,
    observing,
    protocol,
    revising,
    serving,
    sharing,
    tending,
    trusting,
    versions,
    working,
)
from knowwhy.surfaces.cli.failures import INTERRUPTED, report
from knowwhy.surfaces.cli.options import Place
from knowwhy.surfaces.cli.spread import spread


class Door(TyperGroup):
    """The commands as one program that exits with the code of whatever error it meets."""

    def main(self, *args: Any, **extra: Any) -> Any:  # noqa: ANN401 - as the method it overrides
        """Run the command line; always ends in SystemExit."""
        given = extra.get("args", args[0] if args else None)
        said = list(sys.argv[1:] if given is None else given)
        options = said[: said.index("--")] if "--" in said else said
        extra["standalone_mode"] = False
        try:
            code = super().main(*args, **extra)
        except (typer.Abort, KeyboardInterrupt):
            code = INTERRUPTED
        except Exception as failure:  # noqa: BLE001 - the one exit: what nobody foresaw is a fault, with its code
            code = report(failure, is_json="--json" in options)
        sys.exit(code if isinstance(code, int) else 0)


app = typer.Typer(
    cls=Door,
    help="A memory for AI agents that knows why it believes what it believes.",
    epilog="Exit codes: 1 eval found a failure, 2 change the call, 3 not found, 4 changed meanwhile, "
    "5 refused, 6 try later, 7 cannot be done here, 70 a defect.",
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


def _version(is_asked: bool) -> None:
    if is_asked:
        typer.echo(f"knowwhy {knowwhy.__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
@spread
def _begin(
    ctx: typer.Context,
    place: Place,
    version: Annotated[  # noqa: ARG001 - its callback has already answered
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    ctx.obj = place
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


for room in (
    founding,
    observing,
    identifying,
    inferring,
    revising,
    arbitrating,
    tending,
    asking,
    answering,
    branching,
    dreaming,
    versions,
    forgetting,
    sharing,
    keeping,
    exchanging,
    trusting,
    judging,
    evaluating,
    working,
    serving,
    protocol,
    administering,
):
    room.enter(app)


def main() -> None:
    """Run the command line with the arguments of this process."""
    app(prog_name="knowwhy")
