"""Stories: what happens to a memory, in order, and what must come back; as they stand in their files.

A story is written in one of two forms: the plain one, what was `told` and what is `asked` (see `plain`), or
the full one, `steps` and what to `expect` of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from knowwhy.errors import InvalidInput, Malformed
from knowwhy.evaluation.plain import in_full
from knowwhy.evaluation.written import Written, documents, line_of, slip, taken


@dataclass(frozen=True, slots=True)
class Expectation:
    """What must come back at one step, and what must not; `line` says where it is written."""

    at: str
    must: tuple[Written, ...] = ()
    must_not: tuple[Written, ...] = ()
    check: Written = field(default_factory=dict)
    line: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Story:
    """What happens, in order, and what is expected at the steps that have a name."""

    id: str
    title: str
    steps: tuple[Written, ...]
    expect: tuple[Expectation, ...]
    kind: str = ""
    lang: str = ""
    reach: int | None = None
    file: str = ""


def stories_of(path: str | Path) -> tuple[Story, ...]:
    """The stories of one file: YAML, or JSON lines where its name ends in .jsonl.

    Raises:
        Malformed: they cannot be understood; file, line and field are named.
        InvalidInput: there is no such file, or it is not text.
    """
    path = Path(path)
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise InvalidInput(f"{path} cannot be read: {problem}.", file=str(path)) from problem
    try:
        found = documents(text, is_lines=path.suffix == ".jsonl")
        told = [story(one, f"{path.stem}-{number}") for number, one in enumerate(found, start=1)]
        _distinct(told)
    except Malformed as problem:
        raise in_file(problem, path.name) from problem
    if len(told) == 1 and told[0].id == f"{path.stem}-1":
        told = [replace(told[0], id=path.stem)]
    return tuple(replace(one, file=path.name) for one in told)


def in_file(problem: Malformed, name: str) -> Malformed:
    """The same slip, told with the file that it is in."""
    return Malformed(f"{name}, {problem.message}", **{**problem.details, "file": name})


def _distinct(told: Sequence[Story]) -> None:
    """Refuse a file without stories, or with two of one name."""
    if not told:
        raise Malformed("it holds no story.")
    seen: set[str] = set()
    for one in told:
        if one.id in seen:
            raise Malformed(f"two stories have the id {one.id}.", field="id")
        seen.add(one.id)


def story(written: object, default_id: str = "story") -> Story:
    """One story, in either form.

    Raises:
        Malformed: it cannot be understood.
    """
    full = in_full(written) if isinstance(written, dict) and "story" in written else written
    known = {"kind", "lang", "reach"}
    needed = {"title", "steps", "expect"} | (set() if full is not written else {"id"})
    found = taken(full, "a story", needed, known | {"id"})
    for word in ("steps", "expect"):
        if not isinstance(found[word], list) or not all(isinstance(one, dict) for one in found[word]):
            raise slip(f"{word} is a list of mappings.", full, word)
    named = {str(one["id"]) for one in _steps_within(found["steps"]) if "id" in one}
    return Story(
        id=str(found.get("id", default_id)),
        title=str(found["title"]),
        steps=tuple(found["steps"]),
        expect=tuple(_expectation(one, named) for one in found["expect"]),
        kind=str(found.get("kind", "")),
        lang=str(found.get("lang", "")),
        reach=found.get("reach"),
    )


def _steps_within(steps: list[Written]) -> list[Written]:
    branches = [step for one in steps for branch in one.get("branches", ()) for step in branch]
    return [*steps, *branches]


def _expectation(written: Any, named: set[str]) -> Expectation:  # noqa: ANN401 - whatever is written
    found = taken(written, "expect", {"at"}, {"must", "must_not", "check"})
    if str(found["at"]) not in named:
        raise slip(f"something is expected at {found['at']}, but no step has that id.", written, "at")
    if len(found) == 1:
        raise slip(f"nothing is expected at {found['at']}: give must, must_not or check.", written)
    must, must_not = tuple(found.get("must", ())), tuple(found.get("must_not", ()))
    return Expectation(str(found["at"]), must, must_not, found.get("check", {}), line_of(written))
