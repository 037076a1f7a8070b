"""The report of a dream: what was done and why, what was put off or parked, and figures before and after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from html import escape
from typing import Any

from knowwhy.consolidate.plan import Proposal
from knowwhy.core.model import ParkedTopic, one_line
from knowwhy.engine.figures import Figures
from knowwhy.engine.outcome import ChangedBelief, Outcome


class Fate(StrEnum):
    """What became of a proposal: done, put off to the next run, or left to a person."""

    DONE = "done"
    DEFERRED = "deferred"
    ADVICE = "advice"


@dataclass(frozen=True, slots=True)
class Done:
    """One proposal of a step, what became of it, and which beliefs that changed."""

    step: str
    topic: str
    proposal: Proposal
    fate: Fate
    changes: tuple[ChangedBelief, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The proposal and its fate for a program."""
        changed = [str(one) for one in self.changes]
        return {"step": self.step, "fate": self.fate, **self.proposal.as_dict(), "changes": changed}


@dataclass(frozen=True, slots=True)
class DreamReport:
    """What dreaming did, or would do where there is no `operation`.

    `state` names the state of the memory it speaks of; given to `dream` as `expected`, it is carried out for
    that alone. Where it is not `is_complete`, something was put off: another run goes on with it.
    Nothing is done where it is not `is_due`: no time that was named has come since the last run.
    `changed` are so many beliefs whose standing changed. The figures `before` and `after` are there where
    they were asked for.
    """

    done: tuple[Done, ...]
    parked: tuple[ParkedTopic, ...]
    outcome: Outcome | None
    operation: int | None
    state: str
    read: tuple[int, int]
    is_complete: bool
    before: Figures | None
    after: Figures | None
    changed: int
    is_due: bool = True

    def of(self, step: str) -> tuple[Proposal, ...]:
        """What a step did, or would do."""
        return tuple(one.proposal for one in self.done if one.step == step and one.fate is Fate.DONE)

    def as_dict(self) -> dict[str, Any]:
        """The report for a program."""
        return {
            "operation": self.operation,
            "state": self.state,
            "read": {"from": self.read[0], "to": self.read[1]},
            "due": self.is_due,
            "complete": self.is_complete,
            "changed": self.changed,
            "moved": self.moved,
            "proposals": [one.as_dict() for one in self.done],
            "parked": [{"step": one.step, "topic": one.topic, "why": one.why} for one in self.parked],
            "conflicts": [] if self.outcome is None else [one.id for one in self.outcome.conflicts],
            "before": None if self.before is None else self.before.as_dict(),
            "after": None if self.after is None else self.after.as_dict(),
        }

    @property
    def moved(self) -> dict[str, int]:
        """By how many there are more or fewer beliefs of each status."""
        moved = Counter() if self.outcome is None else self.outcome.moved
        return {str(status): count for status, count in sorted(moved.items()) if count}

    @property
    def headline(self) -> str:
        """In one line what came of it, what it failed at, and whether more is left."""
        parked = len(self.parked)
        topics = "1 topic is" if parked == 1 else f"{parked} topics are"
        failed = f" {topics} parked." if parked else ""
        return self._came_of_it() + failed + ("" if self.is_complete else " More is left for another run.")

    def _came_of_it(self) -> str:
        if not self.is_due:
            return "It is not time to dream yet."
        count = sum(one.fate is Fate.DONE for one in self.done)
        if not count:
            return "Nothing to do." if self.operation is None else "Nothing was done."
        things = "1 thing" if count == 1 else f"{count} things"
        if self.operation is None:
            return f"{things} would be done; nothing was written (state {self.state})."
        return f"Operation {self.operation}: {things} done; undo {self.operation} takes it back."

    def __str__(self) -> str:
        return "\n".join([self.headline, *self._lines()])

    def _lines(self) -> Iterator[str]:
        for one in self.done:
            yield f"  {one.step}, {one.fate}: {one.proposal}"
        for each in self.parked:
            yield one_line(f"  {each.step}, parked: {each.topic or 'as a whole'}: {each.why}")
        yield from (f"  {status}: {count:+}" for status, count in self.moved.items())
        yield from (f"  {name}: {was} → {now}" for name, was, now in self._figures())

    def _figures(self) -> Iterator[tuple[str, Any, Any]]:
        """The figures by name, before and after; those that nobody asked for are left out."""
        if self.before is not None and self.after is not None:
            after = self.after.as_dict()
            for name, number in self.before.as_dict().items():
                yield name.replace("_", " "), number, after[name]

    def to_html(self) -> str:
        """The report as a page of its own, with all text of others escaped."""
        heads = ("step", "fate", "what", "why", "evidence", "effect")
        done = [
            (
                one.step,
                one.fate,
                one.proposal.what,
                one.proposal.why,
                len(one.proposal.evidence),
                one.proposal.effect,
            )
            for one in self.done
        ]
        moved = [(status, "", f"{count:+}") for status, count in self.moved.items()]
        figures = [*self._figures(), *moved]
        parked = [(one.step, one.topic, one.why) for one in self.parked]
        return "".join(
            (
                '<!doctype html><html lang="en"><meta charset="utf-8"><title>Dream</title>',
                f"<h1>{escape(self.headline)}</h1>",
                _table(heads, done),
                f"<h2>Parked</h2>{_table(('step', 'topic', 'why'), parked)}" if parked else "",
                f"<h2>Before and after</h2>{_table(('', 'before', 'after'), figures)}</html>",
            )
        )


def _table(heads: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table in HTML; whatever is in it is text."""
    lines = [[f"<th>{escape(one)}</th>" for one in heads]]
    lines += [[f"<td>{escape('' if one is None else str(one))}</td>" for one in row] for row in rows]
    inside = "".join(f"<tr>{''.join(line)}</tr>" for line in lines)
    return f"<table>{inside}</table>"
