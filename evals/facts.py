"""Facts of general knowledge from raw sentences, without a model: what is read, and what is answered then.

    python evals/facts.py --data DIR [--sizes 6k 32k] [--store sqlite|memory]

DIR holds, one JSON object a line, for each size:

facts_SIZE.jsonl          serial, text: a sentence; of two that contradict each other the higher is newer
claims_SIZE.jsonl         serial, subject, relation, value: what each sentence says, to measure the reading by
questions_sh_SIZE.jsonl   qid, question, answers: any of them must be part of what is answered
slots_sh_SIZE.jsonl       qid, subject, relation: what each of these questions is about; need not be there
questions_mh_SIZE.jsonl   the same for questions whose answer takes several facts in a row; need not be there

The schema is evals/facts_schema.yaml. The sentences are observed one by one in the order of their serials, as
words alone. Into a second memory the claims come parsed, with attributes whose values are entities, and
the questions are asked there by recall alone: it walks along what is currently held. No model plays a part.
Prints one JSON object; progress goes to standard error.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, TypeAlias

import yaml

import knowwhy

Record: TypeAlias = dict[str, Any]

MEASURES: Final = (
    "Reading: of the claims read out of sentences, the share that the claims file has too (precision), and "
    "the other way round (recall). Answering: whether an expected answer is part of what stands, asked "
    "by subject and attribute (ask), and of the first belief that a question in plain words brings (recall). "
    "from_claims: the same for parsed claims, of questions that take one fact (single) and several (multi)."
)
DOES_NOT_MEASURE: Final = (
    "Sentences in other wordings than those of the set, questions that take several facts from raw "
    "sentences, telling names apart, or confidence. The synonyms of the schema were written from the wording "
    "of the facts; the product's list of words for everyday relations was written when some questions of the "
    "6k set had been seen, and none of the 32k set."
)
SCHEMA: Final = Path(__file__).with_name("facts_schema.yaml")
FIRST_DAY: Final = datetime(2020, 1, 1, tzinfo=UTC)
BATCH: Final = 500
MOST_FAILURES: Final = 12


@dataclass(slots=True)
class Tally:
    """How many were right of how many, with some that were not."""

    right: int = 0
    asked: int = 0
    failures: list[Record] = field(default_factory=list)

    def add(self, *, is_right: bool, **told: object) -> None:
        """Count one, and keep it as an example if it is wrong."""
        self.right, self.asked = self.right + is_right, self.asked + 1
        if not is_right and len(self.failures) < MOST_FAILURES:
            self.failures.append(told)

    @property
    def share(self) -> float | None:
        """The share that was right; None where nothing was asked."""
        return round(self.right / self.asked, 4) if self.asked else None


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds the set")
    parser.add_argument("--sizes", nargs="+", default=["6k", "32k"], help="which of its sizes (6k 32k)")
    parser.add_argument(
        "--store", choices=("sqlite", "memory"), default="sqlite", help="a file (default) or not"
    )
    given = parser.parse_args()
    try:
        found = {size: measured(given.data, size, given.store) for size in given.sizes}
    except FileNotFoundError as missing:
        parser.error(f"{missing.filename} is not there")
    printed = {"sizes": found, "measures": MEASURES, "does_not_measure": DOES_NOT_MEASURE}
    print(json.dumps(printed, ensure_ascii=False, indent=2))


def measured(folder: Path, size: str, store: str) -> Record:
    """The scores for one size, as they are printed."""
    facts = list(lines(folder / f"facts_{size}.jsonl"))
    claims = list(lines(folder / f"claims_{size}.jsonl"))
    questions = list(lines(folder / f"questions_sh_{size}.jsonl"))
    slots_at = folder / f"slots_sh_{size}.jsonl"
    slots = list(lines(slots_at)) if slots_at.exists() else []
    with tempfile.TemporaryDirectory() as place:
        address = ":memory:" if store == "memory" else Path(place) / "memory.db"
        with knowwhy.open(address) as memory:
            declare(memory)
            started = time.perf_counter()
            read = observe(memory, facts)
            seconds = time.perf_counter() - started
            reading = compared(read, claims)
            return {
                "facts": len(facts),
                "claims": len(claims),
                "read": sum(map(len, read.values())),
                **reading,
                "single_hop_by_ask": shares(asked(memory, slots)),
                "single_hop_by_recall": shares(recalled(memory, questions)),
                "seconds_to_observe": round(seconds, 2),
                "from_claims": from_claims(folder, size, place if store == "sqlite" else None, claims),
            }


def from_claims(folder: Path, size: str, place: str | None, claims: list[Record]) -> Record:
    """What recall answers from parsed claims: questions of one fact, and of several."""
    address = ":memory:" if place is None else Path(place) / "claims.db"
    with knowwhy.open(address) as memory:
        for one in yaml.safe_load(SCHEMA.read_text(encoding="utf-8")):
            memory.declare(one["attribute"], value_type="entity", synonyms=one.get("synonyms", ()))
        for start in range(0, len(claims), BATCH):
            memory.observe_many(map(claimed, claims[start : start + BATCH]))
        found: Record = {}
        for name, kind in (("single", "sh"), ("multi", "mh")):
            path = folder / f"questions_{kind}_{size}.jsonl"
            if path.exists():
                found[name] = shares(recalled(memory, list(lines(path))))
                report(f"{name} questions asked of the claims")
        return found


def claimed(claim: Record) -> knowwhy.Observation:
    """A parsed claim, said a minute after the one before."""
    said = (FIRST_DAY + timedelta(minutes=claim["serial"])).isoformat()
    parsed = (claim["subject"], attribute_of(claim), claim["value"])
    return knowwhy.Observation(
        "facts", claims=[parsed], source_type="document", observed_at=said, recorded_at=said
    )


def declare(memory: knowwhy.Memory) -> None:
    """Declare the attributes of the schema."""
    for one in yaml.safe_load(SCHEMA.read_text(encoding="utf-8")):
        memory.declare(one.pop("attribute"), **one)


def observe(memory: knowwhy.Memory, facts: list[Record]) -> dict[int, list[tuple[str, str, str]]]:
    """Observe all sentences; gives what was read in each, by its serial."""
    read: dict[int, list[tuple[str, str, str]]] = {}
    for start in range(0, len(facts), BATCH):
        batch = facts[start : start + BATCH]
        outcome = memory.observe_many(observation(one) for one in batch)
        said = dict(zip(outcome.evidence, (one["serial"] for one in batch), strict=True))
        for out in outcome.read_outs:
            read[said[out.evidence]] = [(one.subject, one.attribute, one.value) for one in out.read]
        report(f"{start + len(batch)} of {len(facts)} sentences")
    return read


def observation(fact: Record) -> knowwhy.Observation:
    """A sentence as a document said it, a minute after the one before."""
    said = (FIRST_DAY + timedelta(minutes=fact["serial"])).isoformat()
    return knowwhy.Observation(
        "facts",
        fact["text"],
        source_type="document",
        observed_at=said,
        recorded_at=said,
        metadata={"serial": str(fact["serial"])},
        context=str(fact["serial"]),
    )


def compared(read: dict[int, list[tuple[str, str, str]]], claims: list[Record]) -> Record:
    """Precision and recall of what was read, with examples of both kinds of mistake."""
    wanted = {(one["serial"], *levelled(one["subject"], attribute_of(one), one["value"])) for one in claims}
    got = {(serial, *levelled(*claim)) for serial, those in read.items() for claim in those}
    both = len(wanted & got)
    return {
        "precision": round(both / len(got), 4) if got else None,
        "recall": round(both / len(wanted), 4) if wanted else None,
        "wrongly_read": sorted(got - wanted)[:MOST_FAILURES],
        "not_read": sorted(wanted - got)[:MOST_FAILURES],
    }


def attribute_of(claim: Record) -> str:
    """The name of a claim's relation, without the number before it."""
    return str(claim["relation"].partition(" ")[2])


