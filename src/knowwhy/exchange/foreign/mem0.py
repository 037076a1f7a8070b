"""What Mem0's `get_all` and exports give: `results` with `memory`, whose it is and when, and `relations`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from knowwhy.core.model import Draft
from knowwhy.exchange.foreign.entry import Document, Mapped, Unmapped, documents, kept, mapped, plainly
from knowwhy.ingest.observation import Observation

_SOURCE: Final = "mem0"


def mem0(path: Path) -> Iterator[Mapped | Unmapped]:
    """The items in such a file."""
    return mapped(documents(path, "results", "memories", "relations"), _read)


def _read(one: Document) -> Iterator[Mapped | Unmapped]:
    words = one.text("memory", "text", "data")
    if not words and one.text("relationship", "relation"):
        yield from _relation(one)
        return
    if not words:
        yield Unmapped("a memory without words", one.where)
        return
    owner = one.text("user_id", "agent_id", "app_id")
    at = one.when("updated_at", "created_at")
    facts = kept(one.told, "memory", "text", "data", "hash", "score", "embedding")
    if owner:
        facts["speaker"] = owner
    said = Observation(
        f"{_SOURCE} {owner}".strip(),
        words,
        source_type="import",
        observed_at=at,
        context=one.text("run_id", "session_id") or None,
        metadata=facts or None,
    )
    yield Mapped(said, is_dated=at is not None)


def _relation(one: Document) -> Iterator[Mapped | Unmapped]:
    begin, end = one.text("source"), one.text("target", "destination")
    kind = plainly(one.text("relationship", "relation"))
    if not begin or not end:
        yield Unmapped("a relation without its two ends", one.where)
        return
    at = one.when("updated_at", "created_at")
    said = Observation(
        _SOURCE, f"{begin} {kind} {end}.", [Draft(begin, kind, end)], source_type="import", observed_at=at
    )
    yield Mapped(said, is_dated=at is not None, relations=(kind,))
