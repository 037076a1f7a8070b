"""What stands in a slot: which of its beliefs answer, and which rivals a reader must hear of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from knowwhy.core.model import Belief, Rule, Status
from knowwhy.core.revision import ContestKey, Ground
from knowwhy.recall.finding import Finding
from knowwhy.recall.gate import Gate

_OPEN = (Status.CONTESTED, Status.CHALLENGER)
_DENIED = (Rule.REFUTED, Rule.NOT_ASSERTED, Rule.WITHDRAWN, Rule.UNFOUNDED)


@dataclass(frozen=True, slots=True)
class Standing:
    """The beliefs of some contests, parted by whether they answer a reader."""

    answers: tuple[Finding, ...] = ()
    others: tuple[Finding, ...] = ()


def standing(gate: Gate, beliefs: Iterable[Belief]) -> Standing:
    """What stands among `beliefs`, which must hold whole contests, each finding without grounds.

    A belief answers if it is accepted or contested (aged or not); a denial, if its contest holds
    nothing but what is denied, never was asserted, or no longer follows from anything.
    """
    contests: dict[ContestKey, list[Belief]] = defaultdict(list)
    for belief in beliefs:
        contests[gate.contest(belief)].append(belief)
    answers: list[Finding] = []
    others: list[Finding] = []
    for contest in contests.values():
        held = [one for one in contest if one.status.is_standing]
        if not held and all(one.because.rule in _DENIED for one in contest):
            held = [one for one in contest if one.because.rule is Rule.REFUTED]
        ids = {one.id for one in held}
        shown = gate.shown(contest)
        for belief in contest:
            rivals = tuple(one for one in contest if one.status in _OPEN and one.id != belief.id)
            attribute = gate.attribute(belief.slot.attribute)
            finding = Finding(
                belief,
                attribute,
                gate.scope.valid,
                rivals=rivals if belief.id in ids else (),
                calibrated=shown.get(belief.id),
            )
            (answers if belief.id in ids else others).append(finding)
    return Standing(tuple(answers), tuple(others))


def grounded(findings: Iterable[Finding], grounds: Mapping[str, tuple[Ground, ...]]) -> tuple[Finding, ...]:
    """The findings with the grounds of their beliefs."""
    return tuple(replace(one, grounds=grounds.get(one.id, ())) for one in findings)
