"""conflicts: what the memory holds that cannot all be so, and that no rule has put to rest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from knowwhy.core.model import HIGH_STAKES, Arbitration, Belief, Status, name_key, one_line
from knowwhy.core.revision import Conflict, ContestKey, conflicts_among
from knowwhy.core.timeline import Instant, Scope, isoformat, shown
from knowwhy.engine.space import Space
from knowwhy.engine.suggesting import Suggestion, suggested
from knowwhy.explain.sentences import because
from knowwhy.recall.finding import Finding
from knowwhy.recall.gate import Gate
from knowwhy.recall.rendering import sentence
from knowwhy.recall.standing import grounded
from knowwhy.store.protocol import BeliefFilter


@dataclass(frozen=True, slots=True)
class OpenConflict:
    """A conflict as a reader gets it: its stable id, its kind, and each side with its grounds.

    `suggestion` says which side the policy and the evidence lean to, and `arbitration` who is to decide, by
    when, and how it was decided before, if it was. `resolve` decides it.
    """

    conflict: Conflict
    sides: tuple[Finding, ...]
    at: Instant
    suggestion: Suggestion
    arbitration: Arbitration

    @property
    def id(self) -> str:
        """The id, which stays the same while evidence comes in."""
        return self.conflict.id

    @property
    def kind(self) -> str:
        """Contested, or challenged by a newer word of a weaker source."""
        return self.conflict.kind

    @property
    def values(self) -> tuple[str, ...]:
        """The values that cannot all hold."""
        return tuple(str(side.value) for side in self.sides)

    @property
    def version(self) -> int:
        """What to pass as `expected_version` when deciding it."""
        return max(side.version for side in self.sides)

    @property
    def is_high_stakes(self) -> bool:
        """Whether its attribute is of a domain in which a wrong value costs much."""
        return self.sides[0].attribute.domain in HIGH_STAKES

    @property
    def was_decided(self) -> bool:
        """Whether it was decided before, and opened again by what came since."""
        return self.arbitration.decision is not None

    def as_dict(self) -> dict[str, Any]:
        """The conflict for a program."""
        arbitration = self.arbitration
        return {
            "id": self.id,
            "kind": self.kind,
            "subject": self.conflict.slot.subject.name,
            "attribute": self.sides[0].attribute.name,
            "values": list(self.values),
            "version": self.version,
            "high_stakes": self.is_high_stakes,
            "suggestion": self.suggestion.as_dict(),
            "assigned_to": arbitration.assigned_to,
            "due": None if arbitration.due is None else isoformat(arbitration.due),
            "decided_before": None
            if arbitration.decision is None
            else {"value": arbitration.decision, "by": arbitration.decided_by},
            "sides": [side.as_dict() | {"because": because(side.belief)} for side in self.sides],
        }

    def __str__(self) -> str:
        lines = [f"{self.kind} [{self.id}]" + (", high stakes" if self.is_high_stakes else "")]
        for side in self.sides:
            lines.append(f"  {sentence(side).splitlines()[0]}")
            lines.append(f"    {because(side.belief)}")
        lines.append(f"  suggested: {one_line(str(self.suggestion))}")
        lines += [f"  {one_line(note)}" for note in self._notes()]
        return "\n".join(lines)

    def _notes(self) -> Iterator[str]:
        """What is on record about it, in words."""
        one = self.arbitration
        if one.assigned_to is not None:
            yield f"for {one.assigned_to} to decide"
        if one.due is not None:
            yield f"{'overdue since' if one.due <= self.at else 'due'} {shown(one.due)}"
        if one.decision is not None:
            by = f" by {one.decided_by}" if one.decided_by else ""
            yield f"decided before{by} for “{one.decision}”, and open again by what was said since"


def conflicts(space: Space, subject: str | None = None, *, scope: Scope) -> tuple[OpenConflict, ...]:
    """The open conflicts in `scope`, about one subject or all, in order of subject and attribute."""
    with space.reading(scope) as gate:
        contests = _contests(gate, subject)
        found = [one for contest in contests.values() for one in conflicts_among(contest)]
        grounds = gate.grounds(side for one in found for side in one.sides)
        calibrated = {name: one for contest in contests.values() for name, one in gate.shown(contest).items()}
        arbitrations = _arbitrations(gate, found)
        opened = [_opened(one, gate, grounds, calibrated, arbitrations) for one in found]
    return tuple(sorted(opened, key=_by_topic))


def open_conflict(gate: Gate, name: str) -> Conflict | None:
    """The open conflict of this id; None where there is none."""
    found = (one for contest in _contests(gate).values() for one in conflicts_among(contest))
    return next((one for one in found if one.id == name), None)


def _arbitrations(gate: Gate, found: Sequence[Conflict]) -> dict[str, Arbitration]:
    if not found:
        return {}
    known = gate.view.declared(Arbitration, sorted({one.id for one in found}))
    return {key: one for key, one in known.items() if one.declared_at <= gate.scope.known}


def _by_topic(one: OpenConflict) -> tuple[str, str, str]:
    slot = one.conflict.slot
    return slot.subject.name, slot.attribute, one.id


def _contests(gate: Gate, subject: str | None = None) -> dict[ContestKey, list[Belief]]:
    """Every contest that may hold a conflict, with its beliefs."""
    contests: dict[ContestKey, list[Belief]] = defaultdict(list)
    for belief in _disputed(gate, subject):
        contests[gate.contest(belief)].append(belief)
    return contests


def _disputed(gate: Gate, subject: str | None) -> list[Belief]:
    """The beliefs of every contest that may hold a conflict."""
    if subject is not None:
        entities = gate.names([name_key(subject)]).get(name_key(subject), [])
        if not entities:
            return []
        return gate.beliefs(BeliefFilter(subjects=[entity.id for entity in entities]))
    # What is open by the kept views, and what may have become so since because its time began or ended.
    statuses = (Status.CONTESTED, Status.CHALLENGER, Status.PLANNED)
    wanted = statuses if gate.scope.is_latest_knowledge else tuple(Status)
    kept = gate.view.beliefs(BeliefFilter(statuses=wanted))
    return gate.beliefs(BeliefFilter(contests=gate.contests(kept))) if kept else []


def _opened(
    conflict: Conflict,
    gate: Gate,
    grounds: dict[str, Any],
    calibrated: Mapping[str, float],
    arbitrations: Mapping[str, Arbitration],
) -> OpenConflict:
    attribute = gate.attribute(conflict.slot.attribute)
    sides = tuple(
        Finding(side, attribute, gate.scope.valid, calibrated=calibrated.get(side.id))
        for side in conflict.sides
    )
    return OpenConflict(
        conflict,
        grounded(sides, grounds),
        gate.scope.valid,
        suggested(sides, attribute.policy or gate.policy.name),
        arbitrations.get(conflict.id, Arbitration(conflict.id)),
    )
