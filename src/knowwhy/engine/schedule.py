"""Schedules: whether something that is to be done at the times of a cron expression is due."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from cronsim import CronSim, CronSimError

from knowwhy.core.timeline import Instant
from knowwhy.errors import InvalidInput

_MICROSECONDS: Final = 1_000_000


def due(cron: str, last: Instant, now: Instant, zone: str = "UTC") -> bool:
    """Whether a time of a cron expression, read in a zone, lies after `last` and not after `now`.

    However many times have passed since, it is due once.

    Raises:
        InvalidInput: a cron expression that is none, or no such zone.
    """
    try:
        begun = datetime.fromtimestamp(last // _MICROSECONDS, UTC).astimezone(ZoneInfo(zone))
        following = next(CronSim(cron, begun), None)
    except (CronSimError, ZoneInfoNotFoundError, ValueError) as problem:
        msg = f"{cron!r} in {zone!r} is no schedule: {problem}. Write minute, hour, day, month, weekday."
        raise InvalidInput(msg) from problem
    return following is not None and following.timestamp() * _MICROSECONDS <= now
