"""The walls: how big a thing may grow, where it may import, and words no name of ours may have.

In every memory project that came before, the façade became the house. A wall that stands in the way says
that a concept is missing: name it, and give it its own file, class or value.
"""

import ast
import re
from collections.abc import Iterator
from itertools import chain

import pytest

from tests.architecture.reading import (
    FUNCTIONS,
    SOURCES,
    Check,
    Function,
    Module,
    classes,
    findings,
    functions,
    modules,
    parsed,
    report,
)

FILE_LINES = 600
CLASS_LINES = 300
FUNCTION_LINES = 60
PARAMETERS = 10
STORE_OPERATIONS = 20

FORBIDDEN_WORDS = frozenset({"base", "common", "data", "info"}) | {
    word + plural
    for word in ("handler", "helper", "item", "manager", "processor", "service", "util")
    for plural in ("", "s")
}
# Terms of the trade that hold such a word, and one method whose name Python's mappings fix.
TERMS = frozenset({("base", "rate"), ("belief", "base")})
GIVEN_NAMES = frozenset({"items"})


def long_files(module: Module) -> Iterator[str]:
    lines = len(module.text.splitlines())
    if lines > FILE_LINES:
        yield module.at(module.tree, f"{lines} lines, at most {FILE_LINES}: which missing concept splits it?")


def long_classes(module: Module) -> Iterator[str]:
    for node in classes(module):
        if (lines := _lines(node)) > CLASS_LINES:
            yield module.at(node, f"class {node.name} has {lines} lines, at most {CLASS_LINES}: split it")


def long_functions(module: Module) -> Iterator[str]:
    for node in functions(module):
        if (lines := _lines(node)) > FUNCTION_LINES:
            yield module.at(node, f"{node.name} has {lines} lines, at most {FUNCTION_LINES}: name its steps")


def many_parameters(module: Module) -> Iterator[str]:
    bodies = chain.from_iterable(node.body for node in classes(module))
    methods = {child for child in bodies if isinstance(child, FUNCTIONS) and not _is_static(child)}
    for node in functions(module):
        given = node.args
        plain = [*given.posonlyargs, *given.args, *given.kwonlyargs]
        stars = [star for star in (given.vararg, given.kwarg) if star]
        count = len(plain) + len(stars) - (node in methods)
        if count > PARAMETERS:
            says = f"{node.name} takes {count} parameters, at most {PARAMETERS}: make a value of some"
            yield module.at(node, says)


def wide_store_protocol(module: Module) -> Iterator[str]:
    if not module.is_in("store/protocol.py"):
        return
    protocols = [node for node in module.tree.body if isinstance(node, ast.ClassDef) and _is_protocol(node)]
    count = sum(isinstance(child, FUNCTIONS) for node in protocols for child in node.body)
    if count > STORE_OPERATIONS:
        says = f"the store protocol has {count} methods, at most {STORE_OPERATIONS}: each store has them all"
        yield module.at(module.tree, says)


def late_imports(module: Module) -> Iterator[str]:
    if module.is_in("providers", "surfaces"):
        return
    for function in functions(module):
        for node in ast.walk(function):
            if isinstance(node, ast.Import | ast.ImportFrom):
                says = f"import inside {function.name}: move it to the top (providers and surfaces alone may)"
                yield module.at(node, says)


def empty_words(module: Module) -> Iterator[str]:
    places = [(module.tree, part.removesuffix(".py")) for part in module.path.parts]
    defined = [(node, node.name) for node in (*classes(module), *functions(module))]
    for node, name in (*places, *defined):
        for word in _empty_words(name):
            yield module.at(node, f"{name} says {word!r}, which names nothing: say what it is or does")


def missing_docstrings(module: Module) -> Iterator[str]:
    if not (ast.get_docstring(module.tree) or "").strip():
        yield module.at(module.tree, "the module needs a docstring: what it gives, in one line")


