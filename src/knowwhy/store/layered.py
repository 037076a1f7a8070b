"""Layers: a branch as a space of its own, over another one up to the operation at which it forked.

Forking copies nothing. What is decided on the branch is written to its own space, with the testimony it
rests on; all else is read through from below, where whatever came after the fork is not seen. So a branch
works alike over every store, and nothing of it is in the way of those who do not use it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Final, cast

from knowwhy.core.model import (
    Alias,
    Belief,
    Entity,
    Evidence,
    Operation,
    Retraction,
    Slot,
    Source,
    Testimony,
    Withdrawal,
    alias_target,
    name_key,
)
from knowwhy.core.revision import ContestKey
from knowwhy.store.following import wait_for
from knowwhy.store.joint import Fork, Joint, batches_of, guarded_of, vectors_of
from knowwhy.store.protocol import (
    Audit,
    Batch,
    BeliefFilter,
    D,
    Decision,
    E,
    Erasing,
    Guarded,
    Head,
    Hit,
    Hits,
    Snapshot,
    StaleRead,
    Store,
    TextEntry,
    Vector,
    View,
)
from knowwhy.store.sparse import Shelf

# Terms that are in more documents together say little of any.
_EVERYWHERE: Final = 600

# What documents of the index are, by how their ids begin.
_EVIDENCE: Final = "ev_"


@dataclass(frozen=True, slots=True)
class LayeredSnapshot:
    """One consistent state of a branch: its own records, over those of `below` up to the fork.

    Operations of the branch are numbered on from the fork, up to the `last`. Where nothing was written on
    it, and nothing came after the fork below (`has_moved`), there is nothing to join.
    """

    below: Snapshot
    joint: Joint
    last: Head
    has_moved: bool

    @property
    def own(self) -> Snapshot:
        """What was written on the branch, as its own space numbers it."""
        return self.joint.own

    @property
    def fork(self) -> Fork:
        """Where the branch began."""
        return self.joint.fork

    @property
    def has_own(self) -> bool:
        """Whether anything was written on it."""
        return self.joint.has_own

    def head(self) -> Head:
        return self.last

    def operations(
        self,
        *,
        key: str | None = None,
        sequences: Sequence[int] | None = None,
        before: int | None = None,
        limit: int | None = None,
    ) -> list[Operation]:
        last = self.fork.sequence
        above = None if sequences is None else [one - last for one in sequences if one > last]
        under = None if sequences is None else [one for one in sequences if one <= last]
        until = last + 1 if before is None else min(before, last + 1)
        found: list[Operation] = []
        if self.has_own and (before is None or before > last + 1):
            numbered = None if before is None else before - last
            own = self.own.operations(key=key, sequences=above, before=numbered, limit=limit)
            found += (replace(one, sequence=self.joint.up(one.sequence)) for one in own)
        if limit is None or len(found) < limit:
            rest = None if limit is None else limit - len(found)
            found += self.below.operations(key=key, sequences=under, before=until, limit=rest)
        return found

    def declared(
        self, kind: type[D], keys: Sequence[str] | None = None, *, until: int | None = None
    ) -> dict[str, D]:
        under, above = self.joint.reach(until)
        found = self.below.declared(kind, keys, until=under)
        if self.has_own:
            own = self.own.declared(kind, keys, until=above)
            found |= {
                key: replace(one, declared_in=self.joint.up(one.declared_in)) for key, one in own.items()
            }
        return {key: found[key] for key in sorted(found)}

    def sources(
        self, names: Sequence[str] | None = None, *, until: int | None = None, is_whole: bool = False
    ) -> list[Source]:
        under, above = self.joint.reach(until)
        if is_whole:
            upper = self.own.sources(names, until=above, is_whole=True) if self.has_own else []
            return [*self.below.sources(names, until=under, is_whole=True), *upper]
        own = self.own.sources(names, until=above) if self.has_own else []
        found = {(one.name, one.type): one for one in own}
        # A source is known by its first standing.
        found.update(((one.name, one.type), one) for one in self.below.sources(names, until=under))
        return [found[key] for key in sorted(found)]

    def names(self, keys: Sequence[str], *, until: int | None = None) -> dict[str, list[Entity]]:
        under, above = self.joint.reach(until)
        below = self.below.names(keys, until=under)
        if not self.has_own:
            return below
        own = self.own.names(keys, until=above)
        further = {
            (key, one.id) for key, those in below.items() for one in those if name_key(one.name) != key
        }
        unnamed = self._unnamed(further, above) if further else ()
        found = {
            key: _entities(
                (*(one for one in below.get(key, ()) if (key, one.id) not in unnamed), *own.get(key, ()))
            )
            for key in keys
        }
        return {key: those for key, those in found.items() if those}

    def _unnamed(self, further: Collection[tuple[str, str]], until: int | None) -> set[tuple[str, str]]:
        """Of further names of below, as name and entity, those taken away here from all who had them."""
        given: dict[tuple[str, str], set[str]] = {one: set() for one in further}
        for one in self.below.every(Alias, sorted({key for key, _ in further})):
            if (one.key, one.entity_id) in given and one.operation <= self.fork.sequence:
                given[one.key, one.entity_id].add(one.target)
        # What was taken away below since the fork is not listed there any more.
        targets = {one: those or {alias_target(*one)} for one, those in given.items()}
        gone = self._taken_away(set().union(*targets.values()), until)
        return {one for one, those in targets.items() if those <= gone}

    def _taken_away(self, targets: Collection[str], until: int | None = None) -> set[str]:
        """Which aliases were withdrawn here and not given back."""
        gone = self.own.every(Withdrawal, sorted(targets)) if targets else ()
        return {
            one.target
            for one in gone
            if (until is None or one.operation <= until)
            and (one.lifted_in is None or (until is not None and one.lifted_in > until))
        }

    def entities(self, ids: Sequence[str] | None = None) -> list[Entity]:
        if not self.has_own:
            return self.below.entities(ids)
        return _entities((*self.below.entities(ids), *self.own.entities(ids)))

    def evidence(
        self,
        *,
        ids: Sequence[str] | None = None,
        contents: Sequence[str] | None = None,
        beside: Sequence[Evidence] | None = None,
        until: int | None = None,
    ) -> list[Evidence]:
        if ids is None and contents is None and beside is not None:
            return _by_time(self.joint.beside(self.below, beside, until))
        under = self.below.evidence(ids=ids, contents=contents)
        if self.has_own:
            under = self.joint.joined(under, self.own.evidence(ids=ids, contents=contents))
        elif self.has_moved:
            under = self.joint.joined(under, ())
        near = self.joint.beside(self.below, beside, until) if beside is not None else ()
        return _by_time((*under, *near))

    def testimonies(
        self, contests: Sequence[ContestKey], *, source: str | None = None, limit: int | None = None
    ) -> dict[ContestKey, list[Testimony]]:
        if not self.has_own and not self.has_moved:
            return self.below.testimonies(contests, source=source, limit=limit)
        under = self.below.testimonies(contests, source=source)
        above = self.own.testimonies(contests, source=source) if self.has_own else {}
        return {key: self.joint.joined(under.get(key, ()), above.get(key, ()))[:limit] for key in contests}

    def claims(self, targets: Sequence[str]) -> list[Testimony]:
        under = self.below.claims(targets)
        if not self.has_own and not self.has_moved:
            return under
        found = self.joint.joined(under, self.own.claims(targets) if self.has_own else ())
        return sorted(found, key=lambda one: one.claim.id)

    def beliefs(self, wanted: BeliefFilter) -> list[Belief]:
        """Beliefs as last settled; what moved below since the fork comes whatever status it has there."""
        if not self.has_own and not self.has_moved:
            return self.below.beliefs(wanted)
        own = [replace(one, version=self.joint.up(one.version)) for one in self.own.beliefs(wanted)]
        found = {one.id: one for one in (*self._beliefs_below(wanted), *own)}
        return [found[one] for one in sorted(found)][: wanted.limit]

    def _beliefs_below(self, wanted: BeliefFilter) -> list[Belief]:
        """The wanted beliefs of below that were not decided here, as they stood at the fork."""
        limit = wanted.limit
        while True:
            read = self.below.beliefs(replace(wanted, limit=limit))
            found = self._not_decided(self._at_fork(read))
            if limit is None or len(read) < limit or len(found) >= (wanted.limit or 0):
                break
            limit *= 2
        if wanted.statuses is None or not self.has_moved:
            return found
        moved = self.below.beliefs(replace(wanted, statuses=None, ids=_moved(self, wanted.ids)))
        return list({one.id: one for one in (*found, *self._not_decided(self._at_fork(moved)))}.values())

    def _not_decided(self, beliefs: list[Belief]) -> list[Belief]:
        """Those that were not decided here; what was is read here, though as decided it may not be wanted."""
        if not self.has_own or not beliefs:
            return beliefs
        decided = {one.id for one in self.own.beliefs(BeliefFilter(ids=[one.id for one in beliefs]))}
        return [one for one in beliefs if one.id not in decided]

    def _at_fork(self, beliefs: list[Belief]) -> list[Belief]:
        """Beliefs of below without those that came after the fork; what moved since is to be settled anew."""
        last = self.fork.sequence
        moved = [one for one in beliefs if one.version > last]
        if not moved:
            return beliefs
        said = self.below.testimonies([ContestKey(one.slot.id, one.value.key) for one in moved])
        known = {key for key, those in said.items() if any(one.operation <= last for one in those)}
        return [
            one if one.version <= last else replace(one, version=last, stable_until=one.settled_at)
            for one in beliefs
            if one.version <= last or ContestKey(one.slot.id, one.value.key) in known
        ]

    def search(self, terms: Sequence[str], limit: int) -> Hits:
        under = self._search_below(terms, limit) if self.has_moved else self.below.search(terms, limit)
        if not self.has_own:
            return under
        above = self.own.search(_telling(terms, under.frequencies), limit)
        best = {one.document: one for one in sorted((*under.hits, *above.hits), key=lambda hit: hit.score)}
        ranked = sorted(best.values(), key=lambda hit: (-hit.score, hit.document))[: max(limit, 0)]
        frequencies = {
            term: under.frequencies.get(term, 0) + above.frequencies.get(term, 0) for term in terms
        }
        return Hits(tuple(ranked), frequencies, under.documents + above.documents)

    def _search_below(self, terms: Sequence[str], limit: int) -> Hits:
        """What is found below, without what came after the fork; how common a term is says below as it is."""
        asked = limit
        while True:
            found = self.below.search(terms, asked)
            kept = self._found_at_fork(found.hits)
            if len(found.hits) < asked or len(kept) >= limit:
                return Hits(tuple(kept[: max(limit, 0)]), found.frequencies, found.documents)
            asked *= 2

    def _found_at_fork(self, hits: Sequence[Hit]) -> list[Hit]:
        documents = [one.document for one in hits]
        evidence = [one for one in documents if one.startswith(_EVIDENCE)]
        beliefs = [one for one in documents if not one.startswith(_EVIDENCE)]
        known = {one.id for one in self.below.evidence(ids=evidence) if one.operation <= self.fork.sequence}
        known |= {one.id for one in self._at_fork(self.below.beliefs(BeliefFilter(ids=beliefs)))}
        return [one for one in hits if one.document in known]

    def counts(self) -> dict[str, int]:
        """How many records there are in both layers, also those below that came after the fork.

        What is in both counts twice.
        """
        under, above = self.below.counts(), self.own.counts()
        counted = {key: under.get(key, 0) + above.get(key, 0) for key in sorted(under.keys() | above.keys())}
        return counted | {"operations": self.head().sequence}

    def views(self) -> Iterator[Belief | TextEntry]:
        """The view rows of what was decided and said here; those of below are kept there."""
        for row in self.own.views():
            yield replace(row, version=self.joint.up(row.version)) if isinstance(row, Belief) else row

    def every(self, kind: type[E], targets: Sequence[str] | None = None, *, after: int = 0) -> Iterator[E]:
        if kind is Vector:
            yield from cast("Iterator[E]", vectors_of(self.below, self.own, self.last, targets, after))
        elif kind is Audit:
            yield from self.own.every(kind, targets, after=after)
        elif kind is TextEntry:
            texts = {one.document: one for one in self.below.every(TextEntry, targets)}
            texts |= {one.document: one for one in self.own.every(TextEntry, targets)}
            yield from cast("Iterator[E]", (texts[one] for one in sorted(texts)))
        elif kind is Batch:
            yield from cast("Iterator[E]", batches_of(self.below, self.joint, after))
        elif kind is Evidence:
            found = self.joint.joined(list(self.below.every(Evidence)), list(self.own.every(Evidence)))
            yield from cast("Iterator[E]", sorted(found, key=lambda one: one.id))
        elif kind is Decision:
            decided = self.own.every(Decision)
            yield from cast(
                "Iterator[E]", (replace(one, operation=self.joint.up(one.operation)) for one in decided)
            )
        elif kind is Withdrawal:
            yield from cast("Iterator[E]", self._withdrawals(targets))
        elif kind is Alias:
            yield from cast("Iterator[E]", self._aliases(targets))
        elif kind is Guarded:
            yield from cast("Iterator[E]", guarded_of(self.below, self.joint))
        else:
            slots = {
                one.id: one for one in (*self.below.every(Slot, targets), *self.own.every(Slot, targets))
            }
            yield from cast("Iterator[E]", (slots[one] for one in sorted(slots)))

    def _withdrawals(self, targets: Sequence[str] | None) -> list[Withdrawal]:
        under = self.joint.forked(self.below.every(Withdrawal, targets))
        own = [self.joint.up_whole(one) for one in self.own.every(Withdrawal, targets)]
        found = {one.id: one for one in (*own, *self.joint.lifted(under))}
        return [found[one] for one in sorted(found)]

    def _aliases(self, keys: Sequence[str] | None) -> list[Alias]:
        last = self.fork.sequence
        given = list(self.below.every(Alias, keys))
        late = self.below.names(sorted({one.key for one in given if one.operation > last}), until=last)
        under = [
            one
            for one in given
            if one.operation <= last or any(each.id == one.entity_id for each in late.get(one.key, ()))
        ]
        gone = self._taken_away({one.target for one in under})
        found = {one.target: one for one in under if one.target not in gone}
        for one in self.own.every(Alias, keys):
            found[one.target] = replace(one, operation=self.joint.up(one.operation))
        return sorted(found.values(), key=lambda one: (one.key, one.entity_id, str(one.access)))


def _moved(view: LayeredSnapshot, among: Sequence[str] | None) -> list[str]:
    """The beliefs (by id) whose standing operations below changed after the fork, by what these told."""
    since = view.below.head().sequence - view.fork.sequence
    moved = {
        change["belief"]
        for one in view.below.operations(limit=since)
        for change in (one.outcome or {}).get("changes", ())
    }
    return sorted(moved if among is None else moved.intersection(among))


class LayeredStore:
    """A store whose spaces are branches, each over a space of the store below."""

    def __init__(self, store: Store, own: str, below: Store, fork: Fork) -> None:
        """`own` is the space in `store` that keeps the branch; `below` is read under the name asked for."""
        self._store = store
        self._own = own
        self._below = below
        self._fork = fork
        self._shelf = Shelf()
        # The store at the bottom, in whose transaction the space of a branch can be read too.
        self._base: Store = below._base if isinstance(below, LayeredStore) else below  # noqa: SLF001 - its own kind

    @contextmanager
    def snapshot(self, space: str, *, turn: Collection[str] = ()) -> Iterator[Snapshot]:
        with self._layered(space, turn) as view:
            yield view

    @contextmanager
    def _layered(self, space: str, turn: Collection[str] = ()) -> Iterator[LayeredSnapshot]:
        # Taken below, which is read first; but for this branch alone.
        own_turn = [f"{self._own}\n{one}" for one in turn]
        with self._below.snapshot(space, turn=own_turn) as below, self._opened(below) as own:
            under, above = below.head(), own.head()
            has_own = above.sequence > 0
            joint = Joint(self._fork, self._shelf.sparse(own) if has_own else own, has_own)
            has_moved = under.sequence > self._fork.sequence
            yield LayeredSnapshot(below, joint, joint.head(above, under), has_moved)

    def _opened(self, below: Snapshot) -> AbstractContextManager[Snapshot]:
        """What was written on the branch, as of the same moment as what is below if its store can do that."""
        if self._store is self._base:
            bottom = below
            while isinstance(bottom, LayeredSnapshot):
                bottom = bottom.below
            beside: Callable[[str], Snapshot] | None = getattr(bottom, "beside", None)
            if beside is not None:
                return nullcontext(beside(self._own))
        return self._store.snapshot(self._own)

    def commit(self, space: str, batch: Batch) -> Operation:
        with self._layered(space) as view:
            written = _with_grounds(view, batch)
        last = self._fork.sequence
        own = replace(
            written,
            expected={key: max(0, version - last) for key, version in batch.expected.items()},
            schema=max(0, batch.schema - last),
            links=None if batch.links is None else max(0, batch.links - last),
        )
        try:
            operation = self._store.commit(self._own, own)
        except StaleRead as stale:
            raise StaleRead(
                {
                    key: batch.expected[key] if version == own.expected[key] else version + last
                    for key, version in stale.versions.items()
                }
            ) from stale
        return replace(operation, sequence=last + operation.sequence)

    def replace_views(self, space: str, rows: Iterable[View], *, is_whole: bool = True) -> None:
        del space
        last = self._fork.sequence
        self._shelf.clear()
        self._store.replace_views(
            self._own,
            (
                replace(row, version=max(0, row.version - last)) if isinstance(row, Belief) else row
                for row in rows
            ),
            is_whole=is_whole,
        )

    def drop(self, space: str, evidence: Sequence[str], before: int, erasing: Erasing | None = None) -> None:
        del space
        self._shelf.clear()
        self._store.drop(self._own, evidence, max(0, before - self._fork.sequence), erasing)

    def wait(self, space: str, after: int, timeout: float) -> None:
        del space
        wait_for(self._store, self._own, after - self._fork.sequence, timeout)

    def problems(self, space: str) -> list[str]:
        del space
        return self._store.problems(self._own)

    def close(self) -> None:
        """Nothing: the store below belongs to the memory that the branch was taken from."""


def _with_grounds(view: LayeredSnapshot, batch: Batch) -> Batch:
    """The batch with what it rests on of below: what is decided or withdrawn on a branch is whole there."""
    contests = [ContestKey(one.slot.id, one.value.key) for one in batch.beliefs]
    under = _testimony_below(view, contests) if contests else []
    named = [one.entity_id for one in batch.aliases]
    entities = view.entities(sorted(named)) if named else []
    items = {one.claim.evidence_id for one in under} | {one.target for one in batch.retractions}
    items |= {one.evidence_id for one in batch.claims}
    brought = {one.id for one in batch.evidence}
    missing = sorted(items - brought)
    kept = {one.id for one in view.own.evidence(ids=missing)} if missing else set()
    evidence = [one for one in view.evidence(ids=missing) if one.id not in kept] if missing else []
    return replace(
        batch,
        entities=(*batch.entities, *entities),
        evidence=(*batch.evidence, *evidence),
        claims=(*batch.claims, *(one.claim for one in under)),
        sources=(*batch.sources, *dict.fromkeys(one.source for one in evidence)),
        retractions=(*batch.retractions, *_standing_withdrawals((*under, *evidence))),
    )


def _standing_withdrawals(items: Iterable[Testimony | Evidence]) -> list[Retraction]:
    """The withdrawals of what is taken over, by their ids: it stays withdrawn, whatever happens below."""
    found = {each.id: each for one in items for each in one.withdrawals if not each.is_lifted}
    return [Retraction(one.target, one.reason, one.id) for one in found.values()]


def _testimony_below(view: LayeredSnapshot, contests: Sequence[ContestKey]) -> list[Testimony]:
    """The testimony on some contests that the branch has from below, and not as its own yet."""
    own = {one.claim.id for those in view.own.testimonies(contests).values() for one in those}
    found = {
        one.claim.id: one
        for those in view.testimonies(contests).values()
        for one in those
        if one.claim.id not in own and one.operation <= view.fork.sequence
    }
    return list(found.values())


def _telling(terms: Sequence[str], frequencies: Mapping[str, int]) -> list[str]:
    """The terms that tell documents apart below: a branch is not searched for what is everywhere."""
    rarest = sorted(dict.fromkeys(terms), key=lambda one: frequencies.get(one, 0))
    found, total = [], 0
    for one in rarest:
        total += frequencies.get(one, 0)
        if total > _EVERYWHERE:
            break
        found.append(one)
    return found or rarest[:1]


def _by_time(found: Iterable[Evidence]) -> list[Evidence]:
    distinct = {one.id: one for one in found}
    return sorted(distinct.values(), key=lambda one: (one.effective_at, one.id))


def _entities(found: Iterable[Entity]) -> list[Entity]:
    by_id = {one.id: one for one in found}
    return [by_id[one] for one in sorted(by_id)]
