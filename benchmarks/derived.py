"""What a retraction costs under many derived beliefs, and one more item in a slot that has many.

    python benchmarks/derived.py [--sizes 10000 100000] [--items 10 1000] [--json FILE]

Members of teams work where their team does, by a declared rule: each team's site carries fifty derived
beliefs. Withdrawing one site takes down its fifty, however many others there are. Ratios are of medians of
paired runs; times are processor time of this process.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import knowwhy

MEMBERS: Final = 50
ROUNDS: Final = 30
_BATCH: Final = 2_000


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000], help="derived beliefs")
    parser.add_argument("--items", type=int, nargs="+", default=[10, 1_000], help="items in one slot")
    parser.add_argument("--json", type=Path, help="a file to write the figures to")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = {
            "retract": compared([(size, _retraction(Path(folder), size)) for size in given.sizes]),
            "add": compared([(items, _addition(Path(folder), items)) for items in given.items]),
            "repeat": compared([(items, _addition(Path(folder), items, voices=7)) for items in given.items]),
        }
    figures["affected"] = {"beliefs": MEMBERS}
    text = json.dumps(figures, indent=2)
    print(text)
    if given.json is not None:
        given.json.write_text(text + "\n", "utf-8")


def compared(acts: Sequence[tuple[int, Callable[[], None]]]) -> dict[str, object]:
    """The median processor time of each act in ms, in turn, and the ratio of the last to the first."""
    times: list[list[float]] = [[] for _ in acts]
    for number in range(ROUNDS + 3):
        for taken, (_, act) in zip(times, acts, strict=True):
            start = time.process_time()
            act()
            if number >= 3:
                taken.append((time.process_time() - start) * 1000)
    medians = [statistics.median(taken) for taken in times]
    return {
        "ms": {str(size): round(median, 3) for (size, _), median in zip(acts, medians, strict=True)},
        "ratio": round(medians[-1] / medians[0], 3),
    }


def _retraction(folder: Path, size: int) -> Callable[[], None]:
    """Withdraw the site of one team after another."""
    memory = knowwhy.open(folder / f"derived-{size}.db")
    memory.declare_rule(
        "works where the team does",
        premises=[("?who", "team", "?team"), ("?team", "site", "?where")],
        conclusion=("?who", "site", "?where"),
    )
    teams = size // MEMBERS
    sites = [
        knowwhy.Observation(
            "directory", claims=[(f"team {team}", "site", f"city {team % 97}")], source_type="official"
        )
        for team in range(teams)
    ]
    evidence = [one for batch in _batches(sites) for one in memory.observe_many(batch).evidence]
    members = [
        knowwhy.Observation(
            "directory",
            claims=[(f"member {member}", "team", f"team {member // MEMBERS}")],
            source_type="official",
        )
        for member in range(size)
    ]
    for batch in _batches(members):
        memory.observe_many(batch)
    waiting = iter(evidence)

    def retract() -> None:
        outcome = memory.retract(next(waiting))
        assert len(outcome.changes) == MEMBERS + 1, outcome

    return retract


def _addition(folder: Path, items: int, voices: int = 10**9) -> Callable[[], None]:
    """Confirm one value in a slot that has so many items already, by as many sources in turn."""
    memory = knowwhy.open(folder / f"slot-{items}-{voices}.db")
    memory.declare("name")
    number = iter(range(10**9))

    def said() -> knowwhy.Observation:
        turn = next(number)
        return knowwhy.Observation(
            f"chat {turn % voices}",
            f"I am Bob, said for the {turn}th time.",
            claims=[("user", "name", "Bob")],
            source_type="user",
        )

    for batch in _batches([said() for _ in range(items)]):
        memory.observe_many(batch)

    def add() -> None:
        memory.observe_many([said()])

    return add


def _batches(given: Sequence[knowwhy.Observation]) -> list[Sequence[knowwhy.Observation]]:
    return [given[start : start + _BATCH] for start in range(0, len(given), _BATCH)]


if __name__ == "__main__":
    main()
