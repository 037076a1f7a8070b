"""Figures: what the server's planner knows of the tables, brought up to date while they are young.

A plan is kept for as long as a connection lasts. One made while a table was all but empty may read
the whole space where it should go by an index, and the server itself looks only now and then. So
as a space grows, the server is asked to look again: with the first documents often, then ever
more rarely, and not at all where its own figures will do.
"""
# ruff: noqa: S608 - statements are put together from parts of our own; whatever is given is bound

from __future__ import annotations

from typing import Final

from knowwhy.store.postgres.session import SCHEMA, Session

# From so many documents of a space on, each time there are twice as many, up to so many.
FIRST: Final = 512
LAST: Final = 1 << 20

TABLES: Final = (
    *("operations", "declarations", "entities", "names", "sources", "evidence", "slots", "claims"),
    *("links", "decisions", "retractions", "beliefs", "documents", "postings"),
)
_ESTIMATED: Final = f"SELECT reltuples FROM pg_class WHERE oid = to_regclass('{SCHEMA}.documents')"
_LOOK: Final = f"ANALYZE {', '.join(f'{SCHEMA}.{table}' for table in TABLES)}"


def are_due(before: int, after: int) -> bool:
    """Whether a space that grew from so many documents to so many has outgrown the figures."""
    return FIRST <= after <= LAST and before.bit_length() < after.bit_length()


def refresh(session: Session, documents: int) -> None:
    """Have the server look at the tables, unless it knows that there are about so many documents."""
    rows = session.rows(_ESTIMATED)
    if not rows or rows[0][0] < documents / 2:
        session.run(_LOOK)
