"""feedback and to_check: whether beliefs were right, as somebody who knows judges them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Final

from knowwhy.core.model import Act, Belief, Judgement, Label, Status, checked_name
from knowwhy.core.timeline import Scope
from knowwhy.engine.commit import write
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.space import Space
from knowwhy.errors import InvalidInput, NotFound
from knowwhy.recall.calibrating import strategy_of
from knowwhy.recall.finding import Finding
from knowwhy.recall.gate import Gate
from knowwhy.recall.standing import grounded, standing
from knowwhy.store.protocol import BeliefFilter

_CHUNK: Final = 50

# How what stands now may have stood when it was settled: time alone may have brought it up.
_MAY_STAND: Final = (*(one for one in Status if one.is_standing), Status.CHALLENGER, Status.PLANNED)


def feedback(
    space: Space,
    belief: str,
    judgement: str,
    *,
    by: str | None = None,
    author: str | None = None,
    reason: str | None = None,
) -> Outcome:
    """Record whether somebody who knows finds a belief right, with its raw confidence and status now.

    Nothing believed changes by it. Of one person's judgements on a belief the last counts.

    Raises:
        NotFound: no belief has this id.
        InvalidInput: a judgement other than right, wrong or unknown, or an empty name.
    """
    if judgement not in set(Judgement):
        msg = f"{judgement!r} is not a judgement; a belief is one of {', '.join(Judgement)}."
        raise InvalidInput(msg)
    judge = author or space.author if by is None else checked_name(by, "name of who judges")

    def form(reading: Reading) -> Intent:
        return Intent(declarations=(_label(reading, belief, Judgement(judgement), judge),))

    return write(space, Signature(Act.FEEDBACK, author, reason), form)


def _label(reading: Reading, name: str, judgement: Judgement, judge: str | None) -> Label:
    schema, policy = reading.schema, reading.space.policy_under(reading.schema)
    gate = Gate(reading.view, schema, Scope(reading.at), policy)
    found = gate.beliefs(BeliefFilter(ids=[name]))
    if not found:
        msg = f"No belief has the id {name!r} here; `ask` and `recall` show the ids."
        raise NotFound(msg, belief=name)
    slot, attribute = found[0].slot, gate.attribute(found[0].slot.attribute)
    finding = Finding(found[0], attribute, reading.at)
    return Label(
        belief=finding.id,
        judgement=judgement,
        confidence=finding.raw_confidence,
        at=reading.at,
        subject=slot.subject.id,
        attribute=attribute.key,
        value=str(finding.value),
        status=finding.status,
        by=judge,
        is_denial=finding.is_denial,
        strategy=strategy_of(schema, slot.attribute),
    )


def to_check(space: Space, limit: int = 5, *, seed: int | str = 0, scope: Scope) -> tuple[Finding, ...]:
    """Some beliefs that stand, drawn by chance from all of them, of those that nobody has judged yet.

    The same seed draws from the same order of all beliefs, so that going on with it makes one growing
    sample. Whoever checks these, and not what caught the eye, learns how all that stands does.

    Raises:
        InvalidInput: a limit below 1.
    """
    if limit < 1:
        msg = f"The limit must be at least 1, not {limit}."
        raise InvalidInput(msg)
    with space.reading(scope) as gate:
        drawn: list[Finding] = []
        for chunk in _chunks(_in_drawn_order(gate, str(seed))):
            drawn += _standing(gate, chunk)
            if len(drawn) >= limit:
                break
        chosen = drawn[:limit]
        return grounded(chosen, gate.grounds(one.belief for one in chosen))


def _in_drawn_order(gate: Gate, seed: str) -> list[Belief]:
    """Every belief that may stand and that nobody has judged, in an order that only the seed decides."""
    statuses = _MAY_STAND if gate.scope.is_latest_knowledge else tuple(Status)
    judged = {one.belief for one in gate.calibrations.counted} if gate.calibrations else frozenset()
    kept = gate.view.beliefs(BeliefFilter(statuses=statuses))
    return sorted(
        (one for one in kept if one.id not in judged),
        key=lambda one: hashlib.sha256(f"{seed}\n{one.id}".encode()).digest(),
    )


def _standing(gate: Gate, chunk: Sequence[Belief]) -> list[Finding]:
    """Those of some beliefs that stand in the scope, in the order given."""
    answers = standing(gate, gate.beliefs(BeliefFilter(contests=gate.contests(chunk)))).answers
    found = {one.id: one for one in answers if one.status.is_standing}
    return [found[one.id] for one in chunk if one.id in found]


def _chunks(beliefs: Sequence[Belief]) -> Iterator[Sequence[Belief]]:
    return (beliefs[start : start + _CHUNK] for start in range(0, len(beliefs), _CHUNK))
