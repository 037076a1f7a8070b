"""The verbs by which a memory answers for its answers."""

from __future__ import annotations

from knowwhy.engine import auditing, reproducing
from knowwhy.engine.arbitrating import Arbitrating
from knowwhy.engine.audited import AnswerExplanation, AuditEntry


class Answering(Arbitrating):
    """A memory that can tell what it answered, and give an answer again."""

    def audits(self, *, limit: int = 20, before: str | None = None) -> tuple[AuditEntry, ...]:
        """The last answers of `ask` and `recall` on record, newest first; `before` an id for those older.

        They are put on record from `configure(audits=DAYS)` on, and kept for so many days; each branch keeps
        its own. A principal sees those given to itself, and all with the right to audit.

        Raises:
            InvalidInput: a limit below 1.
            NotFound: `before` is no answer on record.
        """
        return auditing.audits(self._space, limit=limit, before=before)

    def explain(self, audit: str) -> AnswerExplanation:
        """An answer on record, given again as of its time, and how it would come out now, and why.

        It is worked out anew from what was known then, for whom it was given, and compared to the letter with
        the fingerprint of what was said.

        Raises:
            NotFound: no answer of this id is on record.
        """
        return reproducing.explained(self._space, audit)
