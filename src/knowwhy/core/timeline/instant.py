"""Instants: whole microseconds since 1970-01-01T00:00Z, so that comparing them is exact and cheap."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import Final, NewType
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from knowwhy.errors import InvalidInput, NaiveTime

Instant = NewType("Instant", int)

MICROSECONDS_PER_DAY: Final = 86_400_000_000

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

_FIRST = (datetime.min.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND
_LAST = (datetime.max.replace(tzinfo=UTC) - _EPOCH) // _MICROSECOND

# The open ends of time. Real instants lie strictly between them, because `datetime` ends earlier.
BEGINNING: Final = Instant(-(2**62))
FOREVER: Final = Instant(2**62)

_OFFSET = re.compile(r"([+-])(\d{2}):?(\d{2})")
_DATE_ONLY = re.compile(r"\d{4}-\d{2}-\d{2}")


def instant(when: datetime | date | str, zone: str | None = None) -> Instant:
    """The instant that `when` names.

    A bare date means its first moment, in `zone` or else in UTC. A time of day without a zone is
    refused unless `zone` (an IANA name or an offset like "+08:00") says how to read it; the zone of
    the host is never used.

    Raises:
        NaiveTime: a time of day without a zone, and no `zone` given.
        InvalidInput: not an ISO 8601 date or time, or an unknown zone.
    """
    if isinstance(when, str):
        return _parse(when.strip(), zone)
    if isinstance(when, datetime):
        return _from_datetime(when, zone)
    if isinstance(when, date):
        return _since_epoch(datetime(when.year, when.month, when.day, tzinfo=zone_of(zone) or UTC))
    msg = f"A time must be a date, a datetime or an ISO 8601 text, not {type(when).__name__}."
    raise InvalidInput(msg)


def isoformat(at: Instant) -> str | None:
    """The instant as ISO 8601 in UTC (a whole day as a bare date), or None for an open end."""
    if at in (BEGINNING, FOREVER):
        return None
    moment = _EPOCH + at * _MICROSECOND
    if at % MICROSECONDS_PER_DAY == 0:
        return moment.date().isoformat()
    return moment.isoformat().replace("+00:00", "Z")


def shown(at: Instant) -> str:
    """The instant as a person reads it, in UTC and to the minute; "always" or "for ever" for an open end."""
    if at in (BEGINNING, FOREVER):
        return "always" if at == BEGINNING else "for ever"
    moment = _EPOCH + at * _MICROSECOND
    if at % MICROSECONDS_PER_DAY == 0:
        return moment.date().isoformat()
    return moment.strftime("%Y-%m-%d %H:%M")


@lru_cache(maxsize=4_096)
def _parse(text: str, zone: str | None) -> Instant:
    try:
        when = date.fromisoformat(text) if _DATE_ONLY.fullmatch(text) else datetime.fromisoformat(text)
    except (ValueError, OverflowError) as problem:
        msg = f"{text!r} is not a date or time in ISO 8601, such as 2025-01-12 or 2025-01-12T09:00Z."
        raise InvalidInput(msg) from problem
    return instant(when, zone)


def _from_datetime(moment: datetime, zone: str | None) -> Instant:
    if moment.tzinfo is None:
        declared = zone_of(zone)
        if declared is None:
            msg = (
                f"{moment.isoformat()} has no time zone. Write it as {moment.isoformat()}Z or with an "
                "offset, or open the memory with zone=..., so that it is never read in the host's zone."
            )
            raise NaiveTime(msg)
        moment = moment.replace(tzinfo=declared)
    return _since_epoch(moment)


def _since_epoch(moment: datetime) -> Instant:
    since = (moment - _EPOCH) // _MICROSECOND
    if not _FIRST <= since <= _LAST:
        msg = f"{moment.isoformat()} lies outside the years 1 to 9999 in UTC."
        raise InvalidInput(msg)
    return Instant(since)


def zone_of(name: str | None) -> tzinfo | None:
    """The zone of an IANA name or an offset; None where none is named.

    Raises:
        InvalidInput: there is no such zone.
    """
    if name is None:
        return None
    if name.upper() in ("UTC", "Z"):
        return UTC
    try:
        if offset := _OFFSET.fullmatch(name):
            sign = -1 if offset[1] == "-" else 1
            return timezone(sign * timedelta(hours=int(offset[2]), minutes=int(offset[3])))
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError) as problem:
        msg = f"{name!r} is not a time zone; use an IANA name such as Asia/Shanghai or an offset like +08:00."
        raise InvalidInput(msg) from problem
