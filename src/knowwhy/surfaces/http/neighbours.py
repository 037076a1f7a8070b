"""Who may call without keys: programs on this machine, and no page from elsewhere in a browser."""

from __future__ import annotations

from urllib.parse import urlsplit

from fastapi import Request

from knowwhy.errors import Refused
from knowwhy.surfaces.loopback import is_loopback

# What a browser says of who asks: the page of the service itself, or the person.
_OWN = ("same-origin", "none")


def check_own(request: Request) -> None:
    """Refuse what a page from elsewhere could have a browser on this machine send.

    Raises:
        Refused: the address that was called, or the page that calls, is not of this machine.
    """
    for header in ("host", "origin"):
        told = request.headers.get(header)
        if told is not None and not _is_own(told if "//" in told else f"//{told}"):
            msg = f"Without keys only this machine may call, not {header} {told!r}: serve with --keys FILE."
            raise Refused(msg)
    if (site := request.headers.get("sec-fetch-site")) is not None and site not in _OWN:
        msg = "Without keys no page but the service's own may call: serve with --keys FILE."
        raise Refused(msg)


def _is_own(address: str) -> bool:
    try:
        return is_loopback(urlsplit(address).hostname or "")
    except ValueError:
        return False
