"""What a branch costs: to fork it, and to read through it.

    python benchmarks/branches.py [--sizes 1000 100000] [--depth 3] [--json FILE]

Forking is measured at each size, reading on the main line and on a branch over branches, each holding a
few statements of its own and knows nothing of what came to the main line since. Medians of acts that are done
in turn; the ratios are those of the processor time of this process.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from timing import Operation, Times, in_turn, machine

import knowwhy

_BATCH: Final = 2_000
_PAIRS: Final = 15
_ACTS: Final = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 100_000], help="beliefs")
    parser.add_argument("--depth", type=int, default=3, help="how many branches lie over each other")
    parser.add_argument("--json", type=Path, help="a file to write the figures to")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        memories = [filled(Path(folder) / f"{size}.db", size) for size in given.sizes]
        figures: dict[str, object] = {"machine": machine(Path(folder)), "sizes": given.sizes}
        figures["fork"] = told(in_turn([forking(one) for one in memories], _PAIRS, 3), given.sizes)
        largest, size = memories[-1], given.sizes[-1]
        figures["reading"] = reading(largest, size, given.depth)
    text = json.dumps(figures, indent=2)
    print(text)
    if given.json is not None:
        given.json.write_text(text + "\n", "utf-8")


def filled(path: Path, size: int) -> knowwhy.Memory:
    """A memory with so many beliefs, five to a subject."""
    memory = knowwhy.open(path)
    for start in range(0, size, _BATCH):
        memory.observe_many(
            knowwhy.Observation(
                f"file {number % 100}",
                claims=[(f"entity {number // 5}", f"field {number % 5}", f"note {number % 997}")],
                source_type="import",
            )
            for number in range(start, min(start + _BATCH, size))
        )
    return memory


def forking(memory: knowwhy.Memory) -> Operation:
    """Fork a branch and drop it again, so that there are never many."""

    def act(number: int) -> None:
        memory.fork(f"branch {number}", assumes="that it costs nothing")
        memory.drop(f"branch {number}")

    return act


def reading(memory: knowwhy.Memory, size: int, depth: int) -> dict[str, object]:
    """How long reading takes on the main line and on the topmost of so many branches."""
    found: dict[str, object] = {}
    bare = stacked(memory, "bare", depth, lambda _branch, _level: None)
    written = stacked(memory, "written", depth, said)
    # Something comes to the main line after the fork, which the branches must not see.
    memory.observe_many(
        knowwhy.Observation("later", claims=[(f"entity {number}", "field 9", "late")]) for number in range(50)
    )
    moved = memory.on(f"written {depth}")
    for name, ask in (("ask", asked), ("recall", recalled)):
        lines = {"main": memory, "depth_bare": bare, "depth_written": written, "depth_moved": moved}
        times = in_turn([ask(line, size) for line in lines.values()], _PAIRS, _ACTS)
        found[name] = told(times, list(lines))
    return found


def stacked(
    memory: knowwhy.Memory, name: str, depth: int, write: Callable[[knowwhy.Memory, int], None]
) -> knowwhy.Memory:
    """A branch over a branch, so many deep."""
    line = memory
    for level in range(1, depth + 1):
        line = line.fork(f"{name} {level}")
        write(line, level)
    return line


def said(branch: knowwhy.Memory, level: int) -> None:
    """Some statements on a branch."""
    branch.observe_many(
        knowwhy.Observation(f"analyst {level}", claims=[(f"entity {7 * number}", "field 1", f"if {level}")])
        for number in range(20)
    )


def asked(line: knowwhy.Memory, size: int) -> Operation:
    """Ask what is held of one subject after another."""
    subjects = size // 5

    def act(number: int) -> None:
        answer = line.ask(f"entity {number * 13 % subjects}", "field 1")
        assert answer.findings

    return act


def recalled(line: knowwhy.Memory, size: int) -> Operation:
    """Ask in plain words."""
    subjects = size // 5

    def act(number: int) -> None:
        found = line.recall(f"what is field 1 of entity {number * 13 % subjects}?")
        assert found.beliefs

    return act


def told(times: Sequence[Times], names: Sequence[object]) -> dict[str, object]:
    """The medians in ms by name, and the ratios of the later ones to the first."""
    medians = {str(name): round(one.computing, 4) for name, one in zip(names, times, strict=True)}
    first, *others = times
    ratios = {
        str(name): round(one.computing / first.computing, 3)
        for name, one in zip(names[1:], others, strict=True)
    }
    return {"computing_ms": medians, "ratio": ratios}


if __name__ == "__main__":
    main()
