"""used: what of a recollection was useful, so that the like of it comes first; confidence stays."""

from __future__ import annotations

from collections.abc import Collection

from knowwhy.core.model import Act
from knowwhy.core.timeline import Scope
from knowwhy.engine.commit import write
from knowwhy.engine.configure import weights_of
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.recall import Wish, recall
from knowwhy.engine.space import Space
from knowwhy.errors import NotFound
from knowwhy.recall.answer import Recollection
from knowwhy.recall.ranking import learned


def used(
    space: Space,
    recollection: Recollection | str,
    useful: Collection[str],
    *,
    author: str | None = None,
    reason: str | None = None,
) -> Outcome:
    """Record which beliefs of a recollection were useful, and rank by it from now on.

    A question stands for what it brings to mind now.

    Raises:
        NotFound: the recollection has no such belief.
    """
    if isinstance(recollection, str):
        recollection = recall(space, recollection, Wish(limit=20), scope=Scope(space.clock()))
    shown = {one.id: one for one in recollection.beliefs}
    if missing := sorted(set(useful) - shown.keys()):
        msg = f"The recollection has no belief {missing[0]!r}; its beliefs are {', '.join(shown) or 'none'}."
        raise NotFound(msg, belief=missing[0])
    good = [one for own, one in shown.items() if own in set(useful)]
    bad = [one for own, one in shown.items() if own not in set(useful)]
    at = recollection.at

    def form(reading: Reading) -> Intent:
        return Intent(declarations=(learned(weights_of(reading.view), good, bad, at),))

    return write(space, Signature(Act.USED, author, reason), form)
