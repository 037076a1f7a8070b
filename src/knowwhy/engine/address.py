"""Addresses: from where a memory is said to be to the store that keeps it."""

from __future__ import annotations

from importlib import import_module
from typing import Final, cast

from knowwhy.errors import InvalidInput, Unsupported
from knowwhy.store.protocol import Store
from knowwhy.store.sqlite import SqliteStore

# How the address of a PostgreSQL server begins.
_POSTGRES: Final = ("postgresql", "postgres")


def store_at(address: str) -> Store:
    """The store at an address, which is made where it is a file and there is none yet.

    Raises:
        InvalidInput: no address, or something that is no memory.
        Unsupported: a server of a kind that is not known, or for which an extra is not installed.
    """
    if not address:
        msg = "The address of a memory must not be empty: give the path of a file, or :memory:."
        raise InvalidInput(msg)
    scheme, is_url, _ = address.partition("://")
    if not is_url:
        return SqliteStore(address)
    if scheme not in _POSTGRES:
        msg = f"An address of the kind {scheme}:// is not known: give the path of a file, or postgresql://…"
        raise Unsupported(msg)
    return _on_postgres(address)


def _on_postgres(address: str) -> Store:
    """The store on a server. Its driver is an extra, so it is loaded only for those who ask for it."""
    try:
        store = import_module("knowwhy.store.postgres")
    except ImportError as failure:
        msg = (
            f"A memory on PostgreSQL needs the extra `postgres`: pip install 'knowwhy[postgres]' ({failure})."
        )
        raise Unsupported(msg, extra="postgres") from failure
    return cast("Store", store.PostgresStore(address))
