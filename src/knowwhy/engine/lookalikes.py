"""Warnings about new names that look like known ones though they are written in other letters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from knowwhy.core.model import Entity, lookalike_key
from knowwhy.engine.intent import Reading


def lookalikes(reading: Reading, made: Iterable[Entity]) -> Iterator[str]:
    """A warning for each new entity whose name looks like that of a known one."""
    seen = {one.name: key for one in made if (key := lookalike_key(one.name)) is not None}
    known = reading.names(seen.values()) if seen else {}
    for name, key in sorted(seen.items()):
        for other in known.get(key, ())[:1]:
            yield (
                f"{name!r} looks like the known {other.name!r}, but is written in other letters: they are "
                "taken as two. Where they are one, `merge_entities` says so."
            )
