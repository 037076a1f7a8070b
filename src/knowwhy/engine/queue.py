"""queue and retry: which words wait to be read, and another try for what failed too often."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from knowwhy.core.model import Act, Evidence, Queued, QueueStep, one_line
from knowwhy.core.timeline import Instant, isoformat, shown
from knowwhy.engine.backlog import brought_up
from knowwhy.engine.commit import write
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.permitting import demand
from knowwhy.engine.space import Space
from knowwhy.errors import NotFound
from knowwhy.ingest.queue import Backlog

_SHOWN: Final = 60


@dataclass(frozen=True, slots=True)
class QueuedWords:
    """One item that waits: since when, how often it was tried, what went wrong, and its words."""

    evidence: str
    state: str
    said_at: Instant
    attempts: int
    due: Instant | None
    error: str | None
    text: str

    def as_dict(self) -> dict[str, Any]:
        """The item for a program."""
        return {
            "evidence": self.evidence,
            "state": self.state,
            "said_at": isoformat(self.said_at),
            "attempts": self.attempts,
            "due": None if self.due is None else isoformat(self.due),
            "error": self.error,
            "text": self.text,
        }

    def __str__(self) -> str:
        tried = f", tried {self.attempts} time{'' if self.attempts == 1 else 's'}" if self.attempts else ""
        due = f", again from {shown(self.due)}" if self.due is not None else ""
        error = f": {self.error}" if self.error else ""
        return one_line(f"{self.state} {self.evidence} “{one_line(self.text, _SHOWN)}”{tried}{due}{error}")


@dataclass(frozen=True, slots=True)
class Queue:
    """What waits to be read: how many items in each state, and some of them, parked ones first."""

    waiting: int
    leased: int
    delayed: int
    parked: int
    items: tuple[QueuedWords, ...] = ()

    @property
    def total(self) -> int:
        """How many items there are in all."""
        return self.waiting + self.leased + self.delayed + self.parked

    def as_dict(self) -> dict[str, Any]:
        """The queue for a program."""
        return {
            "waiting": self.waiting,
            "leased": self.leased,
            "delayed": self.delayed,
            "parked": self.parked,
            "items": [one.as_dict() for one in self.items],
        }

    def __str__(self) -> str:
        if not self.total:
            return "Nothing waits to be read."
        states = (
            (self.waiting, "waiting"),
            (self.leased, "being read"),
            (self.delayed, "to be tried again"),
            (self.parked, "parked"),
        )
        head = ", ".join(f"{count} {what}" for count, what in states if count)
        return "\n".join([f"{head}.", *(f"  {one}" for one in self.items)])


def queue(space: Space, *, limit: int = 20) -> Queue:
    """What waits to be read now, with at most `limit` items told one by one."""
    demand(space, "maintain")
    with space.store.snapshot(space.name) as view:
        backlog = brought_up(view, Backlog())
        now = Instant(max(space.clock(), view.head().at))
        found = [(state_of(one, now), one) for one in backlog]
        told = sorted(found, key=lambda pair: pair[0] != "parked")[:limit]
        ids = sorted(one.waiting.evidence for _, one in told)
        texts = {one.id: one for one in view.evidence(ids=ids)} if ids else {}
    counts = {state: sum(each == state for each, _ in found) for state in _STATES}
    return Queue(**counts, items=tuple(_listed(state, one, texts, now) for state, one in told))


_STATES: Final = ("waiting", "leased", "delayed", "parked")


def state_of(one: Queued, now: Instant) -> str:
    """How an item stands at an instant, in one word."""
    if one.is_parked:
        return "parked"
    if one.lease is not None and one.until > now:
        return "leased"
    return "delayed" if one.due > now else "waiting"


def _listed(state: str, one: Queued, texts: dict[str, Evidence], now: Instant) -> QueuedWords:
    evidence = texts.get(one.waiting.evidence)
    return QueuedWords(
        one.waiting.evidence,
        state,
        one.waiting.at,
        one.attempts,
        one.due if one.due > now and not one.is_parked else None,
        one.error,
        "" if evidence is None else evidence.text,
    )


def retry(
    space: Space, evidence: str | None = None, *, author: str | None = None, reason: str | None = None
) -> Outcome:
    """Try what is parked again, all of it or one item, as if it had just come in.

    Raises:
        NotFound: the item does not wait.
    """

    def form(reading: Reading) -> Intent | Outcome:
        backlog = brought_up(reading.view, Backlog())
        if evidence is not None and backlog.get(evidence) is None:
            msg = f"{evidence!r} does not wait to be read; `queue` shows what does."
            raise NotFound(msg, evidence=evidence)
        parked = tuple(
            one.waiting.evidence
            for one in backlog
            if one.is_parked and evidence in (None, one.waiting.evidence)
        )
        if not parked:
            return Outcome(
                reading.view.head().sequence, None, is_repeat=True, warnings=("Nothing is parked.",)
            )
        return Intent(declarations=(QueueStep(retried=parked),), waiting=parked)

    return write(space, Signature(Act.RETRY, author, reason), form)
