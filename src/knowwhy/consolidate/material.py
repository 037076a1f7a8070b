"""What a step of dreaming reads: one state of a memory, and what of it is new since the last time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Final, TypeVar

from knowwhy.core.model import (
    DREAMT,
    SOURCE_TYPES,
    Belief,
    Evidence,
    Modality,
    Operation,
    Source,
    Stance,
    Testimony,
    belief_id,
)
from knowwhy.core.revision import ContestKey
from knowwhy.core.timeline import BEGINNING, Instant, shown
from knowwhy.recall.gate import Gate
from knowwhy.store.protocol import BeliefFilter

T = TypeVar("T")

_CHUNK: Final = 500
_DERIVED: Final = SOURCE_TYPES["derived"].name


@dataclass(frozen=True)
class Material:
    """One state of a memory as dreaming reads it.

    `operations` are those that the step did not read before; `aged` those whose words have become old enough
    since to count as unused: so old as was said before `unused_before`.
    """

    gate: Gate
    operations: tuple[Operation, ...]
    aged: tuple[Operation, ...] = ()
    unused_before: Instant = BEGINNING
    _about: dict[tuple[str, str], list[Belief]] = field(default_factory=dict)
    _heard: dict[str, tuple[Testimony, ...]] = field(default_factory=dict)
    _items: dict[str, Evidence] = field(default_factory=dict)

    @property
    def at(self) -> Instant:
        """The present."""
        return self.gate.scope.valid

    @cached_property
    def touched(self) -> Mapping[str, Belief]:
        """The beliefs, by id, of which anything was said, withdrawn or decided since."""
        return {one.id: one for one in self.beliefs(self.spoken_of(self.operations))}

    @cached_property
    def subjects(self) -> frozenset[str]:
        """The entities (by id) that the beliefs touched are about, as those that stand for them."""
        into = self.gate.schema.merged
        found = {one.slot.subject.id for one in self.touched.values()}
        return frozenset(into.get(one, one) for one in found)

    @property
    def topics(self) -> Mapping[tuple[str, str], list[Belief]]:
        """The subjects (by id) and attributes touched, each with all that is held of it."""
        wanted = sorted({(one.slot.subject.id, one.slot.attribute) for one in self.touched.values()})
        self._fetch(one for one in wanted if one not in self._about)
        return {one: self._about[one] for one in wanted}

    def about(self, subject: str, attribute: str) -> list[Belief]:
        """All beliefs on a subject's attribute, under whatever conditions."""
        if (subject, attribute) not in self._about:
            self._fetch([(subject, attribute)])
        return self._about[subject, attribute]

    def beliefs(self, ids: Iterable[str]) -> list[Belief]:
        """The beliefs of these ids as they stand now."""
        found: list[Belief] = []
        for chunk in chunks(sorted(set(ids))):
            found += self.gate.beliefs(BeliefFilter(ids=chunk))
        return found

    def heard(self, beliefs: Sequence[Belief]) -> Mapping[str, tuple[Testimony, ...]]:
        """What was said for each belief and stands, the earliest first; without what dreaming made."""
        missing = [one for one in beliefs if one.id not in self._heard]
        for chunk in chunks(missing):
            keys = {ContestKey(one.slot.id, one.value.key): one.id for one in chunk}
            for key, those in self.gate.view.testimonies(list(keys)).items():
                counted = [one for one in those if _counts(one)]
                by_time = sorted(counted, key=lambda one: (one.effective_at, one.claim.id))
                self._heard[keys[key]] = tuple(by_time)
        return {one.id: self._heard[one.id] for one in beliefs}

    def evidence(self, ids: Iterable[str]) -> dict[str, Evidence]:
        """The items of these ids."""
        wanted = list(dict.fromkeys(ids))
        for chunk in chunks([one for one in wanted if one not in self._items]):
            self._items.update((one.id, one) for one in self.gate.view.evidence(ids=chunk))
        return {one: self._items[one] for one in wanted if one in self._items}

    def spoken_of(self, operations: Iterable[Operation]) -> set[str]:
        """The beliefs (by id) that some operations brought words on, or moved."""
        found, told = set[str](), list[str]()
        for one in operations:
            outcome = one.outcome or {}
            told += outcome.get("evidence", ())
            found |= {change["belief"] for change in outcome.get("changes", ())}
        for chunk in chunks(list(dict.fromkeys(told))):
            found |= {
                belief_id(one.claim.slot.id, one.claim.value.key) for one in self.gate.view.claims(chunk)
            }
        return found

    def due(self) -> Iterator[Belief]:
        """The beliefs of which nothing was said since what has become unused by now, and was not before."""
        for chunk in chunks(self.aged):
            known = self.beliefs(self.spoken_of(chunk))
            yield from (one for one in known if one.observed_at <= self.unused_before)

    def _fetch(self, wanted: Iterable[tuple[str, str]]) -> None:
        by_attribute: dict[str, list[str]] = defaultdict(list)
        for subject, attribute in wanted:
            by_attribute[attribute].append(subject)
            self._about[subject, attribute] = []
        for attribute, subjects in by_attribute.items():
            for chunk in chunks(subjects):
                for one in self.gate.beliefs(BeliefFilter(subjects=chunk, attribute=attribute)):
                    self._about[one.slot.subject.id, attribute].append(one)


def is_own(source: Source) -> bool:
    """Whether something was derived while dreaming."""
    return source.type == _DERIVED and source.name.startswith(f"rule {DREAMT}")


def session_of(item: Evidence) -> str:
    """The session in which something was said: its context, or else its source on that day."""
    return item.context or f"{item.source.name} {shown(item.effective_at)[:10]}"


def chunks(given: Sequence[T]) -> Iterator[list[T]]:
    """The items, some hundred at a time."""
    pending = iter(given)
    while chunk := list(islice(pending, _CHUNK)):
        yield chunk


def _counts(one: Testimony) -> bool:
    is_meant = one.claim.modality in (Modality.ASSERTED, Modality.INFERRED)
    is_for = one.claim.stance is Stance.SUPPORTS and is_meant
    return is_for and one.retracted_at is None and not is_own(one.source)
