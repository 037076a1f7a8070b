"""The errors: each says by its category what the caller should do, and by its code which one it is.

The categories, their HTTP status and their exit code are part of what we promise. They are repeated here so
that changing one is a decision.
"""

import ast
import builtins
import re
from collections.abc import Iterable, Iterator

import pytest

from knowwhy import errors
from tests.architecture.reading import Module, classes, findings, modules, parsed, report

CATEGORIES = {  # name: (status, exit code)
    "InvalidInput": (422, 2),
    "NotFound": (404, 3),
    "Conflict": (409, 4),
    "Refused": (403, 5),
    "Unavailable": (503, 6),
    "Unsupported": (501, 7),
    "Fault": (500, 70),
}
# Signals between two of our own layers, which never reach a caller: where defined, and what.
SIGNALS = frozenset({("store/protocol.py", "StaleRead"), ("store/postgres/faults.py", "Interrupted")})
CODE = re.compile(r"[a-z][a-z0-9]*([._-][a-z0-9]+)*")

OURS = tuple(
    value
    for name, value in vars(errors).items()
    if isinstance(value, type) and issubclass(value, BaseException) and not name.startswith("_")
)
ERROR_NAMES = {error.__name__ for error in OURS} | {
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
}


def faults_of(defined: Iterable[type[BaseException]]) -> Iterator[str]:
    """Give what is wrong with error classes that should form one tree."""
    owners: dict[str, str] = {}
    for error in defined:
        name = error.__name__
        line = [ancestor.__name__ for ancestor in error.__mro__]
        if not (vars(error).get("__doc__") or "").strip():
            yield f"{name} needs a docstring: when it is raised"
        if "KnowwhyError" not in line:
            yield f"{name} must derive from KnowwhyError, so that one except clause catches all of ours"
        if name == "KnowwhyError":
            continue
        categories = [ancestor for ancestor in line if ancestor in CATEGORIES]
        if len(categories) != 1:
            yield f"{name} must have exactly one category of {', '.join(CATEGORIES)}, not {categories}"
        elif _at_the_doors(error) != (promised := CATEGORIES[categories[0]]):
            yield f"{name} is {categories[0]}: its (status, exit_code) must stay {promised}"
        code = vars(error).get("code")
        if not isinstance(code, str) or not CODE.fullmatch(code):
            yield f"{name} needs a `code` of its own, in lower case: callers match on it"
        elif (owner := owners.setdefault(code, name)) != name:
            yield f"{name} and {owner} share the code {code!r}: give each its own"


def errors_elsewhere(module: Module) -> Iterator[str]:
    """Give the error classes a caller may meet that are defined outside errors.py."""
    if module.is_in("errors.py"):
        return
    for node in classes(module):
        bases = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
        is_signal = node.name.startswith("_") or (str(module.path), node.name) in SIGNALS
        if bases & ERROR_NAMES and not is_signal:
            yield module.at(node, f"{node.name} is an error: define it in errors.py, where the tree is read")


def test_errors_form_one_tree_with_stable_codes() -> None:
    assert {error.__name__ for error in OURS} >= {"KnowwhyError", *CATEGORIES}
    found = list(faults_of(OURS))
    assert not found, report(found)


def test_errors_are_defined_in_one_place() -> None:
    found = findings([errors_elsewhere], modules())
    assert not found, report(found)


class KnowwhyError(Exception):
    """A root, like the real one."""


class NotFound(KnowwhyError):
    """A category, like the real one."""

    code = "not_found"
    status = 404
    exit_code = 3


def _error(name: str, parent: type[Exception] = NotFound, **body: object) -> type[Exception]:
    return type(name, (parent,), {"__doc__": "Say when.", "code": name.lower(), **body})


def test_sound_errors_pass() -> None:
    assert list(faults_of([KnowwhyError, NotFound, _error("SlotMissing"), _error("ViewMissing")])) == []


@pytest.mark.parametrize(
    ("unsound", "finding"),
    [
        (_error("Bare", __doc__=None), "Bare needs a docstring"),
        (_error("Stray", LookupError), "Stray must derive from KnowwhyError"),
        (_error("Vague", KnowwhyError), "Vague must have exactly one category"),
        (_error("Odd", status=400), "Odd is NotFound: its (status, exit_code) must stay (404, 3)"),
        (_error("Off", exit_code=1), "Off is NotFound: its (status, exit_code) must stay (404, 3)"),
        (_error("Loud", code="LOUD"), "Loud needs a `code` of its own"),
        (type("Silent", (NotFound,), {"__doc__": "Say when."}), "Silent needs a `code` of its own"),
        (_error("Twin", code="not_found"), "Twin and NotFound share the code 'not_found'"),
    ],
)
def test_an_unsound_error_is_found(unsound: type[Exception], finding: str) -> None:
    found = list(faults_of([KnowwhyError, NotFound, unsound]))
    assert any(each.startswith(finding) for each in found), report(found)


@pytest.mark.parametrize("base", ["Exception", "ValueError", "NotFound", "errors.Refused"])
def test_an_error_defined_elsewhere_is_found(base: str) -> None:
    assert list(errors_elsewhere(parsed("engine/x.py", f"class Lost({base}): ...")))
    assert not list(errors_elsewhere(parsed("engine/x.py", f"class _Lost({base}): ...")))


def _at_the_doors(error: type[BaseException]) -> tuple[object, object]:
    return getattr(error, "status", None), getattr(error, "exit_code", None)
