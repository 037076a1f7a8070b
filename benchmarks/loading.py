"""How fast many claims come in from a file of lines, and how much memory that takes on the way.

    python benchmarks/loading.py [--claims 100000] [--db PATH] [--json FILE]

What `knowwhy observe --jsonl` does, in one process: a thousand lines are one operation. Memory is taken after
each tenth: what the process has of its own, which is flat when the last tenths add little, and beside it what
is mapped of the file, which grows with the file, and which the system takes back when in need. It does not
measure reading claims out of words, several writers, or a server unless `--db` names one.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import knowwhy
from knowwhy.surfaces.cli.loading import Load
from knowwhy.surfaces.cli.options import Signed

_SUBJECT_SIZE = 5


def lines(count: int) -> Iterator[bytes]:
    """Lines as `observe --jsonl` takes them: five attributes of each thing, said by fifty sources."""
    for number in range(count):
        subject, attribute = divmod(number, _SUBJECT_SIZE)
        said = {
            "source": f"source {number % 50}",
            "source_type": "import",
            "text": f"Entry {number}: the value is {number % 97}.",
            "observed_at": "2025-01-01",
            "claims": [
                {"subject": f"thing {subject}", "attribute": f"field {attribute}", "value": number % 97}
            ],
        }
        yield json.dumps(said).encode() + b"\n"


def resident(what: str) -> int:
    """Memory of this process in MiB, as the system counts it: its own (Anon), or mapped from files (File)."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    (line,) = (each for each in status.splitlines() if each.startswith(f"Rss{what}:"))
    return int(line.split()[1]) // 1024


def main() -> None:
    """Load, and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--claims", type=int, default=100_000)
    parser.add_argument("--db", help="where to, a new path or the address of an empty memory")
    parser.add_argument("--json", type=Path, help="write the object to a file too")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        memory = knowwhy.open(given.db or Path(folder) / "loading.db")
        tenth, began = max(1, given.claims // 10), time.perf_counter()
        found: list[dict[str, float]] = []

        def told(_bytes: int) -> None:
            if load.lines // tenth > len(found):
                seconds = time.perf_counter() - began
                found.append(
                    {
                        "claims": load.lines,
                        "seconds": round(seconds, 1),
                        "own_mib": resident("Anon"),
                        "mapped_mib": resident("File"),
                    }
                )
                print(json.dumps(found[-1]), file=sys.stderr)

        load = Load(memory, "loading", Signed(), {}, told=told)
        load.run(lines(given.claims))
        seconds = time.perf_counter() - began
        report = {
            "claims": load.lines,
            "operations": len(load.operations),
            "claims_a_second": round(load.lines / seconds),
            "tenths": found,
            "does_not_measure": "reading claims out of words, several writers at once, a network",
        }
        memory.close()
    written = json.dumps(report, indent=1)
    print(written)
    if given.json:
        given.json.write_text(written + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
