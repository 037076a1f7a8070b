"""conflicts: what the memory holds that cannot all be so, and that no rule has put to rest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from knowwhy.core.model import Belief, Status, name_key
from knowwhy.core.revision import Conflict, ContestKey, conflicts_among
from knowwhy.core.timeline import Instant, Scope
from knowwhy.engine.space import Space
from knowwhy.explain.sentences import because
from knowwhy.recall.finding import Finding
from knowwhy.recall.gate import Gate
from knowwhy.recall.rendering import sentence
from knowwhy.recall.standing import grounded
from knowwhy.store.protocol import BeliefFilter


@dataclass(frozen=True, slots=True)
class OpenConflict:
    """A conflict as a reader gets it: its stable id, its kind, and each side with its grounds."""

    conflict: Conflict
    sides: tuple[Finding, ...]
    at: Instant

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

    def as_dict(self) -> dict[str, Any]:
        """The conflict for a program."""
        return {
            "id": self.id,
            "kind": self.kind,
            "subject": self.conflict.slot.subject.name,
            "attribute": self.sides[0].attribute.name,
            "values": list(self.values),
            "sides": [side.as_dict() | {"because": because(side.belief)} for side in self.sides],
        }

    def __str__(self) -> str:
        lines = [f"{self.kind} [{self.id}]"]
        for side in self.sides:
            lines.append(f"  {sentence(side).splitlines()[0]}")
            lines.append(f"    {because(side.belief)}")
        return "\n".join(lines)


def conflicts(space: Space, subject: str | None = None, *, scope: Scope) -> tuple[OpenConflict, ...]:
    """The open conflicts in `scope`, about one subject or all, in order of subject and attribute."""
    with space.reading(scope) as gate:
        beliefs = _disputed(gate, subject)
        contests: dict[ContestKey, list[Belief]] = defaultdict(list)
        for belief in beliefs:
            contests[gate.contest(belief)].append(belief)
        found = [one for contest in contests.values() for one in conflicts_among(contest)]
        grounds = gate.grounds(side for one in found for side in one.sides)
        shown = {name: one for contest in contests.values() for name, one in gate.shown(contest).items()}
        opened = [_opened(one, gate, grounds, shown) for one in found]
    return tuple(sorted(opened, key=_by_topic))


def _by_topic(one: OpenConflict) -> tuple[str, str, str]:
    slot = one.conflict.slot
    return slot.subject.name, slot.attribute, one.id


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
    conflict: Conflict, gate: Gate, grounds: dict[str, Any], shown: Mapping[str, float]
) -> OpenConflict:
    attribute = gate.attribute(conflict.slot.attribute)
    sides = tuple(
        Finding(side, attribute, gate.scope.valid, calibrated=shown.get(side.id)) for side in conflict.sides
    )
    return OpenConflict(conflict, grounded(sides, grounds), gate.scope.valid)
