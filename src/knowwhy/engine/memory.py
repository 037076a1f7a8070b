"""Memory: the verbs of one memory in one place. It only delegates; each verb has a file of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType
from typing import Self, TypedDict, Unpack

from knowwhy.core.model import STALE_BELOW, Attribute, Cardinality, RawValue, ValueType, checked_name
from knowwhy.engine import alias, correct, declare, end, log, observe, retract, upkeep
from knowwhy.engine.log import LogEntry
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.reader import Reader
from knowwhy.engine.space import Space, When
from knowwhy.engine.testify import Testifier
from knowwhy.engine.upkeep import Diagnosis, Progress
from knowwhy.errors import InvalidInput
from knowwhy.ingest.observation import ClaimLike, Observation


class Signed(TypedDict, total=False):
    """Who acts, and why: kept with the operation."""

    author: str | None
    reason: str | None


class Traits(Signed, total=False):
    """What else can be declared of an attribute."""

    changes: bool
    stale_below: float


class Details(TypedDict, total=False):
    """What else can be said of an observation; see `Observation`."""

    recorded_at: When | None
    is_pinned: bool
    context: str | None
    derived_from: Sequence[str]
    authority: int | None
    reliability: float | None
    metadata: Mapping[str, str] | None


class Memory(Reader):
    """One memory. Read it, as it is now or `at` another time, and write to it; use it as a context manager.

    Every write is one operation in an append-only log and is durable when the call returns; an
    error means that nothing was written. Safe to use from several threads and processes at once.
    """

    def __init__(self, space: Space) -> None:
        super().__init__(space)

    def at(self, valid: When | None = None, known: When | None = None) -> Reader:
        """The memory at another time: the world at `valid`, as known at `known` (each now where None).

        Raises:
            NaiveTime: a time of day without a zone.
            InvalidInput: not a date or time.
        """
        return Reader(self._space, valid, known)

    def declare(
        self,
        attribute: str,
        *,
        cardinality: str = Cardinality.ONE,
        value_type: str | None = None,
        unit: str | None = None,
        half_life_days: float | None = None,
        synonyms: Sequence[str] = (),
        patterns: Sequence[str] = (),
        about: str | None = None,
        **traits: Unpack[Traits],
    ) -> Outcome:
        """Say what an attribute is; what is already held about it is settled anew.

        Args:
            attribute: its name; `return_window`, `return-window` and `Return window` are one.
            cardinality: "one" value at a time, which excludes all others, or "many" side by side.
            value_type: text, identifier, number, date, boolean or entity; None takes what comes.
            unit: the unit of its values, which are then numbers unless `value_type` says otherwise.
            half_life_days: after how many days evidence counts half; None for never.
            synonyms: other names for it, in claims and questions.
            patterns: sentence templates with {value} and {subject} that claims are read by.
            about: the subject of patterns that name none.
            traits: `changes` (default True): whether the world may move; if not, a later word can only
                be a correction. `stale_below` (default 0.6): the confidence under which an aged belief
                is no longer relied on. `author`, `reason`.

        Raises:
            InvalidInput: a declaration that no memory could keep.
        """
        try:
            declared = Attribute(
                name=checked_name(attribute, "attribute"),
                cardinality=Cardinality(cardinality),
                value_type=_value_type(value_type, unit),
                unit=unit,
                changes=traits.get("changes", True),
                half_life_days=half_life_days,
                stale_below=traits.get("stale_below", STALE_BELOW),
                synonyms=tuple(checked_name(one, "synonym") for one in synonyms),
                patterns=tuple(patterns),
                about=about,
            )
        except ValueError as problem:
            choices = (
                f"cardinality is one of {', '.join(Cardinality)}; value_type one of {', '.join(ValueType)}"
            )
            msg = f"{problem}: {choices}."
            raise InvalidInput(msg) from problem
        return declare.declare(
            self._space, declared, author=traits.get("author"), reason=traits.get("reason")
        )

    def observe(
        self,
        text: str | None = None,
        *,
        source: str,
        source_type: str | None = None,
        claims: Sequence[ClaimLike] = (),
        observed_at: When | None = None,
        idempotency_key: str | None = None,
        expected_version: int | None = None,
        author: str | None = None,
        reason: str | None = None,
        **details: Unpack[Details],
    ) -> Outcome:
        """Record what a source said, and revise what it bears on.

        Args:
            text: the source's words, kept as they are; claims alone will do too.
            source: who says so: a document with its version, a person, a tool.
            source_type: what kind of source, which sets its authority; see `knowwhy.SOURCE_TYPES`.
            claims: what it says, as (subject, attribute, value) or mappings with those fields and
                more (see `knowwhy.Draft`). Without claims, declared patterns are looked for; words
                that match none are kept and can be found, but become no belief.
            observed_at: when the source spoke; now where None.
            idempotency_key: makes a repeated call give the first reply and write nothing.
            expected_version: write only if the belief concerned still has this version.
            author: who acts.
            reason: why.
            details: what else an `Observation` takes: `recorded_at` (only for loading history: when it
                became known), `is_pinned` (never to age), `context`, `derived_from` (ids of evidence
                that this merely repeats), `authority`, `reliability`, `metadata`.

        Raises:
            InvalidInput: a claim, time or source that cannot be understood.
            NotInSource: a claim's quote is not in the text.
            VersionConflict: the belief moved on; the error carries its current version.
            IdempotencyConflict: the key was used for another request.
        """
        observation = Observation(source, text, claims, source_type, observed_at, **details)
        return observe.observe(
            self._space,
            [observation],
            idempotency_key=idempotency_key,
            author=author,
            reason=reason,
            expected_version=expected_version,
        )

    def observe_many(
        self,
        observations: Iterable[Observation],
        *,
        idempotency_key: str | None = None,
        **signed: Unpack[Signed],
    ) -> Outcome:
        """Record many observations as one operation: all of them or, on an error, none.

        Much faster than one by one. For very many, call it with some thousand at a time.

        Raises:
            InvalidInput: no observation, or one that cannot be understood.
            IdempotencyConflict: the key was used for another request.
        """
        return observe.observe(
            self._space,
            list(observations),
            idempotency_key=idempotency_key,
            author=signed.get("author"),
            reason=signed.get("reason"),
        )

    def add(self, text: str, *, source: str, source_type: str | None = None) -> Outcome:
        """The same as `observe` of a text, under the name that other memories give it."""
        return self.observe(text, source=source, source_type=source_type)

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

    def log(self, *, limit: int = 20, before: int | None = None) -> tuple[LogEntry, ...]:
        """The last operations, newest first; `before` a number for those that precede it."""
        return log.log(self._space, limit=limit, before=before)

    def stats(self) -> dict[str, int]:
        """How many records of each kind there are, and how many beliefs by status."""
        return log.stats(self._space)

    def rebuild(self, progress: Progress | None = None) -> None:
        """Compute every view anew from the log. Answers are the same before and after."""
        upkeep.rebuild(self._space, progress)

    def doctor(self, progress: Progress | None = None) -> Diagnosis:
        """Whether the store is sound and every view equals what the log says."""
        return upkeep.doctor(self._space, progress)

    def close(self) -> None:
        """Let go of the file. A closed memory cannot be used again."""
        self._space.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _value_type(named: str | None, unit: str | None) -> ValueType | None:
    if named is None:
        return None if unit is None else ValueType.NUMBER
    return ValueType(named)
