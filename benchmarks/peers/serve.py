"""One peer's side of `run.py`: a process that does what it is told, line by line. Needs Python alone.

An adapter has a method for each act it can do, and `CANNOT` says of the others why not.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def serve(make: Callable[[Path], Any]) -> None:
    """Answer each line {"act", "items"} with the answers and the milliseconds of each item."""
    adapter = make(Path(sys.argv[1]))
    _say({"ready": adapter.VERSION})
    for line in sys.stdin:
        asked = json.loads(line)
        act = asked["act"].replace(" ", "_")
        if not hasattr(adapter, act):
            _say({"cannot": adapter.CANNOT.get(asked["act"], "it has nothing for that")})
            continue
        answers: list[Any] = []
        taken: list[float] = []
        failed: str | None = None
        # A load is one item, so that a peer may use its own way to load much at once.
        for item in [asked["items"]] if act == "load" else asked["items"]:
            begun = time.perf_counter_ns()
            try:
                answers.append(getattr(adapter, act)(item))
            except Exception as failure:  # noqa: BLE001 - of any peer; told, and counted as wrong
                failed = f"{type(failure).__name__}: {failure}"[:200]
                answers.append(failed)
            taken.append((time.perf_counter_ns() - begun) / 1e6)
        _say({"answers": answers, "ms": taken, "failed": failed, "rss_mb": _rss()})
    adapter.close()


def _rss() -> float:
    """The most memory that this process had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024


def _say(said: dict[str, Any]) -> None:
    print(json.dumps(said, ensure_ascii=False), flush=True)
