"""Evaluation sets as people write them: YAML or JSON lines, each mapping with the line that it stands on.

Dates, times and codes such as 001 or no stay the text that they are; only true, false, null and plain
numbers mean something else than their letters.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Final, TypeAlias

import yaml

from knowwhy.errors import Malformed

# One step of a story, one claim in it, one pattern of an expectation: a mapping, as it was written.
Written: TypeAlias = Mapping[str, Any]


class Lined(dict[str, Any]):
    """A mapping that knows on which line it stands, and on which its fields do."""

    def __init__(self, fields: Written, line: int, lines: Mapping[str, int]) -> None:
        super().__init__(fields)
        self.line = line
        self.lines = dict(lines)


class Loader(yaml.SafeLoader):
    """The loader that leaves all but true, false, null and plain numbers as the text that they are."""

    def construct_lined(self, node: yaml.MappingNode) -> Iterator[Lined]:
        """The mapping with its lines; the same field twice is a slip."""
        made = Lined({}, node.start_mark.line + 1, {})
        yield made
        for key_node, value_node in node.value:
            key, line = str(self.construct_object(key_node, deep=True)), key_node.start_mark.line + 1
            if key in made:
                raise Malformed(f"line {line}: {key} is given twice.", line=line, field=key)
            made[key] = self.construct_object(value_node, deep=True)
            made.lines[key] = line


Loader.add_constructor("tag:yaml.org,2002:map", Loader.construct_lined)
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


def documents(text: str, *, is_lines: bool) -> list[Any]:
    """What a file holds: its YAML documents, or one JSON document a line.

    Raises:
        Malformed: not YAML, or not JSON.
    """
    if is_lines:
        lines = enumerate(text.splitlines(), start=1)
        return [_of_line(line, number) for number, line in lines if line.strip()]
    try:
        found = list(yaml.load_all(text, Loader))
    except yaml.YAMLError as problem:
        mark = getattr(problem, "problem_mark", None)
        told = {} if mark is None else {"line": mark.line + 1}
        raise Malformed(f"this is not YAML: {problem}", **told) from problem
    return [one for one in found if one is not None]


def _of_line(line: str, number: int) -> Any:  # noqa: ANN401 - whatever is written
    try:
        return json.loads(line, object_pairs_hook=lambda pairs: _lined(pairs, number))
    except ValueError as problem:
        raise Malformed(f"line {number}: this is not JSON: {problem}", line=number) from problem


def _lined(pairs: list[tuple[str, Any]], line: int) -> Lined:
    return Lined(dict(pairs), line, {key: line for key, _ in pairs})


def line_of(written: object, field: str | None = None) -> int | None:
    """On which line something stands, or a field of it; None where it was not read from a file."""
    if not isinstance(written, Lined):
        return None
    return written.lines.get(field, written.line) if field is not None else written.line


def slip(message: str, written: object, field: str | None = None) -> Malformed:
    """A slip of the pen at a place: the message names the line, and the details line and field."""
    line = line_of(written, field)
    told: dict[str, object] = {} if line is None else {"line": line}
    told |= {} if field is None else {"field": field}
    return Malformed(message if line is None else f"line {line}: {message}", **told)


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
        raise slip(f"{where}: {wrong}; the fields are {known}.", written, (unknown or missing)[0])
    return dict(written)
