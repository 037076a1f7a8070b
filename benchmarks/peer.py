"""The same world in knowwhy and in a published embedded peer, anatid on DuckDB, measured in turn.

    python benchmarks/peer.py [--size 100000] [--blocks 12] [--kept FOLDER] [--json FILE]

Makes an environment of its own for the peer (anatid, DuckDB and its text index, from the package
registry), and asks both, block by block in turn, to write one fact, to tell what is held of a subject, to
walk two steps, and to answer a question by words, names and meaning. The peer holds each fact that stands as
one memory, with a vector and its entity; knowwhy holds the evidence behind it too, and the values that
changed. Vectors are made up. Prints a table; progress goes to standard error.
"""

from __future__ import annotations

import argparse
import gc
import json
import subprocess
import tempfile
import venv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from recalling import DIMENSION, MadeUp, fill, report
from timing import Times, block, machine
from world import World

import knowwhy

PACKAGES: Final = (
    "anatid==0.4.1",
    "duckdb==1.5.5",
    "duckdb-extensions",
    "duckdb-extension-fts==1.5.5",
    "numpy",
    "pyarrow",
)
WORKER: Final = Path(__file__).with_name("peer_anatid.py")
BLOCK: Final = 8
WARM_UP: Final = 2
ACTS: Final = ("write", "ask", "two steps", "recall")


@dataclass(slots=True)
class Peer:
    """The peer, in a process of its own."""

    process: subprocess.Popen[str]

    @classmethod
    def started(cls, python: Path, folder: Path) -> Peer:
        """The peer once it has loaded the facts of a folder."""
        process = subprocess.Popen(
            [str(python), str(WORKER), str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        peer = cls(process)
        report(f"peer: {peer.line()}")
        return peer

    def times(self, act: str, items: Sequence[dict[str, str]]) -> list[float]:
        """How many milliseconds an act took for each item."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"act": act, "items": list(items)}) + "\n")
        self.process.stdin.flush()
        return [float(one) for one in json.loads(self.line())]

    def line(self) -> str:
        """What it says next.

        Raises:
            RuntimeError: it has ended.
        """
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        if not said:
            raise RuntimeError("the peer ended; what it said is above")
        return said.strip()

    def end(self) -> None:
        """Let it end."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(60)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--size", type=int, default=100_000, help="how many beliefs")
    parser.add_argument("--blocks", type=int, default=12, help="how many blocks of eight acts each")
    parser.add_argument("--kept", type=Path, help="a folder for all that is made, kept for the next time")
    parser.add_argument("--json", type=Path, help="a file to write the figures to")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.kept or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        figures = compared(given.size, given.blocks, folder)
    print(f"{'ms, p50 / p99':<12}{'knowwhy':>22}{'anatid':>22}")
    for act, sides in figures["acts"].items():
        cells = (f"{sides[side]['p50']:.2f} / {sides[side]['p99']:.2f}" for side in ("knowwhy", "anatid"))
        print(f"{act:<12}" + "".join(f"{cell:>22}" for cell in cells))
    if given.json is not None:
        given.json.write_text(f"{json.dumps(figures, ensure_ascii=False, indent=2)}\n", "utf-8")


def compared(size: int, blocks: int, folder: Path) -> dict[str, Any]:
    """Both, act by act, a block each in turn."""
    world = World(size)
    pairs = list(pairwise(dict.fromkeys(one.subject for one in world.facts)))[::3]
    now = {(one.subject, one.attribute): one.value for one in world.facts}
    facts = [{"subject": who, "attribute": what, "value": value} for (who, what), value in now.items()]
    written(folder, facts, pairs)
    memory = knowwhy.open(folder / f"{size}.db", embedder=MadeUp())
    done = folder / f"{size}.done"
    if not done.exists():
        report(f"building {size} beliefs")
        fill(memory, world, pairs)
        done.write_text("done", "utf-8")
    peer = Peer.started(environment(folder), folder)
    acts = {act: ({"knowwhy": Times(), "anatid": Times()}) for act in ACTS}
    gc.collect()
    gc.freeze()
    try:
        for act in ACTS:
            report(f"measuring {act}")
            for number in range(blocks + WARM_UP):
                items = asked(act, world, facts, pairs, number)
                own = block(acting(memory, act, items), 0, len(items))
                theirs = Times(peer.times(act, items))
                if number >= WARM_UP:
                    acts[act]["knowwhy"].add(own)
                    acts[act]["anatid"].taken.extend(theirs.taken)
    finally:
        peer.end()
        memory.close()
    shown = {
        act: {side: {"p50": round(one.p50, 3), "p99": round(one.p99, 3)} for side, one in sides.items()}
        for act, sides in acts.items()
    }
    return {"size": size, "peer_holds": len(facts), "dimension": DIMENSION, "acts": shown} | {
        "machine": machine(folder)
    }


def asked(
    act: str, world: World, facts: Sequence[dict[str, str]], pairs: Sequence[tuple[str, str]], number: int
) -> list[dict[str, str]]:
    """The items of a block of acts."""
    found = []
    for one in range(number * BLOCK, (number + 1) * BLOCK):
        fact = facts[(one * 7_919) % len(facts)]
        if act == "write":
            fact = {"subject": f"{fact['subject']} B", "attribute": "status", "value": f"checked {one}"}
        if act == "two steps":
            fact = {"subject": pairs[(one * 7_919) % len(pairs)][0]}
        words = world.question(one).words if act == "recall" else words_of(fact)
        found.append({**fact, "words": words})
    return found


def acting(memory: knowwhy.Memory, act: str, items: Sequence[dict[str, str]]) -> Callable[[int], object]:
    """What knowwhy does for an item."""

    def one(number: int) -> object:
        item = items[number]
        if act == "write":
            claim = (item["subject"], item["attribute"], item["value"])
            return memory.observe(item["words"], source="clerk", claims=[claim])
        if act == "ask":
            return memory.ask(item["subject"])
        if act == "two steps":
            words = f"What is the status and the owner of what stands beside {item['subject']}?"
            return memory.recall(words, channels=("graph",))
        return memory.recall(item["words"])

    return one


def words_of(fact: dict[str, str]) -> str:
    """A fact in a sentence."""
    return f"The {fact.get('attribute')} of {fact['subject']} is {fact.get('value')}."


def written(folder: Path, facts: Sequence[dict[str, str]], pairs: Sequence[tuple[str, str]]) -> None:
    """The facts and the pairs as the peer reads them."""
    with (folder / "facts.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(
            json.dumps({"subject": one["subject"], "words": words_of(one)}, ensure_ascii=False) + "\n"
            for one in facts
        )
    with (folder / "pairs.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(pair, ensure_ascii=False) + "\n" for pair in pairs)


def environment(folder: Path) -> Path:
    """The interpreter of an environment that has the peer."""
    place = folder / "peer"
    python = place / "bin" / "python"
    if not python.exists():
        report("making an environment for the peer")
        venv.create(place, with_pip=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    return python


if __name__ == "__main__":
    main()
