"""BM25 as the in-memory store computes it, and every other store the same."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Final

# As SQLite's full-text search has it: its saturation, its length norm, and its floor for terms that more than
# half of all documents contain.
K1: Final = 1.2
B: Final = 0.75
LEAST_IDF: Final = 1e-6


def bm25(texts: Mapping[str, Counter[str]], frequencies: Mapping[str, int]) -> dict[str, float]:
    """The score of every document that contains any of the terms (Robertson and Zaragoza 2009, §3.1)."""
    average = sum(entry.total() for entry in texts.values()) / max(len(texts), 1)
    weights = {
        term: max(math.log((len(texts) - count + 0.5) / (count + 0.5)), LEAST_IDF)
        for term, count in frequencies.items()
    }
    scores = {}
    for document, entry in texts.items():
        if met := [term for term in weights if term in entry]:
            norm = K1 * (1.0 - B + B * entry.total() / average)
            scores[document] = sum(
                weights[term] * entry[term] * (K1 + 1.0) / (entry[term] + norm) for term in met
            )
    return scores
