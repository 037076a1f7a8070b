"""Survey: all that sources say in a memory, read page by page, as far as it tells how reliable they are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final

from knowwhy.core.confidence.reliability import MOST_CHOICES, Assertion
from knowwhy.core.model import Schema, Slot, Source, Testimony
from knowwhy.core.revision import ContestKey, contest_key
from knowwhy.core.revision.hearing import hear
from knowwhy.core.revision.periods import Course, course_of, steady, words_of
from knowwhy.core.timeline import Instant, Scope
from knowwhy.store.protocol import Snapshot

_PAGE: Final = 500


@dataclass(frozen=True, slots=True)
class Survey:
    """What is said beside each other, who speaks, and where.

    `choices` says of each object of the assertions how many values it may have; `speakers` and the contests
    they are `heard_in` are by independence group.
    """

    assertions: tuple[Assertion, ...]
    choices: Mapping[str, int]
    speakers: Mapping[str, Source]
    heard_in: Mapping[str, frozenset[ContestKey]]

    @property
    def priors(self) -> dict[str, float]:
        """The reliability of each voice before anything is learned of it."""
        return {group: one.reliability for group, one in self.speakers.items()}


def surveyed(view: Snapshot, schema: Schema, known: Instant) -> Survey:
    """The survey of what was known at an instant, and not withdrawn."""
    courses: dict[str, dict[str, Course]] = defaultdict(dict)
    named: dict[str, set[str]] = defaultdict(set)
    speakers: dict[str, Source] = {}
    heard_in: dict[str, set[ContestKey]] = defaultdict(set)
    for slot, visible in (each for page in pages(view, known) for each in page):
        attribute = schema.attribute(slot.attribute)
        for one in visible:
            group = one.source.group
            known_as = speakers.setdefault(group, one.source)
            if one.source.reliability < known_as.reliability:
                speakers[group] = one.source
            heard_in[group].add(contest_key(slot, one.claim.value.key, attribute))
        if attribute.is_exclusive:
            if len(named[attribute.key]) < MOST_CHOICES:
                named[attribute.key].update(one.claim.value.key for one in visible)
            if len({one.source.group for one in visible}) > 1:
                words = words_of(hear(visible, attribute, Scope(known)).spoken)
                courses[attribute.key][slot.id] = course_of(words, attribute)
    choices = {key: min(MOST_CHOICES, len(values)) for key, values in named.items()}
    found = _compared(courses)
    return Survey(
        tuple(one for _, one in found),
        {one.object: choices[key] for key, one in found},
        speakers,
        {group: frozenset(keys) for group, keys in heard_in.items()},
    )


def pages(view: Snapshot, known: Instant) -> Iterator[list[tuple[Slot, list[Testimony]]]]:
    """All testimony that was known at an instant and not withdrawn, by slots, some hundred at a time."""
    slots = iter(view.every(Slot))
    while page := {ContestKey(one.id): one for one in islice(slots, _PAGE)}:
        read = view.testimonies(list(page))
        yield [
            (page[key], visible)
            for key, those in read.items()
            if (visible := [one for one in those if one.is_visible(known)])
        ]


def _compared(courses: Mapping[str, Mapping[str, Course]]) -> list[tuple[str, Assertion]]:
    """What is said of the same, each with the key of its attribute."""
    calm = steady({key: those.values() for key, those in courses.items()})
    return [
        (key, one)
        for key, those in courses.items()
        for slot, course in those.items()
        for one in course.assertions(slot, is_steady=key in calm)
    ]
