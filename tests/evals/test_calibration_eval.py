"""The evaluation of calibration runs on any folder of its format, and can fail."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "evals" / "calibration.py"
OPPOSITE = {"SUPPORTS": "REFUTES", "REFUTES": "SUPPORTS"}


def written(folder: Path, claims: int, *, wrong_every: int = 10) -> Path:
    """Claims with one page for them or against them, of whose labels every tenth goes against the votes."""
    folder.mkdir()
    lines = []
    for place in range(claims):
        read = "SUPPORTS" if place % 2 else "REFUTES"
        label = OPPOSITE[read] if place % wrong_every == wrong_every - 1 else read
        sentences = [{"id": f"Page:{n}", "votes": [read, read, "NOT_ENOUGH_INFO"]} for n in range(3)]
        lines.append({"id": str(place), "label": label, "evidence": sentences})
    lines.append(
        {
            "id": "d",
            "label": "DISPUTED",
            "evidence": [{"id": "A:1", "votes": ["SUPPORTS"]}, {"id": "B:1", "votes": ["REFUTES"]}],
        }
    )
    lines.append({"id": "n", "label": "NOT_ENOUGH_INFO", "evidence": [{"id": "A:1", "votes": []}]})
    (folder / "claims.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n", "utf-8")
    return folder


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


def test_a_fit_on_one_half_mends_the_other(tmp_path: Path) -> None:
    found = evaluated(written(tmp_path / "set", 400))
    decided = found["decided"]
    assert decided["fitted_on"] + decided["n"] == 400
    assert found["n"] == 402
    assert decided["after"]["ece"] < decided["before"]["ece"]
    assert decided["after"]["brier"] < decided["before"]["brier"]
    assert decided["before"].keys() >= {"ece", "ece_floor", "brier", "log_loss", "z"}
    assert (
        decided["halvings"]["ece_from"] <= decided["halvings"]["ece_median"] <= decided["halvings"]["ece_to"]
    )
    assert found["measures"]
    assert found["does_not_measure"]


def test_votes_on_one_page_are_one_voice_and_a_quarrel_shows(tmp_path: Path) -> None:
    found = evaluated(written(tmp_path / "set", 40, wrong_every=41))
    assert found["conflict"]["DISPUTED"] > 0.7
    assert {found["conflict"][label] for label in ("SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO")} == {0.0}
    # Two thirds of a statement of reliability 0.85 count 2 (.35 / .15) (2 / 3) = 28 / 9, however often told.
    assert found["decided"]["before"]["brier"] == round((1 / (28 / 9 + 2)) ** 2, 4)


def test_too_few_labels_are_left_as_they_are(tmp_path: Path) -> None:
    found = evaluated(written(tmp_path / "set", 20))
    assert found["decided"]["map"] == "Identity()"
    assert found["decided"]["before"] == found["decided"]["after"]


def test_labels_against_the_votes_cost(tmp_path: Path) -> None:
    good = evaluated(written(tmp_path / "good", 100, wrong_every=10**6))
    bad = evaluated(written(tmp_path / "bad", 100, wrong_every=3))
    assert good["decided"]["before"]["brier"] < bad["decided"]["before"]["brier"]


@pytest.mark.parametrize("name", ["nowhere"])
def test_a_folder_that_is_not_there_is_named(tmp_path: Path, name: str) -> None:
    run = started(tmp_path / name)
    assert run.returncode == 2
    assert name in run.stderr
