"""The evaluations of reading words run, can fail, and the published figures are those that they print."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "explanation" / "extraction.md"


def printed(script: str, *given: str, code: int = 0) -> dict[str, Any]:
    """What an evaluation prints."""
    command = [sys.executable, str(ROOT / "evals" / script), *given]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == code, ran.stderr
    found: dict[str, Any] = json.loads(ran.stdout)
    return found


def test_the_published_figures_are_those_of_the_set() -> None:
    found = printed("extraction.py")
    page = PAGE.read_text(encoding="utf-8")
    for half in ("development", "seen", "blind"):
        row = re.search(rf"^\| \**{half}\** \|(.*)$", page, re.MULTILINE)
        assert row is not None
        cells = [cell.strip(" *") for cell in row[1].split("|")]
        scores = found[half]
        assert cells[:3] == [
            str(scores["sentences"]),
            f"{scores['precision']:.3f}",
            f"{scores['recall']:.3f}",
        ]
    assert all(one["text"] in page for one in found["blind"]["failures"])


def test_a_third_of_each_part_are_traps_in_both_languages() -> None:
    written = yaml.safe_load((ROOT / "evals" / "extraction_set.yaml").read_text(encoding="utf-8"))
    for half in ("development", "seen", "blind"):
        for language in ("en", "zh"):
            kinds = [
                one["kind"]
                for one in written["sentences"]
                if one["half"] == half and one["id"].startswith(language)
            ]
            assert len(kinds) % 30 == 0
            assert 3 * sum(kind.startswith("trap") for kind in kinds) == len(kinds)


def test_a_set_that_expects_another_claim_misses_the_goal(tmp_path: Path) -> None:
    at = tmp_path / "set.yaml"
    at.write_text(
        """
        spoken: "2025-10-08T09:00:00+08:00"
        schema: [{attribute: office, value_type: text}]
        sentences:
          - id: en-1
            half: blind
            kind: possessive
            text: Ruth's office is B4.
            claims: [{subject: Ruth, attribute: office, value: B5}]
        """,
        encoding="utf-8",
    )
    found = printed("extraction.py", "--set", str(at), "--half", "blind", code=1)["blind"]
    assert (found["precision"], found["recall"]) == (0.0, 0.0)
    assert found["failures"][0]["missed"]


@pytest.mark.parametrize("is_right", [True, False])
def test_facts_are_read_and_asked_for(tmp_path: Path, *, is_right: bool) -> None:
    city = "Ghent" if is_right else "Bath"
    files: dict[str, list[dict[str, Any]]] = {
        "facts_1k.jsonl": [
            {"serial": 1, "text": "Ann Hill worked in the city of Bath."},
            {"serial": 2, "text": "Ann Hill worked in the city of Ghent."},
        ],
        "claims_1k.jsonl": [
            {"serial": 1, "subject": "Ann Hill", "relation": "P1 work location", "value": "Bath"},
            {"serial": 2, "subject": "Ann Hill", "relation": "P1 work location", "value": "Ghent"},
        ],
        "questions_sh_1k.jsonl": [{"qid": "q", "question": "Where did Ann Hill work?", "answers": [city]}],
        "slots_sh_1k.jsonl": [
            {"qid": "q", "subject": "Ann Hill", "relation": "P1 work location", "answers": [city]}
        ],
    }
    for name, rows in files.items():
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found = printed("facts.py", "--data", str(tmp_path), "--sizes", "1k", "--store", "memory")["sizes"]["1k"]
    assert (found["precision"], found["recall"]) == (1.0, 1.0)
    assert found["single_hop_by_ask"]["right"] == int(is_right)
