"""Who may call without keys: programs on this machine, and no page from elsewhere in a browser."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from fastapi import Request

from knowwhy.errors import Refused


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


def _is_own(address: str) -> bool:
    try:
        name = urlsplit(address).hostname or ""
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
