"""What is hidden from one reader of one line, kept between reads and brought up to what was written since."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol, TypeVar

from knowwhy.core.model import (
    Access,
    Act,
    Alias,
    Attribute,
    Claim,
    Entity,
    Evidence,
    InferenceRule,
    Slot,
    Testimony,
    access_mark,
    belief_id,
    name_key,
)
from knowwhy.core.revision import ContestKey
from knowwhy.core.timeline import Instant
from knowwhy.store.protocol import BeliefFilter, Guarded, Head, Snapshot, TextEntry

Item = TypeVar("Item")

_PAGE: Final = 500
# After so many operations all is looked at anew; of so many readers what is hidden is kept.
_FEW: Final = 64
_MOST_READERS: Final = 64
# What merely says something, and names nothing: after all else all is looked at anew.
_SAYING: Final = frozenset(
    {
        *(Act.OBSERVE, Act.END, Act.CORRECT, Act.GIVE_UP, Act.RETRACT, Act.LEARN, Act.FEEDBACK, Act.USED),
        *(Act.CONFIGURE, Act.GRANT, Act.LEASE, Act.RETRY, Act.FORK, Act.SNAPSHOT),
    }
)


class Viewer(Protocol):
    """Who reads: a principal, or all those together who have some access."""

    @property
    def names(self) -> frozenset[str]:
        """By which names it goes, where it is one."""

    def may_read(self, access: Access) -> bool:
        """Whether it may read what has such access."""


@dataclass(frozen=True, slots=True)
class Hidden:
    """What one reader may not see of one line after an operation.

    `shown` are the items that follow from others, all of which may be read: with the number and time of
    the operation by which that was so. `entities` are those first named where the reader cannot see it: as
    it may call them, or None where it knows none of their names. `follows` says whether there is anything
    that follows from what is guarded; `readable` are the marks of those accesses that the reader has.
    """

    evidence: frozenset[str] = frozenset()
    beliefs: frozenset[str] = frozenset()
    claims: int = 0
    operations: frozenset[int] = frozenset()
    shown: dict[str, tuple[int, Instant]] = field(default_factory=dict)
    entities: dict[str, Entity | None] = field(default_factory=dict)
    follows: bool = False
    readable: frozenset[str] = frozenset()

    @property
    def documents(self) -> int:
        """How many documents of the index are hidden."""
        return len(self.evidence) + len(self.beliefs)

    def spelled(self, one: Entity) -> Entity:
        """An entity as the reader may call it."""
        return self.entities.get(one.id) or one

    def slot(self, slot: Slot) -> Slot:
        """A slot with its subject as the reader may call it."""
        subject = self.entities.get(slot.subject.id)
        return slot if subject is None else replace(slot, subject=subject)

    def dated(self, one: Evidence) -> Evidence:
        """An item of evidence; what follows from others is as old as the reader's knowledge of those."""
        since = self.shown.get(one.id)
        if since is None:
            return one
        number, at = since
        return replace(one, operation=number, recorded_at=at, observed_at=at, effective_at=at)

    def hides(self, document: str) -> bool:
        """Whether a belief or an item of evidence is hidden, by its id."""
        return document in self.evidence or document in self.beliefs


def hidden_from(viewer: Viewer, view: Snapshot) -> Hidden:
    """What a reader may not see, looked for among all that is guarded."""
    guarded = list(view.every(Guarded))
    items = {one.record: one.access for one in guarded if one.kind == "evidence"}
    following = sorted(one for one, access in items.items() if access.follows)
    hidden = {one for one, access in items.items() if not access.follows and not viewer.may_read(access)}
    shown: dict[str, tuple[int, Instant]] = {}
    if following:
        shown = _shown(view, following, hidden)
        hidden |= set(following) - shown.keys()
    spoken = [one for page in pages(sorted(hidden)) for one in view.claims(page)]
    withheld = [one for one in guarded if one.kind != "evidence" and not viewer.may_read(one.access)]
    named = [one.record for one in withheld if one.kind == "entity"]
    return Hidden(
        frozenset(hidden),
        frozenset(_unspoken(view, hidden, spoken)),
        len(spoken),
        frozenset(int(one.record) for one in withheld if one.kind == "operation"),
        shown,
        _spelled(viewer, view, named, shown),
        bool(following),
        frozenset(access_mark(one.access) for one in guarded if viewer.may_read(one.access)),
    )


