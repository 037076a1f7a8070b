"""Whether the confidence in a claim, from its evidence, keeps what it promises: before and after calibration.

    python evals/calibration.py --data DIR

DIR holds claims.jsonl, one JSON object a line: id, label (SUPPORTS, REFUTES, DISPUTED or NOT_ENOUGH_INFO) and
evidence, a list of sentences, each with an id (page:number) and votes (SUPPORTS, REFUTES, NOT_ENOUGH_INFO):
what annotators read in it about the claim.

The map is fitted on one half of the claims, split by a hash of their ids, and all figures are of the other.
Beside them stands what other halvings give, since one may be lucky. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from knowwhy.core.confidence import Mass, Tally, evidence_count
from knowwhy.core.confidence.calibration import Checked, assess, log_loss
from knowwhy.core.confidence.maps import Calibration, calibrated
from knowwhy.core.model import SOURCE_TYPES
from knowwhy.core.timeline import Instant

Record: TypeAlias = dict[str, Any]
Told: TypeAlias = tuple[str, Tally, bool]  # the id of a claim, the evidence on it, whether it holds

MEASURES: Final = (
    "Whether the probability that a claim holds, reckoned from its evidence, comes true as often as it says. "
    "A sentence counts as one statement of a document, for and against the claim in proportion to the votes; "
    "the sentences of one page are one voice, of which the strongest for and the strongest against count. "
    "decided: claims labelled as supported or refuted, the first of which hold. every: all claims, of which "
    "those labelled as supported hold. brier, log_loss, the calibration error over bins of equal mass (ece) "
    "and of equal width, the ece that perfect calibration would show by chance (ece_floor), and "
    "Spiegelhalter's z; before and after a map fitted on the other half. halvings: the ece after a map over "
    "twenty other ways to halve the claims: its median, the middle nine tenths, and the share below 0.08. "
    "after_base_rate: the same with the base rate, of some, from which mapped numbers lose least on the half "
    "they are fitted on, instead of one half. "
    "conflict: its mean for each label."
)
DOES_NOT_MEASURE: Final = (
    "Whether evidence is found, read or weighed rightly: votes are given. The labels of this format are "
    "drawn from the same votes, so that accuracy says little and the map may be sharper than truth would "
    "allow; whether the map would hold for another memory, source or time."
)
NOW: Final = Instant(0)
HALVINGS: Final = 20
BASE_RATES: Final = (0.5, 0.3, 0.2, 0.1, 0.05, 0.02)
GOAL: Final = 0.08


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder that holds claims.jsonl")
    given = parser.parse_args()
    try:
        claims = [json.loads(line) for line in (given.data / "claims.jsonl").read_text("utf-8").splitlines()]
    except FileNotFoundError as missing:
        parser.error(f"{missing.filename} is not there")
    print(json.dumps({"data": given.data.resolve().name, **measured(claims)}, ensure_ascii=False, indent=2))


def measured(claims: Iterable[Record]) -> Record:
    """The scores, as they are printed."""
    tallies = [(claim, tally(claim["evidence"])) for claim in claims]
    decided = [(one, told) for one, told in tallies if one["label"] in {"SUPPORTS", "REFUTES"}]
    conflicts: dict[str, list[float]] = {}
    for claim, told in tallies:
        conflicts.setdefault(claim["label"], []).append(told.conflict())
    return {
        "decided": before_and_after(decided),
        "every": before_and_after(tallies),
        "conflict": {label: round(sum(row) / len(row), 4) for label, row in sorted(conflicts.items())},
        "n": len(tallies),
        "measures": MEASURES,
        "does_not_measure": DOES_NOT_MEASURE,
    }


def tally(evidence: Iterable[Record]) -> Tally:
    """What the sentences say for and against a claim."""
    full = evidence_count(SOURCE_TYPES["document"].reliability)
    pros: dict[str, float] = {}
    contras: dict[str, float] = {}
    for sentence in evidence:
        page, votes = sentence["id"].rpartition(":")[0], sentence["votes"]
        for voices, word in ((pros, "SUPPORTS"), (contras, "REFUTES")):
            share = votes.count(word) / len(votes) if votes else 0.0
            voices[page] = max(voices.get(page, 0.0), full * share)
    return Tally(NOW, support=Mass(ageing=sum(pros.values())), refutation=Mass(ageing=sum(contras.values())))


def before_and_after(tallies: Iterable[tuple[Record, Tally]]) -> Record:
    """The measures of one half, with numbers as they are and as mapped by what the other half teaches."""
    told = [(claim["id"], one, claim["label"] == "SUPPORTS") for claim, one in tallies]
    fitted_on, aside = halved(told)
    counts = {"fitted_on": len(fitted_on), "n": len(aside)}
    if not (fitted_on and aside):
        return {**counts, "map": None, "before": None, "after": None}
    shown = calibrated(numbers(fitted_on))
    base_rate = best_base_rate(fitted_on)
    return {
        **counts,
        "map": repr(shown),
        "before": scores(numbers(aside)),
        "after": scores(mapped(shown, numbers(aside))),
        "halvings": over_halvings(told),
        "base_rate": base_rate,
        "after_base_rate": scores(
            mapped(calibrated(numbers(fitted_on, base_rate)), numbers(aside, base_rate))
        ),
        "halvings_base_rate": over_halvings(told, is_base_rate_chosen=True),
    }


def numbers(told: Iterable[Told], base_rate: float = 0.5) -> list[Checked]:
    """The probabilities that the evidence gives from a base rate, each with whether the claim holds."""
    return [(replace(one, base_rate=base_rate).confidence(), holds) for _, one, holds in told]


def mapped(shown: Calibration, checked: Iterable[Checked]) -> list[Checked]:
    """The same as a map shows them."""
    return [(shown(raw), came) for raw, came in checked]


def best_base_rate(fitted_on: Sequence[Told]) -> float:
    """The base rate from which mapped numbers lose least on the claims they are fitted on."""
    losses = []
    for base_rate in BASE_RATES:
        points = numbers(fitted_on, base_rate)
        losses.append(log_loss(mapped(calibrated(points), points)))
    return BASE_RATES[losses.index(min(losses))]


def over_halvings(told: Sequence[Told], *, is_base_rate_chosen: bool = False) -> Record | None:
    """The calibration error that other halvings leave, which tells luck from merit."""
    errors = []
    for number in range(1, HALVINGS + 1):
        fitted_on, aside = halved(told, f"{number} ")
        if fitted_on and aside:
            base_rate = best_base_rate(fitted_on) if is_base_rate_chosen else 0.5
            shown = calibrated(numbers(fitted_on, base_rate))
            errors.append(assess(mapped(shown, numbers(aside, base_rate))).ece)
    if not errors:
        return None
    errors.sort()
    return {
        "n": len(errors),
        "ece_median": round(errors[len(errors) // 2], 4),
        "ece_from": round(errors[len(errors) // 20], 4),
        "ece_to": round(errors[-1 - len(errors) // 20], 4),
        "below_goal": round(sum(one < GOAL for one in errors) / len(errors), 3),
    }


def halved(told: Iterable[Told], salt: str = "") -> tuple[list[Told], list[Told]]:
    """The claims in two halves by a hash of their salted ids; the same on every machine."""
    halves: tuple[list[Told], list[Told]] = ([], [])
    for one in told:
        halves[hashlib.sha256(f"{salt}{one[0]}".encode()).digest()[0] % 2].append(one)
    return halves


def scores(checked: list[Checked]) -> Record:
    """The measures of some probabilities."""
    found = assess(checked)
    figures = {
        "ece": found.ece,
        "ece_floor": found.floor,
        "ece_equal_width": found.ece_equal_width,
        "brier": found.brier,
        "log_loss": found.log_loss,
        "z": found.z,
    }
    return {name: round(figure, 4) for name, figure in figures.items()}


if __name__ == "__main__":
    main()
