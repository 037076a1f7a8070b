"""Several processes on one memory: nothing acknowledged is lost, and of two who race for a belief one wins.

The small form of `tests/campaigns/crash.py`.
"""

import json
import shutil
from pathlib import Path

import pytest

import knowwhy
from tests import servers
from tests.campaigns.crash import JOURNAL, MEMORY, Place, campaign, checked, started, write
from tests.campaigns.follower import FOLLOWED
from tests.campaigns.writing import RACE_SUBJECT

ROUNDS = 12


def test_what_was_acknowledged_outlives_a_kill(tmp_path: Path) -> None:
    found = campaign(tmp_path, seed=7, writers=3, observations=240, victims=1)
    assert [(name, problem) for name, problem in found if problem is not None] == []
    assert found[0][0].endswith("(1 were killed)")


def test_what_was_acknowledged_outlives_a_crash_of_the_server(tmp_path: Path) -> None:
    with servers.started() as server:
        place = Place(server.fresh(), [server.kill])
        found = campaign(tmp_path, seed=7, writers=2, observations=100, victims=1, place=place)
    assert [(name, problem) for name, problem in found if problem is not None] == []


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory with the journal of its writers, all of whom lived."""
    folder = tmp_path_factory.mktemp("written")
    write(folder, seed=11, writers=2, observations=40, victims=0)
    return folder


@pytest.mark.parametrize("fault", ["lost", "torn", "misreported", "not told", "told twice"])
def test_the_check_notices(written: Path, tmp_path: Path, fault: str) -> None:
    shutil.copytree(written, tmp_path, dirs_exist_ok=True)
    journal = json.loads((tmp_path / JOURNAL).read_text("utf-8"))
    lines = journal[0]["lines"]
    begun = next(place for place, line in enumerate(lines) if line.get("told", [{}])[0].get("claims"))
    if fault == "lost":
        # As if an acknowledged operation were not there: one that was never written.
        told = {**lines[begun]["told"][0], "text": "note w9n9: said, and lost."}
        lines += [{"begin": 99, "told": [told]}, {"done": 99, "operation": 99, "evidence": ["ev_lost"]}]
    elif fault == "torn":
        lines[begun]["told"][0]["claims"].append(["amber router", "owner", "nobody"])
    elif fault == "misreported":
        lines[begun + 1]["operation"] += 1
    else:
        seen = (tmp_path / FOLLOWED).read_text("utf-8").splitlines(keepends=True)
        seen[5:6] = [] if fault == "not told" else [seen[5], seen[5]]
        (tmp_path / FOLLOWED).write_text("".join(seen), "utf-8")
    (tmp_path / JOURNAL).write_text(json.dumps(journal), "utf-8")
    assert any(problem is not None for _, problem in checked(tmp_path))


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_of_two_processes_that_expect_one_version_one_wins(tmp_path: Path, store: str) -> None:
    path = str(tmp_path / MEMORY) if store == "sqlite" else servers.server().fresh()
    with knowwhy.open(path) as memory:
        memory.observe(source="starter", claims=[(*RACE_SUBJECT, "nobody")])
        racers = [started("race", path, number) for number in range(2)]
        for racer in racers:
            racer.started()
            racer.say("go")
        for number in range(ROUNDS):
            before = memory.ask(*RACE_SUBJECT).findings[0].version
            for racer in racers:
                racer.say(json.dumps({"version": before, "value": f"racer {racer.number} in {number}"}))
            replies = [reply for racer in racers if (reply := racer.read())]
            won, lost = sorted(replies, key=lambda reply: not reply["won"])
            assert (won["won"], lost["won"]) == (True, False)
            after = {finding.version for finding in memory.ask(*RACE_SUBJECT).findings}
            assert after == {won["operation"]}
            assert (lost["code"], lost["current"]) == ("version_conflict", won["operation"])
        for racer in racers:
            assert racer.ended() == 0
        assert memory.log(limit=1)[0].operation.sequence == 1 + ROUNDS
        assert memory.doctor().is_healthy
