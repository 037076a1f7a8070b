"""The verbs of arbitration: who decides a conflict, and whose words count nothing."""

from __future__ import annotations

from typing import Unpack

from knowwhy.engine import quarantine as quarantining
from knowwhy.engine import resolve as resolving
from knowwhy.engine.declaring import Signed
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.sharing import Sharing
from knowwhy.engine.space import When


class Arbitrating(Sharing):
    """A memory whose open conflicts somebody decides, and whose sources can be put in quarantine."""

    def resolve(
        self,
        conflict: str,
        choice: str,
        *,
        expected_version: int | None = None,
        idempotency_key: str | None = None,
        **signed: Unpack[Signed],
    ) -> Outcome:
        """Decide an open conflict: the decision is evidence, and above all that is on record so far.

        Nothing of the losing sides is taken away. A later word for one of them, of no less authority
        than it had, opens the conflict again, and so does withdrawing the decision (`undo`, or `retract` of
        its evidence).

        Args:
            conflict: its id, as `conflicts` lists it.
            choice: the value of one side, or the id of its belief; `neither` denies all sides, and no
                plain word opens it again then.
            expected_version: decide only if the conflict still has this version.
            idempotency_key: makes a repeated call give the first reply and write nothing.
            signed: `author`, who decides, and `reason`, which becomes part of the decision's words.

        Raises:
            NotFound: no conflict of this id is open.
            InvalidInput: the choice is none of its sides.
            VersionConflict: the beliefs moved on; the error carries how they stand.
            IdempotencyConflict: the key was used for another request.
        """
        return resolving.resolve(
            self._space,
            conflict,
            choice,
            author=signed.get("author"),
            reason=signed.get("reason"),
            expected_version=expected_version,
            idempotency_key=idempotency_key,
        )

    def assign(
        self, conflict: str, to: str | None = None, *, due: When | None = None, **signed: Unpack[Signed]
    ) -> Outcome:
        """Say who is to decide an open conflict, and by when; `conflicts` shows it. It binds nobody.

        Args:
            conflict: its id, as `conflicts` lists it.
            to: who is to decide; nobody in particular where None.
            due: by when; at no time in particular where None.
            signed: `author`, `reason`.

        Raises:
            NotFound: no conflict of this id is open.
            InvalidInput: an empty name, or not a time.
        """
        return resolving.assign(
            self._space, conflict, to, due=due, author=signed.get("author"), reason=signed.get("reason")
        )

    def quarantine(self, source: str, **signed: Unpack[Signed]) -> Outcome:
        """Let all that a source said, and will say, count nothing until `release`; nothing is deleted.

        What rested on it alone falls, and what it says meanwhile is kept, set apart. `undo` takes it back.

        Args:
            source: its name, whatever its type.
            signed: `author`, `reason`.

        Raises:
            NotFound: no source of this name has spoken.
        """
        return quarantining.quarantine(
            self._space, source, author=signed.get("author"), reason=signed.get("reason")
        )

    def release(self, source: str, **signed: Unpack[Signed]) -> Outcome:
        """Let a source out of quarantine: what it said counts again, before and since, as if never set apart.

        Raises:
            NotFound: no source of this name is in quarantine.
        """
        return quarantining.release(
            self._space, source, author=signed.get("author"), reason=signed.get("reason")
        )
