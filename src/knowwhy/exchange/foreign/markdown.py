"""Folders of Markdown notes with front matter: its fields are claims about the note, its words are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, Final

import yaml

from knowwhy.core.model import Draft
from knowwhy.errors import InvalidInput
from knowwhy.exchange.foreign.entry import Mapped, Unmapped, moment, plainly
from knowwhy.ingest.folder import pages_in
from knowwhy.ingest.observation import Observation

_FENCE: Final = "---"
_SUFFIXES: Final = (".md", ".markdown")
_TIMES: Final = ("updated", "modified", "date", "created")
_TITLES: Final = ("title", "name")


def markdown(path: Path) -> Iterator[Mapped | Unmapped]:
    """The items in the notes below a folder, in order of their paths."""
    for page in pages_in(path, lambda _path, _mark: False):
        if not page.path.casefold().endswith(_SUFFIXES):
            yield Unmapped("no Markdown; see sync", page.path)
        elif page.text is None:
            yield Unmapped(page.problem or "it could not be read", page.path)
        else:
            yield from _note(page.path, page.text, page.changed_at)


def _note(path: str, text: str, changed_at: datetime) -> Iterator[Mapped | Unmapped]:
    try:
        front, fields, words = parted(text)
    except InvalidInput as problem:
        yield Unmapped(problem.message, path)
        front, fields, words = "", {}, text
    title = next((str(fields[one]) for one in _TITLES if isinstance(fields.get(one), str)), "").strip()
    subject = title or Path(path).stem
    at = next((at for one in _TIMES if (at := moment(fields.get(one))) is not None), None)
    spoken = at or moment(changed_at.replace(tzinfo=UTC))
    claims, many = [], []
    for name, value in fields.items():
        plain = value if isinstance(value, list) else [value]
        if name in (*_TIMES, *_TITLES) or value is None:
            continue
        if not all(isinstance(one, str | int | float | bool | date) for one in plain):
            yield Unmapped("a field that holds more than plain values", f"{path}, {name}")
            continue
        claims += [Draft(subject, plainly(str(name)), one) for one in plain if str(one).strip()]
        many += [plainly(str(name))] if isinstance(value, list) else []
    if claims:
        said = Observation(path, front, claims, "document", spoken)
        yield Mapped(said, is_dated=at is not None, many=tuple(many))
    if words.strip():
        yield Mapped(Observation(path, words.strip(), (), "document", spoken), is_dated=at is not None)
    elif not claims:
        yield Unmapped("a note without words", path)


def parted(text: str) -> tuple[str, Mapping[str, Any], str]:
    """The front matter of a note as it is written, its fields, and the words below it.

    Raises:
        InvalidInput: the front matter is no YAML, or holds no fields.
    """
    lines = text.splitlines(keepends=True)
    if not lines or lines[0].rstrip() != _FENCE:
        return "", {}, text
    end = next((place for place, line in enumerate(lines[1:], 1) if line.rstrip() in (_FENCE, "...")), None)
    if end is None:
        return "", {}, text
    front = "".join(lines[1:end])
    try:
        fields = yaml.safe_load(front)
    except (yaml.YAMLError, ValueError) as problem:
        msg = "front matter that is no YAML: all of the note is taken as words"
        raise InvalidInput(msg) from problem
    if fields is None:
        return front, {}, "".join(lines[end + 1 :])
    if not isinstance(fields, dict):
        msg = "front matter that holds no fields: all of the note is taken as words"
        raise InvalidInput(msg)
    return front, {str(name): value for name, value in fields.items()}, "".join(lines[end + 1 :])
