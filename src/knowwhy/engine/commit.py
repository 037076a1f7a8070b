"""The writing cycle: read once, decide, commit; on a lost race read again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from knowwhy.core.model import Act, Belief, Evidence, Operation, Principal, Run, content_id
from knowwhy.core.revision import Change, ContestKey, contest_key
from knowwhy.core.timeline import Instant
from knowwhy.engine.deciding import Verdict, decide, version_of
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.meaning import keep_up
from knowwhy.engine.noting import with_incomplete
from knowwhy.engine.outcome import Outcome, kept_outcome, outcome_from, outcome_of
from knowwhy.engine.permitting import access_of, audience, check, demand, guarded, right_to
from knowwhy.engine.restating import shadow_slots, with_restated
from knowwhy.engine.retrying import back_off
from knowwhy.engine.setting_apart import with_set_apart
from knowwhy.engine.space import Space
from knowwhy.engine.turn import Turn
from knowwhy.errors import IdempotencyConflict, InvalidInput, Unavailable, VersionConflict
from knowwhy.recall.documents import belief_text, evidence_text
from knowwhy.store.protocol import Batch, BeliefFilter, Snapshot, StaleRead, TextEntry
from knowwhy.store.seen import SeenSnapshot

_TRIES: Final = 40
_LONGEST_PAUSE: Final = 0.05

# What a verb wants on record, formed from one state of the memory; or its outcome, if that is nothing.
Form: TypeAlias = Callable[[Reading], Intent | Outcome]


@dataclass(frozen=True, slots=True)
class Prepared:
    """An operation that was decided, and not written yet: what it would write, and what it would come to."""

    batch: Batch
    outcome: Outcome
    verdict: Verdict
    reading: Reading


def write(space: Space, signature: Signature, form: Form) -> Outcome:
    """Carry out one writing verb: what `form` intends, with all that follows from it.

    `form` may be called several times, since a race lost against another writer costs a re-read; it
    must only read. It may return an outcome instead, if there is nothing to write. Where others were met,
    those who write about the same slots pass one by one.

    Raises:
        VersionConflict: the beliefs concerned have another version than the caller expected.
        IdempotencyConflict: the key was used for a different request.
        Unavailable: other writers were faster every time.
    """
    turn = Turn(space)
    for attempt in range(_TRIES):
        with ExitStack() as stack:
            view = stack.enter_context(space.store.snapshot(space.name, turn=turn.places))
            intended = _intended(space, signature, form, view)
            if isinstance(intended, Outcome):
                return intended
            reading, intent = intended
            if turn.joins(intent, view):
                continue
            prepared = _decided(space, signature, reading, intent)
            if not turn.places:
                stack.close()  # a state is read on a connection of its own, and writing takes another
            try:
                operation = space.store.commit(space.name, prepared.batch)
            except StaleRead as stale:
                turn.lost(intent, prepared.batch, stale)
            else:
                turn.won(intent, prepared.batch)
                stack.close()
                return _told(space, prepared, operation)
        back_off(attempt, _LONGEST_PAUSE)
    msg = "Other writers kept changing the same beliefs; nothing was written. Try again in a moment."
    raise Unavailable(msg, retry_after=1.0)


def _told(space: Space, prepared: Prepared, operation: Operation) -> Outcome:
    """The outcome of what was written, once what was written can be found by meaning too."""
    outcome = prepared.outcome.numbered(operation)
    missed = keep_up(space, prepared.batch)
    return outcome if missed is None else replace(outcome, warnings=(*outcome.warnings, missed))


def prepare(space: Space, signature: Signature, form: Form, view: Snapshot) -> Prepared | Outcome:
    """The operation that a verb comes to in one state of the memory; an outcome if it is to write nothing."""
    intended = _intended(space, signature, form, view)
    return intended if isinstance(intended, Outcome) else _decided(space, signature, *intended)


def _intended(
    space: Space, signature: Signature, form: Form, view: Snapshot
) -> tuple[Reading, Intent] | Outcome:
    """What a verb wants on record, and all there is to decide it on; an outcome if it is to write nothing."""
    if (right := right_to(signature.act)) is not None:
        demand(space, right, view)
    repeated = _repeated(space, view, _scoped(space.principal, signature))
    if repeated is not None:
        return repeated
    at = Instant(max(space.clock(), view.head().at + 1))
    whole = Reading(space, view, space.schema(view), at, view)
    reading = replace(whole, view=audience(space, view, signature.act))
    intent = form(reading)
    if isinstance(intent, Outcome):
        _check_repeated(signature, whole, intent)
        return intent
    check(reading, signature, intent)
    if access_of(space, signature, intent).is_public:
        intent = with_incomplete(reading, intent)
    return whole, with_restated(whole, with_set_apart(whole, intent))


def _decided(space: Space, signature: Signature, whole: Reading, intent: Intent) -> Prepared:
    """The operation that an intent comes to, with all that follows from it, and what its caller is told."""
    sequence, shadows = whole.view.head().sequence + 1, shadow_slots(whole, intent)
    verdict = decide(whole, intent, sequence)
    is_whole = _shows_all(space, whole.view, verdict)
    seen = verdict if is_whole else decide(replace(whole, view=whole.mine), intent, sequence)
    _check_version(signature, seen, shadows)
    outcome, kept = (_outcome(intent, one, whole.at, shadows) for one in (seen, verdict))
    access = access_of(space, signature, intent)
    verdict = replace(verdict, intent=guarded(whole, verdict.intent, access))
    batch = _batch(space, _scoped(space.principal, signature), whole, verdict, kept)
    operation = replace(batch.operation, access=access)
    if outcome != kept and operation.outcome is not None:
        operation = replace(operation, outcome=operation.outcome | {"told": kept_outcome(outcome)})
    return Prepared(replace(batch, operation=operation), outcome, verdict, whole)


def _outcome(intent: Intent, verdict: Verdict, at: Instant, shadows: frozenset[str]) -> Outcome:
    return outcome_of(
        verdict.changeset.without(shadows),
        at,
        intent.reported or tuple(one.id for one in intent.evidence),
        len(intent.evidence),
        intent.warnings,
        intent.read_outs,
        intent.waiting,
        intent.usage,
    )


def _shows_all(space: Space, view: Snapshot, verdict: Verdict) -> bool:
    """Whether the caller may read all that a verdict rests on, so that it may be told of it as it is."""
    if space.principal is None or not (view.head().guards or verdict.intent.guards):
        return True
    beliefs = [*verdict.changeset.beliefs, *(one for those in verdict.before.values() for one in those)]
    mine = space.seen(view)
    if isinstance(mine, SeenSnapshot) and any(one.slot.subject.id in mine.hidden.entities for one in beliefs):
        return False  # what it is called there is not what the caller calls it
    return all(space.principal.may_read(label) for one in beliefs for label in one.labels)


def _scoped(principal: Principal | None, signature: Signature) -> Signature:
    """A signature whose key no other principal can meet."""
    if principal is None or signature.key is None or signature.act is Act.DOCUMENT:
        return signature
    return replace(signature, key=content_id("key", principal.name, signature.key))


def _batch(space: Space, signature: Signature, reading: Reading, verdict: Verdict, outcome: Outcome) -> Batch:
    intent, head = verdict.intent, reading.view.head()
    policy = verdict.changeset.policy
    return Batch(
        operation=_operation(space, signature, head.sequence + 1, reading.at, policy, outcome),
        entities=intent.entities,
        aliases=intent.aliases,
        declarations=intent.declarations if space.run is None else (*intent.declarations, Run(space.run)),
        sources=intent.sources,
        evidence=intent.evidence,
        claims=intent.claims,
        retractions=intent.retractions,
        beliefs=verdict.changeset.beliefs,
        texts=_texts(intent.evidence, verdict.changeset.changes),
        decided=verdict.decided,
        expected=verdict.expected,
        schema=head.schema,
        links=verdict.links,
    )


def _repeated(space: Space, view: Snapshot, signature: Signature) -> Outcome | None:
    """The outcome of the earlier operation with the same idempotency key, if there is one."""
    if signature.key is None:
        return None
    for operation in view.operations(key=signature.key):
        if operation.request != signature.request:
            msg = f"The idempotency key {signature.key!r} was used for a different request; choose a new one."
            raise IdempotencyConflict(msg, operation=operation.sequence)
        told = operation.outcome
        if space.principal is not None and told is not None:
            told = told.get("told", told)
        return replace(outcome_from(replace(operation, outcome=told)), is_repeat=True)
    return None


def _check_version(signature: Signature, verdict: Verdict, shadows: frozenset[str]) -> None:
    if signature.expected_version is None:
        return
    direct = {
        key: those
        for key, those in verdict.before.items()
        if key in verdict.direct and key.slot_id not in shadows
    }
    _compare(signature.expected_version, direct)


def _check_repeated(signature: Signature, whole: Reading, repeated: Outcome) -> None:
    """Refuse a call that writes nothing, its words being on record, where what it rests on has changed.

    Two who write the same words at once are two all the same: only one of them met what it had read. Who
    sends a call again uses an idempotency key, which is looked at before.
    """
    if signature.expected_version is None or not repeated.evidence:
        return
    schema, mine = whole.schema, whole.mine
    said = [one.claim for one in mine.claims(list(repeated.evidence))]
    direct = dict.fromkeys(
        contest_key(one.slot, one.value.key, schema.attribute(one.slot.attribute))
        for one in said
        if one.slot.subject.id not in schema.merged
    )
    _compare(
        signature.expected_version,
        {key: mine.beliefs(BeliefFilter(contests=[key])) for key in direct},
    )


def _compare(expected: int, direct: Mapping[ContestKey, Sequence[Belief]]) -> None:
    """See that the one contest that is written to is as it was read."""
    if len(direct) != 1:
        msg = f"expected_version speaks of one belief, but this write touches {len(direct)}; split it."
        raise InvalidInput(msg)
    (held,) = direct.values()
    current = version_of(held)
    if current != expected:
        msg = (
            f"The belief is at version {current}, not {expected}: it changed since it was read. "
            "Read it again and decide again."
        )
        raise VersionConflict(
            msg,
            current_version=current,
            expected_version=expected,
            current=[{"value": str(one.value), "status": str(one.status)} for one in held],
        )


def _operation(
    space: Space, signature: Signature, sequence: int, at: Instant, policy: str, outcome: Outcome
) -> Operation:
    # What an erasure changed is what it erased.
    kept: dict[str, Any] | None = None if signature.act is Act.ERASE else kept_outcome(outcome)
    return Operation(
        sequence=sequence,
        at=at,
        decided_at=at,
        act=signature.act,
        author=signature.author or space.author,
        reason=signature.reason,
        policy=policy,
        key=signature.key,
        request=signature.request,
        outcome=kept,
    )


def _texts(evidence: Iterable[Evidence], changes: Iterable[Change]) -> tuple[TextEntry, ...]:
    spoken = tuple(map(evidence_text, evidence))
    return spoken + tuple(belief_text(change.after) for change in changes if change.before is None)
