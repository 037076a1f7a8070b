"""Auditing: answers that are put on record as they are given, where a memory says so, and their list."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from knowwhy.core.model import Principal, content_id
from knowwhy.core.timeline import FOREVER, MICROSECONDS_PER_DAY, Instant, Scope
from knowwhy.engine import ask as asking
from knowwhy.engine import recall as recalling
from knowwhy.engine.audited import AuditEntry, digest_of
from knowwhy.engine.configure import auditing_of
from knowwhy.engine.permitting import demand
from knowwhy.engine.recall import Wish
from knowwhy.engine.sight import Sight
from knowwhy.engine.space import Space
from knowwhy.errors import InvalidInput, NotFound, Refused
from knowwhy.recall.answer import Answer, Passage, Recollection
from knowwhy.recall.finding import Finding
from knowwhy.recall.leads import channels_named
from knowwhy.recall.timing import Timing
from knowwhy.store.protocol import Audit, Snapshot

_RIGHT: Final = "audit"


def ask(
    space: Space,
    subject: str,
    attribute: str | None,
    *,
    scope: Scope,
    is_dated: bool,
    conditions: Mapping[str, str] | None,
    subject_id: str | None,
) -> Answer:
    """What is held of a subject, put on record where the memory says so.

    Raises:
        Unavailable: the record cannot be written, and so there is no answer.
    """
    sight = Sight()
    answer = asking.ask(
        space,
        subject,
        attribute,
        scope=scope,
        conditions=conditions,
        subject_id=subject_id,
        sight=sight,
    )
    if sight.days:
        given = {
            "verb": "ask",
            "subject": subject,
            "attribute": attribute,
            "subject_id": subject_id,
            "conditions": None if conditions is None else dict(conditions),
            "entities": list(sight.entities),
            "beliefs": [_told(one) for one in answer.findings],
        }
        _record(space, given, answer, sight, scope, is_dated=is_dated)
    return answer


def recall(space: Space, question: str, wish: Wish, *, scope: Scope, is_dated: bool) -> Recollection:
    """What a question brings to mind, put on record where the memory says so.

    Raises:
        Unavailable: the record cannot be written, and so there is no answer.
    """
    sight = Sight()
    answer = recalling.recall(space, question, wish, scope=scope, sight=sight)
    if sight.days:
        given = {
            "verb": "recall",
            "question": question,
            "wish": _wished(wish),
            "told_of": answer.at,
            "beliefs": [_told(one) for one in answer.beliefs],
            "withheld": [_told(one) for one in answer.withheld],
            "passages": [_shown(one) for one in answer.passages],
            "ambiguous": {name: [one.id for one in those] for name, those in answer.ambiguous.items()},
            "timing": _timed(answer.timing),
            "left_out": answer.left_out,
            "unsearched": answer.unsearched,
            "unranked": answer.unranked,
        }
        _record(space, given, answer, sight, scope, is_dated=is_dated)
    return answer


def _record(
    space: Space,
    given: Mapping[str, Any],
    answer: Answer | Recollection,
    sight: Sight,
    scope: Scope,
    *,
    is_dated: bool,
) -> None:
    """Put an answer on record, and let those go that were kept long enough."""
    by, at = space.principal, space.clock()
    body = {
        **given,
        "principal": None if by is None else [by.agent, by.user, list(by.groups)],
        "operation": sight.operation,
        "valid": scope.valid,
        "known": min(scope.known, sight.known),
        "asked": [scope.valid if is_dated else None, None if scope.known == FOREVER else scope.known],
        "policy": sight.policy,
        "decision": str(answer.decision.verdict),
        "digest": digest_of(answer),
    }
    written = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    own = content_id("au", str(at), space.line, written)
    kept = Audit(own, at, None if by is None else "\n".join(sorted(by.names)), written)
    space.store.replace_views(space.name, [Audit("", _due(at, sight.days)), kept], is_whole=False)


def _due(now: Instant, days: float) -> Instant:
    """From when on records are kept."""
    return Instant(now - round(days * MICROSECONDS_PER_DAY))


def _told(finding: Finding) -> dict[str, Any]:
    return {
        "id": finding.id,
        "version": finding.version,
        "at": finding.at,
        "status": str(finding.status),
        "confidence": finding.confidence,
        "score": finding.score,
        "evidence": sorted({one.testimony.claim.evidence_id for one in finding.grounds}),
    }


def _shown(passage: Passage) -> dict[str, Any]:
    gone = [
        [[one.finding.id, one.finding.at], [[each.id, each.at] for each in one.instead]]
        for one in passage.outdated
    ]
    return {"evidence": passage.evidence.id, "score": passage.score, "outdated": gone}


def _wished(wish: Wish) -> dict[str, Any]:
    return {
        "limit": wish.limit,
        "min_score": wish.min_score,
        "include": sorted(wish.include),
        "channels": None if wish.channels is None else sorted(channels_named(wish.channels)),
        "budget": wish.budget,
    }


def _timed(timing: Timing) -> dict[str, Any]:
    read = [[one.words, one.start, one.end, str(one.relation)] for one in timing.read]
    return {"read": read, "unread": list(timing.unread)}


# The list ------------------------------------------------------------------------------------------


def audits(space: Space, *, limit: int, before: str | None) -> tuple[AuditEntry, ...]:
    """The last answers on record of this line, newest first: a principal's own, unless it may read all.

    Raises:
        InvalidInput: a limit below 1.
        NotFound: `before` is no answer on record.
    """
    if limit < 1:
        msg = f"The limit must be at least 1, not {limit}."
        raise InvalidInput(msg)
    with space.store.snapshot(space.name) as view:
        seen = _seen(space, view)
        after = 0 if before is None else _kept(space, seen, before).number
        return tuple(map(entry_of, islice(_in_time(space, seen, seen.every(Audit, after=after)), limit)))


def audit(space: Space, own: str) -> AuditEntry:
    """The record of one answer.

    Raises:
        NotFound: there is none of this id, or not for the principal.
    """
    with space.store.snapshot(space.name) as view:
        return entry_of(_kept(space, _seen(space, view), own))


def resting_on(space: Space, beliefs: Iterable[str]) -> tuple[str, ...]:
    """The ids of the answers on record that told any of these beliefs, the newest first."""
    wanted = frozenset(beliefs)
    with space.store.snapshot(space.name) as view:
        if not wanted or not auditing_of(view).days:
            return ()
        seen = _seen(space, view)
        kept = map(entry_of, _in_time(space, seen, seen.every(Audit)))
        return tuple(one.id for one in kept if not wanted.isdisjoint(each.id for each in one.beliefs))


def entry_of(kept: Audit) -> AuditEntry:
    """An answer as it is on record."""
    body = json.loads(kept.body)
    by = body["principal"]
    principal = None if by is None else Principal(by[0], by[1], tuple(by[2]))
    return AuditEntry(kept.id, kept.at, principal, body)


def _kept(space: Space, seen: Snapshot, own: str) -> Audit:
    found = list(_in_time(space, seen, seen.every(Audit, [own])))
    if not found:
        msg = f"No answer {own!r} is on record; see `audits`."
        raise NotFound(msg, audit=own)
    return found[0]


def _in_time(space: Space, view: Snapshot, found: Iterator[Audit]) -> Iterator[Audit]:
    """Those that are to be kept still."""
    days = auditing_of(view).days
    due = _due(space.clock(), days) if days else None
    return (one for one in found if due is None or one.at >= due)


def _seen(space: Space, view: Snapshot) -> Snapshot:
    """A state of the line, whole for whoever may read all answers."""
    try:
        demand(space, _RIGHT)
    except Refused:
        return space.seen(view)
    return view


def let_go(space: Space, lines: Sequence[Space], horizon: Instant) -> None:
    """Let those records go on some lines that were kept long enough, or that lie before a horizon."""
    for line in lines:
        with line.store.snapshot(line.name) as view:
            days = auditing_of(view).days
            is_empty = next(view.every(Audit), None) is None
        if not is_empty:
            due = max(horizon, _due(space.clock(), days)) if days else horizon
            line.store.replace_views(line.name, [Audit("", due)], is_whole=False)
