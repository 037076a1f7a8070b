"""Plain Dawid and Skene (1979): a confusion matrix for every source, by expectation maximisation.

The method to compare with, written for that alone: it starts from the vote, counts with a hundredth added
to every cell, knows no prior and no "other", and learns from the table alone.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Final, TypeAlias

Table: TypeAlias = Mapping[str, Mapping[str, str]]  # object -> source -> value
Shares: TypeAlias = dict[str, dict[str, float]]  # object -> value -> probability

ADDED: Final = 0.01
MOST_ROUNDS: Final = 200
SMALLEST_CHANGE: Final = 1e-6


def dawid_skene(table: Table) -> Shares:
    """The probability of each label for each object, when all labels are shared by all objects."""
    labels = sorted({value for said in table.values() for value in said.values()})
    shares = {about: voted(said) for about, said in table.items()}
    for _ in range(MOST_ROUNDS):
        before = shares
        shares = expected(table, labels, *maximised(table, labels, shares))
        moved = max(
            abs(share - before[about].get(label, 0.0))
            for about, row in shares.items()
            for label, share in row.items()
        )
        if moved < SMALLEST_CHANGE:
            break
    return shares


def voted(said: Mapping[str, str]) -> dict[str, float]:
    """The share of sources that give each value."""
    return {value: count / len(said) for value, count in Counter(said.values()).items()}


Matrices: TypeAlias = dict[tuple[str, str], dict[str, float]]  # source and truth -> said -> log rate


def maximised(table: Table, labels: list[str], shares: Shares) -> tuple[dict[str, float], Matrices]:
    """The log frequency of each label, and for each source and true label the log rate of what it says."""
    frequency: dict[str, float] = defaultdict(float)
    counts: dict[tuple[str, str], dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for about, said in table.items():
        for truth, share in shares[about].items():
            frequency[truth] += share
            for source, value in said.items():
                counts[source, truth][value] += share
    sources = {source for said in table.values() for source in said}
    return logs(frequency, labels), {
        (source, truth): logs(counts[source, truth], labels) for source in sources for truth in labels
    }


def logs(counts: Mapping[str, float], labels: list[str]) -> dict[str, float]:
    """The logarithms of the rates."""
    total = sum(counts.values()) + ADDED * len(labels)
    return {label: math.log((counts.get(label, 0.0) + ADDED) / total) for label in labels}


def expected(table: Table, labels: list[str], frequency: Mapping[str, float], matrices: Matrices) -> Shares:
    """The probability of each label for each object under these rates."""
    shares: Shares = {}
    for about, said in table.items():
        row = {
            truth: frequency[truth] + sum(matrices[source, truth][value] for source, value in said.items())
            for truth in labels
        }
        highest = max(row.values())
        amounts = {truth: math.exp(log - highest) for truth, log in row.items()}
        total = sum(amounts.values())
        shares[about] = {truth: amount / total for truth, amount in amounts.items()}
    return shares
