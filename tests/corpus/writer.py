"""One writer of a crowd: opens the file, waits for the word, writes its branch, tells what was refused."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import knowwhy
from knowwhy import Instant
from tests.corpus.adapter import performed, staged
from tests.corpus.stage import Home


def main() -> None:
    """Write what the command line says."""
    path, now, branch = sys.argv[1:]
    home = Home("sqlite", lambda clock: knowwhy.open(path, clock=clock), Path(path))
    stage = staged(home)
    stage.clock.now = Instant(int(now))
    print("ready", flush=True)
    sys.stdin.readline()
    reports = performed(stage, json.loads(branch))
    stage.memory.close()
    print(json.dumps(reports), flush=True)


if __name__ == "__main__":
    main()
