"""correct: we were wrong. The old value was never so, and the new one takes its whole place."""

from __future__ import annotations

from collections.abc import Mapping

from knowwhy.core.model import Act, Belief, Claim, RawValue, Stance, Value, claim_of
from knowwhy.core.timeline import BEGINNING
from knowwhy.engine.commit import write
from knowwhy.engine.intent import Signature
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.space import Space
from knowwhy.engine.testify import STANDING, Case, Testifier, Topic, testify
from knowwhy.errors import InvalidInput


def correct(
    space: Space,
    subject: str,
    attribute: str,
    value: RawValue,
    *,
    was: RawValue | None = None,
    unit: str | None = None,
    conditions: Mapping[str, str] | None = None,
    who: Testifier | None = None,
    reason: str | None = None,
    expected_version: int | None = None,
) -> Outcome:
    """Say that the value was wrong all along: `was`, or whatever stands now, never held; `value` did.

    Raises:
        InvalidInput: the attribute takes many values and `was` does not say which one is wrong.
        VersionConflict: `expected_version` is given and the belief has moved on.
    """
    who = who or Testifier()

    def argue(case: Case) -> list[Claim]:
        right = case.value(value)
        wrong = _wrong(case, right, was)
        since = min((belief.since for belief in wrong), default=None)
        denials = [
            claim_of(case.evidence.id, case.slot, belief.value, Stance.REFUTES, BEGINNING) for belief in wrong
        ]
        return [*denials, claim_of(case.evidence.id, case.slot, right, valid_from=since)]

    never = "anything else" if was is None else str(was)
    words = f"Correction: {subject}: {attribute} is {value}, and was never {never}."
    signature = Signature(Act.CORRECT, who.author, reason, expected_version=expected_version)
    topic = Topic(subject, attribute, conditions, unit)
    return write(space, signature, lambda reading: testify(reading, who, topic, words, argue))


def _wrong(case: Case, right: Value, was: RawValue | None) -> list[Belief]:
    """The beliefs that the correction is aimed at."""
    if was is not None:
        named = case.value(was).key
        return [belief for belief in case.held if belief.value.key == named]
    standing = [one for one in case.held if one.status in STANDING and one.value.key != right.key]
    if standing and not case.resolver.attribute(case.topic.attribute).is_exclusive:
        values = ", ".join(str(one.value) for one in standing)
        msg = f"{case.topic.attribute!r} has many values ({values}): say by was=... which one is wrong."
        raise InvalidInput(msg)
    return standing
