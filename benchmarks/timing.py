"""Timings that hold on a noisy machine: two memories measured in turn, compared pair by pair."""

from __future__ import annotations

import os
import platform
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

import apsw

# One act on a memory, told how many came before it.
Operation: TypeAlias = Callable[[int], object]

_NANOSECONDS_PER_MS: Final = 1_000_000
WARM_UP: Final = 3
_SYNCS: Final = 50


@dataclass(slots=True)
class Times:
    """How long each act took, in milliseconds: on the clock, and of this process alone."""

    taken: list[float] = field(default_factory=list)
    computed: list[float] = field(default_factory=list)
    medians: list[float] = field(default_factory=list)

    def add(self, block: Times) -> None:
        """Add a block of acts."""
        self.taken.extend(block.taken)
        self.computed.extend(block.computed)
        self.medians.append(block.p50)

    @property
    def p50(self) -> float:
        """The time in which half of the acts were done."""
        return statistics.median(self.taken)

    @property
    def p99(self) -> float:
        """The time in which 99 of 100 acts were done."""
        return sorted(self.taken)[max(0, round(len(self.taken) * 0.99) - 1)]

    @property
    def computing(self) -> float:
        """The time for which half of the acts kept the processor: no waiting for the disk, nor for others."""
        return statistics.median(self.computed)

    def as_dict(self) -> dict[str, float]:
        """The times for a program."""
        found = {"p50": self.p50, "p99": self.p99, "computing_p50": self.computing}
        return {name: round(taken, 4) for name, taken in found.items()} | {"acts": len(self.taken)}


@dataclass(frozen=True, slots=True)
class Growth:
    """How many times longer the same takes in the larger memory: the median of pairs, their middle half."""

    ratio: float
    low: float
    high: float

    def as_dict(self) -> dict[str, float]:
        """The growth for a program."""
        return {"ratio": round(self.ratio, 3), "low": round(self.low, 3), "high": round(self.high, 3)}


def block(act: Operation, first: int, count: int) -> Times:
    """The times of `count` acts."""
    times = Times()
    for number in range(first, first + count):
        begun, busy = time.perf_counter_ns(), time.thread_time_ns()
        act(number)
        times.computed.append((time.thread_time_ns() - busy) / _NANOSECONDS_PER_MS)
        times.taken.append((time.perf_counter_ns() - begun) / _NANOSECONDS_PER_MS)
    return times


def in_turn(acts: Sequence[Operation], pairs: int, count: int) -> list[Times]:
    """The times of one act on several memories, a block on each in turn, so that all meet the same noise."""
    times = [Times() for _ in acts]
    for turn in range(pairs + WARM_UP):
        order = list(enumerate(acts))
        # Forwards and backwards in turn: what drifts while measuring favours neither side.
        for place, act in order if turn % 2 else reversed(order):
            taken = block(act, turn * count, count)
            if turn >= WARM_UP:
                times[place].add(taken)
    return times


def growth(smaller: Times, larger: Times) -> Growth:
    """The growth between two memories that were measured in turn."""
    ratios = [after / before for before, after in zip(smaller.medians, larger.medians, strict=True)]
    low, ratio, high = statistics.quantiles(ratios, n=4)
    return Growth(ratio, low, high)


def machine(folder: Path) -> dict[str, Any]:
    """What the figures were measured on."""
    return {
        "system": platform.platform(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        "python": platform.python_version(),
        "sqlite": apsw.sqlite_lib_version(),
        "fdatasync_ms": round(_sync_ms(folder), 3),
    }


def _processor() -> str:
    facts = Path("/proc/cpuinfo")
    if facts.exists():
        for line in facts.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _sync_ms(folder: Path) -> float:
    """What it takes to get one page onto the disk: no durable write can be faster."""
    synced = getattr(os, "fdatasync", os.fsync)
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:

        def act(_: int) -> None:
            file.write(bytes(4096))
            synced(file.fileno())

        return block(act, 0, _SYNCS).p50
