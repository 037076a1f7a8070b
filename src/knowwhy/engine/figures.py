"""Figures: how much a memory holds and how well, before and after a dream."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from knowwhy.core.model import Status
from knowwhy.engine.calibration import calibration
from knowwhy.engine.identify import questions
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.space import Space
from knowwhy.store.protocol import BeliefFilter

_BELIEF: Final = "belief."


@dataclass(frozen=True, slots=True)
class Figures:
    """What there is: nodes (entities and beliefs), evidence, and how beliefs stand.

    `questions` are pairs of entities of one name of which nobody said whether they are one. `calibration` is
    the error of the confidences, None where there are too few judgements to tell.
    """

    entities: int
    beliefs: int
    evidence: int
    claims: int
    accepted: int
    contested: int
    archived: int
    stale: int
    questions: int
    calibration: float | None = None

    @property
    def evidence_per_belief(self) -> float:
        """How many claims speak of a belief on average."""
        return self.claims / self.beliefs if self.beliefs else 0.0

    def as_dict(self) -> dict[str, Any]:
        """The figures for a program."""
        return {
            "nodes": self.entities + self.beliefs,
            "entities": self.entities,
            "beliefs": self.beliefs,
            "evidence": self.evidence,
            "evidence_per_belief": round(self.evidence_per_belief, 4),
            "accepted": self.accepted,
            "contested": self.contested,
            "archived": self.archived,
            "stale": self.stale,
            "questions": self.questions,
            "calibration_error": None if self.calibration is None else round(self.calibration, 6),
        }

    def with_changes(self, outcome: Outcome | None, put_away: int) -> Figures:
        """The figures once an operation that was only foreseen is carried out, as far as it tells.

        It puts so many beliefs away. How many are stale or in question then is not foreseen.
        """
        if outcome is None:
            return self
        moved = outcome.moved
        return replace(
            self,
            beliefs=self.beliefs + sum(one.before is None for one in outcome.changes),
            evidence=self.evidence + outcome.recorded,
            claims=self.claims + outcome.recorded,
            accepted=self.accepted + moved[Status.ACCEPTED],
            contested=self.contested + moved[Status.CONTESTED],
            archived=self.archived + put_away,
        )


def figures(space: Space) -> Figures:
    """The figures of a memory as it is. Everything is looked at for them."""
    scope = space.scope()
    with space.reading(scope) as gate:
        counts = gate.view.counts()
        archived = len(gate.schema.archived)
        held = gate.beliefs(BeliefFilter(statuses=[Status.ACCEPTED]))
    scores = calibration(space, scope=scope).raw.scores
    return Figures(
        entities=counts.get("entities", 0),
        beliefs=sum(number for name, number in counts.items() if name.startswith(_BELIEF)),
        evidence=counts.get("evidence", 0),
        claims=counts.get("claims", 0),
        accepted=counts.get(f"{_BELIEF}{Status.ACCEPTED}", 0),
        contested=counts.get(f"{_BELIEF}{Status.CONTESTED}", 0),
        archived=archived,
        stale=sum(one.status_at(scope.valid) is Status.STALE for one in held),
        questions=len(questions(space, scope=scope)),
        calibration=None if scores is None else scores.ece,
    )
