"""Outcomes: what a writing verb tells its caller, and what the log keeps of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from knowwhy.core.model import Operation, Status, one_line
from knowwhy.core.revision import Change, Changeset, Conflict
from knowwhy.core.timeline import Instant, isoformat
from knowwhy.engine.readout import ReadOut
from knowwhy.explain.sentences import because
from knowwhy.providers.extraction import NO_USAGE, Usage


@dataclass(frozen=True, slots=True)
class ChangedBelief:
    """One belief whose standing an operation changed, and why it now stands as it does."""

    belief: str
    subject: str
    attribute: str
    value: str
    before: str | None
    after: str
    confidence: float
    because: str
    confidence_before: float | None = None

    def __str__(self) -> str:
        head = one_line(f"{self.subject} / {self.attribute} = {self.value}")
        if self.before == self.after and self.confidence_before is not None:
            moved = f"{self.confidence_before:.2f} → {self.confidence:.2f}"
            return f"{head}: still {self.after}, confidence {moved}"
        was = f"{self.before} → {self.after}" if self.before else self.after
        return f"{head}: {was} ({self.because})"


@dataclass(frozen=True, slots=True)
class FoundConflict:
    """A conflict that an operation left open: its stable id, its kind and the values that disagree."""

    id: str
    kind: str
    subject: str
    attribute: str
    values: tuple[str, ...]

    def __str__(self) -> str:
        return one_line(f"{self.kind}: {self.subject} / {self.attribute}: {' or '.join(self.values)}")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one writing call did.

    `operation` is its number in the log, and the version of every belief it touched. `evidence`
    holds the ids of the evidence it was given; `recorded` says how many of them were new. `is_repeat`
    says that nothing was written, because the same thing had been recorded before. `read_outs` tell
    what was read in words that came without claims; `waiting` are the items whose words wait to be read.
    `usage` says what reading cost, where it cost anything.
    """

    operation: int
    at: str | None
    evidence: tuple[str, ...] = ()
    recorded: int = 0
    changes: tuple[ChangedBelief, ...] = ()
    conflicts: tuple[FoundConflict, ...] = ()
    warnings: tuple[str, ...] = ()
    is_repeat: bool = False
    read_outs: tuple[ReadOut, ...] = ()
    waiting: tuple[str, ...] = ()
    usage: Usage = NO_USAGE

    @property
    def moved(self) -> Counter[str]:
        """By how many there are more or fewer beliefs of each status."""
        moved = Counter(one.after for one in self.changes)
        moved.subtract(one.before for one in self.changes if one.before is not None)
        return moved

    def numbered(self, operation: Operation) -> Outcome:
        """The same outcome with the number and time that the log gave it."""
        return replace(self, operation=operation.sequence, at=isoformat(operation.at))

    def as_dict(self) -> dict[str, Any]:
        """The outcome for a program."""
        return {
            "operation": self.operation,
            "at": self.at,
            "evidence": list(self.evidence),
            "recorded": self.recorded,
            "changes": [_fields(change) for change in self.changes],
            "conflicts": [_fields(conflict) for conflict in self.conflicts],
            "warnings": list(self.warnings),
            "is_repeat": self.is_repeat,
            **({"read_outs": [one.as_dict() for one in self.read_outs]} if self.read_outs else {}),
            **({"waiting": list(self.waiting)} if self.waiting else {}),
            **({"usage": self.usage.as_dict()} if self.usage != Usage() else {}),
        }

    def __str__(self) -> str:
        if self.is_repeat:
            lines = [f"Already known (operation {self.operation}); nothing was written."]
            return "\n".join([*lines, *(f"  note: {warning}" for warning in self.warnings)])
        changed = f"{len(self.changes)} belief{'' if len(self.changes) == 1 else 's'} changed"
        known = len(self.evidence) - self.recorded
        repeated = f", {known} known already" if known else ""
        recorded = f"{self.recorded} item{'' if self.recorded == 1 else 's'} of evidence recorded{repeated}"
        lines = [f"Operation {self.operation}: {recorded}; {changed}."]
        lines += [f"  {change}" for change in self.changes]
        lines += [f"  conflict {conflict.id}, {conflict}" for conflict in self.conflicts]
        lines += [f"  {line}" for one in self.read_outs for line in one.lines()]
        if self.waiting:
            lines.append(f"  to be read later: {len(self.waiting)}, see `queue`")
        lines += [f"  note: {warning}" for warning in self.warnings]
        return "\n".join(lines)


def outcome_of(
    changeset: Changeset,
    at: Instant,
    evidence: tuple[str, ...],
    recorded: int,
    warnings: tuple[str, ...],
    read_outs: tuple[ReadOut, ...] = (),
    waiting: tuple[str, ...] = (),
    usage: Usage = NO_USAGE,
) -> Outcome:
    """The outcome of a changeset, not yet numbered."""
    return Outcome(
        operation=0,
        at=None,
        evidence=evidence,
        recorded=recorded,
        changes=tuple(_changed(change, at) for change in changeset.changes),
        conflicts=tuple(_found(conflict) for conflict in changeset.conflicts),
        warnings=warnings,
        read_outs=read_outs,
        waiting=waiting,
        usage=usage,
    )


def outcome_from(operation: Operation) -> Outcome:
    """The outcome that the log kept of an operation, word for word."""
    kept: Mapping[str, Any] = operation.outcome or {}
    return Outcome(
        operation=operation.sequence,
        at=isoformat(operation.at),
        evidence=tuple(kept.get("evidence", ())),
        recorded=kept.get("recorded", 0),
        changes=tuple(ChangedBelief(**change) for change in kept.get("changes", ())),
        conflicts=tuple(
            FoundConflict(**{**conflict, "values": tuple(conflict["values"])})
            for conflict in kept.get("conflicts", ())
        ),
        warnings=tuple(kept.get("warnings", ())),
        read_outs=tuple(ReadOut.from_dict(one) for one in kept.get("read_outs", ())),
        waiting=tuple(kept.get("waiting", ())),
        usage=Usage(**kept.get("usage", {})),
    )


def kept_outcome(outcome: Outcome) -> dict[str, Any]:
    """What the log keeps of an outcome: all but what the operation itself says."""
    said_elsewhere = ("operation", "at", "is_repeat")
    return {name: value for name, value in outcome.as_dict().items() if value and name not in said_elsewhere}


def _fields(part: ChangedBelief | FoundConflict) -> dict[str, Any]:
    # Flat values, so that the deep copy that `asdict` makes would be wasted; it is seen in bulk loads.
    return {name: getattr(part, name) for name in part.__slots__}


def _changed(change: Change, at: Instant) -> ChangedBelief:
    belief = change.after
    before: Status | None = change.before.status if change.before else None
    return ChangedBelief(
        belief=belief.id,
        subject=belief.slot.subject.name,
        attribute=belief.slot.attribute,
        value=str(belief.value),
        before=before,
        after=belief.status,
        confidence=round(belief.confidence(at), 6),
        because=because(belief),
        confidence_before=round(change.before.confidence(at), 6) if change.before else None,
    )


def _found(conflict: Conflict) -> FoundConflict:
    return FoundConflict(
        id=conflict.id,
        kind=conflict.kind,
        subject=conflict.slot.subject.name,
        attribute=conflict.slot.attribute,
        values=tuple(str(side.value) for side in conflict.sides),
    )
