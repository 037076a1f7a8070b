"""rebuild and doctor: views made anew from the log, and a check that they need not be."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

from knowwhy.core.model import Attribute, Belief, Testimony, attribute_in
from knowwhy.core.revision import ContestKey, contest_key, settle
from knowwhy.core.timeline import Instant, Scope
from knowwhy.engine.commit import belief_text
from knowwhy.engine.space import Space
from knowwhy.recall.analysis import terms
from knowwhy.store.protocol import Snapshot, TextEntry

_CHUNK: Final = 500

# Told how many slots are done so far.
Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What `doctor` found: problems (none in a healthy memory), and notes on what might be improved."""

    problems: tuple[str, ...]
    notes: tuple[str, ...]
    counts: dict[str, int]

    @property
    def is_healthy(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    def as_dict(self) -> dict[str, Any]:
        """The diagnosis for a program."""
        return {
            "healthy": self.is_healthy,
            "problems": list(self.problems),
            "notes": list(self.notes),
            "counts": self.counts,
        }

    def __str__(self) -> str:
        lines = ["Healthy: the views equal the log." if self.is_healthy else "Problems were found:"]
        lines += [f"  {problem}" for problem in self.problems]
        lines += [f"  note: {note}" for note in self.notes]
        return "\n".join(lines)


def rebuild(space: Space, progress: Progress | None = None) -> None:
    """Throw all views away and compute them anew from the log, in one transaction."""
    space.store.replace_views(space.name, _rows(space, progress))


def doctor(space: Space, progress: Progress | None = None) -> Diagnosis:
    """Check the store, and compare every kept view with what the log says it should be."""
    problems = list(space.store.problems(space.name))
    with space.store.snapshot(space.name) as view:
        kept = dict(map(_named, view.views()))
        due = dict(map(_named, views_due(space, view, progress)))
        counts = view.counts()
        spoken = {slot.attribute for slot in view.slots()}
        undeclared_ones = sorted(spoken - set(view.attributes()))
    problems += [f"the view {name} is missing; run rebuild" for name in due if name not in kept]
    problems += [f"the view {name} rests on nothing; run rebuild" for name in kept if name not in due]
    problems += [
        f"the view {name} differs from the log; run rebuild"
        for name in due
        if name in kept and kept[name] != due[name]
    ]
    notes = [f"the attribute {name!r} is used but not declared" for name in undeclared_ones]
    return Diagnosis(tuple(problems), tuple(notes), counts)


def views_due(space: Space, view: Snapshot, progress: Progress | None = None) -> Iterator[Belief | TextEntry]:
    """Every view row that follows from the log."""
    schema = space.schema(view)
    # An operation is large, and touches slots of many chunks: each is read once.
    decided: dict[int, Instant] = {}
    for done, slots in _chunked(slot.id for slot in view.slots()):
        contests: dict[ContestKey, list[Testimony]] = defaultdict(list)
        for testimonies in view.testimonies([ContestKey(slot) for slot in slots]).values():
            for one in testimonies:
                attribute = attribute_in(schema, one.claim.slot.attribute)
                contests[contest_key(one.claim.slot, one.claim.value.key, attribute)].append(one)
        yield from _settled(space, view, contests.values(), schema, decided)
        if progress is not None:
            progress(done)
    yield from _evidence_texts(view)


def _rows(space: Space, progress: Progress | None) -> Iterator[Belief | TextEntry]:
    with space.store.snapshot(space.name) as view:
        yield from views_due(space, view, progress)


def _settled(
    space: Space,
    view: Snapshot,
    contests: Iterable[list[Testimony]],
    schema: Mapping[str, Attribute],
    decided: dict[int, Instant],
) -> Iterator[Belief | TextEntry]:
    """The beliefs of some contests, each settled for the instant of the operation that touched it last."""
    last = [
        (_last_touched(those, attribute_in(schema, those[0].claim.slot.attribute)), those)
        for those in contests
    ]
    unread = sorted({sequence for sequence, _ in last} - decided.keys())
    decided.update((one.sequence, one.decided_at) for one in view.operations(sequences=unread))
    for sequence, those in last:
        scope = Scope(decided[sequence])
        for belief in settle(those, attribute_in(schema, those[0].claim.slot.attribute), scope, space.policy):
            numbered = replace(belief, version=sequence)
            yield numbered
            yield belief_text(numbered)


def _last_touched(testimonies: list[Testimony], attribute: Attribute) -> int:
    """The number of the last operation that touched a contest: by claim, withdrawal or declaration."""
    numbers = [one.operation for one in testimonies]
    numbers += [one.retraction for one in testimonies if one.retraction is not None]
    return max(*numbers, attribute.declared_in)


def _evidence_texts(view: Snapshot) -> Iterator[TextEntry]:
    for _, ids in _chunked(view.evidence_ids()):
        for one in view.evidence(ids=ids):
            yield TextEntry(one.id, terms(one.text))


def _chunked(ids: Iterable[str]) -> Iterator[tuple[int, list[str]]]:
    """The ids in lists of bounded length, each with how many have come by its end."""
    pending = iter(ids)
    done = 0
    while chunk := list(islice(pending, _CHUNK)):
        done += len(chunk)
        yield done, chunk


def _named(row: Belief | TextEntry) -> tuple[str, Belief | TextEntry]:
    if isinstance(row, TextEntry):
        return f"text of {row.document}", TextEntry(row.document, tuple(sorted(row.terms)))
    return f"belief {row.id}", row
