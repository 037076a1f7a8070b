"""Who may copy whom: voices that make the same mistakes (theory §4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from knowwhy.core.confidence.channel import Posterior, Table

_BELIEVED_FALSE: Final = 0.1
_SHARED_ERRORS_OF_A_COPY: Final = 3


@dataclass(frozen=True, slots=True)
class CopyLink:
    """Two voices that share so many errors that one may copy the other, or both a third."""

    first: str
    second: str
    shared_errors: int


def suggested_copies(table: Table, posteriors: Mapping[str, Posterior]) -> list[CopyLink]:
    """The pairs of voices with three or more values in common that are each believed false with P > 0.9.

    A suggestion for a person: voices that make the same mistakes since the objects are hard look alike.
    """
    shared: Counter[tuple[str, str]] = Counter()
    for about, said in table.items():
        false = sorted(
            voice for voice, value in said.items() if posteriors[about].get(value, 0.0) < _BELIEVED_FALSE
        )
        shared.update(pair for pair in combinations(false, 2) if said[pair[0]] == said[pair[1]])
    return [
        CopyLink(first, second, errors)
        for (first, second), errors in sorted(shared.items())
        if errors >= _SHARED_ERRORS_OF_A_COPY
    ]
