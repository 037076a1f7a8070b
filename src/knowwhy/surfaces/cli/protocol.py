"""Commands that open another door: mcp."""

from __future__ import annotations

from typing import Annotated

import typer

from knowwhy import Unsupported
from knowwhy.surfaces.cli.desk import opened
from knowwhy.surfaces.cli.options import KEEPING, Place
from knowwhy.surfaces.cli.spread import spread


def enter(app: typer.Typer) -> None:
    """Add the commands of this file to the program."""
    app.command(rich_help_panel=KEEPING)(spread(mcp))


def mcp(
    *,
    read_only: Annotated[bool, typer.Option("--read-only", help="Offer only the tools that read.")] = False,
    http: Annotated[bool, typer.Option("--http", help="Streamable HTTP at /mcp instead of stdio.")] = False,
    host: Annotated[str, typer.Option(metavar="HOST", help="With --http: this machine alone.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="PORT", help="With --http: which port.")] = 8765,
    place: Place,
) -> None:
    """Serve the memory to agents over the Model Context Protocol."""
    try:
        from knowwhy.surfaces.mcp import serve
    except ModuleNotFoundError as missing:
        if missing.name is None or missing.name.startswith("knowwhy"):
            raise
        msg = "Serving over MCP needs the extra: pip install 'knowwhy[mcp]'"
        raise Unsupported(msg) from missing
    with opened(place, may_make=not read_only) as memory:
        serve(memory, read_only=read_only, http=http, host=host, port=port)
