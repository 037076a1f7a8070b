"""The pages of the explorer, served so that nothing but their own script and style ever runs on them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

STATIC: Final = Path(__file__).with_name("static")

_HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class Pages(StaticFiles):
    """Files with headers that forbid what the explorer does not need."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """A file, or what says that there is none."""
        response = await super().get_response(path, scope)
        response.headers.update(_HEADERS)
        return response


def pages() -> Pages:
    """The explorer as an application to mount at the root of a service."""
    return Pages(directory=STATIC, html=True)
