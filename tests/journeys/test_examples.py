"""The examples run as a newcomer runs them, and show what they are there to show."""

import json
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import knowwhy
from tests.architecture.reading import ROOT
from tests.surfaces.program import environment, ran

EXAMPLES = ROOT / "examples"
WINDOWS = EXAMPLES / "support_windows"

# What each program must say, in this order.
SAID: dict[str, tuple[str, ...]] = {
    "quickstart.py": (
        "order / return window: 15 days",
        "a newer word of a weaker source says “30 days”",
        "order / return window: 7 days",
        "order / return window = 15 days",
        "would change it",
        "From memory.",
        '"order" "return window" = "15 days"',
    ),
    "async_quickstart.py": (
        "order / return window: 15 days",
        "order / return window: 7 days",
        "challenged",
        "30 days",
    ),
    "what_follows.py": (
        "1. A commute rests on the job.",
        "Ann / commute: tram  [confidence 0.80; accepted;",
        "Ann / commute: tram  [confidence 0.57; doubtful;",
        "warning: its premise employer changed from Acme to Globex on 2025-04-01, not confirmed since",
        "Ann / commute: tram  [confidence 0.80; accepted;",
        "2. A rule",
        "2025-02-15  Globex / support hours: 24/7",
        "2025-03-10  Globex / support hours: nothing is known.",
        "2025-04-01  Globex / support hours: 24/7",
        "accepted, confidence 0.88: it follows by the rule “pro support”",
        "3. Two facts that exclude each other",
        "room 5 / status: booked",
        "challenger, confidence 0.80: declared not to hold together with status = booked",
        "room 5 / status = booked: accepted → superseded (it ended 2025-05-20)",
        "room 5 / free = yes: challenger → accepted",
        "4. A rule can be withdrawn",
        "Globex / support hours = 24/7: accepted → retracted",
        "Globex / support hours: nothing is known.",
    ),
    "support_windows/demo.py": (
        "297 statements",
        "1. Until when does Ubuntu 20.04 get security updates?",
        "Ubuntu 20.04 / security support ends: 2025-05-31",
        "warning: a newer word of a weaker source says “2030-04-01”",
        "2. And what held in June 2022?",
        "Ubuntu 20.04 / security support ends: 2030-04-01",
        "as known today:              2016-04-21",
        "as known on 1 January 2020:  2018-04-21",
        "4. Why that day?",
        "official, endoflife.date/ubuntu, 2025-03-01",
        "rumour, invented forum post, 2025-06-10",
        "Would change it",
        "5. Who disagrees?",
        "contested   PostgreSQL 20",
        "6. How did the mind change?",
        "2022-03-28 – 2023-01-04  2030-04-01",
        "2025-03-01 – today       2025-05-31",
        "7. Asked in plain words",
        "Ubuntu 24.04 / security support ends: 2029-05-31",
        "8. Somebody says 2030.",
        "support_windows.db",
    ),
}


def test_every_example_is_tried() -> None:
    programs = {path.relative_to(EXAMPLES).as_posix() for path in EXAMPLES.rglob("*.py")}
    assert programs == set(SAID)


@pytest.mark.parametrize("program", SAID)
def test_an_example_shows_what_it_is_there_for(program: str, tmp_path: Path) -> None:
    said = played(program, tmp_path)
    in_order(said, SAID[program])
    in_order(played(program, tmp_path), SAID[program])


def test_the_tour_is_short_and_can_be_taken_again(tmp_path: Path) -> None:
    first = played("support_windows/demo.py", tmp_path)
    assert len(first.splitlines()) <= 70
    assert max(map(len, first.splitlines())) <= 104
    with knowwhy.open(tmp_path / "support_windows.db") as memory:
        operations = memory.stats()["operations"]
    again = played("support_windows/demo.py", tmp_path)
    assert "nothing was written" in again
    with knowwhy.open(tmp_path / "support_windows.db") as memory:
        assert memory.stats()["operations"] == operations
        assert memory.doctor().is_healthy

    commands = [line.strip() for line in again.splitlines() if line.strip().startswith(".venv/bin/knowwhy ")]
    *asking, serving = commands
    assert len(asking) == 3
    assert serving.endswith(" serve")  # which goes on until it is stopped
    for command in asking:
        told = ran(*shlex.split(command)[1:], folder=tmp_path)
        assert (told.code, told.err) == (0, ""), command
        assert told.out


def test_the_command_line_loads_the_extract_as_well(tmp_path: Path) -> None:
    for name, lines in (("claims.jsonl", 291), ("second_hand.jsonl", 6)):
        told = ran("--db", "w.db", "--json", "observe", "--jsonl", WINDOWS / name, folder=tmp_path)
        assert told.document["lines"] == lines, told.err
    asked = ("ask", "Ubuntu 20.04", "security support ends", "--json")
    best = ran("--db", "w.db", *asked, folder=tmp_path).document["beliefs"][0]
    assert best["value"] == "2025-05-31"


def lines_of(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (WINDOWS / name).read_text("utf-8").splitlines()]


def test_the_extract_quotes_its_source_and_says_where_it_is_from() -> None:
    claims = lines_of("claims.jsonl")
    assert 150 <= len(claims) <= 300
    assert all(one["quote"] in one["text"] and one["value"] in one["quote"] for one in claims)
    assert all(one["metadata"]["page"] and one["metadata"]["commit"] for one in claims)
    credit = (WINDOWS / "ATTRIBUTION.md").read_text("utf-8")
    assert all(words in credit for words in ("endoflife-date/endoflife.date", "a70eca3", "MIT", "AS IS"))
    for page in {one["source"].removeprefix("endoflife.date/") for one in claims}:
        assert page.casefold() in credit.casefold()


def test_what_was_invented_says_so() -> None:
    for one in lines_of("second_hand.jsonl"):
        assert one["source"].startswith("invented ")
        assert one["source_type"] in ("rumour", "web")
        assert one["quote"] in one["text"]
        assert one["value"] in one["quote"]


def played(program: str, folder: Path) -> str:
    """Run an example in a folder, and give what it printed."""
    told = subprocess.run(
        [sys.executable, EXAMPLES / program],
        cwd=folder,
        env=environment(),
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert (told.returncode, told.stderr.decode("utf-8")) == (0, "")
    return told.stdout.decode("utf-8")


def in_order(said: str, due: Sequence[str]) -> None:
    at = 0
    for words in due:
        found = said.find(words, at)
        assert found >= 0, f"{words!r} is not said after the ones before it:\n{said}"
        at = found + len(words)
