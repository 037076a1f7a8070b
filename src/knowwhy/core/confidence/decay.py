"""How evidence ages (theory §1.1)."""

from __future__ import annotations

from knowwhy.core.timeline import MICROSECONDS_PER_DAY, Instant


def decay(since: Instant, at: Instant, half_life_days: float | None) -> float:
    """The share of its weight that evidence of `since` still has at `at`: 0.5 after one half-life.

    A future date counts as age zero, so that the factor never exceeds 1; no half-life, no ageing.

    Raises:
        ValueError: a half-life that is not positive.
    """
    if half_life_days is None:
        return 1.0
    if not half_life_days > 0.0:
        msg = f"A half-life is a positive number of days, not {half_life_days}."
        raise ValueError(msg)
    if at <= since:
        return 1.0
    age_days = (at - since) / MICROSECONDS_PER_DAY
    return float(0.5 ** (age_days / half_life_days))
