"""Dates as English speakers write them, read by dateparser; it is loaded when the first date is met."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from typing import Final

_SETTINGS: Final = {
    "TIMEZONE": "UTC",
    "TO_TIMEZONE": "UTC",
    "RETURN_AS_TIMEZONE_AWARE": False,
    "PREFER_DAY_OF_MONTH": "first",
    "DATE_ORDER": "DMY",
}


@lru_cache(maxsize=4_096)
def english_moment(words: str, spoke_at: datetime) -> datetime | None:
    """The moment that `words` name, such as "12 January 2025", said at a moment without zone.

    None where they name none. The zone and the clock of the host play no part.
    """
    import dateparser

    found: datetime | None = dateparser.parse(
        words, languages=["en"], settings={**_SETTINGS, "RELATIVE_BASE": spoke_at}
    )
    return None if found is None else found.replace(tzinfo=None)
