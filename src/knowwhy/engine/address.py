"""Addresses: from where a memory is said to be to the store that keeps it."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, cast

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


def shown_address(address: str) -> str:
    """An address as it may be shown: without user and password."""
    scheme, is_url, rest = address.partition("://")
    if not is_url:
        return address
    place, _, _ = rest.partition("?")
    return f"{scheme}://{place.rpartition('@')[2]}"


def replicated_at(address: str, replica: str) -> tuple[Store, Store]:
    """The store at an address, and that of its replica, which is only read.

    Raises:
        InvalidInput: it is no replica, or of something else.
        Unsupported: one of them is no server.
        Unavailable: it cannot be reached, or has not come to the tables of this version.
    """
    for one in (address, replica):
        if not one.startswith(_POSTGRES):
            msg = "Only a memory on PostgreSQL can have a replica: give the address of its standby."
            raise Unsupported(msg)
    primary = _on_postgres(address)
    try:
        return primary, _server("PostgresStore")(replica, replica_of=primary)
    except BaseException:
        primary.close()
        raise


def distributing(address: str) -> Any:  # noqa: ANN401 - a module, loaded only for those who ask for it
    """What spreads the memories of a server over a cluster.

    Raises:
        Unsupported: the address is of no server, or the extra is not installed.
    """
    return _part("distributing", address)


def queue_at(address: str) -> Any:  # noqa: ANN401 - the same
    """The queue of offline work on a server.

    Raises:
        Unsupported: the address is of no server, or the extra is not installed.
    """
    return _part("queue", address).Queue(address)


def _part(name: str, address: str) -> Any:  # noqa: ANN401 - the same
    if not address.startswith(_POSTGRES):
        msg = "That is for memories on PostgreSQL: give the address of the server, as postgresql://…"
        raise Unsupported(msg)
    _server("PostgresStore")
    return import_module(f"knowwhy.store.postgres.{name}")


def _on_postgres(address: str) -> Store:
    """The store on a server."""
    return _server("PostgresStore")(address)


def _server(name: str) -> Callable[..., Store]:
    """What makes a store on a server. Its driver is an extra, loaded only for those who ask for it."""
    try:
        made = import_module("knowwhy.store.postgres")
    except ImportError as failure:
        msg = (
            f"A memory on PostgreSQL needs the extra `postgres`: pip install 'knowwhy[postgres]' ({failure})."
        )
        raise Unsupported(msg, extra="postgres") from failure
    return cast("Callable[..., Store]", getattr(made, name))
