"""How much many writing processes get done on one PostgreSQL server, and how often they collide.

    python benchmarks/writers.py [--store postgres|sqlite] [--writers 16] [--seconds 10] [--json FILE]

Three times: each writer in a space of its own; all in one space on slots of their own; all in one space and
on one slot. A conflict is a commit that was decided on something that moved meanwhile, and was decided again.
With `--store sqlite` they write to one file instead.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # a script that is run by its path sees no tests

import knowwhy
from knowwhy.store.postgres import PostgresStore
from knowwhy.store.protocol import Batch, StaleRead
from knowwhy.store.sqlite import SqliteStore
from tests import servers

CASES: Final = {
    "spaces of their own": ("own", "own"),
    "one space, slots of their own": ("main", "own"),
    "one space, one slot": ("main", "same"),
}


def write(address: str, number: int, space: str, slot: str, seconds: float) -> dict[str, Any]:
    """What one writer gets done, from when it is told to go."""
    conflicts = 0
    store = PostgresStore if address.startswith("postgresql:") else SqliteStore
    commit = store.commit

    def counted(self: Any, name: str, batch: Batch) -> Any:  # noqa: ANN401
        nonlocal conflicts
        try:
            return commit(self, name, batch)
        except StaleRead:
            conflicts += 1
            raise

    store.commit = counted  # type: ignore[method-assign,assignment]
    with knowwhy.open(address, space=f"writer {number}" if space == "own" else space) as memory:
        memory.ask("thing")
        print("ready", flush=True)
        sys.stdin.readline()
        done, failed = 0, 0
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            subject = "thing" if slot == "same" else f"thing {number} {done % 50}"
            try:
                memory.observe(source=f"writer {number}", claims=[(subject, "size", done % 7)])
                done += 1
            except knowwhy.Unavailable:
                failed += 1
    return {"done": done, "conflicts": conflicts, "given_up": failed}


def measured(address: str, writers: int, case: tuple[str, str], seconds: float) -> dict[str, Any]:
    """What all writers get done in one case."""
    command = [sys.executable, __file__, "--write", address, *case, str(seconds)]
    started = [
        subprocess.Popen([*command, str(number)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for number in range(writers)
    ]
    for one in started:
        assert one.stdout is not None
        one.stdout.readline()
    for one in started:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    told = [json.loads(one.communicate()[0]) for one in started]
    done = sum(one["done"] for one in told)
    conflicts = sum(one["conflicts"] for one in told)
    return {
        "operations_per_s": round(done / seconds, 1),
        "conflicts_per_operation": round(conflicts / max(done, 1), 3),
        "given_up": sum(one["given_up"] for one in told),
        "least_and_most_of_a_writer": [min(one["done"] for one in told), max(one["done"] for one in told)],
    }


@contextmanager
def places(store: str) -> Iterator[Callable[[], str]]:
    """What gives the address of a new memory."""
    if store == "sqlite":
        with tempfile.TemporaryDirectory(prefix="writers-") as folder:
            numbers = count()
            yield lambda: str(Path(folder) / f"{next(numbers)}.db")
        return
    with servers.started() as server:
        yield server.fresh


def main() -> None:
    if sys.argv[1:2] == ["--write"]:
        address, space, slot, seconds, number = sys.argv[2:]
        print(json.dumps(write(address, int(number), space, slot, float(seconds))))
        return
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--store", choices=("postgres", "sqlite"), default="postgres", help="where they write (postgres)"
    )
    parser.add_argument("--writers", type=int, default=16, help="processes at once (16)")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long each case lasts (10)")
    parser.add_argument("--json", type=Path, help="a file to write the figures to")
    given = parser.parse_args()
    report: dict[str, Any] = {"store": given.store, "writers": given.writers, "seconds": given.seconds}
    with places(given.store) as fresh:
        for name, case in CASES.items():
            for writers in (1, given.writers):
                # New for each: the more was said of a slot, the longer it takes to decide what is held there.
                address = fresh()
                knowwhy.open(address).close()
                report.setdefault(name, {})[f"{writers} writing"] = measured(
                    address, writers, case, given.seconds
                )
            print(json.dumps({name: report[name]}), file=sys.stderr, flush=True)
    print(json.dumps(report, indent=2))
    if given.json is not None:
        given.json.write_text(json.dumps(report, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
