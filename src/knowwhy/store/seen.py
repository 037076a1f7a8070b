"""Seen: a snapshot as one reader may see it, over that of any store.

What a reader may not see is not there: no evidence, claim, belief, name or source, and nothing counted, told
or found of it. A belief in whose standing such things had a part is handed out as one to be settled anew
from the testimony that is left; one that rests on nothing else does not exist.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from knowwhy.core.model import (
    Alias,
    Belief,
    Entity,
    Evidence,
    Operation,
    Source,
    Testimony,
    Withdrawal,
    name_key,
    premises_of,
    undeclared,
)
from knowwhy.core.revision import ContestKey, contest_key
from knowwhy.core.timeline import Instant
from knowwhy.store.hidden import Hidden, HiddenCache, Viewer
from knowwhy.store.protocol import (
    BeliefFilter,
    D,
    E,
    Head,
    Hits,
    Snapshot,
    TextEntry,
)
from knowwhy.store.sieve import Sieve, told


@dataclass(frozen=True, slots=True)
class SeenSnapshot:
    """One consistent state of a line, as a viewer may see it."""

    below: Snapshot
    viewer: Viewer
    cache: HiddenCache
    _read: dict[ContestKey, list[Testimony]] = field(default_factory=dict, repr=False)

    @property
    def hidden(self) -> Hidden:
        """What the viewer may not see."""
        return self.cache.of(self.viewer, self.below) if self._is_guarded else Hidden()

    @property
    def _is_guarded(self) -> bool:
        return self.below.head().guards > 0

    def head(self) -> Head:
        return self.below.head()

    def operations(
        self,
        *,
        key: str | None = None,
        sequences: Sequence[int] | None = None,
        before: int | None = None,
        limit: int | None = None,
    ) -> list[Operation]:
        found: list[Operation] = []
        while True:
            page = self.below.operations(key=key, sequences=sequences, before=before, limit=limit)
            found += (told(one) for one in page if self.viewer.may_read(one.access))
            if limit is None or len(page) < limit or len(found) >= limit:
                return found[:limit]
            before = page[-1].sequence

    def declared(
        self, kind: type[D], keys: Sequence[str] | None = None, *, until: int | None = None
    ) -> dict[str, D]:
        return self.below.declared(kind, keys, until=until)

    def sources(
        self, names: Sequence[str] | None = None, *, until: int | None = None, is_whole: bool = False
    ) -> list[Source]:
        if not self._is_guarded:
            return self.below.sources(names, until=until, is_whole=is_whole)
        shown = self._speakers()
        known = self.below.sources(names, until=until, is_whole=True)
        seen = [one for one in known if self.viewer.may_read(one.access) or one in shown]
        if is_whole:
            return seen
        first: dict[tuple[str, str], Source] = {}
        for one in seen:
            first.setdefault((one.name, one.type), one)
        return [first[key] for key in sorted(first)]

    def _speakers(self) -> set[Source]:
        """The sources of what follows from others and may be read."""
        shown = sorted(self.hidden.shown)
        return {one.source for one in self.below.evidence(ids=shown)} if shown else set()

    def names(self, keys: Sequence[str], *, until: int | None = None) -> dict[str, list[Entity]]:
        found = self.below.names(keys, until=until)
        if not self._is_guarded or not found:
            return found
        entities = self.hidden.entities
        # Whoever goes by a name that is not its own, or was first named where it cannot be seen.
        unsure = {
            key
            for key, those in found.items()
            if any(one.id in entities or name_key(one.name) != key for one in those)
        }
        given = {
            (one.key, one.entity_id)
            for one in (self.below.every(Alias, sorted(unsure)) if unsure else ())
            if self.viewer.may_read(one.access)
        }
        seen = {
            key: [
                self.hidden.spelled(one)
                for one in those
                if (key, one.id) in given
                or (name_key(one.name) == key and (one.id not in entities or entities[one.id] is not None))
            ]
            for key, those in found.items()
        }
        return {key: those for key, those in seen.items() if those}

    def entities(self, ids: Sequence[str] | None = None) -> list[Entity]:
        found = self.below.entities(ids)
        if not self._is_guarded:
            return found
        known = self.hidden.entities
        return [self.hidden.spelled(one) for one in found if one.id not in known or known[one.id] is not None]

    def evidence(
        self,
        *,
        ids: Sequence[str] | None = None,
        contents: Sequence[str] | None = None,
        beside: Sequence[Evidence] | None = None,
        until: int | None = None,
    ) -> list[Evidence]:
        if not self._is_guarded:
            return self.below.evidence(ids=ids, contents=contents, beside=beside, until=until)
        found: dict[str, Evidence] = {}
        if ids is not None or contents is not None or beside is None:
            found = {one.id: one for one in self.below.evidence(ids=ids, contents=contents)}
        if beside is not None:
            found |= self._beside(beside, until)
        seen = (self.hidden.dated(one) for one in found.values() if one.id not in self.hidden.evidence)
        return sorted(seen, key=lambda one: (one.effective_at, one.id))

    def _beside(self, items: Sequence[Evidence], until: int | None) -> dict[str, Evidence]:
        """What was said just before and after each item, past all that is hidden."""
        found: dict[str, Evidence] = {}
        for item in items:
            at = (item.effective_at, item.id)
            for is_before in (True, False):
                mark: Evidence | None = item
                while mark is not None:
                    near = self.below.evidence(beside=[mark], until=until)
                    place = (mark.effective_at, mark.id)
                    ordered = [one for one in near if ((one.effective_at, one.id) < place) is is_before]
                    mark = next((one for one in ordered if (one.effective_at, one.id) != at), None)
                    if mark is not None and mark.id not in self.hidden.evidence:
                        found[mark.id] = mark
                        break
        return found

    def testimonies(
        self, contests: Sequence[ContestKey], *, source: str | None = None, limit: int | None = None
    ) -> dict[ContestKey, list[Testimony]]:
        if not self._is_guarded:
            return self.below.testimonies(contests, source=source, limit=limit)
        if source is not None or limit is not None:
            found = self.below.testimonies(contests, source=source)
            return {key: self._heard(those)[:limit] for key, those in found.items()}
        # A state does not change, and of a contest to be settled anew several things are asked.
        unread = [one for one in contests if one not in self._read]
        if unread:
            read = self.below.testimonies(unread)
            self._read.update((key, self._heard(those)) for key, those in read.items())
        return {key: list(self._read[key]) for key in contests}

    def claims(self, targets: Sequence[str]) -> list[Testimony]:
        found = self.below.claims(targets)
        return self._heard(found) if self._is_guarded else found

    def _heard(self, those: Iterable[Testimony]) -> list[Testimony]:
        """The testimony that may be heard."""
        hidden = self.hidden
        found = []
        for one in those:
            if one.claim.evidence_id in hidden.evidence:
                continue
            if (since := hidden.shown.get(one.claim.evidence_id)) is not None:
                one = _dated(one, *since)  # noqa: PLW2901 - the same, as seen
            if one.claim.slot.subject.id in hidden.entities:
                one = replace(one, claim=replace(one.claim, slot=hidden.slot(one.claim.slot)))  # noqa: PLW2901
            found.append(one)
        return found

    def beliefs(self, wanted: BeliefFilter) -> list[Belief]:
        """Beliefs as last settled; those to be settled anew for the viewer come whatever status they have."""
        if not self._is_guarded:
            return self.below.beliefs(wanted)
        if wanted.evidence is not None:
            seen = [one for one in wanted.evidence if one not in self.hidden.evidence]
            wanted = replace(wanted, evidence=seen)
        limit = wanted.limit
        while True:
            read = self.below.beliefs(replace(wanted, limit=limit))
            found = self._seen(read, wanted)
            if limit is None or len(read) < limit or len(found) >= (wanted.limit or 0):
                break
            limit *= 2
        if wanted.statuses is not None:
            others = self.below.beliefs(replace(wanted, statuses=None, labelled=True, limit=None))
            known = {one.id for one in found}
            found += (one for one in self._seen(others, wanted) if one.id not in known and one.labels)
        return sorted(found, key=lambda one: one.id)[: wanted.limit]

    def _seen(self, beliefs: Sequence[Belief], wanted: BeliefFilter) -> list[Belief]:
        """Those of some beliefs that exist for the viewer, marked where they are to be settled anew."""
        hidden = self.hidden
        kept = [one for one in beliefs if one.id not in hidden.beliefs]
        mixed = [one for one in kept if not all(map(self.viewer.may_read, one.labels))]
        said = self._said(mixed) if mixed else {}
        if wanted.premises is not None:
            asked = set(wanted.premises)
            kept = [one for one in kept if one.id not in said or _leans(one, said[one.id], asked)]
        found = []
        for one in kept:
            seen = (
                one
                if one.slot.subject.id not in hidden.entities
                else replace(one, slot=hidden.slot(one.slot))
            )
            those = said.get(one.id)
            if those is None:
                found.append(seen if not one.labels else replace(seen, labels=()))
            else:
                found.append(replace(seen, version=_touched(those), stable_until=one.settled_at))
        return found

    def _said(self, beliefs: Sequence[Belief]) -> dict[str, list[Testimony]]:
        """What the viewer may hear in the contest of each belief, by its id."""
        names = sorted({one.slot.attribute for one in beliefs})
        declared = self.cache.declared(self.below, names)
        keys = {
            one.id: contest_key(
                one.slot, one.value.key, declared.get(one.slot.attribute) or undeclared(one.slot.attribute)
            )
            for one in beliefs
        }
        heard = self.testimonies(list(dict.fromkeys(keys.values())))
        return {own: heard[key] for own, key in keys.items()}

    def search(self, terms: Sequence[str], limit: int) -> Hits:
        """The documents that contain any of the terms; how common a term is says what the viewer may see."""
        hidden = self.hidden
        if not hidden.documents:
            return self.below.search(terms, limit)
        asked = limit
        while True:
            found = self.below.search(terms, asked)
            kept = [one for one in found.hits if not hidden.hides(one.document)]
            if len(found.hits) < asked or len(kept) >= limit:
                break
            asked *= 2
        less = self.cache.terms(self.viewer, self.below, hidden)
        frequencies = {term: max(0, count - less[term]) for term, count in found.frequencies.items()}
        return Hits(tuple(kept[: max(limit, 0)]), frequencies, found.documents - hidden.documents)

    def counts(self) -> dict[str, int]:
        """How many records there are that the viewer may see; of beliefs to be settled anew no status."""
        counted = self.below.counts()
        if not self._is_guarded:
            return counted
        hidden = self.hidden
        gone = list(self.below.every(Withdrawal))
        labelled = self.below.beliefs(BeliefFilter(labelled=True))
        counted = counted | {
            "operations": counted["operations"] - len(hidden.operations),
            "entities": counted["entities"] - sum(one is None for one in hidden.entities.values()),
            "aliases": self._sieve.names_given(),
            "sources": len(self.sources()),
            "evidence": counted["evidence"] - len(hidden.evidence),
            "claims": counted["claims"] - hidden.claims,
            "retractions": counted["retractions"] - len(gone) + sum(1 for _ in self.every(Withdrawal)),
            "beliefs": counted["beliefs"] - len(hidden.beliefs),
            "documents": counted["documents"] - hidden.documents,
        }
        for one in labelled:
            if one.id in hidden.beliefs or not all(map(self.viewer.may_read, one.labels)):
                counted[f"belief.{one.status}"] -= 1
        return {key: number for key, number in counted.items() if number or not key.startswith("belief.")}

    def views(self) -> Iterator[Belief | TextEntry]:
        hidden = self.hidden
        for row in self.below.views():
            if isinstance(row, Belief):
                yield from self._seen([row], BeliefFilter(ids=[row.id]))
            elif not hidden.hides(row.document):
                yield row

    def every(self, kind: type[E], targets: Sequence[str] | None = None, *, after: int = 0) -> Iterator[E]:
        found = self.below.every(kind, targets, after=after)
        return self._sieve.sifted(kind, found) if self._is_guarded else found

    @property
    def _sieve(self) -> Sieve:
        return Sieve(self.below, self.viewer, self.hidden, self.testimonies, self.claims)


def _dated(one: Testimony, operation: int, at: Instant) -> Testimony:
    """What follows from others, as old as the reader's knowledge of those."""
    return replace(one, operation=operation, recorded_at=at, observed_at=at, effective_at=at)


def _touched(those: Iterable[Testimony]) -> int:
    """The number of the last operation by which something was said in a contest, or withdrawn."""
    numbers = [0]
    for one in those:
        numbers.append(one.operation)
        for each in one.withdrawals:
            numbers += (each.operation, each.lifted_in or 0)
    return max(numbers)


def _leans(belief: Belief, those: Iterable[Testimony], premises: set[str]) -> bool:
    own = (one.claim for one in those if one.claim.value.key == belief.value.key)
    return any(not premises.isdisjoint(premises_of(one)) for one in own)
