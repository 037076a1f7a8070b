"""Spaces: the number that stands for each, how far its log has come, and what was counted in it."""
# ruff: noqa: S608 - statements are put together from parts of our own; whatever is given is bound

from __future__ import annotations

from dataclasses import astuple, dataclass, fields
from typing import Final

from knowwhy.core.timeline import Instant
from knowwhy.errors import Fault
from knowwhy.store.postgres.adapting import Row, number_of
from knowwhy.store.protocol import Head


@dataclass(slots=True)
class Space:
    """The row of a space: its head, the last number given out in each table, the size of its text index.

    Of the numbers given out, those that were `dropped` are no longer on record. `rebuilds` counts how
    often views or records were replaced or dropped, so that equal rows mean equal contents.
    """

    number: int
    name: str
    sequence: int = 0
    at: int = 0
    schema: int = 0
    links: int = 0
    rebuilds: int = 0
    entities: int = 0
    sources: int = 0
    evidence: int = 0
    slots: int = 0
    claims: int = 0
    documents: int = 0
    texts: int = 0
    terms: int = 0
    dropped_evidence: int = 0
    dropped_claims: int = 0
    dropped_documents: int = 0
    vectors: int = 0
    dropped_entities: int = 0
    dropped_sources: int = 0
    dropped_slots: int = 0
    guards: int = 0

    @property
    def head(self) -> Head:
        """How far its log has come."""
        return Head(
            self.sequence, Instant(self.at), self.schema, self.links, vectors=self.vectors, guards=self.guards
        )

    @property
    def kept(self) -> Row:
        """What `KEEP` binds."""
        return (*astuple(self)[2:], self.number)


_CHANGING: Final = [one.name for one in fields(Space)][2:]
COLUMNS: Final = ", ".join(("space", "name", *_CHANGING))

FOUND: Final = "INSERT INTO spaces (space, name) VALUES (%s, %s) ON CONFLICT (space) DO NOTHING"
KEEP: Final = f"UPDATE spaces SET {', '.join(f'{one} = %s' for one in _CHANGING)} WHERE space = %s"


def space_in(row: Row | None, name: str) -> Space:
    """The space of that name, from its row; one that holds nothing where there is none.

    Raises:
        Fault: the names of two spaces have one fingerprint, which is to be expected once in 10^19 pairs.
    """
    if row is None:
        return Space(number_of(name), name)
    space = Space(*row)
    if space.name != name:
        raise Fault(f"The spaces {name!r} and {space.name!r} have the same number here; rename one of them.")
    return space
