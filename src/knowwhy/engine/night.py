"""A run of dreaming under way: what is read, and what the steps do about it on a line of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil
from typing import Final

from knowwhy.consolidate.material import Material
from knowwhy.consolidate.plan import Proposal, Step
from knowwhy.consolidate.structuring import ARCHIVE
from knowwhy.core.model import Act, Branch, DreamState, Operation, ParkedTopic, topic_mark
from knowwhy.core.revision import ContestKey
from knowwhy.core.timeline import MICROSECONDS_PER_DAY, Instant
from knowwhy.engine.branch import MARK
from knowwhy.engine.commit import Prepared, prepare
from knowwhy.engine.concluding import concluded, is_empty
from knowwhy.engine.dream_report import Done, Fate
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.space import Space
from knowwhy.errors import Fault, InvalidInput, Unavailable
from knowwhy.store.joint import Fork
from knowwhy.store.layered import LayeredStore
from knowwhy.store.memory import MemoryStore
from knowwhy.store.protocol import Head, Snapshot

# Of a memory so many beliefs may always change in a run, however small a share of it the usual one is.
FEWEST: Final = 50
USUAL_SHARE: Final = 0.2
# How many records a run reads of what is new, as far as whole operations allow.
MOST_READ: Final = 20_000
# How many operations that have grown old a run looks at.
MOST_AGED: Final = 4_095
_PAGE: Final = 500
# The topic of a step that does not get so far as to find any.
_WHOLE: Final = ""


@dataclass(frozen=True, slots=True)
class Wish:
    """How somebody wants to dream: which steps, how much may change, and what counts as unused.

    `expected` names the state for which a dry run showed what would be done; what is parked is tried again
    where it `retries`. With `when`, a cron expression, only if a time of it has come since the last run.
    """

    steps: Sequence[str | Step] | None = None
    share: float | None = None
    unused_days: float = 180.0
    when: str | None = None
    expected: str | None = None
    retries: bool = False
    measures: bool = False
    author: str | None = None
    reason: str | None = None

    def __post_init__(self) -> None:
        """Refuse a share or a term that is none."""
        if self.share is not None and not 0.0 < self.share <= 1.0:
            raise InvalidInput(f"The share that may change lies above 0 and up to 1, not {self.share}.")
        if not self.unused_days > 0.0:
            raise InvalidInput(f"A belief is unused after some days, more than 0, not {self.unused_days}.")


@dataclass
class Night:
    """One run under way: what was read, what was done so far, and which beliefs that changed.

    It goes on from `state`, which is the one that is `known` unless something is tried again. What it fails
    at is told of as `failed`; `parked` is what is left on record of that, and of what was parked before.
    """

    space: Space
    scratch: Space
    steps: Sequence[Step]
    head: Head
    known: DreamState
    state: DreamState
    unread: tuple[Operation, ...]
    aged: tuple[Operation, ...]
    unused_before: Instant
    share: float | None
    done: list[Done] = field(default_factory=list)
    failed: list[ParkedTopic] = field(default_factory=list)
    parked: list[ParkedTopic] = field(default_factory=list)
    changed: set[str] = field(default_factory=set)
    contests: dict[ContestKey, None] = field(default_factory=dict)

    @property
    def has_done(self) -> bool:
        """Whether anything came of it."""
        return any(one.fate is Fate.DONE for one in self.done)

    @property
    def has_come_on(self) -> bool:
        """Whether the next run goes on from elsewhere than this one, though nothing is new since."""
        return self.has_done or len(self.aged) >= MOST_AGED or tuple(self.parked) != self.known.parked

    def park(self, step: Step, topic: str, problem: Exception | str) -> None:
        """Leave a topic of a step alone, until it is tried again on request."""
        is_told = isinstance(problem, str)
        kind = problem if isinstance(problem, str) else type(problem).__name__
        self.failed.append(ParkedTopic(step.name, topic, kind if is_told else f"{kind}: {problem}"))
        read, aged = self.state.read_by(step.name), self.state.aged_to
        self.parked.append(ParkedTopic(step.name, topic_mark(topic), kind, read, aged))

    def bars(self, step: Step, topic: str) -> bool:
        """Whether a topic of a step is left alone, or all of the step."""
        return any(one.step == step.name and one.topic in ("", topic_mark(topic)) for one in self.parked)

    def allows(self, changed: int) -> bool:
        """Whether so many beliefs may change in this run."""
        return (self.share is None and changed <= FEWEST) or changed <= self.allowance

    @cached_property
    def allowance(self) -> int:
        """How many beliefs may change in this run. They are counted only where that must be known."""
        with self.space.store.snapshot(self.space.name) as view:
            counts = view.counts()
        beliefs = sum(number for name, number in counts.items() if name.startswith("belief."))
        return max(FEWEST, ceil(USUAL_SHARE * beliefs)) if self.share is None else ceil(self.share * beliefs)

    @property
    def read_from(self) -> int:
        """Up to which operation all was read before."""
        return min(self.state.read_by(one.name) for one in self.steps)

    @property
    def read_to(self) -> int:
        """Up to which operation all is read now."""
        return self.unread[-1].sequence if self.unread else self.head.sequence

    @property
    def is_put_off(self) -> bool:
        """Whether anything must be met again in the next run."""
        return any(one.fate is Fate.DEFERRED for one in self.done)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left for another run: all was read, and nothing put off."""
        is_read = self.read_to >= self.head.sequence and len(self.aged) < MOST_AGED
        return is_read and not self.is_put_off

    def left(self, written: int, at: Instant) -> DreamState:
        """How far this run has come, once it is written as an operation of a number, at an instant."""
        to = written if self.read_to >= self.head.sequence else self.read_to
        read, aged_to = dict(self.state.read), self.state.aged_to
        if not self.is_put_off:
            read |= {one.name: max(to, read.get(one.name, 0)) for one in self.steps}
            if self.aged and ARCHIVE in self.steps:
                aged_to = self.aged[-1].sequence
        return DreamState(tuple(sorted(read.items())), aged_to, parked=tuple(self.parked), dreamt_at=at)


