"""open: from an address to a memory."""

from __future__ import annotations

from pathlib import Path
from typing import Final, TypedDict, Unpack

from knowwhy.core.model import Principal, checked_name
from knowwhy.core.timeline import instant
from knowwhy.engine.address import replicated_at, store_at
from knowwhy.engine.branch import MARK
from knowwhy.engine.clock import Clock, system_clock
from knowwhy.engine.extractors import RULES, extractor_named
from knowwhy.engine.memory import Memory
from knowwhy.engine.space import Space
from knowwhy.errors import InvalidInput
from knowwhy.providers.embedding import Embedder
from knowwhy.providers.extraction import Extractor
from knowwhy.providers.reranking import Reranker
from knowwhy.recall.packing import TokenCounter, estimated_tokens
from knowwhy.store.protocol import Store
from knowwhy.store.replicated import Marks, NotingStore, ReplicaStore

# How many seconds behind a replica may be if nothing is said.
MAX_STALENESS: Final = 5.0


class Replicated(TypedDict, total=False):
    """By what questions may be answered besides the server itself."""

    replica: str | None
    max_staleness: float | None
    after: int


class Served(Replicated, total=False):
    """By whom a memory is served, and for whom: a replica, an embedder, a reranker, a principal."""

    embedder: Embedder | None
    reranker: Reranker | None
    count_tokens: TokenCounter
    principal: Principal | None


def open(
    address: str | Path = ":memory:",
    *,
    space: str = "main",
    zone: str | None = None,
    strict: bool = False,
    author: str | None = None,
    clock: Clock = system_clock,
    extractor: Extractor | str | None = None,
    takes_undeclared: bool = False,
    **served: Unpack[Served],
) -> Memory:
    """Open the memory at `address`, and make it where there is none yet.

    Args:
        address: the path of a file, or ":memory:" for one that lives as long as this process.
        space: which memory in the file; memories in one file never see each other.
        zone: how to read times of day without a zone, such as "Asia/Shanghai"; refused where None.
        strict: whether only declared attributes are taken.
        author: who signs operations that name nobody else.
        clock: where "now" comes from, in microseconds since 1970 UTC; for tests and replays.
        extractor: who reads claims out of words that come without any; rules, where None. A name means
            "rules", "model" (an endpoint that the environment names), or what a package offers as an
            entry point of the group "knowwhy.extractors".
        takes_undeclared: whether what is read of undeclared attributes is believed, or only reported.
        served: `replica` is the address of a standby of the server, by which questions are answered as
            long as it is no more than `max_staleness` seconds behind (None: however far) and has come
            past all that this memory wrote, and past operation `after`, which another process may have
            been given when it wrote. `embedder` finds by meaning, such as `knowwhy.PackagedEmbedder()`;
            what others write waits for `embed`. `reranker` says of a question and texts how well each
            answers, from 0 to 1. `count_tokens` says how many tokens a text is. `principal`: see `seen_by`.

    Raises:
        InvalidInput: not a knowwhy file, an unknown zone, or a replica of something else.
        NewerFormat: the file was written by a newer knowwhy.
        NotFound: the folder of the file does not exist, or no extractor has that name.
    """
    if zone is not None:
        instant("2000-01-01", zone)
    name = _checked_space(space)
    store, replica = _stores(str(address), name, served)
    space_ = Space(
        store,
        name,
        clock,
        zone,
        is_strict=strict,
        author=author,
        extractor=extractor_named(extractor or RULES) if isinstance(extractor, str | None) else extractor,
        takes_undeclared=takes_undeclared,
        replica=replica,
        count_tokens=served.get("count_tokens", estimated_tokens),
        embedder=served.get("embedder"),
        principal=served.get("principal"),
        reranker=served.get("reranker"),
    )
    return Memory(space_)


def _checked_space(name: str) -> str:
    if MARK in name:
        msg = f"{name!r} is no name for a space: {MARK!r} marks branches, which are reached by `on`."
        raise InvalidInput(msg)
    return checked_name(name, "space")


def _stores(address: str, space: str, replicated: Replicated) -> tuple[Store, Store | None]:
    """The store at an address, and where it has a replica one that reads from that."""
    where = replicated.get("replica")
    if where is None:
        return store_at(address), None
    primary, replica = replicated_at(address, where)
    marks = Marks(replicated.get("max_staleness", MAX_STALENESS))
    marks.note(space, replicated.get("after", 0))
    return NotingStore(primary, marks), ReplicaStore(primary, replica, marks)
