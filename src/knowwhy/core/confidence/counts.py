"""From how reliable a source is to how much one statement of it counts (theory §1.2, §1.3, §1.6)."""

from __future__ import annotations

import math
from typing import Final

# Weight of the prior: two imaginary observations split by the base rate.
PRIOR_WEIGHT: Final = 2.0

_WORST, _BEST = 0.5, 0.99


def evidence_count(reliability: float, weight: float = 1.0) -> float:
    """The evidence count of one statement by a source that is right with probability `reliability`.

    Chosen so that a single full statement of an uncontested proposition yields exactly that
    probability. Below one half a source counts as no evidence, not as evidence of the opposite;
    above 0.99 it is cut, so that nothing becomes beyond doubt.

    Raises:
        ValueError: not a finite probability, or a negative or infinite weight.
    """
    trusted = _trusted(reliability, weight)
    return PRIOR_WEIGHT * (trusted - 0.5) / (1.0 - trusted) * weight


def log_odds_weight(reliability: float, weight: float = 1.0) -> float:
    """The natural logarithm of the odds that the source is right, cut as for `evidence_count` (theory §1.2).

    It is the logarithm of the likelihood ratio of a source that errs as often in both directions.

    Raises:
        ValueError: not a finite probability, or a negative or infinite weight.
    """
    trusted = _trusted(reliability, weight)
    return math.log(trusted / (1.0 - trusted)) * weight


def source_weight(reliability: float, weight: float = 1.0) -> float:
    """The reliability itself, times the weight: what a score starts from (theory §1.3).

    Raises:
        ValueError: not a finite probability, or a negative or infinite weight.
    """
    _refuse_unless_countable(reliability, weight)
    return reliability * weight


def _trusted(reliability: float, weight: float) -> float:
    _refuse_unless_countable(reliability, weight)
    return min(max(reliability, _WORST), _BEST)


def _refuse_unless_countable(reliability: float, weight: float) -> None:
    if not (math.isfinite(reliability) and 0.0 <= reliability <= 1.0):
        msg = f"A reliability lies between 0 and 1, not {reliability}."
        raise ValueError(msg)
    if not (math.isfinite(weight) and weight >= 0.0):
        msg = f"A weight is finite and not negative, not {weight}."
        raise ValueError(msg)
