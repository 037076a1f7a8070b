"""Histories: the turns a slot took, each with the operation that brought it and its reason."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from knowwhy.core.model import Attribute, Belief, Operation, Status, Testimony, one_line
from knowwhy.core.revision import Policy, settle
from knowwhy.core.timeline import BEGINNING, FOREVER, Instant, Scope, isoformat, shown
from knowwhy.explain.sentences import because


@dataclass(frozen=True, slots=True)
class Carried:
    """A belief that rests on what turned, and fell or became doubtful in the same operation."""

    belief: str
    subject: str
    attribute: str
    value: str
    before: str | None
    after: str

    def as_dict(self) -> dict[str, Any]:
        """The belief for a program."""
        return {name: getattr(self, name) for name in self.__slots__}

    def __str__(self) -> str:
        return one_line(f"{self.subject} / {self.attribute} = {self.value}: {self.before} → {self.after}")


@dataclass(frozen=True, slots=True)
class Turn:
    """One change of mind: at which operation which belief went from which standing to which, and why.

    `triggers` are the evidence items (or withdrawn records) that the operation brought, `policy` what
    decided where an attribute names none of its own, `carried` what fell or became doubtful with it.
    """

    operation: int
    at: Instant
    act: str
    author: str | None
    reason: str | None
    belief: Belief
    before: Belief | None
    triggers: tuple[str, ...]
    policy: str | None = None
    carried: tuple[Carried, ...] = ()

    @property
    def because(self) -> str:
        """Why the belief came to stand so, in words."""
        return because(self.belief)

    def as_dict(self) -> dict[str, Any]:
        """The turn for a program."""
        return {
            "operation": self.operation,
            "at": isoformat(self.at),
            "act": self.act,
            "author": self.author,
            "reason": self.reason,
            "belief": self.belief.id,
            "value": str(self.belief.value),
            "before": self.before.status if self.before else None,
            "after": self.belief.status,
            "confidence": round(self.belief.confidence(self.at), 6),
            "since": isoformat(self.belief.since),
            "until": isoformat(self.belief.until),
            "because": self.because,
            "triggers": list(self.triggers),
            "policy": self.policy,
            "carried": [one.as_dict() for one in self.carried],
        }


@dataclass(frozen=True, slots=True)
class Period:
    """A stretch of valid time and what is held true in it, as far as is known now."""

    start: Instant
    end: Instant
    beliefs: tuple[Belief, ...]

    def as_dict(self) -> dict[str, Any]:
        """The period for a program."""
        return {
            "from": isoformat(self.start),
            "to": isoformat(self.end),
            "values": [str(one.value) for one in self.beliefs],
            "status": self.beliefs[0].status if self.beliefs else None,
        }


@dataclass(frozen=True, slots=True)
class History:
    """How a slot came to stand as it does: what was true when, and when and why the mind changed."""

    subject: str
    attribute: str
    periods: tuple[Period, ...]
    turns: tuple[Turn, ...]

    def as_dict(self) -> dict[str, Any]:
        """The history for a program."""
        return {
            "subject": self.subject,
            "attribute": self.attribute,
            "periods": [period.as_dict() for period in self.periods],
            "turns": [turn.as_dict() for turn in self.turns],
        }

    def __str__(self) -> str:
        topic = one_line(f"{self.subject} / {self.attribute}")
        if not self.turns:
            return f"{topic}: no history."
        lines = [f"{topic}: what was true when"]
        for period in self.periods:
            values = " or ".join(str(one.value) for one in period.beliefs) or "nothing known"
            is_contested = any(one.status is Status.CONTESTED for one in period.beliefs)
            stretch = f"{shown(period.start)} – {'now' if period.end == FOREVER else shown(period.end)}"
            lines.append(f"  {stretch}: {values}{' (contested)' if is_contested else ''}")
        lines.append("and how the mind changed")
        for turn in self.turns:
            was = f"{turn.before.status} → " if turn.before else ""
            lines.append(
                f"  {turn.operation}. {shown(turn.at)} {turn.act}: {turn.belief.value}: "
                f"{was}{turn.belief.status} ({turn.because})"
            )
            lines += [f"     with it {one}" for one in turn.carried]
        return "\n".join(lines)


def turns(
    testimonies: Iterable[Testimony],
    operations: Mapping[int, Operation],
    settled: Callable[[Instant], Iterable[Belief]],
) -> Iterator[Turn]:
    """The turns that one contest took, in the order in which what bears on it became known.

    `testimonies` is all that bears on it, also on what it rests on; `settled` gives its beliefs as they
    stood at an instant, by what was known then.
    """
    before: dict[str, Belief] = {}
    for at, brought in _arrivals(list(testimonies)):
        operation = operations[max(number for number, _ in brought)]
        for belief in settled(at):
            earlier = before.get(belief.id)
            before[belief.id] = belief
            if earlier is None or (earlier.status, earlier.until) != (belief.status, belief.until):
                yield Turn(
                    operation.sequence,
                    at,
                    operation.act,
                    operation.author,
                    operation.reason,
                    belief,
                    earlier,
                    tuple(sorted({evidence for _, evidence in brought})),
                    operation.policy,
                )


def _arrivals(known: list[Testimony]) -> list[tuple[Instant, list[tuple[int, str]]]]:
    """Each instant at which something became known or was withdrawn: by which operation, which evidence."""
    arrivals: dict[Instant, list[tuple[int, str]]] = defaultdict(list)
    for one in known:
        arrivals[one.recorded_at].append((one.operation, one.claim.evidence_id))
        for each in one.withdrawals:
            arrivals[each.at].append((each.operation, one.claim.evidence_id))
            if each.lifted_at is not None and each.lifted_in is not None:
                arrivals[each.lifted_at].append((each.lifted_in, one.claim.evidence_id))
    return sorted(arrivals.items())


def periods(
    testimonies: Iterable[Testimony], attribute: Attribute, scope: Scope, policy: Policy
) -> list[Period]:
    """What is held true over valid time up to the instant asked about, merged where nothing changes."""
    known = list(testimonies)
    bounds = {scope.valid} if attribute.changes else {scope.valid, BEGINNING}
    for one in known:
        named = (one.claim.valid_from, one.claim.valid_to, one.effective_at)
        bounds.update(bound for bound in named if bound is not None and bound <= scope.valid)
    found: list[Period] = []
    for start, end in _stretches(sorted(bounds), scope.valid):
        held = tuple(
            belief
            for belief in settle(known, attribute, Scope(start, scope.known), policy)
            if belief.status.is_standing
        )
        if found and [one.id for one in found[-1].beliefs] == [one.id for one in held]:
            found[-1] = Period(found[-1].start, end, found[-1].beliefs)
        elif held or found:
            found.append(Period(start, end, held))
    return found


def _stretches(bounds: list[Instant], last: Instant) -> list[tuple[Instant, Instant]]:
    ends = [*bounds[1:], FOREVER]
    return [(start, end) for start, end in zip(bounds, ends, strict=True) if start <= last]
