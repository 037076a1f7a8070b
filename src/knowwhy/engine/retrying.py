"""retrying: a change that rests on what was read is read and made again, where somebody was faster."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Final, TypeVar

from knowwhy.errors import InvalidInput, VersionConflict

T = TypeVar("T")

_LONGEST_PAUSE: Final = 0.1


def retrying(change: Callable[[], T], *, tries: int = 20) -> T:
    """What `change` gives, called again as long as another writer was faster.

    `change` reads, decides, and writes with the `expected_version` that it read: then nobody's word is
    overwritten unseen. It is called several times, so it must do nothing else that may not be done twice.

    Raises:
        VersionConflict: others were faster every time; the error carries how the beliefs stand.
        InvalidInput: fewer than one try.
    """
    if tries < 1:
        msg = f"It takes at least one try, not {tries}."
        raise InvalidInput(msg)
    for attempt in range(1, tries):
        try:
            return change()
        except VersionConflict:
            back_off(attempt, _LONGEST_PAUSE)
    return change()


def back_off(attempt: int, longest: float) -> None:
    """Wait a moment, by chance and up to `longest` seconds, longer after each attempt.

    Chance only spreads contending writers out; no result depends on it.
    """
    time.sleep(random.uniform(0.0, min(longest, 0.001 * 2**attempt)))  # noqa: S311 - not for cryptography
