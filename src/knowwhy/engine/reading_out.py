"""Reading out: the claims in the words of observations that came without any."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Final, TypeAlias

from knowwhy.core.model import (
    Attribute,
    Belief,
    Claim,
    Draft,
    Evidence,
    RawValue,
    Schema,
    Slot,
    Stance,
    Testimony,
    Value,
    ValueType,
    attribute_key,
)
from knowwhy.core.timeline import Scope
from knowwhy.engine.intent import Reading
from knowwhy.engine.readout import ReadClaim, ReadOut, read_claim
from knowwhy.engine.space import When
from knowwhy.engine.testify import STANDING, standing_slot
from knowwhy.errors import AmbiguousName, InvalidInput, KnowwhyError, NotInSource, UndeclaredAttribute
from knowwhy.ingest.resolution import Resolver
from knowwhy.ingest.times.moments import moment_of
from knowwhy.ingest.validation import validated
from knowwhy.providers.extraction import (
    Aim,
    Extraction,
    Extractor,
    ExtractsMany,
    Mention,
    Missing,
    Reason,
    Refusal,
    Unsure,
    Utterance,
)
from knowwhy.recall.gate import Gate
from knowwhy.recall.identity import as_said
from knowwhy.store.protocol import BeliefFilter, Snapshot

# Sources whose "I" is themselves; a document or a page has no such voice.
_SPEAKING: Final = frozenset({"user", "unstated", "correction", "rumour", "assistant", "model"})
# How far back in the log what was last said in a conversation is looked for.
_OPERATIONS_BACK: Final = 64
_MOST_OF_ONE: Final = 200


@dataclass(frozen=True, slots=True)
class Words:
    """An item whose words are to be read: who reads them, and where their speaker was at the time."""

    evidence: Evidence
    spoke_at: datetime
    extractor: Extractor
    takes_undeclared: bool


# What extractors made of words, so that a race that was lost costs no second reading.
Memo: TypeAlias = dict[tuple[str, Utterance], tuple[Schema, Extraction]]


@dataclass(slots=True)
class Scribe:
    """Reads the words of one batch, in order: what is said later may point back at what was said before.

    `recorded_before` tells what was last spoken of in the conversation of an item, as far as it is on record.
    """

    schema: Schema
    recorded_before: Callable[[Evidence], tuple[Mention, ...]]
    memo: Memo = field(default_factory=dict)
    _spoken: dict[str, list[Mention]] = field(default_factory=lambda: defaultdict(list))

    def prepare(self, words: Sequence[Words]) -> None:
        """Read all of these together, where their extractor does that at less than they cost one by one."""
        by_extractor: dict[int, list[Words]] = defaultdict(list)
        for one in words:
            by_extractor[id(one.extractor)].append(one)
        for those in by_extractor.values():
            extractor = those[0].extractor
            utterances = [utterance_of(one) for one in those]
            fresh = [one for one in utterances if (extractor.name, one) not in self.memo]
            if len(fresh) > 1 and isinstance(extractor, ExtractsMany):
                for utterance, found in zip(fresh, extractor.extract_many(fresh, self.schema), strict=True):
                    taken = validated(found, utterance, self.schema)
                    self.memo[extractor.name, utterance] = self.schema, taken

    def extraction(self, words: Words) -> Extraction:
        """What the words of an item claim, checked against them, whoever read them."""
        utterance, evidence = utterance_of(words), words.evidence
        found = self._found(words.extractor, utterance)
        if evidence.context and any(unsure.missing is Missing.ANTECEDENT for unsure in found.unsure):
            before = tuple(self._spoken[evidence.context]) or self.recorded_before(evidence)
            if before:
                utterance = replace(utterance, before=before)
                found = self._found(words.extractor, utterance)
        if evidence.context:
            self._spoken[evidence.context] += [_mention(draft) for draft in found.drafts if _is_said(draft)]
        found = replace(found, by=words.extractor.name)
        return found if utterance.takes_undeclared else _declared_only(found, self.schema)

    def _found(self, extractor: Extractor, utterance: Utterance) -> Extraction:
        key = extractor.name, utterance
        known = self.memo.get(key)
        if known is not None and known[0] is self.schema:
            return known[1]
        found = validated(extractor.extract(utterance, self.schema), utterance, self.schema)
        self.memo[key] = self.schema, found
        return found


def utterance_of(words: Words) -> Utterance:
    """What an extractor is given of an item."""
    evidence = words.evidence
    own = evidence.source.name if evidence.source.type in _SPEAKING else None
    speaker = dict(evidence.metadata).get("speaker", own)
    return Utterance(evidence.text, words.spoke_at, speaker, takes_undeclared=words.takes_undeclared)


def recorded_before(view: Snapshot, schema: Schema, evidence: Evidence) -> tuple[Mention, ...]:
    """What was last spoken of in the same conversation, as far as the last operations tell."""
    ids: list[str] = []
    for operation in view.operations(limit=_OPERATIONS_BACK):
        recorded = (operation.outcome or {}).get("evidence", ())
        ids += recorded if len(recorded) <= _MOST_OF_ONE else ()
    said = [
        one
        for one in (view.evidence(ids=sorted(set(ids))) if ids else ())
        if one.context == evidence.context
        and one.retracted_at is None
        and one.effective_at <= evidence.effective_at
        and one.id != evidence.id
    ]
    for item in sorted(said, key=lambda one: (one.effective_at, one.operation), reverse=True):
        claims = [one for one in as_said(view.claims([item.id])) if _is_claimed(one)]
        if claims:
            return _in_order(claims, item.text, schema)
    return ()


def spoke_at(reading: Reading, said: When | None, evidence: Evidence) -> datetime:
    """When a source spoke, in the zone it gave, or else the memory's, or else UTC."""
    return moment_of(evidence.observed_at, said, reading.space.zone)


