"""The evaluation of sources that err runs on any folder of its format, and can fail."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "evals" / "noisy.py"
SUBJECTS = 40


def written(folder: Path, *, has_truth: bool = True) -> Path:
    """Forty prices that move once: two know them, gossip errs, and so does chatter, who speaks last."""
    claims, questions = [], []
    for place in range(SUBJECTS):
        old, new = f"{place} old", f"{place} new"
        said = [
            ("official", old, "2024-01-01"),
            ("clerk", old, "2024-01-05"),
            ("official", new, "2024-06-01"),
            ("clerk", new, "2024-06-05"),
            ("gossip", new if place % 4 == 0 else f"{place} rumour", "2024-07-01"),
            ("chatter", new if place % 3 == 0 else f"{place} talk", "2024-08-01"),
        ]
        claims += [
            {
                "claim_id": f"c{place}-{number}",
                "subject": f"thing {place}",
                "attribute": "price",
                "value": value,
                "source": source,
                "asserted_at": day,
            }
            for number, (source, value, day) in enumerate(said)
        ]
        asked = {"subject": f"thing {place}", "attribute": "price"}
        questions += [
            asked | {"as_of": None, "expected": new},
            asked | {"as_of": "2024-03-01", "expected": old},
        ]
    folder.mkdir()
    for name, rows in (("claims.jsonl", claims), ("queries.jsonl", questions)):
        (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    if has_truth:
        truth = {"official": {"accuracy_when_said": 1.0}, "gossip": {"accuracy_when_said": 0.25}}
        (folder / "source_truth.json").write_text(json.dumps(truth), "utf-8")
    return folder


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


@pytest.mark.parametrize("store", ["sqlite", "memory"])
def test_what_is_learned_finds_what_holds(tmp_path: Path, store: str) -> None:
    found = evaluated(written(tmp_path / "set"), "--seeds", "2", "--store", store)
    assert (found["now"], found["as_of"], found["answered"]) == (1.0, 1.0, 1.0)
    assert found["brier"] < found["before_learning"]["brier"]
    assert found["by_default_policy"]["now"] < found["now"]
    rates = {name: one["reliability"] for name, one in found["learned"].items()}
    assert min(rates["official"], rates["clerk"]) > 0.85
    assert rates["gossip"] < 0.6
    # Nobody speaks after it, so nobody can tell whether it errs or knows more.
    assert rates["chatter"] == 0.7
    assert found["learned"]["gossip"]["when_said"] == 0.25
    assert found["learned"]["clerk"]["when_said"] is None
    assert 0.0 < found["learned_error"] < 0.3
    assert found["learned_the_same_in_every_order"] is True
    assert (found["n"], found["seeds"]) == (2 * SUBJECTS, 2)
    assert found["measures"]
    assert found["does_not_measure"]


def test_a_source_is_left_out(tmp_path: Path) -> None:
    found = evaluated(written(tmp_path / "set", has_truth=False), "--seeds", "1")
    assert found["now_without_official"] == found["without"]["now"]
    assert "official" not in found["without"]["learned"]
    assert found["learned_error"] is None
    other = evaluated(tmp_path / "set", "--seeds", "1", "--without", "nobody")
    assert other["now_without_official"] is None
    assert "without" not in other


def test_a_wrong_answer_lowers_its_share(tmp_path: Path) -> None:
    folder = written(tmp_path / "set")
    questions = folder / "queries.jsonl"
    questions.write_text(questions.read_text("utf-8").replace('"7 new"', '"7 old"'), "utf-8")
    found = evaluated(folder, "--seeds", "1")
    assert (found["now"], found["as_of"]) == (1.0 - 1 / SUBJECTS, 1.0)


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    run = started(tmp_path / "nowhere")
    assert run.returncode == 2
    assert "nowhere" in run.stderr
