"""Writing: one batch into the tables, within the transaction that holds its space."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice
from secrets import randbits
from typing import Final

from knowwhy.core.model import Act, Belief, Operation, premises_of
from knowwhy.core.timeline import Instant
from knowwhy.errors import Fault
from knowwhy.store.postgres import audits, tables, texts, vectors
from knowwhy.store.postgres.known import Known, known_to
from knowwhy.store.postgres.log import Log
from knowwhy.store.postgres.rows import columns, operation_row
from knowwhy.store.postgres.session import Writing
from knowwhy.store.postgres.spaces import KEEP
from knowwhy.store.protocol import Audit, Batch, StaleRead, TextEntry, Vector, View

CHUNK: Final = 1_000
_MARK_BITS: Final = 63

# What a batch is about that only brings views.
_NOTHING: Final = Operation(0, Instant(0), Instant(0), Act.OBSERVE)

_IS_OURS: Final = "SELECT mark FROM operations WHERE space = %s AND sequence = %s"


@dataclass(slots=True)
class Attempt:
    """One try at a commit: the operation as numbered, and the mark by which it is known again."""

    mark: int
    operation: Operation | None = None

    @staticmethod
    def new() -> Attempt:
        """A try that differs from all others."""
        return Attempt(randbits(_MARK_BITS))


def record(session: Writing, batch: Batch, attempt: Attempt) -> Operation:
    """Add a batch to a space as its next operation, and commit.

    Raises:
        StaleRead: it was decided on something that has moved since.
        Fault: it refers to evidence that is not there, or holds a belief that no claim speaks of.
        Interrupted: the connection broke; `attempt` tells what would have been written.
    """
    space = session.space
    known = known_to(session, batch)
    _check(session, batch, known)
    operation = attempt.operation = _numbered(session, batch.operation)
    session.later(tables.ADD_OPERATION, (space.number, *columns([operation_row(operation, attempt.mark)])))
    space.sequence, space.at = operation.sequence, operation.at
    if any(one.is_schema for one in batch.declarations):
        space.schema = operation.sequence
    if any(map(premises_of, batch.claims)):
        space.links = operation.sequence
    if batch.guards:
        space.guards = operation.sequence
    log = Log(session, known)
    log.add(batch)
    log.settle(batch.beliefs, operation.sequence)
    texts.put(session, batch.texts, known.documents)
    session.later(KEEP, space.kept)
    session.commit()
    return operation


def is_written(session: Writing, attempt: Attempt) -> bool:
    """Whether a commit that was interrupted had been kept."""
    if attempt.operation is None:
        return False
    rows = session.rows(_IS_OURS, (session.space.number, attempt.operation.sequence))
    return rows == [(attempt.mark,)]


def replace_views(session: Writing, rows: Iterable[View], *, is_whole: bool) -> None:
    """Put `rows` in the place of all views of a space, or of those that they replace, and commit."""
    space = session.space
    if is_whole:
        session.later("DELETE FROM beliefs WHERE space = %s", (space.number,))
        texts.forget(session)
    remaining, is_changed = iter(rows), is_whole
    while chunk := list(islice(remaining, CHUNK)):
        beliefs = tuple(one for one in chunk if isinstance(one, Belief))
        entries = tuple(one for one in chunk if isinstance(one, TextEntry))
        # What is looked up must have been written.
        session.flush()
        known = known_to(session, Batch(_NOTHING, beliefs=beliefs, texts=entries))
        Log(session, known).settle(beliefs)
        texts.put(session, entries, known.documents)
        vectors.put(session, [one for one in chunk if isinstance(one, Vector)])
        audits.put(session, [one for one in chunk if isinstance(one, Audit)])
        is_changed = is_changed or not all(isinstance(one, Audit) for one in chunk)
    if is_changed:
        space.rebuilds += 1
        session.later(KEEP, space.kept)
    session.commit()


def _numbered(session: Writing, proposed: Operation) -> Operation:
    space = session.space
    at = max(proposed.at, space.at + 1) if space.sequence else proposed.at
    return replace(proposed, sequence=space.sequence + 1, at=Instant(at))


def _check(session: Writing, batch: Batch, known: Known) -> None:
    """Refuse a batch that was decided on something that has moved since, or that rests on nothing."""
    space = session.space
    is_stale = (
        known.versions != dict(batch.expected)
        or (_rests_on_schema(batch) and batch.schema != space.schema)
        or batch.links not in (None, space.links)
        or known.is_key_used
        or any(one.id in known.evidence for one in batch.evidence)
        or any(one.id in known.claims for one in batch.claims)
    )
    if is_stale:
        raise StaleRead(known.versions)
    brought = {one.id for one in batch.evidence}
    for claim in batch.claims:
        if claim.evidence_id not in brought and claim.evidence_id not in known.evidence:
            raise Fault(f"Claim {claim.id} rests on evidence {claim.evidence_id}, which is not on record.")
    for belief in batch.beliefs:
        if (belief.slot.id, belief.value.key) not in known.spoken:
            raise Fault(f"Belief {belief.id} has no claim to rest on.")


def _rests_on_schema(batch: Batch) -> bool:
    return bool(batch.beliefs) or any(one.is_schema for one in batch.declarations)
