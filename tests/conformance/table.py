"""The suite's table: every test of the store suite, on every store, and how it went.

    python tests/conformance/table.py [PYTEST ARGUMENT ...]

Runs the suite (with pytest-xdist, if told `-n 2`) and draws a row for each test and a column for each store:
how many of its cases passed, or what became of those that did not. A test that a store lacks, skips or fails
is amiss, and the program then exits with 1.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest
from rich.console import Console
from rich.table import Table

SUITE: Final = Path(__file__).with_name("test_stores.py")
ROOT: Final = Path(__file__).resolve().parents[2]


class Tally:
    """A plugin that counts, for each test and store, what became of its cases."""

    def __init__(self) -> None:
        self.stores: list[str] = []
        self.counts: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a case once: by its call, or by what went wrong before or after it."""
        if report.when != "call" and report.passed:
            return
        _, store, case = report.nodeid.split("::")
        name = store.removeprefix("Test").replace("Store", "")
        if name not in self.stores:
            self.stores.append(name)
        self.counts[case.partition("[")[0]][name][report.outcome] += 1

    def amiss(self) -> list[str]:
        """What keeps the table from being all green."""
        return [
            f"{test} on {store}: {told(counts[store])}"
            for test, counts in sorted(self.counts.items())
            for store in self.stores
            if set(counts[store]) != {"passed"} or counts[store] != counts[self.stores[0]]
        ]

    def table(self) -> Table:
        """A row for each test, a column for each store."""
        drawn = Table("test", *self.stores, title="cases passed, by test and store")
        for test, counts in sorted(self.counts.items()):
            drawn.add_row(test.removeprefix("test_"), *(told(counts[store]) for store in self.stores))
        return drawn


def told(counts: Counter[str]) -> str:
    """How the cases of one test went on one store."""
    if set(counts) == {"passed"}:
        return str(counts["passed"])
    return ", ".join(f"{number} {outcome}" for outcome, number in sorted(counts.items())) or "none"


def main(arguments: Sequence[str]) -> int:
    tally = Tally()
    code = pytest.main(["-q", "--no-header", f"--rootdir={ROOT}", str(SUITE), *arguments], plugins=[tally])
    console = Console()
    (console if console.is_terminal else Console(width=160)).print(tally.table())
    amiss = tally.amiss()
    for one in amiss:
        print(f"amiss: {one}")
    cases = sum(sum(one.total() for one in counts.values()) for counts in tally.counts.values())
    print(f"{len(tally.counts)} tests on {len(tally.stores)} stores, {cases} cases, {len(amiss)} amiss")
    return 1 if code or amiss or not tally.counts else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
