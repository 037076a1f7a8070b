"""Erasing: entities and sources that nothing speaks of, words in the log, and the bytes they left."""
# ruff: noqa: S608 - statements are put together from parts of our own; whatever is given is bound

from __future__ import annotations

import json
from typing import Final

from knowwhy.store.blotting import BLOT, GOING, KEPT, Blotter
from knowwhy.store.postgres import audits
from knowwhy.store.postgres.adapting import shortened
from knowwhy.store.postgres.figures import TABLES
from knowwhy.store.postgres.session import SCHEMA, Session, Writing
from knowwhy.store.protocol import Erasing

_EMPTY_SLOTS: Final = (
    "SELECT s.number, s.id FROM slots AS s JOIN entities AS n ON n.space = s.space AND n.number = s.subject"
    " WHERE s.space = %s AND n.id = ANY(%s::text[]) AND NOT EXISTS"
    " (SELECT 1 FROM claims AS c WHERE c.space = s.space AND c.slot = s.number) AND NOT EXISTS"
    " (SELECT 1 FROM beliefs AS b WHERE b.space = s.space AND b.slot = s.number)"
)
_UNNAMED: Final = (
    "SELECT n.number, n.id FROM entities AS n WHERE n.space = %s AND n.id = ANY(%s::text[]) AND NOT EXISTS"
    " (SELECT 1 FROM slots AS s WHERE s.space = n.space AND s.subject = n.number) AND NOT EXISTS"
    " (SELECT 1 FROM beliefs AS b WHERE b.space = n.space AND b.value_type = 'entity'"
    " AND coalesce(b.value_whole, b.value_key) = 'entity:' || coalesce(n.id_whole, n.id))"
)
_SILENT: Final = (
    "SELECT o.number FROM sources AS o WHERE o.space = %s AND o.name = ANY(%s::text[]) AND NOT EXISTS"
    " (SELECT 1 FROM evidence AS e WHERE e.space = o.space AND e.source = o.number)"
)
_ALIAS_WITHDRAWALS: Final = (
    "SELECT r.target, r.id FROM names AS m JOIN retractions AS r ON r.space = m.space AND r.target = m.target"
    " WHERE m.space = %s AND m.entity = ANY(%s::text[])"
)
# The tables that erased content was in, to be written anew without it.
_WRITTEN_ANEW: Final = (*TABLES, "vectors", "audits", "spaces")

# The role that may is known to servers from version 15 on.
_MAY_CHECKPOINT: Final = (
    "SELECT bool_or(pg_has_role(oid, 'usage')) FROM pg_roles WHERE rolname = 'pg_checkpoint'"
    " OR (rolname = current_user AND rolsuper)"
)


def erase(session: Writing, erasing: Erasing) -> None:
    """Drop what nothing speaks of any more, and blot words out of the log."""
    space = session.space
    number = space.number
    slots = session.rows(_EMPTY_SLOTS, (number, shortened(erasing.entities)))
    named = [own_id for _, own_id in slots]
    session.run("DELETE FROM decisions WHERE space = %s AND slot = ANY(%s::text[])", (number, named))
    _drop(session, "slots", [row[0] for row in slots])
    gone = session.rows(_UNNAMED, (number, shortened(erasing.entities)))
    ids = [own_id for _, own_id in gone]
    withdrawn = [one for row in session.rows(_ALIAS_WITHDRAWALS, (number, ids)) for one in row]
    session.run("DELETE FROM retractions WHERE space = %s AND target = ANY(%s::text[])", (number, withdrawn))
    session.run("DELETE FROM names WHERE space = %s AND entity = ANY(%s::text[])", (number, ids))
    _drop(session, "entities", [row[0] for row in gone])
    silent = [row[0] for row in session.rows(_SILENT, (number, shortened(erasing.sources)))]
    _drop(session, "sources", silent)
    space.dropped_slots += len(slots)
    space.dropped_entities += len(gone)
    space.dropped_sources += len(silent)
    blotter = Blotter(erasing.words, erasing.ids)
    _blot(session, blotter)
    audits.erase(session, blotter)


def _drop(session: Writing, table: str, numbers: list[int]) -> None:
    session.run(
        f"DELETE FROM {table} WHERE space = %s AND number = ANY(%s::bigint[])",
        (session.space.number, numbers),
    )


def _blot(session: Writing, blotter: Blotter) -> None:
    space = session.space.number
    told = "sequence, author, reason, coalesce(key_whole, key), outcome::text"
    for sequence, author, reason, key, outcome in session.rows(
        f"SELECT {told} FROM operations WHERE space = %s", (space,)
    ):
        if any(map(blotter.tells, (author, reason, key))) or blotter.tells_in(outcome):
            session.run(
                "UPDATE operations SET author = %s, reason = %s, key = CASE WHEN %s THEN NULL ELSE key END,"
                " key_whole = CASE WHEN %s THEN NULL ELSE key_whole END,"
                " outcome = CASE WHEN %s THEN NULL ELSE outcome END WHERE space = %s AND sequence = %s",
                (
                    BLOT if blotter.tells(author) else author,
                    BLOT if blotter.tells(reason) else reason,
                    *(blotter.tells(key), blotter.tells(key), blotter.tells_in(outcome)),
                    *(space, sequence),
                ),
            )
    for target, own_id, reason in session.rows(
        "SELECT target, id, reason FROM retractions WHERE space = %s AND reason IS NOT NULL", (space,)
    ):
        if blotter.tells(reason):
            session.run(
                "UPDATE retractions SET reason = %s WHERE space = %s AND target = %s AND id = %s",
                (BLOT, space, target, own_id),
            )
    for kind, key, operation, whole, body in session.rows(
        "SELECT kind, key, operation, coalesce(key_whole, key), body::text"
        " FROM declarations WHERE space = %s",
        (space,),
    ):
        if kind in KEPT:
            continue
        if kind in GOING and blotter.names(body):
            session.run(
                "DELETE FROM declarations WHERE space = %s AND kind = %s AND key = %s AND operation = %s",
                (space, kind, key, operation),
            )
            continue
        changed = blotter.blotted(json.loads(body))
        if blotter.tells(whole) or changed != json.loads(body):
            session.run(
                "UPDATE declarations SET body = %s::jsonb, key = %s,"
                " key_whole = CASE WHEN %s THEN NULL ELSE key_whole END"
                " WHERE space = %s AND kind = %s AND key = %s AND operation = %s",
                (
                    json.dumps(changed, ensure_ascii=False),
                    f"{BLOT} {operation}" if blotter.tells(whole) else key,
                    *(blotter.tells(whole), space, kind, key, operation),
                ),
            )


def overwrite(session: Session) -> None:
    """Write the tables anew without what was deleted from them.

    The server's log and its backups hold the old pages until they are recycled, which is up to the server. So
    are the old files of the tables, until its next checkpoint, where this role may not ask for one.
    """
    for table in _WRITTEN_ANEW:
        session.run(f"VACUUM (FULL, ANALYZE) {SCHEMA}.{table}")
    if session.rows(_MAY_CHECKPOINT)[0][0]:
        session.run("CHECKPOINT")
