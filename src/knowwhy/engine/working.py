"""The verbs of reading words later: working off the queue, looking at it, trying again."""

from __future__ import annotations

from typing import Unpack

from knowwhy.engine import queue, work
from knowwhy.engine.declaring import Signed
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.queue import Queue
from knowwhy.engine.versioning import Versioning
from knowwhy.engine.work import LEASE, WorkReport


class Working(Versioning):
    """A memory that keeps words at once and reads them when somebody works off its queue."""

    def work(self, *, limit: int | None = None, lease: float = LEASE, **signed: Unpack[Signed]) -> WorkReport:
        """Read the words that were observed with `extract="later"`, until nothing is ready any more.

        Any number of threads and processes may do so at once. What fails is tried again later and, after
        some tries, parked; what somebody leased who went away is free again once the lease is over. An
        item counts once, whatever happens.

        Args:
            limit: how many items at most; all that are ready where None.
            lease: for how many seconds nobody else may take what is being read; it is renewed meanwhile.
            signed: `author`, `reason`.

        Raises:
            InvalidInput: a limit below 1, or a lease that is no time.
            Unavailable: the memory cannot be written to now; what was read so far is on record.
        """
        return work.work(
            self._space,
            limit=limit,
            lease=lease,
            author=signed.get("author"),
            reason=signed.get("reason"),
        )

    def queue(self, *, limit: int = 20) -> Queue:
        """What waits to be read: how many items in each state, and up to `limit` of them, parked first."""
        return queue.queue(self._space, limit=limit)

    def retry(self, evidence: str | None = None, **signed: Unpack[Signed]) -> Outcome:
        """Try what is parked again, all of it or one item of evidence, as if it had just come in.

        Raises:
            NotFound: the item does not wait.
        """
        return queue.retry(self._space, evidence, author=signed.get("author"), reason=signed.get("reason"))
