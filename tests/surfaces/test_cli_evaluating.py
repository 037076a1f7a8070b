"""knowwhy eval as people and build servers run it."""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

import knowwhy
from tests.surfaces.program import PROGRAM, SECONDS, environment, ran, run

SET = """\
story: The window
told:
  - {date: 2026-01-05, source: handbook, type: official, claims: [order / return window = 30 days]}
asked:
  - {ask: order / return window, expect: VALUE}
"""


def _set(folder: Path, value: str = "30 days") -> Path:
    path = folder / "set.yaml"
    path.write_text(SET.replace("VALUE", value), "utf-8")
    return path


def _memory(folder: Path) -> Path:
    path = folder / "memory.db"
    with knowwhy.open(path, clock=lambda: knowwhy.instant("2026-06-01")) as memory:
        for day, value in (("2026-01-05", "30 days"), ("2026-03-01", "14 days")):
            claim = ("order", "return window", value)
            memory.observe(source="handbook", source_type="official", observed_at=day, claims=[claim])
        secret = memory.seen_by(agent="ann").shared_with()
        for day, value in (("2026-01-05", "Uhl"), ("2026-03-01", "Zander")):
            secret.observe(source="diary", observed_at=day, claims=[("ann", "doctor", value)])
    return path


def test_a_set_that_holds_exits_with_zero_and_one_that_fails_with_one(tmp_path: Path) -> None:
    _set(tmp_path)
    good = ran("eval", "set.yaml", folder=tmp_path)
    assert (good.code, good.err) == (0, "")
    assert "Stories: 1, questions: 1; all as expected." in good.out
    _set(tmp_path, "14 days")
    bad = ran("eval", "set.yaml", "--json", "--junit", "out.xml", folder=tmp_path)
    assert (bad.code, bad.err) == (1, "")
    document = bad.document
    assert document["failures"] == {"wrong": 1}
    assert document["confidence"]["confidently_wrong"] == 1
    assert document["results"][0]["failures"][0]["line"] == 5
    suites = ET.parse(tmp_path / "out.xml").getroot()  # noqa: S314 - our own
    assert suites.get("failures") == "1"
    assert suites.find("testsuite/testcase/failure[@type='wrong']") is not None


def test_a_slip_exits_with_two_and_says_where(tmp_path: Path) -> None:
    path = _set(tmp_path)
    path.write_text(path.read_text("utf-8").replace("source:", "sauce:"), "utf-8")
    error = run("eval", path, "--json").error
    assert error["details"] == {"file": "set.yaml", "line": 3, "field": "sauce"}
    assert run("eval", path).code == 2
    assert run("eval", tmp_path / "none.yaml").code == 2
    assert run("eval").code == 2
    assert run("--db", path, "eval", path).code == 2
    assert run("eval", path, "--copy-of", tmp_path / "none.db").code == 3


def test_a_copy_is_asked_and_the_memory_itself_never_changed(tmp_path: Path) -> None:
    memory = _memory(tmp_path)
    before = {one.name: one.read_bytes() for one in tmp_path.iterdir()}
    path = _set(tmp_path, "14 days")
    found = ran("eval", "set.yaml", "--copy-of", "memory.db", folder=tmp_path)
    assert found.code == 0, found.out
    path.unlink()
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == before
    with knowwhy.open(memory) as opened:
        assert len(opened.ask("order", "return window").findings) == 1


def test_each_story_has_a_copy_of_its_own(tmp_path: Path) -> None:
    path = _set(tmp_path, "14 days")
    told = (
        "  - {date: 2026-05-01, source: handbook, type: official, claims: [order / return window = 7 days]}\n"
    )
    first = (
        SET.replace("asked:", f"{told}asked:").replace("VALUE", "7 days").replace("window\n", "window gone\n")
    )
    path.write_text(f"{first}---\n{path.read_text('utf-8')}", "utf-8")
    found = run("eval", path, "--copy-of", _memory(tmp_path))
    assert found.code == 0, found.out


def test_a_first_set_is_made_of_what_may_be_read_and_holds(tmp_path: Path) -> None:
    memory = _memory(tmp_path)
    made = run("eval", "--from-memory", memory, "--agent", "bob")
    assert made.code == 0
    assert "30 days" in made.out
    assert "Zander" not in made.out
    assert "ann" not in made.out
    assert "Zander" in run("eval", "--from-memory", memory).out
    path = tmp_path / "made.yaml"
    path.write_text(made.out, "utf-8")
    assert "questions: 2; all as expected" in run("eval", path).out
    path.write_text(
        made.out.replace("  - 14 days", "  - 30 days").replace("  never:\n  - 30 days\n", ""), "utf-8"
    )
    failed = run("eval", path)
    assert (failed.code, failed.out.partition(":")[0]) == (1, "switched when it should not")


def test_watch_plays_again_when_a_file_changes(tmp_path: Path) -> None:
    _set(tmp_path)
    watching = subprocess.Popen(
        [PROGRAM, "eval", "set.yaml", "--watch", "--json"],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert watching.stdout is not None
    try:
        assert json.loads(watching.stdout.readline())["passed"]
        _set(tmp_path, "a whole year")
        assert not json.loads(watching.stdout.readline())["passed"]
        watching.send_signal(signal.SIGINT)
        assert watching.wait(SECONDS) == 130
    finally:
        watching.kill()
        watching.communicate()
