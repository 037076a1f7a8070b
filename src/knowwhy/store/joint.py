"""The joint between two layers: how numbers, records and withdrawals of a branch meet those of below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from knowwhy.core.model import Evidence, Testimony, Withdrawal
from knowwhy.core.timeline import Instant
from knowwhy.store.protocol import Batch, Guarded, Head, Snapshot, Vector

Item = TypeVar("Item", Evidence, Testimony)


@dataclass(frozen=True, slots=True)
class Fork:
    """Where a branch began: the operation of the space below that it still sees, and its time."""

    sequence: int
    at: Instant


@dataclass(frozen=True, slots=True)
class Joint:
    """Where a branch lies on what is below: `own` is what was written on it, if anything was."""

    fork: Fork
    own: Snapshot
    has_own: bool

    def head(self, above: Head, below: Head) -> Head:
        """How far the branch has come, by the heads of its own space and of what is below."""
        last = self.fork.sequence
        return Head(
            sequence=self.up(above.sequence) or last,
            at=max(above.at, self.fork.at),
            schema=self.up(above.schema) or min(below.schema, last),
            links=self.up(above.links) or min(below.links, last),
            fork=last,
            vectors=above.vectors,
            guards=self.up(above.guards) or min(below.guards, last),
        )

    def up(self, number: int) -> int:
        """The number of one of the branch's own operations; 0 stays 0."""
        return self.fork.sequence + number if number else 0

    def up_whole(self, one: Withdrawal) -> Withdrawal:
        """A withdrawal made on the branch, with its operations as the branch numbers them."""
        lifted_in = None if one.lifted_in is None else self.up(one.lifted_in)
        return replace(one, operation=self.up(one.operation), lifted_in=lifted_in)

    def told(self, batch: Batch, below: Snapshot) -> Batch:
        """A batch of the branch as the branch numbers it, without what it had from below."""
        last = self.fork.sequence
        items = [one.id for one in batch.evidence]
        grounds = {one.id for one in below.evidence(ids=items) if one.operation <= last} if items else set()
        known = {
            one.claim.id for one in below.claims([one.id for one in batch.claims]) if one.operation <= last
        }
        gone = {one.id for one in below.every(Withdrawal, [one.target for one in batch.retractions])}
        return replace(
            batch,
            operation=replace(batch.operation, sequence=self.up(batch.operation.sequence)),
            declarations=tuple(
                replace(one, declared_in=self.up(one.declared_in)) for one in batch.declarations
            ),
            evidence=tuple(one for one in batch.evidence if one.id not in grounds),
            claims=tuple(one for one in batch.claims if one.id not in known),
            retractions=tuple(one for one in batch.retractions if one.id not in gone),
        )

    def reach(self, until: int | None) -> tuple[int, int | None]:
        """Up to which operation of below, and up to which of its own, something is asked for."""
        last = self.fork.sequence
        return (last, None) if until is None else (min(until, last), max(until - last, 0))

    def beside(self, below: Snapshot, items: Sequence[Evidence], until: int | None) -> list[Evidence]:
        """What was said just before and after each item: the nearer of what either layer has there."""
        last, above = self.reach(until)
        under = below.evidence(beside=items, until=last)
        own = self.own.evidence(beside=items, until=above) if self.has_own and above != 0 else []
        near = self.joined(under, own)
        found: dict[str, Evidence] = {}
        for item in items:
            at = (item.effective_at, item.id)
            said = {(one.effective_at, one.id): one for one in near if one.context == item.context}
            before = max((place for place in said if place < at), default=None)
            after = min((place for place in said if place > at), default=None)
            found.update((place[1], said[place]) for place in (before, after) if place is not None)
        return list(found.values())

    def joined(self, under: Iterable[Item], above: Iterable[Item]) -> list[Item]:
        """Items of both layers; what was taken over was recorded below, wherever it was withdrawn."""
        last = self.fork.sequence
        found = {
            _id(one): replace(one, withdrawals=tuple(self.forked(one.withdrawals)))
            if one.withdrawals
            else one
            for one in under
            if one.operation <= last
        }
        lifted = {
            one.id: one for one in self.lifted([each for item in found.values() for each in item.withdrawals])
        }
        for key, item in found.items():
            if item.withdrawals:
                found[key] = replace(item, withdrawals=tuple(lifted[one.id] for one in item.withdrawals))
        for one in above:
            own: Item = replace(
                one,
                operation=self.up(one.operation),
                withdrawals=tuple(self.up_whole(each) for each in one.withdrawals),
            )
            known: Item = found.setdefault(_id(one), own)
            if known is not own and own.withdrawals:
                # What was withdrawn below is so here by the same withdrawal.
                there = {each.id for each in known.withdrawals}
                added: list[Withdrawal] = [each for each in own.withdrawals if each.id not in there]
                found[_id(one)] = replace(known, withdrawals=_in_order((*known.withdrawals, *added)))
        return list(found.values())

    def forked(self, withdrawals: Iterable[Withdrawal]) -> list[Withdrawal]:
        """Withdrawals of below as they were at the fork."""
        last = self.fork.sequence
        return [
            one
            if one.lifted_in is None or one.lifted_in <= last
            else replace(one, lifted_in=None, lifted_at=None)
            for one in withdrawals
            if one.operation <= last
        ]

    def lifted(self, withdrawals: Sequence[Withdrawal]) -> list[Withdrawal]:
        """Withdrawals of below, those that were lifted here as lifted."""
        standing = [one.id for one in withdrawals if not one.is_lifted]
        if not standing or not self.has_own:
            return list(withdrawals)
        lifts: dict[str, Withdrawal] = {}
        for one in self.own.every(Withdrawal, standing):
            if one.target not in lifts or one.operation < lifts[one.target].operation:
                lifts[one.target] = one
        return [
            replace(one, lifted_in=self.up(lift.operation), lifted_at=lift.at)
            if not one.is_lifted and (lift := lifts.get(one.id)) is not None
            else one
            for one in withdrawals
        ]


