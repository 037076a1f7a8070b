"""observe: a source's words become evidence, and the claims in them beliefs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from knowwhy.core.model import Act, Claim, Draft, Evidence, QueueStep, Testimony, Waiting, attribute_key
from knowwhy.core.revision import ContestKey
from knowwhy.core.timeline import MICROSECONDS_PER_DAY
from knowwhy.engine.commit import write
from knowwhy.engine.erased import erased
from knowwhy.engine.intake import Speakers, evidence_of
from knowwhy.engine.intent import Intent, Reading, Signature, fingerprint
from knowwhy.engine.lookalikes import lookalikes
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.reading_out import Memo, Scribe, Taker, Words, recorded_before, spoke_at, subjects_of
from knowwhy.engine.readout import ReadOut, proposals
from knowwhy.engine.space import Space
from knowwhy.errors import InvalidInput
from knowwhy.ingest.observation import LATER, Observation, drafts
from knowwhy.ingest.resolution import Resolver, names_in
from knowwhy.ingest.times.moments import placed
from knowwhy.providers.extraction import Extraction, Usage
from knowwhy.recall.identity import as_said, spoken_of

# A source that repeats its current words undated within this time is taken to be retrying, not confirming.
REPEAT_WINDOW: Final = MICROSECONDS_PER_DAY


def observe(
    space: Space,
    observations: Sequence[Observation],
    *,
    idempotency_key: str | None = None,
    author: str | None = None,
    reason: str | None = None,
    expected_version: int | None = None,
) -> Outcome:
    """Record what sources said, as one operation, and revise the beliefs it bears on.

    The evidence is durable when this returns. Words already on record from the same source at the
    same time are not recorded again.

    Raises:
        InvalidInput: an observation or claim that cannot be understood.
        VersionConflict: `expected_version` is given and no longer the version of the belief concerned.
        IdempotencyConflict: the key was used for a different request.
    """
    if not observations:
        msg = "There is nothing to observe: give a text, claims, or at least one observation."
        raise InvalidInput(msg)
    given = [(one, _forced(one, drafts(one.claims))) for one in observations]
    request = fingerprint(*((one, claims) for one, claims in given)) if idempotency_key else ""
    signature = Signature(Act.OBSERVE, author, reason, idempotency_key, expected_version, request)
    memo: Memo = {}
    return write(space, signature, lambda reading: _form(reading, given, memo))


def observing(reading: Reading, observations: Sequence[Observation]) -> Intent | Outcome:
    """What observing these wants on record; an outcome if all of it is known."""
    return _form(reading, [(one, _forced(one, drafts(one.claims))) for one in observations], {})


def _form(reading: Reading, given: Sequence[tuple[Observation, list[Draft]]], memo: Memo) -> Intent | Outcome:
    speakers = Speakers(reading.view, [one.source for one, _ in given])
    items = [_words(reading, speakers, one, claims) for one, claims in given]
    recorded = _recorded(reading, items)
    gone = _erased(reading, items)
    fresh = [item for item in items if item.evidence.id not in recorded and item.evidence.id not in gone]
    unique = {item.evidence.id: item for item in fresh}
    if not unique:
        return _nothing_new(reading, items, recorded, gone)
    extractions = _extractions(reading, unique.values(), memo)
    waiting = tuple(_waiting(item) for item in unique.values() if item.is_for_later)
    all_drafts = [draft for item in unique.values() for draft in item.drafts]
    read = [draft for found in extractions.values() for draft in subjects_of(found)]
    known = reading.names(names_in([*all_drafts, *read], reading.schema))
    resolver = Resolver(
        known,
        reading.schema,
        reading.space.zone,
        is_strict=reading.space.is_strict,
        spoken_of=partial(spoken_of, reading.view, reading.schema.merged),
    )
    claims: dict[str, Claim] = {}
    taker = Taker(reading, resolver, claims)
    read_outs: list[ReadOut] = []
    for item in unique.values():
        for draft in item.drafts:
            claim = resolver.claim(draft, item.evidence)
            claims[claim.id] = claim
        if item.evidence.id in extractions:
            found = extractions[item.evidence.id]
            read_outs.append(taker.take(found, item.evidence, is_forced=item.said.is_forced))
    return Intent(
        entities=tuple(resolver.made.values()),
        sources=tuple({item.evidence.source: None for item in unique.values()}),
        declarations=(QueueStep(added=waiting),) if waiting else (),
        evidence=tuple(item.evidence for item in unique.values()),
        claims=tuple(claims.values()),
        reported=tuple(
            dict.fromkeys(
                recorded.get(item.evidence.id, item.evidence.id)
                for item in items
                if item.evidence.id not in gone
            )
        ),
        warnings=(
            *_warnings(all_drafts, read_outs, resolver),
            *dict.fromkeys(resolver.notes),
            *lookalikes(reading, resolver.made.values()),
            *proposals(read_outs),
            *_still_erased(gone),
        ),
        read_outs=tuple(one for one in read_outs if one.says_anything),
        waiting=tuple(one.evidence for one in waiting),
        usage=sum((one.usage for one in extractions.values()), Usage()),
    )


def _extractions(reading: Reading, items: Iterable[_Words], memo: Memo) -> dict[str, Extraction]:
    """What is read at once in the words of items that came without claims, by the id of the evidence."""
    view, schema, space = reading.view, reading.schema, reading.space
    scribe = Scribe(schema, lambda evidence: recorded_before(view, schema, evidence), memo)
    read = []
    for item in items:
        extract, takes = item.said.extract, item.said.takes_undeclared
        if item.drafts or extract in (False, LATER):
            continue
        extractor = space.extractor if isinstance(extract, bool | str) else extract
        takes = space.takes_undeclared if takes is None else takes
        read.append(Words(item.evidence, item.spoke_at, extractor, takes))
    scribe.prepare(read)
    return {one.evidence.id: scribe.extraction(one) for one in read}


def _waiting(item: _Words) -> Waiting:
    """An item that is to be read later, with what its evidence does not say."""
    offset = item.spoke_at.utcoffset() or timedelta()
    return Waiting(
        item.evidence.id,
        item.evidence.effective_at,
        item.evidence.context,
        round(offset.total_seconds() / 60),
        item.said.takes_undeclared,
        item.said.is_forced,
    )


def _forced(one: Observation, claims: list[Draft]) -> list[Draft]:
    return [replace(claim, is_forced=True) for claim in claims] if one.is_forced else claims


@dataclass(frozen=True, slots=True)
class _Words:
    said: Observation
    evidence: Evidence
    drafts: list[Draft]
    spoke_at: datetime
    is_dated: bool

    @property
    def is_for_later(self) -> bool:
        """Whether its words are left to the queue."""
        return not self.drafts and self.said.extract == LATER


def _words(reading: Reading, speakers: Speakers, one: Observation, claims: list[Draft]) -> _Words:
    evidence = evidence_of(reading, speakers, one, claims)
    is_dated = one.observed_at is not None or one.recorded_at is not None
    said_at = spoke_at(reading, one.observed_at or one.recorded_at, evidence)
    return _Words(one, evidence, [placed(claim, said_at) for claim in claims], said_at, is_dated)


def _recorded(reading: Reading, items: Sequence[_Words]) -> dict[str, str]:
    """Which items are on record already, with the id they have there."""
    known: dict[str, list[Evidence]] = {}
    for evidence in reading.view.evidence(contents=sorted({item.evidence.content for item in items})):
        known.setdefault(evidence.content, []).append(evidence)
    recorded: dict[str, str] = {}
    for item in items:
        for evidence in known.get(item.evidence.content, []):
            if evidence.id == item.evidence.id or (not item.is_dated and _is_retry(reading, item, evidence)):
                recorded[item.evidence.id] = evidence.id
    return recorded


def _is_retry(reading: Reading, item: _Words, earlier: Evidence) -> bool:
    """Whether undated words merely repeat what this source said just now and still stands by."""
    if earlier.retracted_at is not None:
        return False
    if item.evidence.observed_at - earlier.observed_at > REPEAT_WINDOW:
        return False
    own = as_said(reading.view.claims([earlier.id]))
    if any(one.retracted_at is not None for one in own):
        return False
    keys = {(one.claim.slot.id, one.claim.value.key) for one in own}
    for testimonies in reading.view.testimonies(_slots_of(own)).values():
        for one in testimonies:
            is_later = one.groups == earlier.groups and one.effective_at > earlier.effective_at
            if is_later and (one.claim.slot.id, one.claim.value.key) not in keys:
                return False
    return True


def _slots_of(testimonies: Iterable[Testimony]) -> list[ContestKey]:
    return sorted({ContestKey(one.claim.slot.id) for one in testimonies}, key=lambda key: key.slot_id)


def _erased(reading: Reading, items: Sequence[_Words]) -> frozenset[str]:
    """Those of the items that were erased: the same words of the same time do not come back."""
    dated = {item.evidence.id for item in items if item.is_dated}
    return erased(reading.view) & dated if dated else frozenset()


def _still_erased(gone: Iterable[str]) -> Iterator[str]:
    for one in sorted(gone):
        yield f"{one} was erased, and stays so: these words of that time are not recorded again."


def _nothing_new(
    reading: Reading, items: Sequence[_Words], recorded: Mapping[str, str], gone: frozenset[str]
) -> Outcome:
    """The outcome of a call that only repeats what is on record: that of the operation that recorded it."""
    ids = tuple(dict.fromkeys(recorded[one.evidence.id] for one in items if one.evidence.id not in gone))
    first = next((one.operation for one in reading.view.claims(list(ids))), reading.last)
    withdrawn = [one.id for one in reading.view.evidence(ids=ids) if one.retracted_at is not None]
    warnings = tuple(
        f"{one} was withdrawn and stays so: to say it anew, give the time at which it was said again."
        for one in withdrawn
    )
    told = (*warnings, *_still_erased(gone))
    return Outcome(operation=first, at=None, evidence=ids, warnings=told, is_repeat=True)


def _warnings(given: Iterable[Draft], read_outs: Iterable[ReadOut], resolver: Resolver) -> tuple[str, ...]:
    """What a caller should know though nothing is wrong: attributes taken as single-valued by default."""
    spoken = {draft.attribute for draft in given} | {one.attribute for out in read_outs for one in out.read}
    known = resolver.schema.by_name.keys() | resolver.schema.inverses.keys()
    names = {name for name in spoken if attribute_key(name) not in known}
    return tuple(
        f"{name!r} is not declared; it is taken to have one value at a time." for name in sorted(names)
    )
