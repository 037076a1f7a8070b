"""What was stored is shown as it is: it colours nothing, moves no cursor and turns no letters around."""

import contextlib
import io
import json
import os
import pty
import re
import subprocess
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knowwhy
from knowwhy.surfaces.cli.screen import as_json, plain, show
from tests.surfaces.program import PROGRAM, environment, run

ESCAPES = "\x1b[2J\x1b]0;title\x07\x9b31m\x7f\b\r"
MARKUP = "[bold red]loud[/] [link=file:///etc]x[/link] :smile: [/]"
TURNED = "\u202eabc\u2066\u200f"
ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Give a memory whose every text tries to act on the terminal."""
    path = tmp_path / "hostile.db"
    with knowwhy.open(path) as memory:
        hostile = ESCAPES + MARKUP + TURNED
        memory.observe(f"Say {hostile} twice", source=f"src {hostile}", source_type="web", author=hostile)
        for source, colour in ((f"src {hostile}", f"red {hostile}"), ("b", "blue")):
            claim = (f"order {hostile}", f"colour {hostile}", colour)
            memory.observe(
                source=source, source_type="web", claims=[claim], observed_at="2025-01-10", reason=hostile
            )
    return path


COMMANDS = (("recall", "say twice order colour"), ("log",), ("conflicts",), ("doctor",))


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_stored_text_never_acts_on_the_terminal(words: tuple[str, ...], db: Path) -> None:
    told = run(*words, "--db", db)
    assert told.code == 0, told.err
    assert not acting(told.out)
    if words != ("doctor",):  # it names attributes by their keys, which have no such characters
        assert "\\x1b[2J" in told.out
    assert "[bold red]loud[/]" in " ".join(told.out.split())
    assert ":smile:" in told.out


def test_what_a_caller_typed_does_not_act_either(db: Path) -> None:
    for words in (["why", ESCAPES, MARKUP], ["ask", MARKUP], [f"no{MARKUP}"], ["ask", "x", "--at", MARKUP]):
        told = run(*words, "--db", db)
        assert not acting(told.out + told.err)
        assert "bold red" in told.out + told.err


def test_a_terminal_gets_our_colours_and_none_of_theirs(db: Path) -> None:
    shown = on_a_terminal("conflicts", "--db", str(db), folder=db.parent)
    assert "\x1b[33m" in shown
    assert not acting(ANSI.sub("", shown.replace("\r\n", "\n")))
    assert "\x1b[2J" not in shown
    assert "\x1b[31m" not in shown


def test_a_long_load_shows_its_progress_on_a_terminal(tmp_path: Path) -> None:
    lines = (f'{{"source": "a", "text": "line {number}"}}\n' for number in range(50))
    (tmp_path / "[red]a.jsonl").write_text("".join(lines), encoding="utf-8")
    shown = on_a_terminal("--db", "m.db", "observe", "--jsonl", "[red]a.jsonl", folder=tmp_path)
    assert "observing [red]a.jsonl" in shown
    assert "100%" in shown
    assert "50 lines stored" in shown


def on_a_terminal(*words: str, folder: Path) -> str:
    """Run the program on a terminal of its own, and give what it wrote there."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [PROGRAM, *words], cwd=folder, env=environment(TERM="xterm"), stdout=theirs, stderr=theirs
    ) as process:
        os.close(theirs)
        written = b""
        while True:
            try:
                part = os.read(ours, 65_536)
            except OSError:  # how Linux says that the other side is closed
                break
            if not part:
                break
            written += part
    os.close(ours)
    assert process.returncode == 0, written
    return written.decode("utf-8")


@given(st.text())
def test_plain_text_holds_nothing_that_acts(text: str) -> None:
    assert not acting(plain(text))


def test_plain_text_keeps_what_people_write() -> None:
    kept = "Grüße, 退货期限 15 天 👩‍👩‍👧 हिन्दी\nסוף"
    assert plain(kept) == kept


@given(
    st.recursive(st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner))
)
def test_json_is_safe_to_print_and_means_the_same(document: object) -> None:
    for is_ascii in (False, True):
        written = as_json(document, is_ascii=is_ascii)
        assert json.loads(written) == document
        assert not acting(written)
        assert written.isascii() or not is_ascii


@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=["Cc", "Cf"])))
def test_laying_out_loses_no_words(text: str) -> None:
    with_capture = laid_out(text)
    assert with_capture.split() == plain(text).split()


def test_long_lines_go_on_below_and_words_stay_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    words = laid_out(
        "  a belief " + "退货期限 " * 12 + "bl_0123456789abcdef0123456789abcdef0123456789abcdef"
    ).splitlines()
    assert words[0].startswith("  a belief")
    assert all(line.startswith("      ") for line in words[1:])
    assert all(width(line) <= 40 for line in words[:-1])
    assert words[-1].strip() == "bl_0123456789abcdef0123456789abcdef0123456789abcdef"


def laid_out(text: str) -> str:
    """Give what `show` writes of a text."""
    with contextlib.redirect_stdout(io.StringIO()) as written:
        show(text, None, is_json=False)
    return written.getvalue()


def width(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(mark) in "WF" else 1 for mark in line)


def acting(text: str) -> list[str]:
    """Give the characters that a terminal, or the order of letters on it, would obey."""
    turning = "\u061c\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
    return [
        mark
        for mark in text
        if (unicodedata.category(mark) in ("Cc", "Cs") and mark != "\n") or mark in turning
    ]
