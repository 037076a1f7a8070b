"""Kill whoever writes words down and whoever reads them; nothing is lost, and nothing counts twice.

    python tests/campaigns/pipeline.py [--rounds N] [--seed N] [--store KIND] [--extractor KIND]

In each round some processes observe words to be read later, others read them, and each may be killed with
SIGKILL at a moment drawn by chance; readers are replaced. When all was said, one reader finishes, and the
memory is compared with one in which the same words were read at once. With `--extractor model` they ask an
endpoint, a process of its own that now and then is slow, cuts an answer off, or fails.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, TypeAlias

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # as pytest has it, so that neighbours are found

import knowwhy
from knowwhy.core.model import QueueStep, Schema
from knowwhy.ingest.extraction import DeterministicExtractor
from knowwhy.providers.endpoint import Patience
from knowwhy.providers.extraction import Extraction, Extractor, Utterance
from knowwhy.testing.endpoint import Said, ScriptedEndpoint, Turn, answering, claim, status, truncated

TELLERS: Final = 2
READERS: Final = 2
SAID_BY_EACH: Final = 12
LEASE: Final = 0.4
PATIENCE: Final = 60.0
FIRST: Final = datetime(2025, 1, 1, tzinfo=UTC)
SHOPS: Final = ("Harbour Books", "Pier Store", "Harp & Co")

Check: TypeAlias = tuple[str, str | None]


@dataclass
class Dawdling:
    """Reads by rules, now and then slowly, so that a death meets it there too."""

    chance: random.Random
    rules: DeterministicExtractor = field(default_factory=DeterministicExtractor)
    name: str = "deterministic"

    def extract(self, utterance: Utterance, schema: Schema) -> Extraction:
        """What the rules read."""
        time.sleep(self.chance.choice((0.0, 0.0, 0.002, 0.01)))
        return self.rules.extract(utterance, schema)


class Moody(ScriptedEndpoint):
    """An endpoint that mostly answers, and sometimes is slow, cut off, or away for a moment."""

    def __init__(self, seed: int) -> None:
        super().__init__([answering(reads)])
        self._chance = random.Random(seed)

    def next_turn(self, asked: Mapping[str, Any], key: str | None) -> Turn:
        """A turn by chance."""
        super().next_turn(asked, key)
        return self._chance.choice(
            [answering(reads)] * 6
            + [answering(reads, after=0.02), truncated(reads), status(503, 0.02), status(429, 0.02)]
        )


def reads(text: str) -> list[Said]:
    """What the endpoint says of some words: the same that they say to rules."""
    window = re.match(r"(.*)'s return window is (\d+) days\.", text)
    if window is not None:
        return [claim(window[1], "return window", window[2], window[0], unit="days")]
    dialect = re.match(r"Priya speaks (dialect \d+)\.", text)
    return [] if dialect is None else [claim("Priya", "speaks", dialect[1], dialect[0])]


def serve(seed: int, say: Callable[[str], None]) -> None:
    """Be an endpoint until killed."""
    with Moody(seed) as server:
        say(server.url)
        while True:
            time.sleep(PATIENCE)


@contextmanager
def endpoint(seed: int, extractor: str) -> Iterator[str | None]:
    """The address of an endpoint, if a model is to read."""
    if extractor != "model":
        yield None
        return
    server = child(lambda say: serve(seed, say))
    try:
        while not server.acknowledged:
            server.listen()
            time.sleep(0.002)
        yield server.acknowledged[0]
    finally:
        server.kill()
        while not server.is_over:
            server.listen()
            time.sleep(0.001)


def reader_of(url: str | None, seed: int) -> Extractor:
    """Who reads: rules, or a model at an address."""
    if url is None:
        return Dawdling(random.Random(seed))
    patience = Patience(seconds=5.0, tries=6, first_wait=0.01)
    return knowwhy.ModelExtractor(knowwhy.Endpoint(url, "scripted", patience=patience))


@dataclass
class Child:
    """A process of the campaign, and what it has acknowledged so far."""

    pid: int
    pipe: int
    is_over: bool = False
    said: bytes = b""

    def listen(self) -> None:
        """Take in what it has said; what is in the pipe outlives it."""
        while not self.is_over:
            try:
                part = os.read(self.pipe, 65_536)
            except BlockingIOError:
                return
            if not part:
                self.is_over = True
                os.close(self.pipe)
                os.waitpid(self.pid, 0)
                return
            self.said += part

    def kill(self) -> None:
        """End it as no process can help."""
        if not self.is_over:
            os.kill(self.pid, signal.SIGKILL)

    @property
    def acknowledged(self) -> list[str]:
        """The whole lines that it said."""
        return self.said.decode().split("\n")[:-1]


def child(does: Callable[[Callable[[str], None]], None]) -> Child:
    """A process that does something, and may say lines."""
    here, there = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(here)
        code = 1
        try:
            does(lambda line: void(os.write(there, f"{line}\n".encode())))
            code = 0
        except BaseException as failure:  # noqa: BLE001 - a child never returns into its parent's code
            os.write(2, f"{type(failure).__name__}: {failure}\n".encode())
        finally:
            os._exit(code)
    os.close(there)
    os.set_blocking(here, False)
    return Child(pid, here)


def void(_ignored: object) -> None:
    """Nothing."""


def statement(number: int) -> knowwhy.Observation:
    """The words of a number, said at a time of their own."""
    shop = SHOPS[number % len(SHOPS)]
    text = (
        f"{shop}'s return window is {7 + number % 5} days. Note {number}."
        if number % 3
        else f"Priya speaks dialect {number}."
    )
    return knowwhy.Observation(
        f"source {number % 4}",
        text,
        source_type="document",
        observed_at=FIRST + timedelta(hours=number),
        extract="later",
    )


def declare(memory: knowwhy.Memory) -> None:
    """Declare what the words speak of."""
    memory.declare("return window", unit="days")
    memory.declare("speaks", cardinality="many")


def tell(address: str, numbers: Sequence[int], say: Callable[[str], None]) -> None:
    """Observe statements, one by one or two together, and acknowledge each that is durable."""
    with knowwhy.open(address) as memory:
        pending = list(numbers)
        while pending:
            part, pending = pending[: 1 + pending[0] % 2], pending[1 + pending[0] % 2 :]
            outcome = memory.observe_many(statement(number) for number in part)
            for number, evidence in zip(part, outcome.evidence, strict=True):
                say(json.dumps([number, evidence]))


def read(address: str, url: str | None, seed: int, say: Callable[[str], None]) -> None:
    """Work off the queue until killed."""
    del say
    with knowwhy.open(address, extractor=reader_of(url, seed)) as memory:
        while True:
            memory.work(lease=LEASE, limit=5)
            time.sleep(0.005)


def play(address: str, seed: int, extractor: str = "rules") -> list[Check]:
    """One round at an address; what was found in the end."""
    with endpoint(seed, extractor) as url:
        return played(address, seed, url)


def played(address: str, seed: int, url: str | None) -> list[Check]:
    """One round, in which an endpoint reads, or rules do where there is none."""
    chance = random.Random(seed)
    with knowwhy.open(address) as memory:
        declare(memory)
    tellers = [
        child(lambda say, first=first: tell(address, range(first, TELLERS * SAID_BY_EACH, TELLERS), say))  # type: ignore[misc]
        for first in range(TELLERS)
    ]
    readers = [child(lambda say, n=n: read(address, url, seed + n, say)) for n in range(READERS)]  # type: ignore[misc]
    dies = chance.random() * 0.3
    begun, killed = time.monotonic(), 0
    while any(not one.is_over for one in tellers):
        for one in (*tellers, *readers):
            one.listen()
        if time.monotonic() - begun > dies and killed < READERS + TELLERS:
            victim = chance.choice([one for one in (*tellers, *readers) if not one.is_over])
            victim.kill()
            killed += 1
            dies += chance.random() * 0.2
            if victim in readers:
                number = READERS + killed
                readers.append(child(lambda say, n=number: read(address, url, seed + n, say)))  # type: ignore[misc]
        time.sleep(0.002)
    time.sleep(chance.random() * 0.1)
    for one in readers:
        one.kill()
    for one in readers:
        while not one.is_over:
            one.listen()
            time.sleep(0.001)
    acknowledged = dict(json.loads(line) for teller in tellers for line in teller.acknowledged)
    return checked(address, url, acknowledged)


def checked(address: str, url: str | None, acknowledged: dict[int, str]) -> list[Check]:
    """What is amiss once one reader has finished, in a process that knows nothing of the others."""

    def look(say: Callable[[str], None]) -> None:
        with knowwhy.open(address, extractor=reader_of(url, 0)) as memory:
            say(json.dumps(list(compared(memory, acknowledged))))

    checker = child(look)
    begun = time.monotonic()
    while not checker.is_over and time.monotonic() - begun < PATIENCE:
        checker.listen()
        time.sleep(0.005)
    if not checker.acknowledged:
        checker.kill()
        return [("the memory can be opened and its queue finished", "it could not")]
    return [(name, problem) for name, problem in json.loads(checker.acknowledged[0])]


def compared(memory: knowwhy.Memory, acknowledged: dict[int, str]) -> Iterator[Check]:
    """Finish reading, and compare with the same words read at once."""
    begun = time.monotonic()
    while memory.queue().total and time.monotonic() - begun < PATIENCE / 2:
        memory.work(lease=LEASE)
        time.sleep(0.01)
    queue = memory.queue()
    yield "everything was read", str(queue) if queue.total else None
    space = memory._space  # noqa: SLF001 - the log of its queue is what is checked
    with space.store.snapshot(space.name) as view:
        there = {one.id for one in view.evidence(ids=sorted(acknowledged.values()))}
        done: Counter[str] = Counter()
        until = None
        while (step := view.declared(QueueStep, [""], until=until).get("")) is not None:
            done.update(step.done)
            until = step.declared_in - 1
    lost = sorted(set(acknowledged.values()) - there)
    yield "what was acknowledged is on record", f"{lost} lost" if lost else None
    often = {name: times for name, times in done.items() if times != 1}
    unread = sorted(set(acknowledged.values()) - done.keys())
    yield "each item was read once", f"{often} not once, {unread} never" if often or unread else None
    at_once = knowwhy.open()
    declare(at_once)
    texts = {statement(number).text: number for number in range(TELLERS * SAID_BY_EACH)}
    entries = memory.log(limit=10_000)
    with space.store.snapshot(space.name) as view:
        ids = sorted({one for entry in entries for one in entry.outcome.evidence})
        numbers = sorted(texts[one.text] for one in view.evidence(ids=ids))
    for number in numbers:
        given = statement(number)
        at_once.observe(
            given.text, source=given.source, source_type=given.source_type, observed_at=given.observed_at
        )
    ours, theirs = believed(memory), believed(at_once)
    yield "it believes what is believed when read at once", None if ours == theirs else f"{ours} != {theirs}"
    counts = memory.stats()["claims"], at_once.stats()["claims"]
    yield "it has as many claims", None if counts[0] == counts[1] else f"{counts[0]} != {counts[1]}"
    diagnosis = memory.doctor()
    yield "it is healthy", None if diagnosis.is_healthy else str(diagnosis)


def believed(memory: knowwhy.Memory) -> dict[str, Any]:
    """How everything stands that the words may speak of."""
    found: dict[str, Any] = {}
    for subject in (*SHOPS, "Priya"):
        for attribute in ("return window", "speaks"):
            try:
                findings = memory.ask(subject, attribute).findings
            except knowwhy.NotFound:
                continue
            found[f"{subject} / {attribute}"] = sorted((str(one.value), str(one.status)) for one in findings)
    return {name: those for name, those in found.items() if those}


@contextmanager
def places(store: str) -> Iterator[Callable[[Path], str]]:
    """Where the memory of each round is."""
    if store == "sqlite":
        yield lambda folder: str(folder / "memory.db")
        return
    from tests import servers  # noqa: PLC0415 - only where a server is wanted

    with servers.started() as server:
        yield lambda _folder: server.fresh()


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=20, help="how many (20)")
    parser.add_argument("--seed", type=int, help="to repeat a campaign; drawn by chance otherwise")
    parser.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--extractor", choices=("rules", "model"), default="rules", help="who reads (rules)")
    asked = parser.parse_args()
    first = random.randrange(10**6) if asked.seed is None else asked.seed
    failed = 0
    begun = time.monotonic()
    with places(asked.store) as place:
        for seed in range(first, first + asked.rounds):
            with tempfile.TemporaryDirectory(prefix="pipeline-") as folder:
                found = play(place(Path(folder)), seed, asked.extractor)
            for name, problem in found:
                if problem is not None:
                    failed += 1
                    print(f"seed {seed}: FAIL {name}: {problem}", flush=True)
    print(
        f"{asked.rounds} rounds from seed {first}, {failed} checks failed, {time.monotonic() - begun:.0f} s"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
