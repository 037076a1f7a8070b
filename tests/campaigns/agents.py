"""Whether many agents can live in one memory at once, some of them killed while they write.

    python tests/campaigns/agents.py [--store sqlite|postgres] [--small] [--agents 16] [--seconds 60]
                                     [--every 2] [--seed N]

Agents read, write, withdraw and count up with `expected_version`, all at the same slots; one is killed by
kill -9 every so many seconds, and another takes its place. Each write says the same of a pair of slots, so
that a reader who finds the two unlike has seen half a change. Afterwards all that was acknowledged is looked
for, and the views are compared with the log. Prints the throughput. Exits with 1 if anything is amiss.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run by its path, it finds its neighbours too

import knowwhy
from knowwhy.engine.address import store_at
from tests import servers
from tests.campaigns.checking import KILLED, SPACE, amiss, rebuilt
from tests.campaigns.crash import Check, Process
from tests.campaigns.writing import insisted, say

PAIRS: Final = tuple(f"pair {number}" for number in range(40))
METERS: Final = tuple(f"meter {number}" for number in range(12))
SIDES: Final = ("left", "right")
VALUES: Final = ("red", "green 7", "north side", "weekly", "待定", "每月")
_SOURCES: Final = 6
_TRIES: Final = 500


class Agent:
    """One agent: what it does is drawn by chance, and it tells each write before and after."""

    def __init__(self, memory: knowwhy.Memory, chance: random.Random, number: int) -> None:
        self._memory = memory
        self._chance = chance
        self._name = f"agent {number}"
        self._deeds = 0
        self._own: list[str] = []
        self._seen: Counter[str] = Counter()
        self._reads = 0

    def live(self, end: float) -> None:
        """Work until that time by the machine's clock."""
        deeds = (self._look, self._recall, self._say, self._count, self._withdraw)
        while time.time() < end:
            self._chance.choices(deeds, (40, 10, 30, 15, 5))[0]()
        self._tell_reads()
        say(finished=True)

    def _tell_reads(self) -> None:
        say(reads=self._reads)
        self._reads = 0

    def _begin(self, kind: str, **words: str) -> int:
        self._tell_reads()
        self._deeds += 1
        say(begin=self._deeds, kind=kind, **words)
        return self._deeds

    def _look(self) -> None:
        subject = self._chance.choice(PAIRS)
        left, right = sides(self._memory, subject)
        self._reads += 1
        if left != right:
            say(amiss=f"half a change of {subject}: {left} and {right}")

    def _recall(self) -> None:
        self._memory.recall(f"What is the left of {self._chance.choice(PAIRS)}?")
        self._reads += 1

    def _say(self) -> None:
        subject, value = self._chance.choice(PAIRS), self._chance.choice(VALUES)
        source = f"source {self._chance.randrange(_SOURCES)}"
        deed = self._begin("say", subject=subject, value=value)
        text = f"{self._name} note {deed}: {subject} is {value} on both sides."
        claims = [(subject, side, value) for side in SIDES]
        outcome = insisted(
            lambda: self._memory.observe(text, source=source, claims=claims, author=self._name)
        )
        self._own.extend(outcome.evidence)
        say(done=deed, operation=outcome.operation, evidence=outcome.evidence)

    def _count(self) -> None:
        """Count a meter up by one, as it was read: nobody's count may be lost."""
        meter = self._chance.choice(METERS)
        deed = self._begin("count", subject=meter)
        tries = 0

        def one_more() -> tuple[int, knowwhy.Outcome]:
            nonlocal tries
            tries += 1
            answer = self._memory.ask(meter, "count")
            value = int(answer.value or 0) + 1
            if value - 1 < self._seen[meter]:
                say(amiss=f"{meter} went back from {self._seen[meter]} to {value - 1}")
            self._seen[meter] = max(self._seen[meter], value - 1)
            outcome = insisted(
                lambda: self._memory.observe(
                    f"{self._name} count {deed}, try {tries}",
                    source="meter reader",
                    claims=[(meter, "count", str(value))],
                    expected_version=answer.version,
                    author=self._name,
                )
            )
            return value, outcome

        value, outcome = knowwhy.retrying(one_more, tries=_TRIES)
        said = {"value": value, "conflicts": tries - 1}
        say(done=deed, operation=outcome.operation, evidence=outcome.evidence, **said)

    def _withdraw(self) -> None:
        if not self._own:
            return
        target = self._own.pop(self._chance.randrange(len(self._own)))
        deed = self._begin("withdraw", target=target)
        outcome = insisted(lambda: self._memory.retract(target, author=self._name, reason="said in error"))
        say(done=deed, operation=outcome.operation, evidence=[])


