"""Our own source files, as the architecture tests read them.

A check takes one `Module` and yields one finding, a sentence with its place, for each line that breaks
its rule. Checks stand in tables: one test runs them over every module of the package, others show each
check snippets that it must report and near misses that it must let pass.
"""

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import TypeAlias

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "src" / "knowwhy"

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Module:
    """One source file: where it lies inside the package, and what it says."""

    path: PurePosixPath
    text: str
    tree: ast.Module

    def is_in(self, *places: str) -> bool:
        """Tell whether the module is one of these files, or lies in one of these folders."""
        return any(self.path.is_relative_to(place) for place in places)

    def at(self, node: ast.AST, says: str) -> str:
        """Put the place before what a finding says."""
        return f"{self.path}:{getattr(node, 'lineno', 1)}: {says}"


Check: TypeAlias = Callable[[Module], Iterator[str]]


def parsed(path: str, text: str) -> Module:
    """Give the module that such a file would be."""
    return Module(PurePosixPath(path), text, ast.parse(text, filename=path))


@cache
def modules(sources: Path = SOURCES) -> tuple[Module, ...]:
    """Give every module below a folder, in the order of their paths."""
    paths = sorted(sources.rglob("*.py"))
    return tuple(
        parsed(path.relative_to(sources).as_posix(), path.read_text(encoding="utf-8")) for path in paths
    )


def findings(checks: Iterable[Check], read: Iterable[Module]) -> list[str]:
    """Give what the checks find in the modules."""
    checks = tuple(checks)
    return [finding for module in read for check in checks for finding in check(module)]


def report(found: Iterable[str]) -> str:
    """Give the findings as the message of a failing assertion."""
    return "\n".join(("", *found))


def classes(module: Module) -> Iterator[ast.ClassDef]:
    """Give every class of the module, inner ones too."""
    return (node for node in ast.walk(module.tree) if isinstance(node, ast.ClassDef))


def functions(module: Module) -> Iterator[Function]:
    """Give every function and method of the module, inner ones too."""
    return (node for node in ast.walk(module.tree) if isinstance(node, FUNCTIONS))


def imports(module: Module) -> Iterator[tuple[ast.AST, str]]:
    """Give each imported name in full: `from os import environ as e` is os.environ."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from ((node, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from ((node, f"{node.module}.{alias.name}") for alias in node.names)


def uses(module: Module) -> Iterator[tuple[ast.AST, str]]:
    """Give each name used, spelled out through imports: after `import os as o`, o.environ is os.environ."""
    spelled = _bindings(module)
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Name):
            yield node, spelled.get(node.id, node.id)
        elif isinstance(node, ast.Attribute):
            root, rest = _chain(node)
            if root in spelled:
                yield node, f"{spelled[root]}.{rest}"


def _bindings(module: Module) -> dict[str, str]:
    spelled: dict[str, str] = {}
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.partition(".")[0]
                spelled[alias.asname or first] = alias.name if alias.asname else first
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                spelled[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return spelled


def _chain(node: ast.Attribute) -> tuple[str | None, str]:
    parts: list[str] = []
    inner: ast.expr = node
    while isinstance(inner, ast.Attribute):
        parts.append(inner.attr)
        inner = inner.value
    return (inner.id if isinstance(inner, ast.Name) else None), ".".join(reversed(parts))
