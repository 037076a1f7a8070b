"""Setting apart: the withdrawals that a quarantine comes to, and those that its end lifts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from knowwhy.core.model import (
    Evidence,
    Quarantine,
    Retraction,
    in_force,
    is_for_quarantine,
    quarantine_id,
)
from knowwhy.engine.intent import Intent, Reading


def set_apart(reading: Reading, one: Quarantine) -> tuple[tuple[Retraction, ...], tuple[str, ...]]:
    """What a quarantine, or its end, withdraws or lifts, and the evidence on which that bears."""
    found, concerned = list[Retraction](), list[str]()
    for item in reading.view.every(Evidence):
        if item.source.name != one.source:
            continue
        standing = in_force(item.withdrawals)
        if one.is_released:
            lifts = [each for each in item.withdrawals if is_for_quarantine(each) and not each.is_lifted]
            found += [Retraction(each.id) for each in lifts]
            concerned += [item.id] if lifts else []
        elif standing is None:
            found.append(_apart(item.id, reading))
            concerned.append(item.id)
    return tuple(found), tuple(concerned)


def with_set_apart(reading: Reading, intent: Intent) -> Intent:
    """The intent with what sources in quarantine say withdrawn as it comes in."""
    held = reading.schema.quarantined
    if any(isinstance(one, Quarantine) for one in intent.declarations):
        held = reading.schema.with_declared(intent.declarations).quarantined
    if not held or not intent.evidence:
        return intent
    named = {one.target for one in intent.retractions}
    apart = [one for one in intent.evidence if one.source.name in held and one.id not in named]
    if not apart:
        return intent
    return replace(
        intent,
        retractions=(*intent.retractions, *(_apart(one.id, reading) for one in apart)),
        warnings=(*intent.warnings, *_told(apart)),
    )


def _apart(evidence: str, reading: Reading) -> Retraction:
    return Retraction(evidence, "its source is in quarantine", quarantine_id(evidence, reading.at))


def _told(apart: list[Evidence]) -> Iterator[str]:
    for name in sorted({one.source.name for one in apart}):
        yield f"{name!r} is in quarantine: what it says is kept, and counts nothing until it is released."
