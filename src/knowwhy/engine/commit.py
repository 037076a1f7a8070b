"""The writing cycle: read once, decide, commit; on a lost race read again."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from knowwhy.core.model import (
    Act,
    Alias,
    Attribute,
    Belief,
    Claim,
    Entity,
    Evidence,
    Operation,
    Retraction,
    Source,
    Testimony,
    attribute_in,
    content_id,
)
from knowwhy.core.revision import Change, Contest, ContestKey, contest_key, revise
from knowwhy.core.timeline import Instant
from knowwhy.engine.outcome import Outcome, kept_outcome, outcome_from, outcome_of
from knowwhy.engine.space import Space, by_every_name
from knowwhy.errors import IdempotencyConflict, InvalidInput, Unavailable, VersionConflict
from knowwhy.recall.analysis import terms
from knowwhy.store.protocol import Batch, BeliefFilter, Snapshot, StaleRead, TextEntry

_TRIES: Final = 40
_LONGEST_PAUSE: Final = 0.05


@dataclass(frozen=True, slots=True)
class Signature:
    """Who acts and why, and how a repetition or a lost race is recognised."""

    act: Act
    author: str | None = None
    reason: str | None = None
    key: str | None = None
    expected_version: int | None = None
    request: str = ""


@dataclass(frozen=True, slots=True)
class Intent:
    """What a writing verb wants on record, before its consequences are computed.

    `contests` are those to decide anew beside the ones that `claims` fall into. `reported` are the
    evidence ids the caller is told, new and known ones alike.
    """

    entities: tuple[Entity, ...] = ()
    aliases: tuple[Alias, ...] = ()
    attributes: tuple[Attribute, ...] = ()
    sources: tuple[Source, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    claims: tuple[Claim, ...] = ()
    retractions: tuple[Retraction, ...] = ()
    contests: tuple[ContestKey, ...] = ()
    reported: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    touched: Mapping[ContestKey, Attribute] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a verb may look at while it forms its intent: one snapshot, the schema, the present instant."""

    space: Space
    view: Snapshot
    schema: Mapping[str, Attribute]
    at: Instant


def fingerprint(*parts: object) -> str:
    """The fingerprint of a request, so that a reused idempotency key with other contents is noticed."""
    return content_id("rq", json.dumps(parts, default=str, ensure_ascii=False, sort_keys=True))


def write(space: Space, signature: Signature, form: Callable[[Reading], Intent | Outcome]) -> Outcome:
    """Carry out one writing verb: what `form` intends, with all that follows from it.

    `form` may be called several times, since a race lost against another writer costs a re-read; it
    must only read. It may return an outcome instead, if there is nothing to write.

    Raises:
        VersionConflict: the beliefs concerned have another version than the caller expected.
        IdempotencyConflict: the key was used for a different request.
        Unavailable: other writers were faster every time.
    """
    for attempt in range(_TRIES):
        with space.store.snapshot(space.name) as view:
            prepared = _prepare(space, signature, form, view)
        if isinstance(prepared, Outcome):
            return prepared
        batch, outcome = prepared
        try:
            return outcome.numbered(space.store.commit(space.name, batch))
        except StaleRead:
            # Chance only spreads contending writers out; no result depends on it.
            pause = min(_LONGEST_PAUSE, 0.001 * 2**attempt)
            time.sleep(random.uniform(0.0, pause))  # noqa: S311 - not for cryptography
    msg = "Other writers kept changing the same beliefs; nothing was written. Try again in a moment."
    raise Unavailable(msg, retry_after=1.0)


def _prepare(
    space: Space, signature: Signature, form: Callable[[Reading], Intent | Outcome], view: Snapshot
) -> tuple[Batch, Outcome] | Outcome:
    repeated = _repeated(view, signature)
    if repeated is not None:
        return repeated
    head = view.head()
    at = Instant(max(space.clock(), head.at + 1))
    reading = Reading(space, view, space.schema(view), at)
    intent = form(reading)
    if isinstance(intent, Outcome):
        return intent
    contests = _contests(reading, intent, head.sequence + 1)
    expected = {contest.key: _version(contest.before) for contest in contests}
    _check_version(signature, contests)
    changeset = revise(contests, at, space.policy)
    outcome = outcome_of(changeset, at, intent.reported, len(intent.evidence), intent.warnings)
    batch = Batch(
        operation=_operation(space, signature, head.sequence + 1, at, outcome),
        entities=intent.entities,
        aliases=intent.aliases,
        attributes=intent.attributes,
        sources=intent.sources,
        evidence=intent.evidence,
        claims=intent.claims,
        retractions=intent.retractions,
        beliefs=changeset.beliefs,
        texts=_texts(intent.evidence, changeset.changes),
        expected=expected,
        schema=head.schema,
    )
    return batch, outcome


