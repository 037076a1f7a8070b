"""What sharing costs: reading without a principal, and as one, in a memory part of which is hidden.

    python benchmarks/sharing.py FOLDER [--slots N] [--hidden N]

Makes two memories of the same public words below FOLDER; one holds private words on some of the slots
besides. Prints one JSON object: milliseconds for a question, the median of many, asked in turns. It does not
measure writing, other stores, or several readers at once.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import knowwhy
from knowwhy import Memory, Observation

_EACH = 1_000
_ROUNDS = 300


def main() -> None:
    reader = argparse.ArgumentParser(description="What sharing costs.")
    reader.add_argument("folder", type=Path)
    reader.add_argument("--slots", type=int, default=10_000)
    reader.add_argument("--hidden", type=int, default=1_000)
    asked = reader.parse_args()
    plain = _filled(asked.folder / "plain.db", asked.slots)
    shared = _filled(asked.folder / "shared.db", asked.slots)
    _hide(shared, asked.slots, asked.hidden)
    bob, alice = shared.seen_by(agent="bob"), shared.seen_by(agent="alice")
    every = max(1, asked.slots // asked.hidden)
    cases: dict[str, Callable[[int], object]] = {
        "ask, nothing hidden": lambda n: plain.ask(f"thing {n * every % asked.slots}", "state"),
        "ask, as owner": lambda n: shared.ask(f"thing {n * every % asked.slots}", "state"),
        "ask, untouched, as reader": lambda n: bob.ask(f"thing {(n * every + 1) % asked.slots}", "state"),
        "ask, touched, as reader": lambda n: bob.ask(f"thing {n * every % asked.slots}", "state"),
        "ask, touched, as who may read it": lambda n: alice.ask(f"thing {n * every % asked.slots}", "state"),
        "recall, nothing hidden": lambda n: plain.recall(f"state of thing {n * every % asked.slots}"),
        "recall, as owner": lambda n: shared.recall(f"state of thing {n * every % asked.slots}"),
        "recall, as reader": lambda n: bob.recall(f"state of thing {n * every % asked.slots}"),
    }
    started = time.perf_counter()
    bob.recall("state of thing 0")
    first = (time.perf_counter() - started) * 1_000
    times: dict[str, list[float]] = {name: [] for name in cases}
    for number in range(_ROUNDS):
        for name, case in cases.items():
            started = time.perf_counter()
            case(number)
            times[name].append((time.perf_counter() - started) * 1_000)
    told = {name: round(statistics.median(those), 3) for name, those in times.items()}
    print(json.dumps({"slots": asked.slots, "hidden": asked.hidden, "first recall": round(first, 1), **told}))
    plain.close()
    shared.close()


def _filled(path: Path, slots: int) -> Memory:
    memory = knowwhy.open(path)
    for start in range(0, slots, _EACH):
        memory.observe_many(
            Observation("log", f"thing {one} is calm", [(f"thing {one}", "state", "calm")])
            for one in range(start, min(start + _EACH, slots))
        )
    return memory


def _hide(memory: Memory, slots: int, hidden: int) -> None:
    every = max(1, slots // hidden)
    private = memory.seen_by(agent="alice").shared_with()
    private.observe_many(
        Observation("alice", f"thing {one} is on fire", [(f"thing {one}", "state", "on fire")])
        for one in range(0, slots, every)
    )


if __name__ == "__main__":
    main()
