"""The words of prompts, in text files beside this one: by what they ask for, language and version."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

# Of which version the prompts in use are; it is part of an extractor's name, so that the log tells.
VERSION = "1"


@lru_cache(maxsize=32)
def prompt(name: str, language: str, version: str = VERSION) -> str:
    """The words of a prompt."""
    return files(__name__).joinpath(f"{name}.{language}.v{version}.txt").read_text("utf-8").strip()
