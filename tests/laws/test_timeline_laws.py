"""Instants and half-open intervals obey the laws that all comparing of times rests on."""

from __future__ import annotations

import calendar
import itertools
import os
import time
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowwhy.core.timeline import (
    BEGINNING,
    FOREVER,
    MICROSECONDS_PER_DAY,
    Instant,
    Interval,
    instant,
    isoformat,
)
from knowwhy.errors import InvalidInput, NaiveTime

# Intervals --------------------------------------------------------------------------------------

# Allen's thirteen relations, each by how the ends of two intervals that are not empty lie.
ALLEN: dict[str, Callable[[Interval, Interval], bool]] = {
    "before": lambda a, b: a.end < b.start,
    "meets": lambda a, b: a.end == b.start,
    "overlaps": lambda a, b: a.start < b.start < a.end < b.end,
    "starts": lambda a, b: a.start == b.start and a.end < b.end,
    "during": lambda a, b: b.start < a.start and a.end < b.end,
    "finishes": lambda a, b: b.start < a.start and a.end == b.end,
    "equals": lambda a, b: a.start == b.start and a.end == b.end,
    "after": lambda a, b: b.end < a.start,
    "met by": lambda a, b: b.end == a.start,
    "overlapped by": lambda a, b: b.start < a.start < b.end < a.end,
    "started by": lambda a, b: a.start == b.start and b.end < a.end,
    "contains": lambda a, b: a.start < b.start and b.end < a.end,
    "finished by": lambda a, b: a.start < b.start and a.end == b.end,
}
APART = {"before", "meets", "after", "met by"}

INSTANTS = [Instant(n) for n in range(6)]
# Every interval between small instants, the empty ones among them, and the unbounded ones.
INTERVALS = [
    *itertools.starmap(Interval, itertools.product(INSTANTS, repeat=2)),
    *(Interval(end=at) for at in INSTANTS),
    *(Interval(start=at) for at in INSTANTS),
    Interval(),
]
PAIRS = list(itertools.product(INTERVALS, repeat=2))


def members(interval: Interval) -> set[Instant]:
    """All instants in it, found one by one among those that can make a difference."""
    edge = [BEGINNING, Instant(BEGINNING + 1), Instant(-1), Instant(6), Instant(FOREVER - 1)]
    return {at for at in [*edge, *INSTANTS] if interval.start <= at and not interval.end <= at}


def relations(a: Interval, b: Interval) -> list[str]:
    return [name for name, holds in ALLEN.items() if holds(a, b)]


def test_exactly_one_relation_of_allen_holds_between_intervals_with_members() -> None:
    found = [relations(a, b) for a, b in PAIRS if members(a) and members(b)]
    assert all(len(names) == 1 for names in found)
    assert {name for names in found for name in names} == set(ALLEN)


def test_all_relations_of_allen_but_four_overlap() -> None:
    for a, b in PAIRS:
        if members(a) and members(b):
            assert a.overlaps(b) == (relations(a, b)[0] not in APART), (a, b)


def test_intervals_overlap_where_they_share_a_member() -> None:
    for a, b in PAIRS:
        assert a.overlaps(b) == bool(members(a) & members(b)), (a, b)
        assert a.overlaps(b) == b.overlaps(a)


def test_an_empty_interval_overlaps_nothing_not_even_all_of_time() -> None:
    assert not Interval(Instant(5), Instant(5)).overlaps(Interval())
    assert not Interval().overlaps(Interval(Instant(5), Instant(5)))


def test_an_interval_is_empty_where_it_has_no_member() -> None:
    for interval in INTERVALS:
        assert interval.is_empty == (not members(interval)), interval


def test_an_interval_contains_its_start_and_not_its_end() -> None:
    interval = Interval(Instant(2), Instant(4))
    assert [at in interval for at in INSTANTS] == [False, False, True, True, False, False]
    for each in INTERVALS:
        assert {at for at in INSTANTS if at in each} == members(each) & set(INSTANTS)


def test_the_intersection_has_the_members_of_both() -> None:
    for a, b in PAIRS:
        both = a.intersection(b)
        assert members(both) == members(a) & members(b), (a, b)
        assert both.is_empty == (not a.overlaps(b))
        assert both == b.intersection(a)


def test_all_of_time_is_neutral_in_intersection() -> None:
    for interval in INTERVALS:
        assert interval.intersection(Interval()) == interval


# Instants ---------------------------------------------------------------------------------------

zone_names = st.timezone_keys(allow_prefix=False)
naive_times = st.datetimes(datetime(2, 1, 1), datetime(9998, 12, 30))  # noqa: DTZ001 - naive on purpose
aware_times = st.datetimes(
    datetime(2, 1, 1),  # noqa: DTZ001 - the zone is drawn
    datetime(9998, 12, 30),  # noqa: DTZ001
    timezones=st.timezones(),
)
# Only in Eastern Canada, and only on 31 March 1919, clocks were put forward from before midnight to after
# it: that day's first moment was 00:30, and the law fails by half an hour.
dates = st.dates(date(1920, 1, 1), date(2100, 1, 1))


def since_epoch(moment: datetime) -> int:
    """Microseconds since 1970, by the calendar of the standard library's C heritage."""
    return calendar.timegm(moment.utctimetuple()) * 1_000_000 + moment.microsecond


@given(aware_times)
def test_an_instant_counts_microseconds_since_the_epoch(moment: datetime) -> None:
    assert instant(moment) == since_epoch(moment)
    assert BEGINNING < instant(moment) < FOREVER


