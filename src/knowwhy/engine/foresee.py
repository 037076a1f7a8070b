"""what_if: what a withdrawal or an observation would come to, without writing anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from knowwhy.core.model import Act
from knowwhy.engine.commit import Prepared, prepare
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.observe import observing
from knowwhy.engine.outcome import ChangedBelief, FoundConflict, Outcome
from knowwhy.engine.retract import retracting
from knowwhy.engine.space import Space
from knowwhy.errors import InvalidInput
from knowwhy.ingest.observation import Observation


@dataclass(frozen=True, slots=True)
class Foresight:
    """What would change if something were so; nothing was written."""

    changes: tuple[ChangedBelief, ...]
    conflicts: tuple[FoundConflict, ...]
    warnings: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The foresight for a program."""
        told = Outcome(0, None, changes=self.changes, conflicts=self.conflicts).as_dict()
        return {
            "changes": told["changes"],
            "conflicts": told["conflicts"],
            "warnings": list(self.warnings),
        }

    def __str__(self) -> str:
        count = len(self.changes)
        changed = f"{count} belief{'' if count == 1 else 's'} would change"
        lines = [f"{changed if count else 'Nothing would change'}; nothing was written."]
        lines += [f"  {change}" for change in self.changes]
        lines += [f"  conflict {conflict.id}, {conflict}" for conflict in self.conflicts]
        lines += [f"  note: {warning}" for warning in self.warnings]
        return "\n".join(lines)


def what_if(space: Space, *, retract: Sequence[str] = (), observe: Sequence[Observation] = ()) -> Foresight:
    """What withdrawing some records and observing something would come to.

    Raises:
        InvalidInput: nothing is supposed, or an observation cannot be understood.
        NotFound: no evidence or claim has such an id.
    """
    if not retract and not observe:
        msg = "There is nothing to suppose: give ids to retract, observations, or both."
        raise InvalidInput(msg)

    def form(reading: Reading) -> Intent | Outcome:
        forms = [retracting(reading, one, None) for one in retract]
        if observe:
            forms.append(observing(reading, observe))
        intents = [one for one in forms if isinstance(one, Intent)]
        if not intents:
            return next(one for one in forms if isinstance(one, Outcome))
        whole = Intent()
        for one in intents:
            whole = whole.beside(one)
        return whole

    with space.store.snapshot(space.name) as view:
        prepared = prepare(space, Signature(Act.OBSERVE), form, view)
    if not isinstance(prepared, Prepared):
        return Foresight((), (), prepared.warnings)
    outcome = prepared.outcome
    return Foresight(outcome.changes, outcome.conflicts, outcome.warnings)
