"""give_up: a value is no longer believed, and not denied either (contraction, theory §3.3)."""

from __future__ import annotations

from collections.abc import Mapping

from knowwhy.core.model import Act, Claim, RawValue, Stance, claim_of
from knowwhy.engine.commit import write
from knowwhy.engine.intent import Signature
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.space import Space
from knowwhy.engine.testify import STANDING, Case, Testifier, Topic, testify
from knowwhy.errors import NotFound


def give_up(
    space: Space,
    subject: str,
    attribute: str,
    value: RawValue | None = None,
    *,
    conditions: Mapping[str, str] | None = None,
    who: Testifier | None = None,
    reason: str | None = None,
    expected_version: int | None = None,
) -> Outcome:
    """Stop believing a value, or whatever stands, without saying that it is wrong.

    All that speaks for it so far counts no more; a later word of a source of equal or higher
    authority brings it back, which is that of a correction. To lift this, retract its evidence.

    Raises:
        NotFound: nothing stands there that could be given up.
        VersionConflict: `expected_version` is given and the belief has moved on.
    """
    who = who or Testifier()
    named = "" if value is None else f" = {value}"

    def argue(case: Case) -> list[Claim]:
        if value is None:
            given = [belief.value for belief in case.held if belief.status in STANDING]
        else:
            key = case.value(value).key
            given = [belief.value for belief in case.held if belief.value.key == key]
        if not given:
            msg = f"Nothing stands for {subject} / {attribute}{named} that could be given up."
            raise NotFound(msg, subject=subject, attribute=attribute)
        return [claim_of(case.evidence.id, case.slot, one, Stance.GIVES_UP) for one in given]

    words = f"{subject}: {attribute}{named} is given up."
    signature = Signature(Act.GIVE_UP, who.author, reason, expected_version=expected_version)
    topic = Topic(subject, attribute, conditions)
    return write(space, signature, lambda reading: testify(reading, who, topic, words, argue))
