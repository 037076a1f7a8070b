"""The verbs of versions: showing, comparing and naming states, undoing, looking ahead, letting go."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Unpack

from knowwhy.engine import diff, foresee, mark, show, undo, vacuum
from knowwhy.engine.branching import Branching
from knowwhy.engine.declaring import Signed
from knowwhy.engine.diff import Diff, StateLike
from knowwhy.engine.foresee import Foresight
from knowwhy.engine.mark import NamedSnapshot
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.show import OperationReport
from knowwhy.engine.space import When
from knowwhy.ingest.observation import Observation


class Versioning(Branching):
    """A memory whose past can be looked at, named, compared and undone."""

    def show(self, operation: int) -> OperationReport:
        """All that an operation did: by whom, why, by which policy, what it brought, what that changed.

        Raises:
            NotFound: there is no operation of that number.
        """
        return show.show(self._space, operation)

    def snapshot(self, name: str, **signed: Unpack[Signed]) -> Outcome:
        """Give the present state a name, for `diff`.

        Raises:
            InvalidInput: the name is empty, or taken.
        """
        return mark.snapshot(self._space, name, author=signed.get("author"), reason=signed.get("reason"))

    def snapshots(self) -> tuple[NamedSnapshot, ...]:
        """The named snapshots, the newest first."""
        return mark.snapshots(self._space)

    def diff(self, before: StateLike, after: StateLike | None = None, *, valid: When | None = None) -> Diff:
        """How two states differ, value by value, with status, confidence and evidence.

        Both are asked about the same time of the world; what differs is what was known.

        Args:
            before: an operation by its number (the state after it), a branch or a snapshot by its name, or
                an instant (what was known then).
            after: the same; the present where None.
            valid: the time of the world that is asked about; now where None.

        Raises:
            NotFound: there is no such operation, branch or snapshot.
            BeyondHorizon: what was known then was dropped.
        """
        return diff.diff(self._space, before, after, valid=self._space.scope(valid).valid)

    def undo(
        self,
        operation: int | Sequence[int] = (),
        *,
        run: str | None = None,
        anyway: bool = False,
        **signed: Unpack[Signed],
    ) -> Outcome:
        """Reverse an operation, several, or all of a run, by one new operation, which can be undone too.

        What they recorded is withdrawn, what they withdrew stands again, what they declared is as it
        was before. What later operations say besides stays as it is.

        Args:
            operation: its number, or several.
            run: the name of an import or consolidation run, see `in_run`.
            anyway: do it even if later operations rest on it.
            signed: `author`, `reason`.

        Raises:
            NotFound: there is no such operation, or run.
            RestedOn: later operations rest on it; the error names them.
            Unsupported: what it dropped for good cannot be brought back.
        """
        numbers = (operation,) if isinstance(operation, int) else tuple(operation)
        return undo.undo(
            self._space,
            numbers,
            run=run,
            anyway=anyway,
            author=signed.get("author"),
            reason=signed.get("reason"),
        )

    def what_if(
        self, *, retract: str | Sequence[str] = (), observe: Observation | Iterable[Observation] = ()
    ) -> Foresight:
        """What withdrawing some records, or observing something, would change; nothing is written.

        Args:
            retract: ids of evidence or claims.
            observe: what a source would say.

        Raises:
            InvalidInput: nothing is supposed, or an observation cannot be understood.
            NotFound: no evidence or claim has such an id.
        """
        targets = (retract,) if isinstance(retract, str) else tuple(retract)
        said = (observe,) if isinstance(observe, Observation) else tuple(observe)
        return foresee.what_if(self._space, retract=targets, observe=said)

    def vacuum(self, horizon: When, **signed: Unpack[Signed]) -> Outcome:
        """Drop for good what is only needed to tell what was known before `horizon`.

        That is: evidence that was withdrawn by then, what operations told of what they changed, and
        declarations that were replaced. Answers about what is known at the horizon or later stay as they
        are; questions about what was known before are refused. Open branches hold the horizon back.

        Raises:
            InvalidInput: on a branch, or a horizon in the future.
        """
        return vacuum.vacuum(self._space, horizon, author=signed.get("author"), reason=signed.get("reason"))
