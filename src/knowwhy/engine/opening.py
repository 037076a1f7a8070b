"""open: from an address to a memory."""

from __future__ import annotations

from pathlib import Path

from knowwhy.core.model import checked_name
from knowwhy.core.timeline import instant
from knowwhy.engine.address import store_at
from knowwhy.engine.branch import MARK
from knowwhy.engine.clock import Clock, system_clock
from knowwhy.engine.extractors import RULES, extractor_named
from knowwhy.engine.memory import Memory
from knowwhy.engine.space import Space
from knowwhy.errors import InvalidInput
from knowwhy.providers.extraction import Extractor


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
        takes_undeclared: whether what is read about attributes that nobody declared is believed; it is
            only reported otherwise.

    Raises:
        InvalidInput: not a knowwhy file, or an unknown zone.
        NewerFormat: the file was written by a newer knowwhy.
        NotFound: the folder of the file does not exist, or no extractor has that name.
    """
    if zone is not None:
        instant("2000-01-01", zone)
    name = checked_name(space, "space")
    if MARK in name:
        msg = f"{name!r} is no name for a space: {MARK!r} marks branches, which are reached by `on`."
        raise InvalidInput(msg)
    space_ = Space(
        store_at(str(address)),
        name,
        clock,
        zone,
        is_strict=strict,
        author=author,
        extractor=extractor_named(extractor or RULES) if isinstance(extractor, str | None) else extractor,
        takes_undeclared=takes_undeclared,
    )
    return Memory(space_)
