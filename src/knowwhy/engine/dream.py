"""dream: steps are performed on a line of their own, and what comes of them is merged as one operation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from typing import Final
from uuid import uuid4

from knowwhy.consolidate.material import Material
from knowwhy.consolidate.plan import Proposal, Step, chosen
from knowwhy.consolidate.structuring import ARCHIVE
from knowwhy.core.model import Act, Branch, DreamState, Operation, ParkedTopic
from knowwhy.core.revision import ContestKey
from knowwhy.core.timeline import MICROSECONDS_PER_DAY, Instant, shown
from knowwhy.engine.branch import MARK
from knowwhy.engine.commit import Prepared, prepare, write
from knowwhy.engine.concluding import concluded, is_empty
from knowwhy.engine.dream_report import Done, DreamReport, Fate
from knowwhy.engine.dream_steps import STEPS
from knowwhy.engine.erased import erased
from knowwhy.engine.figures import Figures, figures
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.lacking import Sides, lacking
from knowwhy.engine.merge import taking_over
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.space import Space
from knowwhy.errors import InvalidInput, Refused, Unavailable, VersionConflict
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
# So long nobody else may dream here, should whoever is at it never come back.
LEASE_MINUTES: Final = 10
_TRIES: Final = 5
_PAGE: Final = 500
# The topic of a step that does not get so far as to find any.
_WHOLE: Final = ""


@dataclass(frozen=True, slots=True)
class Wish:
    """How somebody wants to dream: which steps, how much may change, and what counts as unused.

    `expected` names the state for which a dry run showed what would be done; what is parked is tried again
    where it `retries`.
    """

    steps: Sequence[str | Step] | None = None
    share: float | None = None
    unused_days: float = 180.0
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

    def allowance(self, beliefs: int) -> int:
        """How many beliefs may change, of so many there are."""
        if self.share is not None:
            return ceil(self.share * beliefs)
        return max(FEWEST, ceil(USUAL_SHARE * beliefs))


@dataclass(slots=True)
class _Night:
    """One run under way: what was read, what was done so far, and which beliefs that changed."""

    space: Space
    scratch: Space
    steps: Sequence[Step]
    head: Head
    state: DreamState
    unread: tuple[Operation, ...]
    aged: tuple[Operation, ...]
    unused_before: Instant
    allowance: int
    done: list[Done] = field(default_factory=list)
    parked: list[ParkedTopic] = field(default_factory=list)
    changed: set[str] = field(default_factory=set)
    contests: dict[ContestKey, None] = field(default_factory=dict)

    @property
    def has_done(self) -> bool:
        """Whether anything came of it."""
        return any(one.fate is Fate.DONE for one in self.done)

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

    def left(self, written: int) -> DreamState:
        """How far this run has come, once it is written as an operation of a number."""
        to = written if self.read_to >= self.head.sequence else self.read_to
        read, aged_to = dict(self.state.read), self.state.aged_to
        if not self.is_put_off:
            read |= {one.name: max(to, read.get(one.name, 0)) for one in self.steps}
            if self.aged and ARCHIVE in self.steps:
                aged_to = self.aged[-1].sequence
        return DreamState(tuple(sorted(read.items())), aged_to, parked=tuple(dict.fromkeys(self.parked)))


def dream(space: Space, wish: Wish, *, dry_run: bool = False) -> DreamReport:
    """Consolidate what is new since the last time; a dry run shows what that would come to.

    Raises:
        InvalidInput: no such step, or a share that is none.
        Refused: somebody else is at it, or it is asked for on behalf of a principal.
        VersionConflict: the memory moved on since the dry run whose state is `expected`.
        Unavailable: the memory kept moving on; nothing was changed.
    """
    if space.principal is not None:
        msg = "Dreaming reads all there is and speaks for the memory: it is for who owns it, not a principal."
        raise Refused(msg)
    steps = chosen(STEPS, wish.steps)
    with space.store.snapshot(space.name) as view:
        head, state = view.head(), _state(view)
    if wish.expected is not None and wish.expected != str(head.sequence):
        msg = f"The memory is at {head.sequence}, not at {wish.expected} as in the dry run; look at it again."
        raise VersionConflict(msg, current=str(head.sequence), expected=wish.expected)
    before = figures(space, is_whole=wish.measures)
    if dry_run or all(state.read_by(one.name) == head.sequence for one in steps):
        night = _performed(space, steps, wish, before)
        if dry_run or not night.has_done:
            return _told(night, _foreseen(night), None, before, wish)
    return _leased(space, steps, wish, before)


def _leased(space: Space, steps: Sequence[Step], wish: Wish, before: Figures) -> DreamReport:
    """What comes of dreaming for real, which nobody else does meanwhile."""
    holder = f"{wish.author or space.author or 'dream'}:{uuid4().hex[:8]}"
    _lease(space, holder, wish)
    try:
        night, outcome = _carried_through(space, steps, wish, holder, before)
    except BaseException:
        _let_go(space, holder)
        raise
    return _told(night, outcome, outcome.operation, before, wish)


def _carried_through(
    space: Space, steps: Sequence[Step], wish: Wish, holder: str, before: Figures
) -> tuple[_Night, Outcome]:
    """A run that was merged: where something came in meanwhile, that is read too, and all is planned anew.

    Raises:
        Refused: somebody else took over.
        Unavailable: something came in every time.
    """
    for _ in range(_TRIES):
        night = _performed(space, steps, wish, before)
        if night.state.holder != holder:
            msg = f"{night.state.holder or 'Somebody'} took over dreaming here meanwhile."
            raise Refused(msg)
        try:
            return night, _merged(night, wish)
        except VersionConflict:
            continue
    msg = "The memory kept moving on while it was dreamt of; nothing was changed. Try again later."
    raise Unavailable(msg, retry_after=60.0)


def _lease(space: Space, holder: str, wish: Wish) -> None:
    """Have nobody else dream here for some time.

    Raises:
        Refused: somebody is at it.
    """

    def form(reading: Reading) -> Intent:
        state = _state(reading.view)
        if state.holder is not None and (state.leased_until or reading.at) > reading.at:
            msg = f"{state.holder} is dreaming here, until {shown(state.leased_until or reading.at)} at most."
            raise Refused(msg, holder=state.holder)
        until = Instant(reading.at + LEASE_MINUTES * MICROSECONDS_PER_DAY // (24 * 60))
        return Intent(declarations=(replace(state, holder=holder, leased_until=until),))

    write(space, Signature(Act.LEASE, wish.author, "dreaming"), form)


def _let_go(space: Space, holder: str) -> None:
    def form(reading: Reading) -> Intent | Outcome:
        state = _state(reading.view)
        if state.holder != holder:
            return Outcome(reading.view.head().sequence, None, is_repeat=True)
        return Intent(declarations=(replace(state, holder=None, leased_until=None),))

    write(space, Signature(Act.LEASE, None, "dreaming was broken off"), form)


def _state(view: Snapshot) -> DreamState:
    return view.declared(DreamState).get("", DreamState())


# Performing -------------------------------------------------------------------------------------


def _performed(space: Space, steps: Sequence[Step], wish: Wish, before: Figures) -> _Night:
    """All steps, one after the other, on a line of their own that only this process knows."""
    with space.store.snapshot(space.name) as view:
        head, state = view.head(), _state(view)
        since = min(state.read_by(one.name) for one in steps)
        unused_before = Instant(space.clock() - int(wish.unused_days * MICROSECONDS_PER_DAY))
        night = _Night(
            space=space,
            scratch=_scratch(space, head),
            steps=steps,
            head=head,
            state=state,
            unread=tuple(_unread(view, since)),
            aged=tuple(_aged(view, state.aged_to, unused_before)),
            unused_before=unused_before,
            allowance=wish.allowance(before.beliefs),
        )
    names = {one.name for one in steps}
    night.parked += [one for one in state.parked if not (wish.retries and one.step in names)]
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


def _planned(night: _Night, step: Step) -> list[tuple[str, Proposal]]:
    """What a step proposes of the memory as the steps before it left it. What it fails at is parked."""
    found = list[tuple[str, Proposal]]()
    scratch = night.scratch
    barred = {one.topic for one in night.parked if one.step == step.name}
    if _WHOLE in barred:
        return []
    with scratch.reading(scratch.scope()) as gate:
        added = range(night.head.sequence + 1, gate.view.head().sequence + 1)
        own = gate.view.operations(sequences=added) if added else []
        since = night.state.read_by(step.name)
        unread = tuple(one for one in night.unread if one.sequence > since)
        material = Material(gate, (*unread, *own), night.aged, night.unused_before)
        again = [one.topic for one in night.state.parked if one.step == step.name and one.topic != _WHOLE]
        for topic in dict.fromkeys((*_topics(night, step, material), *again)):
            if topic in barred:
                continue
            try:
                found += [(topic, one) for one in step.plan(material, topic)]
            except Unavailable:
                raise
            except Exception as problem:  # noqa: BLE001 - whatever a step stumbles over, the others go on
                night.parked.append(ParkedTopic(step.name, topic, _why(problem)))
    return found


def _topics(night: _Night, step: Step, material: Material) -> list[str]:
    try:
        return list(dict.fromkeys(step.topics(material)))
    except Unavailable:
        raise
    except Exception as problem:  # noqa: BLE001 - as above: the step as a whole is parked
        night.parked.append(ParkedTopic(step.name, _WHOLE, _why(problem)))
        return []


def _why(problem: Exception) -> str:
    return f"{type(problem).__name__}: {problem}"


def _carry_out(night: _Night, step: Step, topic: str, proposal: Proposal) -> None:
    """Write what a proposal comes to on the line of the dream, unless too much has changed already."""
    scratch = night.scratch
    signature = Signature(Act.DREAM, reason=step.name)

    def form(reading: Reading) -> Intent | Outcome:
        intent = concluded(reading, step, proposal)
        return Outcome(0, None, is_repeat=True) if is_empty(intent) else intent

    with scratch.store.snapshot(scratch.name) as view:
        try:
            prepared = prepare(scratch, signature, form, view)
        except Unavailable:
            raise
        except Exception as problem:  # noqa: BLE001 - what cannot be carried out is parked like what cannot be planned
            night.parked.append(ParkedTopic(step.name, topic, _why(problem)))
            return
    if not isinstance(prepared, Prepared):
        if proposal.is_advice:
            night.done.append(Done(step.name, topic, proposal, Fate.ADVICE))
        return
    changes = prepared.outcome.changes
    moved = {one.belief for one in changes} | _named(proposal)
    if len(moved) > night.allowance:
        why = (
            f"it changes {len(moved)} beliefs, of at most {night.allowance} in one run; allow a larger share"
        )
        night.parked.append(ParkedTopic(step.name, topic, why))
        return
    if len(night.changed | moved) > night.allowance:
        night.done.append(Done(step.name, topic, proposal, Fate.DEFERRED))
        return
    scratch.store.commit(scratch.name, prepared.batch)
    night.changed |= moved
    night.contests.update(dict.fromkeys(proposal.contests))
    night.done.append(Done(step.name, topic, proposal, Fate.DONE, changes))


def _named(proposal: Proposal) -> set[str]:
    """What a proposal changes beside the standing of beliefs."""
    return {f"{one.kind} {one.key}" for one in proposal.declarations if one.is_schema}


# Merging ----------------------------------------------------------------------------------------


def _merged(night: _Night, wish: Wish) -> Outcome:
    """All that came of the steps, as one operation, if nothing came in meanwhile.

    Raises:
        VersionConflict: something did.
    """
    reason = (
        wish.reason or f"dream of {', '.join(dict.fromkeys(one.step for one in night.done)) or 'nothing'}"
    )
    return write(
        night.space, Signature(Act.DREAM, wish.author, reason), lambda reading: _intent(night, reading)
    )


def _foreseen(night: _Night) -> Outcome | None:
    """What the merge would be told now."""
    if not night.has_done:
        return None
    space = night.space
    with space.store.snapshot(space.name) as view:
        try:
            prepared = prepare(space, Signature(Act.DREAM), lambda reading: _intent(night, reading), view)
        except VersionConflict:
            return None  # it moved on while this was planned; the report says of which state it speaks
    return prepared.outcome if isinstance(prepared, Prepared) else prepared


def _intent(night: _Night, reading: Reading) -> Intent:
    now = reading.view.head().sequence
    if now != night.head.sequence:
        msg = f"The memory moved on to {now} while it was dreamt of."
        raise VersionConflict(msg, current=str(now), expected=str(night.head.sequence))
    scratch = night.scratch
    with scratch.store.snapshot(scratch.name) as other:
        sides = Sides(night.space, scratch, reading.view, other)
        brought = lacking(sides, reading.at, erased(reading.view))
    taken = taking_over(reading, brought)
    intent = Intent() if isinstance(taken, Outcome) else taken
    return replace(
        intent,
        declarations=(*intent.declarations, night.left(now + 1)),
        contests=tuple(dict.fromkeys((*intent.contests, *night.contests))),
    )


def _told(
    night: _Night, outcome: Outcome | None, operation: int | None, before: Figures, wish: Wish
) -> DreamReport:
    written = operation is not None
    return DreamReport(
        done=tuple(night.done),
        parked=tuple(dict.fromkeys(night.parked)),
        outcome=outcome,
        operation=operation,
        state=str(night.head.sequence),
        read=(night.read_from, night.read_to),
        is_complete=night.is_whole,
        before=before,
        after=figures(night.space, is_whole=wish.measures) if written else before.with_changes(outcome),
        allowance=night.allowance,
        changed=len(night.changed),
    )