def _shown(view: Snapshot, following: Sequence[str], hidden: set[str]) -> dict[str, tuple[int, Instant]]:
    """Of what follows from others, that whose premises may all be read: the least that must be."""
    derived = {one.claim.evidence_id: one for page in pages(following) for one in view.claims(page)}
    premises = {name for one in derived.values() for name in _premises(one.claim)}
    heard: dict[str, list[Testimony]] = {}
    for page in pages(sorted(premises)):
        contests = [ContestKey(one.slot.id, one.value.key) for one in view.beliefs(BeliefFilter(ids=page))]
        for those in view.testimonies(contests).values():
            for one in those:
                if one.claim.stance.is_heard and one.claim.evidence_id not in hidden:
                    heard.setdefault(belief_id(one.claim.slot.id, one.claim.value.key), []).append(one)
    shown: dict[str, tuple[int, Instant]] = {}
    has_grown = True
    while has_grown:
        has_grown = False
        for own, one in sorted(derived.items()):
            since = _since(one, heard, derived, shown)
            if since is not None and shown.get(own) != since:
                shown[own], has_grown = since, True
    return shown


def _since(
    one: Testimony,
    heard: dict[str, list[Testimony]],
    derived: dict[str, Testimony],
    shown: dict[str, tuple[int, Instant]],
) -> tuple[int, Instant] | None:
    """From which operation on all premises of a derivation had been spoken of where it can be seen."""
    found = (one.operation, one.recorded_at)
    for premise in _premises(one.claim):
        spoken = [
            shown[each.claim.evidence_id]
            if each.claim.evidence_id in derived
            else (each.operation, each.recorded_at)
            for each in heard.get(premise, ())
            if each.claim.evidence_id not in derived or each.claim.evidence_id in shown
        ]
        if not spoken:
            return None
        first = min(spoken)
        found = (max(found[0], first[0]), max(found[1], first[1]))
    return found


def _premises(claim: Claim) -> tuple[str, ...]:
    return () if claim.derivation is None else claim.derivation.premises


def _unspoken(view: Snapshot, hidden: Collection[str], spoken: Iterable[Testimony]) -> set[str]:
    """The beliefs of which nothing speaks but what is hidden."""
    values = {(one.claim.slot.id, one.claim.value.key) for one in spoken}
    found = {belief_id(*one) for one in values}
    for page in pages(sorted(values)):
        for those in view.testimonies([ContestKey(*one) for one in page]).values():
            found -= {
                belief_id(one.claim.slot.id, one.claim.value.key)
                for one in those
                if one.claim.stance.is_heard and one.claim.evidence_id not in hidden
            }
    return found


def _spelled(
    viewer: Viewer, view: Snapshot, names: Sequence[str], shown: Collection[str]
) -> dict[str, Entity | None]:
    """Entities first named where a reader cannot see it, as it may call them."""
    found: dict[str, Entity | None] = dict.fromkeys(names)
    for page in pages(names):
        known = {one.id: one for one in view.entities(page)}
        keys = sorted({name_key(one.name) for one in known.values()})
        given = [
            one for one in view.every(Alias, keys) if one.entity_id in known and viewer.may_read(one.access)
        ]
        for alias in sorted(given, key=lambda one: (-one.operation, one.name)):
            entity = known[alias.entity_id]
            if alias.key == name_key(entity.name):
                found[entity.id] = Entity(entity.id, alias.name)
    concluded = [one for page in pages(sorted(shown)) for one in view.claims(page)]
    for one in concluded:
        subject = one.claim.slot.subject
        if subject.id in found and found[subject.id] is None:
            found[subject.id] = Entity(subject.id, subject.name, subject.type)
    return found


