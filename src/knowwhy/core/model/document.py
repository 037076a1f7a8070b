"""Documents that come in versions: which editions of one are on record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from knowwhy.core.timeline import BEGINNING, Instant


@dataclass(frozen=True, slots=True)
class Edition:
    """One version of a document: the evidence that its words are, and when it was published."""

    version: str
    evidence: str
    at: Instant


@dataclass(frozen=True, slots=True)
class Document:
    """A document by its address, with its editions in the order in which they were published."""

    kind: ClassVar[str] = "document"
    is_schema: ClassVar[bool] = False

    uri: str
    editions: tuple[Edition, ...] = ()
    declared_in: int = 0
    declared_at: Instant = BEGINNING

    @property
    def key(self) -> str:
        """Its address, as it is written."""
        return self.uri

    def with_editions(self, more: tuple[Edition, ...]) -> Document:
        """The document with further editions, each version once."""
        known = {one.version: one for one in (*more, *self.editions)}
        ordered = sorted(known.values(), key=lambda one: (one.at, one.version))
        return Document(self.uri, tuple(ordered))
