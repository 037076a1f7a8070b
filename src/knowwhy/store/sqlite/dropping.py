"""Dropping for good: evidence with all that rests on it alone, and what older operations left behind."""
# ruff: noqa: S608 - statements are put together from parts of our own; whatever is given is bound

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from knowwhy.core.model import Stance
from knowwhy.store.encoding import SCHEMA_KINDS
from knowwhy.store.protocol import Erasing
from knowwhy.store.sqlite import texts, vectors
from knowwhy.store.sqlite.erasing import erase
from knowwhy.store.sqlite.rows import listed, written
from knowwhy.store.sqlite.session import Session
from knowwhy.store.sqlite.spaces import Space, keep, space_founded

_SCHEMA: Final = ", ".join(f"'{one}'" for one in sorted(SCHEMA_KINDS))

# What ends or gives up a value makes no belief by itself.
_HEARD: Final = ", ".join(f"'{one}'" for one in Stance if one.is_heard)

_AMONG: Final = "(SELECT value FROM json_each(?2))"
_WITHDRAWN: Final = (
    f"SELECT e.id FROM evidence AS e WHERE e.space = ?1 AND e.id IN {_AMONG} AND EXISTS"
    " (SELECT 1 FROM retractions AS r WHERE r.space = e.space AND r.target = e.id AND NOT EXISTS"
    " (SELECT 1 FROM retractions AS l WHERE l.space = r.space AND l.target = r.id)) ORDER BY e.number"
)
_CLAIMS: Final = (
    "SELECT c.number, c.id, c.slot, c.value_key FROM evidence AS e"
    " CROSS JOIN claims AS c ON c.space = e.space AND c.evidence = e.number"
    f" WHERE e.space = ?1 AND e.id IN {_AMONG}"
)
_LIFTS: Final = (
    "DELETE FROM retractions WHERE space = ?1 AND target IN"
    f" (SELECT r.id FROM retractions AS r WHERE r.space = ?1 AND r.target IN {_AMONG})"
)
_RETRACTIONS: Final = f"DELETE FROM retractions WHERE space = ?1 AND target IN {_AMONG}"
_DROP_CLAIMS: Final = f"DELETE FROM claims WHERE space = ?1 AND number IN {_AMONG}"
_DROP_EVIDENCE: Final = f"DELETE FROM evidence WHERE space = ?1 AND id IN {_AMONG}"
_UNLINK: Final = (
    "DELETE FROM links WHERE space = ?1 AND (slot, value_key) IN"
    " (SELECT value ->> 0, value ->> 1 FROM json_each(?2))"
)
_LEANING: Final = (
    "SELECT c.slot, c.value_key, c.derivation, c.depends_on FROM json_each(?2) AS j"
    " CROSS JOIN claims AS c ON c.space = ?1 AND c.slot = j.value ->> 0 AND c.value_key = j.value ->> 1"
    " WHERE c.derivation IS NOT NULL OR c.depends_on IS NOT NULL"
)
_LINK: Final = "INSERT OR IGNORE INTO links VALUES (?, ?, ?, ?)"
_UNSPOKEN: Final = (
    "SELECT b.id FROM json_each(?2) AS j"
    " CROSS JOIN beliefs AS b ON b.space = ?1 AND b.slot = j.value ->> 0 AND b.value_key = j.value ->> 1"
    " WHERE NOT EXISTS (SELECT 1 FROM claims AS c WHERE c.space = b.space AND c.slot = b.slot"
    f" AND c.value_key = b.value_key AND c.stance IN ({_HEARD}))"
)
_DROP_BELIEFS: Final = f"DELETE FROM beliefs WHERE space = ?1 AND id IN {_AMONG}"
_FORGET_OUTCOMES: Final = "UPDATE operations SET outcome = NULL WHERE space = ?1 AND sequence < ?2"
_FORGET_DECLARATIONS: Final = (
    f"DELETE FROM declarations AS d WHERE d.space = ?1 AND d.kind IN ({_SCHEMA}) AND d.operation <"
    " (SELECT max(o.operation) FROM declarations AS o WHERE o.space = d.space AND o.kind = d.kind"
    " AND o.key = d.key AND o.operation < ?2)"
)


def drop(
    session: Session, name: str, evidence: Sequence[str], before: int, erasing: Erasing | None = None
) -> None:
    """Drop evidence and what rests on it alone, and what operations before a number left behind."""
    space = space_founded(session, name)
    if gone := [row[0] for row in session.rows(_WITHDRAWN, (space.number, listed(evidence)))]:
        _drop_evidence(session, space, gone)
    session.run(_FORGET_OUTCOMES, (space.number, before))
    session.run(_FORGET_DECLARATIONS, (space.number, before))
    if erasing is not None:
        erase(session, space, erasing)
    keep(session, space)


def _drop_evidence(session: Session, space: Space, evidence: Sequence[str]) -> None:
    number = space.number
    claims = session.rows(_CLAIMS, (number, listed(evidence)))
    targets = listed([*evidence, *(row[1] for row in claims)])
    session.run(_LIFTS, (number, targets))
    session.run(_RETRACTIONS, (number, targets))
    session.run(_DROP_CLAIMS, (number, written([row[0] for row in claims])))
    session.run(_DROP_EVIDENCE, (number, listed(evidence)))
    space.dropped_evidence += len(evidence)
    space.dropped_claims += len(claims)
    touched = written(sorted({(row[2], row[3]) for row in claims}))
    session.run(_UNLINK, (number, touched))
    session.run_each(_LINK, _links(session, number, touched))
    unspoken = [row[0] for row in session.rows(_UNSPOKEN, (number, touched))]
    session.run(_DROP_BELIEFS, (number, listed(unspoken)))
    texts.remove(session, space, [*evidence, *unspoken])
    vectors.remove(session, space, [*evidence, *unspoken])


def _links(session: Session, number: int, touched: str) -> list[tuple[int, str, int, str]]:
    """From what the claims that are left on some values rest on, to those values."""
    found = []
    for slot, value_key, derivation, depends_on in session.rows(_LEANING, (number, touched)):
        premises, exceptions = ((), ()) if derivation is None else json.loads(derivation)[:2]
        slots = () if depends_on is None else json.loads(depends_on)
        found += [(number, one, slot, value_key) for one in (*premises, *exceptions, *slots)]
    return found
