"""Audits: the records of answers, newest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from knowwhy.core.timeline import Instant
from knowwhy.store.blotting import Blotter
from knowwhy.store.postgres.adapting import Row
from knowwhy.store.postgres.session import Session, Writing
from knowwhy.store.postgres.spaces import Space
from knowwhy.store.protocol import Audit

PAGE: Final = 100

_TAKE: Final = "DELETE FROM audits WHERE space = %s AND id = %s"
_LET_GO: Final = "DELETE FROM audits WHERE space = %s AND at < %s"
_ADD: Final = (
    "INSERT INTO audits (space, number, id, at, principal, body)"
    " SELECT %s, coalesce(max(number), 0) + 1, %s, %s, %s, %s FROM audits WHERE space = %s"
)
_READ: Final = "SELECT id, at, principal, body, number FROM audits WHERE space = %s"
_OLDER: Final = f"{_READ} AND number < %s ORDER BY number DESC LIMIT %s"
_OF: Final = f"{_READ} AND id = ANY(%s::text[]) AND number < %s ORDER BY number DESC"
_NEWEST: Final = 2**62


def put(session: Writing, audits: Sequence[Audit]) -> None:
    """Put records of answers, or take them away."""
    space = session.space.number
    for one in audits:
        if not one.id:
            session.later(_LET_GO, (space, one.at))
            continue
        session.later(_TAKE, (space, one.id))
        if one.body:
            session.later(_ADD, (space, one.id, one.at, one.principal, one.body, space))


def every(session: Session, space: Space, ids: Sequence[str] | None, after: int) -> Iterator[Audit]:
    """The records older than number `after`, or all where it is 0; of some ids alone where they are given."""
    below = after or _NEWEST
    if ids is not None:
        yield from map(_read, session.rows(_OF, (space.number, list(ids), below)))
        return
    while rows := session.rows(_OLDER, (space.number, below, PAGE)):
        yield from map(_read, rows)
        below = rows[-1][4]


def erase(session: Writing, blotter: Blotter) -> None:
    """Take away the records that tell of what is erased."""
    for one in list(every(session, session.space, None, 0)):
        if blotter.tells_in(one.body) or blotter.tells(one.principal):
            session.run(_TAKE, (session.space.number, one.id))


def _read(row: Row) -> Audit:
    own, at, principal, body, number = row
    return Audit(own, Instant(at), principal, body, number)
