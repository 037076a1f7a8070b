"""The public names: `knowwhy/__init__.py` lists them and holds nothing else, and each says what it gives.

A noun, that is a public class other than an error, needs a row in `docs/glossary.md`: a table row whose first
cell has the class's name, as written (`BeliefVersion`) or as words (belief version). For errors see
test_errors.py.
"""

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from types import ModuleType

import pytest

import knowwhy
from tests.architecture.reading import ROOT, SOURCES, Module, parsed, report

GLOSSARY = ROOT / "docs" / "glossary.md"
PUBLIC: Mapping[str, object] = {name: getattr(knowwhy, name, None) for name in knowwhy.__all__}
NOUNS = sorted(
    name for name, value in PUBLIC.items() if isinstance(value, type) and not issubclass(value, BaseException)
)


def more_than_names(module: Module) -> Iterator[str]:
    """Give the statements of a package's front that are no import, no `__all__` and no `__version__`."""
    for node in module.tree.body:
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_import = isinstance(node, ast.Import | ast.ImportFrom)
        if not (is_docstring or is_import or _assigned(node) in {"__all__", "__version__"}):
            yield module.at(node, "knowwhy/__init__.py holds the public names alone: define this in its room")


def unexplained(name: str, value: object) -> str | None:
    """Say what is wrong with a public name's docstring, if anything is."""
    if isinstance(value, ModuleType | type) or inspect.isroutine(value):
        own = vars(value).get("__doc__") if isinstance(value, type) else inspect.getdoc(value)
        first = (own or "").strip().partition("\n")[0]
        if not first or first.startswith(f"{name}("):  # what dataclasses write when nobody did
            return f"knowwhy.{name} needs a docstring whose first line says what it gives"
    return None


def rows_of(glossary: str) -> set[str]:
    """Give the first cells of a glossary's table rows, in lower case and without marks."""
    cells = re.findall(r"^\|([^|]+)\|", glossary, flags=re.MULTILINE)
    return {cell.strip().lower() for cell in cells}


def has_row(noun: str, rows: set[str]) -> bool:
    """Tell whether some row is about the noun."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", noun)
    term = re.compile(rf"\b({re.escape(noun)}|{re.escape(words)})\b", re.IGNORECASE)
    return any(term.search(row) for row in rows)


def test_public_names_are_there_and_say_what_they_give() -> None:
    missing = [f"knowwhy.{name} is in __all__ but not there" for name in PUBLIC if not hasattr(knowwhy, name)]
    silent = [says for name, value in PUBLIC.items() if (says := unexplained(name, value))]
    assert not missing + silent, report(missing + silent)


def test_the_front_of_the_package_holds_names_alone() -> None:
    front = SOURCES / "__init__.py"
    found = list(more_than_names(parsed(front.name, front.read_text(encoding="utf-8"))))
    assert not found, report(found)


def test_every_public_noun_has_a_row_in_the_glossary() -> None:
    rows = rows_of(GLOSSARY.read_text(encoding="utf-8"))
    nameless = [noun for noun in NOUNS if not has_row(noun, rows)]
    missing = [f"{noun} has no row in docs/glossary.md: say there what it is" for noun in nameless]
    assert not missing, report(missing)


@pytest.mark.parametrize(
    "text", ["def f(): ...", "class A: ...", "LIMIT = 3", "if True:\n    import a", "f()"]
)
def test_more_than_names_is_found(text: str) -> None:
    assert list(more_than_names(parsed("__init__.py", text)))


def test_names_alone_pass() -> None:
    text = '"""Doc."""\nfrom a import b\nimport c\n__all__ = ["b"]\n__version__: str = "1"'
    assert not list(more_than_names(parsed("__init__.py", text)))


def test_a_silent_name_is_found() -> None:
    silent = type("Silent", (), {})
    generated = type("Slot", (), {"__doc__": "Slot(subject: str)"})
    inheriting = type("Belief", (type("Parent", (), {"__doc__": "Say."}),), {})
    assert unexplained("Silent", silent)
    assert unexplained("Slot", generated)
    assert unexplained("Belief", inheriting)
    assert unexplained("f", lambda: None)
    assert unexplained("Told", type("Told", (), {"__doc__": "What it gives."})) is None
    assert unexplained("rows_of", rows_of) is None
    assert unexplained("VERSION", "0.1.0") is None


@pytest.mark.parametrize(
    ("noun", "there"),
    [("Belief", True), ("BeliefVersion", True), ("AsyncMemory", True), ("Lief", False), ("Sure", False)],
)
def test_a_row_is_found_by_name_or_by_words(noun: str, *, there: bool) -> None:
    glossary = (
        "| word | is |\n|---|---|\n| **belief** | sure |\n| belief version | x |\n| `AsyncMemory` | x |\n"
    )
    assert has_row(noun, rows_of(glossary)) is there


def _assigned(node: ast.stmt) -> str | None:
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case _:
            return None
