"""resolve, assign: a conflict is decided by somebody, and that decision is evidence like any other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from knowwhy.core.model import (
    HIGHEST_AUTHORITY,
    Act,
    Arbitration,
    Belief,
    Claim,
    Rule,
    Stance,
    checked_name,
    claim_of,
)
from knowwhy.core.revision import Conflict
from knowwhy.core.timeline import Scope
from knowwhy.engine.commit import write
from knowwhy.engine.conflicts import open_conflict
from knowwhy.engine.intake import Speakers, evidence_of
from knowwhy.engine.intent import Intent, Reading, Signature, fingerprint
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.space import Space, When
from knowwhy.errors import InvalidInput, NotFound
from knowwhy.ingest.observation import Observation
from knowwhy.recall.gate import Gate

# What is chosen where no side is right.
NEITHER: Final = "neither"
# Why a side stands so that would follow from others.
_FOLLOWING: Final = (Rule.DERIVED, Rule.OBSERVED)


def resolve(
    space: Space,
    conflict: str,
    choice: str,
    *,
    author: str | None = None,
    reason: str | None = None,
    expected_version: int | None = None,
    idempotency_key: str | None = None,
) -> Outcome:
    """Decide an open conflict for one of its sides, or for none: a forced word of whoever decides.

    What the losing sides had on record is not touched. A later word for a side that lost to another one,
    of no less authority than that side had, opens the conflict again. Where `neither` was chosen, all are
    denied; and a side that lost and merely followed from others, or was forced, is given up: only a forced
    word brings those back.

    Raises:
        NotFound: no conflict of this id is open.
        InvalidInput: the choice is none of its sides.
        VersionConflict: `expected_version` is given and the beliefs have moved on.
    """

    def form(reading: Reading) -> Intent:
        found = _named(reading, conflict)
        chosen = _chosen(found, choice)
        who = author or reading.space.author or "user"
        observation = Observation(who, text=_words(found, chosen, reason), source_type="correction")
        evidence = evidence_of(reading, Speakers(reading.view, [who]), observation, [])
        known = reading.view.declared(Arbitration, [conflict]).get(conflict, Arbitration(conflict))
        decided = NEITHER if chosen is None else str(chosen.value)
        return Intent(
            declarations=(replace(known, due=None, decision=decided, decided_by=who),),
            sources=(evidence.source,),
            evidence=(evidence,),
            claims=tuple(replace(one, is_forced=True) for one in _claims(found, chosen, evidence.id)),
            reported=(evidence.id,),
        )

    request = fingerprint("resolve", conflict, choice, author, reason)
    signature = Signature(Act.RESOLVE, author, reason, idempotency_key, expected_version, request)
    return write(space, signature, form)


def _named(reading: Reading, name: str) -> Conflict:
    policy = reading.space.policy_under(reading.schema)
    found = open_conflict(Gate(reading.view, reading.schema, Scope(reading.at), policy), name)
    if found is None:
        before = reading.view.declared(Arbitration, [name]).get(name)
        decided = (
            "" if before is None or before.decision is None else f" It was decided by {before.decided_by}."
        )
        msg = f"No conflict {name!r} is open.{decided} `conflicts` lists those that are."
        raise NotFound(msg, conflict=name)
    return found


def _chosen(conflict: Conflict, choice: str) -> Belief | None:
    """The side that is meant, by its belief's id or its value; None where none of them is right."""
    wanted = choice.strip()
    for named in (
        [side for side in conflict.sides if side.id == wanted],
        [side for side in conflict.sides if wanted in (str(side.value), side.value.text)],
        [side for side in conflict.sides if str(side.value).casefold() == wanted.casefold()],
    ):
        if len(named) == 1:
            return named[0]
    if wanted.casefold() == NEITHER:
        return None
    values = ", ".join(f"“{side.value}” ({side.id})" for side in conflict.sides)
    msg = (
        f"{choice!r} is no side of this conflict: choose {values} or {NEITHER!r}. For another value, "
        "`correct` says what is right."
    )
    raise InvalidInput(msg, conflict=conflict.id)


def _words(conflict: Conflict, chosen: Belief | None, reason: str | None) -> str:
    slot = conflict.slot
    losing = ", ".join(str(side.value) for side in conflict.sides if side is not chosen)
    because = "" if reason is None else f" {reason}"
    if chosen is None:
        return f"Decision: {slot.subject.name}: {slot.attribute} is none of {losing}.{because}"
    beside = f", not {losing}" if losing else ""
    return f"Decision: {slot.subject.name}: {slot.attribute} is {chosen.value}{beside}.{because}"


def _claims(conflict: Conflict, chosen: Belief | None, evidence: str) -> Iterator[Claim]:
    """What a decision claims: its side for as long as that has been held, and nothing of the others.

    What is forced yields to no rank, nor does what follows from others, so such a losing side is given up.
    And beside a forced one the decision begins with itself, since words that name the same beginning
    dispute one period.
    """
    if chosen is None:
        for side in conflict.sides:
            yield claim_of(evidence, conflict.slot, side.value, Stance.REFUTES)
        return
    begins = None if _is_forced(chosen) else chosen.since
    yield claim_of(evidence, conflict.slot, chosen.value, valid_from=begins)
    for side in conflict.sides:
        if side is not chosen and (_is_forced(side) or _follows(side)):
            yield claim_of(evidence, conflict.slot, side.value, Stance.GIVES_UP)


def _is_forced(side: Belief) -> bool:
    return side.authority > HIGHEST_AUTHORITY


def _follows(side: Belief) -> bool:
    return bool(side.derivations) or side.because.rule in _FOLLOWING


def assign(
    space: Space,
    conflict: str,
    to: str | None = None,
    *,
    due: When | None = None,
    author: str | None = None,
    reason: str | None = None,
) -> Outcome:
    """Say who is to decide an open conflict, and by when; both are taken back where None.

    Raises:
        NotFound: no conflict of this id is open.
        InvalidInput: an empty name, or not a time.
    """
    who = None if to is None else checked_name(to, "name of who is to decide")
    by = None if due is None else space.instant(due)

    def form(reading: Reading) -> Intent:
        found = _named(reading, conflict)
        known = reading.view.declared(Arbitration, [found.id]).get(found.id, Arbitration(found.id))
        return Intent(declarations=(replace(known, assigned_to=who, due=by),))

    return write(space, Signature(Act.ASSIGN, author, reason), form)
