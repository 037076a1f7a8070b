"""The sieve: of all records of a kind, those that a reader may see."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, cast

from knowwhy.core.model import (
    Alias,
    Entity,
    Evidence,
    Operation,
    Slot,
    Testimony,
    Withdrawal,
    alias_named,
    is_claim,
    is_retraction,
    name_key,
)
from knowwhy.core.revision import ContestKey
from knowwhy.store.hidden import Hidden, Item, Viewer, pages
from knowwhy.store.protocol import Audit, Batch, Decision, E, Guarded, Snapshot, TextEntry, Vector

# What of an outcome does not differ from reader to reader.
_TOLD: Final = ("evidence", "recorded")


@dataclass(frozen=True, slots=True)
class Sieve:
    """What one viewer may see of the records of a state; `heard` and `claimed` give what it may hear."""

    below: Snapshot
    viewer: Viewer
    hidden: Hidden
    heard: Callable[[Sequence[ContestKey]], Mapping[ContestKey, list[Testimony]]]
    claimed: Callable[[Sequence[str]], list[Testimony]]

    def sifted(self, kind: type[E], found: Iterator[E]) -> Iterator[E]:
        """Those of the records of a kind that may be seen, in the same order."""
        ways: Mapping[Any, Callable[[Any], Iterable[Any]]] = {
            Evidence: self._evidence,
            Slot: self._slots,
            Alias: self._aliases,
            Withdrawal: self._gone,
            Vector: self._documents,
            TextEntry: self._documents,
            Audit: self._audits,
            Decision: self._decisions,
            Batch: self._batches,
            Guarded: self._guarded,
        }
        return cast("Iterator[E]", iter(ways[kind](found)))

    def _evidence(self, found: Iterator[Evidence]) -> Iterator[Evidence]:
        return (self.hidden.dated(one) for one in found if one.id not in self.hidden.evidence)

    def _slots(self, found: Iterator[Slot]) -> Iterator[Slot]:
        for page in pages(found):
            heard = self.heard([ContestKey(one.id) for one in page])
            yield from (self.hidden.slot(one) for one in page if heard[ContestKey(one.id)])

    def _aliases(self, given: Iterable[Alias]) -> Iterator[Alias]:
        """The names that were given where the viewer sees it, each once; an entity's own is none."""
        seen: dict[tuple[str, str], Alias] = {}
        for one in given:
            if self.viewer.may_read(one.access):
                known = seen.setdefault((one.key, one.entity_id), one)
                if known.operation < one.operation:
                    seen[one.key, one.entity_id] = one
        ids = sorted({own for _, own in seen})
        own = {(name_key(one.name), one.id) for page in pages(ids) for one in self.below.entities(page)}
        return (one for key, one in seen.items() if key not in own)

    def _gone(self, found: Iterable[Withdrawal]) -> list[Withdrawal]:
        """The withdrawals of what the viewer may see, and what lifts these."""
        those = list(found)
        by_id = {one.id: one for one in those}
        lifted = sorted({one.target for one in those if is_retraction(one.target)} - by_id.keys())
        if lifted:
            by_id |= {one.id: one for one in self.below.every(Withdrawal) if one.id in set(lifted)}
        roots = {one.id: _root(one, by_id) for one in those}
        claimed = [one for one in set(roots.values()) if is_claim(one)]
        known = {one.claim.id for page in pages(sorted(claimed)) for one in self.claimed(page)}
        return [
            one
            for one in those
            if (root := roots[one.id]) not in self.hidden.evidence
            and self._is_known(root)
            and (not is_claim(root) or root in known)
        ]

    def _is_known(self, target: str) -> bool:
        """Whether a name that was taken away, if it was one, had been given where the viewer sees it."""
        named = alias_named(target)
        return named is None or not named[2] or named[2] in self.hidden.readable

    def names_given(self) -> int:
        """How many further names were ever given where the viewer sees it."""
        given = {(one.key, one.entity_id) for one in self._aliases(self.below.every(Alias))}
        taken = (alias_named(one.target) for one in self._gone(self.below.every(Withdrawal)))
        given |= {one[:2] for one in taken if one is not None}
        return len(given)

    def _documents(self, found: Iterator[Item]) -> Iterator[Item]:
        return (one for one in found if not self.hidden.hides(cast("Any", one).document))

    def _audits(self, found: Iterator[Audit]) -> Iterator[Audit]:
        return (one for one in found if one.names and one.names <= self.viewer.names)

    def _decisions(self, found: Iterator[Decision]) -> Iterator[Decision]:
        for page in pages(found):
            heard = self.heard([one.contest for one in page])
            yield from (one for one in page if heard[one.contest])

    def _batches(self, found: Iterator[Batch]) -> Iterator[Batch]:
        """The log without what is hidden, and without what it told of changes."""
        for one in found:
            if not self.viewer.may_read(one.operation.access):
                continue
            kept = [claim for claim in one.claims if claim.evidence_id not in self.hidden.evidence]
            gone = {id(each) for each in self._withheld(one.entities)}
            spoken = {each.source for each in one.evidence if each.id not in self.hidden.evidence}
            yield replace(
                one,
                operation=told(one.operation),
                entities=tuple(self.hidden.spelled(each) for each in one.entities if id(each) not in gone),
                aliases=tuple(each for each in one.aliases if self.viewer.may_read(each.access)),
                evidence=tuple(each for each in one.evidence if each.id not in self.hidden.evidence),
                claims=tuple(replace(each, slot=self.hidden.slot(each.slot)) for each in kept),
                sources=tuple(each for each in one.sources if each in spoken),
            )

    def _withheld(self, entities: Iterable[Entity]) -> list[Entity]:
        known = self.hidden.entities
        return [one for one in entities if one.id in known and known[one.id] is None]

    def _guarded(self, found: Iterable[Guarded]) -> Iterator[Guarded]:
        return (one for one in found if self._shows(one))

    def _shows(self, one: Guarded) -> bool:
        if one.kind == "entity":
            return self.hidden.entities.get(one.record, one) is not None
        if one.kind == "operation":
            return int(one.record) not in self.hidden.operations
        return one.record not in self.hidden.evidence


def told(operation: Operation) -> Operation:
    """An operation with what it recorded, and not what that changed: that differs from reader to reader."""
    if operation.outcome is None:
        return operation
    return replace(
        operation, outcome={key: operation.outcome[key] for key in _TOLD if key in operation.outcome}
    )


def _root(one: Withdrawal, by_id: Mapping[str, Withdrawal]) -> str:
    """The record that a withdrawal, or what lifts one, is about in the end."""
    target = one.target
    while is_retraction(target) and target in by_id:
        target = by_id[target].target
    return target
