"""Moments: when a source spoke, where it spoke, and the bounds that its words place from there."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from typing import Final
from zoneinfo import ZoneInfo

from knowwhy.core.model import Draft
from knowwhy.core.timeline import Instant
from knowwhy.errors import InvalidInput
from knowwhy.ingest.plain import has_han, plain
from knowwhy.ingest.times import chinese, english
from knowwhy.ingest.times.period import Direction, Puzzle
from knowwhy.recall.expressions import expression

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_OFFSET: Final = expression(r"([+-])(\d{2}):?(\d{2})$")
_ISO: Final = expression(r"\s*\d{4}-?\d{2}-?\d{2}(?:[T ]|\s*$)")
_LEADS: Final = expression(
    r"(?:from|since|on|in|at|until|till?|starting|as of|through|自|从|于|在|至|到|截至)\s*"
)
_AFTER: Final = expression(r"[\s.。,]*(?:起|开始|以来|为止|止)?[\s.。]*$")


def moment_of(at: Instant, said: datetime | date | str | None, zone: str | None) -> datetime:
    """An instant where the source spoke: in the zone that it was `said` in, or else `zone`, or else UTC."""
    moment = _EPOCH + timedelta(microseconds=at)
    try:
        return moment.astimezone(_said_in(said) or _zone(zone))
    except OverflowError:
        return moment


def placed(draft: Draft, spoke_at: datetime) -> Draft:
    """The draft with bounds in words, such as "last Wednesday" or 后天, placed by when they were said.

    Raises:
        InvalidInput: words that name no time, or none that can be placed.
    """
    if not (isinstance(draft.valid_from, str) or isinstance(draft.valid_to, str)):
        return draft
    return replace(
        draft,
        valid_from=_bound(draft.valid_from, spoke_at, is_end=False),
        valid_to=_bound(draft.valid_to, spoke_at, is_end=True),
    )


def _bound(
    written: datetime | date | str | None, spoke_at: datetime, *, is_end: bool
) -> datetime | date | str | None:
    if not isinstance(written, str) or _ISO.match(written):
        return written
    words = plain(written).strip()
    led = _LEADS.match(words)
    start = led.end() if led else 0
    is_han = has_han(words)
    time_at = chinese.time_at if is_han else english.time_at
    direction = Direction.FUTURE if is_end else Direction.NEAR
    found = time_at(words, start, spoke_at.date(), direction)
    if found is None:
        return written
    period, end = found
    if isinstance(period, Puzzle):
        msg = f"{written!r} cannot be placed in time: {period}. Write it in ISO 8601, such as 2025-01-12."
        raise InvalidInput(msg)
    clock = (chinese.clock_at if is_han else english.clock_at)(words, end)
    end = clock[2] if clock else end
    if not _AFTER.match(words, end):
        return written
    if clock is not None:
        day = period.start
        return datetime(day.year, day.month, day.day, clock[0], clock[1], tzinfo=spoke_at.tzinfo)
    return period.end if is_end and period.is_date else period.start


def _said_in(said: datetime | date | str | None) -> tzinfo | None:
    if isinstance(said, str):
        try:
            said = datetime.fromisoformat(said.strip())
        except ValueError:
            return None
    return said.tzinfo if isinstance(said, datetime) else None


def _zone(zone: str | None) -> tzinfo:
    if zone is None or zone.upper() in ("UTC", "Z"):
        return UTC
    if offset := _OFFSET.fullmatch(zone):
        sign = -1 if offset[1] == "-" else 1
        return timezone(sign * timedelta(hours=int(offset[2]), minutes=int(offset[3])))
    return ZoneInfo(zone)