def sides(memory: knowwhy.Memory, subject: str) -> list[list[tuple[str, str, float]]]:
    """What is held of either side of a pair, from one reading of both."""
    answer = memory.ask(subject)
    return [
        sorted(
            (str(one.value), one.status.value, round(one.confidence, 9))
            for one in (*answer.findings, *answer.others)
            if one.attribute.name == side
        )
        for side in SIDES
    ]


@dataclass(slots=True)
class Life:
    """What all agents said, taken together."""

    deeds: list[dict[str, Any]] = field(default_factory=list)
    amiss: list[str] = field(default_factory=list)
    reads: int = 0
    killed: int = 0

    @property
    def done(self) -> list[dict[str, Any]]:
        """What was acknowledged."""
        return [one for one in self.deeds if "operation" in one]

    def add(self, agent: Process, *, is_victim: bool) -> None:
        """Take in what one of them said, and how it ended."""
        begun: dict[int, dict[str, Any]] = {}
        for line in agent.lines:
            if "begin" in line:
                begun[line["begin"]] = dict(line)
            elif "done" in line:
                begun[line["done"]].update(line)
            elif "reads" in line:
                self.reads += line["reads"]
            elif "amiss" in line or "failed" in line:
                self.amiss.append(str(line.get("amiss") or line["failed"]))
        self.deeds.extend(begun.values())
        ended = agent.handle.returncode
        was_killed = is_victim and ended == KILLED
        self.killed += was_killed
        if not was_killed and (ended != 0 or not any("finished" in line for line in agent.lines)):
            self.amiss.append(f"agent {agent.number} ended with {ended}")
        if not was_killed and any("operation" not in one for one in begun.values()):
            self.amiss.append(f"agent {agent.number} left something undone")


def lived(address: str, agents: int, seconds: float, every: float, seed: int) -> Life:
    """Let agents live in the memory at an address for some time, and end one of them every so often."""
    chance = random.Random(seed)
    everybody: list[tuple[Process, threading.Thread]] = []
    victims: set[int] = set()

    def begun() -> int:
        number = len(everybody)
        words = ("agent", address, number, chance.randrange(2**32))
        command = [sys.executable, __file__, *map(str, words)]
        agent = Process(number, Popen(command, stdin=PIPE, stdout=PIPE, text=True, encoding="utf-8"))
        everybody.append((agent, threading.Thread(target=agent.listen)))
        return number

    def sent(number: int, end: float) -> None:
        agent, listener = everybody[number]
        agent.say(str(end))
        listener.start()

    alive = [begun() for _ in range(agents)]
    for number in alive:
        everybody[number][0].started()
    end = time.time() + seconds
    for number in alive:
        sent(number, end)
    while end - time.time() > every:
        time.sleep(every)
        victim = alive.pop(chance.randrange(len(alive)))
        victims.add(victim)
        everybody[victim][0].handle.kill()
        alive.append(begun())
        sent(alive[-1], end)
    life = Life()
    for agent, listener in everybody:
        listener.join()
        life.add(agent, is_victim=agent.number in victims)
    return life


def checked(life: Life, address: str) -> list[Check]:
    """What is in the memory, beside what the agents were told."""
    store = store_at(address)
    try:
        ids = [own_id for one in life.done for own_id in one["evidence"]]
        with store.snapshot(SPACE) as view:
            kept = {one.id: one for one in view.evidence(ids=ids)}
        gone = {one["target"] for one in life.done if one["kind"] == "withdraw"}
        lost = [f"{own_id} is lost" for own_id in ids if own_id not in kept]
        back = [f"{own_id} is not withdrawn" for own_id in gone if not _is_withdrawn(kept.get(own_id))]
        broken = list(store.problems(SPACE))
    finally:
        store.close()
    with knowwhy.open(address) as memory:
        unlike = [subject for subject in PAIRS if len(set(map(str, sides(memory, subject)))) > 1]
        return [
            (f"no agent met anything amiss ({life.killed} were killed)", amiss(life.amiss)),
            (f"{len(life.done)} acknowledged operations are on record", amiss(lost + back)),
            ("each has a number of its own", amiss(_numbers(life, memory))),
            ("no count was lost or made twice", amiss(_counts(life, memory))),
            ("both sides of each pair are alike", amiss(unlike)),
            ("the store is sound", amiss(broken)),
            ("the views equal the log", amiss(memory.doctor().problems)),
            ("a rebuild changes no answer", rebuilt(memory, (*PAIRS, *METERS))),
        ]


