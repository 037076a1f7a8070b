"""vacuum: what no answer about later knowledge needs is dropped for good."""

from __future__ import annotations

from knowwhy.core.model import Act, Branch, Evidence, Horizon, in_force
from knowwhy.core.timeline import Instant, isoformat, shown
from knowwhy.engine.auditing import let_go
from knowwhy.engine.commit import write
from knowwhy.engine.forget import lines
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.space import Space, When
from knowwhy.errors import InvalidInput
from knowwhy.store.protocol import Snapshot


def vacuum(space: Space, horizon: When, *, author: str | None = None, reason: str | None = None) -> Outcome:
    """Drop what is only needed to tell what was known before `horizon`; everything later stays exact.

    Raises:
        InvalidInput: on a branch, or a horizon in the future.
    """
    wanted = space.instant(horizon)
    if space.branch is not None:
        msg = "A vacuum is for the main line, over which all branches lie; use it there."
        raise InvalidInput(msg)

    def form(reading: Reading) -> Intent | Outcome:
        if wanted > reading.at:
            msg = f"The horizon {shown(wanted)} lies in the future; only what is past can be let go."
            raise InvalidInput(msg)
        limit, warnings = _limited(reading.view, wanted, reading.at)
        if limit <= reading.schema.horizon:
            told = f"Nothing is kept that would only tell what was known before {shown(limit)}."
            return Outcome(reading.view.head().sequence, None, is_repeat=True, warnings=(*warnings, told))
        gone = len(_dispensable(reading.view, limit))
        items = "1 item of evidence" if gone == 1 else f"{gone} items of evidence"
        told = f"{items}, withdrawn by {isoformat(limit)}, dropped for good"
        return Intent(declarations=(Horizon(limit),), warnings=(*warnings, told))

    outcome = write(space, Signature(Act.VACUUM, author, reason), form)
    _sweep(space)
    let_go(space, list(lines(space)), space.horizon())
    return outcome


def _limited(view: Snapshot, wanted: Instant, now: Instant) -> tuple[Instant, tuple[str, ...]]:
    """The horizon as far as open branches allow it: what they lie over must stay as it was."""
    oldest = min(
        (one for one in view.declared(Branch).values() if one.is_open(now)),
        key=lambda one: one.at,
        default=None,
    )
    if oldest is None or wanted <= oldest.at:
        return wanted, ()
    return oldest.at, (f"the branch {oldest.name!r} lies over what was known on {shown(oldest.at)}",)


def _sweep(space: Space) -> None:
    """Drop what the horizon in force allows; repeated where it was interrupted, it drops the rest."""
    with space.store.snapshot(space.name) as view:
        horizon = space.schema(view).horizon
        gone = _dispensable(view, horizon)
        before = _first_at(view, horizon)
        branches = [one.space for one in view.declared(Branch).values() if not one.is_closed]
    kept: set[str] = set()
    for branch in branches:
        # What a branch has taken over is known by where it came from.
        with space.store.snapshot(branch) as own:
            kept |= {one.id for one in own.every(Evidence)}
    space.store.drop(space.name, [one for one in gone if one not in kept], before)


def _dispensable(view: Snapshot, horizon: Instant) -> list[str]:
    """The evidence that was withdrawn for good by the horizon."""
    found = []
    for one in view.every(Evidence):
        withdrawal = in_force(one.withdrawals)
        if withdrawal is not None and withdrawal.at <= horizon:
            found.append(one.id)
    return found


def _first_at(view: Snapshot, horizon: Instant) -> int:
    """The first operation at or after the horizon, found by halving."""
    low, high = 1, view.head().sequence
    while low < high:
        middle = (low + high) // 2
        (one,) = view.operations(sequences=[middle])
        low, high = (low, middle) if one.at >= horizon else (middle + 1, high)
    return low
