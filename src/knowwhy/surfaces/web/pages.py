"""The files of the explorer, each at its address, under a strict policy of content."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

# Each address with the file behind it and its type. Nothing else in the folder is ever served.
_FILES: Final = {
    "/": ("index.html", "text/html"),
    "/explorer.js": ("explorer.js", "text/javascript"),
    "/explorer.css": ("explorer.css", "text/css"),
    "/icon.svg": ("icon.svg", "image/svg+xml"),
}
_FOLDER: Final = Path(__file__).parent / "static"
_HEADERS: Final = {
    # Only files from here run, and they may call this service alone.
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    # A page and its script must be of one version.
    "Cache-Control": "no-cache",
}


def explorer() -> Sequence[BaseRoute]:
    """The routes of the explorer, to be added to a service that offers the verbs under /v1."""
    return [_route(path, *held) for path, held in _FILES.items()]


def _route(path: str, name: str, media_type: str) -> Route:
    content = (_FOLDER / name).read_bytes()

    async def given(_request: Request) -> Response:
        return Response(content, media_type=media_type, headers=_HEADERS)

    return Route(path, given, include_in_schema=False)
