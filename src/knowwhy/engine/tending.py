"""The verbs of what is kept beside beliefs: statements that lack something, words that outlive their use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypedDict, Unpack

from knowwhy.core.model import RawValue
from knowwhy.engine import expire
from knowwhy.engine import incomplete as waiting
from knowwhy.engine.declaring import Signed
from knowwhy.engine.incomplete import IncompleteStatement
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.space import When
from knowwhy.engine.working import Working
from knowwhy.ingest.observation import draft


class Completing(TypedDict, total=False):
    """What else a statement says that is completed."""

    unit: str | None
    conditions: Mapping[str, str] | None
    valid_from: When | None
    valid_to: When | None
    stance: str
    author: str | None
    reason: str | None


class Tending(Working):
    """A memory in which statements wait for what they lack, and words go when nothing needs them."""

    def incomplete(self) -> tuple[IncompleteStatement, ...]:
        """The statements that were read and lack something, in the order in which they were said."""
        return waiting.incomplete(self._space)

    def complete(
        self, statement: str, subject: str, attribute: str, value: RawValue, **said: Unpack[Completing]
    ) -> Outcome:
        """Say what an incomplete statement claims: it is believed of who said it, from when they said it.

        Args:
            statement: its id, as `incomplete` lists it.
            subject: what it is about.
            attribute: which of its attributes.
            value: what it says of it.
            said: `unit`, `conditions`, `valid_from`, `valid_to`, `stance` (supports, refutes, ends,
                gives_up), `author`, `reason`.

        Raises:
            NotFound: no such statement waits.
            InvalidInput: a claim that cannot be understood.
        """
        traits = {name: one for name, one in said.items() if name not in ("author", "reason")}
        claim = draft({"subject": subject, "attribute": attribute, "value": value, **traits})
        return waiting.complete(
            self._space, statement, claim, author=said.get("author"), reason=said.get("reason")
        )

    def dismiss(self, statement: str, **signed: Unpack[Signed]) -> Outcome:
        """Let an incomplete statement go: it waits no more, and its words stay.

        Raises:
            NotFound: no such statement waits.
        """
        return waiting.dismiss(
            self._space, statement, author=signed.get("author"), reason=signed.get("reason")
        )

    def expire(self, **signed: Unpack[Signed]) -> Outcome:
        """Withdraw words whose lifetime is over (`configure(lifetimes=…)`), as far as nothing rests on them.

        What any claim was read from stays, what is pinned, a version of a document, or repeated, and what
        waits to be read or completed. `undo` brings them back until `vacuum` drops them for good.
        """
        return expire.expire(self._space, author=signed.get("author"), reason=signed.get("reason"))
