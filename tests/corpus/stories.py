"""Stories: the cases of the corpus as they stand in their files.

YAML as people write it by hand: dates, times and codes such as 001 or no stay the text that they are;
only true, false, null and plain numbers mean something else than their letters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

import yaml

FOLDER: Final = Path(__file__).resolve().parent
CASES: Final = FOLDER / "cases"
WAITING: Final = FOLDER / "waiting.yaml"

# One step of a story, one claim in it, one pattern of an expectation: a mapping, as it was written.
Written: TypeAlias = Mapping[str, Any]


class Malformed(Exception):
    """A story cannot be understood: a word is unknown, missing, or in the wrong place."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What must come back at one step, and what must not."""

    at: str
    must: tuple[Written, ...] = ()
    must_not: tuple[Written, ...] = ()
    check: Written = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Story:
    """One case: what happens, in order, and what is expected at the steps that have a name."""

    id: str
    title: str
    steps: tuple[Written, ...]
    expect: tuple[Expectation, ...]
    kind: str = ""
    lang: str = ""
    reach: int | None = None


class Loader(yaml.SafeLoader):
    """The loader that leaves all but true, false, null and plain numbers as the text that they are."""


Loader.yaml_implicit_resolvers = {}

_FIRST_LETTERS: Final = ("tf", "n~", "-0123456789", "-.0123456789")
_MEANINGS: Final = (
    ("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$")),
    ("tag:yaml.org,2002:null", re.compile(r"^(?:null|~)$")),
    ("tag:yaml.org,2002:int", re.compile(r"^-?(?:0|[1-9][0-9]*)$")),
    ("tag:yaml.org,2002:float", re.compile(r"^-?(?:0|[1-9][0-9]*)?\.[0-9]+$")),
)
for (tag, pattern), letters in zip(_MEANINGS, _FIRST_LETTERS, strict=True):
    Loader.add_implicit_resolver(tag, pattern, list(letters))


def read(path: Path) -> Story:
    """The story in one file; its id is the file's name.

    Raises:
        Malformed: not YAML, or not a story.
    """
    try:
        written = yaml.load(path.read_text("utf-8"), Loader)  # noqa: S506 - it is a SafeLoader
    except yaml.YAMLError as problem:
        raise Malformed(f"{path.name} is not YAML: {problem}") from problem
    story = _story(written, path.name)
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


def _story(written: object, where: str) -> Story:
    found = taken(written, where, {"id", "title", "steps", "expect"}, {"kind", "lang", "reach"})
    named = {str(one["id"]) for one in _steps_within(found["steps"]) if "id" in one}
    expectations = tuple(_expectation(one, where, named) for one in found["expect"])
    return Story(
        id=str(found["id"]),
        title=str(found["title"]),
        steps=tuple(found["steps"]),
        expect=expectations,
        kind=str(found.get("kind", "")),
        lang=str(found.get("lang", "")),
        reach=found.get("reach"),
    )


def _steps_within(steps: list[Written]) -> list[Written]:
    branches = [step for one in steps for branch in one.get("branches", ()) for step in branch]
    return [*steps, *branches]


def _expectation(written: object, where: str, named: set[str]) -> Expectation:
    found = taken(written, f"{where}, expect", {"at"}, {"must", "must_not", "check"})
    if str(found["at"]) not in named:
        raise Malformed(f"{where} expects something at {found['at']}, but no step has that id.")
    if len(found) == 1:
        raise Malformed(f"{where} expects nothing at {found['at']}: give must, must_not or check.")
    must, must_not = tuple(found.get("must", ())), tuple(found.get("must_not", ()))
    return Expectation(str(found["at"]), must, must_not, found.get("check", {}))


def taken(written: object, where: str, needed: AbstractSet[str], allowed: AbstractSet[str]) -> dict[str, Any]:
    """The fields of a mapping, none missing and none unknown, so that no slip of the pen goes unnoticed.

    Raises:
        Malformed: a field is missing or unknown, or it is no mapping.
    """
    if not isinstance(written, Mapping):
        raise Malformed(f"{where}: expected a mapping, not {written!r}.")
    missing, unknown = sorted(needed - set(written)), sorted(set(written) - needed - allowed)
    if missing or unknown:
        wrong = f"unknown: {', '.join(unknown)}" if unknown else f"missing: {', '.join(missing)}"
        known = ", ".join(sorted(needed | allowed))
        raise Malformed(f"{where}: {wrong}; the fields are {known}.")
    return dict(written)
