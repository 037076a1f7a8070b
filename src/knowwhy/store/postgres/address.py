"""Addresses: where a server is, how to connect to it, and how to speak of it without its secrets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

from knowwhy.errors import InvalidInput

# What an address need not say: how long to wait for a connection, and that a dead one is noticed.
_SETTINGS: Final[dict[str, Any]] = {
    "application_name": "knowwhy",
    "connect_timeout": 10,
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
}


@dataclass(frozen=True, slots=True)
class Address:
    """A server and a database on it. `target` is for the driver; `place` has no password and may be shown."""

    target: str
    place: str
    settings: dict[str, Any]

    @staticmethod
    def read(written: str) -> Address:
        """The address that was given as a URL, as libpq reads it.

        Raises:
            InvalidInput: it cannot be read.
        """
        try:
            parts = conninfo_to_dict(written)
        except ProgrammingError:
            # Without the reason, which may repeat what was written, password and all.
            raise InvalidInput(
                "The address of the server cannot be read. Write postgresql://user@host:port/database."
            ) from None
        host, port, name = (parts.get(part) for part in ("host", "port", "dbname"))
        shown = f"postgresql://{host or ''}{f':{port}' if port else ''}/{name or ''}"
        settings = {key: value for key, value in _SETTINGS.items() if key not in parts}
        # What every connection must be, whatever the address says.
        settings |= {"autocommit": True, "client_encoding": "utf8"}
        return Address(written, shown, settings)
