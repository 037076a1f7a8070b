"""The README and the docs tell the truth: what they show runs, and prints what they show.

A page (README.md, docs/tutorial/*.md, docs/howto/*.md) is played from top to bottom in one fresh folder:

- A ```python block runs. All blocks of a page share one process and its names, so a later block goes on where
  an earlier one stopped. If the next block of the page is ```text, that is what it must have printed.
- A ```console block holds commands, each on a line that starts with `$ ` (a trailing backslash continues it);
  the lines until the next command are what it must write to standard output. A command runs in a shell of its
  own, with this environment's programs first on PATH, and must exit with 0; to show a failure, write
  `$ command || echo $?`.
- Where nothing is expected, any output will do. Trailing blanks do not count. `...` stands for any text in a
  line, and alone on a line for any number of lines: use it for what changes from run to run.
- Commands that start with make, git, pip or cd do not run, but a make target must exist. Other blocks (```sh,
  ```toml, plain ``` and so on) are for reading.
- A python or console block right below a line `<!-- not run: REASON -->` is left out, for the reason given.
- The folder is empty but for a link to examples/. Output is plain: no colour, 100 columns. Warnings are
  errors, the home folder is empty, and what whoever runs the tests has set for knowwhy (KNOWWHY_*) is hidden.
"""

import difflib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from threading import Timer
from typing import IO, Self

import pytest

from tests.architecture.reading import ROOT, report

PAGES = (
    "README.md",
    *sorted(
        page.relative_to(ROOT).as_posix()
        for folder in ("tutorial", "howto")
        for page in (ROOT / "docs" / folder).glob("*.md")
    ),
)
READ_ONLY = frozenset({"cd", "git", "make", "pip"})
SECONDS = 120  # for one command, and for all Python of one page

# What runs the Python of a page: one block in, what it printed out, as lines of JSON.
PLAYER = """
import contextlib, io, json, os, sys, traceback
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
names = {"__name__": "__main__"}
for line in sys.stdin:
    block, printed, failure = json.loads(line), io.StringIO(), ""
    with contextlib.redirect_stdout(printed):
        try:
            exec(compile(block["code"], block["page"], "exec"), names)
        except BaseException:
            failure = traceback.format_exc()
    print(json.dumps({"printed": printed.getvalue(), "failure": failure}), file=answers, flush=True)
"""


@dataclass(frozen=True)
class Block:
    """A fenced block of a page: its language, its text from which line on, and whether it must not run."""

    language: str
    text: str
    line: int
    is_left_out: bool


@dataclass(frozen=True)
class Command:
    """A command of a console block, and what the page shows below it."""

    text: str
    expected: str | None
    line: int


def blocks_of(page: str) -> Iterator[Block]:
    """Give the fenced blocks of a page, in order."""
    lines = page.splitlines()
    at = 0
    while at < len(lines):
        opening = re.match(r"(`{3,})([\w+-]*)", lines[at])
        at += 1
        if not opening:
            continue
        fence, language = opening.groups()
        start = at
        while at < len(lines) and lines[at].rstrip() != fence:
            at += 1
        above = lines[start - 2].strip() if start > 1 else ""
        is_left_out = re.fullmatch(r"<!-- not run: \S.* -->", above) is not None
        yield Block(language, "\n".join(lines[start:at]), start + 1, is_left_out)
        at += 1


def commands_of(block: Block) -> Iterator[Command]:
    """Give the commands of a console block, in order; lines before the first one are a command that fails."""
    lines = block.text.splitlines()
    at = 0
    while at < len(lines):
        start = at
        while at < len(lines) and lines[at].endswith("\\"):
            at += 1
        at += 1
        text = "\n".join(lines[start:at]).removeprefix("$ ")
        shown = at
        while at < len(lines) and not lines[at].startswith("$ "):
            at += 1
        yield Command(text, "\n".join(lines[shown:at]) or None, block.line + start)


def differences(expected: str | None, printed: str) -> str:
    """Give how a print differs from what the page shows; nothing if it does not."""
    if expected is None:
        return ""
    shown, got = _plain(expected), _plain(printed)
    pattern = "".join(
        r"(?:.*\n)*" if line.strip() == "..." else ".*".join(map(re.escape, line.split("..."))) + r"\n"
        for line in shown
    )
    if re.fullmatch(pattern, "".join(f"{line}\n" for line in got)):
        return ""
    return "\n".join(difflib.unified_diff(shown, got, "the page shows", "it printed", lineterm=""))


