"""Whether the first belief that a question in plain words brings is the one in force: now, and as of a date.

    python evals/rule_change.py --data DIR [--seed N] [--store sqlite|memory] [--most N]

DIR holds claims.jsonl and queries.jsonl, as evals/evolving.py describes them. Claims are fed in shuffled
order; no attribute is declared. Each query becomes a question in words: its subject, and a sentence for its
attribute, of those below or else "What is known of ATTRIBUTE of SUBJECT?"; with the date, where it asks as of
one. The memory is asked without a time of its own, so that the words of the question must say it. Prints one
JSON object; progress goes to standard error.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any, Final, TypeAlias

from evolving import BATCH, DEFAULT_SOURCE_TYPE, lines, observation, report

import knowwhy

Record: TypeAlias = dict[str, Any]

MEASURES: Final = (
    "Whether the value of the first belief found is the expected one (first), whether that belief is among "
    "the first five (in_five), and whether a value that was true once, and no longer, comes first "
    "(stale_first): of questions about now, and about a date that is named in them."
)
DOES_NOT_MEASURE: Final = (
    "Reading claims out of text (they come parsed), questions in other words than those of the few sentences "
    "here, or questions that leave the subject's name out."
)
SENTENCES: Final = {
    "security support ends": "When does security support for {subject} end?",
    "active support ends": "When does active support for {subject} end?",
    "extended support ends": "Until when is there extended support for {subject}?",
    "released on": "When was {subject} released?",
    "discontinued": "When was {subject} discontinued?",
    "becomes LTS": "When does {subject} become LTS?",
}
OTHERWISE: Final = "What is known of {attribute} of {subject}?"
MOST_FAILURES: Final = 10


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds the set")
    parser.add_argument("--seed", type=int, default=1, help="in which order claims are fed (1)")
    parser.add_argument(
        "--store", choices=("sqlite", "memory"), default="sqlite", help="a file (default) or not"
    )
    parser.add_argument("--most", type=int, help="how many questions at the most (all)")
    given = parser.parse_args()
    try:
        claims = list(lines(given.data / "claims.jsonl"))
        questions = list(lines(given.data / "queries.jsonl"))[: given.most]
    except FileNotFoundError as missing:
        parser.error(f"{missing.filename} is not there")
    with tempfile.TemporaryDirectory() as folder:
        address = ":memory:" if given.store == "memory" else Path(folder) / "memory.db"
        with knowwhy.open(address) as memory:
            feed(memory, claims, given.seed)
            printed = asked(memory, questions)
    print(json.dumps(printed, ensure_ascii=False, indent=2))


def feed(memory: knowwhy.Memory, claims: list[Record], seed: int) -> None:
    """Observe all claims in the order of this seed."""
    order = list(claims)
    random.Random(seed).shuffle(order)
    for start in range(0, len(order), BATCH):
        memory.observe_many(observation(one) for one in order[start : start + BATCH])
        report(f"{min(start + BATCH, len(order))} of {len(order)} claims, as {DEFAULT_SOURCE_TYPE}s")


def in_words(query: Record) -> str:
    """The question that a query is."""
    sentence = SENTENCES.get(query["attribute"], OTHERWISE)
    words = sentence.format(subject=query["subject"], attribute=query["attribute"])
    return words if query.get("as_of") is None else f"As of {query['as_of']}: {words}"


def asked(memory: knowwhy.Memory, queries: list[Record]) -> Record:
    """Ask all questions and count."""
    right: Counter[str] = Counter()
    failures: list[Record] = []
    seconds = 0.0
    for query in queries:
        kind = "now" if query.get("as_of") is None else "as_of"
        started = time.perf_counter()
        found = memory.recall(in_words(query), limit=5).beliefs
        seconds += time.perf_counter() - started
        values = [str(one.value) for one in found]
        first = values[0] if values else None
        right[f"{kind} asked"] += 1
        right[f"{kind} first"] += first == query["expected"]
        right[f"{kind} in_five"] += query["expected"] in values
        is_stale = first != query["expected"] and first in query.get("stale", ())
        right[f"{kind} stale_first"] += is_stale
        if first != query["expected"] and len(failures) < MOST_FAILURES:
            best = f"{found[0].subject.name} / {found[0].attribute.name}" if found else None
            failures.append(
                {"asked": in_words(query), "expected": query["expected"], "got": first, "of": best}
            )
    report(f"{len(queries)} questions asked")
    shares = {
        kind: {
            "asked": right[f"{kind} asked"],
            **{
                name: round(right[f"{kind} {name}"] / right[f"{kind} asked"], 4)
                for name in ("first", "in_five", "stale_first")
            },
        }
        for kind in ("now", "as_of")
        if right[f"{kind} asked"]
    }
    return {
        **shares,
        "ms_a_question": round(1_000 * seconds / max(len(queries), 1), 2),
        "measures": MEASURES,
        "does_not_measure": DOES_NOT_MEASURE,
        **({"failures": failures} if failures else {}),
    }


if __name__ == "__main__":
    main()
