"""How well a memory does among sources that err, once it has learned from them how reliable they are.

    python evals/noisy.py --data DIR [--seeds 3] [--store sqlite|memory] [--without official]

DIR holds claims.jsonl and queries.jsonl as for evolving.py and, if known, source_truth.json: for each source
how often it was right when it spoke (accuracy_when_said). Nothing is told of any source: all are of the same
type. Claims are fed in shuffled order, another for each seed, and again without the source that --without
names. Prints one JSON object; progress goes to standard error.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from evolving import DataSet, Record, feed, kind_of, read, reader, report

import knowwhy
from knowwhy.core.confidence.calibration import Assessment, assess

MEASURES: Final = (
    "Whether the value that stands is the expected one: now, and as of a date (where nothing stands, it is "
    "not); and, of the questions of both kinds that were answered, the mean squared error (brier) and the "
    "calibration error (ece) of the confidence, beside the error that perfect calibration would show by "
    "chance (ece_floor). The memory settles conflicts by evidence "
    "(confidence-first), since what is learned of sources is evidence; before_learning is the same memory "
    "until it learns, by_default_policy afterwards with the newer word first. learned has, for each "
    "source, the reliability learned, from how many statements beside others, and how often it was right "
    "when it spoke, as the set knows it (when_said). A source that comes round within a period counts as "
    "right there, so one that lags is learned to be better than when_said."
)
DOES_NOT_MEASURE: Final = (
    "Reading claims out of text, sources that copy each other's errors, authority, more than a handful of "
    "sources, or speed. Where a set has simulated sources, as evolving_noisy has its second-hand ones, their "
    "errors are independent of each other and of how hard a question is; real ones are not."
)
POLICY: Final = "confidence-first"
DEFAULT_POLICY: Final = "authority-then-recency"


@dataclass(slots=True)
class Score:
    """Whether each question was answered rightly, by its kind, and how confidently if it was answered."""

    right: dict[str, list[bool]] = field(default_factory=lambda: {"now": [], "as_of": []})
    confident: list[tuple[float, bool]] = field(default_factory=list)

    def share(self, kind: str) -> float | None:
        """The share of right answers, or None where nothing of the kind was asked."""
        return round(statistics.fmean(self.right[kind]), 4) if self.right[kind] else None

    def as_record(self) -> Record:
        """The shares and the errors, as they are printed."""
        found: Assessment = assess(self.confident)
        return {
            "now": self.share("now"),
            "as_of": self.share("as_of"),
            "answered": round(len(self.confident) / sum(map(len, self.right.values())), 4),
            "brier": round(found.brier, 4),
            "ece": round(found.ece, 4),
            "ece_floor": round(found.floor, 4),
        }


@dataclass(slots=True)
class Scores:
    """What came of one selection of sources, over all seeds."""

    before: Score = field(default_factory=Score)
    after: Score = field(default_factory=Score)
    by_default: Score = field(default_factory=Score)
    learned: list[tuple[knowwhy.SourceStanding, ...]] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds the set")
    parser.add_argument("--seeds", type=int, default=3, help="how many shuffled orders to feed (default 3)")
    parser.add_argument(
        "--store", choices=("sqlite", "memory"), default="sqlite", help="a file (default) or not"
    )
    parser.add_argument(
        "--without", default="official", help="the source that is left out (default official)"
    )
    given = parser.parse_args()
    if given.seeds < 1:
        parser.error("--seeds must be at least 1")
    try:
        data = of_one_type(read(given.data))
        truth = gold(given.data)
    except FileNotFoundError as missing:
        parser.error(f"{missing.filename} is not there")
    print(json.dumps(measured(data, truth, given), ensure_ascii=False, indent=2))


def of_one_type(data: DataSet) -> DataSet:
    """The set with nothing said of its sources."""
    return replace(data, claims=tuple(claim | {"source_type": None} for claim in data.claims))


def gold(folder: Path) -> Mapping[str, float]:
    """How often each source was right when it spoke; empty where the set does not know."""
    path = folder / "source_truth.json"
    if not path.exists():
        return {}
    known = json.loads(path.read_text("utf-8"))
    return {name: one["accuracy_when_said"] for name, one in known.items()}


def measured(data: DataSet, truth: Mapping[str, float], given: argparse.Namespace) -> Record:
    """The scores over all seeds, as they are printed."""
    scores = lived(data, given, "all sources")
    left = tuple(claim for claim in data.claims if claim["source"] != given.without)
    found: Record = {
        "data": data.name,
        "store": given.store,
        "policy": POLICY,
        **scores.after.as_record(),
        "now_without_official": None,
        "learned": learned(scores, truth),
        "learned_error": error(scores, truth),
        "before_learning": scores.before.as_record(),
        "by_default_policy": scores.by_default.as_record(),
    }
    if len(left) < len(data.claims):
        rest = lived(replace(data, claims=left), given, f"without {given.without}")
        found["now_without_official"] = rest.after.share("now")
        found["without"] = {
            "source": given.without,
            **rest.after.as_record(),
            "learned": learned(rest, truth),
            "before_learning": rest.before.as_record(),
            "by_default_policy": rest.by_default.as_record(),
        }
    return found | {
        "n": len(data.questions),
        "seeds": given.seeds,
        "counts": data.counts,
        "learned_the_same_in_every_order": all(one == scores.learned[0] for one in scores.learned),
        "measures": MEASURES,
        "does_not_measure": DOES_NOT_MEASURE,
    }


def lived(data: DataSet, given: argparse.Namespace, named: str) -> Scores:
    """What memories of these sources answer before they learn, afterwards, and by the default policy."""
    scores = Scores()
    for seed in range(1, given.seeds + 1):
        report(f"{named}, seed {seed}")
        with tempfile.TemporaryDirectory() as folder:
            address = ":memory:" if given.store == "memory" else Path(folder) / "memory.db"
            with knowwhy.open(address) as memory:
                memory.configure(policy=POLICY)
                feed(memory, data, seed)
                examine(memory, data, scores.before)
                memory.learn()
                examine(memory, data, scores.after)
                scores.learned.append(memory.sources())
                memory.configure(policy=DEFAULT_POLICY)
                examine(memory, data, scores.by_default)
    return scores


def examine(memory: knowwhy.Memory, data: DataSet, score: Score) -> None:
    """Ask all questions and count the right answers."""
    for question in data.questions:
        answer = reader(memory, question).ask(question["subject"], question["attribute"])
        is_right = answer.value == question["expected"]
        score.right[kind_of(question)].append(is_right)
        if answer.best:
            score.confident.append((answer.best.confidence, is_right))


def learned(scores: Scores, truth: Mapping[str, float]) -> Record:
    """What was learned of each source in the first order, beside what is known of it."""
    return {
        one.name: {
            "reliability": one.reliability if one.learned is None else one.learned,
            "statements": one.judged,
            "when_said": truth.get(one.name),
        }
        for one in scores.learned[0]
    }


def error(scores: Scores, truth: Mapping[str, float]) -> float | None:
    """By how much what was learned differs from how often sources were right when they spoke, on average."""
    known = [one for one in learned(scores, truth).values() if one["when_said"] is not None]
    if not known:
        return None
    return round(statistics.fmean(abs(one["reliability"] - one["when_said"]) for one in known), 4)


if __name__ == "__main__":
    main()
