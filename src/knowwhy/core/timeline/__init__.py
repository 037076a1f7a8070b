"""Instants, half-open intervals, and the two times everything carries."""

from knowwhy.core.timeline.instant import (
    BEGINNING,
    FOREVER,
    MICROSECONDS_PER_DAY,
    Instant,
    instant,
    isoformat,
    shown,
    zone_of,
)
from knowwhy.core.timeline.interval import Interval
from knowwhy.core.timeline.scope import Scope

__all__ = [
    "BEGINNING",
    "FOREVER",
    "MICROSECONDS_PER_DAY",
    "Instant",
    "Interval",
    "Scope",
    "instant",
    "isoformat",
    "shown",
    "zone_of",
]
