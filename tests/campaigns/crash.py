"""Whether what a memory has acknowledged outlives the processes that wrote it.

    python tests/campaigns/crash.py [--store sqlite|postgres] [--small] [--writers 8] [--observations 5000]
                                    [--rounds 1] [--seed N]

In each round, writer processes work at once on one new memory and on the same slots. Half of them are ended
by kill -9, each at a moment of its own drawn by chance. On PostgreSQL the server crashes too, while all of
them write, and comes back: those that live must not notice. One more process follows what they write, is
killed as often as there are victims, and goes on where it was. Then a fresh process opens the memory and
checks all that any of them was told (see `checking.py`). Exits with 1 if anything is amiss.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run by its path, it finds its neighbours too

from tests import servers
from tests.campaigns.follower import Following

WRITING: Final = Path(__file__).with_name("writing.py")
CHECKING: Final = Path(__file__).with_name("checking.py")
JOURNAL: Final = "journal.json"
MEMORY: Final = "memory.db"

# A victim is killed up to so long after the acknowledgement drawn for it: some operations, or part of one.
_LONGEST_DELAY: Final = 0.03
_PATIENCE: Final = 60.0


@dataclass(slots=True)
class Process:
    """A writing process, as seen from outside: what it said, and when it is to be killed, if at all."""

    number: int
    handle: subprocess.Popen[str]
    killed_after: int | None = None
    delay: float = 0.0
    lines: list[dict[str, Any]] = field(default_factory=list)

    def started(self) -> None:
        """Wait until it is ready to write."""
        assert self.read() == {"ready": True}

    def say(self, words: str) -> None:
        """Give it a line to read."""
        assert self.handle.stdin is not None
        self.handle.stdin.write(f"{words}\n")
        self.handle.stdin.flush()

    def read(self) -> dict[str, Any] | None:
        """The next line it says, None when it has come to its end."""
        assert self.handle.stdout is not None
        line = self.handle.stdout.readline()
        # The kernel keeps what was written before the kill; a line cut short was not said.
        return json.loads(line) if line.endswith("\n") else None

    def ended(self) -> int:
        """Its exit code, once it has nothing more to read."""
        with self.handle:
            assert self.handle.stdin is not None
            self.handle.stdin.close()
            return self.handle.wait(_PATIENCE)

    def listen(self) -> None:
        """Write down all it says, and kill it when its time has come."""
        done = 0
        while (line := self.read()) is not None:
            self.lines.append(line)
            done += "done" in line
            if self.killed_after is not None and done == self.killed_after and "done" in line:
                time.sleep(self.delay)
                self.handle.kill()
        self.ended()

    def journal(self) -> dict[str, Any]:
        """What it said and how it ended, for the process that checks."""
        ended = self.handle.returncode
        return {
            "number": self.number,
            "ended": ended,
            "victim": self.killed_after is not None,
            "lines": self.lines,
        }


@dataclass(frozen=True, slots=True)
class Place:
    """Where the memory of a round is, and what befalls its server meanwhile, evenly spread over the round."""

    address: str
    crashes: Sequence[Callable[[], None]] = ()


def started(role: str, memory: Path | str, number: int, *rest: int) -> Process:
    """A process in a role of `writing.py`, about to begin."""
    command = [sys.executable, str(WRITING), role, str(memory), *map(str, rest)]
    handle = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    return Process(number, handle)


# A check by its name, with what is amiss, or None.
Check: TypeAlias = tuple[str, str | None]


def campaign(
    folder: Path, seed: int, writers: int, observations: int, victims: int, place: Place | None = None
) -> list[Check]:
    """One round in a folder of its own, with the moments of death drawn from the seed; what was found."""
    write(folder, seed, writers, observations, victims, place)
    return checked(folder, place)


def write(
    folder: Path, seed: int, writers: int, observations: int, victims: int, place: Place | None = None
) -> None:
    """Let writers at a memory (by default in `folder`), kill some, and leave a journal of their words."""
    chance = random.Random(seed)
    share = observations // writers
    place = place or Place(str(folder / MEMORY))
    follower = Following(folder, place.address, chance, victims, observations)
    processes = [
        started("write", place.address, number, chance.randrange(2**32), number, share)
        for number in range(writers)
    ]
    draw_victims(chance, processes, victims, share)
    for process in processes:
        process.started()
    listeners = [threading.Thread(target=process.listen) for process in processes]
    follower.start()
    for process, listener in zip(processes, listeners, strict=True):
        process.say("go")
        listener.start()
    crash(processes, listeners, place, observations)
    for listener in listeners:
        listener.join()
    follower.finish()
    written = [process.journal() for process in processes]
    (folder / JOURNAL).write_text(json.dumps(written), "utf-8")


def crash(
    processes: list[Process], listeners: list[threading.Thread], place: Place, observations: int
) -> None:
    """Let befall the server what is to befall it, while the processes write."""
    for number, befalls in enumerate(place.crashes, start=1):
        # Some of the lines are of operations that begin, some observations go together, and some writers die.
        due = observations * number / (len(place.crashes) + 1)
        while sum(len(one.lines) for one in processes) < due and any(one.is_alive() for one in listeners):
            time.sleep(0.005)
        befalls()


def draw_victims(chance: random.Random, processes: list[Process], victims: int, share: int) -> None:
    """Choose whom to kill, and when: spread over the round, one early, one late, the others between."""
    for place, victim in enumerate(chance.sample(processes, victims)):
        # Some observations go together as one operation, so there are fewer acknowledgements.
        first, last = share * place / victims, share * (place + 1) / victims
        victim.killed_after = max(1, round(chance.uniform(first, last) * 0.75))
        victim.delay = chance.uniform(0.0, _LONGEST_DELAY)


def checked(folder: Path, place: Place | None = None) -> list[Check]:
    """What a fresh process finds."""
    address = str(folder / MEMORY) if place is None else place.address
    run = subprocess.run(
        [sys.executable, str(CHECKING), str(folder), address],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if run.returncode != 0:
        return [("the memory can be opened and checked", run.stderr)]
    return [(name, problem) for name, problem in json.loads(run.stdout)]


@contextmanager
def places(store: str, *, is_small: bool) -> Iterator[Callable[[], Place | None]]:
    """Where each round is to play: what gives a new place; None means a file in the round's folder."""
    if store == "sqlite":
        yield lambda: None
        return
    with servers.started() as server:
        crashes = (server.restart, server.kill) * (1 if is_small else 3)
        yield lambda: Place(server.fresh(), crashes)


