"""The evaluations of recall run on any folder of their formats, and can fail."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EVALS = Path(__file__).parents[2] / "evals"

TALK = [
    ("Ann", "Where did you go on holiday?", "9:00 am on 8 May, 2023"),
    ("Bob", "To Lisbon, with the children.", "9:00 am on 8 May, 2023"),
    ("Ann", "I started to paint sunsets.", "10:00 am on 1 June, 2023"),
    ("Bob", "Cheese is what I like best.", "10:00 am on 1 June, 2023"),
    ("Ann", "The piano was tuned today.", "1:30 pm on 2 July, 2023"),
]
ASKED = [
    ("What does Ann paint?", ["2"], 4),
    ("Where was the holiday of Bob?", ["1"], 1),
    ("What happened on 2 July 2023?", ["4"], 2),
    ("What does Ann not like best?", ["3"], 5),
]


def run(script: str, folder: Path, *further: str) -> Any:  # noqa: ANN401 - JSON
    command = [sys.executable, str(EVALS / script), "--data", str(folder), "--store", "memory", *further]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def written(path: Path, records: list[dict[str, Any]]) -> None:
    path.write_text("".join(f"{json.dumps(one)}\n" for one in records), "utf-8")


@pytest.fixture
def talks(tmp_path: Path) -> Path:
    """Two conversations of the same turns; in the second one a key is wrong, and an audit corrects it."""
    for name in ("talk-1", "talk-2"):
        turns = [
            {"id": str(at), "speaker": speaker, "text": text, "date": date}
            for at, (speaker, text, date) in enumerate(TALK)
        ]
        questions: list[dict[str, Any]] = [
            {"question": words, "evidence": keys, "category": kind} for words, keys, kind in ASKED
        ]
        if name == "talk-2":
            questions[0] |= {"evidence": ["0"], "audit": {"evidence": ["2"]}}
        written(tmp_path / f"{name}.turns.jsonl", turns)
        written(tmp_path / f"{name}.questions.jsonl", questions)
    return tmp_path


def test_recall_finds_the_turns_and_beats_words_alone(talks: Path) -> None:
    found = run("recall.py", talks, "--embedder", "none")
    rows = found["groups"]["talk"]["rows"]
    whole = rows["all channels, no embedder, default weights"]
    assert whole["all"]["n"] == 6
    assert whole["all"]["recall@5"] == 1.0
    assert whole["2"]["mrr"] == 1.0
    assert whole["all"]["mrr"] >= rows["bm25"]["all"]["mrr"]
    assert whole["5"]["n"] == 2
    assert rows["names alone"]["all"]["recall@20"] == 0.0
    chosen = rows["all channels, no embedder, weights chosen on the other half"]
    assert set(chosen["weights"]) == {"half 1", "half 2"}
    assert found["embedder"] is None


def test_a_key_that_nothing_finds_lowers_the_score(talks: Path) -> None:
    questions = talks / "talk-1.questions.jsonl"
    written(questions, [{"question": "What does Ann paint?", "evidence": ["3"], "category": 4}])
    rows = run("recall.py", talks, "--embedder", "none")["groups"]["talk"]["rows"]
    assert rows["all channels, no embedder, default weights"]["4"]["mrr"] < 1.0


def test_rule_changes_are_asked_in_words(tmp_path: Path) -> None:
    claims = [
        {
            "claim_id": f"c{number}",
            "subject": subject,
            "attribute": "released on",
            "value": value,
            "asserted_at": day,
            "source": "page",
        }
        for number, (subject, value, day) in enumerate(
            [
                ("pear 1", "2024-05-01", "2024-01-01"),
                ("pear 1", "2024-06-01", "2024-03-01"),
                ("plum 2", "2024-02-02", "2024-01-01"),
            ]
        )
    ]
    asked: dict[str, Any] = {"subject": "pear 1", "attribute": "released on"}
    queries: list[dict[str, Any]] = [
        asked | {"as_of": None, "expected": "2024-06-01", "stale": ["2024-05-01"]},
        asked | {"as_of": "2024-02-01", "expected": "2024-05-01", "stale": ["2024-06-01"]},
        asked | {"as_of": None, "expected": "2024-05-01", "stale": ["2024-06-01"]},
    ]
    written(tmp_path / "claims.jsonl", claims)
    written(tmp_path / "queries.jsonl", queries)
    found = run("rule_change.py", tmp_path)
    assert found["now"] == {"asked": 2, "first": 0.5, "in_five": 0.5, "stale_first": 0.5}
    assert found["as_of"] == {"asked": 1, "first": 1.0, "in_five": 1.0, "stale_first": 0.0}


def test_questions_of_several_facts_are_asked_of_the_claims(tmp_path: Path) -> None:
    written(tmp_path / "facts_6k.jsonl", [{"serial": 0, "text": "Emma is written by nobody."}])
    written(
        tmp_path / "claims_6k.jsonl",
        [
            {"serial": at, "subject": subject, "relation": f"P{at} {relation}", "value": value}
            for at, (subject, relation, value) in enumerate(
                [
                    ("Emma", "author", "Jane Austen"),
                    ("Emma", "author", "Charles Dickens"),
                    ("Charles Dickens", "place of birth", "Portsmouth"),
                    ("Jane Austen", "place of birth", "Steventon"),
                ]
            )
        ],
    )
    single = [{"qid": "s", "question": "Who is the author of Emma?", "answers": ["Charles Dickens"]}]
    multi = [
        {"qid": "a", "question": "Where was the author of Emma born?", "answers": ["Portsmouth"]},
        {"qid": "b", "question": "Where was the author of Emma born?", "answers": ["Steventon"]},
    ]
    written(tmp_path / "questions_sh_6k.jsonl", single)
    written(tmp_path / "questions_mh_6k.jsonl", multi)
    found = run("facts.py", tmp_path, "--sizes", "6k")["sizes"]["6k"]["from_claims"]
    assert found["single"]["share"] == 1.0
    assert found["multi"]["share"] == 0.5
