"""Concluding: what a step of dreaming proposes, as what goes on record for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from knowwhy.consolidate.material import is_own
from knowwhy.consolidate.plan import Conclusion, Proposal, Step
from knowwhy.core.model import (
    DREAMT,
    PUBLIC,
    SOURCE_TYPES,
    Access,
    Archive,
    Claim,
    Declared,
    Derivation,
    Evidence,
    Identity,
    Modality,
    Retraction,
    Sameness,
    Source,
    Testimony,
    claim_of,
    content_of,
    evidence_id,
    in_force,
)
from knowwhy.core.revision import ContestKey
from knowwhy.core.timeline import BEGINNING, Instant
from knowwhy.engine.intent import Intent, Reading
from knowwhy.engine.redeclare import redeclared
from knowwhy.store.encoding import declared_text

_DERIVED: Final = SOURCE_TYPES["derived"]
# Why what was concluded earlier is withdrawn: it may be concluded again, unlike what somebody took back.
REPLACED: Final = f"{DREAMT}concluded something else"


def concluded(reading: Reading, step: Step, proposal: Proposal) -> Intent:
    """The intent of a proposal, without what is on record already; empty where all of it is.

    What somebody withdrew is not concluded again.
    """
    rule = step.rule
    slots = {one.slot.id: one.slot for one in proposal.conclusions}
    slots |= {one.id: one for one in proposal.rules_on}
    earlier = _earlier(reading, rule, sorted(slots))
    items = {one.id: one for one in _known(reading, (one.claim.evidence_id for one in earlier))}
    kept: set[str] = set()
    evidence, claims = list[Evidence](), list[Claim]()
    for one in proposal.conclusions:
        seen = _known(reading, one.evidence)
        if (access := _access(seen)) is None:
            continue
        item = _record(
            reading, rule, one, access, max((each.effective_at for each in seen), default=reading.at)
        )
        if standing := [known.id for known in items.values() if known.content == item.content]:
            kept.update(standing)
            continue
        if (fresh := _afresh(reading, item)) is None:
            continue
        evidence.append(fresh)
        claims.append(_claim(rule, one, fresh.id))
    replaced = [Retraction(one, REPLACED) for one in sorted(items) if one not in kept]
    intent = redeclared(reading, _news(reading, proposal.declarations))
    return intent.beside(
        Intent(
            entities=tuple({one.slot.subject.id: one.slot.subject for one in claims}.values()),
            sources=tuple(dict.fromkeys(one.source for one in evidence)),
            evidence=tuple(evidence),
            claims=tuple(claims),
            retractions=(*replaced, *_standing(reading, proposal.retractions)),
            contests=proposal.contests,
            reported=tuple(one.id for one in evidence),
        )
    )


def is_empty(intent: Intent) -> bool:
    """Whether nothing would go on record."""
    return not (intent.evidence or intent.retractions or intent.declarations or intent.contests)


def _earlier(reading: Reading, rule: str, slots: Sequence[str]) -> list[Testimony]:
    """What the same step concluded earlier on some slots, and stands."""
    if not slots:
        return []
    said = reading.view.testimonies([ContestKey(one) for one in slots])
    return [
        one
        for those in said.values()
        for one in those
        if is_own(one.source) and one.source.name == f"rule {rule}" and one.retracted_at is None
    ]


def _known(reading: Reading, ids: Iterable[str]) -> list[Evidence]:
    wanted = sorted(set(ids))
    return reading.view.evidence(ids=wanted) if wanted else []


def _access(seen: Iterable[Evidence]) -> Access | None:
    """Who may read a conclusion: those who may read all it rests on, if that is the same for all of it."""
    found = {PUBLIC if item.access.is_public else item.access for item in seen} or {PUBLIC}
    return found.pop() if len(found) == 1 else None


def _record(reading: Reading, rule: str, one: Conclusion, access: Access, seen_at: Instant) -> Evidence:
    """The evidence of a conclusion, as old as what was seen last; the same conclusion is the same record."""
    source = Source(f"rule {rule}", _DERIVED.name, _DERIVED.authority, _DERIVED.reliability)
    text = f"{one.slot.subject.name} / {one.slot.attribute} = {one.value}, since {one.words}."
    terms = (one.slot.id, one.value.key, *one.premises, "from", *one.evidence, str(one.strength))
    content = content_of(source, text, " ".join(terms), None, access)
    return Evidence(
        id=evidence_id(content, BEGINNING),
        content=content,
        text=text,
        source=source,
        observed_at=seen_at,
        effective_at=seen_at,
        recorded_at=reading.at,
        groups=(source.group,),
        derived_from=one.evidence,
        access=access,
    )


def _afresh(reading: Reading, item: Evidence) -> Evidence | None:
    """The item, as a record of its own where it was replaced meanwhile; None where somebody took it back."""
    recorded = _known(reading, [item.id])
    if not recorded:
        return item
    withdrawal = in_force(recorded[0].withdrawals)
    if withdrawal is None or withdrawal.reason != REPLACED:
        return None
    return replace(item, id=evidence_id(item.content, reading.at))


def _claim(rule: str, one: Conclusion, item: str) -> Claim:
    claim = claim_of(item, one.slot, one.value)
    if not one.premises:
        return replace(claim, modality=Modality.INFERRED)
    return replace(claim, derivation=Derivation(one.premises, (), rule, one.strength))


def _news(reading: Reading, declarations: Sequence[Declared]) -> list[Declared]:
    """The declarations that are not in force already, and that nobody has decided otherwise."""
    found = []
    for one in declarations:
        known = reading.view.declared(type(one), [one.key]).get(one.key)
        if known is None or (declared_text(known) != declared_text(one) and not _is_taken_back(known, one)):
            found.append(one)
    return [one for one in found if not (isinstance(one, Identity) and _is_barred(reading, one))]


def _is_barred(reading: Reading, one: Identity) -> bool:
    """Whether two that are said to be distinct keep a pair from being joined, by way of others."""
    into = reading.schema.with_declared([one]).merged
    return one.sameness is Sameness.SAME and into.get(one.one, one.one) != into.get(one.other, one.other)


def _is_taken_back(known: Declared, one: Declared) -> bool:
    """Whether somebody spoke of the same pair before, or took the same belief out of the archive as it is."""
    if isinstance(known, Archive) and isinstance(one, Archive):
        return declared_text(known) == declared_text(replace(one, is_undone=True))
    return isinstance(known, Identity)


def _standing(reading: Reading, retractions: Sequence[Retraction]) -> list[Retraction]:
    """Those retractions whose evidence is not withdrawn already."""
    gone = {one.id for one in _known(reading, (each.target for each in retractions)) if one.retracted_at}
    return [one for one in retractions if one.target not in gone]
