"""The commands about versions: each does what the same verb of the library does, in words and as JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import knowwhy
from tests.surfaces.program import run

SAID = ("--source", "list", "--source-type", "official", "--observed-at")


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Give a memory with one price, and a branch on which it is another."""
    path = tmp_path / "shop.db"
    assert run("--db", path, "observe", "--claim", "anvil", "price", "100", *SAID, "2025-07-01").code == 0
    assert run("--db", path, "fork", "market up", "--assumes", "prices rise", "--author", "ann").code == 0
    told = run(
        "--db",
        path,
        "observe",
        "--branch",
        "market up",
        "--claim",
        "anvil",
        "price",
        "120",
        *SAID,
        "2025-08-01",
    )
    assert told.code == 0
    return path


def document(db: Path, *words: str) -> Any:  # noqa: ANN401 - whatever the command prints
    """Give what a command prints for a program."""
    ran = run("--db", db, *words, "--json")
    assert ran.code == 0, ran.err
    return ran.document


def test_branches_are_forked_listed_and_dropped(db: Path) -> None:
    (listed,) = document(db, "branches")
    with knowwhy.open(db) as memory:
        (known,) = memory.branches()
        assert listed == known.as_dict()
    assert "assumes prices rise" in " ".join(run("--db", db, "branches").out.split())
    made = document(db, "fork", "deeper", "--branch", "market up", "--expires-at", "2999-01-01")
    assert isinstance(made, dict)
    assert (made["parent"], made["expires_at"]) == ("market up", "2999-01-01")
    refused = run("--db", db, "drop", "market up")
    assert (refused.code, "deeper" in refused.err) == (4, True)
    for name in ("deeper", "market up"):
        assert run("--db", db, "drop", name).code == 0
    assert run("--db", db, "branches").out == "No branches.\n"
    assert run("--db", db, "ask", "anvil", "--branch", "market up").code == 3


@pytest.mark.parametrize("place", ["before", "after"])
def test_every_command_reads_and_writes_a_branch(db: Path, place: str) -> None:
    branch = ("--branch", "Market  Up")
    for words, due in ((("ask", "anvil", "price"), "120"), (("recall", "price of the anvil"), "120")):
        ran = run("--db", db, *branch, *words) if place == "before" else run("--db", db, *words, *branch)
        assert (ran.code, due in ran.out) == (0, True)
    assert "100" in run("--db", db, "ask", "anvil", "price").out
    assert run("--db", db, "doctor", *branch).code == 0
    assert "by ann" in run("--db", db, "log").out


def test_a_merge_is_previewed_pinned_and_carried_out(db: Path) -> None:
    preview = document(db, "merge", "market up", "--preview")
    assert isinstance(preview, dict)
    assert [one["sort"] for one in preview["disagreements"]] == ["theirs_only"]
    assert "nothing is written yet" in run("--db", db, "merge", "market up", "--preview").out
    stale = run("--db", db, "merge", "market up", "--expected", "9:9", "--json")
    assert (stale.code, stale.error["error"]) == (4, "version_conflict")
    merged = document(db, "merge", "market up", "--expected", preview["heads"], "--reason", "as agreed")
    assert isinstance(merged, dict)
    assert "120" in run("--db", db, "ask", "anvil", "price").out
    assert run("--db", db, "merge", "no such line").code == 3


def test_files_are_merged(db: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    assert run("--db", other, "observe", "--claim", "anvil", "colour", "grey", *SAID, "2025-07-01").code == 0
    assert run("--db", db, "merge", other).code == 0
    assert "grey" in run("--db", db, "ask", "anvil", "colour").out


def test_an_operation_is_shown_compared_and_undone(db: Path) -> None:
    assert run("--db", db, "snapshot", "before").code == 0
    assert [one["name"] for one in document(db, "snapshots")] == ["before"]
    said = document(db, "observe", "--claim", "anvil", "price", "110", *SAID, "2025-09-01", "--author", "bob")
    number = str(said["operation"])
    with knowwhy.open(db) as memory:
        assert document(db, "show", number) == memory.show(int(number)).as_dict()
        found = memory.diff("before", valid="2025-10-01").as_dict()
    assert document(db, "diff", "before", "--valid", "2025-10-01") == found
    assert (
        document(db, "diff", str(int(number) - 1), number, "--valid", "2025-10-01")["differences"]
        == found["differences"]
    )
    assert "superseded" in run("--db", db, "diff", "before").out
    assert run("--db", db, "undo", number, "--reason", "a slip").code == 0
    assert "100" in run("--db", db, "ask", "anvil", "price").out
    assert run("--db", db, "show", "999").code == 3
    assert run("--db", db, "undo").code == 2
    assert "No snapshots" in run("--db", db, "snapshots", "--space", "elsewhere").out


def test_an_import_is_undone_by_its_name(db: Path, tmp_path: Path) -> None:
    lines = tmp_path / "may.jsonl"
    rows = [
        {"source": "file", "subject": f"item {number}", "attribute": "price", "value": number}
        for number in range(3)
    ]
    lines.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    assert run("--db", db, "observe", "--jsonl", lines, "--run", "May").code == 0
    assert "1" in run("--db", db, "ask", "item 1", "price").out
    assert run("--db", db, "undo", "--run", "may").code == 0
    assert document(db, "ask", "item 1", "price")["beliefs"] == []


def test_undoing_what_others_rest_on_is_refused(db: Path) -> None:
    assert run("--db", db, "derive", "anvil", "class", "cheap", "--from", "anvil / price = 100").code == 0
    refused = run("--db", db, "undo", "1")
    assert refused.code == 4
    assert "rests on it" in refused.err
    assert run("--db", db, "undo", "1", "--anyway").code == 0


def test_looking_ahead_writes_nothing(db: Path) -> None:
    before = run("--db", db, "log", "--json").document
    foreseen = document(db, "what-if", "--claim", "anvil", "price", "130", *SAID, "2025-09-01")
    assert {one["after"] for one in foreseen["changes"]} == {"accepted", "superseded"}
    evidence = before[-1]["evidence"][0]
    assert "retracted" in run("--db", db, "what-if", "--retract", evidence).out
    assert run("--db", db, "log", "--json").document == before
    assert run("--db", db, "what-if").code == 2
    assert run("--db", db, "what-if", "--claim", "a", "b", "c").code == 2


def test_why_not_and_the_history_of_a_belief(db: Path) -> None:
    assert "nobody ever said so" in run("--db", db, "why-not", "anvil", "price", "7").out
    (held,) = document(db, "ask", "anvil", "price")["beliefs"]
    assert document(db, "history", held["id"]) == document(db, "history", "anvil", "price")


def test_what_was_let_go_of_cannot_be_asked(db: Path) -> None:
    assert run("--db", db, "drop", "market up").code == 0
    assert run("--db", db, "vacuum", "2025-07-15").code == 0
    gone = run("--db", db, "ask", "anvil", "--known", "2025-07-01", "--json")
    assert (gone.code, gone.error["error"]) == (3, "beyond_horizon")
    assert run("--db", db, "vacuum", "2999-01-01").code == 2