def state_of(view: Snapshot) -> DreamState:
    """How far a line was consolidated."""
    return view.declared(DreamState).get("", DreamState())


# Performing -------------------------------------------------------------------------------------


def performed(space: Space, steps: Sequence[Step], wish: Wish) -> Night:
    """All steps, one after the other, on a line of their own that only this process knows."""
    with space.store.snapshot(space.name) as view:
        head, known = view.head(), state_of(view)
        state = known.retried({one.name for one in steps}) if wish.retries else known
        since = min(state.read_by(one.name) for one in steps)
        unused_before = Instant(space.clock() - int(wish.unused_days * MICROSECONDS_PER_DAY))
        night = Night(
            space=space,
            scratch=_scratch(space, head),
            steps=steps,
            head=head,
            known=known,
            state=state,
            unread=tuple(_unread(view, since)),
            aged=tuple(_aged(view, state.aged_to, unused_before)) if ARCHIVE in steps else (),
            unused_before=unused_before,
            share=wish.share,
            parked=list(state.parked),
        )
    for step in steps:
        for topic, proposal in _planned(night, step):
            _carry_out(night, step, topic, proposal)
    return night


def _scratch(space: Space, head: Head) -> Space:
    """A branch over the memory as it is, which leaves no trace in it."""
    name = f"{space.root.name}{MARK}dream@{head.sequence}"
    parent = None if space.branch is None else space.branch.key
    branch = Branch("dream", name, parent, head.sequence, head.at)
    layered = LayeredStore(MemoryStore(), name, space.store, Fork(head.sequence, head.at))
    return replace(space.on(branch, layered), run=None)


