"""distribute: a database of memories spread over the servers of a Citus cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from knowwhy.engine.address import distributing, shown_address


@dataclass(frozen=True, slots=True)
class Distribution:
    """The statements that spread the memories of a database over a cluster, and whether that was done."""

    address: str
    statements: tuple[str, ...]
    is_done: bool

    def as_dict(self) -> dict[str, Any]:
        """The distribution for a program."""
        return {"address": self.address, "statements": list(self.statements), "done": self.is_done}

    def __str__(self) -> str:
        return "".join(f"{one};\n" for one in self.statements)


def distribute(address: str, *, shards: int | None = None, dry_run: bool = False) -> Distribution:
    """Spread the tables of a database over the servers of its Citus cluster, all of a space on one.

    Raises:
        Unsupported: it is no server, or no Citus cluster.
        InvalidInput: fewer than one shard, or no memories are there.
    """
    room = distributing(address)
    given = (address,) if shards is None else (address, shards)
    statements: tuple[str, ...] = (room.plan if dry_run else room.distribute)(*given)
    return Distribution(shown_address(address), statements, is_done=not dry_run)
