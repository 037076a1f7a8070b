"""The evaluation of changing values runs on any folder of its format, and can fail."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "evals" / "evolving.py"
MADE_UP = Path(__file__).parent / "made_up"


def evaluated(folder: Path, *options: str) -> dict[str, Any]:
    """What the script prints for a folder: one JSON object and nothing else."""
    run = started(folder, *options)
    assert run.returncode == 0, run.stderr
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def started(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """The script after its run on a folder."""
    command = [sys.executable, str(SCRIPT), "--data", str(folder), *options]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


def reworded(folder: Path, name: str, old: str, new: str) -> None:
    """Change what a file of the folder says, in one place."""
    path = folder / name
    before = path.read_text("utf-8")
    assert before.count(old) == 1
    path.write_text(before.replace(old, new), "utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(MADE_UP, tmp_path / "set"))


@pytest.mark.parametrize("store", ["sqlite", "memory"])
def test_all_is_right_where_the_memory_is(store: str) -> None:
    found = evaluated(MADE_UP, "--store", store)
    shares = {kind: found[kind] for kind in ("now", "as_of", "bitemporal", "evidence")}
    assert shares == {"now": 1.0, "as_of": 1.0, "bitemporal": 1.0, "evidence": 1.0}
    assert (found["n"], found["seeds"]) == (14, 3)
    assert found["counts"] == {"claims": 9, "now": 5, "as_of": 5, "bitemporal": 4, "evidence": 12}
    assert found["same_in_every_order"] is True
    assert found["measures"]
    assert found["does_not_measure"]
    assert "failures" not in found


def test_what_a_set_does_not_ask_is_null(folder: Path) -> None:
    (folder / "queries_bitemporal.jsonl").unlink()
    found = evaluated(folder, "--seeds", "1")
    assert found["bitemporal"] is None
    assert (found["n"], found["seeds"]) == (10, 1)


@pytest.mark.parametrize(
    ("name", "old", "new", "kind", "share"),
    [
        ("queries.jsonl", '"expected":"Adopted"', '"expected":"Draft"', "now", 0.8),
        ("queries.jsonl", '"expected":"Draft"', '"expected":"Adopted"', "as_of", 0.8),
        ("queries_bitemporal.jsonl", '"expected":"23时30分"', '"expected":"22时"', "bitemporal", 0.75),
        ("queries.jsonl", '"evidence":"c3"', '"evidence":"c1"', "evidence", 0.916667),
    ],
)
def test_a_wrong_answer_lowers_its_share_alone(
    folder: Path, name: str, old: str, new: str, kind: str, share: float
) -> None:
    reworded(folder, name, old, new)
    found = evaluated(folder, "--seeds", "1")
    shares = {one: found[one] for one in ("now", "as_of", "bitemporal", "evidence")}
    assert shares == {"now": 1.0, "as_of": 1.0, "bitemporal": 1.0, "evidence": 1.0, kind: share}
    assert [failure["wrong"] for failure in found["failures"]] == [kind]


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    run = started(tmp_path / "nowhere")
    assert run.returncode == 2
    assert "nowhere" in run.stderr
