"""The verbs as a door offers them to programs elsewhere: each with what it takes, as JSON can say it.

Read off the signatures of `Memory`, so that a verb and its parameters are the same on every such door.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from types import GenericAlias, UnionType
from typing import Annotated, Any, Final, Literal, Union, cast, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from knowwhy.core.model import Draft
from knowwhy.engine.branching import Branching
from knowwhy.engine.memory import Memory
from knowwhy.engine.reader import Reader
from knowwhy.errors import InvalidInput, NotFound
from knowwhy.ingest.observation import LATER, Observation
from knowwhy.providers.extraction import Extractor
from knowwhy.recall.answer import Recollection

# Verbs that a program elsewhere does not call, and why.
NOT_OFFERED: Final[Mapping[str, str]] = {
    "at": "valid, known and branch beside what a verb takes",
    "on": "branch beside what a verb takes",
    "in_run": "run beside what a verb takes",
    "seen_by": "who calls is known by the key",
    "shared_with": "share beside what a verb takes",
    "close": "the service opens and closes its memories",
    "export": "it writes a file on the disk of the service: a caller's text never becomes a path",
    "import_from": "it reads a file on the disk of the service; observe_many takes what is in one",
    "backup": "it writes a file on the disk of the service, with all its memories",
    "sync": "a folder lies on the caller's disk: observe_document tells each file",
}
# What a program cannot hand over: things of this process and this disk.
_NEVER: Final = (Extractor, Recollection, Branching, Path, datetime, date, Decimal)

# Verbs that look and write nothing, though they have no time to be read at.
_LOOKING: Final = frozenset(
    (
        *("branches", "changes", "diff", "duplicates", "erasures", "grants", "incomplete", "log"),
        *("preview_forget", "preview_merge", "questions", "queue", "show", "snapshots", "stats", "what_if"),
    )
)

Scalar = str | int | float | bool


class Claim(BaseModel):
    """A claim: that the attribute of the subject has a value, under conditions, for a time."""

    model_config = ConfigDict(extra="forbid")


class Told(BaseModel):
    """One thing that a source said: its words, its claims, or both."""

    model_config = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class Verb:
    """One verb: its name, what it takes as a model, whether it reads as of a time, and its first line.

    `several` names the parameter that the verb takes one by one, if there is one; `branches` those that
    name a branch here, where the library would take a file as well.
    """

    name: str
    takes: type[BaseModel]
    is_reading: bool
    summary: str
    several: str | None = None
    branches: frozenset[str] = frozenset()

    @property
    def path(self) -> str:
        """Its name as an address has it."""
        return self.name.replace("_", "-")

    @property
    def writes(self) -> bool:
        """Whether calling it may change the memory."""
        return not self.is_reading and self.name not in _LOOKING

    def placed(
        self,
        memory: Memory,
        *,
        valid: str | None = None,
        known: str | None = None,
        branch: str | None = None,
        share: Sequence[str] | None = None,
        run: str | None = None,
    ) -> Reader:
        """The memory on the branch, as of the times, in the run and with the readers that are asked for.

        Raises:
            InvalidInput: the verb has no use for one of them.
            NotFound: there is no such branch.
        """
        if self.is_reading:
            if share is not None or run is not None:
                msg = f"{self.name} writes nothing: share and run say nothing to it."
                raise InvalidInput(msg)
            return memory.at(valid=valid, known=known, branch=branch)
        if valid is not None or known is not None:
            msg = f"{self.name} does not read as of a time: leave valid and known out."
            raise InvalidInput(msg)
        line = memory if branch is None else memory.on(branch)
        if share is not None:
            line = line.shared_with(*(one for one in share if one != "nobody"))
        return line if run is None else line.in_run(run)

    def call(self, desk: Reader, given: BaseModel) -> Any:  # noqa: ANN401 - whatever the verb gives
        """What the verb gives for what was handed over; what was left out is left to the verb.

        Raises:
            NotFound: what is to be merged is no branch of the memory; no file is ever looked for.
        """
        named = {name: _plain(getattr(given, name)) for name in given.model_fields_set}
        for name in self.branches & named.keys():
            _check_branch(cast("Memory", desk), named[name])
        several = () if self.several is None else named.pop(self.several, ())
        return getattr(desk, self.name)(*_first(self, named, several), *several, **named)


def _first(verb: Verb, named: dict[str, Any], several: Sequence[Any]) -> list[Any]:
    """What stands before the parameters that are taken one by one."""
    if verb.several is None or not several:
        return []
    before = list(inspect.signature(getattr(Memory, verb.name)).parameters)[1:]
    return [named.pop(name) for name in before[: before.index(verb.several)]]


def _check_branch(memory: Memory, name: str) -> None:
    if name not in {one.name for one in memory.branches()}:
        msg = f"{name!r} is no branch of this memory; see `branches`."
        raise NotFound(msg)


def problems_in(failure: ValidationError) -> list[dict[str, str]]:
    """What a model has against what was handed over: where, and what."""
    return [
        {"at": ".".join(map(str, one["loc"])) or "arguments", "problem": one["msg"]}
        for one in failure.errors()
    ]


@cache
def verbs() -> Mapping[str, Verb]:
    """Every verb that is offered, by name."""
    found = {}
    for name, method in inspect.getmembers(Memory, callable):
        if name.startswith("_") or name in NOT_OFFERED:
            continue
        lines = (inspect.getdoc(method) or "").splitlines()
        takes = create_model(
            "".join(map(str.capitalize, name.split("_"))),
            __config__=ConfigDict(extra="forbid"),
            **dict(_parameters(method)),
        )
        several = next(
            (
                key
                for key, one in inspect.signature(method).parameters.items()
                if one.kind is one.VAR_POSITIONAL
            ),
            None,
        )
        branches = frozenset(
            key for key, kind in get_type_hints(method).items() if Branching in get_args(kind)
        )
        found[name] = Verb(name, takes, hasattr(Reader, name), lines[0] if lines else name, several, branches)
    return found


def _parameters(method: Callable[..., Any]) -> Iterator[tuple[str, Any]]:
    hints = get_type_hints(method)
    for name, one in inspect.signature(method).parameters.items():
        if one.kind is inspect.Parameter.VAR_KEYWORD:
            (group,) = get_args(hints[name])
            yield from ((key, (_at_door(kind), None)) for key, kind in get_type_hints(group).items())
        elif name != "self" and not _is_callable(hints[name]):
            is_many = one.kind is inspect.Parameter.VAR_POSITIONAL
            kind = _list_of(hints[name]) if is_many else _at_door(hints[name])
            is_needed = one.default is inspect.Parameter.empty and not is_many
            yield name, (kind, ... if is_needed else () if is_many else one.default)


def _is_callable(kind: object) -> bool:
    return any(get_origin(one) is Callable for one in (kind, *get_args(kind)))


def _at_door(kind: Any) -> Any:  # noqa: ANN401 - a type
    """The type as JSON can carry it."""
    if kind is Observation:
        return observation_model()
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        if Draft in args:
            return claim_model() | list[Scalar]
        kept = [_at_door(one) for one in args if one not in _NEVER]
        if Extractor in args and bool in args:
            kept = [bool, Literal[LATER]]
        return Union[tuple(kept)]  # noqa: UP007 - put together as it runs
    if origin in (Sequence, Collection, Iterable):
        return _list_of(args[0])
    if origin is Mapping:
        return GenericAlias(dict, (str, _at_door(args[1])))
    return kind


def _list_of(kind: Any) -> Any:  # noqa: ANN401 - a type
    return GenericAlias(list, (_at_door(kind),))


@cache
def claim_model() -> type[BaseModel]:
    """A claim as a document: the fields of `Draft`."""
    hints = get_type_hints(Draft)
    given: dict[str, Any] = {
        one.name: (_at_door(hints[one.name]), ... if one.name in ("subject", "attribute", "value") else None)
        for one in fields(Draft)
    }
    given |= {
        "stance": (str, None),
        "modality": (str, None),
        "depends_on": (list[Annotated[list[str], Field(min_length=2, max_length=2)]], None),
    }
    return create_model("Claim", __base__=Claim, **given)


@cache
def observation_model() -> type[BaseModel]:
    """An observation as a document: the fields of `Observation`."""
    hints = get_type_hints(Observation)
    given: dict[str, Any] = {
        one.name: (_at_door(hints[one.name]), ... if one.name == "source" else None)
        for one in fields(Observation)
    }
    return create_model("Observation", __base__=Told, **given)


def _plain(value: Any) -> Any:  # noqa: ANN401 - whatever a model holds
    """What a model holds, in the library's own words.

    Raises:
        InvalidInput: half a character, which no text holds: JSON can write it, and nothing can store it.
    """
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError as failure:
            msg = f"{value[:40]!r} holds half a character (a surrogate of its own); send whole ones."
            raise InvalidInput(msg) from failure
        return value
    if isinstance(value, dict):
        return {_plain(key): _plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, Told):
        named = {name: _plain(getattr(value, name)) for name in value.model_fields_set}
        return Observation(**named)
    if isinstance(value, BaseModel):
        return {name: _plain(getattr(value, name)) for name in value.model_fields_set}
    return value
