"""Groups of options that commands share: a dataclass in the signature, its fields on the command line."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from inspect import Parameter
from typing import Any, get_type_hints

import typer

Command = Callable[..., None]


def spread(command: Command) -> Command:
    """The command as typer is to see it: every parameter that is a dataclass stands as its fields' options.

    When it runs, the values are gathered again. A group with a method `within(outer)` is given what
    was said before the command's name, so that its options may stand on either side of it.
    """
    declared = inspect.signature(command, eval_str=True).parameters
    groups: dict[str, Any] = {
        name: one.annotation for name, one in declared.items() if is_dataclass(one.annotation)
    }
    flat = [one for name, one in declared.items() if name not in groups and name != "ctx"]
    flat += [option for group in groups.values() for option in _options(group)]

    def spreading(ctx: typer.Context, **given: Any) -> None:  # noqa: ANN401 - whatever its options are
        gathered = {name: _gathered(group, given, ctx.obj) for name, group in groups.items()}
        plain = {name: given[name] for name in declared if name in given}
        own = {"ctx": ctx} if "ctx" in declared else {}
        command(**own, **plain, **gathered)

    shown = [Parameter("ctx", Parameter.KEYWORD_ONLY, annotation=typer.Context)]
    shown += [one.replace(kind=Parameter.KEYWORD_ONLY) for one in flat]
    spreading.__name__, spreading.__doc__ = command.__name__, command.__doc__
    spreading.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    spreading.__annotations__ = {one.name: one.annotation for one in shown}
    return spreading


def _options(group: Any) -> Iterator[Parameter]:  # noqa: ANN401 - a dataclass
    hints = get_type_hints(group, include_extras=True)
    for field in fields(group):
        default = Parameter.empty if field.default is MISSING else field.default
        yield Parameter(field.name, Parameter.KEYWORD_ONLY, default=default, annotation=hints[field.name])


def _gathered(group: Any, given: Mapping[str, Any], outer: object) -> object:  # noqa: ANN401 - a dataclass
    gathered = group(**{field.name: given[field.name] for field in fields(group)})
    if isinstance(outer, group) and hasattr(gathered, "within"):
        return gathered.within(outer)
    return gathered
