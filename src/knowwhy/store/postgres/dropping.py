"""Dropping for good: evidence with all that rests on it alone, and what older operations left behind."""
# ruff: noqa: S608 - statements are put together from parts of our own; whatever is given is bound

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from knowwhy.core.model import Stance
from knowwhy.store.encoding import SCHEMA_KINDS
from knowwhy.store.postgres import tables, texts, vectors
from knowwhy.store.postgres.adapting import Row, short, shortened
from knowwhy.store.postgres.erasing import erase
from knowwhy.store.postgres.rows import columns
from knowwhy.store.postgres.session import Writing
from knowwhy.store.postgres.spaces import KEEP
from knowwhy.store.protocol import Erasing

_SCHEMA: Final = ", ".join(f"'{one}'" for one in sorted(SCHEMA_KINDS))

# What ends or gives up a value makes no belief by itself.
_HEARD: Final = ", ".join(f"'{one}'" for one in Stance if one.is_heard)

_WITHDRAWN: Final = (
    "SELECT e.id FROM evidence AS e WHERE e.space = %s AND e.id = ANY(%s::text[]) AND EXISTS"
    " (SELECT 1 FROM retractions AS r WHERE r.space = e.space AND r.target = e.id AND NOT EXISTS"
    " (SELECT 1 FROM retractions AS l WHERE l.space = r.space AND l.target = r.id)) ORDER BY e.number"
)
_CLAIMS: Final = (
    "SELECT c.number, c.id, c.slot, c.value_key FROM evidence AS e"
    " JOIN claims AS c ON c.space = e.space AND c.evidence = e.number"
    " WHERE e.space = %s AND e.id = ANY(%s::text[])"
)
_LIFTS: Final = (
    "DELETE FROM retractions AS l USING unnest(ARRAY(SELECT r.id FROM retractions AS r WHERE r.space = %s"
    " AND r.target = ANY(%s::text[]))) AS j(id) WHERE l.space = %s AND l.target = j.id"
)
_RETRACTIONS: Final = "DELETE FROM retractions WHERE space = %s AND target = ANY(%s::text[])"
_DROP_CLAIMS: Final = "DELETE FROM claims WHERE space = %s AND number = ANY(%s::bigint[])"
_DROP_EVIDENCE: Final = "DELETE FROM evidence WHERE space = %s AND id = ANY(%s::text[])"
_VALUES: Final = "unnest(%s::bigint[], %s::text[]) AS j(slot, value_key)"
_UNLINK: Final = (
    "DELETE FROM links AS l USING unnest(%s::bigint[], %s::text[]) AS j(slot, value_key)"
    " WHERE l.space = %s AND l.premise = ANY(%s::text[]) AND l.slot = j.slot AND l.value_key = j.value_key"
)
_LEANING: Final = (
    "SELECT c.slot, c.value_key, c.derivation, c.depends_on"
    f" FROM {_VALUES} JOIN claims AS c ON c.space = %s AND c.slot = j.slot AND c.value_key = j.value_key"
    " WHERE c.derivation IS NOT NULL OR c.depends_on IS NOT NULL"
)
_UNSPOKEN: Final = (
    f"SELECT b.id FROM {_VALUES} JOIN beliefs AS b ON b.space = %s AND b.slot = j.slot"
    " AND b.value_key = j.value_key WHERE NOT EXISTS (SELECT 1 FROM claims AS c WHERE c.space = b.space"
    f" AND c.slot = b.slot AND c.value_key = b.value_key AND c.stance IN ({_HEARD}))"
)
_DROP_BELIEFS: Final = "DELETE FROM beliefs WHERE space = %s AND id = ANY(%s::text[])"
_FORGET_OUTCOMES: Final = (
    "UPDATE operations SET outcome = NULL WHERE space = %s AND sequence < %s AND outcome IS NOT NULL"
)
_FORGET_DECLARATIONS: Final = (
    f"DELETE FROM declarations AS d WHERE d.space = %s AND d.kind IN ({_SCHEMA}) AND d.operation <"
    " (SELECT max(o.operation) FROM declarations AS o WHERE o.space = d.space AND o.kind = d.kind"
    " AND o.key = d.key AND o.operation < %s)"
)


def drop(session: Writing, evidence: Sequence[str], before: int, erasing: Erasing | None = None) -> None:
    """Drop evidence and what rests on it alone, and what operations before a number left behind; commit."""
    space = session.space
    if gone := [own_id for (own_id,) in session.rows(_WITHDRAWN, (space.number, shortened(evidence)))]:
        _drop_evidence(session, gone)
    session.later(_FORGET_OUTCOMES, (space.number, before))
    session.later(_FORGET_DECLARATIONS, (space.number, before))
    if erasing is not None:
        session.flush()
        erase(session, erasing)
    space.rebuilds += 1
    session.later(KEEP, space.kept)
    session.commit()


def _drop_evidence(session: Writing, evidence: Sequence[str]) -> None:
    space = session.space
    number = space.number
    claims = session.rows(_CLAIMS, (number, evidence))
    touched = sorted({(slot, value_key) for _, _, slot, value_key in claims})
    values = columns(touched) if touched else [[], []]
    leaning = _links(session.rows(_LEANING, (*values, number)))
    targets = [*evidence, *(own_id for _, own_id, _, _ in claims)]
    session.run(_LIFTS, (number, targets, number))
    session.run(_RETRACTIONS, (number, targets))
    session.run(_DROP_CLAIMS, (number, [claim for claim, _, _, _ in claims]))
    session.run(_DROP_EVIDENCE, (number, evidence))
    space.dropped_evidence += len(evidence)
    space.dropped_claims += len(claims)
    # Of what the values rested on, what the claims that are left do not.
    kept = _links(session.rows(_LEANING, (*values, number)))
    premises = sorted({premise for premise, _, _ in leaning - kept})
    session.run(_UNLINK, (*values, number, premises))
    if kept:
        session.run(tables.ADD_LINK, (number, *columns(sorted(kept))))
    unspoken = [own_id for (own_id,) in session.rows(_UNSPOKEN, (*values, number))]
    session.run(_DROP_BELIEFS, (number, unspoken))
    texts.remove(session, session.rows(*texts.asked_of(space, [*evidence, *unspoken])))
    vectors.remove(session, [*evidence, *unspoken])


def _links(rows: Iterable[Row]) -> set[tuple[str, int, str]]:
    """From what claims rest on to the values they speak of."""
    found = set()
    for slot, value_key, derivation, depends_on in rows:
        premises, exceptions = derivation[:2] if derivation else ((), ())
        found |= {(short(one), slot, value_key) for one in (*premises, *exceptions, *(depends_on or ()))}
    return found
