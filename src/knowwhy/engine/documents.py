"""observe_document: a version of a document is evidence of one voice, compared with the versions around it.

What it still says is said again by its claims. What it changed follows from its later word. What it no longer
says it *drops*: from then on the earlier versions speak for that no more, while what others say of it stays.
So each version counts from when it was published, in whatever order versions arrive.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from knowwhy.core.model import (
    Act,
    Claim,
    Document,
    Edition,
    Evidence,
    Schema,
    Slot,
    Stance,
    Testimony,
    Value,
    checked_name,
    claim_of,
)
from knowwhy.engine.auditing import resting_on
from knowwhy.engine.commit import write
from knowwhy.engine.impact import Impact, Said
from knowwhy.engine.intake import Speakers, evidence_of
from knowwhy.engine.intent import Intent, Reading, Signature, fingerprint
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.reading_out import Memo, Scribe, Taker, Words, spoke_at, subjects_of
from knowwhy.engine.readout import proposals
from knowwhy.engine.space import Space, When
from knowwhy.errors import Conflict, IdempotencyConflict, InvalidInput, Unavailable
from knowwhy.ingest.observation import Observation
from knowwhy.ingest.resolution import Resolver, names_in
from knowwhy.recall.identity import as_said

_TRIES: Final = 20
# What a version says of a slot: its value, by the slot's id and the value's key.
_Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Published:
    """A version of a document as it is handed in."""

    uri: str
    version: str
    text: str
    source_type: str = "document"
    observed_at: When | None = None
    metadata: Mapping[str, str] | None = None


def observe_document(
    space: Space, given: Published, *, author: str | None = None, reason: str | None = None
) -> Impact:
    """Record a version of a document, and what it confirms, changes, adds and drops.

    Raises:
        InvalidInput: an empty address, version or text, or a time that cannot be understood.
        Conflict: the version is on record with other words.
    """
    for written, what in ((given.uri, "address"), (given.version, "version"), (given.text, "text")):
        if what == "text" and not written.strip():
            msg = "A version of a document needs a text."
            raise InvalidInput(msg)
        if what != "text":
            checked_name(written, what)
    memo: Memo = {}
    for _ in range(_TRIES):
        with space.snapshot() as view:
            known = view.declared(Document, [given.uri]).get(given.uri)
        # One more edition at a time: of two that arrive at once, the other looks again.
        key = f"document {given.uri} {0 if known is None else known.declared_in}"
        request = fingerprint(given.uri, given.version, given.text)
        found: list[Impact] = []
        try:
            outcome = write(
                space,
                Signature(Act.DOCUMENT, author, reason, key, request=request),
                partial(_form, given=given, memo=memo, found=found),
            )
        except IdempotencyConflict:
            continue
        if found:
            used = resting_on(space, (one.belief for one in outcome.changes))
            return replace(found[-1], outcome=outcome, answers=used)
    msg = "Other versions of this document kept arriving; nothing was written. Try again in a moment."
    raise Unavailable(msg, retry_after=1.0)


def _form(reading: Reading, given: Published, memo: Memo, found: list[Impact]) -> Intent | Outcome:
    document = reading.view.declared(Document, [given.uri]).get(given.uri) or Document(given.uri)
    observation = Observation(
        given.uri,
        given.text,
        source_type=given.source_type,
        observed_at=given.observed_at,
        metadata={**(given.metadata or {}), "document": given.uri, "version": given.version},
    )
    evidence = evidence_of(reading, Speakers(reading.view, [given.uri]), observation, [])
    same = next((one for one in document.editions if one.version == given.version), None)
    if same is not None:
        return _known(reading, given, same, evidence, found)
    claims, intent = _read(reading, observation, evidence, memo)
    around = _Around(reading, document, evidence)
    marks = [*around.dropped_here(claims), *around.dropped_later(claims)]
    found.append(around.impact(given, claims))
    edition = Edition(given.version, evidence.id, evidence.effective_at)
    return intent.beside(
        Intent(
            declarations=(document.with_editions((edition,)),),
            claims=tuple(marks),
            reported=tuple(dict.fromkeys((evidence.id, *(one.evidence_id for one in marks)))),
        )
    )


def _known(
    reading: Reading, given: Published, same: Edition, evidence: Evidence, found: list[Impact]
) -> Outcome:
    """A version that is on record: nothing to write, if it has the same words."""
    (kept,) = reading.view.evidence(ids=[same.evidence]) or (None,)
    if kept is None or kept.content != evidence.content:
        msg = (
            f"Version {given.version!r} of {given.uri!r} is on record with other words; give the new ones a "
            "version of their own."
        )
        raise Conflict(msg, document=given.uri, version=given.version)
    outcome = Outcome(reading.last, None, (same.evidence,), is_repeat=True)
    found.append(Impact(given.uri, given.version, None, outcome))
    return outcome


def _read(
    reading: Reading, observation: Observation, evidence: Evidence, memo: Memo
) -> tuple[list[Claim], Intent]:
    """The claims of a version, and the intent that records it with them."""
    space = reading.space
    scribe = Scribe(reading.schema, lambda _evidence: (), memo)
    said_at = spoke_at(reading, observation.observed_at, evidence)
    extraction = scribe.extraction(Words(evidence, said_at, space.extractor, space.takes_undeclared))
    known = reading.names(names_in(subjects_of(extraction), reading.schema))
    resolver = Resolver(known, reading.schema, space.zone, is_strict=space.is_strict)
    claims: dict[str, Claim] = {}
    read_out = Taker(reading, resolver, claims).take(extraction, evidence, is_forced=False)
    intent = Intent(
        entities=tuple(resolver.made.values()),
        sources=(evidence.source,),
        evidence=(evidence,),
        claims=tuple(claims.values()),
        warnings=proposals([read_out]),
        read_outs=(read_out,) if read_out.says_anything else (),
        usage=extraction.usage,
    )
    return list(claims.values()), intent


class _Around:
    """The versions of a document before and after one that arrives, with what each says."""

    def __init__(self, reading: Reading, document: Document, evidence: Evidence) -> None:
        view, self._schema, self._evidence = reading.view, reading.schema, evidence
        ids = [one.evidence for one in document.editions]
        standing = {one.id: one for one in view.evidence(ids=sorted(ids)) if one.retracted_at is None}
        self._editions = [one for one in document.editions if one.evidence in standing]
        self._says: dict[str, list[Testimony]] = {one: [] for one in standing}
        self._marked: set[str] = set()
        for one in as_said(view.claims(sorted(standing))) if standing else ():
            if one.claim.stance is Stance.DROPS:
                self._marked.add(one.claim.id)
            elif one.retracted_at is None and _is_word(one.claim):
                self._says[one.claim.evidence_id].append(one)

    @property
    def _before(self) -> list[Edition]:
        return [one for one in self._editions if one.at < self._evidence.effective_at]

    @property
    def _after(self) -> list[Edition]:
        return [one for one in self._editions if one.at > self._evidence.effective_at]

    def dropped_here(self, claims: Sequence[Claim]) -> Iterator[Claim]:
        """What earlier versions said and this one does not."""
        said = [one.claim for edition in self._before for one in self._says[edition.evidence]]
        yield from self._marks(self._evidence.id, said, claims)

    def dropped_later(self, claims: Sequence[Claim]) -> Iterator[Claim]:
        """What this version says and later ones do not."""
        for edition in self._after:
            theirs = [one.claim for one in self._says[edition.evidence]]
            yield from self._marks(edition.evidence, claims, theirs)

    def _marks(self, evidence: str, said: Iterable[Claim], still: Iterable[Claim]) -> Iterator[Claim]:
        """What of the words said another version does not say any more, as its claims."""
        marks = dropped(self._schema, evidence, said, still)
        yield from (mark for mark in marks if mark.id not in self._marked)

    def impact(self, given: Published, claims: Sequence[Claim]) -> Impact:
        """What this version did to what the one before it said."""
        previous = self._before[-1] if self._before else None
        words = [one for one in claims if _is_word(one)]
        now = {_pair(one): _said(one) for one in words}
        if previous is None:
            return Impact(given.uri, given.version, None, added=tuple(now.values()))
        was = {_pair(one.claim): _said(one.claim) for one in self._says[previous.evidence]}
        fresh = {key: one for key, one in now.items() if key not in was}
        gone = {key: one for key, one in was.items() if key not in now}
        single = {one.slot.id for one in words if self._schema.attribute(one.slot.attribute).is_exclusive}
        changed = [
            (before, after)
            for (slot, _), before in gone.items()
            for (other, _), after in fresh.items()
            if slot == other and slot in single
        ]
        moved = {id(one) for pair in changed for one in pair}
        return Impact(
            given.uri,
            given.version,
            previous.version,
            confirmed=tuple(one for key, one in now.items() if key in was),
            changed=tuple(changed),
            added=tuple(one for one in fresh.values() if id(one) not in moved),
            dropped=tuple(one for one in gone.values() if id(one) not in moved),
        )


def dropped(schema: Schema, evidence: str, said: Iterable[Claim], still: Iterable[Claim]) -> Iterator[Claim]:
    """The claims of a version that drop what earlier ones `said` and it does not say any more."""
    words = [one for one in still if _is_word(one)]
    kept = {_pair(one) for one in words}
    # Where it says something else instead, that takes the place from when it begins, and no sooner.
    replaced = {one.slot.id for one in words if schema.attribute(one.slot.attribute).is_exclusive}
    gone: dict[_Pair, tuple[Slot, Value]] = {
        _pair(one): (one.slot, one.value)
        for one in said
        if _is_word(one) and _pair(one) not in kept and one.slot.id not in replaced
    }
    yield from (claim_of(evidence, slot, value, Stance.DROPS) for slot, value in gone.values())


def _is_word(claim: Claim) -> bool:
    return claim.stance.is_heard and claim.modality.is_assertive and claim.derivation is None


def _pair(claim: Claim) -> _Pair:
    return claim.slot.id, claim.value.key


def _said(claim: Claim) -> Said:
    return Said(claim.slot.subject.name, claim.slot.attribute, str(claim.value), claim.quote or "")
