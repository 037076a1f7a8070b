"""Audits: the records of answers, newest first."""
# ruff: noqa: S608 - statements are put together from parts of our own; whatever is given is bound

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from knowwhy.core.timeline import Instant
from knowwhy.store.blotting import Blotter
from knowwhy.store.protocol import Audit
from knowwhy.store.sqlite.rows import listed
from knowwhy.store.sqlite.session import Row, Session
from knowwhy.store.sqlite.spaces import Space

PAGE: Final = 100

_TAKE: Final = "DELETE FROM audits WHERE space = ? AND id = ?"
_LET_GO: Final = "DELETE FROM audits WHERE space = ? AND at < ?"
_LAST: Final = "SELECT number FROM audits WHERE space = ? ORDER BY number DESC LIMIT 1"
_ADD: Final = "INSERT INTO audits (space, number, id, at, principal, body) VALUES (?, ?, ?, ?, ?, ?)"
_READ: Final = "SELECT id, at, principal, body, number FROM audits WHERE space = ?"
_OLDER: Final = f"{_READ} AND number < ? ORDER BY number DESC LIMIT ?"
_OF: Final = f"{_READ} AND id IN (SELECT value FROM json_each(?)) AND number < ?"
_NEWEST: Final = 2**62


def put(session: Session, space: Space, audits: Sequence[Audit]) -> None:
    """Put records of answers, or take them away."""
    for one in audits:
        if not one.id:
            session.run(_LET_GO, (space.number, one.at))
            continue
        session.run(_TAKE, (space.number, one.id))
        if one.body:
            number = session.number(_LAST, (space.number,)) + 1
            session.run(_ADD, (space.number, number, one.id, one.at, one.principal, one.body))


def every(session: Session, space: Space, ids: Sequence[str] | None, after: int) -> Iterator[Audit]:
    """The records older than number `after`, or all where it is 0; of some ids alone where they are given."""
    below = after or _NEWEST
    if ids is not None:
        found = map(_read, session.rows(_OF, (space.number, listed(ids), below)))
        yield from sorted(found, key=lambda one: -one.number)
        return
    while rows := session.rows(_OLDER, (space.number, below, PAGE)):
        yield from map(_read, rows)
        below = rows[-1][4]


def erase(session: Session, space: Space, blotter: Blotter) -> None:
    """Take away the records that tell of what is erased."""
    kept = list(every(session, space, None, 0))
    gone = [one.id for one in kept if blotter.tells_in(one.body) or blotter.tells(one.principal)]
    session.run_each(_TAKE, [(space.number, one) for one in gone])


def _read(row: Row) -> Audit:
    own, at, principal, body, number = row
    return Audit(own, Instant(at), principal, body, number)
