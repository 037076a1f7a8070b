"""The verb that consolidates: dream."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from knowwhy.consolidate.plan import Step
from knowwhy.engine import dream as dreams
from knowwhy.engine import night
from knowwhy.engine.answering import Answering
from knowwhy.engine.declaring import Signed
from knowwhy.engine.dream_report import DreamReport


class Dreaming(Answering):
    """A memory that is consolidated while nobody asks."""

    def dream(
        self,
        steps: Sequence[str | Step] | None = None,
        *,
        dry_run: bool = False,
        share: float | None = None,
        unused_days: float = 180.0,
        when: str | None = None,
        expected: str | None = None,
        retry: bool = False,
        measure: bool = False,
        **signed: Unpack[Signed],
    ) -> DreamReport:
        """Consolidate what is new since the last time, as one operation, which `undo` takes back.

        Steps go one after the other on a line of their own, and what comes of them is merged if nothing
        came in meanwhile; otherwise that is read too. What somebody took back is not done again.

        Args:
            steps: which, by name, in the order they have; all where None: entities, settle, distil,
                generalise, summarise, link, archive, fold, expire. A `Step` of your own will do too.
            dry_run: only show what would be done, and why; nothing is written.
            share: of how many of the beliefs the standing may change in this run, above 0 and up to 1; where
                None, a fifth of them, or 50 where that is more. What is beyond is put off to the next run.
            unused_days: for how many days nothing must have been said for a belief that is little sure to be
                put away.
            when: a cron expression, such as "30 3 * * *" for half past three each night: nothing is done
                in the zone of the memory. Nothing is done unless a time of it has come since the last run, so
                that this can be called as often as is convenient.
            expected: the `state` of a dry run; refused if the memory moved on since.
            retry: whether what was parked is tried again.
            measure: whether figures that take a look at everything are told before and after.
            signed: `author`, `reason`.

        Raises:
            InvalidInput: no such step, or a share or schedule that is none.
            Refused: somebody else is dreaming here, or it is asked for on behalf of a principal.
            NaiveTime: `when` is named, and the memory has no zone.
            VersionConflict: the memory moved on since the dry run.
            Unavailable: it kept moving on; nothing was changed.
        """
        wish = night.Wish(
            steps=steps,
            share=share,
            unused_days=unused_days,
            when=when,
            expected=expected,
            retries=retry,
            measures=measure,
            author=signed.get("author"),
            reason=signed.get("reason"),
        )
        return dreams.dream(self._space, wish, dry_run=dry_run)
