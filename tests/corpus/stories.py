"""Stories of the corpus: one to a file, named by its id, and the list of those that wait."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import yaml

from knowwhy.errors import Malformed
from knowwhy.evaluation.stories import Expectation, Story, stories_of
from knowwhy.evaluation.written import Loader, Written

__all__ = ["CASES", "FOLDER", "WAITING", "Expectation", "Malformed", "Story", "Written", "read"]

FOLDER: Final = Path(__file__).resolve().parent
CASES: Final = FOLDER / "cases"
WAITING: Final = FOLDER / "waiting.yaml"


def read(path: Path) -> Story:
    """The story in one file; its id is the file's name.

    Raises:
        Malformed: not YAML, or not a story.
    """
    (story,) = stories_of(path)
    if story.id != path.stem:
        raise Malformed(f"{path.name} says that its id is {story.id}: a story has the name of its file.")
    return story


def stories(folder: Path = CASES) -> tuple[Story, ...]:
    """All stories of a folder, in order of their ids."""
    return tuple(read(path) for path in sorted(folder.glob("*.yaml")))


def waiting(path: Path = WAITING) -> dict[str, str]:
    """Which stories wait for an ability that is not there yet, each with what it waits for."""
    written = yaml.load(path.read_text("utf-8"), Loader)  # noqa: S506 - it is a SafeLoader
    return {str(story): str(reason) for story, reason in (written or {}).items()}
