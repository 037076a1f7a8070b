"""show: all that one operation did, with the words it brought and why each belief changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from knowwhy.core.model import Operation, Run, Withdrawal, one_line
from knowwhy.core.timeline import isoformat, shown
from knowwhy.engine.brought import Brought, brought_by
from knowwhy.engine.outcome import Outcome, outcome_from
from knowwhy.engine.space import Space
from knowwhy.errors import NotFound


@dataclass(frozen=True, slots=True)
class OperationReport:
    """One operation of the log with the records it brought, and what became of the beliefs it touched."""

    operation: Operation
    outcome: Outcome
    brought: Brought
    run: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The report for a program."""
        one, told, records = self.operation, self.outcome.as_dict(), self.brought
        return {
            "operation": one.sequence,
            "at": isoformat(one.at),
            "act": one.act,
            "author": one.author,
            "reason": one.reason,
            "policy": one.policy,
            "run": self.run,
            "evidence": [
                {
                    "id": each.id,
                    "source": each.source.name,
                    "observed_at": isoformat(each.observed_at),
                    "text": each.text,
                    "withdrawn": each.retracted_at is not None,
                }
                for each in records.evidence
            ],
            "withdrew": [_withdrawal(each) for each in records.withdrawals],
            "lifted": [each.target for each in records.lifts],
            "named": [{"name": each.name, "entity": each.entity_id} for each in records.aliases],
            "declared": [{"kind": each.kind, "key": each.key} for each in records.declarations],
            "changes": told["changes"],
            "conflicts": told["conflicts"],
            "warnings": told["warnings"],
        }

    def __str__(self) -> str:
        one = self.operation
        by = f" by {one.author}" if one.author else ""
        why = f" ({one.reason})" if one.reason else ""
        lines = [one_line(f"{one.sequence}. {shown(one.at)} {one.act}{by}{why}")]
        if one.policy:
            lines.append(f"  policy {one.policy}{f', run {self.run}' if self.run else ''}")
        lines += self._records()
        for change in self.outcome.changes:
            moved = "" if change.confidence_before is None else f"{change.confidence_before:.2f} → "
            lines.append(f"  {change}, confidence {moved}{change.confidence:.2f} [{change.belief}]")
        lines += [f"  conflict {conflict.id}, {conflict}" for conflict in self.outcome.conflicts]
        lines += [f"  note: {warning}" for warning in self.outcome.warnings]
        return "\n".join(lines)

    def _records(self) -> list[str]:
        records = self.brought
        lines = []
        for item in records.evidence:
            gone = ", withdrawn since" if item.retracted_at is not None else ""
            said = f"{item.source.name}, {shown(item.observed_at)}{gone}: “{item.text}”"
            lines.append(f"  {one_line(f'recorded {said} [{item.id}]')}")
        for each in records.withdrawals:
            lifted = f", lifted by operation {each.lifted_in}" if each.lifted_in else ""
            lines.append(f"  withdrew {one_line(each.target)}{lifted}")
        lines += [f"  lifted the withdrawal {each.target}" for each in records.lifts]
        lines += [f"  named {each.entity_id} “{one_line(each.name)}” too" for each in records.aliases]
        lines += [f"  declared {one_line(f'{each.kind} {each.key}')}" for each in records.declarations]
        return lines


def _withdrawal(one: Withdrawal) -> dict[str, Any]:
    return {"target": one.target, "reason": one.reason, "lifted_in": one.lifted_in}


def show(space: Space, operation: int) -> OperationReport:
    """All that an operation did.

    Raises:
        NotFound: there is no operation of that number.
    """
    with space.snapshot() as view:
        found = view.operations(sequences=[operation])
        if not found:
            msg = f"There is no operation {operation}; `log` shows those there are."
            raise NotFound(msg, operation=operation)
        runs = view.declared(Run, until=operation).values()
        return OperationReport(
            found[0],
            outcome_from(found[0]),
            brought_by(view, found),
            next((one.name for one in runs if one.declared_in == operation), None),
        )