def _declared_only(found: Extraction, schema: Schema) -> Extraction:
    """The same without claims on attributes that are not declared; those are proposed."""
    proposed = dict(found.proposed)
    drafts = []
    for draft in found.drafts:
        if attribute_key(draft.attribute) in schema.by_name:
            drafts.append(draft)
        else:
            proposed[draft.attribute] = proposed.get(draft.attribute, 0) + 1
    return replace(found, drafts=tuple(drafts), proposed=proposed)


def _is_said(draft: Draft) -> bool:
    return draft.stance is Stance.SUPPORTS and draft.modality.is_assertive


def _mention(draft: Draft) -> Mention:
    return Mention(draft.subject, draft.attribute, draft.value, draft.unit)


def _is_claimed(one: Testimony) -> bool:
    claim = one.claim
    return one.retracted_at is None and claim.stance is Stance.SUPPORTS and claim.modality.is_assertive


def _in_order(claims: Sequence[Testimony], text: str, schema: Schema) -> tuple[Mention, ...]:
    """The claims of one item as they stand in its text; none if that cannot be told of several."""
    places = {one.claim.id: text.find(one.claim.quote) if one.claim.quote else -1 for one in claims}
    slots = {one.claim.slot.id for one in claims}
    if len(slots) > 1 and -1 in places.values():
        return ()
    ordered = sorted(claims, key=lambda one: places[one.claim.id])
    return tuple(
        Mention(
            one.claim.slot.subject.name,
            schema.attribute(one.claim.slot.attribute).name,
            raw_value(one.claim.value),
            one.claim.value.unit,
        )
        for one in ordered
    )


def raw_value(value: Value) -> RawValue:
    """A value as a caller would hand it in."""
    is_day = value.type is ValueType.DATE and "T" not in value.text
    return date.fromisoformat(value.text) if is_day else value.text


def subjects_of(found: Extraction) -> list[Draft]:
    """The drafts of an extraction, and one for each aim, to tell which names they bring."""
    return [*found.drafts, *(Draft(aim.subject, aim.attribute, "") for aim in found.aims)]


# From extractions to claims -------------------------------------------------------------------------


