"""Regular expressions that are made when they are first needed, so that importing them costs nothing."""

from __future__ import annotations

import re
from typing import Any, cast


class _Lazy:
    """Stands for a compiled pattern; at its first use it takes over the methods of the real one."""

    def __init__(self, pattern: str, flags: int) -> None:
        self._made_of = pattern, flags

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - as the attribute of the pattern it is
        compiled = re.compile(*self._made_of)
        for method in ("match", "search", "finditer", "findall", "fullmatch", "split", "sub"):
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def expression(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern, compiled when it is first used."""
    return cast("re.Pattern[str]", _Lazy(pattern, flags))
