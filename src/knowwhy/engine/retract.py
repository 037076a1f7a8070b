"""retract: evidence or a claim is withdrawn; what rested on it alone falls."""

from __future__ import annotations

from knowwhy.core.model import Act, Retraction, Testimony, is_taken_back
from knowwhy.core.revision import ContestKey, contest_key
from knowwhy.engine.commit import write
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.space import Space
from knowwhy.errors import NotFound


def retract(
    space: Space,
    target: str,
    *,
    author: str | None = None,
    reason: str | None = None,
    expected_version: int | None = None,
) -> Outcome:
    """Withdraw an item of evidence (with all its claims) or a single claim, by its id.

    It stays on record as withdrawn; a reader of an earlier state of knowledge still sees it.

    Raises:
        NotFound: no such evidence or claim.
        VersionConflict: `expected_version` is given and the belief has moved on.
    """
    signature = Signature(Act.RETRACT, author, reason, expected_version=expected_version)
    return write(space, signature, lambda reading: retracting(reading, target, reason))


def retracting(reading: Reading, target: str, reason: str | None) -> Intent | Outcome:
    """What withdrawing a record wants on record; an outcome if it is withdrawn already."""
    testimonies = reading.mine.claims([target])
    evidence = reading.mine.evidence(ids=[target])
    if not testimonies and not evidence:
        msg = f"No evidence or claim has the id {target!r}; `why` shows the ids that a belief rests on."
        raise NotFound(msg, target=target)
    marks = [one.withdrawals for one in testimonies] + [one.withdrawals for one in evidence]
    if all(map(is_taken_back, marks)):
        first = next((one.retraction for one in testimonies if one.retraction is not None), 0)
        return Outcome(operation=first, at=None, is_repeat=True)
    return Intent(
        retractions=(Retraction(target, reason),),
        contests=tuple(dict.fromkeys(contest_of(reading, one) for one in testimonies)),
        access=evidence[0].access if evidence else testimonies[0].access,
    )


def contest_of(reading: Reading, one: Testimony) -> ContestKey:
    """The contest that a testimony is about."""
    slot, value = one.claim.slot, one.claim.value
    return contest_key(slot, value.key, reading.schema.attribute(slot.attribute))
