"""configure: by what a memory decides, where an attribute does not say."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from knowwhy.core.confidence import ConfidenceModel
from knowwhy.core.model import (
    FILLER,
    SOURCE_TYPES,
    WEIGHTS,
    Act,
    Auditing,
    Declared,
    Lifetimes,
    RankingWeights,
    Slot,
)
from knowwhy.core.revision import POLICIES, ContestKey
from knowwhy.engine.commit import write
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.space import Space
from knowwhy.errors import InvalidInput
from knowwhy.recall.ancestry import by_id, contests_of
from knowwhy.store.protocol import BeliefFilter, Snapshot

# Answers are kept on record for a hundred years at the most.
MOST_DAYS: Final = 36_500


def configure(
    space: Space,
    *,
    policy: str | None = None,
    confidence: str | None = None,
    ranking: Mapping[str, float] | None = None,
    lifetimes: Mapping[str, float] | None = None,
    audits: float | None = None,
    author: str | None = None,
    reason: str | None = None,
) -> Outcome:
    """Set the policy, the confidence model, weights, lifetimes or audits of a memory; the others stay.

    Raises:
        InvalidInput: nothing is named, or no such policy, model or weight.
    """
    if policy is None and confidence is None and not ranking and not lifetimes and audits is None:
        msg = "There is nothing to configure: name a policy, a confidence model, a weight or a lifetime."
        raise InvalidInput(msg)
    _check_lifetimes(lifetimes or {})
    if audits is not None and not 0.0 <= audits <= MOST_DAYS:
        msg = f"Answers are kept on record for 0 to {MOST_DAYS:,} days, not {audits}; 0 records none."
        raise InvalidInput(msg)
    if unknown := sorted(set(ranking or ()) - set(WEIGHTS)):
        msg = f"{unknown[0]!r} is no weight; recall ranks by {', '.join(WEIGHTS)}."
        raise InvalidInput(msg)
    if policy is not None and policy not in POLICIES:
        msg = f"{policy!r} is not a policy; use one of {', '.join(POLICIES)}."
        raise InvalidInput(msg)
    if confidence is not None and confidence not in set(ConfidenceModel):
        msg = f"{confidence!r} is not a confidence model; use one of {', '.join(ConfidenceModel)}."
        raise InvalidInput(msg)
    signature = Signature(Act.CONFIGURE, author, reason)

    def form(reading: Reading) -> Intent | Outcome:
        known = reading.schema.charter
        charter = replace(
            known,
            policy=policy or known.policy,
            confidence=ConfidenceModel(confidence) if confidence else known.confidence,
        )
        ranked = weights_of(reading.view)
        weights = ranked.changed(ranking or {})
        kept, recorded = lifetimes_of(reading.view), auditing_of(reading.view)
        pairs: tuple[tuple[Declared, Declared], ...] = (
            (charter, known),
            (weights, ranked),
            (kept.changed(lifetimes or {}), kept),
            (recorded if audits is None else replace(recorded, days=float(audits)), recorded),
        )
        declared = [one for one, was in pairs if one != was]
        if not declared:
            last = max(was.declared_in for _, was in pairs)
            return Outcome(operation=last, at=None, is_repeat=True)
        return Intent(
            declarations=tuple(declared), contests=all_contests(reading) if charter != known else ()
        )

    return write(space, signature, form)


def _check_lifetimes(lifetimes: Mapping[str, float]) -> None:
    for name, days in lifetimes.items():
        if name != FILLER and name not in SOURCE_TYPES:
            msg = f"{name!r} is not a source type; lifetimes are for {FILLER}, {', '.join(SOURCE_TYPES)}."
            raise InvalidInput(msg)
        if not (math.isfinite(days) and days >= 0.0):
            msg = f"The lifetime of {name} is a number of days, 0 for good, not {days}."
            raise InvalidInput(msg)


def weights_of(view: Snapshot) -> RankingWeights:
    """The weights that recall ranks by; the default ones where none were set or learned."""
    return view.declared(RankingWeights).get("", RankingWeights())


def lifetimes_of(view: Snapshot) -> Lifetimes:
    """For how long words are kept; for good where nothing was set."""
    return view.declared(Lifetimes).get("", Lifetimes())


def auditing_of(view: Snapshot) -> Auditing:
    """For how long answers are kept on record; they are not recorded where nothing was set."""
    return view.declared(Auditing).get("", Auditing())


def all_contests(reading: Reading) -> tuple[ContestKey, ...]:
    """Every contest of a memory, in a fixed order."""
    slots = [ContestKey(one.id) for one in reading.view.every(Slot)]
    held = reading.view.beliefs(BeliefFilter(contests=slots)) if slots else []
    return tuple(sorted(contests_of(reading.schema, held), key=by_id))
