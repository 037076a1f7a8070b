"""work: the words that wait are leased, read and committed, so that each counts once whatever happens.

A lease is an operation; the log's order decides who holds what. It is ended by exactly one operation, which
its idempotency key sees to: the reading of its items, their giving back, or the next lease once it ran out.
So what was read by somebody who was too slow is never committed beside what the next one read.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from typing import Any, Final

from knowwhy.core.model import Act, Claim, Evidence, Failing, Queued, QueueStep, Schema, Waiting
from knowwhy.core.timeline import Instant
from knowwhy.engine.backlog import brought_up
from knowwhy.engine.commit import Form, write
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.reading_out import Scribe, Taker, Words, recorded_before, subjects_of
from knowwhy.engine.readout import ReadOut, proposals
from knowwhy.engine.space import Space
from knowwhy.errors import IdempotencyConflict, InvalidInput, Unavailable, UnusableAnswer
from knowwhy.ingest.queue import MOST_ATTEMPTS, WENT_AWAY, Backlog
from knowwhy.ingest.resolution import Resolver, names_in
from knowwhy.providers.extraction import Extraction, Mention, Usage
from knowwhy.recall.identity import spoken_of

# How long a reader may take for what it leased before others may take it over, in seconds.
LEASE: Final = 60.0
TOGETHER: Final = 20

_SECOND: Final = 1_000_000
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_LONGEST_DELAY: Final = 3_600
# After so many seconds whoever was not there is asked again, where they do not say themselves.
_AWAY: Final = 30.0
_LONGEST_ERROR: Final = 500
_STEPS_UNKEPT: Final = 32


@dataclass(slots=True)
class WorkReport:
    """What came of working off the queue: how many items were read, claims found, tries that failed.

    `parked` items were given up after too many tries. `lost` were taken over by others meanwhile. `left`
    still wait, for their time or for somebody else.
    """

    read: int = 0
    claims: int = 0
    failed: int = 0
    parked: int = 0
    lost: int = 0
    left: int = 0
    operations: list[int] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """The report for a program."""
        return {name: getattr(self, name) for name in self.__slots__}

    def __str__(self) -> str:
        items = f"{self.read} item{'' if self.read == 1 else 's'} read"
        claims = f"{self.claims} claim{'' if self.claims == 1 else 's'} found"
        failed = f", {self.failed} failed" if self.failed else ""
        parked = f", {self.parked} parked" if self.parked else ""
        left = f"; {self.left} left" if self.left else ""
        return f"{items}, {claims}{failed}{parked}{left}."


def work(
    space: Space,
    *,
    limit: int | None = None,
    lease: float = LEASE,
    author: str | None = None,
    reason: str | None = None,
) -> WorkReport:
    """Read what waits, up to `limit` items, until nothing is ready any more.

    Raises:
        InvalidInput: a limit below 1, or a lease that is no time.
        Unavailable: the store cannot be written to now; what was read so far is on record.
    """
    if (limit is not None and limit < 1) or lease <= 0:
        msg = f"limit must be at least 1, and lease more than 0 seconds, not {limit} and {lease}."
        raise InvalidInput(msg)
    worker = _Worker(space, Instant(round(lease * _SECOND)), author, reason)
    return worker.run(limit)


@dataclass(frozen=True, slots=True)
class _Failure:
    """What went wrong with an item, and after how many seconds it may be tried again.

    Without `wait` that is later and later, the more it was tried.
    """

    error: str
    wait: float | None = None
    is_counted: bool = True


@dataclass(frozen=True, slots=True)
class _Held:
    """Items under a lease, with what is known of them, and under what they are read."""

    lease: int
    items: Sequence[Queued]
    evidence: dict[str, Evidence]
    schema: Schema

    @property
    def names(self) -> list[str]:
        return [one.waiting.evidence for one in self.items]


class _Worker:
    """One who works off the queue, and what it knows of it."""

    def __init__(self, space: Space, lease: Instant, author: str | None, reason: str | None) -> None:
        self._space, self._lease_time = space, lease
        self._author, self._reason = author, reason
        self._backlog = Backlog()
        self._report = WorkReport()

    def run(self, limit: int | None) -> WorkReport:
        report = self._report
        while limit is None or report.read < limit:
            most = TOGETHER if limit is None else min(TOGETHER, limit - report.read)
            planned = self._planned(most)
            if not planned:
                break
            held = self._leased(planned)
            if held is not None:
                self._work_off(held)
        with self._space.store.snapshot(self._space.name) as view:
            report.left = sum(not one.is_parked for one in brought_up(view, self._backlog))
        return report

    # Leasing -------------------------------------------------------------------------------------

    def _planned(self, most: int) -> list[Queued]:
        with self._space.store.snapshot(self._space.name) as view:
            now = Instant(max(self._space.clock(), view.head().at + 1))
            return brought_up(view, self._backlog).ready(now, most)

    def _leased(self, planned: Sequence[Queued]) -> _Held | None:
        """The items as this worker holds them; None if others were first, or they were only to be parked."""
        ends = planned[0].lease
        names = tuple(one.waiting.evidence for one in planned)
        is_hopeless = ends is not None and planned[0].attempts >= MOST_ATTEMPTS

        def form(reading: Reading) -> Intent | Outcome:
            ready = brought_up(reading.view, self._backlog).ready(reading.at, len(planned))
            if [(one.waiting.evidence, one.lease) for one in ready] != [
                (one.waiting.evidence, one.lease) for one in planned
            ]:
                return _nothing(reading)
            if is_hopeless:
                failing = Failing(names[0], WENT_AWAY, reading.at, is_parked=True)
                return self._step(reading, QueueStep(ends=ends, failing=(failing,)))
            until = Instant(reading.at + self._lease_time)
            return self._step(reading, QueueStep(leased=names, until=until, ends=ends))

        outcome = self._write(Act.LEASE, form, ends)
        if outcome is None or outcome.is_repeat or is_hopeless:
            self._report.parked += bool(is_hopeless and outcome is not None and not outcome.is_repeat)
            return None
        return self._held(outcome.operation)

    def _held(self, lease: int) -> _Held | None:
        space = self._space
        with space.store.snapshot(space.name) as view:
            items = brought_up(view, self._backlog).held_by(lease)
            if not items:
                return None
            found = view.evidence(ids=sorted(one.waiting.evidence for one in items))
            evidence = {one.id: one for one in found if one.retracted_at is None}
            return _Held(lease, items, evidence, space.schema(view))

    def _renewed(self, held: _Held) -> _Held | None:
        """The same items under a new lease, if half the time of theirs is over; None if they are lost."""
        until = min(one.until for one in held.items)
        if self._space.clock() < until - self._lease_time // 2:
            return held

        def form(reading: Reading) -> Intent | Outcome:
            if not self._still_holds(reading, held):
                return _nothing(reading)
            ahead = Instant(reading.at + self._lease_time)
            again = tuple(  # a lease that goes on is no further try
                Failing(one.waiting.evidence, one.error or "", reading.at, is_counted=False)
                for one in held.items
            )
            return self._step(
                reading, QueueStep(ends=held.lease, failing=again, leased=tuple(held.names), until=ahead)
            )

        outcome = self._write(Act.LEASE, form, held.lease)
        return None if outcome is None or outcome.is_repeat else self._held(outcome.operation)

    # Reading -------------------------------------------------------------------------------------

    def _work_off(self, held: _Held) -> None:
        """Read and commit; what cannot be read, or not taken, is given back with the reason."""
        found: dict[str, Extraction] = {}
        failing: dict[str, _Failure] = {}
        scribe = Scribe(held.schema, lambda evidence: self._recorded_before(evidence, held.schema))
        try:
            away = self._prepare(held, scribe)
            if away is not None:
                failing = dict.fromkeys(held.evidence, away)
            for one in () if away is not None else held.items:
                renewed = self._renewed(held)
                if renewed is None or len(renewed.items) < len(held.items):
                    self._report.lost += len(held.items)
                    return
                held = renewed
                self._read(one.waiting, held, scribe, found, failing)
        except BaseException:  # somebody ends this process: let others have it at once
            self._give_back(held, dict.fromkeys(held.names, _Failure("interrupted", 0.0, is_counted=False)))
            raise
        try:
            self._commit(held, found, failing)
        except Unavailable:
            raise
        except Exception as problem:  # noqa: BLE001 - whatever it is, it must not stop the others
            # Of several, each goes alone next, at once: one of them will be it.
            wait = 0.0 if len(held.items) > 1 else None
            self._give_back(held, dict.fromkeys(held.names, _Failure(_told(problem), wait)))

    def _read(
        self,
        waiting: Waiting,
        held: _Held,
        scribe: Scribe,
        found: dict[str, Extraction],
        failing: dict[str, _Failure],
    ) -> None:
        """What is claimed in one item, or why that cannot be told; nothing of what was withdrawn."""
        words = self._words(waiting, held)
        if words is None:
            return
        evidence = words.evidence
        try:
            found[evidence.id] = scribe.extraction(words)
        except UnusableAnswer as problem:
            failing[evidence.id] = _Failure(_told(problem))
        except Unavailable as problem:
            failing[evidence.id] = _away(problem)
        except Exception as problem:  # noqa: BLE001 - poison is what nobody foresaw
            failing[evidence.id] = _Failure(_told(problem))

    def _prepare(self, held: _Held, scribe: Scribe) -> _Failure | None:
        """Let what can be read together be so; a failure if who reads is not there at all.

        Whatever else fails is tried one by one, which tells what it is.
        """
        words = (self._words(one.waiting, held) for one in held.items)
        try:
            scribe.prepare([one for one in words if one is not None])
        except UnusableAnswer:
            return None
        except Unavailable as problem:
            return _away(problem)
        except Exception:  # noqa: BLE001 - it is met again, one by one
            return None
        return None

    def _words(self, waiting: Waiting, held: _Held) -> Words | None:
        """The words of an item; None if it was withdrawn."""
        evidence = held.evidence.get(waiting.evidence)
        if evidence is None:
            return None
        takes = waiting.takes_undeclared
        takes = self._space.takes_undeclared if takes is None else takes
        return Words(evidence, _spoke_at(evidence, waiting), self._space.extractor, takes)

    def _recorded_before(self, evidence: Evidence, schema: Schema) -> tuple[Mention, ...]:
        with self._space.store.snapshot(self._space.name) as view:
            return recorded_before(view, schema, evidence)

    # Committing ----------------------------------------------------------------------------------

    def _commit(self, held: _Held, found: dict[str, Extraction], failing: dict[str, _Failure]) -> None:
        def form(reading: Reading) -> Intent | Outcome:
            if not self._still_holds(reading, held):
                return _nothing(reading)
            done = tuple(name for name in held.names if name not in failing)
            step = QueueStep(ends=held.lease, done=done, failing=self._failing(reading, held, failing))
            return self._step(reading, step).beside(_claimed(reading, held, found))

        outcome = self._write(Act.READ, form, held.lease)
        if outcome is None or outcome.is_repeat:
            self._report.lost += len(held.items)
            return
        self._report.read += len(held.items) - len(failing)
        self._report.claims += sum(len(one.read) for one in outcome.read_outs)
        self._count_failing(held)
        self._report.operations.append(outcome.operation)

    def _give_back(self, held: _Held, failing: dict[str, _Failure]) -> None:
        def form(reading: Reading) -> Intent | Outcome:
            if not self._still_holds(reading, held):
                return _nothing(reading)
            given = self._failing(reading, held, failing)
            return self._step(reading, QueueStep(ends=held.lease, failing=given))

        outcome = self._write(Act.READ, form, held.lease)
        if outcome is None or outcome.is_repeat:
            self._report.lost += len(held.items)
        else:
            self._count_failing(held)

    def _failing(self, reading: Reading, held: _Held, failing: dict[str, _Failure]) -> tuple[Failing, ...]:
        """What failed, each with when it may be tried again: later and later, or when it is said to be."""
        given = []
        for one in held.items:
            name = one.waiting.evidence
            if (failure := failing.get(name)) is not None:
                later = min(_LONGEST_DELAY, 2**one.attempts)
                wait = later if failure.wait is None else failure.wait
                due = Instant(reading.at + round(wait * _SECOND))
                given.append(Failing(name, failure.error, due, is_counted=failure.is_counted))
        return tuple(given)

    def _count_failing(self, held: _Held) -> None:
        with self._space.store.snapshot(self._space.name) as view:
            backlog = brought_up(view, self._backlog)
        left = [one for name in held.names if (one := backlog.get(name)) is not None]
        self._report.failed += len(left)
        self._report.parked += sum(one.is_parked for one in left)

    def _still_holds(self, reading: Reading, held: _Held) -> bool:
        holds = brought_up(reading.view, self._backlog).held_by(held.lease)
        return len(holds) == len(held.items)

    def _step(self, reading: Reading, step: QueueStep) -> Intent:
        """The step, now and then with the whole queue, so that nobody need look further back."""
        backlog = self._backlog
        if backlog.steps_since_kept > _STEPS_UNKEPT + len(backlog) // 4:
            whole = tuple(backlog)
            step = QueueStep(
                step.added, step.leased, step.until, step.ends, step.done, step.failing, step.retried,
                whole, reading.view.head().sequence,
            )  # fmt: skip
        return Intent(declarations=(step,))

    def _write(self, act: Act, form: Form, ends: int | None) -> Outcome | None:
        """The outcome; None if another operation has ended the lease before."""
        key = None if ends is None else f"lease {ends} ended"
        signature = Signature(act, self._author, self._reason, key, request=uuid.uuid4().hex)
        try:
            return write(self._space, signature, form)
        except IdempotencyConflict:
            return None


def _away(problem: Unavailable) -> _Failure:
    """That who reads is not there, which is no fault of the words."""
    wait = problem.details.get("retry_after")
    seconds = float(wait) if isinstance(wait, int | float) else _AWAY
    return _Failure(_told(problem), seconds, is_counted=False)


def _nothing(reading: Reading) -> Outcome:
    return Outcome(reading.view.head().sequence, None, is_repeat=True)


def _told(problem: BaseException) -> str:
    return f"{type(problem).__name__}: {problem}"[:_LONGEST_ERROR]


def _spoke_at(evidence: Evidence, waiting: Waiting) -> datetime:
    """When the source of an item spoke, on the clock where it was."""
    moment = _EPOCH + timedelta(microseconds=evidence.observed_at)
    try:
        return moment.astimezone(timezone(timedelta(minutes=waiting.offset)))
    except OverflowError:
        return moment


def _claimed(reading: Reading, held: _Held, found: dict[str, Extraction]) -> Intent:
    """The claims that are new of those read, with what was read and what was not."""
    drafts = [draft for one in found.values() for draft in subjects_of(one)]
    known = reading.names(names_in(drafts, reading.schema))
    resolver = Resolver(
        known,
        reading.schema,
        reading.space.zone,
        is_strict=reading.space.is_strict,
        spoken_of=partial(spoken_of, reading.view, reading.schema.merged),
    )
    claims: dict[str, Claim] = {}
    taker = Taker(reading, resolver, claims)
    forced = {one.waiting.evidence: one.waiting.is_forced for one in held.items}
    read_outs: list[ReadOut] = [
        taker.take(extraction, held.evidence[name], is_forced=forced[name])
        for name, extraction in found.items()
    ]
    heard = {one.claim.id for one in reading.view.claims(sorted(found))} if found else set()
    return Intent(
        entities=tuple(resolver.made.values()),
        claims=tuple(one for one in claims.values() if one.id not in heard),
        reported=tuple(held.names),
        warnings=(*dict.fromkeys(resolver.notes), *proposals(read_outs)),
        read_outs=tuple(one for one in read_outs if one.says_anything),
        usage=sum((one.usage for one in found.values()), Usage()),
    )
