"""The evaluation of sources that disagree runs on any folder of its format, and can fail."""

import csv
import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

SCRIPT = Path(__file__).parents[2] / "evals" / "sources.py"


def written(folder: Path, claims: Iterable[tuple[str, ...]], gold: Iterable[tuple[str, str]]) -> Path:
    """A folder with these tables."""
    folder.mkdir()
    for name, head, rows in (
        ("claims.csv", ("object", "source", "value"), claims),
        ("gold.csv", ("object", "value"), gold),
    ):
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([head, *rows])
    return folder


def one_sided(folder: Path) -> Path:
    """Forty objects, of which three sources in unison call every second one that is "no" a "yes"."""
    claims, gold = [], []
    for place in range(40):
        truth = "yes" if place % 2 else "no"
        slip = "yes" if place % 4 == 0 else truth
        said = {"a": slip, "b": slip, "c": slip, "d": truth, "e": truth, "f": truth if place % 7 else "no"}
        claims += [(f"o{place}", source, value) for source, value in said.items()]
        gold.append((f"o{place}", truth))
    return written(folder, claims, gold)


def spelled(folder: Path) -> Path:
    """Two books whose authors are spelled in several ways, and one of which only a source tells."""
    claims = [
        ("b1", "x", "Doe, Jane Q."),
        ("b1", "y", "JANE DOE"),
        ("b1", "z", "Roe, Rick"),
        ("b2", "x", "Poe"),
    ]
    return written(folder, claims, [("b1", "doe, jane"), ("b2", "Coe"), ("b3", "Loe")])


def evaluated(place: Path) -> dict[str, Any]:
    """What the script prints for a folder: one JSON object and nothing else."""
    run = started(place)
    assert run.returncode == 0, run.stderr
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def started(place: Path) -> subprocess.CompletedProcess[str]:
    """The script after its run on a folder."""
    command = [sys.executable, str(SCRIPT), "--data", str(place)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


def test_each_folder_found_is_measured(tmp_path: Path) -> None:
    one_sided(tmp_path / "first")
    spelled(tmp_path / "second")
    (tmp_path / "third").mkdir()
    found = evaluated(tmp_path)
    assert list(found["sets"]) == ["first", "second"]
    assert found["measures"]
    assert found["does_not_measure"]
    for measured in found["sets"].values():
        assert {"accuracy", "brier", "ece", "vote", "dawid_skene", "n"} <= measured.keys()


def test_a_folder_alone_is_measured_too(tmp_path: Path) -> None:
    found = evaluated(one_sided(tmp_path / "only"))["sets"]["only"]
    assert (found["n"], found["objects"], found["sources"]) == (40, 40, 6)
    assert found["dawid_skene"] >= 0.75
    assert found["accuracy"] >= found["vote"] - 0.01
    assert 0.0 <= found["brier"] <= 0.25
    assert found["ece_floor"] > 0.0


def test_spellings_are_one_value_and_a_wrong_one_counts_as_wrong(tmp_path: Path) -> None:
    found = evaluated(spelled(tmp_path / "books"))["sets"]["books"]
    assert (found["accuracy"], found["vote"], found["n"]) == (0.5, 0.5, 2)
    assert found["dawid_skene"] is None
    assert (found["model"], found["certainty"]) == ("prior", 0.0)


@pytest.mark.parametrize("name", ["empty", "nowhere"])
def test_a_folder_without_a_set_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    run = started(tmp_path / name)
    assert run.returncode == 2
    assert name in run.stderr
