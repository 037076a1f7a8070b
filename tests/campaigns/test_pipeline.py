"""The campaign over the queue runs, and notices when something is lost, or counts twice."""

from __future__ import annotations

from pathlib import Path

import pytest

import knowwhy
from tests.campaigns.pipeline import compared, declare, play, statement


@pytest.mark.parametrize(("seed", "extractor"), [(0, "rules"), (1, "rules"), (2, "model")])
def test_what_is_killed_loses_nothing_and_does_nothing_twice(
    tmp_path: Path, seed: int, extractor: str
) -> None:
    found = play(str(tmp_path / "memory.db"), seed, extractor)
    assert len(found) == 6
    assert [problem for _, problem in found if problem is not None] == []


@pytest.mark.parametrize("fault", ["none", "lost", "unread", "different"])
def test_the_campaign_notices(fault: str) -> None:
    memory = knowwhy.open()
    declare(memory)
    evidence = {number: memory.observe_many([statement(number)]).evidence[0] for number in range(1, 6)}
    memory.work()
    if fault == "lost":
        evidence[9] = "ev_gone"
    elif fault == "unread":
        given = statement(7)
        evidence[7] = memory.observe(given.text, source=given.source, extract=False).evidence[0]
    elif fault == "different":
        memory.retract(evidence[5])
    amiss = {name for name, problem in compared(memory, evidence) if problem is not None}
    assert bool(amiss) == (fault != "none")
    expected = {
        "none": set(),
        "lost": {"what was acknowledged is on record"},
        "unread": {"each item was read once"},
        "different": {"it believes what is believed when read at once"},
    }[fault]
    assert expected <= amiss
