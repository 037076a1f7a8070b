"""learn: how reliable sources are, from how they bear each other out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from knowwhy.core.confidence import reliability
from knowwhy.core.confidence.reliability import Learned, Model
from knowwhy.core.model import Act, Learning, Source
from knowwhy.engine.commit import write
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.space import Space
from knowwhy.engine.survey import Survey, surveyed
from knowwhy.recall.ancestry import by_id

# The least difference between two reliabilities that is worth settling anything anew for.
_NOTICEABLE: Final = 0.01
_MOST_NOTES: Final = 20

_Rates = tuple[tuple[str, float, int], ...]


def learn(space: Space, *, author: str | None = None, reason: str | None = None) -> Outcome:
    """Learn from all that is said now; what a source speaks of whose reliability changed is settled anew.

    Nothing is written where nothing changed noticeably. Where it is not sure that sources differ, each is
    as reliable as its type again.
    """
    fits: list[Learned] = []

    def form(reading: Reading) -> Intent | Outcome:
        found = surveyed(reading.view, reading.schema, reading.at)
        # A race lost against another writer costs a new survey, not a new fit.
        if not fits:
            fits.append(reliability.learn(found.assertions, priors=found.priors, choices=found.choices))
        # Learnt from what everybody may read; settled anew is all that it bears on.
        heard = (
            found if reading.whole is reading.view else surveyed(reading.whole, reading.schema, reading.at)
        )
        return _intent(reading, replace(found, heard_in=heard.heard_in), fits[0])

    return write(space, Signature(Act.LEARN, author, reason), form)


def _intent(reading: Reading, found: Survey, learned: Learned) -> Intent | Outcome:
    rates = _rates(learned, found.speakers)
    before, after = reading.schema.learned_by(), {group: rate for group, rate, _ in rates}
    moved = [
        one
        for group, one in sorted(found.speakers.items())
        if abs(before.get(group, one.reliability) - after.get(group, one.reliability)) >= _NOTICEABLE
    ]
    if not moved:
        last = reading.schema.learnings[-1:]
        return Outcome(
            operation=last[0].declared_in if last else 0,
            at=None,
            warnings=(_unmoved(learned),),
            is_repeat=True,
        )
    contests = {key for one in moved for key in found.heard_in[one.group]}
    judged = {group: number for group, _, number in rates}
    notes = [
        f"{one.name} ({one.type}): reliability {before.get(one.group, one.reliability):.2f} → "
        f"{after.get(one.group, one.reliability):.2f}{_by(judged.get(one.group))}"
        for one in moved
    ]
    if len(notes) > _MOST_NOTES:
        notes[_MOST_NOTES:] = [f"and {len(notes) - _MOST_NOTES} sources more, see sources"]
    return Intent(
        declarations=(Learning(reading.at, rates, f"{learned.model}, {learned.certainty:.1f}"),),
        contests=tuple(sorted(contests, key=by_id)),
        warnings=tuple(notes),
    )


def _rates(learned: Learned, speakers: Mapping[str, Source]) -> _Rates:
    """What is to be kept: the reliabilities, within their bands, that differ from those of the outset."""
    if learned.model is Model.PRIOR:
        return ()
    kept = []
    for group, one in sorted(learned.sources.items()):
        rate = round(speakers[group].within_band(one.mean), 4)
        if abs(rate - speakers[group].reliability) >= _NOTICEABLE:
            kept.append((group, rate, round(one.statements)))
    return tuple(kept)


def _by(statements: int | None) -> str:
    if statements is None:
        return ", as its type"
    return f", by {statements} statement{'' if statements == 1 else 's'} beside others"


def _unmoved(learned: Learned) -> str:
    if learned.model is Model.PRIOR:
        return "nothing changed: it is not sure that sources differ, so each is as reliable as its type"
    return "nothing changed: no source is noticeably more or less reliable than it was taken to be"
