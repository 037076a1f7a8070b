"""Erasing: entities and sources that nothing speaks of, words in the log, and the bytes they left."""
# ruff: noqa: S608 - statements are put together from parts of our own; whatever is given is bound

from __future__ import annotations

import time
from typing import Final

from knowwhy.errors import Unavailable
from knowwhy.store.blotting import BLOT, GOING, KEPT, Blotter
from knowwhy.store.protocol import Erasing
from knowwhy.store.sqlite import audits
from knowwhy.store.sqlite.rows import listed, written
from knowwhy.store.sqlite.session import Session
from knowwhy.store.sqlite.spaces import Space

_TRIES: Final = 50
_PAUSE: Final = 0.1

_AMONG: Final = "(SELECT value FROM json_each(?2))"
_EMPTY_SLOTS: Final = (
    "SELECT s.number, s.id FROM slots AS s"
    " CROSS JOIN entities AS n ON n.space = s.space AND n.number = s.subject"
    f" WHERE s.space = ?1 AND n.id IN {_AMONG} AND NOT EXISTS"
    " (SELECT 1 FROM claims AS c WHERE c.space = s.space AND c.slot = s.number) AND NOT EXISTS"
    " (SELECT 1 FROM beliefs AS b WHERE b.space = s.space AND b.slot = s.number)"
)
_UNNAMED: Final = (
    f"SELECT n.number, n.id FROM entities AS n WHERE n.space = ?1 AND n.id IN {_AMONG} AND NOT EXISTS"
    " (SELECT 1 FROM slots AS s WHERE s.space = n.space AND s.subject = n.number) AND NOT EXISTS"
    " (SELECT 1 FROM beliefs AS b WHERE b.space = n.space AND b.value_type = 'entity'"
    " AND b.value_key = 'entity:' || n.id)"
)
_SILENT: Final = (
    f"SELECT o.number FROM sources AS o WHERE o.space = ?1 AND o.name IN {_AMONG} AND NOT EXISTS"
    " (SELECT 1 FROM evidence AS e WHERE e.space = o.space AND e.source = o.number)"
)
_ALIAS_WITHDRAWALS: Final = (
    "SELECT r.target, r.id FROM names AS m CROSS JOIN retractions AS r ON r.space = m.space"
    f" AND r.target = m.target WHERE m.space = ?1 AND m.entity IN {_AMONG}"
)


def erase(session: Session, space: Space, erasing: Erasing) -> None:
    """Drop what nothing speaks of any more, and blot words out of the log."""
    number = space.number
    slots = session.rows(_EMPTY_SLOTS, (number, listed(erasing.entities)))
    session.run(
        f"DELETE FROM decisions WHERE space = ?1 AND slot IN {_AMONG}",
        (number, listed(own_id for _, own_id in slots)),
    )
    _drop(session, number, "slots", [row[0] for row in slots])
    gone = session.rows(_UNNAMED, (number, listed(erasing.entities)))
    ids = listed(own_id for _, own_id in gone)
    withdrawn = session.rows(_ALIAS_WITHDRAWALS, (number, ids))
    session.run(
        f"DELETE FROM retractions WHERE space = ?1 AND target IN {_AMONG}",
        (number, listed(one for row in withdrawn for one in row)),
    )
    session.run(f"DELETE FROM names WHERE space = ?1 AND entity IN {_AMONG}", (number, ids))
    _drop(session, number, "entities", [row[0] for row in gone])
    silent = [row[0] for row in session.rows(_SILENT, (number, listed(erasing.sources)))]
    _drop(session, number, "sources", silent)
    space.dropped_slots += len(slots)
    space.dropped_entities += len(gone)
    space.dropped_sources += len(silent)
    blotter = Blotter(erasing.words, erasing.ids)
    _blot(session, number, blotter)
    audits.erase(session, space, blotter)


def _drop(session: Session, space: int, table: str, numbers: list[int]) -> None:
    session.run(f"DELETE FROM {table} WHERE space = ?1 AND number IN {_AMONG}", (space, written(numbers)))


def _blot(session: Session, space: int, blotter: Blotter) -> None:
    told = "sequence, author, reason, key, outcome"
    for sequence, author, reason, key, outcome in session.rows(
        f"SELECT {told} FROM operations WHERE space = ?", (space,)
    ):
        kept = (
            BLOT if blotter.tells(author) else author,
            BLOT if blotter.tells(reason) else reason,
            None if blotter.tells(key) else key,
            None if blotter.tells_in(outcome) else outcome,
        )
        if kept != (author, reason, key, outcome):
            session.run(
                "UPDATE operations SET (author, reason, key, outcome) = (?, ?, ?, ?)"
                " WHERE space = ? AND sequence = ?",
                (*kept, space, sequence),
            )
    for target, own_id, reason in session.rows(
        "SELECT target, id, reason FROM retractions WHERE space = ? AND reason IS NOT NULL", (space,)
    ):
        if blotter.tells(reason):
            session.run(
                "UPDATE retractions SET reason = ? WHERE space = ? AND target = ? AND id = ?",
                (BLOT, space, target, own_id),
            )
    named = "kind, key, operation"
    for kind, key, operation, body in session.rows(
        f"SELECT {named}, body FROM declarations WHERE space = ?", (space,)
    ):
        if kind in KEPT:
            continue
        if kind in GOING and blotter.names(body):
            session.run(
                f"DELETE FROM declarations WHERE space = ? AND ({named}) = (?, ?, ?)",
                (space, kind, key, operation),
            )
            continue
        changed = blotter.blotted_json(body)
        if changed != body or blotter.tells(key):
            session.run(
                "UPDATE OR REPLACE declarations SET key = ?, body = ?"
                f" WHERE space = ? AND ({named}) = (?, ?, ?)",
                (f"{BLOT} {operation}" if blotter.tells(key) else key, changed, space, kind, key, operation),
            )


def overwrite(session: Session) -> None:
    """Write the file anew without what was deleted from it, and empty its log.

    Raises:
        Unavailable: a reader that is still at work keeps old pages in use.
    """
    session.run("INSERT INTO postings (postings) VALUES ('optimize')")
    session.run("VACUUM")
    for _ in range(_TRIES):
        busy, _, _ = session.rows("PRAGMA wal_checkpoint(TRUNCATE)")[0]
        if not busy:
            return
        time.sleep(_PAUSE)
    raise Unavailable(
        f"It is erased, but a reader of {session.path} that is still at work keeps old pages in the log "
        "beside it. End that reader, and erase again: what is gone is passed over.",
        retry_after=1.0,
    )
