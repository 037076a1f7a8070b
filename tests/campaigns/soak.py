"""Whether a memory stays right for an hour in which agents do everything at once, and are killed.

    python tests/campaigns/soak.py [--store sqlite|postgres] [--minutes 60] [--agents 6] [--every 2]
                                   [--round 30] [--seed N]

Agents observe, ask, recall, count up, withdraw, branch, merge, drop, meet and erase people, and dream, on one
file or one PostgreSQL server; one is killed by kill -9 every so many seconds, and another takes its place.
After each round a checker compares the memory with what `ledger.py` makes of the agents' journals: what is on
record, what holds now, at other times and as known at other times, each answer that was given, each count,
and that not a byte of an erased person is left. Prints operations, kills, checks and violations, and exits
with 1 if there is any violation.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from subprocess import Popen, TimeoutExpired
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run by its path, it finds its neighbours too

from psycopg.conninfo import conninfo_to_dict

import knowwhy
from tests import servers
from tests.campaigns.judging import Verdict, judged
from tests.campaigns.ledger import Ledger
from tests.campaigns.soaking import Journal

AGENT: Final = Path(__file__).with_name("soaking.py")
KILLED: Final = -9
# How long an agent may take to end once its time is over.
_PATIENCE: Final = 120.0
_SHOWN: Final = 10
# Every so many rounds the views are compared with the log, which takes as long as the log is.
_DEEP: Final = 5


@dataclass
class Soak:
    """One memory, all that was done to it, and what was found."""

    address: str
    raw: str
    folder: Path
    chance: random.Random
    ledger: Ledger = field(default_factory=Ledger)
    verdict: Verdict = field(default_factory=Verdict)
    agents: int = 0
    kills: int = 0
    rounds: int = 0

    def live(self, seconds: float, agents: int, every: float) -> None:
        """Let agents live for some time, and kill one every so often."""
        self.rounds += 1
        everybody = [self._begun() for _ in range(agents)]
        alive, victims = list(everybody), set()
        # Who ended before it began is told of as one that failed.
        while not all(self._journal(number).exists() or one.poll() is not None for number, one in everybody):
            time.sleep(0.05)
        end = time.monotonic() + seconds
        while end - time.monotonic() > every:
            time.sleep(every * self.chance.uniform(0.5, 1.5))
            # Who has not begun yet has nothing to lose.
            begun = [one for one in alive if self._journal(one[0]).exists()]
            if not begun:
                continue
            number, victim = self.chance.choice(begun)
            alive.remove((number, victim))
            victim.kill()
            victims.add(number)
            alive.append(self._begun())
            everybody.append(alive[-1])
        self._stop.touch()
        self.ledger.reads.clear()
        for number, process in everybody:
            self._ended(number, process, is_victim=number in victims)
            self.ledger.add(self._journal(number))

    @property
    def _stop(self) -> Path:
        """The file whose being there tells the agents of this round to end."""
        return self.folder / f"stop {self.rounds}"

    def _journal(self, number: int) -> Path:
        return self.folder / f"{number}.jsonl"

    def _begun(self) -> tuple[int, Popen[bytes]]:
        self.agents += 1
        words = (self.address, self._journal(self.agents), self.agents, self.rounds)
        command = [sys.executable, AGENT, *words, self.chance.randrange(2**32), self._stop]
        return self.agents, Popen(list(map(str, command)))

    def _ended(self, number: int, process: Popen[bytes], *, is_victim: bool) -> None:
        try:
            ended = process.wait(_PATIENCE)
        except TimeoutExpired:
            process.kill()
            process.wait()
            self.verdict.violations.append(f"agent {number} does not come to its end")
            return
        self.kills += is_victim and ended == KILLED
        if ended != 0 and not (is_victim and ended == KILLED):
            self.verdict.violations.append(f"agent {number} ended with {ended}")

    def tidy(self) -> None:
        """Finish what killed agents left: merge or drop their branches, and erase whom they were erasing."""
        path = self.folder / f"tidied {self.rounds}.jsonl"
        journal = Journal(path)
        unsure = [name for name, deeds in self.ledger.erased.items() if not any(one.is_done for one in deeds)]
        with knowwhy.open(self.address) as memory:
            for branch in memory.branches():
                line = branch.name
                if self.chance.random() < 0.5:
                    journal.done(partial(memory.merge, line), (), kind="merge", line=line)
                journal.done(partial(memory.drop, line), (), kind="drop", line=line)
            for name in unsure:
                journal.done(partial(memory.forget, person=name), (), kind="erase", target=name)
        journal.close()
        self.ledger.add(path)

    def check(self, *, is_deep: bool) -> None:
        """Compare the memory with the ledger."""
        self.verdict.add(judged(self.ledger, self.address, self.chance, raw=self.raw, is_deep=is_deep))

    def report(self) -> str:
        """What was done so far."""
        kinds = Counter(one.kind for one in self.ledger.deeds if one.is_done)
        open_ones = sum(one.is_open for one in self.ledger.deeds)
        failed = Counter(one.kind for one in self.ledger.deeds if one.failure is not None)
        refused = ", ".join(f"{n} {kind}" for kind, n in failed.most_common()) or "none"
        told = ", ".join(f"{n} {kind}" for kind, n in kinds.most_common())
        return (
            f"{sum(kinds.values())} operations acknowledged ({told}); "
            f"refused: {refused}; {open_ones} cut off; "
            f"{self.kills} kills, {self.verdict.checks} checks, {len(self.verdict.violations)} violations"
        )


@contextmanager
def place(store: str) -> Iterator[tuple[str, str]]:
    """The address of a new memory, and where all bytes of it can be looked at."""
    if store == "postgres":
        with servers.started() as server:
            address = server.fresh()
            yield address, server.url(str(conninfo_to_dict(address)["dbname"]), as_admin=True)
    else:
        with tempfile.TemporaryDirectory(prefix="soak-") as folder:
            yield (str(Path(folder) / "memory.db"),) * 2


def main(arguments: Sequence[str] | None = None) -> int:
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite")
    reader.add_argument("--minutes", type=float, default=60.0, help="how long, with all checks (60)")
    reader.add_argument("--agents", type=int, default=6, help="processes at once (6)")
    reader.add_argument("--every", type=float, default=2.0, help="seconds between two kills (2)")
    reader.add_argument("--round", type=float, default=30.0, help="seconds between two checks (30)")
    reader.add_argument("--seed", type=int, help="drawn by chance otherwise")
    asked = reader.parse_args(arguments)
    seed = random.randrange(10**6) if asked.seed is None else asked.seed
    print(f"seed {seed}: {asked.agents} agents on {asked.store} for {asked.minutes:g} minutes", flush=True)
    end = time.monotonic() + asked.minutes * 60
    with tempfile.TemporaryDirectory(prefix="soak-") as folder, place(asked.store) as (address, raw):
        knowwhy.open(address).close()
        soak = Soak(address, raw, Path(folder), random.Random(seed))
        is_last = False
        while not is_last:
            left = end - time.monotonic()
            is_last = left < 2 * asked.round
            soak.live(min(asked.round, max(left, 1.0)), asked.agents, asked.every)
            soak.tidy()
            soak.check(is_deep=is_last or soak.rounds % _DEEP == 0)
            print(f"  round {soak.rounds}: {soak.report()}", flush=True)
    if not any(one.is_done for one in soak.ledger.deeds):
        soak.verdict.violations.append("nothing was done: no agent came to an operation")
    for one in soak.verdict.violations[:_SHOWN]:
        print(f"  VIOLATION {one}")
    print(soak.report())
    return 1 if soak.verdict.violations else 0


if __name__ == "__main__":
    sys.exit(main())
