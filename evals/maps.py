"""By what rules maps are fitted, tried on made-up labels: all of it is simulated, and says so.

    python evals/maps.py [--worlds N]

Prints one JSON object. `own_or_shared`: six attributes whose numbers are off by log odds that differ by some
spread; what a map of an attribute's own loses, and one shared by all, in nats above the best there could be.
`choice`: what is lost where the map is chosen by the price of its parameters (as it is), by labels set aside,
and with an isotonic map admitted from 200 labels on. `intervals`: how often the real calibration error lies
in the interval that is given, and in that of the plain percentiles, which should be 0.95.
"""

from __future__ import annotations

import argparse
import json
import math
import random
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from knowwhy.core.confidence.calibration import Checked, bins_of_equal_mass, calibration_error, log_loss
from knowwhy.core.confidence.maps import (
    Beta,
    Calibration,
    Isotonic,
    Sigmoid,
    beta_map,
    calibrated,
    isotonic_map,
    platt_map,
)
from knowwhy.core.confidence.resampling import intervals

Truth: TypeAlias = Callable[[float], float]

TRUTHS: Final[dict[str, Truth]] = {
    "as said": lambda p: p,
    "overdone": Sigmoid(0.5),
    "shifted": Sigmoid(1.5, -1.0),
    "one-sided": Beta(0.2, 4.0, -3.0),
    "staircase": lambda p: 0.08 if p < 0.4 else 0.5 if p < 0.75 else 0.93,
    "jump": lambda p: 0.1 if p < 0.55 else 0.85,
}
COARSE: Final = (0.15, 0.25, 0.5, 0.5, 0.5, 0.75, 0.85, 0.85, 0.9, 0.95)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--worlds", type=int, default=20, help="how many worlds for each figure (default: 20)"
    )
    worlds = parser.parse_args().worlds
    print(json.dumps({"simulated": True, "worlds": worlds, **measured(worlds)}, indent=2))


def measured(worlds: int) -> dict[str, Any]:
    """All figures."""
    return {
        "own_or_shared": [
            own_or_shared(spread, labels, worlds)
            for spread in (0.0, 0.15, 0.3, 0.6)
            for labels in (30, 100, 200, 400)
        ],
        "choice": [choice(labels, worlds) for labels in (200, 400, 800)],
        "intervals": [
            coverage(name, labels, worlds) for name in ("as said", "overdone") for labels in (100, 300)
        ],
    }


def own_or_shared(spread: float, labels: int, worlds: int) -> dict[str, float]:
    """What both maps lose for one of six attributes with so many labels each."""
    chance = random.Random(7)
    own, shared, raw = [], [], []
    for _ in range(worlds):
        truths = [Sigmoid(0.7 * math.exp(chance.gauss(0, spread)), chance.gauss(0, spread)) for _ in range(6)]
        given = [checked(chance, truth, labels, coarse=0.5) for truth in truths]
        asked = numbers(chance, 300, coarse=0.5)
        own.append(lost(calibrated(given[0]), truths[0], asked))
        shared.append(lost(calibrated([one for each in given for one in each]), truths[0], asked))
        raw.append(lost(Sigmoid(), truths[0], asked))
    return {
        "spread": spread,
        "labels_each": labels,
        **rounded({"own": mean(own), "shared": mean(shared), "raw": mean(raw)}),
    }


def choice(labels: int, worlds: int) -> dict[str, Any]:
    """What is lost on average over all truths and kinds of numbers, by how the map is chosen."""
    chance = random.Random(3)
    by: dict[str, list[float]] = {"price": [], "set aside": [], "price, any shape": []}
    for truth in TRUTHS.values():
        for coarse in (0.0, 1.0):
            for _ in range(worlds):
                points = checked(chance, truth, labels, coarse)
                asked = numbers(chance, 300, coarse)
                by["price"].append(lost(calibrated(points), truth, asked))
                by["set aside"].append(lost(set_aside(points), truth, asked))
                by["price, any shape"].append(lost(any_shape(points), truth, asked))
    return {"labels": labels, **rounded({name: mean(those) for name, those in by.items()})}


def set_aside(points: Sequence[Checked]) -> Calibration:
    """The map that does best on every second label in order of arrival, fitted to all."""
    seen, aside = points[::2], points[1::2]
    makers = (platt_map, beta_map)
    losses = []
    for make in makers:
        trial = make(seen)
        losses.append(log_loss([(trial(raw), came) for raw, came in aside]))
    return makers[losses.index(min(losses))](points)


def any_shape(points: Sequence[Checked]) -> Calibration:
    """The map worth its parameters, an isotonic one among the choices."""
    maps: list[Sigmoid | Beta | Isotonic] = [platt_map(points), beta_map(points), isotonic_map(points)]
    price = math.log(len(points)) / 2.0
    costs = [
        len(points) * log_loss([(one(raw), came) for raw, came in points]) + price * one.parameters
        for one in maps
    ]
    return maps[costs.index(min(costs))]


def coverage(name: str, labels: int, worlds: int) -> dict[str, Any]:
    """How often the real calibration error is in its interval, two labels to a subject."""
    chance, truth = random.Random(11), TRUTHS[name]
    grid = [0.3 + 0.67 * (step + 0.5) / 500 for step in range(500)]
    error = mean([abs(p - truth(p)) for p in grid])
    basic = plain = 0
    for _ in range(worlds):
        points = [(p, chance.random() < truth(p)) for p in chance.choices(grid, k=labels)]
        groups = [points[place : place + 2] for place in range(0, labels, 2)]
        draws = [chance.choices(range(len(groups)), k=len(groups)) for _ in range(200)]
        least, greatest = intervals(groups, draws).ece
        basic += least <= error <= greatest
        errors = sorted(
            calibration_error(bins_of_equal_mass([one for place in draw for one in groups[place]]))
            for draw in draws
        )
        plain += errors[5] <= error <= errors[-6]
    return {
        "numbers": name,
        "labels": labels,
        **rounded({"real_ece": error, "held": basic / worlds, "held_by_percentiles": plain / worlds}),
    }


def numbers(chance: random.Random, count: int, coarse: float) -> list[float]:
    """Raw numbers, a share of them of a few kinds as a memory with few kinds of sources has them."""
    return [
        chance.choice(COARSE) if chance.random() < coarse else chance.uniform(0.03, 0.97)
        for _ in range(count)
    ]


def checked(chance: random.Random, truth: Truth, count: int, coarse: float) -> list[Checked]:
    """Such numbers with what came of them."""
    return [(p, chance.random() < truth(p)) for p in numbers(chance, count, coarse)]


def lost(shown: Calibration, truth: Truth, asked: Sequence[float]) -> float:
    """By how much the expected log loss of what is shown exceeds the least possible."""
    total = 0.0
    for p in asked:
        real, said = truth(p), shown(p)
        total += real * math.log(real / said) + (1.0 - real) * math.log((1.0 - real) / (1.0 - said))
    return total / len(asked)


def mean(numbers_: Sequence[float]) -> float:
    return math.fsum(numbers_) / len(numbers_)


def rounded(figures: dict[str, float]) -> dict[str, float]:
    return {name: round(figure, 4) for name, figure in figures.items()}


if __name__ == "__main__":
    main()
