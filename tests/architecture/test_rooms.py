"""The rooms: what may be said in one place only.

`ARCHITECTURE.md` asks of every line which room it belongs to. These checks hold the answers a machine can
see; the direction of imports is held by import-linter (see test_layers.py).
"""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.architecture.reading import Check, Module, findings, imports, modules, parsed, report, uses

DRIVERS = frozenset(
    {"apsw", "asyncpg", "pg8000", "psycopg", "psycopg2", "psycopg_pool", "sqlalchemy", "sqlite3"}
)
ENVIRONMENT = frozenset({"os.environ", "os.environb", "os.getenv", "os.getenvb", "os.putenv", "os.unsetenv"})
CLOCKS = frozenset(
    {
        "datetime.date.today",
        "datetime.datetime.now",
        "datetime.datetime.today",
        "datetime.datetime.utcnow",
        "time.gmtime",
        "time.localtime",
        "time.time",
        "time.time_ns",
    }
)

# A string is SQL when it has a statement's capitals anywhere, or reads as one from its start, in any case.
SQL = re.compile(
    r"""
      \b(?: SELECT\s | INSERT\s(?:OR\s\w+\s)?INTO\s | UPDATE\s+\S+\s+SET\s | DELETE\s+FROM\s | PRAGMA\s )
    | \b(?: CREATE | DROP | ALTER )\s+(?:\w+\s+)?(?: TABLE | INDEX | VIEW | TRIGGER )\b
    | \A\s*(?: select\s.+\sfrom\s | insert\s(?:or\s\w+\s)?into\s+\w+\s*[(] | delete\sfrom\s\w+\s+where\s
           | (?:create|drop|alter)\s+(?:table|index|view|trigger)\s | pragma\s )
    | \A\s*(?: BEGIN(?:\sIMMEDIATE|\sEXCLUSIVE)? | COMMIT | ROLLBACK | SAVEPOINT\s\w+ );?\s*\Z
    """,
    re.VERBOSE | re.DOTALL,
)


def drivers_outside_their_store(module: Module) -> Iterator[str]:
    if not _is_in_an_engine(module):
        for node, name in imports(module):
            if (driver := name.partition(".")[0]) in DRIVERS:
                yield module.at(node, f"{driver} is a database driver: it belongs to store/<engine>/ alone")


def sql_outside_its_store(module: Module) -> Iterator[str]:
    if not _is_in_an_engine(module):
        for node, text in _strings(module.tree):
            if SQL.search(text):
                yield module.at(node, "this string is SQL: say it in store/<engine>/, behind the protocol")


def environment_outside_settings(module: Module) -> Iterator[str]:
    if not module.is_in("settings.py"):
        for node, name in _used_or_imported(module, ENVIRONMENT):
            yield module.at(node, f"{name}: settings.py alone reads the environment; take it as an argument")


def clocks_outside_the_clock(module: Module) -> Iterator[str]:
    if not module.is_in("engine/clock.py"):
        for node, name in _used_or_imported(module, CLOCKS):
            yield module.at(node, f"{name}: engine/clock.py alone knows the time; take it as an argument")


def prints_outside_surfaces(module: Module) -> Iterator[str]:
    if not module.is_in("surfaces"):
        for node, name in uses(module):
            if name in {"print", "builtins.print", "rich.print"}:
                yield module.at(node, "print: a door speaks, nothing behind it does; return the value")