class Stage:
    """Where a page is played: a folder, an environment, and one Python process for all its blocks."""

    def __init__(self, folder: Path) -> None:
        home, self._here = folder / "home", folder / "here"
        home.mkdir()
        self._here.mkdir()
        (self._here / "examples").symlink_to(ROOT / "examples")
        self._environment = _environment(home)
        self._python = subprocess.Popen(
            [sys.executable, "-c", PLAYER],
            cwd=self._here,
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self._limit = Timer(SECONDS, self._python.kill)

    def __enter__(self) -> Self:
        self._limit.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._limit.cancel()
        self._python.kill()
        self._python.communicate()

    def python(self, page: str, block: Block) -> tuple[str, str]:
        """Run a block, and give what it printed and how it failed."""
        code = "\n" * (block.line - 1) + block.text  # so that a traceback has the page's line numbers
        asked, answers = _open(self._python.stdin), _open(self._python.stdout)
        asked.write(json.dumps({"page": page, "code": code}) + "\n")
        asked.flush()
        answer = json.loads(answers.readline() or '{"printed": "", "failure": "the process died"}')
        return answer["printed"], answer["failure"]

    def command(self, command: Command) -> tuple[str, str]:
        """Run a command, and give what it wrote and how it failed."""
        done = subprocess.run(
            ["sh", "-c", command.text],
            cwd=self._here,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=SECONDS,
            check=False,
        )
        failure = f"exit status {done.returncode}\n{done.stdout}{done.stderr}" if done.returncode else ""
        return done.stdout, failure


def untruths(name: str, page: str, stage: Stage) -> Iterator[str]:
    """Play a page, and give each place where what happens is not what it shows."""
    blocks = [*blocks_of(page), Block("", "", 0, is_left_out=False)]
    for block, following in pairwise(blocks):
        if block.is_left_out:
            continue
        if block.language == "python":
            expected = following.text if following.language == "text" else None
            yield from _untruth(f"{name}:{block.line}", expected, *stage.python(name, block))
        elif block.language == "console":
            for command in commands_of(block):
                place = f"{name}:{command.line}: $ {command.text}"
                if (program := command.text.split()[0]) not in READ_ONLY:
                    yield from _untruth(place, command.expected, *stage.command(command))
                elif program == "make" and (unknown := _unknown_targets(command.text)):
                    yield f"{place}: the Makefile has no target {', '.join(unknown)}"


@pytest.mark.parametrize("name", PAGES)
def test_what_the_pages_show_is_true(name: str, tmp_path: Path) -> None:
    page = ROOT / name
    assert page.exists(), f"{name} is missing"
    with Stage(tmp_path) as stage:
        found = list(untruths(name, page.read_text(encoding="utf-8"), stage))
    assert not found, report(found)


def _page(*blocks: str) -> str:
    """Give a page of such blocks, each written as its language, a line end, and its text."""
    return "\n\nSome prose.\n\n".join(f"```{block}\n```" for block in blocks)


@pytest.mark.parametrize(
    "page",
    [
        _page("python\nprint(1)", "text\n1"),
        _page("python\nprint(1)", "python\nprint(2)", "text\n2"),
        _page("python\nx = 1", "console\n$ true", "python\nprint(x)", "text\n1"),
        _page("python\nopen('a', 'w').write('b')", "console\n$ cat a\nb"),
        _page("python\nprint('id 7f3a', *'ab', sep='\\n')", "text\nid ...\n..."),
        _page("console\n$ echo a \\\n  b\na b\n$ false || echo $?\n1\n$ echo free"),
        _page("console\n$ make test\n$ git clone nowhere\n$ cd nowhere"),
        _page("console\n$ ls -d examples\nexamples"),
        _page("sh\nfalse", "text\nnothing"),
        "<!-- not run: it needs a key -->\n" + _page("python\n1 / 0"),
    ],
)
def test_a_true_page_passes(page: str, tmp_path: Path) -> None:
    with Stage(tmp_path) as stage:
        found = list(untruths("PAGE.md", page, stage))
    assert not found, report(found)


@pytest.mark.parametrize(
    ("page", "finding"),
    [
        (_page("python\nprint(1)", "text\n2"), "PAGE.md:2:\n--- the page shows\n+++ it printed\n"),
        (_page("python\nprint('a')\nprint('b')", "text\na"), "+b"),
        (_page("text\na", "python\n\n1 / 0"), 'File "PAGE.md", line 9'),
        (_page("python\nimport warnings\nwarnings.warn('old')"), "UserWarning: old"),
        (_page("python\nraise SystemExit"), "SystemExit"),
        (_page("python\nimport os\nos._exit(1)"), "the process died"),
        (_page("console\n$ true\n$ echo a\nb"), "PAGE.md:3: $ echo a:\n"),
        (_page("console\n$ false"), "exit status 1"),
        (_page("console\nno-such-program"), "exit status 127"),
        (_page("console\n$ make install no-such ARGS=-x"), "the Makefile has no target no-such"),
        ("<!-- not run: -->\n" + _page("python\n1 / 0"), "ZeroDivisionError"),
    ],
)
def test_an_untrue_page_is_found(page: str, finding: str, tmp_path: Path) -> None:
    with Stage(tmp_path) as stage:
        found = list(untruths("PAGE.md", page, stage))
    assert len(found) == 1, report(found)
    assert finding in found[0]


def _untruth(place: str, expected: str | None, printed: str, failure: str) -> Iterator[str]:
    if wrong := failure or differences(expected, printed):
        yield f"{place}:\n{wrong}"


def _plain(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().splitlines()]


def _unknown_targets(command: str) -> list[str]:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    known = set(re.findall(r"^\.PHONY: (\w+)$", makefile, flags=re.MULTILINE))
    words = command.split()[1:]
    return [word for word in words if "=" not in word and not word.startswith("-") and word not in known]


def _environment(home: Path) -> Mapping[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("KNOWWHY_", "XDG_"))}
    programs = Path(sys.executable).parent
    return kept | {
        "COLUMNS": "100",
        "HOME": str(home),
        "NO_COLOR": "1",
        "PATH": f"{programs}{os.pathsep}{kept.get('PATH', os.defpath)}",
        "PYTHONUTF8": "1",
        "PYTHONWARNINGS": "error",
        "TERM": "dumb",
    }


def _open(stream: IO[str] | None) -> IO[str]:
    assert stream is not None
    return stream
