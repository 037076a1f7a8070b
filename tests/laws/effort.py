"""How many examples a law is searched with."""

from __future__ import annotations

import os
from typing import Final

from hypothesis import settings

_IS_HUNTING: Final = os.environ.get("HYPOTHESIS_PROFILE") == "mutants"


def examples(count: int) -> settings:
    """So many examples; five times as many where a mutant is to be caught, lest it live by luck."""
    return settings(max_examples=count * 5 if _IS_HUNTING else count)
