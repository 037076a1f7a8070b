"""Documents: the words of beliefs and evidence, and the index terms under which both are found."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Final

from knowwhy.core.model import Belief, Evidence
from knowwhy.core.timeline import Instant
from knowwhy.recall.analysis import terms
from knowwhy.store.protocol import TextEntry

# By this a caller says in the metadata of evidence who "I" is.
SPEAKER: Final = "speaker"

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def belief_words(belief: Belief) -> str:
    """What a belief says: its subject, attribute, conditions and value."""
    conditions = " ".join(f"{key} {value}" for key, value in belief.slot.conditions)
    return f"{belief.slot.subject.name} {belief.slot.attribute} {conditions} {belief.value}"


def belief_text(belief: Belief) -> TextEntry:
    """The index entry of a belief."""
    return TextEntry(belief.id, terms(belief_words(belief)))


def belief_terms(belief: Belief) -> set[str]:
    """The distinct terms of a belief; those of a part, which many beliefs share, are kept for the next."""
    slot = belief.slot
    parts = (slot.subject.name, slot.attribute, str(belief.value))
    return set().union(*map(_terms_of, (*parts, *(f"{key} {value}" for key, value in slot.conditions))))


def evidence_words(evidence: Evidence) -> str:
    """What a source said, with who spoke where that is known: "I" says little without it."""
    speaker = next((said for key, said in evidence.metadata if key == SPEAKER), None)
    return evidence.text if speaker is None else f"{speaker}: {evidence.text}"


def evidence_text(evidence: Evidence) -> TextEntry:
    """The index entry of an item of evidence: its words, and the day and month it was said in."""
    said_on = calendar_terms(evidence.observed_at)
    return TextEntry(evidence.id, (*terms(evidence_words(evidence)), *said_on))


def calendar_terms(at: Instant) -> tuple[str, ...]:
    """The terms of the day and of the month (in UTC) in which an instant lies.

    No word of a text is such a term, since a word never begins with the mark that these begin with.
    """
    try:
        day = (_EPOCH + timedelta(microseconds=at)).date()
    except OverflowError:
        return ()
    return _day_term(day), _month_term(day)


def calendar_terms_within(start: Instant, end: Instant, most: int = 40) -> tuple[str, ...]:
    """The terms of all days from `start` to before `end`, or of all months where these are too many.

    Empty where even the months are more than `most`.
    """
    try:
        first = (_EPOCH + timedelta(microseconds=start)).date()
        last = (_EPOCH + timedelta(microseconds=end - 1)).date()
    except OverflowError:
        return ()
    if (last - first).days < most:
        return tuple(_day_term(first + timedelta(days=away)) for away in range((last - first).days + 1))
    months = range(12 * first.year + first.month - 1, 12 * last.year + last.month)
    if len(months) > most:
        return ()
    return tuple(_month_term(date(number // 12, number % 12 + 1, 1)) for number in months)


@lru_cache(maxsize=4_096)
def _terms_of(part: str) -> frozenset[str]:
    return frozenset(terms(part))


def _day_term(day: date) -> str:
    return f"@{day.isoformat()}"


def _month_term(day: date) -> str:
    return f"@{day.isoformat()[:7]}"
