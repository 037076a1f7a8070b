"""expire: words whose lifetime is over, and on which nothing rests, are withdrawn; `vacuum` lets them go."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from knowwhy.core.model import FILLER, Act, Document, Evidence, Incomplete, Lifetimes, Retraction
from knowwhy.core.timeline import MICROSECONDS_PER_DAY, Instant
from knowwhy.engine.backlog import brought_up
from knowwhy.engine.commit import write
from knowwhy.engine.configure import lifetimes_of
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.space import Space
from knowwhy.ingest.grammar.small_talk import is_filler
from knowwhy.ingest.queue import Backlog
from knowwhy.store.protocol import Snapshot

_PAGE: Final = 500
# Why such words are withdrawn.
OVER: Final = "its lifetime is over"


def expire(space: Space, *, author: str | None = None, reason: str | None = None) -> Outcome:
    """Withdraw the words whose lifetime is over. What any claim was read from stays, and what is pinned."""

    def form(reading: Reading) -> Intent | Outcome:
        lifetimes = lifetimes_of(reading.view)
        gone = list(expired(reading.view, lifetimes, reading.at)) if lifetimes.days else []
        if not gone:
            told = "No words have outlived their lifetime."
            return Outcome(reading.view.head().sequence, None, is_repeat=True, warnings=(told,))
        items = "1 item" if len(gone) == 1 else f"{len(gone)} items"
        told = f"{items} of evidence withdrawn; vacuum drops what is withdrawn for good"
        return Intent(retractions=tuple(Retraction(one, reason or OVER) for one in gone), warnings=(told,))

    return write(space, Signature(Act.EXPIRE, author, reason or OVER), form)


def expired(view: Snapshot, lifetimes: Lifetimes, at: Instant) -> Iterator[str]:
    """The evidence (by id) whose lifetime is over at an instant, and on which nothing rests."""
    kept = _spoken_for(view)
    due = (one for one in view.every(Evidence) if one.id not in kept and _is_due(one, lifetimes, at))
    while page := [one.id for one in islice(due, _PAGE)]:
        claimed = {one.claim.evidence_id for one in view.claims(page)}
        yield from (one for one in page if one not in claimed)


def _spoken_for(view: Snapshot) -> set[str]:
    """What waits to be read or completed, is a version of a document, or is repeated by other evidence."""
    kept = {one.waiting.evidence for one in brought_up(view, Backlog())}
    kept |= {one.evidence for one in view.declared(Incomplete).values() if not one.is_dismissed}
    kept |= {edition.evidence for one in view.declared(Document).values() for edition in one.editions}
    kept |= {root for one in view.every(Evidence) for root in one.derived_from}
    return kept


def _is_due(one: Evidence, lifetimes: Lifetimes, at: int) -> bool:
    if one.is_pinned or one.retracted_at is not None:
        return False
    days = [lifetimes.of(one.source.type)]
    if lifetimes.of(FILLER) is not None and is_small_talk(one.text):
        days.append(lifetimes.of(FILLER))
    terms = [each for each in days if each is not None]
    return bool(terms) and one.effective_at + min(terms) * MICROSECONDS_PER_DAY <= at


def is_small_talk(text: str) -> bool:
    """Whether all of a text is greetings, thanks, or the like."""
    lines = [line for line in text.splitlines() if line.strip()]
    return bool(lines) and all(map(is_filler, lines))
