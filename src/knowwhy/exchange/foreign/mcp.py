"""The file of the MCP reference memory server: lines of entities with observations, and of relations.

`{"type": "entity", "name", "entityType", "observations": [text]}` and
`{"type": "relation", "from", "to", "relationType"}`. It says nothing of when, or by whom.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from knowwhy.core.model import Draft
from knowwhy.exchange.foreign.entry import Document, Mapped, Unmapped, documents, mapped, plainly
from knowwhy.ingest.observation import Observation

_SOURCE: Final = "mcp memory"
_NOTE: Final = "note"
_KIND: Final = "kind"


def mcp(path: Path) -> Iterator[Mapped | Unmapped]:
    """The items in such a file."""
    return mapped(documents(path), _read)


def _read(one: Document) -> Iterator[Mapped | Unmapped]:
    kind = one.text("type")
    if kind == "entity":
        yield from _entity(one)
    elif kind == "relation":
        yield from _relation(one)
    else:
        yield Unmapped("neither an entity nor a relation", one.where)


def _entity(one: Document) -> Iterator[Mapped | Unmapped]:
    name, kind = one.text("name"), one.text("entityType")
    if not name:
        yield Unmapped("an entity without a name", one.where)
        return
    if kind:
        yield _mapped(Draft(name, _KIND, kind), f"{name} is of the kind {kind}.", many=(_KIND,))
    told = one.told.get("observations", [])
    for each in told if isinstance(told, list) else [told]:
        if isinstance(each, str) and each.strip():
            yield _mapped(Draft(name, _NOTE, each.strip(), quote=each.strip()), each.strip(), many=(_NOTE,))
        else:
            yield Unmapped("an observation that is no text", one.where)


def _relation(one: Document) -> Iterator[Mapped | Unmapped]:
    begin, end, kind = one.text("from"), one.text("to"), plainly(one.text("relationType"))
    if not begin or not end or not kind:
        yield Unmapped("a relation without from, to or relationType", one.where)
        return
    yield _mapped(Draft(begin, kind, end), f"{begin} {kind} {end}.", relations=(kind,))


def _mapped(
    claim: Draft, text: str, *, many: tuple[str, ...] = (), relations: tuple[str, ...] = ()
) -> Mapped:
    said = Observation(_SOURCE, text, [claim], source_type="import")
    return Mapped(said, is_dated=False, many=many, relations=relations)
