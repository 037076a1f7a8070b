"""A graph of Zep or Graphiti as JSON: `nodes`, `edges` with a `fact` and when it is true, and `episodes`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from knowwhy.core.model import Draft
from knowwhy.exchange.foreign.entry import Document, Mapped, Unmapped, documents, kept, mapped, plainly
from knowwhy.ingest.observation import Observation

_SOURCE: Final = "zep"


def zep(path: Path) -> Iterator[Mapped | Unmapped]:
    """The items in such a file. The nodes name the ends of its edges, so they are kept while it is read."""
    names: dict[str, str] = {}
    for one in documents(path, "nodes", "edges", "episodes"):
        if isinstance(one, Document) and one.text("uuid") and one.text("name") and not one.text("fact"):
            names[one.text("uuid")] = one.text("name")
    return mapped(documents(path, "nodes", "edges", "episodes"), partial(_read, names=names))


def _read(one: Document, names: dict[str, str]) -> Iterator[Mapped | Unmapped]:
    if one.text("fact") or one.text("source_node_uuid"):
        yield from _edge(one, names)
    elif one.text("content", "body"):
        yield from _episode(one)
    elif one.text("name"):
        yield from _node(one)
    else:
        yield Unmapped("neither a node, an edge nor an episode", one.where)


def _edge(one: Document, names: dict[str, str]) -> Iterator[Mapped | Unmapped]:
    begin, end = (names.get(one.text(name), "") for name in ("source_node_uuid", "target_node_uuid"))
    kind, fact = plainly(one.text("name")), one.text("fact")
    if not begin or not end or not kind:
        yield Unmapped("an edge whose ends are no nodes of the file, or without a name", one.where)
        return
    if one.told.get("expired_at") and not one.told.get("invalid_at"):
        yield Unmapped("when an edge was given up: kept as metadata only", one.where)
    claim = Draft(begin, kind, end, valid_from=one.when("valid_at"), valid_to=one.when("invalid_at"))
    at = one.when("created_at", "valid_at")
    facts = kept(one.told, "fact", "name")
    said = Observation(
        _SOURCE, fact or f"{begin} {kind} {end}.", [claim], "import", at, metadata=facts or None
    )
    yield Mapped(said, is_dated=at is not None, relations=(kind,))


def _episode(one: Document) -> Iterator[Mapped | Unmapped]:
    at = one.when("valid_at", "created_at")
    said = Observation(
        one.text("source_description", "role", "name") or _SOURCE,
        one.text("content", "body"),
        source_type="import",
        observed_at=at,
        context=one.text("session_id", "thread_id", "group_id") or None,
        # What it says is told by the edges.
        extract=False,
        metadata=kept(one.told, "content", "body") or None,
    )
    yield Mapped(said, is_dated=at is not None)


def _node(one: Document) -> Iterator[Mapped | Unmapped]:
    name, summary, at = one.text("name"), one.text("summary"), one.when("created_at")
    labels = one.told.get("labels")
    kinds = [each for each in labels if each != "Entity"] if isinstance(labels, list) else []
    claims = [Draft(name, "kind", each) for each in kinds if isinstance(each, str)]
    claims += [Draft(name, "summary", summary)] if summary else []
    own = one.told.get("attributes")
    for key, value in own.items() if isinstance(own, dict) else ():
        if isinstance(value, str | int | float | bool) and str(value).strip():
            claims.append(Draft(name, plainly(str(key)), value))
        else:
            yield Unmapped("an attribute that is no plain value", f"{one.where}, {key}")
    if claims:
        said = Observation(_SOURCE, None, claims, "import", at)
        yield Mapped(said, is_dated=at is not None, many=("kind",) if kinds else ())
