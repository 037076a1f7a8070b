"""dream: what steps come to on a line of their own is merged as one operation, which undo takes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final
from uuid import uuid4

from knowwhy.consolidate.plan import Step, chosen
from knowwhy.core.model import Act, Archive, DreamState
from knowwhy.core.timeline import MICROSECONDS_PER_DAY, Instant, shown
from knowwhy.engine.commit import Prepared, prepare, write
from knowwhy.engine.dream_report import DreamReport, Fate
from knowwhy.engine.dream_steps import STEPS
from knowwhy.engine.erased import erased
from knowwhy.engine.figures import Figures, figures
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.lacking import Sides, lacking
from knowwhy.engine.merge import taking_over
from knowwhy.engine.night import Night, Wish, performed, state_of
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.schedule import due
from knowwhy.engine.space import Space
from knowwhy.errors import Refused, Unavailable, VersionConflict

# So long nobody else may dream here, should whoever is at it never come back.
LEASE_MINUTES: Final = 10
_TRIES: Final = 5


def dream(space: Space, wish: Wish, *, dry_run: bool = False) -> DreamReport:
    """Consolidate what is new since the last time; a dry run shows what that would come to.

    Raises:
        InvalidInput: no such step, or a share or schedule that is none.
        Refused: somebody else is at it, or it is asked for on behalf of a principal.
        VersionConflict: the memory moved on since the dry run whose state is `expected`.
        Unavailable: the memory kept moving on; nothing was changed.
    """
    if space.principal is not None:
        msg = "Dreaming reads all there is and speaks for the memory: it is for who owns it, not a principal."
        raise Refused(msg)
    steps = chosen(STEPS, wish.steps)
    with space.store.snapshot(space.name) as view:
        head, state = view.head(), state_of(view)
    if wish.expected is not None and wish.expected != str(head.sequence):
        msg = f"The memory is at {head.sequence}, not at {wish.expected} as in the dry run; look at it again."
        raise VersionConflict(msg, current=str(head.sequence), expected=wish.expected)
    before = figures(space) if wish.measures else None
    if not _is_due(space, state, wish):
        return _not_due(head.sequence, state, steps)
    if dry_run or all(state.read_by(one.name) == head.sequence for one in steps):
        night = performed(space, steps, wish)
        if dry_run or not night.has_come_on:
            return _told(night, _foreseen(night), None, before)
    return _leased(space, steps, wish, before)


def _is_due(space: Space, state: DreamState, wish: Wish) -> bool:
    """Whether the time has come, where times are named; where it never was dreamt, it has."""
    if wish.when is None:
        return True
    last, now = state.dreamt_at, space.clock()
    # Looked at in any case, so that a schedule that is none is told of at the first run.
    has_come = due(wish.when, now if last is None else last, now, space.zone)
    return last is None or has_come


def _not_due(head: int, state: DreamState, steps: Sequence[Step]) -> DreamReport:
    read = min(state.read_by(one.name) for one in steps)
    return DreamReport(
        done=(),
        parked=state.parked,
        outcome=None,
        operation=None,
        state=str(head),
        read=(read, read),
        is_complete=True,
        before=None,
        after=None,
        changed=0,
        is_due=False,
    )


def _leased(space: Space, steps: Sequence[Step], wish: Wish, before: Figures | None) -> DreamReport:
    """What comes of dreaming for real, which nobody else does meanwhile."""
    holder = f"{wish.author or space.author or 'dream'}:{uuid4().hex[:8]}"
    try:
        night, outcome = _carried_through(space, steps, wish, holder)
    except BaseException:
        _let_go(space, holder)
        raise
    return _told(night, outcome, outcome.operation, before)


def _carried_through(space: Space, steps: Sequence[Step], wish: Wish, holder: str) -> tuple[Night, Outcome]:
    """A run that was merged: where something came in meanwhile, that is read too, and all is planned anew.

    Raises:
        Refused: somebody else is at it, or took over.
        Unavailable: something came in every time.
    """
    for _ in range(_TRIES):
        _lease(space, holder, wish)
        night = performed(space, steps, wish)
        try:
            return night, _merged(night, wish)
        except VersionConflict:
            continue
    msg = "The memory kept moving on while it was dreamt of; nothing was changed. Try again later."
    raise Unavailable(msg, retry_after=60.0)


def _lease(space: Space, holder: str, wish: Wish) -> None:
    """Have nobody else dream here for some time, from now on.

    Raises:
        Refused: somebody is at it.
    """

    def form(reading: Reading) -> Intent:
        state = state_of(reading.view)
        if state.holder not in (None, holder) and (state.leased_until or reading.at) > reading.at:
            msg = f"{state.holder} is dreaming here, until {shown(state.leased_until or reading.at)} at most."
            raise Refused(msg, holder=state.holder)
        until = Instant(reading.at + LEASE_MINUTES * MICROSECONDS_PER_DAY // (24 * 60))
        return Intent(declarations=(replace(state, holder=holder, leased_until=until),))

    write(space, Signature(Act.LEASE, wish.author, "dreaming"), form)


def _let_go(space: Space, holder: str) -> None:
    def form(reading: Reading) -> Intent | Outcome:
        state = state_of(reading.view)
        if state.holder != holder:
            return Outcome(reading.view.head().sequence, None, is_repeat=True)
        return Intent(declarations=(replace(state, holder=None, leased_until=None),))

    write(space, Signature(Act.LEASE, None, "dreaming was broken off"), form)


# Merging ----------------------------------------------------------------------------------------


def _merged(night: Night, wish: Wish) -> Outcome:
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


def _foreseen(night: Night) -> Outcome | None:
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


def _intent(night: Night, reading: Reading) -> Intent:
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
        declarations=(*intent.declarations, night.left(now + 1, reading.at)),
        contests=tuple(dict.fromkeys((*intent.contests, *night.contests))),
    )


def _told(
    night: Night, outcome: Outcome | None, operation: int | None, before: Figures | None
) -> DreamReport:
    return DreamReport(
        done=tuple(night.done),
        parked=(*night.state.parked, *night.failed),
        outcome=outcome,
        operation=operation,
        state=str(night.head.sequence),
        read=(night.read_from, night.read_to),
        is_complete=night.is_whole,
        before=before,
        after=None if before is None else _after(night, outcome, before, is_written=operation is not None),
        changed=len(night.changed),
    )


def _after(night: Night, outcome: Outcome | None, before: Figures, *, is_written: bool) -> Figures:
    if is_written:
        return figures(night.space)
    done = (one.proposal for one in night.done if one.fate is Fate.DONE)
    put_away = sum(isinstance(each, Archive) for one in done for each in one.declarations)
    return before.with_changes(outcome, put_away)
