"""end: it stopped being true. The world moved; what it was keeps its past."""

from __future__ import annotations

from collections.abc import Mapping

from knowwhy.core.model import Act, Claim, RawValue, Stance, claim_of
from knowwhy.core.timeline import isoformat
from knowwhy.engine.commit import write
from knowwhy.engine.intent import Signature
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.space import Space, When
from knowwhy.engine.testify import STANDING, Case, Testifier, Topic, testify
from knowwhy.errors import NotFound


def end(
    space: Space,
    subject: str,
    attribute: str,
    value: RawValue | None = None,
    *,
    at: When | None = None,
    conditions: Mapping[str, str] | None = None,
    who: Testifier | None = None,
    reason: str | None = None,
    expected_version: int | None = None,
) -> Outcome:
    """Say that a value, or whatever stands, stopped being true at `at` (now where None).

    Raises:
        NotFound: nothing stands there that could end.
        VersionConflict: `expected_version` is given and the belief has moved on.
    """
    who = who or Testifier()
    ended_at = None if at is None else space.instant(at)
    named = "" if value is None else f" {value}"

    def argue(case: Case) -> list[Claim]:
        if value is None:
            ending = [belief.value for belief in case.held if belief.status in STANDING]
        else:
            key = case.value(value).key
            ending = [belief.value for belief in case.held if belief.value.key == key]
        if not ending:
            msg = f"Nothing stands for {subject} / {attribute}{named} that could end."
            raise NotFound(msg, subject=subject, attribute=attribute)
        last = case.evidence.effective_at if ended_at is None else ended_at
        return [claim_of(case.evidence.id, case.slot, one, Stance.ENDS, valid_to=last) for one in ending]

    when = "now" if ended_at is None else isoformat(ended_at)
    words = f"{subject}: {attribute}{named} ended {when}."
    signature = Signature(Act.END, who.author, reason, expected_version=expected_version)
    topic = Topic(subject, attribute, conditions)
    return write(space, signature, lambda reading: testify(reading, who, topic, words, argue))
