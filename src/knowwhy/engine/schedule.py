"""Schedules: whether something that is to be done at the times of a cron expression is due."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from cronsim import CronSim, CronSimError

from knowwhy.core.timeline import Instant, zone_of
from knowwhy.errors import InvalidInput, NaiveTime

_MICROSECONDS: Final = 1_000_000


def due(cron: str, last: Instant, now: Instant, zone: str | None) -> bool:
    """Whether a time of a cron expression, read in a zone, lies after `last` and not after `now`.

    However many times have passed since, it is due once.

    Raises:
        InvalidInput: a cron expression that is none, or no such zone.
        NaiveTime: no zone is named.
    """
    if (there := zone_of(zone)) is None:
        msg = f"{cron!r} names times of day of no zone: open the memory with zone=..., such as Europe/Berlin."
        raise NaiveTime(msg)
    try:
        begun = datetime.fromtimestamp(last // _MICROSECONDS, UTC).astimezone(there)
        following = next(CronSim(cron, begun), None)
    except CronSimError as problem:
        msg = f"{cron!r} is no schedule: {problem}. Write minute, hour, day, month, weekday."
        raise InvalidInput(msg) from problem
    return following is not None and following.timestamp() * _MICROSECONDS <= now
