"""Memory: the verbs of one memory in one place. It only delegates; each verb has a file of its own."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Self, TypedDict, Unpack

from knowwhy.engine import changes, feedback, learn, log, meaning, observe, upkeep, used
from knowwhy.engine.branch import space_on
from knowwhy.engine.declaring import Signed
from knowwhy.engine.exchanging import Exchanging
from knowwhy.engine.log import LogEntry
from knowwhy.engine.meaning import EmbeddingReport
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.reader import Reader
from knowwhy.engine.space import Space, When
from knowwhy.engine.upkeep import Diagnosis, Progress
from knowwhy.ingest.observation import ClaimLike, Observation
from knowwhy.providers.extraction import Extractor
from knowwhy.recall.answer import Recollection


class Details(TypedDict, total=False):
    """What else can be said of an observation; see `Observation`."""

    recorded_at: When | None
    is_pinned: bool
    context: str | None
    derived_from: Sequence[str]
    authority: int | None
    reliability: float | None
    is_forced: bool
    metadata: Mapping[str, str] | None
    extract: bool | str | Extractor
    takes_undeclared: bool | None


class Memory(Exchanging):
    """One memory. Read it, as it is now or `at` another time, and write to it; use it as a context manager.

    Every write is one operation in an append-only log and is durable when the call returns; an
    error means that nothing was written. Safe to use from several threads and processes at once.
    """

    def __init__(self, space: Space) -> None:
        super().__init__(space)

    def at(self, valid: When | None = None, known: When | None = None, branch: str | None = None) -> Reader:
        """The memory at another time: the world at `valid`, as known at `known` (each now where None).

        On a `branch`, or on the line that this memory is on. Intervals of time are half-open, in UTC.

        Raises:
            NaiveTime: a time of day without a zone.
            InvalidInput: not a date or time.
            NotFound: there is no such branch.
        """
        return Reader(self._space if branch is None else space_on(self._space, branch), valid, known)

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
                more (see `knowwhy.Draft`). Without claims the words are read by rules, in English and
                Chinese; what they do not say clearly is kept and can be found, but becomes no belief.
            observed_at: when the source spoke; now where None.
            idempotency_key: makes a repeated call give the first reply and write nothing.
            expected_version: write only if the belief concerned still has this version.
            author: who acts.
            reason: why.
            details: what else an `Observation` takes: `recorded_at` (only for loading history: when it
                became known), `is_pinned` (never to age), `context`, `derived_from` (ids of evidence
                that this merely repeats), `authority`, `reliability`, `is_forced` (its claims go above all
                that is not forced), `metadata` (its `speaker` is who "I" is), `extract` (False:
                the words are not read; `"later"`: `work` reads them; or who reads them),
                `takes_undeclared` (whether attributes that nobody declared are believed of).

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

    def learn(self, **signed: Unpack[Signed]) -> Outcome:
        """Learn how reliable sources are, from how they bear each other out; `sources` shows what came of it.

        What a source speaks of whose reliability changed is settled anew: confidence follows, and what is
        accepted where a policy asks for evidence, as confidence-first does. Authority stays, and so does
        what pinned evidence weighs. Where it is not sure that sources differ, each is as reliable as its
        type; where nothing changed noticeably, nothing is written.
        """
        return learn.learn(self._space, author=signed.get("author"), reason=signed.get("reason"))

    def feedback(
        self, belief: str, judgement: str, *, by: str | None = None, **signed: Unpack[Signed]
    ) -> Outcome:
        """Record whether somebody who knows finds a belief right: what `calibration` is measured by.

        Nothing that is believed changes. Of a denial, what is judged is that the value does not hold.

        Args:
            belief: the id of the belief.
            judgement: right, wrong or unknown. Of one person's judgements on a belief the last counts.
            by: who judges; the author where None.
            signed: `author`, `reason`.

        Raises:
            NotFound: no belief has this id.
            InvalidInput: another judgement.
        """
        return feedback.feedback(
            self._space,
            belief,
            judgement,
            by=by,
            author=signed.get("author"),
            reason=signed.get("reason"),
        )

    def used(
        self, recollection: Recollection | str, useful: Collection[str] = (), **signed: Unpack[Signed]
    ) -> Outcome:
        """Say which beliefs of a recollection were useful: recall ranks by what they had and others had not.

        What is believed, and how surely, stays as it is.

        Args:
            recollection: what `recall` gave; or the question, which is then asked again.
            useful: the ids of the beliefs that were; none of them, where empty.
            signed: `author`, `reason`.

        Raises:
            NotFound: the recollection has no such belief.
        """
        return used.used(
            self._space, recollection, useful, author=signed.get("author"), reason=signed.get("reason")
        )

    def log(self, *, limit: int = 20, before: int | None = None) -> tuple[LogEntry, ...]:
        """The last operations, newest first; `before` a number for those that precede it."""
        return log.log(self._space, limit=limit, before=before)

    def changes(
        self, since: int = 0, *, limit: int = changes.MOST, wait: float = 0.0
    ) -> tuple[LogEntry, ...]:
        """The operations after number `since`, oldest first: for whoever follows what happens here.

        Where there are none yet, it waits up to `wait` seconds for the next one. Whoever keeps the number of
        the last one it dealt with misses none, however long it was away.

        Raises:
            InvalidInput: a number below 0, or a limit below 1.
        """
        return changes.changes(self._space, since, limit=limit, wait=wait)

    def stats(self) -> dict[str, int]:
        """How many records of each kind there are, and how many beliefs by status."""
        return log.stats(self._space)

    def embed(self, progress: Progress | None = None) -> EmbeddingReport:
        """Make the vectors that are missing of the memory's embedder, then take those of other models away.

        What this process writes has its vectors at once. This is for what was there before the embedder
        was, for another model, or for what an embedder that could not be reached left over. The old
        vectors serve until the new ones are complete.

        Raises:
            InvalidInput: the memory was opened without an embedder.
            Unavailable: the embedder cannot be reached.
        """
        return meaning.embed(self._space, progress)

    def rebuild(self, progress: Progress | None = None) -> None:
        """Compute every view anew from the log. Answers are the same before and after."""
        upkeep.rebuild(self._space, progress)

    def doctor(self, progress: Progress | None = None) -> Diagnosis:
        """Whether the store is sound and every view equals what the log says."""
        return upkeep.doctor(self._space, progress)

    def close(self) -> None:
        """Let go of the file. A closed memory cannot be used again."""
        if self._space.replica is not None:
            self._space.replica.close()
        self._space.store.close()

    def __str__(self) -> str:
        return f"the memory {self._space.name!r} on {self._space.line!r}"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
