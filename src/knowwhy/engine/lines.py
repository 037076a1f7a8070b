"""Lines: over which spaces a branch lies, and how far into each it reaches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from knowwhy.core.model import Branch
from knowwhy.engine.branch import lineage
from knowwhy.engine.space import Space

WHOLE: Final = float("inf")


@dataclass(frozen=True, slots=True)
class Stretch:
    """A space that a line lies over: it has the operations after `start` up to `end`, as the line counts."""

    space: str
    start: int
    end: float

    def reach(self, until: float = WHOLE) -> float:
        """How many of the operations of the space the line has, up to one of its own."""
        return max(0, min(self.end, until) - self.start)


def stretches(space: Space) -> Iterator[Stretch]:
    """The spaces that a line lies over, from the top."""
    end = WHOLE
    for one in _branches(space):
        yield Stretch(one.space, one.sequence, end)
        end = one.sequence
    yield Stretch(space.root.name, 0, end)


def _branches(space: Space) -> Sequence[Branch]:
    root = space.root
    if space.branch is None:
        return []
    with root.store.snapshot(root.name) as view:
        return lineage(view.declared(Branch), space.branch)


def are_related(one: Space, other: Space) -> bool:
    """Whether two lines belong to one memory."""
    return one.root.store is other.root.store and one.root.name == other.root.name


def parting(one: Space, other: Space) -> int | None:
    """The last operation that both lines have, as both count it; None for lines of two memories."""
    if not are_related(one, other):
        return None
    ours = {stretch.space: stretch for stretch in stretches(one)}
    shared = [
        stretch.start + min(stretch.reach(), ours[stretch.space].reach())
        for stretch in stretches(other)
        if stretch.space in ours
    ]
    return int(max(shared))
