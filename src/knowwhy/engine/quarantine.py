"""quarantine, release: what a source says counts nothing, until it is released; nothing is deleted."""

from __future__ import annotations

from knowwhy.core.model import Act, Quarantine
from knowwhy.engine.commit import write
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.redeclare import redeclared
from knowwhy.engine.space import Space
from knowwhy.errors import NotFound


def quarantine(space: Space, source: str, *, author: str | None = None, reason: str | None = None) -> Outcome:
    """Set all apart that a source said, and will say: it counts nothing.

    Raises:
        NotFound: no source of this name has spoken.
    """

    def form(reading: Reading) -> Intent | Outcome:
        if not reading.view.sources([source]):
            msg = f"No source named {source!r} has spoken; `sources` lists those that have."
            raise NotFound(msg, name=source)
        if source in reading.schema.quarantined:
            known = reading.view.declared(Quarantine, [source])[source]
            return Outcome(known.declared_in, None, is_repeat=True)
        return redeclared(reading, [Quarantine(source)])

    return write(space, Signature(Act.QUARANTINE, author, reason), form)


def release(space: Space, source: str, *, author: str | None = None, reason: str | None = None) -> Outcome:
    """Have all count again that a source said, but what was withdrawn besides.

    Raises:
        NotFound: no source of this name is in quarantine.
    """

    def form(reading: Reading) -> Intent:
        if source not in reading.schema.quarantined:
            msg = f"No source named {source!r} is in quarantine."
            raise NotFound(msg, name=source)
        return redeclared(reading, [Quarantine(source, is_released=True)])

    return write(space, Signature(Act.RELEASE, author, reason), form)
