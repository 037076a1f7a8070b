"""Spaces: the number that stands for each, how far its log has come, and what was counted in it."""
# ruff: noqa: S608 - statements are put together from parts of our own; whatever is given is bound

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from knowwhy.core.timeline import Instant
from knowwhy.store.protocol import Head
from knowwhy.store.sqlite.session import Session

_COLUMNS: Final = (
    "space, sequence, at, schema, links, entities, sources, evidence, slots, claims, documents, texts, terms,"
    " dropped_evidence, dropped_claims, dropped_documents, vectors,"
    " dropped_entities, dropped_sources, dropped_slots, guards"
)
_FIND: Final = f"SELECT {_COLUMNS} FROM spaces WHERE name = ?"
_COUNTERS: Final = len(_COLUMNS.split(",")) - 1
_FOUND: Final = f"INSERT INTO spaces VALUES (NULL, ?{', 0' * _COUNTERS})"
_KEEP: Final = f"UPDATE spaces SET ({_COLUMNS}) = (?{', ?' * _COUNTERS}) WHERE space = ?"


@dataclass(slots=True)
class Space:
    """The row of a space: its head, the last number given out in each table, the size of its text index.

    Of the numbers given out, those that were `dropped` are no longer on record.
    """

    number: int
    sequence: int = 0
    at: int = 0
    schema: int = 0
    links: int = 0
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


# The space that nobody wrote to: no row has its number.
NOWHERE: Final = 0


def space_named(session: Session, name: str) -> Space:
    """The space of that name, or one that holds nothing."""
    row = session.row(_FIND, (name,))
    return Space(NOWHERE) if row is None else Space(*row)


def space_founded(session: Session, name: str) -> Space:
    """The space of that name, made now if it is new: for the transaction that writes to it first."""
    row = session.row(_FIND, (name,))
    if row is None:
        session.run(_FOUND, (name,))
        return space_named(session, name)
    return Space(*row)


def keep(session: Session, space: Space) -> None:
    """Write the row of a space back."""
    session.run(
        _KEEP,
        (
            *(space.number, space.sequence, space.at, space.schema, space.links),
            *(space.entities, space.sources, space.evidence),
            *(space.slots, space.claims, space.documents, space.texts, space.terms),
            *(space.dropped_evidence, space.dropped_claims, space.dropped_documents, space.vectors),
            *(space.dropped_entities, space.dropped_sources, space.dropped_slots, space.guards),
            space.number,
        ),
    )
