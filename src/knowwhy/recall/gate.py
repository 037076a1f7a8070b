"""The gate: the one place where what is stored becomes what may be read.

Every reading verb passes here before anything is ranked, shown or counted. It decides whether a
kept view still holds for the instants asked about, and settles the belief anew from its testimony
where it does not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from knowwhy.core.model import Attribute, Belief, Entity, Evidence, Schema, Status
from knowwhy.core.revision import (
    AUTHORITY_THEN_RECENCY,
    ContestKey,
    Ground,
    Policy,
    Pool,
    Terms,
    contest_key,
    grounds,
    settle_together,
)
from knowwhy.core.timeline import Scope
from knowwhy.recall.ancestry import by_id, with_ancestry
from knowwhy.recall.calibrating import Calibrations
from knowwhy.recall.identity import followed, merged_in, names_followed
from knowwhy.store.protocol import BeliefFilter, Snapshot

# What can be put away: what is held with reserve or supposed. What is in dispute is not, nor what is past.
ARCHIVABLE: Final = (Status.ACCEPTED, Status.STALE, Status.DOUBTFUL, Status.HYPOTHESIS)


@dataclass(frozen=True, slots=True)
class Gate:
    """What one reader may see of one snapshot, in one scope."""

    view: Snapshot
    schema: Schema
    scope: Scope
    policy: Policy = AUTHORITY_THEN_RECENCY
    calibrations: Calibrations | None = None

    def attribute(self, key: str) -> Attribute:
        """The declaration in force for an attribute, or the default for undeclared ones."""
        return self.schema.attribute(key)

    def beliefs(self, wanted: BeliefFilter) -> list[Belief]:
        """The wanted beliefs as they stand in the scope; those not yet heard of then are left out."""
        kept = self.view.beliefs(wanted)
        if all(self._holds(belief) for belief in kept):
            return self._put_away(kept)
        settled = self.settled(self.contests(one for one in kept if not self._holds(one)))
        return self._put_away(
            [
                belief if self._holds(belief) else replace(settled[belief.id], version=belief.version)
                for belief in kept
                if self._holds(belief) or belief.id in settled
            ]
        )

    def may_read(self, evidence: Evidence) -> bool:
        """Whether an item of evidence was known, said and not withdrawn in the scope."""
        gone = evidence.retracted_at is not None and evidence.retracted_at <= self.scope.known
        is_known = evidence.recorded_at <= self.scope.known
        return is_known and evidence.effective_at <= self.scope.valid and not gone

    def names(self, keys: Sequence[str]) -> dict[str, list[Entity]]:
        """The entities that each name key stands for; those merged into another as that one."""
        return names_followed(self.view, merged_in(self.view, self.schema, self.scope), keys)

    def entities(self, ids: Sequence[str]) -> list[Entity]:
        """The entities of these ids; those merged into another as that one."""
        into = merged_in(self.view, self.schema, self.scope)
        return followed(self.view, into, self.view.entities(ids))

    def contest(self, belief: Belief) -> ContestKey:
        """What the belief competes in."""
        return contest_key(belief.slot, belief.value.key, self.attribute(belief.slot.attribute))

    def contests(self, beliefs: Iterable[Belief]) -> list[ContestKey]:
        """What the beliefs compete in, each contest once, in a fixed order."""
        return sorted({self.contest(belief) for belief in beliefs}, key=by_id)

    def settled(self, contests: Sequence[ContestKey]) -> dict[str, Belief]:
        """The beliefs of `contests`, by id, settled from their testimony in the scope."""
        pool = with_ancestry(self.view, self.schema, self.view.testimonies(contests))
        known = {
            key: seen
            for key, those in pool.items()
            if (seen := tuple(one for one in those if one.recorded_at <= self.scope.known))
        }
        settled = settle_together(Pool(known, Terms(self.schema, self.policy)), self.scope).held
        return {belief.id: belief for key in contests for belief in settled.get(key, ())}

    def shown(self, contest: Iterable[Belief]) -> dict[str, float]:
        """The calibrated confidence of each belief of one whole contest, by its id; empty where no map is."""
        held = list(contest)
        if self.calibrations is None or not self.calibrations.labels or not held:
            return {}
        attribute = self.attribute(held[0].slot.attribute)
        return self.calibrations.shown(attribute, {one.id: one.confidence(self.scope.valid) for one in held})

    def grounds(self, beliefs: Iterable[Belief]) -> dict[str, tuple[Ground, ...]]:
        """The grounds of each belief, by its id."""
        wanted: dict[ContestKey, list[Belief]] = defaultdict(list)
        for belief in beliefs:
            wanted[self.contest(belief)].append(belief)
        found: dict[str, tuple[Ground, ...]] = {}
        learned = self.schema.learned_by(self.scope.known)
        for key, testimonies in self.view.testimonies(sorted(wanted, key=by_id)).items():
            attribute = self.attribute(wanted[key][0].slot.attribute)
            by_value = grounds(testimonies, attribute, self.scope, learned)
            found.update({belief.id: by_value.get(belief.value.key, ()) for belief in wanted[key]})
        return found

    def _put_away(self, beliefs: list[Belief]) -> list[Belief]:
        """The beliefs, those in the archive as archived: as long as nothing was heard of them since."""
        archived = self.schema.archived
        if not archived or not self.scope.is_latest_knowledge:
            return beliefs
        return [
            replace(one, status=Status.ARCHIVED)
            if (known := archived.get(one.id)) is not None
            and one.status in ARCHIVABLE
            and (one.evidence, one.observed_at) == (known.evidence, known.observed_at)
            else one
            for one in beliefs
        ]

    def _holds(self, belief: Belief) -> bool:
        """Whether the kept view answers for the scope as it is."""
        return self.scope.is_latest_knowledge and belief.settled_at <= self.scope.valid < belief.stable_until
