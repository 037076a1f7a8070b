"""The one reader of the environment: what a user has set outside of any call."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

DEFAULT_DB: Final = "knowwhy.db"


@dataclass(frozen=True, slots=True)
class Settings:
    """What is set.

    KNOWWHY_DB: where the memory is. KNOWWHY_EMBEDDER: who finds by meaning, packaged or none (the command
    line asks). KNOWWHY_DEBUG=1: to be shown where a command failed.
    """

    db: str = DEFAULT_DB
    embedder: str = ""
    is_debugging: bool = False


def read(environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings in force. An empty variable counts as none."""
    return Settings(
        db=environment.get("KNOWWHY_DB") or DEFAULT_DB,
        embedder=environment.get("KNOWWHY_EMBEDDER", "").strip().lower(),
        is_debugging=environment.get("KNOWWHY_DEBUG", "") not in ("", "0"),
    )