def _id(one: Evidence | Testimony) -> str:
    return one.id if isinstance(one, Evidence) else one.claim.id


def _in_order(withdrawals: Iterable[Withdrawal]) -> tuple[Withdrawal, ...]:
    return tuple(sorted(withdrawals, key=lambda one: (one.operation, one.id)))


def vectors_of(
    below: Snapshot, own: Snapshot, last: Head, documents: Sequence[str] | None, after: int
) -> Iterator[Vector]:
    """The vectors of below that the branch, which has come to `last`, did not put anew, then its own."""
    found = list(own.every(Vector, documents, after=after)) if last.vectors else []
    if after == 0:
        put = {(one.document, one.model) for one in found}
        yield from (one for one in below.every(Vector, documents) if (one.document, one.model) not in put)
    yield from found


def batches_of(below: Snapshot, joint: Joint, after: int) -> Iterator[Batch]:
    """The log of below up to the fork, then that of the branch without what it took over."""
    last = joint.fork.sequence
    for batch in below.every(Batch, after=after):
        if batch.operation.sequence > last:
            break
        yield batch
    for batch in joint.own.every(Batch, after=max(after - last, 0)):
        yield joint.told(batch, below)


def guarded_of(below: Snapshot, joint: Joint) -> Iterator[Guarded]:
    """What not everybody may read of below, up to the fork as far as operations are meant, and of its own."""
    last = joint.fork.sequence
    found = {
        (one.kind, one.record): one
        for one in below.every(Guarded)
        if one.kind != "operation" or int(one.record) <= last
    }
    for one in joint.own.every(Guarded):
        number = str(joint.up(int(one.record))) if one.kind == "operation" else one.record
        found.setdefault((one.kind, number), replace(one, record=number))
    by_place = sorted(found, key=lambda key: (key[0], int(key[1]) if key[0] == "operation" else 0, key[1]))
    return (found[key] for key in by_place)
