"""One memory under measurement: how it is built, opened in a new process, used and rebuilt."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

from timing import Times
from world import Question, World, declare_all

import knowwhy

BATCH: Final = 2_000
_COLD_STARTS: Final = 5


@dataclass(slots=True)
class Subject:
    """A memory of a given size in a file of its own, with what was measured on it."""

    world: World
    path: Path
    claims: int = 0
    bulk_s: float = 0.0
    rebuild_s: float = 0.0
    file_bytes: int = 0
    cold: dict[str, float] = field(default_factory=dict)
    times: dict[str, Times] = field(default_factory=dict)
    recall_kinds: dict[str, list[float]] = field(default_factory=dict)

    def build(self) -> None:
        """Load the whole world in bulk; what it takes to make up the world does not count."""
        report(f"building {self.world.size} beliefs")
        observations = self.world.observations()
        with knowwhy.open(self.address) as memory:
            declare_all(memory)
            while batch := list(islice(observations, BATCH)):
                begun = time.perf_counter_ns()
                memory.observe_many(batch)
                self.bulk_s += (time.perf_counter_ns() - begun) / 1e9
                self.claims += len(batch)
                if self.claims % (10 * BATCH) == 0:
                    report(f"  {self.claims} claims, {self.claims / self.bulk_s:,.0f} a second")
            beliefs = memory.stats()["beliefs"]
        assert beliefs >= 0.95 * self.world.size, f"{beliefs} beliefs came of {self.world.size} facts"
        self.file_bytes = self.size()

    @property
    def address(self) -> str:
        """Where the memory is."""
        return str(self.path)

    def size(self) -> int:
        """How many bytes it takes."""
        return sum(part.stat().st_size for part in self.path.parent.glob(f"{self.path.name}*"))

    def start_cold(self) -> None:
        """Open it in new processes, with the file dropped from the page cache where the system lets us."""
        fact = self.world.some_fact()
        question = self.world.question(0).words
        script = Path(__file__).with_name("cold.py")
        command = [sys.executable, str(script), str(self.path), fact.subject, fact.attribute, question]
        starts = []
        for _ in range(_COLD_STARTS):
            drop_cached(self.path)
            starts.append(json.loads(subprocess.run(command, capture_output=True, check=True).stdout))
        self.cold = {step: statistics.median(start[step] for start in starts) for step in starts[0]}

    @contextmanager
    def opened(self) -> Iterator[Use]:
        """The memory in use."""
        with knowwhy.open(self.address) as memory:
            yield Use(memory, self)

    @property
    def bulk_rate(self) -> float:
        """Claims a second when loaded in bulk."""
        return self.claims / self.bulk_s


@dataclass(slots=True)
class Use:
    """The acts that are timed, on one open memory. What they are given is made up beforehand."""

    memory: knowwhy.Memory
    subject: Subject
    news: list[knowwhy.Observation] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    slots: list[tuple[str, str]] = field(default_factory=list)

    def prepare(self, writes: int, reads: int) -> None:
        """Make up so many claims, and so many questions of both sorts."""
        world = self.subject.world
        self.news = [world.news(number) for number in range(writes)]
        self.questions = [world.question(number) for number in range(reads)]
        facts = [world.some_fact() for _ in range(reads)]
        self.slots = [(fact.subject, fact.attribute) for fact in facts]

    def observe(self, number: int) -> None:
        """Write one claim durably."""
        one = self.news[number]
        self.memory.observe(
            one.text,
            source=one.source,
            source_type=one.source_type,
            claims=one.claims,
            observed_at=one.observed_at,
        )

    def ask(self, number: int) -> None:
        """Ask for one attribute of one subject."""
        self.memory.ask(*self.slots[number])

    def recall(self, number: int) -> None:
        """Ask a question in plain words."""
        question = self.questions[number]
        begun = time.perf_counter_ns()
        self.memory.recall(question.words)
        taken = (time.perf_counter_ns() - begun) / 1e6
        self.subject.recall_kinds.setdefault(question.kind, []).append(taken)

    def rebuild(self) -> None:
        """Compute all views anew."""
        report(f"rebuilding {self.subject.world.size} beliefs")
        begun = time.perf_counter_ns()
        self.memory.rebuild()
        self.subject.rebuild_s = (time.perf_counter_ns() - begun) / 1e9


def drop_cached(path: Path) -> None:
    """Ask the system to forget the file's pages, so that it is read from the disk again."""
    if hasattr(os, "posix_fadvise"):
        with path.open("rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def report(progress: str) -> None:
    """Tell a waiting person how far it has come."""
    print(progress, file=sys.stderr, flush=True)
