"""Steps of a story that tidy a memory up, and those that look at what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from knowwhy.errors import VersionConflict
from knowwhy.evaluation import replies
from knowwhy.evaluation.replies import Reply
from knowwhy.evaluation.stage import Fields, Kind, Stage


def consolidate(stage: Stage, _given: Fields) -> Reply:
    """The memory is tidied up."""
    return replies.of_dream(stage.memory.dream(share=1.0))


def consolidate_begin(stage: Stage, _given: Fields) -> Reply:
    """Somebody begins to tidy up: what is to be done is known, and not done yet."""
    return replies.of_dream(stage.memory.dream(dry_run=True, share=1.0))


def consolidate_end(stage: Stage, given: Fields) -> Reply:
    """It is to be done as it was planned."""
    planned = stage.told[given["of"]].fact("state")
    try:
        report = stage.memory.dream(expected=planned, share=1.0)
    except VersionConflict:
        return Reply({"rebased_or_refused": True})
    return replies.of_dream(report)


def prune(stage: Stage, given: Fields) -> Reply:
    """What is little sure and unused goes out of sight, of all there is at most so much."""
    report = stage.memory.dream(
        ["archive"],
        share=1.0 - float(given["keep_fraction"]),
        unused_days=1e-6,
        dry_run=given.get("dry_run", True),
        measure=True,
    )
    kept = sum(bool(stage.memory.ask(*one).findings) for one in stage.critical)
    is_counted = report.before is not None and report.after is not None
    return Reply({"changed": report.changed, "report_counts": is_counted, "protected_kept": kept})


def context_pack(stage: Stage, given: Fields) -> Reply:
    """Somebody wants what bears on a task, in so many tokens."""
    found = stage.memory.recall(given["text"], budget=int(given["budget_tokens"]))
    return replies.of_recollection(found)


def summary(stage: Stage, given: Fields) -> Reply:
    """Somebody wants to be told in short of something."""
    agent = given.get("agent")
    memory = stage.memory if agent is None else stage.memory.seen_by(agent=agent)
    return replies.of_summary(memory.summary(given["entity"]), stage.clock())


STEPS: Final[Mapping[str, Kind]] = {
    "consolidate": Kind(consolidate, allowed=frozenset({"context"})),
    "consolidate_begin": Kind(consolidate_begin),
    "consolidate_end": Kind(consolidate_end, frozenset({"of"})),
    "context_pack": Kind(context_pack, frozenset({"text", "budget_tokens"})),
    "prune": Kind(prune, frozenset({"keep_fraction"}), frozenset({"dry_run"})),
    "summary": Kind(summary, frozenset({"entity"}), frozenset({"agent", "context"})),
}