def main() -> int:
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument(
        "--store", choices=("sqlite", "postgres"), default="sqlite", help="where the memory is (sqlite)"
    )
    reader.add_argument("--small", action="store_true", help="a short campaign, for every change")
    reader.add_argument("--writers", type=int, help="processes at once (8, small: 4)")
    reader.add_argument(
        "--observations", type=int, help="of all writers together, a round (5000, small: 400)"
    )
    reader.add_argument("--rounds", type=int, default=1, help="new files, other moments (1)")
    reader.add_argument("--seed", type=int, help="to repeat a campaign; drawn by chance otherwise")
    asked = reader.parse_args()
    writers = asked.writers or (4 if asked.small else 8)
    observations = asked.observations or (400 if asked.small else 5_000)
    if writers < 2 or observations < 10 * writers or asked.rounds < 1:
        reader.error("at least 2 writers, 10 observations for each, and 1 round")
    first = random.randrange(10**6) if asked.seed is None else asked.seed
    passed = failed = 0
    with places(asked.store, is_small=asked.small) as next_place:
        for seed in range(first, first + asked.rounds):
            place = next_place()
            crashes = f", {len(place.crashes)} crashes of the server" if place else ""
            print(
                f"seed {seed}: {writers} writers, {observations} observations, "
                f"{writers // 2} to be killed{crashes}",
                flush=True,
            )
            begun = time.monotonic()
            with tempfile.TemporaryDirectory(prefix="crash-") as folder:
                found = campaign(Path(folder), seed, writers, observations, writers // 2, place)
            for name, problem in found:
                print(f"  {'ok  ' if problem is None else 'FAIL'} {name}{f': {problem}' if problem else ''}")
            passed += sum(problem is None for _, problem in found)
            failed += sum(problem is not None for _, problem in found)
            print(f"  {time.monotonic() - begun:.1f} s", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
