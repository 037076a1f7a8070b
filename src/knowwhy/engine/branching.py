"""The verbs of branches: forking, listing, dropping, merging."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Self, TypeAlias, Unpack

from knowwhy.core.model import checked_name
from knowwhy.engine import branch, merge
from knowwhy.engine.address import store_at
from knowwhy.engine.branch import BranchState
from knowwhy.engine.declaring import Signed
from knowwhy.engine.identifying import Identifying
from knowwhy.engine.merge import MergePreview
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.space import Space, When
from knowwhy.errors import NotFound

# What can be merged: a branch by its name, another memory, or the file that holds one.
Line: TypeAlias = "str | Path | Branching"


class Branching(Identifying):
    """A memory with lines of its own for what is assumed, which can be brought together again."""

    def fork(
        self,
        name: str,
        *,
        assumes: str | None = None,
        expires_at: When | None = None,
        **signed: Unpack[Signed],
    ) -> Self:
        """A new branch over this line as it is now, and the memory on it: every verb works there.

        It costs nothing until it is written to. What comes to this line later is not seen there, and
        what is written there is not seen here, until they are merged.

        Args:
            name: what it is called.
            assumes: in words, what is assumed there.
            expires_at: when it can no longer be used; never where None.
            signed: `author`, `reason`.

        Raises:
            InvalidInput: the name is taken, or it would have expired already.
            Refused: there are too many branches, or they lie too deep.
        """
        return type(self)(
            branch.fork(
                self._space,
                name,
                assumes=assumes,
                expires_at=expires_at,
                author=signed.get("author"),
                reason=signed.get("reason"),
            )
        )

    def on(self, name: str | None = None) -> Self:
        """The memory on one of its branches, or on its main line: a value of its own, beside this one.

        Raises:
            NotFound: there is no such branch, or it has expired.
        """
        return type(self)(branch.space_on(self._space, name))

    def branches(self) -> tuple[BranchState, ...]:
        """The branches there are: from where each forked, what it assumes, how much was written on it."""
        return branch.branches(self._space)

    def drop(self, name: str, **signed: Unpack[Signed]) -> Outcome:
        """Close a branch; its name is free again.

        Raises:
            NotFound: there is no such branch.
            Conflict: other branches lie over it.
        """
        return branch.drop(self._space, name, author=signed.get("author"), reason=signed.get("reason"))

    def merge(self, other: Line, *, expected: str | None = None, **signed: Unpack[Signed]) -> Outcome:
        """Take over all records that another line has and this one lacks, and decide all on the union.

        One operation, which `undo` reverses. What was recorded there counts as known here from now on;
        when it was said stays. Merging again takes over nothing; in which order lines are merged
        changes nothing. What no rule settles is in `conflicts`.

        Args:
            other: a branch by its name, another memory, or the path of a file (or the address of a server)
                that holds one.
            expected: the `heads` of a preview; the merge is refused if either line moved on since.
            signed: `author`, `reason`.

        Raises:
            NotFound: there is no such branch, nor such a file.
            InvalidInput: a line cannot be merged into itself.
            VersionConflict: a line moved on since the preview.
        """
        with self._line(other) as (theirs, name):
            return merge.merge(
                self._space,
                theirs,
                name,
                expected=expected,
                author=signed.get("author"),
                reason=signed.get("reason"),
            )

    def preview_merge(self, other: Line) -> MergePreview:
        """What `merge` would come to now: where the lines part and why; nothing is written.

        Raises:
            NotFound: there is no such branch, nor such a file.
            InvalidInput: a line cannot be merged into itself.
        """
        with self._line(other) as (theirs, name):
            return merge.preview(self._space, theirs, name)

    def in_run(self, name: str) -> Self:
        """The same memory, whose operations belong to a run from now on: an import, a consolidation.

        `undo(run=name)` reverses all of them at once.
        """
        return type(self)(replace(self._space, run=checked_name(name, "run")))

    @contextmanager
    def _line(self, other: Line) -> Iterator[tuple[Space, str]]:
        """The space of a line that is to be merged, and what it is called."""
        if isinstance(other, Branching):
            yield other._space, other._space.line  # noqa: SLF001 - its own kind
            return
        try:
            theirs = branch.space_on(self._space, str(other))
        except NotFound:
            if "://" not in str(other) and not Path(other).is_file():
                raise
            root = self._space.root
            store = store_at(str(other))
            try:
                yield replace(Space(store, root.name), clock=root.clock, policy=root.policy), str(other)
            finally:
                store.close()
            return
        yield theirs, theirs.line
