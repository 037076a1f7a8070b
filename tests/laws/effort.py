"""How many examples a law is searched with that needs another number than most."""

from __future__ import annotations

import os
from typing import Final

from hypothesis import settings

# By profile, see tests/conftest.py: one commit is searched in haste, a mutant must not live by luck.
_SHARES: Final = {"ci": 0.3, "mutants": 3.0, "thorough": 10.0}


def examples(count: int) -> settings:
    """So many examples by default, fewer or more of them in other profiles."""
    return settings(max_examples=share_of(count), deadline=None)


def share_of(count: int) -> int:
    """So many of anything else that a search repeats by default, fewer or more of it in other profiles."""
    return max(1, round(count * _SHARES.get(os.environ.get("HYPOTHESIS_PROFILE", ""), 1.0)))
