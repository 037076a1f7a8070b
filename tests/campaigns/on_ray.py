"""Whether offline work is done on a Ray cluster: a real one, of this machine alone, gone with the program.

    python tests/campaigns/on_ray.py [--spaces 8] [--workers 3]

The first of its workers to begin a job dies by kill -9 in the midst of it; others must take that job up, and
each space be worked on once and by none but workers of the cluster. Needs the extra `ray`. Exits with 1 if
anything is amiss.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run by its path, it finds its neighbours too

import knowwhy
from tests import servers


def noting(marker: Path) -> Any:  # noqa: ANN401 - work, as the queue takes it
    """Work that says in a memory who did it; whoever begins first dies."""

    def note(memory: knowwhy.Memory) -> str:
        try:
            marker.touch(exist_ok=False)
        except FileExistsError:
            memory.observe(source="ray", claims=[("job", "done by", str(os.getpid()))])
            return "noted"
        os.kill(os.getpid(), signal.SIGKILL)
        return "never said"

    return note


def done_on_ray(home: Path, url: str, spaces: list[str], workers: int) -> list[str]:
    """What is amiss after so many workers did a job in each space."""
    ray = import_module("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, _temp_dir=str(home))
    try:
        jobs = knowwhy.Jobs(url, kinds={"note": noting(home / "died")}, lease=0.6)
        jobs.submit("note", spaces)
        worked, status = jobs.work_on_ray(workers), jobs.status()
    finally:
        ray.shutdown()
    amiss = []
    if (worked.done, worked.failed, status) != (len(spaces), 0, {"note": {"done": len(spaces)}}):
        amiss.append(f"{worked}, of {len(spaces)}; the queue says {status}")
    if not (home / "died").exists():
        amiss.append("no worker died")
    for space in spaces:
        with knowwhy.open(url, space=space) as memory:
            by = memory.ask("job", "done by").value
            if len(memory.log()) != 1 or by in (None, str(os.getpid())):
                amiss.append(f"{space} was worked on {len(memory.log())} times, by {by}")
    return amiss


def main() -> int:
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("--spaces", type=int, default=8, help="in how many memories there is a job (8)")
    reader.add_argument("--workers", type=int, default=3, help="how many workers the cluster is given (3)")
    asked = reader.parse_args()
    begun = time.monotonic()
    # Its sockets need a short path. What Ray keeps of its own it keeps there too, and tells nobody of it.
    with tempfile.TemporaryDirectory(prefix="ray-") as home, servers.started(is_durable=False) as server:
        os.environ |= {"HOME": home, "RAY_USAGE_STATS_ENABLED": "0"}
        spaces = [f"tenant {number}" for number in range(asked.spaces)]
        amiss = done_on_ray(Path(home), server.fresh(), spaces, asked.workers)
    for one in amiss:
        print(f"FAIL {one}")
    took = f"{time.monotonic() - begun:.0f} s"
    print(f"{asked.spaces} jobs by {asked.workers} workers, one of them killed: {len(amiss)} amiss, {took}")
    return 1 if amiss else 0


if __name__ == "__main__":
    sys.exit(main())
