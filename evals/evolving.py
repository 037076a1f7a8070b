"""How well a memory keeps up with values that change: now, as of a date, and as known on a date.

    python evals/evolving.py --data DIR [--seeds 3] [--store sqlite|memory] [--branches N]

DIR holds, one JSON object a line:

claims.jsonl              claim_id, subject, attribute, value, asserted_at, source (a name, or an object with
                          path and commit) and, if known: valid_from, valid_to, quote, source_type
queries.jsonl             subject, attribute, as_of (null: now), expected and, if known: evidence (a claim_id)
queries_bitemporal.jsonl  the same with known_on and valid_on in the place of as_of; need not be there

Claims are fed in shuffled order, another for each seed, into a new memory that learns from the loaded dates
alone what came before what. With --branches, half of them arrive on so many branches, which are merged in
random order before anything is asked. Prints one JSON object; progress goes to standard error.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

import knowwhy

Record: TypeAlias = dict[str, Any]

MEASURES: Final = (
    "Whether the value that stands is the expected one: now, as of a date (valid time), and as known on one "
    "date of another (both times); and whether the first statement cited for it is the one that proves it. "
    "Each is the share of right answers over all seeds."
)
DOES_NOT_MEASURE: Final = (
    "Reading claims out of text (they come parsed), telling names apart, weighing sources that disagree at "
    "one time, finding an answer by a question in plain words, or speed."
)
BATCH: Final = 500
MOST_FAILURES: Final = 10
DEFAULT_SOURCE_TYPE: Final = "document"


@dataclass(frozen=True, slots=True)
class DataSet:
    """The records of one folder."""

    name: str
    claims: tuple[Record, ...]
    questions: tuple[Record, ...]

    @property
    def counts(self) -> dict[str, int]:
        """How many claims there are, and how many questions of each kind."""
        kinds = Counter(kind_of(one) for one in self.questions)
        cited = sum(one.get("evidence") is not None for one in self.questions)
        return {"claims": len(self.claims), **kinds, "evidence": cited}


@dataclass(slots=True)
class Score:
    """Right answers and all answers of each kind, with some of those that were wrong."""

    right: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)
    failures: list[Record] = field(default_factory=list)

    def add(self, kind: str, question: Record, answered: Record, *, is_right: bool) -> None:
        """Count one answer, and keep it as an example if it is wrong."""
        self.asked[kind] += 1
        self.right[kind] += is_right
        if not is_right and len(self.failures) < MOST_FAILURES:
            self.failures.append({"wrong": kind, "question": question, "answered": answered})

    def share(self, kind: str) -> float | None:
        """The share of right answers, or None where nothing of the kind was asked."""
        return round(self.right[kind] / self.asked[kind], 6) if self.asked[kind] else None


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds the set")
    parser.add_argument("--seeds", type=int, default=3, help="how many shuffled orders to feed (default 3)")
    parser.add_argument(
        "--store", choices=("sqlite", "memory"), default="sqlite", help="a file (default) or not"
    )
    parser.add_argument(
        "--branches", type=int, default=0, help="on how many branches half of the claims arrive (default 0)"
    )
    given = parser.parse_args()
    if given.seeds < 1:
        parser.error("--seeds must be at least 1")
    try:
        data = read(given.data)
    except FileNotFoundError as missing:
        parser.error(f"{missing.filename} is not there")
    print(json.dumps(measured(data, given.seeds, given.store, given.branches), ensure_ascii=False, indent=2))


def read(folder: Path) -> DataSet:
    """The data set in a folder."""
    questions = list(lines(folder / "queries.jsonl"))
    bitemporal = folder / "queries_bitemporal.jsonl"
    if bitemporal.exists():
        questions.extend(lines(bitemporal))
    return DataSet(folder.resolve().name, tuple(lines(folder / "claims.jsonl")), tuple(questions))


def lines(path: Path) -> Iterator[Record]:
    """The JSON objects in a file, one a line."""
    with path.open(encoding="utf-8") as file:
        yield from (json.loads(line) for line in file if line.strip())


def measured(data: DataSet, seeds: int, store: str, branches: int = 0) -> Record:
    """The scores over all seeds, as they are printed."""
    score = Score()
    answers: list[list[Record]] = []
    for seed in range(1, seeds + 1):
        with tempfile.TemporaryDirectory() as folder:
            address = ":memory:" if store == "memory" else Path(folder) / "memory.db"
            with knowwhy.open(address) as memory:
                spoken = feed(memory, data, seed, branches)
                answers.append(examine(memory, data, spoken, score))
    found: Record = {
        "data": data.name,
        "store": store,
        "now": score.share("now"),
        "as_of": score.share("as_of"),
        "bitemporal": score.share("bitemporal"),
        "evidence": score.share("evidence"),
        "n": len(data.questions),
        "seeds": seeds,
        "branches": branches,
        "counts": data.counts,
        "same_in_every_order": all(one == answers[0] for one in answers),
        "measures": MEASURES,
        "does_not_measure": DOES_NOT_MEASURE,
    }
    return found | ({"failures": score.failures} if score.failures else {})


def feed(memory: knowwhy.Memory, data: DataSet, seed: int, branches: int = 0) -> dict[str, set[str]]:
    """Observe all claims in the order of this seed; gives the claims that each item of evidence holds.

    Half of them on branches, if there are to be any, which are merged in the end.
    """
    told: dict[str, set[str]] = {}
    for claim in data.claims:
        # Lines that say the same of the same source at the same time are one item of evidence.
        words = json.dumps({key: claim[key] for key in claim if key != "claim_id"}, sort_keys=True)
        told.setdefault(words, set()).add(claim["claim_id"])
    order, chance = list(told.items()), random.Random(seed)
    chance.shuffle(order)
    spoken: dict[str, set[str]] = {}
    size = BATCH if not branches else max(1, min(BATCH, len(order) // (4 * branches)))
    lines = [memory.fork(f"branch {number}") for number in range(branches)]
    for start in range(0, len(order), size):
        batch = order[start : start + size]
        on_a_branch = bool(lines) and (start // size) % 2 == 1
        line = chance.choice(lines) if on_a_branch else memory
        outcome = line.observe_many(observation(json.loads(words)) for words, _ in batch)
        assert len(outcome.evidence) == len(batch), "evidence of different claims was taken for the same"
        spoken.update(zip(outcome.evidence, (ids for _, ids in batch), strict=True))
        report(f"seed {seed}: {start + len(batch)} of {len(order)} claims")
    chance.shuffle(lines)
    for line in lines:
        memory.merge(line)
    return spoken


def observation(claim: Record) -> knowwhy.Observation:
    """A claim with the words it was read from, as its source said them on the day."""
    quote = claim.get("quote")
    source = claim["source"]
    is_named = isinstance(source, str)
    return knowwhy.Observation(
        source=source if is_named else source["path"],
        source_type=claim.get("source_type", DEFAULT_SOURCE_TYPE),
        text=quote,
        claims=[
            {
                "subject": claim["subject"],
                "attribute": claim["attribute"],
                "value": claim["value"],
                "valid_from": claim.get("valid_from"),
                "valid_to": claim.get("valid_to"),
                "quote": quote,
            }
        ],
        observed_at=claim["asserted_at"],
        recorded_at=claim["asserted_at"],
        metadata=None if is_named else {key: str(part) for key, part in source.items()},
    )


def examine(memory: knowwhy.Memory, data: DataSet, spoken: dict[str, set[str]], score: Score) -> list[Record]:
    """Ask all questions and count the right answers; gives the answers."""
    answers = []
    for question in data.questions:
        answer = reader(memory, question).ask(question["subject"], question["attribute"])
        cited = answer.best.support[:1] if answer.best else ()
        claims = sorted(spoken[cited[0].testimony.claim.evidence_id]) if cited else []
        answered: Record = {"value": answer.value, "evidence": claims, "status": status(answer)}
        answers.append(answered)
        is_right = answer.value == question["expected"]
        score.add(kind_of(question), question, answered, is_right=is_right)
        if question.get("evidence") is not None:
            score.add("evidence", question, answered, is_right=question["evidence"] in claims)
    report(f"{len(data.questions)} questions asked")
    return answers


def kind_of(question: Record) -> str:
    """Which of the times a question fixes: none, the one it is about, or also the one it is asked in."""
    if "known_on" in question:
        return "bitemporal"
    return "now" if question.get("as_of") is None else "as_of"


def reader(memory: knowwhy.Memory, question: Record) -> knowwhy.Reader:
    """The memory at the times that a question fixes."""
    if "known_on" in question:
        return memory.at(valid=question["valid_on"], known=question["known_on"])
    as_of = question.get("as_of")
    return memory if as_of is None else memory.at(valid=as_of)


def status(answer: knowwhy.Answer) -> str | None:
    """How the answer stands."""
    return str(answer.best.status) if answer.best else None


def report(progress: str) -> None:
    """Tell a waiting person how far it has come."""
    print(progress, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