def pages(found: Iterable[Item]) -> Iterator[list[Item]]:
    """Some hundred at a time."""
    page: list[Item] = []
    for one in found:
        page.append(one)
        if len(page) == _PAGE:
            yield page
            page = []
    if page:
        yield page


# Kept between reads --------------------------------------------------------------------------------


class HiddenCache:
    """What one process knows to be hidden from the readers of one line, each as of an operation."""

    def __init__(self) -> None:
        self._kept: dict[Viewer, tuple[Head, Hidden]] = {}
        self._terms: dict[Viewer, tuple[Hidden, Counter[str]]] = {}
        self._declared: tuple[int, Mapping[str, Attribute]] = (0, {})

    def of(self, viewer: Viewer, view: Snapshot) -> Hidden:
        """What is hidden from a reader now; what was written since is looked at, as far as that will do."""
        head = view.head()
        known = self._kept.get(viewer)
        if known is not None and known[0] == head:
            return known[1]
        hidden = None if known is None else _brought_up(viewer, view, *known, head)
        if hidden is None:
            hidden = hidden_from(viewer, view)
        if len(self._kept) >= _MOST_READERS:
            self._kept.clear()
            self._terms.clear()
        self._kept[viewer] = head, hidden
        return hidden

    def declared(self, view: Snapshot, names: Sequence[str]) -> Mapping[str, Attribute]:
        """What is declared of some attributes, by key."""
        schema = view.head().schema
        if not schema:
            return {}
        if self._declared[0] != schema:
            self._declared = schema, view.declared(Attribute)
        return {one: self._declared[1][one] for one in names if one in self._declared[1]}

    def terms(self, viewer: Viewer, view: Snapshot, hidden: Hidden) -> Counter[str]:
        """In how many of the documents that are hidden each term is."""
        known, counted = self._terms.get(viewer, (Hidden(), Counter[str]()))
        if known is hidden:
            return counted
        documents, before = hidden.evidence | hidden.beliefs, known.evidence | known.beliefs
        counted = counted.copy()
        for page in pages(sorted(documents - before)):
            for one in view.every(TextEntry, page):
                counted.update(set(one.terms))
        for page in pages(sorted(before - documents)):
            for one in view.every(TextEntry, page):
                counted.subtract(set(one.terms))
        self._terms[viewer] = hidden, counted
        return counted


def _brought_up(viewer: Viewer, view: Snapshot, before: Head, hidden: Hidden, head: Head) -> Hidden | None:
    """What is hidden now, by what was written since; None where all must be looked at anew."""
    since = range(before.sequence + 1, head.sequence + 1)
    if not since and before.guards == head.guards and before.sequence == head.sequence:
        return hidden
    if hidden.follows or not 0 < len(since) <= _FEW or view.declared(InferenceRule):
        return None
    operations = view.operations(sequences=since)
    if any(one.act not in _SAYING for one in operations):
        return None
    told = sorted({each for one in operations for each in (one.outcome or {}).get("evidence", ())})
    items = [one for page in pages(told) for one in view.evidence(ids=page)]
    new = {one.id for one in items if not viewer.may_read(one.access)} - hidden.evidence
    claims = [one for page in pages(told) for one in view.claims(page)]
    if hidden.entities or not all(one.access.is_public for one in items):
        subjects = sorted({one.claim.slot.subject.id for one in claims})
        named = [one for page in pages(subjects) for one in view.entities(page)]
        if any(not viewer.may_read(one.access) for one in named):
            return None
    withheld = hidden.evidence | new
    spoken = [one for one in claims if one.claim.evidence_id in new]
    heard = {
        belief_id(one.claim.slot.id, one.claim.value.key)
        for one in claims
        if one.claim.stance.is_heard and one.claim.evidence_id not in withheld
    }
    return replace(
        hidden,
        evidence=withheld,
        beliefs=(hidden.beliefs - heard) | _unspoken(view, withheld, spoken),
        claims=hidden.claims + len(spoken),
        operations=hidden.operations
        | {one.sequence for one in operations if not viewer.may_read(one.access)},
        readable=hidden.readable
        | {access_mark(one.access) for one in operations if viewer.may_read(one.access)},
    )
