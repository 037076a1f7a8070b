"""The corpus's own steps, beside those of every evaluation set: hosts, crowds, fillings, embedders."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Final

from knowwhy import Observation
from knowwhy.evaluation import steps
from knowwhy.evaluation.replies import Reply
from knowwhy.evaluation.stage import Fields, Home, Kind, Stage
from tests.corpus.crowd import Report, in_processes, in_threads
from tests.corpus.meaning import WordModel, with_embedder, without_vector
from tests.corpus.stage import MeasuredStage
from tests.corpus.stories import Written

# How many beliefs a filling writes at once.
_BATCH: Final = 2_000


def query(stage: Stage, given: Fields) -> Reply:
    """Somebody asks, perhaps on hosts in several zones."""
    zones = given.pop("host_tz", ())
    if not zones:
        return steps.query(stage, given)
    asked = []
    for zone in zones:
        with _host_zone(zone):
            asked.append(steps.query(stage, dict(given)))
    same = all(one.facts["told"] == asked[0].facts["told"] for one in asked)
    return replace(asked[0], facts={**asked[0].facts, "same_answer_on_every_host": same})


@contextmanager
def _host_zone(zone: str) -> Iterator[None]:
    """This process as if its host stood in another zone."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = zone
    time.tzset()
    try:
        yield
    finally:
        if before is None:
            del os.environ["TZ"]
        else:
            os.environ["TZ"] = before
        time.tzset()


def set_embedder(stage: Stage, given: Fields) -> Reply:
    """The memory is used by a process with another embedder; what has no vector of it yet is told."""
    stage.memory = with_embedder(stage.memory, WordModel(given["name"], int(given["dim"])))
    bare = without_vector(stage.memory)
    is_told = any("no vector" in note for note in stage.memory.doctor().notes)
    assert is_told is bool(bare), "doctor must tell what has no vector"
    return Reply({"no_error": True, "reports_stale_vectors": bare})


def reembed(stage: Stage, _given: Fields) -> Reply:
    """The vectors that are missing are made."""
    before = without_vector(stage.memory)
    stage.memory.embed()
    return Reply({"no_error": True, "reembedded": before - without_vector(stage.memory)})


def fill(stage: Stage, given: Fields) -> Reply:
    """Many beliefs come in, five to an entity; `brief` of them where time is short."""
    count = int(given["count"])
    if not stage.is_full:
        count = min(count, int(given.get("brief", count)))
    for start in range(0, count, _BATCH):
        numbers = range(start, min(start + _BATCH, count))
        stage.memory.observe_many([_filling(number, is_last=number == count - 1) for number in numbers])
    return Reply({"beliefs": count})


def _filling(number: int, *, is_last: bool) -> Observation:
    value = "word from one belief" if is_last else f"note {number % 997} of lot {number % 4_999}"
    claim = (f"entity-{number // 5}", f"field {number % 5}", value)
    return Observation(f"file-{number % 100}", claims=[claim], source_type="import")


def parallel(stage: Stage, given: Fields) -> Reply:
    """Several write at once: each branch a thread, or all of them spread over processes."""
    branches: list[list[Written]] = given["branches"]
    processes = given.get("processes")
    if processes is not None:
        branches = [[step for one in branches[at::processes] for step in one] for at in range(processes)]
    if processes is not None and stage.home.address is not None:
        reports = in_processes(stage.home.address, stage.clock.now, branches)
    else:
        reports = in_threads([partial(performed, stage, branch) for branch in branches])
    refusals = [report for report in reports if report is not None]
    codes = sorted(set(refusals))
    return Reply(
        {"succeeded": len(reports) - len(refusals), "refused": len(refusals)},
        refusal=", ".join(codes) or None,
        message=f"{len(refusals)} of {len(reports)}",
    )


def performed(stage: Stage, branch: list[Written]) -> list[Report]:
    """For each step of a branch the code of its refusal, or None."""
    return [stage.act(step).refusal for step in branch]


STEPS: Final[Mapping[str, Kind]] = {
    **steps.STEPS,
    "fill": Kind(fill, frozenset({"count"}), frozenset({"brief", "note"})),
    "parallel": Kind(parallel, frozenset({"branches"}), frozenset({"processes"})),
    "query": Kind(query, allowed=steps.QUESTION | {"host_tz"}, is_reading=True),
    "reembed": Kind(reembed),
    "set_embedder": Kind(set_embedder, frozenset({"name", "dim"})),
}


def staged(home: Home, *, is_full: bool = False) -> MeasuredStage:
    """The stage for a story in this home; large fillings come at full size only where they outlive it."""
    return MeasuredStage(home, STEPS, is_full=is_full and home.address is not None)