@given(aware_times)
def test_an_instant_comes_back_from_its_text(moment: datetime) -> None:
    at = instant(moment)
    text = isoformat(at)
    assert text is not None
    assert instant(text) == at
    assert isoformat(instant(text)) == text


@given(aware_times)
def test_a_text_names_the_same_instant_as_the_time_it_was_made_from(moment: datetime) -> None:
    assert instant(moment.isoformat()) == instant(moment)
    assert instant(f"  {moment.isoformat()}\n") == instant(moment)


@given(aware_times, zone_names, st.timedeltas(timedelta(days=-1), timedelta(days=1)))
def test_instants_are_in_the_order_of_the_times_they_name(one: datetime, name: str, apart: timedelta) -> None:
    other = (one.astimezone(UTC) + apart).astimezone(ZoneInfo(name))
    # Compared in UTC, since within one zone Python compares what the clocks show.
    before = one.astimezone(UTC) < other.astimezone(UTC)
    assert (instant(one) < instant(other)) == before


@given(aware_times, zone_names)
def test_the_zone_in_which_an_instant_is_written_does_not_matter(moment: datetime, name: str) -> None:
    assert instant(moment.astimezone(ZoneInfo(name))) == instant(moment)


@given(aware_times, zone_names)
def test_a_declared_zone_does_not_change_an_aware_time(moment: datetime, name: str) -> None:
    assert instant(moment, zone=name) == instant(moment)


@given(naive_times)
def test_a_naive_time_is_refused(moment: datetime) -> None:
    with pytest.raises(NaiveTime, match="has no time zone"):
        instant(moment)
    with pytest.raises(NaiveTime, match="has no time zone"):
        instant(moment.isoformat())


@given(naive_times, zone_names)
def test_a_naive_time_in_a_declared_zone_is_the_aware_one(moment: datetime, name: str) -> None:
    aware = moment.replace(tzinfo=ZoneInfo(name))
    assert instant(moment, zone=name) == since_epoch(aware)
    assert instant(moment.isoformat(), zone=name) == since_epoch(
        moment.replace(tzinfo=ZoneInfo(name), fold=0)
    )


@given(naive_times, st.integers(-14 * 60, 14 * 60))
def test_a_zone_may_be_an_offset(moment: datetime, minutes: int) -> None:
    sign, (hours, rest) = "-" if minutes < 0 else "+", divmod(abs(minutes), 60)
    aware = moment.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    assert instant(moment, zone=f"{sign}{hours:02}:{rest:02}") == since_epoch(aware)


@given(dates, zone_names)
def test_a_date_is_its_first_moment_in_the_zone(day: date, name: str) -> None:
    zone = ZoneInfo(name)
    for at in (instant(day, zone=name), instant(day.isoformat(), zone=name)):
        first = datetime.fromtimestamp(at // 1_000_000, zone)
        just_before = datetime.fromtimestamp(at // 1_000_000 - 1, zone)
        assert just_before.date() < day <= first.date()


@given(st.dates(date(2, 1, 1)))
def test_a_date_without_a_zone_is_its_first_moment_in_utc(day: date) -> None:
    assert instant(day) == (day - date(1970, 1, 1)).days * MICROSECONDS_PER_DAY
    assert isoformat(instant(day)) == day.isoformat()


def test_an_open_end_has_no_text() -> None:
    assert isoformat(BEGINNING) is None
    assert isoformat(FOREVER) is None


@pytest.mark.parametrize("wrong", ["", "soon", "2025-13-01", "2025-02-30", "2025-01-10T25:00Z", "10/01/2025"])
def test_a_text_that_is_no_time_is_refused(wrong: str) -> None:
    with pytest.raises(InvalidInput, match="not a date or time in ISO 8601"):
        instant(wrong)


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "../etc/passwd", "+8"])
def test_an_unknown_zone_is_refused(zone: str) -> None:
    with pytest.raises(InvalidInput, match="not a time zone"):
        instant(date(2025, 1, 10), zone=zone)


# The host ---------------------------------------------------------------------------------------


@pytest.fixture(params=["UTC", "Asia/Shanghai", "America/St_Johns", "Pacific/Apia", "XYZ+11"])
def host_zone(request: pytest.FixtureRequest) -> Iterator[str]:
    """A host whose clock shows the time of another zone."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = request.param
    time.tzset()
    yield request.param
    if before is None:
        del os.environ["TZ"]
    else:
        os.environ["TZ"] = before
    time.tzset()


def test_the_zone_of_the_host_never_matters(host_zone: str) -> None:
    ten = 1_736_503_200_000_000
    assert host_zone == os.environ["TZ"]
    assert instant("2025-01-10T10:00Z") == ten
    assert instant(datetime(2025, 1, 10, 10, tzinfo=UTC)) == ten
    assert instant("2025-01-10T18:00", zone="Asia/Shanghai") == ten
    assert instant(datetime(2025, 1, 10, 18), zone="+08:00") == ten  # noqa: DTZ001 - read in the declared zone
    assert instant("2025-01-10") == instant(date(2025, 1, 10)) == ten - 10 * 3_600_000_000
    assert instant("2025-01-10", zone="Asia/Shanghai") == ten - 18 * 3_600_000_000
    assert isoformat(Instant(ten)) == "2025-01-10T10:00:00Z"
    with pytest.raises(NaiveTime):
        instant("2025-01-10T10:00")