CHECKS: tuple[Check, ...] = (
    long_files,
    long_classes,
    long_functions,
    many_parameters,
    wide_store_protocol,
    late_imports,
    empty_words,
    missing_docstrings,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_package_stays_inside_its_walls(check: Check) -> None:
    assert modules(), f"no module below {SOURCES.name}"
    found = findings([check], modules())
    assert not found, report(found)


def _lines_of(header: str, count: int) -> str:
    """Give a class or function of so many lines."""
    return "\n".join((header, *("    pass" for _ in range(count - 1))))


def _parameters(count: int) -> str:
    return ", ".join(f"p{index}" for index in range(count))


def _protocol(count: int) -> str:
    operations = "\n".join(f"    def operation_{index}(self) -> None: ..." for index in range(count))
    return f"class Store(Protocol):\n{operations}"


@pytest.mark.parametrize(
    ("check", "path", "text", "finding"),
    [
        (long_files, "x.py", "a = 1\n" * 601, "x.py:1: 601 lines"),
        (long_classes, "x.py", _lines_of("class A:", 301), "x.py:1: class A has 301 lines"),
        (long_functions, "x.py", _lines_of("def f():", 61), "x.py:1: f has 61 lines"),
        (long_functions, "x.py", _lines_of("async def f():", 61), "x.py:1: f has 61 lines"),
        (many_parameters, "x.py", f"def f({_parameters(11)}): ...", "f takes 11 parameters"),
        (many_parameters, "x.py", f"def f({_parameters(9)}, *a, **k): ...", "f takes 11 parameters"),
        (many_parameters, "x.py", f"def f({_parameters(5)}, *, {_parameters(6)[4:]}, k): ...", "f takes 11"),
        (wide_store_protocol, "store/protocol.py", _protocol(21), "has 21 methods"),
        (late_imports, "engine/x.py", "def f():\n    import json", "engine/x.py:2: import inside f"),
        (late_imports, "recall/x.py", "class A:\n    def f(self):\n        from a import b", "x.py:3: "),
        (empty_words, "core/utils.py", "", "utils says 'utils'"),
        (empty_words, "common/x.py", "", "common says 'common'"),
        (empty_words, "x.py", "class BeliefManager: ...", "BeliefManager says 'manager'"),
        (empty_words, "x.py", "class HTTPHandler: ...", "HTTPHandler says 'handler'"),
        (empty_words, "x.py", "def load_data(): ...", "load_data says 'data'"),
        (empty_words, "x.py", "class A:\n    def _get_info(self): ...", "_get_info says 'info'"),
        (missing_docstrings, "x.py", "a = 1", "x.py:1: the module needs a docstring"),
    ],
)
def test_a_wall_holds(check: Check, path: str, text: str, finding: str) -> None:
    found = findings([check], [parsed(path, text)])
    assert len(found) == 1, report(found)
    assert finding in found[0]


@pytest.mark.parametrize(
    ("check", "path", "text"),
    [
        (long_files, "x.py", "a = 1\n" * 600),
        (long_classes, "x.py", _lines_of("class A:", 300)),
        (long_functions, "x.py", _lines_of("def f():", 60)),
        (many_parameters, "x.py", f"def f({_parameters(10)}): ..."),
        (many_parameters, "x.py", f"class A:\n    def f(self, {_parameters(10)}): ..."),
        (many_parameters, "x.py", f"class A:\n    @classmethod\n    def f(cls, {_parameters(10)}): ..."),
        (wide_store_protocol, "store/protocol.py", _protocol(20)),
        (wide_store_protocol, "engine/verbs.py", _protocol(21)),
        (late_imports, "providers/x.py", "def f():\n    import json"),
        (late_imports, "engine/x.py", "import json"),
        (empty_words, "core/metadata.py", "class Database: ...\ndef with_base_rate(): ..."),
        (empty_words, "x.py", "class BeliefBase:\n    def items(self): ..."),
        (missing_docstrings, "x.py", '"""What x gives."""'),
    ],
)
def test_a_wall_leaves_room(check: Check, path: str, text: str) -> None:
    found = findings([check], [parsed(path, text)])
    assert not found, report(found)


def _lines(node: ast.ClassDef | Function) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _is_static(function: Function) -> bool:
    return any(isinstance(mark, ast.Name) and mark.id == "staticmethod" for mark in function.decorator_list)


def _is_protocol(node: ast.ClassDef) -> bool:
    return any("Protocol" in ast.unparse(base) for base in node.bases)


def _empty_words(name: str) -> list[str]:
    if name in GIVEN_NAMES:
        return []
    words = [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]
    in_terms = {
        place + step
        for place in range(len(words) - 1)
        if (words[place], words[place + 1]) in TERMS
        for step in (0, 1)
    }
    return [word for place, word in enumerate(words) if word in FORBIDDEN_WORDS and place not in in_terms]
