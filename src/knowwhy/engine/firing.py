"""Firing: declared rules meet what was observed, and leave derivations on record.

A derivation is recorded for every value that was ever spoken of, accepted or not: whether it holds is
decided by its premises at the instant asked about, so that it comes and goes with them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from knowwhy.core.model import (
    FOLLOWS,
    PUBLIC,
    SOURCE_TYPES,
    VARIABLE,
    Access,
    Attribute,
    Belief,
    Claim,
    Derivation,
    Entity,
    Evidence,
    InferenceRule,
    Pattern,
    Schema,
    Slot,
    Source,
    Value,
    ValueType,
    belief_id,
    claim_of,
    content_of,
    entity_named,
    entity_value,
    evidence_id,
    name_key,
    slot_of,
    value_of,
)
from knowwhy.core.revision import Changeset
from knowwhy.core.timeline import BEGINNING, Instant
from knowwhy.engine.intent import Intent, Reading
from knowwhy.engine.overlay import Overlay
from knowwhy.errors import InvalidInput, TypeMismatch
from knowwhy.store.protocol import BeliefFilter

_DERIVED: Final = SOURCE_TYPES["derived"]
# More than this from one operation is a rule that matches everything with everything.
_MOST: Final = 100_000

Term: TypeAlias = Entity | Value


@dataclass(frozen=True, slots=True)
class Firing:
    """An intent with what rules have added to it, and the values they have looked at so far."""

    intent: Intent
    seen: frozenset[str] = frozenset()


def started(reading: Reading, schema: Schema, intent: Intent) -> Firing:
    """What rules declared by the intent derive from what is on record already."""
    fresh = [one for one in intent.declarations if isinstance(one, InferenceRule) and not one.is_withdrawn]
    matcher = _Matcher(reading, schema, Overlay())
    instances = [
        instance
        for rule in fresh
        for belief in reading.view.beliefs(BeliefFilter(attribute=rule.premises[0].attribute))
        for instance in matcher.instances(rule, 0, belief)
    ]
    return Firing(_with_derived(reading, schema, intent, instances))


def fired(reading: Reading, schema: Schema, firing: Firing, changeset: Changeset) -> Firing:
    """What rules derive from values that are spoken of for the first time."""
    new = [one.after for one in changeset.changes if one.before is None and one.after.id not in firing.seen]
    if not new or not schema.rules:
        return firing
    matcher = _Matcher(reading, schema, Overlay(changeset.beliefs))
    instances = [
        instance
        for belief in new
        for rule in schema.rules
        for place in range(len(rule.premises))
        for instance in matcher.instances(rule, place, belief)
    ]
    intent = _with_derived(reading, schema, firing.intent, instances)
    return Firing(intent, firing.seen | {one.id for one in new})


@dataclass(frozen=True, slots=True)
class _Instance:
    """A rule with its variables bound, and the beliefs that bind them."""

    rule: InferenceRule
    bound: Mapping[str, Term]
    premises: tuple[Belief, ...]


@dataclass(frozen=True, slots=True)
class _Matcher:
    """Finds the instances of rules among the beliefs on record and those of the operation under way."""

    reading: Reading
    schema: Schema
    standing: Overlay
    known: dict[str, list[Entity]] = field(default_factory=dict)

    def instances(self, rule: InferenceRule, place: int, belief: Belief) -> Iterator[_Instance]:
        """The instances in which `belief` is the premise at a place."""
        bound = self._bound(rule.premises[place], belief, {})
        if bound is None:
            return
        rest = [(number, one) for number, one in enumerate(rule.premises) if number != place]
        for found, premises in self._joined(rest, bound, {place: belief}):
            yield _Instance(rule, found, tuple(premises[number] for number in range(len(rule.premises))))

    def _joined(
        self, rest: list[tuple[int, Pattern]], bound: Mapping[str, Term], premises: Mapping[int, Belief]
    ) -> Iterator[tuple[Mapping[str, Term], Mapping[int, Belief]]]:
        if not rest:
            yield bound, premises
            return
        # What has most of its variables bound first, so that each step looks at few beliefs.
        rest = sorted(rest, key=lambda one: (len(one[1].variables - bound.keys()), one[0]))
        (place, pattern), *others = rest
        for belief in self._matching(pattern, bound):
            if (found := self._bound(pattern, belief, bound)) is not None:
                yield from self._joined(others, found, {**premises, place: belief})

    def _matching(self, pattern: Pattern, bound: Mapping[str, Term]) -> list[Belief]:
        subjects: list[str] | None = None
        if not pattern.subject.startswith(VARIABLE):
            subjects = [one.id for one in self._named(pattern.subject)]
        elif (term := bound.get(pattern.subject)) is not None:
            subjects = [one.id for one in self._entities(term)]
        term = bound.get(pattern.value)
        keys = None if term is None else [_key(term)]
        if isinstance(term, Entity):
            # A value that is plain text may name the entity all the same.
            keys = [_key(term), value_of(term.name).key]
        wanted = BeliefFilter(attribute=pattern.attribute, subjects=subjects, values=keys)
        found = {one.id: one for one in self.reading.view.beliefs(wanted)}
        for one in self.standing.beliefs(pattern.attribute, subjects, keys):
            found.setdefault(one.id, one)
        return [found[one] for one in sorted(found)]

    def _bound(self, pattern: Pattern, belief: Belief, bound: Mapping[str, Term]) -> dict[str, Term] | None:
        """The bindings with what matching a belief adds; None where it does not match."""
        slot = belief.slot
        if not pattern.fits(slot, belief.value):
            return None
        found = dict(bound)
        if pattern.subject.startswith(VARIABLE) and not self._binds(found, pattern.subject, slot.subject):
            return None
        if pattern.value.startswith(VARIABLE):
            value = belief.value
            term: Term = value
            if value.type is ValueType.ENTITY:
                term = Entity(value.key.removeprefix("entity:"), value.text)
            if not self._binds(found, pattern.value, term):
                return None
        return found

    def _binds(self, found: dict[str, Term], variable: str, term: Term) -> bool:
        known = found.setdefault(variable, term)
        return known is term or _key(known) == _key(term) or self._is_same(known, term)

    def _is_same(self, one: Term, other: Term) -> bool:
        """Whether a plain text and an entity are one thing, by its name."""
        if isinstance(one, Entity) is isinstance(other, Entity):
            return False
        ids = ({each.id for each in self._entities(term)} for term in (one, other))
        return bool(set.intersection(*ids))

    def _entities(self, term: Term) -> list[Entity]:
        return [term] if isinstance(term, Entity) else self._named(term.text)

    def _named(self, name: str) -> list[Entity]:
        key = name_key(name)
        if key not in self.known:
            found = {one.id: one for one in self.reading.meant([key]).get(key, [])}
            found |= self.standing.named(key)
            self.known[key] = list(found.values())
        return self.known[key]


def _key(term: Term) -> str:
    return f"entity:{term.id}" if isinstance(term, Entity) else term.key


def _with_derived(reading: Reading, schema: Schema, intent: Intent, instances: Iterable[_Instance]) -> Intent:
    """The intent with the derivations that rule instances are, as far as they do not stand already.

    What was withdrawn, with a rule that is declared again or by this very intent, is drawn anew.
    """
    derived = {
        one.evidence.content: one
        for one in (_derived(reading, schema, each) for each in instances)
        if one is not None
    }
    recorded = reading.view.evidence(contents=sorted(derived))
    gone = {one.target for one in intent.retractions}
    standing = {one.content for one in recorded if _stands(one, gone)}
    standing |= {one.content for one in intent.evidence}
    fallen = {one.content for one in recorded}
    new = [
        one.drawn_again(reading.at) if content in fallen else one
        for content, one in derived.items()
        if content not in standing
    ]
    if len(new) + len(intent.claims) > _MOST:
        msg = f"The rules derive more than {_MOST:,} beliefs at once; nothing was written. Narrow them."
        raise InvalidInput(msg)
    if not new:
        return intent
    return replace(
        intent,
        entities=(*intent.entities, *dict.fromkeys(one.claim.slot.subject for one in new)),
        sources=(*intent.sources, *dict.fromkeys(one.evidence.source for one in new)),
        evidence=(*intent.evidence, *(one.evidence for one in new)),
        claims=(*intent.claims, *(one.claim for one in new)),
        reported=intent.reported or tuple(one.id for one in intent.evidence),
    )


def _stands(one: Evidence, gone: set[str]) -> bool:
    """Whether evidence stands once some records are withdrawn, or their withdrawals lifted."""
    return one.id not in gone and all(each.is_lifted or each.id in gone for each in one.withdrawals)


@dataclass(frozen=True, slots=True)
class Derived:
    """A derivation as it goes on record: as evidence, and as the claim that rests on its premises."""

    evidence: Evidence
    claim: Claim

    def drawn_again(self, at: Instant) -> Derived:
        """The same inference as a record of its own, after the first was withdrawn, which it stays."""
        own_id = evidence_id(self.evidence.content, at)
        claim = claim_of(own_id, self.claim.slot, self.claim.value)
        return Derived(replace(self.evidence, id=own_id), replace(claim, derivation=self.claim.derivation))


def _derived(reading: Reading, schema: Schema, instance: _Instance) -> Derived | None:
    """What an instance derives; nothing where that could be no value of its attribute."""
    rule = instance.rule
    conditions = tuple(sorted({pair for one in instance.premises for pair in one.slot.conditions}))
    concluded = _stated(rule.conclusion, instance, schema, conditions)
    if concluded is None:
        return None
    slot, value = concluded
    excepted = (_stated(one, instance, schema, conditions) for one in rule.exceptions)
    exceptions = tuple(belief_id(one[0].id, one[1].key) for one in excepted if one is not None)
    derivation = Derivation(tuple(one.id for one in instance.premises), exceptions, rule.name, rule.strength)
    words = " and ".join(
        f"{one.slot.subject.name} / {one.slot.attribute} = {one.value}" for one in instance.premises
    )
    # Whoever may read all premises may read what follows from them.
    access = FOLLOWS if any(one.labels for one in instance.premises) else PUBLIC
    return derivation_of(reading, slot, value, derivation, words, access=access)


def derivation_of(
    reading: Reading,
    slot: Slot,
    value: Value,
    derivation: Derivation,
    words: str,
    author: str | None = None,
    *,
    access: Access,
) -> Derived:
    """The record of a derivation: evidence in the name of its rule or author, that never repeats."""
    named = f"rule {derivation.rule}" if derivation.rule else author or reading.space.author or "derivation"
    source = Source(named, _DERIVED.name, _DERIVED.authority, _DERIVED.reliability)
    text = f"{slot.subject.name} / {slot.attribute} = {value}, since {words}."
    terms = (*derivation.premises, "unless", *derivation.exceptions, str(derivation.strength))
    content = content_of(source, text, " ".join(terms), None, access)
    # What follows has no date of its own: the same inference is the same record whenever it is drawn.
    own_id = evidence_id(content, BEGINNING)
    evidence = Evidence(
        id=own_id,
        content=content,
        text=text,
        source=source,
        observed_at=reading.at,
        effective_at=reading.at,
        recorded_at=reading.at,
        groups=(source.group,),
        access=access,
    )
    claim = claim_of(own_id, slot, value)
    return Derived(evidence, replace(claim, derivation=derivation))


def _stated(
    pattern: Pattern, instance: _Instance, schema: Schema, conditions: tuple[tuple[str, str], ...]
) -> tuple[Slot, Value] | None:
    """The slot and the value that a pattern comes to; None where the attribute cannot have such a value."""
    attribute = schema.attribute(pattern.attribute)
    try:
        value = _value(pattern, instance, attribute)
    except TypeMismatch:
        return None
    return slot_of(_subject(pattern, instance), attribute.key, conditions), value


def _subject(pattern: Pattern, instance: _Instance) -> Entity:
    term = instance.bound.get(pattern.subject)
    if isinstance(term, Entity):
        return term
    return entity_named(pattern.subject if term is None else term.text)


def _value(pattern: Pattern, instance: _Instance, attribute: Attribute) -> Value:
    term = instance.bound.get(pattern.value)
    if isinstance(term, Entity):
        return entity_value(term.id, term.name)
    if isinstance(term, Value) and attribute.value_type in (None, term.type):
        return term
    text = pattern.value if term is None else term.text
    if attribute.value_type is ValueType.ENTITY:
        entity = entity_named(text)
        return entity_value(entity.id, entity.name)
    return value_of(text, attribute.value_type, attribute.unit)
