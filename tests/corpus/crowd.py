"""Crowds: several writers that start at the same moment, as threads or as processes of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import IO, Final, TypeAlias

from knowwhy import Instant
from tests.corpus.stories import Written

_PATIENCE_SECONDS: Final = 60

# What became of one step: None if it was carried out, or the code of its refusal.
Report: TypeAlias = str | None


def in_threads(writers: Sequence[Callable[[], list[Report]]]) -> list[Report]:
    """What all writers report, each in a thread."""
    barrier = Barrier(len(writers))

    def started(writer: Callable[[], list[Report]]) -> list[Report]:
        barrier.wait(_PATIENCE_SECONDS)
        return writer()

    with ThreadPoolExecutor(len(writers)) as pool:
        return [report for reports in pool.map(started, writers) for report in reports]


def in_processes(address: str, now: Instant, branches: Sequence[Sequence[Written]]) -> list[Report]:
    """What processes that each write one branch into one memory report.

    Raises:
        RuntimeError: one of them failed otherwise than by a refusal.
    """
    writers = [_writer(address, now, branch) for branch in branches]
    try:
        for writer in writers:
            _pipe(writer.stdout).readline()
        for writer in writers:
            print("go", file=_pipe(writer.stdin), flush=True)
        said = [writer.communicate(timeout=_PATIENCE_SECONDS) for writer in writers]
    finally:
        for writer in writers:
            writer.kill()
            writer.wait()
    failures = [err for writer, (_, err) in zip(writers, said, strict=True) if writer.returncode]
    if failures:
        raise RuntimeError("\n".join(failures))
    return [report for out, _ in said for report in json.loads(out)]


def _writer(address: str, now: Instant, branch: Sequence[Written]) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.corpus.writer", address, str(now), json.dumps(branch)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=environment,
    )


def _pipe(pipe: IO[str] | None) -> IO[str]:
    assert pipe is not None
    return pipe
