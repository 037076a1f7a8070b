"""Placement: which of several servers holds a space, without anybody keeping a list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from knowwhy.engine.memory import Memory
from knowwhy.engine.opening import open as opened
from knowwhy.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Move:
    """That a space is to move from one server to another."""

    space: str
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Placement:
    """Spaces mapped to servers by rendezvous hashing: whoever knows the servers finds every space.

    `servers` are the addresses by names, which stay when an address changes. A space is on the server
    whose name and the space's have the highest fingerprint together, unless it is `pinned` to another.
    A server more takes over its share from all others, and nothing else moves.
    """

    servers: Mapping[str, str]
    pinned: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse a placement that cannot be.

        Raises:
            InvalidInput: no servers, or a space is pinned to one that is not among them.
        """
        if not self.servers:
            raise InvalidInput("A placement needs at least one server: a name and its address.")
        for space, name in self.pinned.items():
            if name not in self.servers:
                raise InvalidInput(f"{space!r} is pinned to {name!r}, which is none of the servers.")

    def server_of(self, space: str) -> str:
        """The name of the server that holds a space."""
        if space in self.pinned:
            return self.pinned[space]
        return max(self.servers, key=lambda name: (_weight(name, space), name))

    def address_of(self, space: str) -> str:
        """The address of the server that holds a space."""
        return self.servers[self.server_of(space)]

    def open(self, space: str = "main", **how: Any) -> Memory:  # noqa: ANN401 - whatever `knowwhy.open` takes
        """Open the memory of a space on its server, as `knowwhy.open` does."""
        return opened(self.address_of(space), space=space, **how)

    def moves_to(self, after: Placement, spaces: Iterable[str]) -> Iterator[Move]:
        """Which of some spaces must move, from address to address, for another placement to hold."""
        for space in spaces:
            source, target = self.address_of(space), after.address_of(space)
            if source != target:
                yield Move(space, source, target)


def _weight(server: str, space: str) -> bytes:
    # The length keeps the two apart: no pair of names is taken for another one.
    named = f"{len(server)}:{server}{space}".encode("utf-8", "surrogatepass")
    return blake2b(named, digest_size=16).digest()
