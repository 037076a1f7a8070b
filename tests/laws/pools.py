"""Random contests that bear on each other, by denials, derivations and dependencies."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

from hypothesis import strategies as st

from knowwhy.core.confidence import ConfidenceModel
from knowwhy.core.model import (
    SOURCE_TYPES,
    Attribute,
    Belief,
    Cardinality,
    Claim,
    Denial,
    Dependency,
    Derivation,
    Modality,
    Pattern,
    Schema,
    Slot,
    Source,
    Stance,
    Status,
    Testimony,
    Withdrawal,
    belief_id,
    claim_of,
    entity_named,
    slot_of,
    value_of,
)
from knowwhy.core.revision import POLICIES, ContestKey, Pool, Settled, Terms, contest_key, settle_together
from knowwhy.core.timeline import FOREVER, Instant, Scope
from tests.laws.worlds import day

SUBJECT = entity_named("acme")
ATTRIBUTES = ("plan", "seats", "site", "tier")
VALUES = ("u", "v", "w")
SPEAKERS = (("official", "a"), ("user", "a"), ("user", "b"), ("document", "a"), ("rumour", "a"))
STANDING = (Status.ACCEPTED, Status.DOUBTFUL, Status.CONTESTED)
HELD = (Status.ACCEPTED, Status.DOUBTFUL)

Held = Mapping[ContestKey, tuple[Belief, ...]]
Spoken = list[tuple[str, str]]


@dataclass(frozen=True)
class Traits:
    """What a random pool may hold."""

    derivations: bool = True
    denials: bool = True
    dependencies: bool = True
    models: bool = True
    policies: bool = True
    guards: bool = True
    times: bool = True
    pins: bool = True
    many: bool = True


PLAIN = Traits(
    derivations=False,
    denials=False,
    dependencies=False,
    models=False,
    policies=False,
    guards=False,
    many=False,
)


@dataclass(frozen=True)
class Setting:
    """Testimony on a few contests, and by what and when it is settled."""

    testimonies: tuple[Testimony, ...]
    terms: Terms
    at: Instant

    @cached_property
    def pool(self) -> Pool:
        """All contests with their testimony."""
        found: dict[ContestKey, tuple[Testimony, ...]] = {}
        for one in self.testimonies:
            key = self.contest(one.claim.slot, one.claim.value.key)
            found[key] = (*found.get(key, ()), one)
        return Pool(found, self.terms)

    def contest(self, slot: Slot, value_key: str) -> ContestKey:
        """What a value competes in."""
        return contest_key(slot, value_key, self.terms.schema.attribute(slot.attribute))

    def settled(self, at: Instant | None = None) -> Settled:
        """What all of it comes to."""
        return settle_together(self.pool, Scope(self.at if at is None else at))

    def held(self, at: Instant | None = None) -> dict[str, Belief]:
        """All beliefs as a reader gets them, by id."""
        return by_id(self.settled(at).held)

    def only(self, wanted: Iterable[Testimony]) -> Setting:
        """The same with some of the testimony."""
        return replace(self, testimonies=tuple(wanted))

    def without_derivations(self) -> Setting:
        """What was observed alone."""
        return self.only(one for one in self.testimonies if one.claim.derivation is None)

    def without_dependencies(self) -> Setting:
        """The same, where nothing is said to rest on anything."""
        attributes = {key: replace(one, depends_on=()) for key, one in self.terms.schema.attributes.items()}
        schema = replace(self.terms.schema, attributes=attributes)
        return replace(
            self.only(replace(one, claim=replace(one.claim, depends_on=())) for one in self.testimonies),
            terms=replace(self.terms, schema=schema),
        )

    def ancestry(self, start: ContestKey) -> set[ContestKey]:
        """A contest, and all that it rests on or is joined to, step by step."""
        pool, schema = self.pool, self.terms.schema
        contest_of = {
            belief_id(one.claim.slot.id, one.claim.value.key): key
            for key, those in pool.testimonies.items()
            for one in those
        }
        found, waiting = {start}, [start]
        while waiting:
            key = waiting.pop()
            slot = pool.slot(key)
            names = {one.attribute for one in schema.attribute(slot.attribute).depends_on}
            for denial in schema.denials:
                if slot.attribute in {one.attribute for one in denial.statements}:
                    names |= {one.attribute for one in denial.statements}
            slots = {slot_of(SUBJECT, name).id for name in names}
            near: set[ContestKey] = set()
            for one in pool.testimonies[key]:
                slots |= set(one.claim.depends_on)
                if one.claim.derivation is not None:
                    named = (*one.claim.derivation.premises, *one.claim.derivation.exceptions)
                    near |= {contest_of[each] for each in named if each in contest_of}
            near |= {one for one in pool.testimonies if one.slot_id in slots}
            waiting += near - found
            found |= near
        return found

    def part(self, keys: Collection[ContestKey]) -> Setting:
        """What concerns some contests."""
        return self.only(
            one for one in self.testimonies if self.contest(one.claim.slot, one.claim.value.key) in keys
        )


def by_id(settled: Held) -> dict[str, Belief]:
    """All beliefs of settled contests, by id."""
    return {one.id: one for beliefs in settled.values() for one in beliefs}


def named(attribute: str, value: str) -> str:
    """The id of the belief that an attribute of the subject has a value."""
    return belief_id(slot_of(SUBJECT, attribute).id, value_of(value).key)


def settings_of(traits: Traits = Traits()) -> st.SearchStrategy[Setting]:
    """Random settings, each from a seed, so that many can be tried."""
    return st.integers(0, 2**40).map(lambda seed: drawn(random.Random(seed), traits))


def drawn(chance: random.Random, traits: Traits) -> Setting:
    """One random setting."""
    policy = chance.choice(list(POLICIES.values())) if traits.policies else POLICIES["authority-then-recency"]
    found = [_observed(chance, number, traits) for number in range(chance.choice((2, 4, 6, 8, 10, 12)))]
    spoken = [_place(one) for one in found]
    if traits.derivations:
        # Few conclusions, some of them spoken of too, so that several proofs meet, and lead to further ones.
        drawn_up = [*chance.choices(spoken, k=2), (chance.choice(ATTRIBUTES), chance.choice(VALUES))]
        for number in range(chance.choice((0, 1, 2, 3, 5, 7))):
            found.append(_derived(chance, 50 + number, spoken, drawn_up))
            spoken.append(_place(found[-1]))
        if chance.random() < 0.4:
            found += _disputed(chance, 40, chance.choice(drawn_up))
    schema = Schema(
        {name: _attribute(chance, name, traits) for name in ATTRIBUTES},
        denials=tuple(_denials(chance, spoken)) if traits.denials else (),
    )
    unique = {one.claim.id: one for one in found}
    return Setting(tuple(unique.values()), Terms(schema, policy), day(chance.choice((4, 5, 5, 6, 7, 8, 9))))


def _place(one: Testimony) -> tuple[str, str]:
    return one.claim.slot.attribute, str(one.claim.value)


def _attribute(chance: random.Random, name: str, traits: Traits) -> Attribute:
    others = [one for one in ATTRIBUTES if one != name]
    premises = chance.sample(others, chance.choice((0, 0, 1, 1, 2))) if traits.dependencies else []
    return Attribute(
        name,
        cardinality=Cardinality.MANY if traits.many and chance.random() < 0.3 else Cardinality.ONE,
        changes=chance.random() < 0.6,
        half_life_days=chance.choice((None, None, 3.0)) if traits.times else None,
        confidence=chance.choice(list(ConfidenceModel)) if traits.models else None,
        policy=chance.choice((None, None, *POLICIES)) if traits.policies else None,
        base_rate=chance.choice((0.5, 0.5, 0.2, 0.9)) if traits.models else 0.5,
        strictness=chance.choice((1.0, 1.0, 0.4, 3.0)) if traits.models else 1.0,
        depends_on=tuple(Dependency(one, chance.choice((0.3, 0.8, 1.0, 0.0))) for one in sorted(premises)),
    )


def _denials(chance: random.Random, spoken: Spoken) -> Iterator[Denial]:
    """Denials, most of them of what was spoken of."""
    for number in range(chance.choice((0, 1, 2, 3))):
        statements = []
        for attribute in chance.sample(ATTRIBUTES, chance.choice((2, 2, 3))):
            values = [value for name, value in spoken if name == attribute]
            statements.append(Pattern("?x", attribute, chance.choice(values or VALUES)))
        yield Denial(f"d{number}", tuple(statements))


def _observed(chance: random.Random, number: int, traits: Traits) -> Testimony:
    kind, name = chance.choice(SPEAKERS)
    stances = [*[Stance.SUPPORTS] * 6, Stance.REFUTES]
    if traits.times:
        stances.append(Stance.ENDS)
    if traits.guards:
        stances.append(Stance.GIVES_UP)
        kind = chance.choice((kind, kind, kind, "correction"))
    stance = chance.choice(stances)
    spoken = chance.choice((0, 1, 2, 3, 4, 5))
    claim = claim_of(
        f"ev{number}",
        slot_of(SUBJECT, chance.choice(ATTRIBUTES)),
        value_of(chance.choice(VALUES)),
        stance,
        *_span(chance, stance, spoken, traits),
    )
    rests_on = (slot_of(SUBJECT, chance.choice(ATTRIBUTES)).id,)
    claim = replace(
        claim,
        modality=chance.choice([*[Modality.ASSERTED] * 9, Modality.ASKED]),
        is_forced=traits.pins and chance.random() < 0.05,
        depends_on=rests_on if traits.dependencies and chance.random() < 0.25 else (),
    )
    return testimony_of(
        claim,
        source_of(kind, name),
        day(spoken),
        number,
        is_pinned=traits.pins and chance.random() < 0.1,
        is_withdrawn=traits.times and chance.random() < 0.08,
    )


def _span(
    chance: random.Random, stance: Stance, spoken: int, traits: Traits
) -> tuple[Instant | None, Instant]:
    """The time that a statement says it speaks of."""
    if not traits.times or stance is Stance.GIVES_UP:
        return None, FOREVER
    ends = chance.choice((None, None, None, 4, 7))
    if stance is Stance.ENDS:
        return None, day(spoken if ends is None else ends)
    starts = chance.choice((None, None, None, 0, 2, 6))
    if starts is not None and ends is not None and ends <= starts:
        ends = starts + 1
    return None if starts is None else day(starts), FOREVER if ends is None else day(ends)


def _disputed(chance: random.Random, number: int, place: tuple[str, str]) -> Iterator[Testimony]:
    """Somebody speaks for a value, and somebody of less authority against it."""
    slot, value = slot_of(SUBJECT, place[0]), value_of(place[1])
    for stance, kind in ((Stance.SUPPORTS, "user"), (Stance.REFUTES, "rumour")):
        claim = claim_of(f"ev{number}", slot, value, stance)
        yield testimony_of(claim, source_of(kind, "c"), day(chance.choice((0, 2, 4))), number)
        number += 1


def _derived(chance: random.Random, number: int, spoken: Spoken, drawn_up: Spoken) -> Testimony:
    some = [named(attribute, value) for attribute in ATTRIBUTES for value in VALUES]
    likely = [named(*one) for one in spoken]
    premises = {
        chance.choice(likely if chance.random() < 0.8 else some): None
        for _ in range(chance.choice((1, 1, 2)))
    }
    derivation = Derivation(
        tuple(premises),
        tuple(chance.sample(some, chance.choice((0, 0, 1)))),
        chance.choice(("", "r")),
        chance.choice((1.0, 1.0, 0.9, 0.75, 0.5)),
    )
    attribute, value = chance.choice(drawn_up)
    if chance.random() < 0.3:
        attribute, value = chance.choice(ATTRIBUTES), chance.choice(VALUES)
    claim = claim_of(f"ev{number}", slot_of(SUBJECT, attribute), value_of(value))
    claim = replace(claim, derivation=derivation)
    return testimony_of(claim, source_of("derived", "rule"), day(chance.choice((0, 2, 5))), number)


def testimony_of(
    claim: Claim,
    source: Source,
    at: Instant,
    number: int,
    *,
    is_pinned: bool = False,  # noqa: PT028 - no test, though its name begins like one
    is_withdrawn: bool = False,  # noqa: PT028
) -> Testimony:
    """A claim as it was made by a source."""
    withdrawal = Withdrawal(f"rt{number}", claim.id, 100 + number, at)
    return Testimony(
        claim=claim,
        source=source,
        groups=(source.group,),
        observed_at=at,
        effective_at=at,
        recorded_at=at,
        is_pinned=is_pinned,
        operation=number + 1,
        withdrawals=(withdrawal,) if is_withdrawn else (),
    )


def source_of(kind: str, name: str) -> Source:
    """A source of a type."""
    return Source(name, kind, SOURCE_TYPES[kind].authority, SOURCE_TYPES[kind].reliability)


def violations(setting: Setting, held: Collection[str]) -> list[str]:
    """The denials that a set of beliefs violates, and the attributes of which it holds several values."""
    found = [
        one.name
        for one in setting.terms.schema.denials
        if all(named(each.attribute, each.value) in held for each in one.statements)
    ]
    for attribute in ATTRIBUTES:
        values = [value for value in VALUES if named(attribute, value) in held]
        if setting.terms.schema.attribute(attribute).is_exclusive and len(values) > 1:
            found.append(attribute)
    return found


def renamed(setting: Setting, names: Mapping[tuple[str, str], str]) -> Setting:
    """The same setting with the values of each attribute called otherwise."""
    ids = {named(a, v): named(a, names[a, v]) for a, v in product(ATTRIBUTES, VALUES)}
    found = []
    for one in setting.testimonies:
        claim = replace(one.claim, value=value_of(names[_place(one)]))
        if claim.derivation is not None:
            claim = replace(
                claim,
                derivation=replace(
                    claim.derivation,
                    premises=tuple(ids[each] for each in claim.derivation.premises),
                    exceptions=tuple(ids[each] for each in claim.derivation.exceptions),
                ),
            )
        found.append(replace(one, claim=claim))
    denials = tuple(
        replace(one, statements=tuple(replace(s, value=names[s.attribute, s.value]) for s in one.statements))
        for one in setting.terms.schema.denials
    )
    schema = replace(setting.terms.schema, denials=denials)
    return replace(setting.only(found), terms=replace(setting.terms, schema=schema))
