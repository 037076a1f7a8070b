"""open: from an address to a memory."""

from __future__ import annotations

from pathlib import Path

from knowwhy.core.model import checked_name
from knowwhy.core.timeline import instant
from knowwhy.engine.clock import Clock, system_clock
from knowwhy.engine.memory import Memory
from knowwhy.engine.space import Space
from knowwhy.errors import InvalidInput, Unsupported
from knowwhy.store.protocol import Store
from knowwhy.store.sqlite import SqliteStore


def open(
    address: str | Path = ":memory:",
    *,
    space: str = "main",
    zone: str | None = None,
    strict: bool = False,
    author: str | None = None,
    clock: Clock = system_clock,
) -> Memory:
    """Open the memory at `address`, and make it where there is none yet.

    Args:
        address: the path of a file, or ":memory:" for one that lives as long as this process.
        space: which memory in the file; memories in one file never see each other.
        zone: how to read times of day without a zone, such as "Asia/Shanghai"; refused where None.
        strict: whether only declared attributes are taken.
        author: who signs operations that name nobody else.
        clock: where "now" comes from, in microseconds since 1970 UTC; for tests and replays.

    Raises:
        InvalidInput: not a knowwhy file, or an unknown zone.
        NewerFormat: the file was written by a newer knowwhy.
        NotFound: the folder of the file does not exist.
    """
    if zone is not None:
        instant("2000-01-01", zone)
    name = checked_name(space, "space")
    return Memory(Space(_store(str(address)), name, clock, zone, is_strict=strict, author=author))


def _store(address: str) -> Store:
    if not address:
        msg = "The address of a memory must not be empty: give the path of a file, or :memory:."
        raise InvalidInput(msg)
    if "://" in address:
        msg = f"{address!r} names a server; this version keeps memories in files."
        raise Unsupported(msg)
    return SqliteStore(address)
