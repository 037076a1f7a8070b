"""The verbs that change what is held: ending, correcting, withdrawing, giving up, deriving, naming."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Unpack

from knowwhy.core.model import Draft, RawValue
from knowwhy.engine import alias, correct, derive, end, give_up, retract
from knowwhy.engine.declaring import Declaring, Signed
from knowwhy.engine.derive import PremiseLike
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.space import When
from knowwhy.engine.testify import Testifier


class Revising(Declaring):
    """A memory whose beliefs can be ended, corrected, withdrawn, given up and derived."""

    def end(
        self,
        subject: str,
        attribute: str,
        value: RawValue | None = None,
        *,
        at: When | None = None,
        text: str | None = None,
        source: str | None = None,
        conditions: Mapping[str, str] | None = None,
        expected_version: int | None = None,
        **signed: Unpack[Signed],
    ) -> Outcome:
        """Say that a value, or whatever stands, stopped being true `at` an instant (now where None).

        The world moved: what was true keeps its past.

        Raises:
            NotFound: nothing stands there that could end.
            VersionConflict: the belief moved on.
        """
        return end.end(
            self._space,
            subject,
            attribute,
            value,
            at=at,
            conditions=conditions,
            who=Testifier(signed.get("author"), text, source),
            reason=signed.get("reason"),
            expected_version=expected_version,
        )

    def retract(
        self,
        target: str,
        *,
        expected_version: int | None = None,
        **signed: Unpack[Signed],
    ) -> Outcome:
        """Withdraw an item of evidence, or one claim, by its id; what rested on it alone falls.

        Raises:
            NotFound: no such evidence or claim.
            VersionConflict: the belief moved on.
        """
        return retract.retract(
            self._space,
            target,
            author=signed.get("author"),
            reason=signed.get("reason"),
            expected_version=expected_version,
        )

    def correct(
        self,
        subject: str,
        attribute: str,
        value: RawValue,
        *,
        was: RawValue | None = None,
        unit: str | None = None,
        text: str | None = None,
        source: str | None = None,
        conditions: Mapping[str, str] | None = None,
        expected_version: int | None = None,
        **signed: Unpack[Signed],
    ) -> Outcome:
        """Say that we were wrong: `was`, or whatever stands, never held; `value` did all along.

        Raises:
            InvalidInput: the attribute takes many values and `was` does not say which is wrong.
            VersionConflict: the belief moved on.
        """
        return correct.correct(
            self._space,
            subject,
            attribute,
            value,
            was=was,
            unit=unit,
            conditions=conditions,
            who=Testifier(signed.get("author"), text, source),
            reason=signed.get("reason"),
            expected_version=expected_version,
        )

    def give_up(
        self,
        subject: str,
        attribute: str,
        value: RawValue | None = None,
        *,
        text: str | None = None,
        source: str | None = None,
        conditions: Mapping[str, str] | None = None,
        expected_version: int | None = None,
        **signed: Unpack[Signed],
    ) -> Outcome:
        """Stop believing a value, or whatever stands, without saying that it is wrong.

        What speaks for it so far counts no more. It has the authority of a correction: another correction
        brings the value back, or a forced word, or retracting the evidence that this leaves.

        Raises:
            NotFound: nothing stands there that could be given up.
            VersionConflict: the belief moved on.
        """
        return give_up.give_up(
            self._space,
            subject,
            attribute,
            value,
            conditions=conditions,
            who=Testifier(signed.get("author"), text, source),
            reason=signed.get("reason"),
            expected_version=expected_version,
        )

    def derive(
        self,
        subject: str,
        attribute: str,
        value: RawValue,
        *,
        premises: Sequence[PremiseLike],
        exceptions: Sequence[PremiseLike] = (),
        rule: str = "",
        strength: float = 1.0,
        unit: str | None = None,
        conditions: Mapping[str, str] | None = None,
        **signed: Unpack[Signed],
    ) -> Outcome:
        """Record that a statement follows from others: it holds as long as they all do, and no exception.

        Args:
            subject: what it is about.
            attribute: which of its attributes.
            value: what follows for it.
            premises: each the id of a belief, (subject, attribute) for what stands there now, or
                (subject, attribute, value).
            exceptions: the same, with a value; if one of them is believed, nothing follows.
            rule: the name of what it follows by.
            strength: how surely it follows, above 0 and up to 1.
            unit: the unit of the value.
            conditions: under which it holds.
            signed: `author`, `reason`.

        Raises:
            InvalidInput: no premise, an ambiguous one, or a strength that is none.
            NotFound: a premise that was never heard of.
        """
        return derive.derive(
            self._space,
            Draft(subject, attribute, value, unit=unit, conditions=conditions),
            premises,
            exceptions=exceptions,
            rule=rule,
            strength=strength,
            author=signed.get("author"),
            reason=signed.get("reason"),
        )

    def alias(
        self, name: str, entity: str, *, entity_id: str | None = None, **signed: Unpack[Signed]
    ) -> Outcome:
        """Let `name` stand for `entity` too. A name may stand for several: then a question is asked back.

        Raises:
            AmbiguousName: `entity` stands for several itself.
        """
        return alias.alias(
            self._space,
            name,
            entity,
            entity_id=entity_id,
            author=signed.get("author"),
            reason=signed.get("reason"),
        )

    def unalias(self, name: str, entity: str, **signed: Unpack[Signed]) -> Outcome:
        """Take a further name away again.

        Raises:
            NotFound: it is not a further name of that entity.
        """
        return alias.unalias(
            self._space, name, entity, author=signed.get("author"), reason=signed.get("reason")
        )
