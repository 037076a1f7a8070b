"""A workload: batches as an engine would build them, with beliefs that follow from the log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from knowwhy.core.model import (
    PUBLIC,
    Access,
    Act,
    Alias,
    Attribute,
    Belief,
    Claim,
    Declared,
    Entity,
    Evidence,
    Operation,
    Retraction,
    Slot,
    Testimony,
    ValueType,
    Withdrawal,
    alias_target,
    name_key,
    restricted,
    undeclared,
)
from knowwhy.core.revision import ContestKey, contest_key, settle
from knowwhy.core.timeline import FOREVER, Instant, Scope
from knowwhy.store.memory import MemoryStore
from knowwhy.store.protocol import Batch, BeliefFilter, Snapshot, Store, TextEntry
from knowwhy.testing.records import EPOCH, observations

_SECOND = 1_000_000


@dataclass(slots=True)
class Workload:
    """Successive batches for one space of a store, each decided on what the store says at the time.

    Building a batch only reads; `commit` writes it. `now` is the workload's own clock: it moves by
    a second with every batch.
    """

    store: Store
    space: str = "default"
    now: Instant = EPOCH

    def commit(self, batch: Batch) -> Operation:
        """Write a batch into the store."""
        return self.store.commit(self.space, batch)

    def observation(
        self, grounds: Sequence[Evidence], claims: Sequence[Claim] = (), *, key: str | None = None
    ) -> Batch:
        """The batch for new evidence and claims; a claim may also rest on evidence already on record."""
        at = self._next()
        with self.store.snapshot(self.space) as snapshot:
            known = {one.id: one for one in snapshot.evidence(ids=[claim.evidence_id for claim in claims])}
            known |= {one.id: one for one in grounds}
            added = [_testimony(claim, known[claim.evidence_id], at) for claim in claims]
            batch = Batch(
                replace(
                    Operation(0, at, at, Act.OBSERVE, "workload", key=key),
                    outcome={"claims": len(claims)},
                    access=grounds[0].access if grounds else PUBLIC,
                ),
                entities=_entities(claims, known),
                sources=tuple({one.source: None for one in grounds}),
                evidence=tuple(grounds),
                claims=tuple(claims),
                texts=tuple(TextEntry(one.id, terms_of(one.text)) for one in grounds),
            )
            return _decided(batch, snapshot, _touched(snapshot, added), added)

    def withdrawal(self, target: str, reason: str | None = None) -> Batch:
        """The batch that retracts an item of evidence, a claim or (by its target) an alias."""
        at = self._next()
        with self.store.snapshot(self.space) as snapshot:
            gone = Withdrawal("", target, snapshot.head().sequence + 1, at)
            concerned = [
                replace(one, withdrawals=(*one.withdrawals, gone))
                for one in snapshot.claims([target])
                if one.retracted_at is None
            ]
            operation = Operation(0, at, at, Act.RETRACT, reason=reason)
            batch = Batch(operation, retractions=(Retraction(target, reason),))
            return _decided(batch, snapshot, _touched(snapshot, concerned), concerned)

    def lift(self, withdrawal: Withdrawal) -> Batch:
        """The batch that lifts a withdrawal: what it withdrew stands again, if nothing else withdraws it."""
        at = self._next()
        with self.store.snapshot(self.space) as snapshot:
            concerned = [
                replace(
                    one,
                    withdrawals=tuple(
                        replace(each, lifted_in=0, lifted_at=at) if each.id == withdrawal.id else each
                        for each in one.withdrawals
                    ),
                )
                for one in snapshot.claims([withdrawal.target])
            ]
            batch = Batch(Operation(0, at, at, Act.UNDO), retractions=(Retraction(withdrawal.id),))
            return _decided(batch, snapshot, _touched(snapshot, concerned), concerned)

    def declaration(self, declared: Declared) -> Batch:
        """The batch that declares something; where it is an attribute, all its slots are settled anew."""
        at = self._next()
        with self.store.snapshot(self.space) as snapshot:
            contests: dict[ContestKey, Attribute] = {}
            if isinstance(declared, Attribute):
                concerned = [one for one in snapshot.every(Slot) if one.attribute == declared.key]
                whole = snapshot.testimonies([ContestKey(one.id) for one in concerned])
                contests = {
                    contest_key(one.claim.slot, one.claim.value.key, declared): declared
                    for found in whole.values()
                    for one in found
                }
            batch = Batch(Operation(0, at, at, Act.DECLARE), declarations=(declared,))
            return _decided(batch, snapshot, contests, ())

    def decision(self, contests: Sequence[ContestKey]) -> Batch:
        """The batch that decides contests anew because of others, without testimony on them."""
        at = self._next()
        with self.store.snapshot(self.space) as snapshot:
            heard = {key: those[0] for key, those in snapshot.testimonies(contests).items() if those}
            declared = snapshot.declared(Attribute, [one.claim.slot.attribute for one in heard.values()])
            touched = {
                key: declared.get(one.claim.slot.attribute) or undeclared(one.claim.slot.attribute)
                for key, one in heard.items()
            }
            operation = Operation(0, at, at, Act.OBSERVE)
            batch = Batch(operation, decided=tuple(contests), links=snapshot.head().links)
            return _decided(batch, snapshot, touched, ())

    def replacement(self, beliefs: Sequence[Belief]) -> Batch:
        """The batch that puts beliefs in the place of those of the same ids, however they stand."""
        at = self._next()
        with self.store.snapshot(self.space) as snapshot:
            operation = Operation(0, at, at, Act.OBSERVE)
            return Batch(operation, beliefs=tuple(beliefs), schema=snapshot.head().schema)

    def naming(self, entity: Entity, name: str, access: Access = PUBLIC) -> Batch:
        """The batch that gives an entity a further name, for those who have access."""
        at = self._next()
        alias = Alias(name_key(name), entity.id, name, access=access)
        return Batch(Operation(0, at, at, Act.ALIAS), entities=(entity,), aliases=(alias,))

    def unnaming(self, entity: Entity, name: str, access: Access = PUBLIC) -> Batch:
        """The batch that takes a further name from an entity."""
        return self.withdrawal(alias_target(name_key(name), entity.id, access))

    def _next(self) -> Instant:
        self.now = Instant(self.now + _SECOND)
        return self.now


@st.composite
def batches(draw: st.DrawFn) -> Batch:
    """Batches for a space in which nothing was written yet."""
    return Workload(MemoryStore()).observation(*draw(observations()))


def terms_of(text: str) -> tuple[str, ...]:
    """The words of a text, as plainly as can be."""
    return tuple(text.casefold().split())


def _testimony(claim: Claim, ground: Evidence, at: Instant) -> Testimony:
    return Testimony(
        claim=claim,
        source=ground.source,
        groups=ground.groups,
        observed_at=ground.observed_at,
        effective_at=ground.effective_at,
        recorded_at=min(ground.recorded_at, at),
        is_pinned=ground.is_pinned,
        operation=0,
        access=ground.access,
    )


def _entities(claims: Iterable[Claim], known: Mapping[str, Evidence]) -> tuple[Entity, ...]:
    """Each entity that claims are about or have as their value."""
    found = {
        claim.slot.subject.id: replace(claim.slot.subject, access=known[claim.evidence_id].access)
        for claim in claims
    }
    for claim in claims:
        if claim.value.type is ValueType.ENTITY:
            own_id = claim.value.key.removeprefix("entity:")
            found.setdefault(own_id, Entity(own_id, claim.value.text))
    return tuple(found.values())


def _touched(snapshot: Snapshot, moved: Sequence[Testimony]) -> dict[ContestKey, Attribute]:
    """The contests that testimonies bear on."""
    declared = snapshot.declared(Attribute, [one.claim.slot.attribute for one in moved])
    touched: dict[ContestKey, Attribute] = {}
    for one in moved:
        key = one.claim.slot.attribute
        attribute = declared.get(key) or undeclared(key)
        touched[contest_key(one.claim.slot, one.claim.value.key, attribute)] = attribute
    return touched


def _decided(
    batch: Batch,
    snapshot: Snapshot,
    contests: Mapping[ContestKey, Attribute],
    moved: Sequence[Testimony],
) -> Batch:
    """The batch with its contests settled, `moved` taking the place of the testimony on record."""
    recorded = snapshot.testimonies(list(contests))
    beliefs: list[Belief] = []
    expected: dict[ContestKey, int] = {}
    for contest, attribute in contests.items():
        before = snapshot.beliefs(BeliefFilter(contests=[contest]))
        expected[contest] = max((belief.version for belief in before), default=0)
        heard = {one.claim.id: one for one in recorded.get(contest, ())}
        heard |= {one.claim.id: one for one in moved if _bears_on(one.claim, contest)}
        labels = restricted(one.access for one in heard.values())
        settled = settle(heard.values(), attribute, Scope(batch.operation.at, FOREVER))
        beliefs.extend(replace(one, labels=labels) for one in settled)
    texts = (TextEntry(one.id, terms_of(_sentence(one))) for one in beliefs)
    return replace(
        batch,
        beliefs=tuple(beliefs),
        texts=(*batch.texts, *texts),
        expected=expected,
        schema=snapshot.head().schema,
    )


def _bears_on(claim: Claim, contest: ContestKey) -> bool:
    return claim.slot.id == contest.slot_id and contest.value_key in (None, claim.value.key)


def _sentence(belief: Belief) -> str:
    return f"{belief.slot.subject.name} {belief.slot.attribute} {belief.value}"
