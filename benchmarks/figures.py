"""The figures: targets, what was found beside them, as a table for a person and as JSON for a program."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from subject import Subject
from timing import Growth, growth

ACTS: Final = ("observe", "ask", "recall")
BULK: Final = "bulk, claims a second"
FULL_SIZE: Final = 100_000

MEASURES: Final = (
    "One process on one file: claims a second in bulk; one durable claim (observe), one attribute of one "
    "subject (ask) and one question in plain words (recall), in milliseconds; opening in a new process; the "
    "size of the file; computing all views anew. Growth is the same act in the larger memory against the "
    "smaller, measured in turn: the median of the pairs."
)
DOES_NOT_MEASURE: Final = (
    "Several writers at once, loss of power, a slow disk, a network, or reading claims out of text. The "
    "texts are made up: short, a third Chinese, with words as unevenly common as in real ones."
)


@dataclass(frozen=True, slots=True)
class Target:
    """A figure to reach: at most `bound`, or at least, where more is better."""

    name: str
    bound: float
    found: float
    unit: str = ""
    is_least: bool = False

    @property
    def is_met(self) -> bool:
        """Whether it was reached."""
        return self.found >= self.bound if self.is_least else self.found <= self.bound

    @property
    def words(self) -> str:
        """The bound in words."""
        return f"{'≥' if self.is_least else '≤'} {self.bound:,g}{self.unit}"

    def as_dict(self) -> dict[str, Any]:
        """The target for a program."""
        return {
            "name": self.name,
            "target": self.words,
            "found": round(self.found, 4),
            "met": self.is_met,
        }


@dataclass(frozen=True, slots=True)
class Figures:
    """All that was measured on memories of growing size."""

    machine: dict[str, Any]
    subjects: Sequence[Subject]

    @property
    def largest(self) -> Subject:
        """The memory that the targets are about."""
        return self.subjects[-1]

    def growths(self) -> dict[str, Growth]:
        """How much longer each act takes in the largest memory than in the smallest, if there are two."""
        if len(self.subjects) < 2:
            return {}
        smallest = self.subjects[0]
        return {act: growth(smallest.times[act], self.largest.times[act]) for act in ACTS}

    def targets(self) -> dict[str, Target]:
        """The targets, by the row of the table they belong to."""
        times = self.largest.times
        found = {
            "observe p50": Target("observe p50", 3.0, times["observe"].p50, " ms"),
            "ask p50": Target("ask p50", 0.5, times["ask"].p50, " ms"),
            "recall p50": Target("recall p50", 10.0, times["recall"].p50, " ms"),
            BULK: Target(BULK, 5_000, self.largest.bulk_rate, is_least=True),
        }
        growths = self.growths()
        for act in ("observe", "ask"):
            if act in growths:
                found[f"growth of {act}"] = Target(f"growth of {act}", 1.3, growths[act].ratio, "×")
        return found

    def as_dict(self) -> dict[str, Any]:
        """The figures for a program."""
        return {
            "machine": self.machine,
            "sizes": {str(one.world.size): _as_dict(one) for one in self.subjects},
            "growth": {act: one.as_dict() for act, one in self.growths().items()},
            "targets": [one.as_dict() for one in self.targets().values()],
            "targets_are_for": FULL_SIZE,
            "measures": MEASURES,
            "does_not_measure": DOES_NOT_MEASURE,
        }

    def show(self, console: Console) -> None:
        """Draw the table."""
        for name, fact in self.machine.items():
            console.print(f"{name}: {fact}", style="dim", highlight=False)
        table = Table(title="Speed, in milliseconds unless said", title_justify="left")
        table.add_column("", no_wrap=True)
        for one in self.subjects:
            table.add_column(f"{one.world.size:,} beliefs", justify="right")
        table.add_column("growth", justify="right", no_wrap=True)
        table.add_column("target", justify="right")
        table.add_column("")
        for row in self._rows():
            table.add_row(*row)
        console.print(table)
        if self.largest.world.size != FULL_SIZE:
            console.print(f"The targets are meant for {FULL_SIZE:,} beliefs.", style="dim")

    def _rows(self) -> list[list[str]]:
        rows = [self._row(BULK, [f"{one.bulk_rate:,.0f}" for one in self.subjects])]
        for act in ACTS:
            rows.append(self._row(f"{act} p50", [f"{one.times[act].p50:.2f}" for one in self.subjects]))
            rows.append(self._row(f"{act} p99", [f"{one.times[act].p99:.2f}" for one in self.subjects]))
            computing = [one.times[act].computing for one in self.subjects]
            rows.append(self._row(f"  {act}, computing p50", [f"{taken:.2f}" for taken in computing]))
        for kind in self.largest.recall_kinds:
            medians = [statistics.median(one.recall_kinds[kind]) for one in self.subjects]
            rows.append(self._row(f"  recall p50 ({kind})", [f"{median:.2f}" for median in medians]))
        for step in self.largest.cold:
            name = f"new process: {step.removesuffix('_ms').replace('_', ' ')}"
            rows.append(self._row(name, [f"{one.cold[step]:.1f}" for one in self.subjects]))
        rows.append(self._row("rebuild, seconds", [f"{one.rebuild_s:.1f}" for one in self.subjects]))
        rows.append(self._row("file, MB", [f"{one.file_bytes / 1e6:,.1f}" for one in self.subjects]))
        per_claim = [one.file_bytes / one.claims for one in self.subjects]
        rows.append(self._row("file, bytes a claim", [f"{size:,.0f}" for size in per_claim]))
        return rows

    def _row(self, name: str, cells: list[str]) -> list[str]:
        act, _, percentile = name.partition(" ")
        grown = self.growths().get(act) if percentile == "p50" else None
        targets = [self.targets().get(name), self.targets().get(f"growth of {act}") if grown else None]
        said = [one for one in targets if one is not None]
        growth_ = f"{grown.ratio:.2f}× ({grown.low:.2f} to {grown.high:.2f})" if grown else ""
        verdict = "[green]met[/]" if all(one.is_met for one in said) else "[red]missed[/]"
        return [name, *cells, growth_, ", ".join(one.words for one in said), verdict if said else ""]


def _as_dict(one: Subject) -> dict[str, Any]:
    return {
        "claims": one.claims,
        "bulk_claims_per_s": round(one.bulk_rate, 1),
        **{f"{act}_ms": one.times[act].as_dict() for act in ACTS},
        "recall_p50_ms": {
            kind: round(statistics.median(taken), 3) for kind, taken in one.recall_kinds.items()
        },
        "cold_ms": one.cold,
        "rebuild_s": round(one.rebuild_s, 2),
        "file_bytes": one.file_bytes,
    }
