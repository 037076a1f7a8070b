"""Commands of the service: serve, and keys, which say who may call it."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, Final

import typer

import knowwhy
from knowwhy import InvalidInput, Memory, NotFound, Unsupported
from knowwhy.surfaces.cli.desk import DEFAULT_SPACE, embedder_named, is_there, path_of
from knowwhy.surfaces.cli.options import KEEPING, Place, pairs
from knowwhy.surfaces.cli.screen import show
from knowwhy.surfaces.cli.spread import spread
from knowwhy.surfaces.loopback import is_loopback

_PORT: Final = 8080
# How long calls that were taken may still run when the service is told to stop.
_GRACE: Final = 20
_SERVE: Final = """\
The memory in a file, for programs on this machine:

knowwhy serve --db desk.db

Several memories, for others too, each caller with a key of its own:

knowwhy keys --file keys.json add --agent desk --memory support

knowwhy serve --memory support=desk.db --memory prices=postgresql://... --host 0.0.0.0 --keys keys.json
"""

KeyFile = Annotated[Path, typer.Option("--file", metavar="FILE", help="The file of keys.")]


def enter(app: typer.Typer) -> None:
    """Add the commands of this file to the program."""
    app.command(rich_help_panel=KEEPING, epilog=_SERVE)(spread(serve))
    app.add_typer(_keys, name="keys", rich_help_panel=KEEPING)


_keys = typer.Typer(help="Who may call the service: its keys.", no_args_is_help=True)


@_keys.command("add")
def add_key(
    file: KeyFile = Path("keys.json"),
    agent: Annotated[str | None, typer.Option(help="Which agent calls with it.")] = None,
    user: Annotated[str | None, typer.Option(help="For which user.")] = None,
    group: Annotated[list[str] | None, typer.Option(help="To which groups they belong.")] = None,
    memory: Annotated[list[str] | None, typer.Option(help="Which memory it opens; without it all.")] = None,
    is_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """A new key. It is shown this once; who names no agent, user or group calls as the owner."""
    token, made = _ring(file).add(agent=agent, user=user, groups=group or (), memories=memory or ())
    show(f"{token}\n{made}", {"token": token, **made.as_dict()}, is_json=is_json)


@_keys.command("list")
def list_keys(
    file: KeyFile = Path("keys.json"),
    is_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """The keys in force, without the keys themselves."""
    found = _ring(file).keys()
    words = "\n".join(map(str, found)) or f"There is no key in {file}; make one with: knowwhy keys add"
    show(words, [one.as_dict() for one in found], is_json=is_json)


@_keys.command("remove")
def remove_key(
    key: Annotated[str, typer.Argument(metavar="ID", help="Which, as `keys list` shows it.")],
    file: KeyFile = Path("keys.json"),
    is_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Take a key out of force; a service that runs notices it by itself."""
    removed = _ring(file).remove(key)
    show(f"Removed {removed}", removed.as_dict(), is_json=is_json)


def _ring(file: Path) -> Any:  # noqa: ANN401 - the service is an extra
    return _door().KeyRing(file)


def _door() -> Any:  # noqa: ANN401 - the service is an extra
    try:
        from knowwhy.surfaces import http
    except ModuleNotFoundError as missing:
        msg = f"The service needs {missing.name}: pip install 'knowwhy[http]'"
        raise Unsupported(msg) from missing
    return http


def serve(
    memory: Annotated[
        list[str] | None,
        typer.Option(
            "--memory",
            metavar="NAME=ADDRESS",
            help="A memory and the name to offer it under; may be repeated. Without it --db, as main.",
            show_default=False,
        ),
    ] = None,
    host: Annotated[str, typer.Option(help="Where to listen.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="On which port; 0: any.")] = _PORT,
    keys: Annotated[
        Path | None,
        typer.Option("--keys", metavar="FILE", help="Who may call; without it everybody on this machine."),
    ] = None,
    rate: Annotated[float, typer.Option(min=0.001, help="Requests a second of one caller.")] = 200.0,
    seconds: Annotated[float, typer.Option(min=0.001, help="How long one request may take.")] = 30.0,
    most: Annotated[int, typer.Option("--bytes", min=1, help="How much one request may hold.")] = 2_000_000,
    *,
    place: Place,
) -> None:
    """Offer memories over HTTP: a page to explore them at /, every verb at an address of its own (/docs)."""
    http = _door()
    if keys is None and not is_loopback(host):
        msg = (
            f"Listening on {host} lets others in, so it takes keys: "
            "knowwhy keys --help, then knowwhy serve --keys FILE."
        )
        raise InvalidInput(msg)
    hosted = http.Hosted(
        _memories(memory, place),
        None if keys is None else http.KeyRing(keys),
        http.Limits(bytes=most, rate=rate, burst=max(1, round(2 * rate)), seconds=seconds),
    )
    from knowwhy.surfaces.web import explorer

    app = http.application(hosted)
    app.router.routes.extend(explorer())
    _run(app, host, port)


def _memories(named: list[str] | None, place: Place) -> Mapping[str, Memory]:
    addresses = pairs(named, "--memory") or {"main": path_of(place)}
    if not named and not is_there(place):
        msg = f"There is no memory at {path_of(place)}. To make one: knowwhy --db FILE init"
        raise NotFound(msg, db=path_of(place))
    embedder = embedder_named()
    space = place.space or DEFAULT_SPACE
    return {
        name: knowwhy.open(address, space=space, zone=place.zone, embedder=embedder)
        for name, address in addresses.items()
    }


def _run(app: Any, host: str, port: int) -> None:  # noqa: ANN401 - the service is an extra
    """Serve until told to stop; what was taken by then is answered first."""
    import uvicorn

    server = uvicorn.Server(
        uvicorn.Config(app, host=host, port=port, log_level="warning", timeout_graceful_shutdown=_GRACE)
    )
    listening = server.config.bind_socket()
    listening.listen()  # so that who reads the address below may call at once
    address = f"http://{host}:{listening.getsockname()[1]}"
    typer.echo(
        f"knowwhy is at {address} (open it in a browser; for programs: {address}/docs). To stop it: Ctrl-C.",
        err=True,
    )
    # Once it has ended, the server raises the signal again, which would end the program as a failure.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _stopping(server))
    server.run(sockets=[listening])


def _stopping(server: Any) -> Any:  # noqa: ANN401 - the service is an extra
    def stop(_number: int, _frame: FrameType | None) -> None:
        server.should_exit = True

    return stop
