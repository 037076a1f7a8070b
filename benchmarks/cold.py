"""The first minute of a process that opens a memory: prints how long each step took, as one JSON object.

python benchmarks/cold.py FILE SUBJECT ATTRIBUTE QUESTION
"""

from __future__ import annotations

import json
import sys
import time
from itertools import pairwise


def main() -> None:
    path, subject, attribute, question = sys.argv[1:]
    steps = {"start": time.perf_counter_ns()}
    import knowwhy  # noqa: PLC0415 - what an import costs is part of what is measured

    steps["import_ms"] = time.perf_counter_ns()
    memory = knowwhy.open(path)
    steps["open_ms"] = time.perf_counter_ns()
    memory.ask(subject, attribute)
    steps["first_ask_ms"] = time.perf_counter_ns()
    memory.recall(question)
    steps["first_recall_ms"] = time.perf_counter_ns()
    instants = list(steps.values())
    taken = (round((after - before) / 1e6, 2) for before, after in pairwise(instants))
    print(json.dumps(dict(zip(list(steps)[1:], taken, strict=True))))


if __name__ == "__main__":
    main()
