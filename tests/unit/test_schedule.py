"""Schedules: due once after each time of a cron expression, whatever the zone."""

from __future__ import annotations

import pytest

from knowwhy import InvalidInput, instant
from knowwhy.engine.schedule import due

NIGHTLY = "30 3 * * *"


@pytest.mark.parametrize(
    ("last", "now", "is_due"),
    [
        ("2025-05-01T03:30:00Z", "2025-05-02T03:29:59Z", False),
        ("2025-05-01T03:30:00Z", "2025-05-02T03:30:00Z", True),
        ("2025-05-01T03:29:59Z", "2025-05-01T03:30:00Z", True),
        ("2025-05-01T03:30:00Z", "2025-06-02T00:00:00Z", True),
        ("2025-05-02T00:00:00Z", "2025-05-01T03:30:00Z", False),
    ],
)
def test_it_is_due_once_after_each_of_its_times(last: str, now: str, is_due: bool) -> None:  # noqa: FBT001 - a column of the table
    assert due(NIGHTLY, instant(last), instant(now), "UTC") is is_due


def test_times_are_those_of_the_zone() -> None:
    last = instant("2025-05-01T00:00:00Z")
    assert not due(NIGHTLY, last, instant("2025-05-01T01:29:00Z"), "Europe/Berlin")
    assert due(NIGHTLY, last, instant("2025-05-01T01:30:00Z"), "Europe/Berlin")


@pytest.mark.parametrize(
    ("cron", "zone"), [("at night", "UTC"), ("61 * * * *", "UTC"), (NIGHTLY, "Nowhere/At all")]
)
def test_what_is_no_schedule_is_refused(cron: str, zone: str) -> None:
    with pytest.raises(InvalidInput):
        due(cron, instant("2025-05-01"), instant("2025-05-02"), zone)
