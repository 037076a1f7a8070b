"""How fast a memory is, and how little that changes as it grows.

    python benchmarks/run.py [--sizes 10000 100000] [--json FILE] [--quick] [--postgres]

Builds a memory of each size through the public API, measures the smallest and largest in turn, and draws a
table with the targets beside the figures. With --postgres it measures instead the same memory, of the largest
size, in a file and on a server, in turn. Progress goes to standard error.
"""

from __future__ import annotations

import argparse
import gc
import json
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from beside import Comparison, OnServer, server
from figures import Figures
from rich.console import Console
from subject import Subject, Use, report
from timing import WARM_UP, Operation, in_turn, machine
from world import World

SIZES: Final = (10_000, 100_000)
QUICK_SIZES: Final = (1_000, 5_000)
# How wide a table is drawn that goes into a file.
WIDTH: Final = 120
PAIRS: Final = 40
QUICK_PAIRS: Final = 12

# Of each act: how many make a block, and where it is found.
BLOCKS: Final[dict[str, tuple[int, Callable[[Use], Operation]]]] = {
    "ask": (25, lambda use: use.ask),
    "recall": (8, lambda use: use.recall),
    "observe": (10, lambda use: use.observe),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", help="how many beliefs, smallest first")
    parser.add_argument("--json", type=Path, help="a file to write the figures to")
    parser.add_argument("--quick", action="store_true", help="small memories and few repetitions")
    parser.add_argument(
        "--postgres", action="store_true", help="a file and a PostgreSQL server, side by side"
    )
    parser.add_argument("--folder", type=Path, help="where to keep the memories while measuring")
    given = parser.parse_args()
    sizes = given.sizes or (QUICK_SIZES if given.quick else SIZES)
    if min(sizes) < 100 or sorted(set(sizes)) != list(sizes):
        parser.error("--sizes must grow from at least 100")
    pairs = QUICK_PAIRS if given.quick else PAIRS
    figures: Figures | Comparison
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        figures = (beside if given.postgres else measured)(sizes, pairs, Path(folder))
    console = Console()
    figures.show(console if console.is_terminal else Console(width=WIDTH))
    if given.json is not None:
        given.json.write_text(json.dumps(figures.as_dict(), ensure_ascii=False, indent=2) + "\n", "utf-8")


def measured(sizes: Sequence[int], pairs: int, folder: Path) -> Figures:
    """Everything measured on memories of these sizes."""
    facts = machine(folder)
    subjects = [Subject(World(size), folder / f"{size}.db") for size in sizes]
    unburden()
    for one in subjects:
        one.build()
        one.start_cold()
    with ExitStack() as stack:
        uses = [stack.enter_context(one.opened()) for one in subjects]
        compare(uses, pairs)
        for use in uses:
            use.rebuild()
    return Figures(facts, subjects)


def beside(sizes: Sequence[int], pairs: int, folder: Path) -> Comparison:
    """The largest memory in a file and on a server."""
    facts = machine(folder)
    with server() as address:
        subjects = [
            Subject(World(sizes[-1]), folder / "memory.db"),
            OnServer(World(sizes[-1]), folder, url=address),
        ]
        unburden()
        for one in subjects:
            one.build()
        with ExitStack() as stack:
            compare([stack.enter_context(one.opened()) for one in subjects], pairs)
        return Comparison(facts, *subjects)


def unburden() -> None:
    """Keep the made-up world out of garbage collection: searching it would count as the memory's own time."""
    gc.collect()
    gc.freeze()


def compare(uses: Sequence[Use], pairs: int) -> None:
    """Time every act on all memories in turn."""
    blocks = pairs + WARM_UP
    for use in uses:
        use.prepare(BLOCKS["observe"][0] * blocks, max(count for count, _ in BLOCKS.values()) * blocks)
    unburden()
    for act, (count, found) in BLOCKS.items():
        report(f"measuring {act}")
        times = in_turn([found(use) for use in uses], pairs, count)
        for use, taken in zip(uses, times, strict=True):
            use.subject.times[act] = taken


if __name__ == "__main__":
    main()
