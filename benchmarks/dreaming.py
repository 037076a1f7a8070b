"""What dreaming costs: it grows with what is new since the last time, not with what there is.

    python benchmarks/dreaming.py [--sizes 1000 100000] [--new 30] [--json FILE]

Memories of these many beliefs, all read already, are told of some lessons, and dream with all steps, in turn.
Figures are those of the processor time of this process; without `measure`, which takes a look at everything.
The first runs, which read all there is, are told beside.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from pathlib import Path
from typing import Final

from branches import told
from timing import Operation, in_turn, machine

import knowwhy

_PAIRS: Final = 9
_ACTS: Final = 2
_LESSONS: Final = 3
_BATCH: Final = 2_000


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 100_000], help="old beliefs")
    parser.add_argument("--new", type=int, default=30, help="how many things are new to each dream")
    parser.add_argument("--json", type=Path, help="a file to write the figures to")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        memories, first = [], []
        for size in given.sizes:
            begun = time.process_time()
            memories.append(read_already(Path(folder) / f"{size}.db", size))
            first.append(round(time.process_time() - begun, 1))
        dreams = [dreaming(one, given.new) for one in memories]
        figures = {
            "machine": machine(Path(folder)),
            "old": given.sizes,
            "new": given.new,
            "loading_and_first_runs_s": first,
            "dream": told(in_turn(dreams, _PAIRS, _ACTS), given.sizes),
        }
    text = json.dumps(figures, indent=2)
    print(text)
    if given.json is not None:
        given.json.write_text(text + "\n", "utf-8")


def read_already(path: Path, size: int) -> knowwhy.Memory:
    """A memory of so many beliefs of which nothing is new."""
    memory = knowwhy.open(path)
    for start in range(0, size, _BATCH):
        memory.observe_many(
            knowwhy.Observation(
                f"file {number % 100}",
                claims=[(f"entity {number // 5}", f"field {number % 5}", f"note {number}")],
                source_type="import",
            )
            for number in range(start, min(start + _BATCH, size))
        )
    while not memory.dream().is_complete:
        pass
    return memory


def dreaming(memory: knowwhy.Memory, new: int) -> Operation:
    """Be told of pupils who were seen in three lessons each, and dream of it."""

    def act(number: int) -> None:
        pupils = new // _LESSONS
        memory.observe_many(
            knowwhy.Observation(
                "tutor",
                f"Pupil {number}-{pupil} liked drawings in lesson {lesson}.",
                [
                    {
                        "subject": f"pupil {number}-{pupil}",
                        "attribute": "liked",
                        "value": f"drawing {number}-{pupil}",
                        "conditions": {"lesson": str(lesson)},
                    }
                ],
                context=f"lesson {number}-{lesson}",
            )
            for pupil in range(pupils)
            for lesson in range(_LESSONS)
        )
        report = memory.dream()
        assert len(report.of("distil")) == pupils
        assert report.is_complete

    return act


if __name__ == "__main__":
    main()