def levelled(*words: str) -> tuple[str, ...]:
    """Words as they are compared: case, spacing and a closing mark do not matter."""
    return tuple(" ".join(one.casefold().split()).rstrip(".") for one in words)


def asked(memory: knowwhy.Memory, slots: list[Record]) -> Tally:
    """Ask for each slot what stands."""
    tally = Tally()
    for slot in slots:
        answer = memory.ask(slot["subject"], attribute_of(slot))
        is_right = holds(str(answer.value or ""), slot["answers"])
        tally.add(is_right=is_right, slot=slot, answered=str(answer.value))
    return tally


def recalled(memory: knowwhy.Memory, questions: list[Record]) -> Tally:
    """Ask each question in its own words, and look at the first belief."""
    tally = Tally()
    for one in questions:
        found = memory.recall(one["question"], limit=1).beliefs
        answered = str(found[0].value) if found else ""
        tally.add(is_right=holds(answered, one["answers"]), question=one, answered=answered)
    return tally


def holds(answered: str, expected: list[str]) -> bool:
    """Whether one of the expected answers is part of what was answered."""
    return any(one.casefold() in answered.casefold() for one in expected)


def shares(tally: Tally) -> Record:
    """A tally as it is printed."""
    return {
        "right": tally.right,
        "asked": tally.asked,
        "share": tally.share,
        **({"failures": tally.failures} if tally.failures else {}),
    }


def lines(path: Path) -> Iterator[Record]:
    """The JSON objects in a file, one a line."""
    with path.open(encoding="utf-8") as file:
        yield from (json.loads(line) for line in file if line.strip())


def report(progress: str) -> None:
    """Tell a waiting person how far it has come."""
    print(progress, file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
