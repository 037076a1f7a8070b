"""log and stats: what was done to a memory, and what it holds."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from knowwhy.core.model import Operation, one_line
from knowwhy.core.timeline import isoformat, shown
from knowwhy.engine.outcome import Outcome, outcome_from
from knowwhy.engine.space import Space
from knowwhy.errors import InvalidInput
from knowwhy.store.protocol import BeliefFilter


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One operation of the log, with its outcome as its author was told it."""

    operation: Operation
    outcome: Outcome

    def as_dict(self) -> dict[str, Any]:
        """The entry for a program."""
        one = self.operation
        return {
            "operation": one.sequence,
            "at": isoformat(one.at),
            "act": one.act,
            "author": one.author,
            "reason": one.reason,
            "policy": one.policy,
            "evidence": list(self.outcome.evidence),
            "changes": [str(change) for change in self.outcome.changes],
            "conflicts": [conflict.id for conflict in self.outcome.conflicts],
        }

    def __str__(self) -> str:
        one = self.operation
        signed = f" by {one.author}" if one.author else ""
        reasoned = f" ({one.reason})" if one.reason else ""
        lines = [one_line(f"{one.sequence}. {shown(one.at)} {one.act}{signed}{reasoned}")]
        lines += [f"   {change}" for change in self.outcome.changes]
        return "\n".join(lines)


def log(space: Space, *, limit: int = 20, before: int | None = None) -> tuple[LogEntry, ...]:
    """The last operations, newest first; `before` a number for the ones that precede it."""
    if limit < 1:
        msg = f"The limit must be at least 1, not {limit}."
        raise InvalidInput(msg)
    with space.snapshot() as view:
        return tuple(LogEntry(one, outcome_from(one)) for one in view.operations(before=before, limit=limit))


def stats(space: Space) -> dict[str, int]:
    """How many records of each kind the memory holds, and how many beliefs by status."""
    if space.principal is None:
        with space.snapshot() as view:
            return dict(sorted(view.counts().items()))
    with space.reading(space.scope()) as gate:
        counted = Counter(gate.view.counts())
        mixed = [one for one in gate.view.beliefs(BeliefFilter(labelled=True)) if one.labels]
        counted.update(f"belief.{one.status}" for one in gate.settled(gate.contests(mixed)).values())
        return dict(sorted(counted.items()))
