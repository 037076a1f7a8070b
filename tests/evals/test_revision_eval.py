"""The evaluation of belief revision tells its two formats apart by content, and can fail."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "evals" / "revision.py"
MADE_UP = Path(__file__).parent / "made_up_revision"


def evaluated(folder: Path) -> dict[str, Any]:
    """What the script prints for a folder: one JSON object and nothing else."""
    run = started(folder)
    assert run.returncode == 0, run.stderr
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def started(folder: Path) -> subprocess.CompletedProcess[str]:
    """The script after its run on a folder."""
    command = [sys.executable, str(SCRIPT), "--data", str(folder)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


def test_all_is_exact_in_a_folder_that_holds_both_sets() -> None:
    found = evaluated(MADE_UP)
    assert (found["exact"], found["n"]) == (1.0, 5)
    assert {kind: (one["exact"], one["n"]) for kind, one in found["sets"].items()} == {
        "base": (1.0, 3),
        "iterated": (1.0, 2),
    }
    for one in found["sets"].values():
        assert set(one["by_operator"].values()) == {1.0}
        assert "failures" not in one
    assert found["measures"]
    assert found["does_not_measure"]


@pytest.mark.parametrize(("name", "kind"), [("bases", "base"), ("rankings", "iterated")])
def test_a_set_is_told_by_its_content(tmp_path: Path, name: str, kind: str) -> None:
    folder = Path(shutil.copytree(MADE_UP / name, tmp_path / "anything"))
    (folder / "other.jsonl").write_text('{"claim_id": "c1"}\n', "utf-8")
    assert list(evaluated(folder)["sets"]) == [kind]


@pytest.mark.parametrize(
    ("file", "old", "new", "kind", "wrong"),
    [
        ("bases/cases.jsonl", '"kernels":[[1]]', '"kernels":[[0],[1]]', "base", "revise kernels"),
        ("bases/cases.jsonl", '"by_priority":[1]}', '"by_priority":[0]}', "base", "contract by_priority"),
        ("rankings/sequences.jsonl", '"ranks":[1,3,0,2]', '"ranks":[0,3,1,2]', "iterated", "lexicographic"),
    ],
)
def test_what_is_not_exact_is_counted_and_shown(
    tmp_path: Path, file: str, old: str, new: str, kind: str, wrong: str
) -> None:
    folder = Path(shutil.copytree(MADE_UP, tmp_path / "set"))
    text = (folder / file).read_text("utf-8")
    assert text.count(old) == 1
    (folder / file).write_text(text.replace(old, new), "utf-8")
    found = evaluated(folder)
    assert found["exact"] == 0.8
    one = found["sets"][kind]
    assert one["exact"] == round((one["n"] - 1) / one["n"], 6)
    assert [name for name, share in one["by_operator"].items() if share < 1.0] == [wrong]
    assert [failure["wrong"] for failure in one["failures"]] == [[wrong]]


def test_a_folder_without_cases_is_refused(tmp_path: Path) -> None:
    run = started(tmp_path)
    assert run.returncode == 2
    assert "no cases" in run.stderr
    missing = started(tmp_path / "nowhere")
    assert missing.returncode == 2
    assert "nowhere" in missing.stderr
