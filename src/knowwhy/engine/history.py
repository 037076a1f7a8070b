"""history: what was true when, and when and why the mind changed."""

from __future__ import annotations

from collections.abc import Mapping

from knowwhy.core.model import Operation
from knowwhy.core.revision import ContestKey
from knowwhy.core.timeline import Scope
from knowwhy.engine.ask import about, meant
from knowwhy.engine.space import Space
from knowwhy.errors import AmbiguousName
from knowwhy.explain.history import History, Period, Turn, periods, turns
from knowwhy.ingest.resolution import conditions_key
from knowwhy.recall.gate import Gate


def history(
    space: Space,
    subject: str,
    attribute: str,
    *,
    scope: Scope,
    conditions: Mapping[str, str] | None = None,
) -> History:
    """How a subject's attribute came to stand as it does, as known in `scope`.

    Raises:
        AmbiguousName: the subject's name stands for several entities.
    """
    with space.reading(scope) as gate:
        entities = meant(gate, subject)
        if len(entities) > 1:
            msg = f"{subject!r} may mean {len(entities)} entities; give one of them a name of its own."
            raise AmbiguousName(msg, candidates=[{"id": one.id, "name": one.name} for one in entities])
        held = about(gate, entities[0], attribute) if entities else []
        if conditions is not None:
            held = [belief for belief in held if belief.slot.conditions == conditions_key(conditions)]
        stretches: list[Period] = []
        changes: list[Turn] = []
        for contest in gate.contests(held):
            found, turned = _of_contest(gate, contest, scope)
            stretches += found
            changes += turned
        return History(
            subject,
            attribute,
            tuple(sorted(stretches, key=lambda one: (one.start, one.end))),
            tuple(sorted(changes, key=lambda one: (one.operation, one.belief.id))),
        )


def _of_contest(gate: Gate, contest: ContestKey, scope: Scope) -> tuple[list[Period], list[Turn]]:
    testimonies = [
        one for one in gate.view.testimonies([contest]).get(contest, []) if one.recorded_at <= scope.known
    ]
    if not testimonies:
        return [], []
    attribute = gate.attribute(testimonies[0].claim.slot.attribute)
    numbers = {one.operation for one in testimonies}
    numbers |= {one.retraction for one in testimonies if one.retraction is not None}
    operations: dict[int, Operation] = {
        one.sequence: one for one in gate.view.operations(sequences=sorted(numbers))
    }
    return (
        periods(testimonies, attribute, scope, gate.policy),
        list(turns(testimonies, attribute, operations, gate.policy)),
    )
