"""The verbs of erasure: what would go, what went for good, and what remains to prove it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict, Unpack

from knowwhy.engine import forget as erasing
from knowwhy.engine.aiming import aimed
from knowwhy.engine.forget import ErasurePlan, Receipt
from knowwhy.engine.permitting import demand
from knowwhy.engine.selecting import Selection
from knowwhy.engine.tending import Tending


class Chosen(TypedDict, total=False):
    """What is to be forgotten; with several, all that any of them selects.

    A `person` goes by name, or by `person_id` where the name stands for several: what they said, what is
    said of them and, unless `mentions` is False, all words that name them. A `source` goes by its name, a
    `context` by its id, `evidence` by ids.
    """

    person: str | None
    person_id: str | None
    source: str | None
    context: str | None
    evidence: str | Sequence[str]
    about: str | None
    mentions: bool


class Forgetting(Tending):
    """A memory from which things can be erased, so that nothing of them is left."""

    def preview_forget(self, **chosen: Unpack[Chosen]) -> ErasurePlan:
        """What `forget` would take, and why each item; nothing is written.

        Raises:
            InvalidInput: nothing is chosen.
            AmbiguousName: the name stands for several.
            AmbiguousTarget: the words can mean several things.
            NotFound: the words bring nothing to mind.
        """
        return erasing.plan(self._space, self._selection(chosen))

    def forget(
        self, *, author: str | None = None, reason: str | None = None, **chosen: Unpack[Chosen]
    ) -> Receipt:
        """Erase what is chosen for good, on every branch, with all that rests on it alone.

        It goes from the log, the beliefs, the names, the index and the vectors, and its bytes from the
        file. What remains is a receipt without a word of it, by which merges and restored backups are kept
        from bringing it back. This cannot be undone; `preview_forget` shows what would go.

        Args:
            author: who erases.
            reason: why; kept, so do not name what is erased.
            chosen: what is to be forgotten, see `Chosen`.

        Raises:
            InvalidInput: nothing is chosen.
            AmbiguousName: the name stands for several.
            AmbiguousTarget: the words can mean several things.
            NotFound: the words bring nothing to mind.
            Unavailable: all is erased, but somebody still reads from old pages of the file.
        """
        return erasing.forget(self._space, self._selection(chosen), author=author, reason=reason)

    def erasures(self) -> tuple[Receipt, ...]:
        """The receipts of all erasures, the newest first, checked against what is on record."""
        return erasing.receipts(self._space)

    def _selection(self, chosen: Chosen) -> Selection:
        evidence, about = chosen.get("evidence", ()), chosen.get("about")
        ids = (evidence,) if isinstance(evidence, str) else tuple(evidence)
        if about is not None:
            demand(self._space, "erase")
            ids += aimed(self._space, about)
        return Selection(
            chosen.get("person"),
            chosen.get("person_id"),
            chosen.get("source"),
            chosen.get("context"),
            ids,
            chosen.get("mentions", True),
        )
