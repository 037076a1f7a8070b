"""settle: conflicts are decided again under the policy in force, with all that is known by now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from knowwhy.consolidate.material import Material
from knowwhy.consolidate.plan import Proposal, Step
from knowwhy.core.model import Belief, Status, belief_id
from knowwhy.core.revision import ContestKey
from knowwhy.store.protocol import BeliefFilter

_OPEN: Final = (Status.CONTESTED, Status.CHALLENGER)


def _topics(material: Material) -> Iterable[str]:
    """Slots in dispute: those of the whole memory, since what settles them may lie elsewhere."""
    view = material.gate.view
    kept = view.beliefs(BeliefFilter(statuses=_OPEN))
    outdated = [one for one in material.touched.values() if one.status in _OPEN]
    return sorted({one.slot.id for one in (*kept, *outdated)})


def _plan(material: Material, topic: str) -> Iterator[Proposal]:
    """Decide a slot again where the outcome is another than that on record."""
    view, gate = material.gate.view, material.gate
    said = view.testimonies([ContestKey(topic)])[ContestKey(topic)]
    ids = sorted({belief_id(topic, one.claim.value.key) for one in said})
    kept = {one.id: one for one in view.beliefs(BeliefFilter(ids=ids))}
    contests = gate.contests(kept.values())
    now = gate.settled(contests)
    moved = [one for one in kept.values() if one.id in now and now[one.id].status is not one.status]
    if not moved:
        return
    slot = moved[0].slot
    became = ", ".join(f"{one.value} {one.status} → {now[one.id].status}" for one in _by_value(moved))
    yield Proposal(
        what=f"{slot.subject.name} / {slot.attribute} decided again",
        why=f"it was in dispute, and {gate.policy.name} settles it otherwise by now",
        effect=became,
        evidence=tuple(sorted({one.claim.evidence_id for one in said if one.retracted_at is None})),
        contests=tuple(contests),
    )


def _by_value(beliefs: Iterable[Belief]) -> list[Belief]:
    return sorted(beliefs, key=lambda one: one.value.key)


SETTLE: Final = Step("settle", "conflicts, decided again under the policy in force", _topics, _plan)
