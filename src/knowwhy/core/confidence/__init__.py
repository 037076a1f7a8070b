"""How confident: a number that is a function of evidence and of the instant asked about."""

from knowwhy.core.confidence.competition import Prior, Side, Tally, compete
from knowwhy.core.confidence.counts import PRIOR_WEIGHT, evidence_count
from knowwhy.core.confidence.decay import decay
from knowwhy.core.confidence.factors import FactorTally
from knowwhy.core.confidence.fusion import (
    averaging,
    compromise,
    cumulative,
    deduced,
    discounted_counts,
    weighted,
)
from knowwhy.core.confidence.log_odds import LogOddsTally
from knowwhy.core.confidence.mass import NO_MASS, Mass, Voice
from knowwhy.core.confidence.models import (
    AnyTally,
    ConfidenceModel,
    statement_count,
    tally_fields,
    tally_from,
    weighed,
)
from knowwhy.core.confidence.opinion import VACUOUS, Opinion

__all__ = [
    "NO_MASS",
    "PRIOR_WEIGHT",
    "VACUOUS",
    "AnyTally",
    "ConfidenceModel",
    "FactorTally",
    "LogOddsTally",
    "Mass",
    "Opinion",
    "Prior",
    "Side",
    "Tally",
    "Voice",
    "averaging",
    "compete",
    "compromise",
    "cumulative",
    "decay",
    "deduced",
    "discounted_counts",
    "evidence_count",
    "statement_count",
    "tally_fields",
    "tally_from",
    "weighed",
    "weighted",
]
