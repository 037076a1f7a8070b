"""The soak notices what is lost, comes back, is held otherwise, or was answered wrongly."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import knowwhy
from tests.campaigns.judging import judged
from tests.campaigns.ledger import Ledger, Read
from tests.campaigns.soaking import Agent, Journal

FAULTS = {
    "none": "",
    "lost": "is lost",
    "unsaid": "nobody said",
    "not withdrawn": "is not withdrawn",
    "back": "though it was erased",
    "bytes": "bytes of",
    "failed": "failed or never was",
    "held": "is held to be",
    "known": "known as",
    "twice": "counted up to",
    "misread": "was read as",
    "unmerged": "is lost",
    "renumbered": "was acknowledged",
}


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("soak")
    journal = Journal(folder / "1.jsonl")
    with knowwhy.open(folder / "memory.db") as memory:
        agent = Agent(memory, journal, 1, 1, 5)
        for act in ("_say", "_count", "_meet", "_say", "_look", "_meet", "_erase", "_withdraw", "_count"):
            getattr(agent, act)()
        for _ in range(6):
            agent._assume()  # noqa: SLF001 - what an agent does by chance, done on purpose
    journal.close()
    return folder


@pytest.mark.parametrize("fault", FAULTS)
def test_the_soak_notices(lived: Path, fault: str) -> None:
    lines = [json.loads(one) for one in (lived / "1.jsonl").read_text("utf-8").splitlines()]
    own = lived / f"{fault}.jsonl"
    tampered(lines, fault)
    own.write_text("".join(json.dumps(one) + "\n" for one in lines), "utf-8")
    ledger = Ledger()
    ledger.add(own)
    if fault == "misread":
        place = next(iter(ledger.of_place))
        ledger.reads.append(Read(place, "no such value", lines[-1]["t"], lines[-1]["t"]))
    found = judged(ledger, str(lived / "memory.db"), random.Random(3), samples=40)
    assert found.checks > 100
    assert bool(found.violations) == (fault != "none"), found.violations
    assert FAULTS[fault] in "\n".join(found.violations)


def tampered(lines: list[dict[str, Any]], fault: str) -> None:  # noqa: C901 - a branch for each fault
    """Make a journal tell of something else than what was done."""

    def of(kind: str) -> list[dict[str, Any]]:
        return [one for one in lines if one.get("kind") == kind]

    def end(begun: dict[str, Any]) -> dict[str, Any]:
        return next(one for one in lines if one.get("end") == begun["begin"])

    said, t = of("say"), lines[-1]["t"]
    new = {"begin": 999, "t": t}
    if fault == "lost":
        word = {**said[0]["words"][0], "text": "never said", "said": 1}
        lines.extend([{**said[0], **new, "words": [word]}, {"end": 999, "t": t}])
    elif fault == "unsaid":
        said[0]["words"][0]["text"] += " Or so."
    elif fault == "not withdrawn":
        kept = of("count")[0]["words"][0]["text"]
        lines.extend([{"kind": "withdraw", "target": kept, **new}, {"end": 999, "t": t}])
    elif fault in ("back", "bytes"):
        kept = {one["words"][0]["subject"] for one in of("meet")} - {of("erase")[0]["target"]}
        lines.extend([{"kind": "erase", "target": min(kept), **new}, {"end": 999, "t": t}])
    elif fault == "failed":
        end(of("count")[0])["failed"] = "Unavailable: it was said so"
    elif fault == "held":
        of("count")[-1]["words"][0]["value"] = "17"
    elif fault == "known":
        for count in of("count"):
            count["words"][0]["value"] = "17"
    elif fault == "twice":
        of("count")[0]["words"][0].update(subject="meter 9", value="1")
        of("count")[1]["words"][0].update(subject="meter 9", value="1")
    elif fault == "unmerged":
        dropped = {one["line"] for one in of("fork")} - {one["line"] for one in of("merge")}
        lines.extend([{"kind": "merge", "line": min(dropped), **new}, {"end": 999, "t": t}])
    elif fault == "renumbered":
        end(said[0])["operation"] = end(of("count")[0])["operation"]
