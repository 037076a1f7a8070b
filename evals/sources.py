"""How well the truth is found when sources disagree, with what is learned of the sources on the way.

    python evals/sources.py --data DIR

DIR is a folder, or holds folders, with two tables in CSV, each with a line of names first:

claims.csv    object, source, value: what a source says of an object
gold.csv      object, value: what is true, for a part of the objects; further columns are not read

Words of several parts count as the same value where they have the same parts, in whatever order and case,
initials left out ("Doe, Jane Q." and "JANE DOE"). Prints one JSON object, with an entry for each folder.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from dawid_skene import dawid_skene, voted

from knowwhy.core.confidence.calibration import assess
from knowwhy.core.confidence.channel import OTHER, Table
from knowwhy.core.confidence.copying import suggested_copies
from knowwhy.core.confidence.reliability import (
    Assertion,
    fitted,
    learn,
    tabulated,
)

Record: TypeAlias = dict[str, Any]

MEASURES: Final = (
    "For the objects with gold that something is claimed of: the share whose most probable value is the "
    "right one (accuracy; of equal ones the first in order), and of that value's probability the mean "
    "squared error (brier) and the calibration error over bins of equal mass (ece), beside the error that "
    "perfect calibration would show by chance (ece_floor). vote, one_coin and dawid_skene are the accuracy "
    "of the plain vote, of one reliability a source whether or not it is sure, and of confusion matrices for "
    "all sources (null where objects do not share their labels), in the same run. No gold is used in "
    "learning. model and certainty say what was believed of the sources, by how many standard errors; "
    "copy_links is the number of pairs that a person would be asked about, none of which is acted upon."
)
DOES_NOT_MEASURE: Final = (
    "Reading claims out of text, values that change in time, authority, or the confidence of a memory's "
    "beliefs, which counts evidence more cautiously. Whether two spellings mean one value is decided here by "
    "their words alone."
)
# A confusion matrix is asked for where there are this many objects to every label.
OBJECTS_FOR_A_LABEL: Final = 10
PARTED: Final = re.compile(r"[\s,;]")


@dataclass(frozen=True, slots=True)
class DataSet:
    """The claims and the gold of one folder."""

    name: str
    assertions: tuple[Assertion, ...]
    gold: Mapping[str, str]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--data", type=Path, required=True, help="a folder with a set, or one of such folders"
    )
    given = parser.parse_args()
    folders = list(found(given.data))
    if not folders:
        parser.error(f"{given.data} has no claims.csv with a gold.csv beside it, nor has a folder in it")
    sets: Record = {}
    for folder in folders:
        data = read(folder)
        print(f"{data.name}: {len(data.assertions)} claims", file=sys.stderr, flush=True)
        sets[data.name] = measured(data)
    printed = {"sets": sets, "measures": MEASURES, "does_not_measure": DOES_NOT_MEASURE}
    print(json.dumps(printed, ensure_ascii=False, indent=2))


def found(place: Path) -> Iterator[Path]:
    """The folders of the format: the place itself, or those in it."""
    for folder in (place, *(sorted(place.iterdir()) if place.is_dir() else ())):
        if (folder / "claims.csv").is_file() and (folder / "gold.csv").is_file():
            yield folder


def read(folder: Path) -> DataSet:
    """The data set in a folder."""
    claims = [
        Assertion(row["object"], row["source"], value_of(row["value"])) for row in rows(folder / "claims.csv")
    ]
    gold = {row["object"]: value_of(row["value"]) for row in rows(folder / "gold.csv")}
    return DataSet(folder.resolve().name, tuple(claims), gold)


def rows(path: Path) -> Iterator[dict[str, str]]:
    """The lines of a table by the names of its columns."""
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


def value_of(text: str) -> str:
    """The value as it is compared."""
    plain = text.strip().casefold()
    if not PARTED.search(plain):
        return plain
    return " ".join(sorted({word for word in re.findall(r"\w+", plain) if len(word) > 1})) or plain


def measured(data: DataSet) -> Record:
    """The scores of one set, as they are printed."""
    table = tabulated(data.assertions)
    learned = learn(data.assertions)
    scored = assess(verdicts(learned.posteriors, data.gold))
    return {
        "accuracy": accuracy(learned.posteriors, data.gold),
        "brier": round(scored.brier, 4),
        "ece": round(scored.ece, 4),
        "ece_floor": round(scored.floor, 4),
        "vote": accuracy({about: dict(voted(said)) for about, said in table.items()}, data.gold),
        "one_coin": accuracy(fitted(table).posteriors, data.gold),
        "dawid_skene": compared(table, data.gold),
        "n": scored.n,
        "model": str(learned.model),
        "certainty": round(learned.certainty, 2),
        "objects": len(table),
        "sources": len(learned.sources),
        "copy_links": len(suggested_copies(table, learned.posteriors)),
    }


def compared(table: Table, gold: Mapping[str, str]) -> float | None:
    """The accuracy of plain Dawid and Skene, or None where objects do not share their labels."""
    labels = Counter(value for said in table.values() for value in said.values())
    if len(labels) * OBJECTS_FOR_A_LABEL > len(table):
        return None
    return accuracy({about: dict(row) for about, row in dawid_skene(table).items()}, gold)


def verdicts(
    posteriors: Mapping[str, Mapping[Any, float]], gold: Mapping[str, str]
) -> list[tuple[float, bool]]:
    """Of each object with gold, the probability of its most probable value and whether that is right."""
    outcomes = []
    for about, right in sorted(gold.items()):
        if about in posteriors:
            named = {value: share for value, share in posteriors[about].items() if value is not OTHER}
            best = min(named, key=lambda value: (-named[value], value))
            outcomes.append((min(1.0, named[best]), best == right))
    return outcomes


def accuracy(posteriors: Mapping[str, Mapping[Any, float]], gold: Mapping[str, str]) -> float:
    """The share of right values."""
    outcomes = verdicts(posteriors, gold)
    return round(sum(is_right for _, is_right in outcomes) / len(outcomes), 4)


if __name__ == "__main__":
    main()