def _repeated(view: Snapshot, signature: Signature) -> Outcome | None:
    """The outcome of the earlier operation with the same idempotency key, if there is one."""
    if signature.key is None:
        return None
    for operation in view.operations(key=signature.key):
        if operation.request != signature.request:
            msg = f"The idempotency key {signature.key!r} was used for a different request; choose a new one."
            raise IdempotencyConflict(msg, operation=operation.sequence)
        return replace(outcome_from(operation), is_repeat=True)
    return None


def _contests(reading: Reading, intent: Intent, sequence: int) -> list[Contest]:
    """The neighbourhood of the intent: each contest it touches, with all testimony, old and new."""
    schema = dict(reading.schema)
    schema.update(by_every_name({one.key: one for one in intent.attributes}))
    evidence = {one.id: one for one in intent.evidence}
    fresh: dict[ContestKey, list[Testimony]] = {key: [] for key in intent.contests}
    attributes: dict[ContestKey, Attribute] = dict(intent.touched)
    for claim in intent.claims:
        attribute = attribute_in(schema, claim.slot.attribute)
        key = contest_key(claim.slot, claim.value.key, attribute)
        attributes[key] = attribute
        fresh.setdefault(key, []).append(_testimony(claim, evidence[claim.evidence_id], sequence))
    if not fresh:
        return []
    kept = reading.view.testimonies(list(fresh))
    before = reading.view.beliefs(BeliefFilter(contests=list(fresh)))
    standing: dict[ContestKey, list[Belief]] = {key: [] for key in fresh}
    for belief in before:
        for key in (ContestKey(belief.slot.id), ContestKey(belief.slot.id, belief.value.key)):
            if key in standing:
                standing[key].append(belief)
    gone = {retraction.target for retraction in intent.retractions}
    return [
        Contest(
            key,
            attributes.get(key) or _attribute_of(kept.get(key, []), schema),
            tuple(_withdrawn(kept.get(key, []), gone, reading.at)) + tuple(fresh[key]),
            tuple(standing[key]),
        )
        for key in fresh
    ]


def _attribute_of(testimonies: Iterable[Testimony], schema: Mapping[str, Attribute]) -> Attribute:
    return attribute_in(schema, next(one.claim.slot.attribute for one in testimonies))


def _testimony(claim: Claim, evidence: Evidence, sequence: int) -> Testimony:
    return Testimony(
        claim=claim,
        source=evidence.source,
        groups=evidence.groups,
        observed_at=evidence.observed_at,
        effective_at=evidence.effective_at,
        recorded_at=evidence.recorded_at,
        is_pinned=evidence.is_pinned,
        operation=sequence,
    )


def _withdrawn(testimonies: Iterable[Testimony], gone: set[str], at: Instant) -> Iterable[Testimony]:
    for one in testimonies:
        is_gone = one.retracted_at is None and (one.claim.id in gone or one.claim.evidence_id in gone)
        yield replace(one, retracted_at=at) if is_gone else one


def _version(beliefs: Iterable[Belief]) -> int:
    return max((belief.version for belief in beliefs), default=0)


def _check_version(signature: Signature, contests: list[Contest]) -> None:
    if signature.expected_version is None:
        return
    if len(contests) != 1:
        msg = f"expected_version speaks of one belief, but this write touches {len(contests)}; split it."
        raise InvalidInput(msg)
    current = _version(contests[0].before)
    if current != signature.expected_version:
        msg = (
            f"The belief is at version {current}, not {signature.expected_version}: it changed since it "
            "was read. Read it again and decide again."
        )
        raise VersionConflict(
            msg,
            current_version=current,
            expected_version=signature.expected_version,
            current=[{"value": str(one.value), "status": str(one.status)} for one in contests[0].before],
        )


def _operation(space: Space, signature: Signature, sequence: int, at: Instant, outcome: Outcome) -> Operation:
    kept: dict[str, Any] = kept_outcome(outcome)
    return Operation(
        sequence=sequence,
        at=at,
        decided_at=at,
        act=signature.act,
        author=signature.author or space.author,
        reason=signature.reason,
        policy=space.policy.name,
        key=signature.key,
        request=signature.request,
        outcome=kept,
    )


def _texts(evidence: Iterable[Evidence], changes: Iterable[Change]) -> tuple[TextEntry, ...]:
    spoken = tuple(TextEntry(one.id, terms(one.text)) for one in evidence)
    return spoken + tuple(belief_text(change.after) for change in changes if change.before is None)


def belief_text(belief: Belief) -> TextEntry:
    """The index entry of a belief: its subject, attribute, conditions and value as words."""
    conditions = " ".join(f"{key} {value}" for key, value in belief.slot.conditions)
    words = f"{belief.slot.subject.name} {belief.slot.attribute} {conditions} {belief.value}"
    return TextEntry(belief.id, terms(words))
