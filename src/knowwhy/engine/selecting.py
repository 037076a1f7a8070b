"""Selecting what an erasure takes: what somebody said, what is said of them, and all that rests on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from typing import Final, TypeVar

from knowwhy.core.model import (
    Alias,
    Entity,
    Evidence,
    Identity,
    Testimony,
    ValueType,
    belief_id,
    entity_named,
    merged,
    name_key,
)
from knowwhy.core.revision import ContestKey
from knowwhy.errors import AmbiguousName, InvalidInput
from knowwhy.recall.identity import names_followed
from knowwhy.store.blotting import Blotter, words_of
from knowwhy.store.protocol import BeliefFilter, Erasing, Snapshot

T = TypeVar("T")

_CHUNK: Final = 500


class Why(StrEnum):
    """Why an item of evidence is selected."""

    NAMED = "named"
    SAID = "said"
    ABOUT = "about"
    MENTIONS = "mentions"
    REPEATS = "repeats"
    FOLLOWS = "follows"


@dataclass(frozen=True, slots=True)
class Selection:
    """What is to be erased: a person (by name, or also by id), a source, a context, or evidence by ids.

    With a person goes what they said and what is said of them; with `mentions` also words that name them.
    """

    person: str | None = None
    person_id: str | None = None
    source: str | None = None
    context: str | None = None
    evidence: tuple[str, ...] = ()
    mentions: bool = True

    def __post_init__(self) -> None:
        """Refuse to erase nothing, or by an empty word."""
        named = [one for one in (self.person, self.person_id, self.source, self.context) if one is not None]
        if not named and not self.evidence:
            msg = "Say what to forget: a person, a source, a context, or evidence by its ids."
            raise InvalidInput(msg)
        if any(not one.strip() for one in named):
            msg = "What is to be forgotten has an empty name."
            raise InvalidInput(msg)

    @property
    def what(self) -> str:
        """Its class, without a name."""
        classes = {
            "person": self.person or self.person_id,
            "source": self.source,
            "context": self.context,
            "evidence": self.evidence,
        }
        return ", ".join(name for name, given in classes.items() if given)


@dataclass(slots=True)
class Selected:
    """What of one line is to go: evidence by id and why, what it claims, and the beliefs that go with it.

    `derived` is what of the evidence nobody said, `unnamed` the entities of which nothing is left then.
    """

    evidence: dict[str, Why] = field(default_factory=dict)
    claims: dict[str, Testimony] = field(default_factory=dict)
    beliefs: set[str] = field(default_factory=set)
    entities: set[str] = field(default_factory=set)
    unnamed: set[str] = field(default_factory=set)
    sources: set[str] = field(default_factory=set)
    derived: set[str] = field(default_factory=set)
    words: tuple[str, ...] = ()

    @property
    def erasing(self) -> Erasing:
        """What the store is to take with the evidence."""
        ids = {*self.evidence, *self.claims, *self.beliefs}
        return Erasing(
            tuple(sorted(self.entities)), tuple(sorted(self.sources)), self.words, tuple(sorted(ids))
        )


def selected(view: Snapshot, selection: Selection) -> Selected:
    """What a selection takes of one line, followed to the end.

    Raises:
        AmbiguousName: the name of the person stands for several, and no id says which.
    """
    people = _as_one(view, _person(view, selection))
    names = _names(view, selection, people)
    found = Selected(words=words_of([*names, *filter(None, (selection.source, selection.context))]))
    _directly(view, selection, names, found)
    for person in people:
        found.entities.add(person.id)
        _about(view, person.id, found)
    fresh = set(found.evidence)
    while fresh:
        fresh = _following(view, fresh, found)
    found.derived = {
        one.claim.evidence_id for one in found.claims.values() if one.claim.derivation is not None
    }
    found.unnamed = {one for one in found.entities if _is_left_bare(view, one, found.beliefs)}
    return found


def _is_left_bare(view: Snapshot, entity: str, gone: set[str]) -> bool:
    """Whether all that is said of an entity, or with it as the value, goes."""
    about = view.beliefs(BeliefFilter(subjects=[entity]))
    about += view.beliefs(BeliefFilter(values=[f"{ValueType.ENTITY}:{entity}"]))
    return all(one.id in gone for one in about)


def _person(view: Snapshot, selection: Selection) -> Entity | None:
    if selection.person_id is not None:
        # As it is shown, or as the caller gave it.
        given = entity_named("", own_id=selection.person_id).id
        return next(iter(view.entities([selection.person_id, given])), None)
    if selection.person is None:
        return None
    key = name_key(selection.person)
    meant = names_followed(view, merged(view.declared(Identity).values()), [key]).get(key, [])
    if len(meant) > 1:
        msg = f"{selection.person!r} may mean {len(meant)} entities; say which by its id."
        raise AmbiguousName(msg, candidates=[{"id": one.id, "name": one.name} for one in meant])
    return meant[0] if meant else None


def _as_one(view: Snapshot, person: Entity | None) -> list[Entity]:
    """The entities that are one with somebody."""
    if person is None:
        return []
    into = merged(view.declared(Identity).values())
    stands = into.get(person.id, person.id)
    return view.entities(sorted({person.id, stands, *(one for one in into if into[one] == stands)}))


def _names(view: Snapshot, selection: Selection, people: Sequence[Entity]) -> list[str]:
    given = [] if selection.person is None else [selection.person]
    ids = {one.id for one in people}
    aliases = [one.name for one in view.every(Alias) if one.entity_id in ids] if ids else []
    return [*(one.name for one in people), *given, *aliases]


def _directly(view: Snapshot, selection: Selection, names: Sequence[str], found: Selected) -> None:
    """Select what is named, what they said, and what tells of them in words."""
    speakers = {name_key(one) for one in names}
    blotter = Blotter(words_of(names))
    wanted = frozenset(selection.evidence)
    whole: dict[str, bool] = {}
    for one in view.every(Evidence):
        why: Why | None = None
        if one.id in wanted or (selection.context is not None and one.context == selection.context):
            why = Why.NAMED
        elif one.source.name == selection.source or name_key(one.source.name) in speakers:
            why = Why.SAID
        elif names and selection.mentions and _tells(blotter, one):
            why = Why.MENTIONS
        whole[one.source.name] = whole.get(one.source.name, True) and why is not None
        if why is not None:
            found.evidence[one.id] = why
            found.sources.add(one.source.name)
    found.sources -= {name for name, is_whole in whole.items() if not is_whole}


def _tells(blotter: Blotter, one: Evidence) -> bool:
    told = (one.text, one.context, *(text for pair in one.metadata for text in pair))
    return any(map(blotter.tells, told))


def _about(view: Snapshot, person: str, found: Selected) -> None:
    """Select what is said of somebody, or with them as the value."""
    about = view.beliefs(BeliefFilter(subjects=[person]))
    about += view.beliefs(BeliefFilter(values=[f"{ValueType.ENTITY}:{person}"]))
    for those in _testimonies(view, [ContestKey(one.slot.id, one.value.key) for one in about]).values():
        for one in those:
            found.evidence.setdefault(one.claim.evidence_id, Why.ABOUT)


def _following(view: Snapshot, fresh: set[str], found: Selected) -> set[str]:
    """Take in what items claim, which beliefs go with them, and the evidence that rests on those alone."""
    before = set(found.evidence)
    claimed = [one for ids in _chunks(sorted(fresh)) for one in view.claims(ids)]
    for one in claimed:
        found.claims[one.claim.id] = one
        found.entities.add(one.claim.slot.subject.id)
        if one.claim.value.type is ValueType.ENTITY:
            found.entities.add(one.claim.value.key.removeprefix(f"{ValueType.ENTITY}:"))
    contests = {ContestKey(one.claim.slot.id, one.claim.value.key): None for one in claimed}
    gone = {
        belief_id(key.slot_id, key.value_key or "")
        for key, those in _testimonies(view, list(contests)).items()
        if all(one.claim.evidence_id in found.evidence for one in those)
    }
    found.beliefs |= gone
    leaning = [one for ids in _chunks(sorted(gone)) for one in view.beliefs(BeliefFilter(premises=ids))]
    for those in _testimonies(view, [ContestKey(one.slot.id, one.value.key) for one in leaning]).values():
        for one in those:
            derivation = one.claim.derivation
            if derivation is not None and gone.intersection(derivation.premises):
                found.evidence.setdefault(one.claim.evidence_id, Why.FOLLOWS)
    for item in view.every(Evidence):
        if not fresh.isdisjoint(item.derived_from):
            found.evidence.setdefault(item.id, Why.REPEATS)
    return set(found.evidence) - before


def _testimonies(view: Snapshot, contests: Sequence[ContestKey]) -> Mapping[ContestKey, list[Testimony]]:
    found: dict[ContestKey, list[Testimony]] = {}
    for chunk in _chunks(list(dict.fromkeys(contests))):
        found |= view.testimonies(chunk)
    return found


def _chunks(given: Sequence[T]) -> Iterable[list[T]]:
    pending = iter(given)
    while chunk := list(islice(pending, _CHUNK)):
        yield chunk
