"""How well claims are read out of raw sentences by rules, in English and Chinese.

    python evals/extraction.py [--set FILE] [--half development|seen|blind]

FILE (evals/extraction_set.yaml) holds a schema, and sentences with the claims that should be read out of
them; a third are traps. A claim counts as right if its subject, attribute, value, stance, modality and bounds
are all as expected. The halves are reported apart: the rules were written with `development` at hand, mended
for `seen`, and not changed for `blind`, which alone tells how well they do.

Prints one JSON object. Exits with 1 if a half that is there misses a goal: precision 0.95, recall 0.70.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, Final, TypeAlias

import yaml

from knowwhy.core.model import Draft, RawValue, Schema
from knowwhy.engine.declare import checked_attribute
from knowwhy.ingest.extraction import DeterministicExtractor
from knowwhy.ingest.validation import validated
from knowwhy.providers.extraction import Aim, Utterance

Record: TypeAlias = dict[str, Any]
Told: TypeAlias = tuple[str | None, ...]

MEASURES: Final = (
    "Precision: of the claims that were read, the share that was expected. Recall: of those expected, the "
    "share that was read. A claim needs the right subject, attribute, value, stance, modality and bounds."
)
DOES_NOT_MEASURE: Final = (
    "Texts of other trades and styles, sentences about attributes that are not declared, telling names "
    "apart, or what becomes of the claims. The rules and the sentences have one author, which flatters both."
)
SET: Final = Path(__file__).with_name("extraction_set.yaml")
HALVES: Final = ("development", "seen", "blind")
GOALS: Final = {"precision": 0.95, "recall": 0.70}


@dataclass(slots=True)
class Score:
    """How many claims were expected, read, and both."""

    expected: int = 0
    read: int = 0
    both: int = 0

    def add(self, expected: Counter[Told], read: Counter[Told]) -> None:
        """Count one sentence."""
        self.expected += expected.total()
        self.read += read.total()
        self.both += (expected & read).total()

    def as_dict(self) -> Record:
        """The score as it is printed."""
        return {
            "precision": round(self.both / self.read, 4) if self.read else None,
            "recall": round(self.both / self.expected, 4) if self.expected else None,
            "expected": self.expected,
            "read": self.read,
        }


@dataclass(slots=True)
class Scores:
    """The scores of one half: all of it, by language and by kind, and what went wrong."""

    all: Score = field(default_factory=Score)
    parts: dict[str, dict[str, Score]] = field(default_factory=lambda: {"language": {}, "kind": {}})
    sentences: int = 0
    traps: Score = field(default_factory=Score)
    unsure: Counter[str] = field(default_factory=Counter)
    failures: list[Record] = field(default_factory=list)

    def as_dict(self) -> Record:
        """The scores as they are printed."""
        by = {
            f"by_{part}": {name: one.as_dict() for name, one in sorted(scores.items())}
            for part, scores in self.parts.items()
        }
        return {
            "sentences": self.sentences,
            **self.all.as_dict(),
            "traps": self.traps.as_dict(),
            "unsure_as_expected": f"{self.unsure['right']} of {self.unsure['expected']}",
            **by,
            "failures": self.failures,
        }


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--set", type=Path, default=SET, help="the sentences (evals/extraction_set.yaml)")
    parser.add_argument("--half", choices=HALVES, help="one of the halves (all)")
    given = parser.parse_args()
    written: Record = yaml.safe_load(given.set.read_text(encoding="utf-8"))
    halves = [given.half] if given.half else HALVES
    found = {half: scored(written, half).as_dict() for half in halves}
    printed = {**found, "goals": GOALS, "measures": MEASURES, "does_not_measure": DOES_NOT_MEASURE}
    print(json.dumps(printed, ensure_ascii=False, indent=2))
    missed = [
        half
        for half, scores in found.items()
        if scores["sentences"] and any((scores[name] or 0.0) < goal for name, goal in GOALS.items())
    ]
    return 1 if missed else 0


def scored(written: Record, half: str) -> Scores:
    """The scores of one half of a set."""
    schema = declared(written["schema"])
    extractor = DeterministicExtractor()
    scores = Scores()
    for one in written["sentences"]:
        if one["half"] != half:
            continue
        utterance = Utterance(
            one["text"],
            moment(one.get("spoken", written["spoken"])),
            one.get("speaker", written.get("speaker")),
        )
        found = validated(extractor.extract(utterance, schema), utterance, schema)
        claims: list[Draft | Aim] = [*found.drafts, *found.aims]
        read = Counter(map(told, claims))
        expected = Counter(expectation(claim) for claim in one["claims"])
        add(scores, one, expected, read)
        if (missing := one.get("unsure")) is not None:
            scores.unsure["expected"] += 1
            scores.unsure["right"] += missing in {str(unsure.missing) for unsure in found.unsure}
    return scores


def add(scores: Scores, one: Record, expected: Counter[Told], read: Counter[Told]) -> None:
    """Count one sentence wherever it belongs."""
    scores.sentences += 1
    scores.all.add(expected, read)
    for part, name in (("language", one["id"][:2]), ("kind", one["kind"])):
        scores.parts[part].setdefault(name, Score()).add(expected, read)
    if one["kind"].startswith("trap"):
        scores.traps.add(expected, read)
    if expected != read:
        scores.failures.append(
            {
                "id": one["id"],
                "kind": one["kind"],
                "text": one["text"],
                "missed": shown(expected - read),
                "wrong": shown(read - expected),
            }
        )


def declared(attributes: Sequence[Record]) -> Schema:
    """The schema of a set, made as a memory makes it."""
    traits = ({name: value for name, value in one.items() if name != "attribute"} for one in attributes)
    names = (one["attribute"] for one in attributes)
    return Schema().with_declared(map(checked_attribute, names, traits))


def told(claim: Draft | Aim) -> Told:
    """A claim in the form in which claims are compared."""
    if isinstance(claim, Aim):
        ended = levelled(claim.valid_to)
        return claim.subject, claim.attribute, None, str(claim.stance), "asserted", None, ended
    return (
        claim.subject,
        claim.attribute,
        levelled(claim.value),
        str(claim.stance),
        str(claim.modality),
        levelled(claim.valid_from),
        levelled(claim.valid_to),
    )


def expectation(claim: Mapping[str, Any]) -> Told:
    """An expected claim in that form."""
    return (
        str(claim["subject"]),
        str(claim["attribute"]),
        levelled(claim.get("value")),
        claim.get("stance", "supports"),
        claim.get("modality", "asserted"),
        levelled(claim.get("valid_from")),
        levelled(claim.get("valid_to")),
    )


def levelled(value: RawValue | None) -> str | None:
    """A value or bound as text, in one way for one value."""
    if value is None:
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, date):
        return value.isoformat()
    try:
        return format(Decimal(str(value)).normalize(), "f")
    except InvalidOperation:
        return str(value)


def moment(spoken: datetime | str) -> datetime:
    """When something was said, in the zone that it was said in."""
    return spoken if isinstance(spoken, datetime) else datetime.fromisoformat(spoken)


def shown(claims: Counter[Told]) -> list[str]:
    """Claims as they are printed."""
    return [" | ".join("-" if part is None else part for part in claim) for claim in claims.elements()]


if __name__ == "__main__":
    sys.exit(main())
