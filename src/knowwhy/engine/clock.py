"""The one place that asks what time it is."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeAlias

from knowwhy.core.timeline import Instant

# Where "now" comes from. Tests and replays hand in their own.
Clock: TypeAlias = Callable[[], Instant]


def system_clock() -> Instant:
    """The present instant of this machine."""
    return Instant(time.time_ns() // 1_000)