def _unread(view: Snapshot, since: int) -> Iterator[Operation]:
    """The operations after a number, the oldest first, until there are enough for one run."""
    last, records = view.head().sequence, 0
    for first in range(since + 1, last + 1, _PAGE):
        found = view.operations(sequences=range(first, min(first + _PAGE, last + 1)))
        for one in sorted(found, key=lambda each: each.sequence):
            yield one
            records += len((one.outcome or {}).get("evidence", ()))
            if records >= MOST_READ:
                return


def _aged(view: Snapshot, since: int, before: Instant) -> Iterator[Operation]:
    """The operations after a number that were recorded before an instant, the oldest first."""
    first, size = since + 1, 1
    while size <= MOST_AGED and (found := view.operations(sequences=range(first, first + size))):
        old = [one for one in sorted(found, key=lambda each: each.sequence) if one.at <= before]
        yield from old
        if len(old) < size:
            return
        first, size = first + size, size * 2


def _planned(night: Night, step: Step) -> list[tuple[str, Proposal]]:
    """What a step proposes of the memory as the steps before it left it. What it fails at is parked."""
    found = list[tuple[str, Proposal]]()
    scratch = night.scratch
    if night.bars(step, _WHOLE):
        return []
    with scratch.reading(scratch.scope()) as gate:
        added = range(night.head.sequence + 1, gate.view.head().sequence + 1)
        own = gate.view.operations(sequences=added) if added else []
        since = night.state.read_by(step.name)
        unread = tuple(one for one in night.unread if one.sequence > since)
        material = Material(gate, (*unread, *own), night.aged, night.unused_before)
        topics: list[str] = []
        with _parking(night, step, _WHOLE):
            topics += dict.fromkeys(step.topics(material))
        for topic in topics:
            if not night.bars(step, topic):
                with _parking(night, step, topic):
                    found += [(topic, one) for one in step.plan(material, topic)]
    return found


@contextmanager
def _parking(night: Night, step: Step, topic: str) -> Iterator[None]:
    """Park what a step fails at; where the store or the machine fails, the run does."""
    try:
        yield
    except (Unavailable, Fault, MemoryError):
        raise
    except Exception as problem:  # noqa: BLE001 - whatever a step stumbles over, the others go on
        night.park(step, topic, problem)


def _carry_out(night: Night, step: Step, topic: str, proposal: Proposal) -> None:
    """Write what a proposal comes to on the line of the dream, unless too much has changed already."""
    scratch = night.scratch
    signature = Signature(Act.DREAM, reason=step.name)

    def form(reading: Reading) -> Intent | Outcome:
        intent = concluded(reading, step, proposal)
        return Outcome(0, None, is_repeat=True) if is_empty(intent) else intent

    prepared: Prepared | Outcome | None = None
    with scratch.store.snapshot(scratch.name) as view, _parking(night, step, topic):
        prepared = prepare(scratch, signature, form, view)
    if prepared is None:
        return
    if not isinstance(prepared, Prepared):
        if proposal.is_advice:
            night.done.append(Done(step.name, topic, proposal, Fate.ADVICE))
        return
    changes = prepared.outcome.changes
    moved = {one.belief for one in changes} | _named(proposal)
    if not night.allows(len(moved)):
        why = (
            f"it changes {len(moved)} beliefs, of at most {night.allowance} in one run; allow a larger share"
        )
        night.park(step, topic, why)
        return
    if not night.allows(len(night.changed | moved)):
        night.done.append(Done(step.name, topic, proposal, Fate.DEFERRED))
        return
    scratch.store.commit(scratch.name, prepared.batch)
    night.changed |= moved
    night.contests.update(dict.fromkeys(proposal.contests))
    night.done.append(Done(step.name, topic, proposal, Fate.DONE, changes))


def _named(proposal: Proposal) -> set[str]:
    """What a proposal changes beside the standing of beliefs."""
    return {f"{one.kind} {one.key}" for one in proposal.declarations if one.is_schema}
