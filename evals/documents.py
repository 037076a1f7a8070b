"""Whether a page in dated versions gives the right value at each date, in whatever order the versions come.

    python evals/documents.py --data DIR [--seed N]

DIR/lambda_limits holds one Markdown file for each version, named by its date: a page of limits, in tables of
two columns. One attribute is declared, by what the tables call their second column. The versions are
observed as documents, in order and in some shuffled orders. Then for each version each row of its tables is
asked for at its date, and ten days before the next version. What should stand is read by a few lines of
this script.

Prints one JSON object. Exits with 1 if an answer differs between orders.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final, TypeAlias

import knowwhy

Record: TypeAlias = dict[str, Any]

MEASURES: Final = (
    "Of the rows in the tables of each version, the share whose value stands at the date of the version, and "
    "ten days before the next. Whether all orders of arrival give the same answers. What the impact reports "
    "tell."
)
DOES_NOT_MEASURE: Final = (
    "Prose, tables of more columns, or whether rows of another name mean the same limit: what is renamed is "
    "dropped and added."
)
ATTRIBUTE: Final = "limit"
SYNONYMS: Final = ["limits", "default limit", "quota", "quotas", "default quota"]
SHUFFLES: Final = 4
MOST_FAILURES: Final = 12


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds lambda_limits")
    parser.add_argument("--seed", type=int, default=1, help="of the shuffled orders (1)")
    given = parser.parse_args()
    pages = sorted((given.data / "lambda_limits").glob("*.md"))
    if not pages:
        parser.error(f"{given.data / 'lambda_limits'} holds no versions")
    chance = random.Random(given.seed)
    orders = [pages, *(chance.sample(pages, len(pages)) for _ in range(SHUFFLES))]
    asked = list(questions(pages))
    found = [answered(order, asked) for order in orders]
    right = [wanted == got for (_, _, wanted), got in zip(asked, found[0][0], strict=True)]
    failures = [
        {"at": str(at), "row": row, "wanted": wanted, "got": got}
        for (at, row, wanted), got in zip(asked, found[0][0], strict=True)
        if wanted != got
    ]
    is_same = all(answers == found[0][0] for answers, _ in found)
    printed = {
        "versions": len(pages),
        "asked": len(asked),
        "right": sum(right),
        "share": round(sum(right) / len(right), 4),
        "orders": len(orders),
        "same_in_all_orders": is_same,
        "impacts_in_order": found[0][1],
        "failures": failures[:MOST_FAILURES],
        "measures": MEASURES,
        "does_not_measure": DOES_NOT_MEASURE,
    }
    print(json.dumps(printed, ensure_ascii=False, indent=2))
    return 0 if is_same else 1


def answered(pages: list[Path], asked: list[tuple[date, str, str]]) -> tuple[list[str | None], list[Record]]:
    """What stands for each question once the versions came in this order, and the impact of each version."""
    with knowwhy.open() as memory:
        memory.declare(ATTRIBUTE, value_type="text", synonyms=SYNONYMS)
        impacts = []
        for page in pages:
            impact = memory.observe_document(
                "limits.md", page.stem, page.read_text("utf-8"), observed_at=page.stem
            )
            names = ("confirmed", "changed", "added", "dropped")
            counts = {name: len(getattr(impact, name)) for name in names}
            impacts.append({"version": page.stem, "previous": impact.previous, **counts})
        return [stands(memory, at, row) for at, row, _ in asked], impacts


def stands(memory: knowwhy.Memory, at: date, row: str) -> str | None:
    """The value of a row at a date; None where none stands."""
    try:
        value = memory.at(valid=at).ask(row, ATTRIBUTE).value
    except knowwhy.KnowwhyError:
        return None
    return None if value is None else levelled(str(value))


def levelled(value: str) -> str:
    """A value without the mark that ends it, written as Markdown does."""
    return value.strip("*` ").rstrip("\\. ")


def questions(pages: list[Path]) -> list[tuple[date, str, str]]:
    """When each row of each version is asked for, and what should stand."""
    asked = []
    for page, following in zip(pages, [*pages[1:], None], strict=True):
        published = date.fromisoformat(page.stem)
        until = published if following is None else date.fromisoformat(following.stem) - timedelta(days=10)
        for row, value in rows(page.read_text("utf-8")):
            asked += [(published + timedelta(days=1), row, value), (max(published, until), row, value)]
    return asked


def rows(text: str) -> list[tuple[str, str]]:
    """The rows of the tables of two columns whose second one is a limit."""
    found = {}
    is_wanted = False
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.lstrip().startswith("|"):
            is_wanted = False
        elif len(cells) == 2 and cells[1].casefold() in (ATTRIBUTE, *SYNONYMS):
            is_wanted = True
        elif is_wanted and len(cells) == 2 and not re.fullmatch(r"[-: ]+", cells[0]) and all(cells):
            found[cells[0]] = levelled(cells[1])
    return list(found.items())


if __name__ == "__main__":
    sys.exit(main())