def _is_withdrawn(evidence: Any) -> bool:  # noqa: ANN401 - evidence, or None
    return evidence is not None and evidence.retracted_at is not None


def _numbers(life: Life, memory: knowwhy.Memory) -> Iterator[str]:
    last = memory.log(limit=1)[0].operation.sequence if life.done else 0
    numbers = Counter(one["operation"] for one in life.done)
    yield from (f"{number} was given {times} times" for number, times in numbers.items() if times > 1)
    yield from (f"{number} is not in the log" for number in numbers if not 1 <= number <= last)
    if last > len(life.deeds):
        yield f"{last} operations are logged, {len(life.deeds)} were begun"


def _counts(life: Life, memory: knowwhy.Memory) -> Iterator[str]:
    """Every count up to the last one was acknowledged to one agent, or was made by one that was killed."""
    for meter in METERS:
        deeds = [one for one in life.deeds if one.get("subject") == meter]
        told = Counter(one["value"] for one in deeds if "operation" in one)
        cut_off = sum("operation" not in one for one in deeds)
        last = int(memory.ask(meter, "count").value or 0)
        yield from (f"{meter}: {value} was counted {n} times" for value, n in told.items() if n > 1)
        if any(value > last for value in told):
            yield f"{meter} stands at {last}, though {max(told)} was acknowledged"
        if last - len(told) > cut_off:
            yield f"{meter} stands at {last}, though {len(told)} were acknowledged and {cut_off} cut off"


@contextmanager
def place(store: str) -> Iterator[str]:
    """The address of a new memory."""
    if store == "postgres":
        with servers.started() as server:
            yield server.fresh()
    else:
        with tempfile.TemporaryDirectory(prefix="agents-") as folder:
            yield str(Path(folder) / "memory.db")


def agent(rest: Sequence[str]) -> None:
    """Live as one agent."""
    address, number, seed = rest
    try:
        with knowwhy.open(address) as memory:
            say(ready=True)
            Agent(memory, random.Random(int(seed)), int(number)).live(float(sys.stdin.readline()))
    except knowwhy.KnowwhyError as failure:
        say(failed=f"{type(failure).__name__}: {failure}")
        raise


def main() -> int:
    if sys.argv[1:2] == ["agent"]:
        agent(sys.argv[2:])
        return 0
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite")
    reader.add_argument("--small", action="store_true", help="4 agents for 4 seconds, one killed each second")
    reader.add_argument("--agents", type=int, default=None, help="processes at once (16)")
    reader.add_argument("--seconds", type=float, default=None, help="how long they live (60)")
    reader.add_argument("--every", type=float, default=None, help="seconds between two kills (2)")
    reader.add_argument("--seed", type=int, help="drawn by chance otherwise")
    asked = reader.parse_args()
    agents = asked.agents or (4 if asked.small else 16)
    seconds = asked.seconds or (4.0 if asked.small else 60.0)
    every = asked.every or (1.0 if asked.small else 2.0)
    seed = random.randrange(10**6) if asked.seed is None else asked.seed
    print(f"seed {seed}: {agents} agents for {seconds:g} s, one killed every {every:g} s", flush=True)
    with place(asked.store) as address:
        knowwhy.open(address).close()
        life = lived(address, agents, seconds, every, seed)
        found = checked(life, address)
    for name, problem in found:
        print(f"  {'ok  ' if problem is None else 'FAIL'} {name}{f': {problem}' if problem else ''}")
    conflicts = sum(one.get("conflicts", 0) for one in life.done)
    print(
        f"  {len(life.done) / seconds:.0f} writes/s, {life.reads / seconds:.0f} reads/s over {seconds:g} s;"
        f" {conflicts} version conflicts; {len(life.deeds) - len(life.done)} writes cut off"
    )
    return 1 if any(problem for _, problem in found) else 0


if __name__ == "__main__":
    sys.exit(main())