CHECKS: tuple[Check, ...] = (
    drivers_outside_their_store,
    sql_outside_its_store,
    environment_outside_settings,
    clocks_outside_the_clock,
    prints_outside_surfaces,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_every_line_is_in_its_room(check: Check) -> None:
    found = findings([check], modules())
    assert not found, report(found)


@pytest.mark.parametrize(
    ("check", "path", "text"),
    [
        (drivers_outside_their_store, "engine/x.py", "import apsw"),
        (drivers_outside_their_store, "store/memory.py", "import sqlite3 as s"),
        (drivers_outside_their_store, "recall/x.py", "def f():\n    from apsw.ext import index_info_to_dict"),
        (sql_outside_its_store, "engine/x.py", "q = 'SELECT 1'"),
        (sql_outside_its_store, "recall/x.py", "q = f'SELECT {columns} FROM claims'"),
        (sql_outside_its_store, "recall/x.py", "q = '''\n  with t as (SELECT a FROM b)\n'''"),
        (sql_outside_its_store, "store/memory.py", "q = 'insert into claims (a) values (?)'"),
        (sql_outside_its_store, "surfaces/x.py", "q = 'CREATE UNIQUE INDEX a ON b (c)'"),
        (sql_outside_its_store, "surfaces/x.py", "q = 'PRAGMA user_version'"),
        (sql_outside_its_store, "engine/x.py", "run('BEGIN IMMEDIATE')"),
        (environment_outside_settings, "engine/x.py", "import os\nhome = os.environ['HOME']"),
        (environment_outside_settings, "engine/x.py", "import os as o\nhome = o.getenv('HOME')"),
        (environment_outside_settings, "engine/x.py", "from os import environ"),
        (clocks_outside_the_clock, "core/x.py", "import time\nnow = time.time()"),
        (clocks_outside_the_clock, "core/x.py", "from time import time"),
        (clocks_outside_the_clock, "engine/x.py", "from datetime import datetime\nclock = datetime.now"),
        (clocks_outside_the_clock, "engine/x.py", "import datetime as d\nnow = d.datetime.utcnow()"),
        (clocks_outside_the_clock, "recall/x.py", "from datetime import date\nnow = date.today()"),
        (prints_outside_surfaces, "engine/x.py", "print('hello')"),
        (prints_outside_surfaces, "engine/x.py", "from rich import print as show\nshow('hello')"),
    ],
)
def test_a_line_in_the_wrong_room_is_found(check: Check, path: str, text: str) -> None:
    found = findings([check], [parsed(path, text)])
    assert len(found) >= 1
    assert all(finding.startswith(f"{path}:") for finding in found), report(found)


@pytest.mark.parametrize(
    ("check", "path", "text"),
    [
        (drivers_outside_their_store, "store/sqlite/connection.py", "import apsw"),
        (sql_outside_its_store, "store/sqlite/reading.py", "q = 'SELECT 1'"),
        (sql_outside_its_store, "engine/x.py", '"""SELECT is what a store says."""'),
        (sql_outside_its_store, "engine/x.py", "m = 'Select one from the list, or delete from the end.'"),
        (sql_outside_its_store, "engine/x.py", "m = 'Update the source, set its authority, and commit.'"),
        (environment_outside_settings, "settings.py", "import os\nhome = os.environ['HOME']"),
        (environment_outside_settings, "engine/x.py", "import os\nhere = os.getcwd()\nenviron = 1"),
        (clocks_outside_the_clock, "engine/clock.py", "import time\nnow = time.time_ns()"),
        (clocks_outside_the_clock, "engine/x.py", "import time\nstart = time.perf_counter()"),
        (clocks_outside_the_clock, "core/x.py", "def f(clock):\n    return clock.now(), self.datetime.now()"),
        (prints_outside_surfaces, "surfaces/cli/x.py", "print('hello')"),
        (prints_outside_surfaces, "engine/x.py", "fingerprint('hello')"),
    ],
)
def test_a_line_in_its_room_passes(check: Check, path: str, text: str) -> None:
    found = findings([check], [parsed(path, text)])
    assert not found, report(found)


def _is_in_an_engine(module: Module) -> bool:
    store, *rest = module.path.parts
    return store == "store" and len(rest) > 1


def _used_or_imported(module: Module, names: frozenset[str]) -> Iterator[tuple[ast.AST, str]]:
    for node, name in (*imports(module), *uses(module)):
        if name in names:
            yield node, name


def _strings(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Give every string but docstrings; of an f-string, its parts with ? where a value goes."""
    passed: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):  # a string that nobody takes: a docstring
            passed.add(node.value)
        elif isinstance(node, ast.JoinedStr) and node not in passed:
            passed.update(node.values)
            parts = (str(part.value) if isinstance(part, ast.Constant) else "?" for part in node.values)
            yield node, "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in passed:
            yield node, node.value