@dataclass(slots=True)
class Taker:
    """Takes what was read into a batch: as claims where all is well, or into the read-out where it is not."""

    reading: Reading
    resolver: Resolver
    claims: dict[str, Claim]

    def take(self, found: Extraction, evidence: Evidence, *, is_forced: bool) -> ReadOut:
        """The claims of one extraction join the batch; the read-out says which, and what did not."""
        read: list[ReadClaim] = []
        refused, unsure = list(found.refused), list(found.unsure)
        for draft in found.drafts:
            claim = self._claim(replace(draft, is_forced=is_forced), evidence)
            if isinstance(claim, Refusal):
                refused.append(claim)
            elif isinstance(claim, Unsure):
                unsure.append(claim)
            else:
                read.append(self._added(claim))
        for aim in found.aims:
            aimed = self._aimed(aim, evidence)
            read += [self._added(claim) for claim in aimed]
            if not aimed:
                says = "something that stands there and could end"
                unsure.append(Unsure(Missing.ANTECEDENT, aim.quote, says))
        return ReadOut(
            evidence.id, found.by, tuple(read), tuple(refused), tuple(unsure), found.proposed, found.passed
        )

    def _added(self, claim: Claim) -> ReadClaim:
        known = self.claims.get(claim.id)
        if known is None or not known.modality.is_assertive:
            self.claims[claim.id] = claim
        return read_claim(claim, self.resolver.attribute(claim.slot.attribute).name)

    def _claim(self, draft: Draft, evidence: Evidence) -> Claim | Refusal | Unsure:
        """The claim of a draft; what cannot be one leaves no trace in the batch."""
        made = dict(self.resolver.made)
        quote = draft.quote or ""
        try:
            return self.resolver.claim(draft, evidence)
        except AmbiguousName as problem:
            failure: Refusal | Unsure = Unsure(Missing.CHOICE, quote, problem.message)
        except (InvalidInput, NotInSource, UndeclaredAttribute) as problem:
            failure = Refusal(_reason(problem), quote, problem.message)
        self.resolver.made.clear()
        self.resolver.made.update(made)
        return failure

    def _aimed(self, aim: Aim, evidence: Evidence) -> list[Claim]:
        """What stands where an aim points, in the memory or said before in this batch, each as ended."""
        attribute = self.resolver.attribute(aim.attribute)
        try:
            slot = self.resolver.slot(Draft(aim.subject, aim.attribute, ""), attribute)
        except AmbiguousName:
            return []
        kept = None if aim.but is None else self._key(aim, attribute)
        values = {one.key: one for one in self._standing(slot, attribute) if one.key != kept}
        drafts = [
            replace(
                Draft(aim.subject, aim.attribute, raw_value(value), aim.stance, value.unit, quote=aim.quote),
                valid_to=aim.valid_to,
            )
            for value in values.values()
        ]
        claims = [self._claim(draft, evidence) for draft in drafts]
        return [claim for claim in claims if isinstance(claim, Claim)]

    def _key(self, aim: Aim, attribute: Attribute) -> str:
        return self.resolver.value(Draft(aim.subject, aim.attribute, aim.but or ""), attribute).key

    def _standing(self, slot: Slot, attribute: Attribute) -> Iterable[Value]:
        space, schema = self.reading.space, self.reading.schema
        gate = Gate(self.reading.view, schema, Scope(self.reading.at), space.policy_under(schema))
        stands = standing_slot(self.reading, slot)
        wanted = BeliefFilter(subjects=[stands.subject.id], attribute=attribute.key)
        held: list[Belief] = gate.beliefs(wanted)
        yield from (one.value for one in held if one.slot.id == stands.id and one.status in STANDING)
        yield from (
            one.value
            for one in self.claims.values()
            if one.slot.id == slot.id and one.stance is Stance.SUPPORTS and one.modality.is_assertive
        )


def _reason(problem: KnowwhyError) -> Reason:
    return Reason(problem.code) if problem.code in set(Reason) else Reason.INVALID
