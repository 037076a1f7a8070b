"""The one reader of the environment: what a user has set outside of any call."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

DEFAULT_DB: Final = "knowwhy.db"


@dataclass(frozen=True, slots=True)
class Settings:
    """What is set.

    KNOWWHY_DB: where the memory is. KNOWWHY_EMBEDDER: who finds by meaning, packaged or none (the command
    line asks). KNOWWHY_DEBUG=1: to be shown where a command failed.

    KNOWWHY_AGENT, KNOWWHY_USER and KNOWWHY_GROUPS (names with commas between): on whose behalf the command
    line works; the memory's owner's where none is set.

    The endpoint that reads words: KNOWWHY_MODEL_URL, KNOWWHY_MODEL and KNOWWHY_MODEL_KEY;
    KNOWWHY_MODEL_LARGE names a second model for what the first is unsure of, KNOWWHY_MODEL_CACHE a folder
    for answers, and KNOWWHY_MODEL_CONSTRAIN how their shape is asked for (schema, object, none).
    """

    db: str = DEFAULT_DB
    embedder: str = ""
    is_debugging: bool = False
    agent: str | None = None
    user: str | None = None
    groups: tuple[str, ...] = ()
    model_url: str | None = None
    model: str | None = None
    model_key: str | None = field(default=None, repr=False)
    model_large: str | None = None
    model_cache: str | None = None
    model_constrain: str = "schema"


def read(environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings in force. An empty variable counts as none."""
    return Settings(
        db=environment.get("KNOWWHY_DB") or DEFAULT_DB,
        embedder=environment.get("KNOWWHY_EMBEDDER", "").strip().lower(),
        is_debugging=environment.get("KNOWWHY_DEBUG", "") not in ("", "0"),
        agent=environment.get("KNOWWHY_AGENT") or None,
        user=environment.get("KNOWWHY_USER") or None,
        groups=tuple(one.strip() for one in environment.get("KNOWWHY_GROUPS", "").split(",") if one.strip()),
        model_url=environment.get("KNOWWHY_MODEL_URL") or None,
        model=environment.get("KNOWWHY_MODEL") or None,
        model_key=environment.get("KNOWWHY_MODEL_KEY") or None,
        model_large=environment.get("KNOWWHY_MODEL_LARGE") or None,
        model_cache=environment.get("KNOWWHY_MODEL_CACHE") or None,
        model_constrain=environment.get("KNOWWHY_MODEL_CONSTRAIN") or "schema",
    )
