"""The trial of the rules by which maps are fitted runs, and says that it is simulated."""

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "evals" / "maps.py"


def test_it_tries_each_rule_against_another() -> None:
    command = [sys.executable, str(SCRIPT), "--worlds", "1"]
    run = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert run.returncode == 0, run.stderr
    found = json.loads(run.stdout)
    assert found["simulated"] is True
    assert all(row["own"] >= 0 and row["shared"] >= 0 for row in found["own_or_shared"])
    many = [row for row in found["own_or_shared"] if row["spread"] == 0.6 and row["labels_each"] == 400]
    assert many[0]["own"] < many[0]["shared"]
    assert {row["labels"] for row in found["choice"]} == {200, 400, 800}
    assert all(0 <= row["held"] <= 1 for row in found["intervals"])
