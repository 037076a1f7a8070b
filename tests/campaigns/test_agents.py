"""The campaign of many agents notices what is lost, counted twice, or seen by halves."""

from __future__ import annotations

from pathlib import Path

import pytest

import knowwhy
from tests.campaigns.agents import METERS, PAIRS, SIDES, Life, checked


@pytest.mark.parametrize("fault", ["none", "lost", "not withdrawn", "twice", "unmade", "half", "renumbered"])
def test_the_campaign_notices(tmp_path: Path, fault: str) -> None:
    address = str(tmp_path / "memory.db")
    life = Life()
    with knowwhy.open(address) as memory:
        told = [(PAIRS[0], side, "red") for side in SIDES]
        said = memory.observe("All is red.", source="a", claims=told)
        life.deeds.append({"kind": "say", "operation": said.operation, "evidence": said.evidence})
        count = [(METERS[0], "count", "1")]
        counted = memory.observe("One.", source="meter reader", claims=count)
        deed = {"kind": "count", "subject": METERS[0], "operation": counted.operation, "value": 1}
        life.deeds.append({**deed, "evidence": counted.evidence})
        if fault == "lost":
            life.deeds[0]["evidence"] = ("ev_gone",)
        elif fault == "not withdrawn":
            gone = {"kind": "withdraw", "evidence": (), "target": said.evidence[0]}
            life.deeds[1] = {**gone, "operation": counted.operation}
        elif fault == "twice":
            life.deeds.append({**life.deeds[1], "operation": 1})
        elif fault == "unmade":
            life.deeds[1]["value"] = 2
        elif fault == "half":
            memory.observe("Half of it.", source="a", claims=[(PAIRS[1], SIDES[0], "red")])
            life.deeds.append({"kind": "say"})
        elif fault == "renumbered":
            life.deeds[1]["operation"] = said.operation
    amiss = {name.partition(" (")[0] for name, problem in checked(life, address) if problem is not None}
    expected = {
        "none": set(),
        "lost": {"2 acknowledged operations are on record"},
        "not withdrawn": {"2 acknowledged operations are on record"},
        "twice": {"no count was lost or made twice"},
        "unmade": {"no count was lost or made twice"},
        "half": {"both sides of each pair are alike"},
        "renumbered": {"each has a number of its own"},
    }[fault]
    assert expected <= amiss
    assert bool(amiss) == (fault != "none")
