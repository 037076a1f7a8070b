"""snapshot: a name for how far the log had come, to compare with and to go back to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from knowwhy.core.model import Act, Mark, checked_name, name_key, one_line
from knowwhy.core.timeline import isoformat, shown
from knowwhy.engine.commit import write
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.space import Space
from knowwhy.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class NamedSnapshot:
    """A name for the state after an operation."""

    mark: Mark

    @property
    def name(self) -> str:
        """Its name."""
        return self.mark.name

    def as_dict(self) -> dict[str, Any]:
        """The snapshot for a program."""
        return {"name": self.mark.name, "operation": self.mark.sequence, "at": isoformat(self.mark.at)}

    def __str__(self) -> str:
        return one_line(f"{self.mark.name}: after operation {self.mark.sequence}, {shown(self.mark.at)}")


def snapshot(space: Space, name: str, *, author: str | None = None, reason: str | None = None) -> Outcome:
    """Give the present state of a line a name.

    Raises:
        InvalidInput: the name is empty, or taken.
    """
    written = checked_name(name, "snapshot")

    def form(reading: Reading) -> Intent:
        known = reading.view.declared(Mark, [name_key(written)]).get(name_key(written))
        if known is not None and not known.is_withdrawn:
            msg = f"There is a snapshot named {known.name!r} already, after operation {known.sequence}."
            raise InvalidInput(msg, operation=known.sequence)
        head = reading.view.head()
        return Intent(declarations=(Mark(written, head.sequence, head.at),))

    return write(space, Signature(Act.SNAPSHOT, author, reason), form)


def snapshots(space: Space) -> tuple[NamedSnapshot, ...]:
    """The named snapshots of a line, the newest first."""
    with space.snapshot() as view:
        known = [one for one in view.declared(Mark).values() if not one.is_withdrawn]
    return tuple(map(NamedSnapshot, sorted(known, key=lambda one: (-one.sequence, one.name))))
