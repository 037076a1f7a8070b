"""rebuild and doctor: views made anew from the log, and a check that they need not be."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Final

from knowwhy.core.model import Attribute, Belief, Evidence, Slot, Testimony
from knowwhy.core.revision import ContestKey, Pool, Terms, contest_key, settle_together
from knowwhy.core.timeline import Instant, Scope
from knowwhy.engine.erased import erased, present
from knowwhy.engine.meaning import without_vector
from knowwhy.engine.permitting import demand
from knowwhy.engine.space import Space
from knowwhy.recall.ancestry import with_ancestry
from knowwhy.recall.documents import belief_text, evidence_text
from knowwhy.store.protocol import Decision, Snapshot, TextEntry

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
    """Throw all views away and compute them anew from the log: in one transaction, or two."""
    demand(space, "maintain")
    before = _known(space)
    space.store.replace_views(space.name, _rows(space, progress))
    # What follows from others finds these by their views: where some were missing, it looks again.
    if _known(space) != before:
        space.store.replace_views(space.name, _rows(space, progress))


def _known(space: Space) -> frozenset[str]:
    """The ids of the beliefs that have a view."""
    with space.store.snapshot(space.name) as view:
        return frozenset(one.id for one in view.views() if isinstance(one, Belief))


def doctor(space: Space, progress: Progress | None = None) -> Diagnosis:
    """Check the store, and compare every kept view with what the log says it should be."""
    demand(space, "maintain")
    problems = list(space.store.problems(space.name))
    with space.store.snapshot(space.name) as view:
        kept = dict(map(_named, view.views()))
        due = dict(map(_named, views_due(space, view, progress)))
        counts = view.counts()
        spoken = {slot.attribute for slot in view.every(Slot)}
        returned = present(view, erased(view))
        bare = without_vector(space, view)
        undeclared_ones = sorted(spoken - set(view.declared(Attribute)))
    problems += [f"the view {name} is missing; run rebuild" for name in due if name not in kept]
    problems += [f"the view {name} rests on nothing; run rebuild" for name in kept if name not in due]
    problems += [
        f"the view {name} differs from the log; run rebuild"
        for name in due
        if name in kept and kept[name] != due[name]
    ]
    problems += [f"{one} was erased but is on record; forget it again" for one in returned]
    notes = [f"the attribute {name!r} is used but not declared" for name in undeclared_ones]
    if bare:
        notes.append(f"{bare} documents have no vector of the embedder in use; run embed")
    return Diagnosis(tuple(problems), tuple(notes), counts)


def views_due(space: Space, view: Snapshot, progress: Progress | None = None) -> Iterator[Belief | TextEntry]:
    """Every view row that follows from the log; of a branch, those of what was decided or said on it."""
    ledger = _Ledger(space, view)
    for done, slots in _chunked(slot.id for slot in view.every(Slot)):
        yield from ledger.settled(slots)
        if progress is not None:
            progress(done)
    yield from _evidence_texts(view)


def _rows(space: Space, progress: Progress | None) -> Iterator[Belief | TextEntry]:
    with space.store.snapshot(space.name) as view:
        yield from views_due(space, view, progress)


class _Ledger:
    """What the log says of every contest: which operation decided it last, and to what it came."""

    def __init__(self, space: Space, view: Snapshot) -> None:
        self._view = view
        self._schema = space.schema(view)
        self._terms = Terms(self._schema, space.policy_under(self._schema))
        self._fork = view.head().fork
        self._decisions = {one.contest: one.operation for one in view.every(Decision)}
        # An operation is large, and touches slots of many chunks: each is read once.
        self._decided_at: dict[int, Instant] = {}

    def settled(self, slots: list[str]) -> Iterator[Belief | TextEntry]:
        """The views of some slots, each contest settled for the instant of its last operation."""
        contests: dict[ContestKey, list[Testimony]] = defaultdict(list)
        for those in self._view.testimonies([ContestKey(slot) for slot in slots]).values():
            for one in those:
                attribute = self._schema.attribute(one.claim.slot.attribute)
                contests[contest_key(one.claim.slot, one.claim.value.key, attribute)].append(one)
        versions = {key: self._last_touched(key, those) for key, those in contests.items()}
        self._read_operations(versions.values())
        for key, those in contests.items():
            # What was not touched since the fork is kept below, and so is what a value was indexed by there.
            if versions[key] <= self._fork:
                continue
            below = {one.claim.value.key for one in those if one.operation <= self._fork}
            for belief in self._due(key, tuple(those), versions[key]):
                numbered = replace(belief, version=versions[key])
                yield numbered
                if belief.value.key not in below:
                    yield belief_text(numbered)

    def _due(self, key: ContestKey, those: tuple[Testimony, ...], version: int) -> tuple[Belief, ...]:
        """What a contest came to when it was decided last, with what had been said and withdrawn till then.

        Premises of what is derived may have been spoken of since; it is decided again only where they flip.
        """
        pool = Pool(with_ancestry(self._view, self._schema, {key: those}), self._terms).as_of(version)
        return settle_together(pool, Scope(self._decided_at[version])).kept.get(key, ())

    def _last_touched(self, key: ContestKey, testimonies: Iterable[Testimony]) -> int:
        """The number of the last operation that touched a contest: by word, withdrawal or declaration."""
        numbers = [self._decisions.get(key, 0), self._schema.charter.declared_in]
        for one in testimonies:
            numbers.append(one.operation)
            numbers.append(self._schema.attribute(one.claim.slot.attribute).declared_in)
        return max(numbers)

    def _read_operations(self, numbers: Iterable[int]) -> None:
        unread = sorted(set(numbers) - self._decided_at.keys())
        if unread:
            read = self._view.operations(sequences=unread)
            self._decided_at.update((one.sequence, one.decided_at) for one in read)


def _evidence_texts(view: Snapshot) -> Iterator[TextEntry]:
    fork = view.head().fork
    for one in view.every(Evidence):
        if one.operation > fork:
            yield evidence_text(one)


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
