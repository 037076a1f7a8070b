"""A process that follows a memory, is killed, and goes on where it was: it must see each operation once.

    python tests/campaigns/follower.py ADDRESS FILE

What it was told it writes to FILE, a line for each operation, and says so; when it begins it goes on after
the last whole line there. A line on standard input has it end, once nothing more comes.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import knowwhy

FOLLOWED: Final = "followed.jsonl"
KILLS: Final = "kills.txt"
_SELF: Final = Path(__file__)
_LONGEST_DELAY: Final = 0.03
_PATIENCE: Final = 120.0


# Who follows -------------------------------------------------------------------------------------


def main() -> None:
    address, path = sys.argv[1], Path(sys.argv[2])
    is_told_to_end = threading.Event()
    threading.Thread(target=listen, args=(is_told_to_end,), daemon=True).start()
    with path.open("ab+", buffering=0) as kept:
        since = resumed(kept.fileno())
        with insisted(address) as memory:
            while True:
                is_to_end = is_told_to_end.is_set()
                try:
                    found = memory.changes(since, wait=0.2, limit=20)
                except knowwhy.Unavailable:
                    time.sleep(0.05)
                    continue
                for entry in found:
                    since = entry.operation.sequence
                    told = {"operation": since, "evidence": list(entry.outcome.evidence)}
                    kept.write(json.dumps(told).encode() + b"\n")
                    print(since, flush=True)
                if is_to_end and not found:
                    return


def listen(is_told_to_end: threading.Event) -> None:
    """Wait for a line on standard input."""
    if sys.stdin.readline():
        is_told_to_end.set()


def resumed(descriptor: int) -> int:
    """The operation after which to go on; a line that was cut short is taken away."""
    told = os.pread(descriptor, os.fstat(descriptor).st_size, 0)
    whole = told[: told.rfind(b"\n") + 1]
    os.ftruncate(descriptor, len(whole))
    return int(json.loads(whole.splitlines()[-1])["operation"]) if whole else 0


def insisted(address: str) -> knowwhy.Memory:
    """The memory at an address, as soon as its server is there."""
    while True:
        try:
            return knowwhy.open(address)
        except knowwhy.Unavailable:
            time.sleep(0.05)


# Who has it follow, and kills it -----------------------------------------------------------------


class Following:
    """A follower that is killed again and again while others write, each time begun anew."""

    def __init__(
        self, folder: Path, address: str, chance: random.Random, kills: int, operations: int
    ) -> None:
        self._kills = folder / KILLS
        self._command = [sys.executable, str(_SELF), address, str(folder / FOLLOWED)]
        self._delays = [chance.uniform(0.0, _LONGEST_DELAY) for _ in range(kills)]
        # Of so many operations it is killed once in each of as many parts of the first two thirds.
        part = operations * 2 / 3 / max(1, kills)
        self._due = [max(1, round(chance.uniform(part * n, part * (n + 1)))) for n in range(kills)]
        self._is_over = threading.Event()
        self._process: subprocess.Popen[str] | None = None
        self._thread = threading.Thread(target=self._follow)
        self.kills = 0

    def start(self) -> None:
        """Let it follow."""
        self._thread.start()

    def finish(self) -> None:
        """Wait until it has come to the end of the log."""
        self._is_over.set()
        self._tell()
        self._thread.join(_PATIENCE)
        assert not self._thread.is_alive(), "the follower does not come to an end"
        self._kills.write_text(str(self.kills), "utf-8")

    def _tell(self) -> None:
        if self._process is not None and self._process.stdin is not None:
            try:
                self._process.stdin.write("end\n")
                self._process.stdin.flush()
            except (BrokenPipeError, ValueError):
                pass

    def _follow(self) -> None:
        seen = 0
        for due, delay in [*zip(self._due, self._delays, strict=True), (None, 0.0)]:
            with subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
            ) as process:
                self._process = process
                if self._is_over.is_set():
                    self._tell()
                assert process.stdout is not None
                for _ in process.stdout:
                    seen += 1
                    if due is not None and seen >= due:
                        time.sleep(delay)
                        process.kill()
                        self.kills += 1
                        break


# What came of it ---------------------------------------------------------------------------------


def problems(path: Path, acknowledged: dict[int, list[str]], last: int) -> Iterator[str]:
    """What is amiss in what a follower was told of a log up to operation `last`."""
    told: list[dict[str, Any]] = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    numbers = [one["operation"] for one in told]
    if numbers != list(range(1, last + 1)):
        wrong = next((n for n, one in enumerate(numbers, 1) if n != one), len(numbers) + 1)
        yield f"of {last} operations the follower was told {len(numbers)}, and of {wrong} not in its place"
    evidence = {one["operation"]: one["evidence"] for one in told}
    for operation, ids in acknowledged.items():
        if evidence.get(operation) != ids:
            yield f"operation {operation} was acknowledged with {ids}, not {evidence.get(operation)}"


if __name__ == "__main__":
    main()
