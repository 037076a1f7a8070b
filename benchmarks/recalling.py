"""How fast recall is, by channel and whole, and how little that changes as a memory grows.

    python benchmarks/recalling.py [--sizes 10000 100000] [--questions 200] [--kept FOLDER] [--json FILE]

Builds a memory of each size in a file, as benchmarks/run.py does, with a made-up vector of 384 numbers for
every belief; a third of the subjects are related to another. Questions are asked of all memories in turn.
What it takes to embed a question is not in the times: vectors are made up. Prints a table; progress goes to
standard error. In a folder that is kept, memories built before are used again.
"""

from __future__ import annotations

import argparse
import gc
import json
import resource
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
from timing import Times, in_turn, machine
from world import World, declare_all

import knowwhy
from knowwhy import Observation

SIZES: Final = (10_000, 100_000)
BATCH: Final = 2_000
DIMENSION: Final = 384
# Above so many beliefs, evidence is told subject by subject, and not in the order in which it was said.
IN_ORDER: Final = 100_000
BLOCK: Final = 8
CHANNELS: Final = ("names", "slots", "graph", "text", "vectors")


class MadeUp:
    """An embedder whose vectors follow from the words by chance; to compare them costs what real ones do."""

    name = "made up"
    dimension = DIMENSION
    unrelated = 0.0

    def embed(self, texts: Sequence[str], *, is_question: bool = False) -> list[bytes]:
        """A vector for each text."""
        del is_question
        found = np.stack(
            [
                np.random.default_rng(zlib.crc32(one.encode())).standard_normal(DIMENSION, np.float32)
                for one in texts
            ]
        )
        found /= np.linalg.norm(found, axis=1, keepdims=True)
        return [row.astype("<f4").tobytes() for row in found]


@dataclass(slots=True)
class Asked:
    """A memory, the questions put to it, and how long the answers took."""

    size: int
    memory: knowwhy.Memory
    questions: list[str]
    related: list[str]
    times: dict[str, Times] = field(default_factory=dict)

    def asking(self, channels: tuple[str, ...] | None) -> Callable[[int], object]:
        """The act of asking by some channels."""
        return lambda number: self.memory.recall(
            self.questions[number % len(self.questions)], channels=channels
        )

    def walking(self, number: int) -> object:
        """The act of asking for what is two steps away."""
        return self.memory.recall(self.related[number % len(self.related)], channels=("graph",))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES), help="how many beliefs")
    parser.add_argument("--questions", type=int, default=200, help="how many questions of each kind")
    parser.add_argument("--kept", type=Path, help="a folder for the memories, kept for the next time")
    parser.add_argument("--json", type=Path, help="a file to write the figures to")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary, ExitStack() as stack:
        folder = given.kept or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        facts = machine(folder)
        asked = [stack.enter_context(_built(size, folder, given.questions)) for size in given.sizes]
        gc.collect()
        gc.freeze()
        acts: dict[str, list[Callable[[int], object]]] = {
            "whole": [one.asking(None) for one in asked],
            "two steps": [one.walking for one in asked],
        }
        acts |= {channel: [one.asking((channel,)) for one in asked] for channel in CHANNELS}
        for act, operations in acts.items():
            report(f"measuring {act}")
            pairs = max(1, given.questions // BLOCK)
            for one, taken in zip(asked, in_turn(operations, pairs, BLOCK), strict=True):
                one.times[act] = taken
        figures = _figures(asked)
    print(f"{'ms, p50 / p99':<12}" + "".join(f"{one.size:>22,}" for one in asked))
    for act in acts:
        cells = (f"{one.times[act].p50:.2f} / {one.times[act].p99:.2f}" for one in asked)
        print(f"{act:<12}" + "".join(f"{cell:>22}" for cell in cells))
    print(f"memory of this process, all sizes together: {figures['rss_mb']} MB")
    if given.json is not None:
        written = json.dumps({**figures, "machine": facts}, ensure_ascii=False, indent=2, default=str)
        given.json.write_text(f"{written}\n", "utf-8")


def _figures(asked: Sequence[Asked]) -> dict[str, Any]:
    rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1_024
    times = {str(one.size): {act: taken.as_dict() for act, taken in one.times.items()} for one in asked}
    return {"rss_mb": rss, "times": times}


def _built(size: int, folder: Path, questions: int) -> _Opened:
    world = World(size)
    subjects = list(dict.fromkeys(one.subject for one in world.facts))
    pairs = list(pairwise(subjects))[::3]
    done = folder / f"{size}.done"
    memory = knowwhy.open(folder / f"{size}.db", embedder=MadeUp())
    if not done.exists():
        report(f"building {size} beliefs")
        begun = time.perf_counter()
        fill(memory, world, pairs)
        done.write_text(f"{time.perf_counter() - begun:.0f} s")
    words = [world.question(number).words for number in range(questions)]
    walks = [f"What is the status and the owner of what stands beside {one}?" for one, _ in pairs[:questions]]
    return _Opened(Asked(size, memory, words, walks))


def fill(memory: knowwhy.Memory, world: World, pairs: Sequence[tuple[str, str]]) -> None:
    """Tell a memory all evidence of a world, and which of its subjects stand beside which."""
    declare_all(memory)
    memory.declare("stands beside", value_type="entity")
    observations = world.observations(by_subject=world.size > IN_ORDER)
    while batch := list(islice(observations, BATCH)):
        memory.observe_many(batch)
    for start in range(0, len(pairs), BATCH):
        memory.observe_many(
            Observation("survey", claims=[(one, "stands beside", other)])
            for one, other in pairs[start : start + BATCH]
        )


@dataclass(slots=True)
class _Opened:
    asked: Asked

    def __enter__(self) -> Asked:
        return self.asked

    def __exit__(self, *_: object) -> None:
        self.asked.memory.close()


def report(progress: str) -> None:
    """Tell a waiting person how far it has come."""
    print(progress, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
