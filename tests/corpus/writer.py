"""One writer of a crowd: opens the memory, waits for the word, writes its branch, tells what was refused."""

from __future__ import annotations

import json
import sys

import knowwhy
from knowwhy import Instant
from knowwhy.evaluation.stage import Home
from tests.corpus.adapter import performed, staged


def main() -> None:
    """Write what the command line says."""
    address, now, branch = sys.argv[1:]
    home = Home("shared", lambda clock: knowwhy.open(address, clock=clock), address)
    stage = staged(home)
    stage.clock.now = Instant(int(now))
    print("ready", flush=True)
    sys.stdin.readline()
    reports = performed(stage, json.loads(branch))
    stage.memory.close()
    print(json.dumps(reports), flush=True)


if __name__ == "__main__":
    main()
