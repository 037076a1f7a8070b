"""The same work in knowwhy and beside it: what each gets right, in what time, and what it cannot do.

    python benchmarks/peers/run.py [--size 10000] [--only NAME ...] [--kept FOLDER] [--json FILE]

Each peer has an environment of its own, made here from the package index and kept in FOLDER, and a process
of its own. All get the same claims and questions (see `work.py`); no model is asked anywhere. Two writers
count one number up at once; after a person is erased, all files are searched for the name. Times are medians.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import venv
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # run by its path, it finds its neighbours too

from timing import machine

from peers.work import PERSON, Item, made

SIDES: Final = Path(__file__).with_name("sides")
# What is installed for each; None where it runs in this environment.
PEERS: Final[dict[str, tuple[str, ...] | None]] = {
    "knowwhy": None,
    "newest": None,
    "bm25": None,
    "langgraph": ("langgraph-checkpoint==4.3.2", "langgraph-checkpoint-sqlite==3.1.2"),
    "veritas": ("veritas-epistemic==0.2.0",),
}
COUNTS: Final = 25


@dataclass(slots=True)
class Side:
    """One peer, in a process of its own."""

    process: subprocess.Popen[str]
    version: str = ""

    @classmethod
    def started(cls, name: str, python: Path, folder: Path) -> Side:
        """The peer, ready to work in a folder."""
        command = [str(python), str(SIDES / f"{name}_side.py"), str(folder)]
        side = cls(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
        side.version = side.read()["ready"]
        return side

    def tell(self, act: str, items: list[Item]) -> None:
        """Give it an act to do for some items."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"act": act, "items": items}) + "\n")
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        """What it says next.

        Raises:
            RuntimeError: it has ended.
        """
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        if not said:
            raise RuntimeError("a peer ended; what it said is above")
        found: dict[str, Any] = json.loads(said)
        return found

    def end(self) -> None:
        """Let it end."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(60)


def environment(name: str, folder: Path) -> Path:
    """The interpreter of an environment that has a peer."""
    packages = PEERS[name]
    if packages is None:
        return Path(sys.executable)
    place = folder / f"environment of {name}"
    python = place / "bin" / "python"
    if not (place / "made").exists():
        report(f"making an environment for {name}")
        venv.create(place, with_pip=True, clear=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *packages], check=True)
        (place / "made").touch()
    return python


def measured(name: str, python: Path, work: dict[str, list[Item]], folder: Path) -> dict[str, Any]:
    """What one peer did: for each act how many were right, in what time, or why it cannot."""
    side = Side.started(name, python, folder)
    acts: dict[str, Any] = {}
    memory = 0.0
    for act, items in work.items():
        report(f"{name}: {act}")
        side.tell(act, items)
        said = side.read()
        if "answers" in said:
            memory = max(memory, said["rss_mb"])
            right = sum(
                got == item.get("right") for got, item in zip(said["answers"], items, strict=act != "load")
            )
            is_asked = "right" in items[0]
            acts[act] = {"ms": round(statistics.median(said["ms"]), 3)} | (
                {"right": right, "of": len(items)} if is_asked else {}
            )
            acts[act] |= {"failed": said["failed"]} if said["failed"] else {}
        else:
            acts[act] = said
    acts["two writers"] = counted(name, python, folder, side)
    side.end()
    if "right" in acts["erase"]:
        acts["erase"]["bytes_left"] = any(
            PERSON.lower().encode() in one.read_bytes().lower() for one in folder.rglob("*") if one.is_file()
        )
    return {"version": side.version, "acts": acts, "memory_mb": round(memory, 1)}


def counted(name: str, python: Path, folder: Path, first: Side) -> dict[str, Any]:
    """How far two processes come that count one number up, each as often; no count may be lost."""
    first.tell("count", [{}])
    if "cannot" in (said := first.read()):
        return said
    second = Side.started(name, python, folder)
    for side in (first, second):
        side.tell("count", [{} for _ in range(COUNTS)])
    both = [side.read() for side in (first, second)]
    second.end()
    last = max(int(one["answers"][-1]) for one in both)
    taken = statistics.median(both[0]["ms"] + both[1]["ms"])
    return {"ms": round(taken, 3), "right": last - 1, "of": 2 * COUNTS}


def cell(act: dict[str, Any], own: dict[str, Any]) -> str:
    """One field of the table: how many were right, and the time beside knowwhy's."""
    if "cannot" in act:
        return "cannot"
    if act.get("failed") and "right" not in act:
        return "failed"
    share = f"{act['right']}/{act['of']}, " if "right" in act else ""
    ratio = f" ({act['ms'] / own['ms']:.2g}×)" if own is not act and own.get("ms") else ""
    left = ", bytes left" if act.get("bytes_left") else ""
    return f"{share}{act['ms']:.3g} ms{ratio}{left}"


def table(found: dict[str, Any]) -> str:
    """The figures as a table in Markdown, and below it what each cannot do and why."""
    peers = found["peers"]
    own = peers.get("knowwhy", next(iter(peers.values())))["acts"]
    lines = ["| | " + " | ".join(peers) + " |", "|---" * (len(peers) + 1) + "|"]
    lines += [
        f"| {act} | " + " | ".join(cell(one["acts"][act], own[act]) for one in peers.values()) + " |"
        for act in own
    ]
    lines.append("| memory | " + " | ".join(f"{one['memory_mb']:.0f} MB" for one in peers.values()) + " |")
    lines += ["", *(f"- **{name}**: {one['version']}" for name, one in peers.items()), ""]
    lines += [
        f"- {name} cannot do “{act}”: {one['cannot']}"
        for name, peer in peers.items()
        for act, one in peer["acts"].items()
        if "cannot" in one
    ]
    lines += [
        f"- {name} failed at “{act}”: {one['failed']}"
        for name, peer in peers.items()
        for act, one in peer["acts"].items()
        if "failed" in one
    ]
    return "\n".join(lines)


def report(progress: str) -> None:
    """Tell a waiting person how far it has come."""
    print(progress, file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--size", type=int, default=10_000, help="how many claims (10000)")
    parser.add_argument("--only", nargs="+", choices=PEERS, default=list(PEERS), help="whom to measure")
    parser.add_argument("--kept", type=Path, help="a folder for the environments, kept for the next time")
    parser.add_argument("--json", type=Path, help="a file to write the figures to")
    given = parser.parse_args()
    if given.size < 1_000:
        parser.error("--size must be 1000 at least")
    work = made(given.size)
    with tempfile.TemporaryDirectory() as temporary:
        kept = given.kept or Path(temporary)
        found: dict[str, Any] = {"size": len(work["load"]), "machine": machine(Path(temporary)), "peers": {}}
        for name in given.only:
            python = environment(name, kept)
            folder = Path(temporary) / name
            folder.mkdir()
            found["peers"][name] = measured(name, python, work, folder)
    print(table(found))
    if given.json is not None:
        given.json.write_text(f"{json.dumps(found, ensure_ascii=False, indent=2)}\n", "utf-8")


if __name__ == "__main__":
    main()
