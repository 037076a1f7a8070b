"""A folder of pages that somebody edits, looked at again and again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import knowwhy
from knowwhy import Memory


@pytest.fixture
def memory() -> Memory:
    opened = knowwhy.open(clock=lambda: knowwhy.instant("2025-06-01"))
    opened.declare("return window", unit="days")
    return opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "wiki"
    (made / "terms").mkdir(parents=True)
    write(made / "terms" / "returns.md", "The return window of Harbour Books is 7 days.", "2025-01-01")
    write(made / "notes.txt", "海港书店的 return window is 9 days.", "2025-01-01")
    write(made / "picture.png", "no page", "2025-01-01")
    write(made / ".hidden.md", "The return window of Secret Shop is 1 day.", "2025-01-01")
    return made


def write(path: Path, text: str, when: str) -> None:
    path.write_text(text, encoding="utf-8")
    seconds = knowwhy.instant(when) / 1_000_000
    os.utime(path, (seconds, seconds))


def window(memory: Memory, at: str) -> str:
    return str(memory.at(valid=at).ask("Harbour Books", "return window").value)


def test_what_changed_is_observed_and_what_did_not_costs_nothing(memory: Memory, folder: Path) -> None:
    first = memory.sync(folder)
    assert [one.uri for one in first.impacts] == ["wiki/notes.txt", "wiki/terms/returns.md"]
    operations = memory.stats()["operations"]
    again = memory.sync(str(folder))
    assert (again.unchanged, again.impacts, again.says_anything) == (2, [], False)
    assert memory.stats()["operations"] == operations
    write(folder / "terms" / "returns.md", "The return window of Harbour Books is 15 days.", "2025-03-01")
    (impact,) = memory.sync(folder).impacts
    assert [now.value for _, now in impact.changed] == ["15 days"]
    assert (window(memory, "2025-02-01"), window(memory, "2025-04-01")) == ("7 days", "15 days")


def test_a_page_that_goes_back_to_what_it_said_is_a_new_version(memory: Memory, folder: Path) -> None:
    page = folder / "terms" / "returns.md"
    memory.sync(folder)
    for days, when in ((15, "2025-02-01"), (7, "2025-03-01")):
        write(page, f"The return window of Harbour Books is {days} days.", when)
        memory.sync(folder)
    found = [window(memory, at) for at in ("2025-01-15", "2025-02-15", "2025-03-15")]
    assert found == ["7 days", "15 days", "7 days"]


def test_pages_that_cannot_be_read_stop_no_other(memory: Memory, folder: Path, tmp_path: Path) -> None:
    (folder / "bad.md").write_bytes(b"\xff\xfe not text")
    (folder / "empty.md").write_text(" \n")
    (tmp_path / "outside.md").write_text("The return window of Outer Shop is 3 days.")
    (folder / "link.md").symlink_to(tmp_path / "outside.md")
    (folder / "linked").symlink_to(tmp_path)
    report = memory.sync(folder)
    assert len(report.impacts) == 2
    assert sorted(one.partition(":")[0] for one in report.failed) == ["bad.md", "empty.md"]
    assert memory.ask("Outer Shop", "return window").value is None
    assert memory.ask("Secret Shop", "return window").value is None
    with pytest.raises(knowwhy.NotFound, match="no folder"):
        memory.sync(tmp_path / "nowhere")


def test_a_page_that_is_gone_is_told(memory: Memory, folder: Path) -> None:
    memory.sync(folder)
    (folder / "notes.txt").unlink()
    report = memory.sync(folder)
    assert report.missing == ["wiki/notes.txt"]
    assert "no longer there" in str(report)
