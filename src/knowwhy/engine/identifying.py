"""The verbs of identity: saying that two entities are one, or two, and asking where nobody said."""

from __future__ import annotations

from typing import Unpack

from knowwhy.engine import duplicates as lookalike
from knowwhy.engine import identify
from knowwhy.engine.declaring import Signed
from knowwhy.engine.duplicates import Duplicate
from knowwhy.engine.identify import Question
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.revising import Revising


class Identifying(Revising):
    """A memory whose entities can be merged and told apart."""

    def merge_entities(self, entity: str, into: str, **signed: Unpack[Signed]) -> Outcome:
        """Say that `entity` is `into`, which stands for both: what is held of them is decided as one.

        Nothing is rewritten. `undo` of this, or `distinguish`, makes them two again, each with what was said
        of it, before and since.

        Args:
            entity: a name that stands for one entity, or its id as it is shown.
            into: the same, for the entity that is to stand for both.
            signed: `author`, `reason`.

        Raises:
            NotFound: there is no such entity.
            AmbiguousName: a name stands for several.
            InvalidInput: they are one entity already, or said to be distinct by way of others.
        """
        return identify.merge_entities(
            self._space, entity, into, author=signed.get("author"), reason=signed.get("reason")
        )

    def distinguish(self, one: str, other: str, **signed: Unpack[Signed]) -> Outcome:
        """Say that two entities are two, though they may share a name; merged ones become two again.

        Args:
            one: a name that stands for one entity, or its id as it is shown.
            other: the same, for the other.
            signed: `author`, `reason`.

        Raises:
            NotFound: there is no such entity.
            AmbiguousName: a name stands for several.
            InvalidInput: it is one entity, or they are merged by way of others.
        """
        return identify.distinguish(
            self._space, one, other, author=signed.get("author"), reason=signed.get("reason")
        )

    def questions(self) -> tuple[Question, ...]:
        """The pairs of entities that share a name, of which nobody said yet whether they are one."""
        return identify.questions(self._space, scope=self._scope())

    def duplicates(self, entity: str | None = None, *, limit: int = 20) -> tuple[Duplicate, ...]:
        """The pairs of entities that look like one, best first: what agrees, and what speaks against.

        Names, what stands of them and their neighbours are compared, as far as the reader may see them. What
        was said to be distinct is never proposed, and nothing is changed. It looks at everything.

        Args:
            entity: only pairs with this one: a name, or an id as it is shown.
            limit: how many pairs at the most.

        Raises:
            InvalidInput: a limit below 1.
            NotFound: there is no such entity.
        """
        return lookalike.duplicates(self._space, entity, limit, scope=self._scope())
