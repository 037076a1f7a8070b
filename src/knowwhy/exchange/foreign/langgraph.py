"""Items of a LangGraph store as JSON: `namespace`, `key`, `value`, `created_at` and `updated_at`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from knowwhy.core.model import Draft
from knowwhy.exchange.foreign.entry import Document, Mapped, Unmapped, documents, mapped, plainly
from knowwhy.ingest.observation import Observation

_WORDS: Final = ("content", "text", "memory", "data")


def langgraph(path: Path) -> Iterator[Mapped | Unmapped]:
    """The items in such a file."""
    return mapped(documents(path, "items"), _read)


def _read(one: Document) -> Iterator[Mapped | Unmapped]:
    value, key = one.told.get("value"), one.text("key")
    spoken = one.told.get("namespace")
    parts = [str(each) for each in spoken] if isinstance(spoken, list) else [str(spoken or "")]
    place = "/".join(each for each in parts if each)
    if not isinstance(value, dict) or not value or not key:
        yield Unmapped("an item without a key, or whose value is no object", one.where)
        return
    at = one.when("updated_at", "created_at")
    held = Document(value, one.where)
    source, facts = f"langgraph {place}".strip(), {"key": key}
    words = held.text(*_WORDS)
    if words:
        said = Observation(source, words, (), "import", at, context=place or None, metadata=facts)
        yield Mapped(said, is_dated=at is not None)
    claims = []
    for name, each in value.items():
        if name in _WORDS and words:
            continue
        if isinstance(each, str | int | float | bool) and str(each).strip():
            claims.append(Draft(key, plainly(name) or name, each))
        else:
            yield Unmapped("a field that is no plain value", f"{one.where}, {name}")
    if claims:
        text = json.dumps(value, ensure_ascii=False, sort_keys=True)
        said = Observation(source, text, claims, "import", at, context=place or None, metadata=facts)
        yield Mapped(said, is_dated=at is not None)
