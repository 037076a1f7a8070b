"""The command line says what the library says, in words or as JSON, and exits by the kind of error.

Most commands run inside this process, for speed; what depends on a process of its own (pipes, signals, the
environment, several writers) runs the installed program.
"""

import contextlib
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

import knowwhy
from knowwhy import errors
from knowwhy.surfaces.cli import app
from knowwhy.surfaces.cli.failures import report
from tests.surfaces.program import PROGRAM, environment, ran, run

AT = ("--at", "2025-06-01")
TOPIC = ("order", "return window")
TIME = knowwhy.instant("2025-02-01")


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Give a memory with a rule that changed, a rumour against it, and an alias."""
    path = tmp_path / "shop.db"
    with knowwhy.open(path, clock=lambda: TIME) as memory:
        memory.declare("return window", value_type="number", unit="days", half_life_days=900)
        for source, kind, days, day in (
            ("policy 3.2", "official", 7, "2024-12-01"),
            ("policy 4.0", "official", 15, "2025-01-10"),
            ("a forum", "rumour", 30, "2025-01-20"),
        ):
            claim = ("order", "return window", days)
            memory.observe(
                f"{days} days.",
                source=source,
                source_type=kind,
                observed_at=day,
                claims=[claim],
                author="ann",
            )
        memory.alias("purchase", "order")
    return path


def read(path: Path, verb: Callable[[knowwhy.Memory], Any]) -> Any:  # noqa: ANN401 - as the verb gives
    """Give what a verb of the library says of a file, as plain JSON."""
    with knowwhy.open(path) as memory:
        said = verb(memory)
    shown = [one.as_dict() for one in said] if isinstance(said, tuple) else said
    return json.loads(json.dumps(shown if isinstance(shown, (list, dict)) else shown.as_dict()))


def at(memory: knowwhy.Memory) -> knowwhy.Reader:
    return memory.at(valid=AT[1])


READING: dict[str, tuple[tuple[str, ...], Callable[[knowwhy.Memory], Any]]] = {
    "ask": (("ask", *TOPIC, *AT), lambda m: at(m).ask(*TOPIC)),
    "ask all": (("ask", "order", *AT), lambda m: at(m).ask("order")),
    "ask under conditions": (
        ("ask", *TOPIC, *AT, "--when", "region=eu"),
        lambda m: at(m).ask(*TOPIC, conditions={"region": "eu"}),
    ),
    "ask as then known": (
        ("ask", *TOPIC, *AT, "--known", "2025-01-15"),
        lambda m: m.at(AT[1], "2025-01-15").ask(*TOPIC),
    ),
    "recall": (("recall", "return an order", *AT), lambda m: at(m).recall("return an order")),
    "recall more": (
        ("recall", "return an order", *AT, "--include", "superseded", "-n", "9", "--min-score", "0.01"),
        lambda m: at(m).recall("return an order", limit=9, min_score=0.01, include=["superseded"]),
    ),
    "trust": (("trust", *TOPIC, "30", *AT), lambda m: at(m).trust(*TOPIC, 30)),
    "why": (("why", "purchase", "return window", *AT), lambda m: at(m).why(*TOPIC)),
    "history": (("history", *TOPIC, *AT), lambda m: at(m).history(*TOPIC)),
    "conflicts": (("conflicts", *AT), lambda m: at(m).conflicts()),
    "conflicts about": (("conflicts", "order", *AT), lambda m: at(m).conflicts("order")),
    "log": (("log", "-n", "2", "--before", "4"), lambda m: m.log(limit=2, before=4)),
    "stats": (("stats",), lambda m: m.stats()),
    "doctor": (("doctor",), lambda m: m.doctor()),
}


@pytest.mark.parametrize("case", READING)
def test_a_reading_command_gives_what_the_library_gives(case: str, db: Path) -> None:
    words, verb = READING[case]
    told = run(*words, "--db", db, "--json")
    assert told.code == 0, told.err
    assert told.document == read(db, verb)


@pytest.mark.parametrize("case", READING)
def test_a_reading_command_says_it_in_the_words_of_the_library(case: str, db: Path) -> None:
    words, verb = READING[case]
    told = run(*words, "--db", db)
    assert told.code == 0, told.err
    with knowwhy.open(db) as memory:
        said = verb(memory)
    if isinstance(said, dict):
        said = "\n".join(f"{name} {count}" for name, count in said.items())
    lines = map(str, said) if isinstance(said, tuple) else [str(said)]
    assert " ".join(told.out.split()) == " ".join("\n".join(lines).split())


def test_why_takes_the_id_of_a_belief(db: Path) -> None:
    belief = run("ask", *TOPIC, "--db", db, "--json").document["beliefs"][0]["id"]
    assert run("why", belief, *AT, "--db", db, "--json").document == read(db, lambda m: at(m).why(belief))


@pytest.mark.parametrize("verb", ["ask", "recall"])
def test_an_answer_can_be_a_prompt(verb: str, db: Path) -> None:
    words = (verb, "order", *AT, "--db", db, "--prompt", "--max-tokens", "200")
    with knowwhy.open(db) as memory:
        due = getattr(at(memory), verb)("order").to_prompt(200)
    assert run(*words).out == due + "\n"
    assert run(*words, "--json").document == {"prompt": due}
    assert due


WRITING: dict[str, tuple[str, ...]] = {
    "declare": (
        *(
            "declare",
            "price",
            "--type",
            "number",
            "--unit",
            "EUR",
            "--half-life",
            "30",
            "--stale-below",
            "0.5",
        ),
        *("--synonym", "cost", "--author", "bob", "--reason", "why"),
    ),
    "declare many": ("declare", "colour", "--cardinality", "many", "--fixed"),
    "declare a pattern": ("declare", "price", "--pattern", "costs {value} euro", "--about", "shipping"),
    "observe": ("observe", "It is 20.", "--source", "ann", "--claim", *TOPIC, "20", "--unit", "days"),
    "observe words alone": ("observe", "Hello.", "--source", "ann", "--metadata", "mood=good", "--pinned"),
    "observe several": (
        *("observe", "--source", "ann", "--source-type", "user", "--observed-at", "2025-03-01"),
        *("--claim", "order", "colour", "red", "--claim", "order", "size", "-3", "--when", "region=eu"),
        *("--valid-from", "2025-01-01", "--valid-to", "2026-01-01", "--context", "chat 7"),
    ),
    "observe a denial": (
        *("observe", "--source", "bob", "--claim", *TOPIC, "15", "--stance", "refutes"),
        *("--authority", "60", "--reliability", "0.9", "--idempotency-key", "k1", "--reason", "why"),
    ),
    "end": ("end", *TOPIC, "--at", "2025-05-01", "--text", "It ended.", "--source", "ann"),
    "end one": ("end", *TOPIC, "15", "--author", "bob", "--reason", "why"),
    "correct": ("correct", *TOPIC, "14", "--was", "15", "--author", "bob", "--unit", "days"),
    "alias": ("alias", "deal", "order", "--author", "bob", "--reason", "why"),
    "unalias": ("unalias", "purchase", "order", "--author", "bob"),
}


@pytest.mark.parametrize("case", WRITING)
def test_a_writing_command_tells_the_outcome_that_the_log_keeps(case: str, db: Path) -> None:
    told = run(*WRITING[case], "--db", db, "--json")
    assert told.code == 0, told.err
    assert told.document == read(db, lambda m: m.log(limit=1)[0].outcome)
    entry = run("log", "-n", "1", "--db", db, "--json").document[0]
    assert entry["operation"] == told.document["operation"]
    words = WRITING[case]
    assert entry["author"] == ("bob" if "--author" in words else None)
    assert entry["reason"] == ("why" if "--reason" in words else None)


def test_evidence_is_withdrawn_by_its_id(db: Path) -> None:
    grounds = run("ask", *TOPIC, "--db", db, "--json").document["beliefs"][0]["grounds"]
    told = run("retract", grounds[0]["evidence"], "--reason", "a mistake", "--db", db, "--json")
    assert told.document == read(db, lambda m: m.log(limit=1)[0].outcome)
    assert run("ask", *TOPIC, "--db", db, "--json").document["beliefs"][0]["value"] != "15"


def test_a_repeat_says_so(db: Path) -> None:
    words = ("observe", "Hi.", "--source", "ann", "--observed-at", "2025-03-01", "--db", db)
    assert "nothing was written" not in run(*words).out
    assert "nothing was written" in run(*words).out


def test_rebuilding_changes_no_answer(db: Path) -> None:
    before = run("ask", "order", *AT, "--db", db, "--json").document
    told = run("rebuild", "--db", db, "--json")
    assert told.document == {"rebuilt": True, "counts": read(db, lambda m: m.stats())}
    assert run("ask", "order", *AT, "--db", db, "--json").document == before


def test_init_makes_a_memory_once(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    assert run("init", "--db", path, "--json").document == {"db": str(path), "made": True}
    assert run("init", "--db", path, "--json").document == {"db": str(path), "made": False}
    assert "memory already" in " ".join(run("init", "--db", path).out.split())


# Where options stand --------------------------------------------------------------------------------


def test_what_to_open_may_be_said_before_or_after_the_command(db: Path) -> None:
    due = read(db, lambda m: at(m).ask(*TOPIC))
    assert run("--db", db, "--json", "ask", *TOPIC, *AT).document == due
    assert run("--db", "elsewhere.db", "ask", *TOPIC, *AT, "--db", db, "--json").document == due


def test_spaces_are_apart(db: Path) -> None:
    run("--space", "other", "observe", "--source", "ann", "--claim", "order", "colour", "red", "--db", db)
    assert run("ask", "order", "colour", "--db", db, "--json").document["unknown"]
    assert not run("ask", "order", "colour", "--db", db, "--json", "--space", "other").document["unknown"]


def test_a_zone_reads_times_that_name_none(db: Path) -> None:
    when = ("--at", "2025-01-10T00:30")
    assert run("ask", *TOPIC, *when, "--db", db, "--json").error["error"] == "naive_time"
    zoned = run("ask", *TOPIC, *when, "--db", db, "--json", "--zone", "Asia/Shanghai")
    assert zoned.document["at"] == "2025-01-09T16:30:00Z"


def test_the_three_words_of_a_claim_may_look_like_options(db: Path) -> None:
    told = run("observe", "--db", db, "--source", "ann", "--claim", "--db", "flag", "--claim", "--json")
    assert told.code == 0, told.err
    change = told.document["changes"][0]
    assert (change["subject"], change["attribute"], change["value"]) == ("--db", "flag", "--claim")


def test_after_two_dashes_nothing_is_an_option(db: Path) -> None:
    told = run("observe", "--source", "ann", "--db", db, "--", "--claim")
    assert told.code == 0, told.err
    assert "--claim" in run("recall", "claim", "--db", db).out


# Words from elsewhere -------------------------------------------------------------------------------


def test_words_come_from_a_pipe_or_a_file(db: Path, tmp_path: Path) -> None:
    words = "\ufeffErste Zeile: größer.\r\n第二行。\n".encode()
    (tmp_path / "said.txt").write_bytes(words)
    known = ("--source", "ann", "--observed-at", "2025-03-01", "--db", db, "--json")
    run("observe", "-", *known, stdin=words)
    run("observe", "--file", tmp_path / "said.txt", *known)
    passages = run("recall", "Zeile", "--db", db, "--json").document["passages"]
    said = {passage["text"] for passage in passages}
    assert said == {"Erste Zeile: größer.\r\n第二行。", "Erste Zeile: größer.\r\n第二行。\n"}


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("observe", "-"), 2, "--source"),
        (("observe", "--source", "ann"), 2, "text"),
        (("observe", "x", "--file", "y", "--source", "ann"), 2, "not both"),
        (("observe", "--file", "missing.txt", "--source", "ann"), 3, "missing.txt"),
        (("observe", "--jsonl", "missing.jsonl"), 3, "missing.jsonl"),
        (("observe", "x", "--jsonl", "y"), 2, "say it in the lines"),
        (("observe", "--jsonl", "y", "--expected-version", "3"), 2, "say it in the lines"),
        (("observe", "x", "--source", "ann", "--unit", "days"), 2, "need a --claim"),
        (("observe", "x", "--source", "ann", "--claim", "a", "b"), 2, "three words"),
        (("observe", "x", "--source", "ann", "--claim=a"), 2, "SUBJECT ATTRIBUTE VALUE"),
        (("observe", "x", "--source", "ann", "--when", "eu", "--claim", "a", "b", "c"), 2, "key=value"),
    ],
)
def test_what_does_not_go_together_is_said(words: tuple[str, ...], code: int, says: str, db: Path) -> None:
    told = run("--db", db, "--json", *words, stdin=b"words")
    assert (told.code, says in told.error["message"]) == (code, True), told.err


def test_bytes_that_are_no_text_are_refused(db: Path) -> None:
    told = run("observe", "-", "--source", "ann", "--db", db, "--json", stdin=b"\xff\xfe")
    assert (told.code, "UTF-8" in told.error["message"]) == (2, True)


# Errors ---------------------------------------------------------------------------------------------

FAILURES: dict[str, tuple[tuple[str, ...], int]] = {
    "invalid_input": (("ask", "order", "--at", "soon"), 2),
    "type_mismatch": (("observe", "--source", "ann", "--claim", *TOPIC, "long"), 2),
    "not_found": (("retract", "ev_0"), 3),
    "version_conflict": (("end", *TOPIC, "--expected-version", "1"), 4),
    "undeclared_attribute": (("observe", "--strict", "--source", "ann", "--claim", "a", "b", "c"), 5),
    "unsupported": (("--db", "mysql://here/shop", "stats"), 7),
}


@pytest.mark.parametrize("code", FAILURES)
def test_a_failure_exits_with_the_code_of_its_kind(code: str, db: Path) -> None:
    words, exit_code = FAILURES[code]
    place = () if "--db" in words else ("--db", str(db))
    told = run(*words, *place, "--json")
    assert told.code == exit_code, told.err
    assert told.error["error"] == code
    plain = run(*words, *place)
    assert plain.code == exit_code
    assert not plain.out
    assert told.error["message"] in plain.err


def test_a_key_used_twice_is_a_conflict(db: Path) -> None:
    words = ("--source", "ann", "--db", db, "--idempotency-key", "k", "--json")
    assert run("observe", "One.", *words).code == 0
    assert run("observe", "One.", *words).document["is_repeat"] is True
    told = run("observe", "Two.", *words)
    assert (told.code, told.error["error"]) == (4, "idempotency_conflict")


def test_a_stale_version_is_told_the_current_one(db: Path) -> None:
    told = run("correct", *TOPIC, "14", "--expected-version", "1", "--db", db, "--json")
    current = told.error["details"]["current_version"]
    again = run("correct", *TOPIC, "14", "--expected-version", str(current), "--db", db, "--json")
    assert (told.code, again.code) == (4, 0)


OURS = [
    one
    for one in vars(errors).values()
    if isinstance(one, type) and issubclass(one, errors.KnowwhyError) and one is not errors.KnowwhyError
]


@pytest.mark.parametrize("kind", OURS, ids=lambda kind: kind.code)
def test_every_error_is_reported_by_its_own_code(
    kind: type[errors.KnowwhyError], capsys: pytest.CaptureFixture[str]
) -> None:
    error = kind("Do this.", retry_after=1.0)
    assert report(error, is_json=True) == kind.exit_code
    assert json.loads(capsys.readouterr().err) == error.as_dict()


def test_what_nobody_foresaw_is_a_fault(capsys: pytest.CaptureFixture[str]) -> None:
    assert report(ZeroDivisionError("oh"), is_json=False) == 70
    said = capsys.readouterr().err
    assert "ZeroDivisionError: oh" in said
    assert "Traceback" not in said


def test_a_name_that_may_mean_several_lists_them(db: Path) -> None:
    run("observe", "--source", "ann", "--claim", "bill", "colour", "red", "--db", db)
    run("alias", "it", "order", "--db", db)
    run("alias", "it", "bill", "--db", db)
    asked = run("ask", "it", "--db", db, "--json").document
    assert {one["name"] for one in asked["candidates"]} == {"order", "bill"}
    told = run("why", "it", "colour", "--db", db)
    assert told.code == 2
    assert all(one["id"] in told.err for one in asked["candidates"])


@pytest.mark.parametrize(
    "words", [("ask",), ("nothing",), ("ask", "x", "--unheard"), ("log", "--limit", "many"), ("why",)]
)
def test_a_misused_command_line_exits_with_2(words: tuple[str, ...]) -> None:
    told = run(*words)
    assert (told.code, told.out) == (2, "")
    assert "--help" in told.err
    assert run(*words, "--json").error["error"] == "invalid_input"


READERS = (
    "ask x",
    "recall x",
    "trust x y z",
    "why x y",
    "history x y",
    "conflicts",
    "log",
    "stats",
    "doctor",
)
NEEDING = (
    "end x y",
    "retract ev_0",
    "correct x y z",
    "give-up x y",
    "derive x y z --from bl_0",
    "withdraw-rule x",
    "alias x y",
    "unalias x y",
    "rebuild",
)


@pytest.mark.parametrize("line", READERS + NEEDING)
def test_a_memory_that_is_not_there_is_not_made(line: str, tmp_path: Path) -> None:
    told = run(*line.split(), "--db", tmp_path / "typo.db", "--json")
    assert (told.code, told.error["error"]) == (3, "not_found")
    assert "init" in told.error["message"]
    assert not list(tmp_path.iterdir())


def test_a_file_that_is_something_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Mine.", encoding="utf-8")
    told = run("stats", "--db", path, "--json")
    assert (told.code, told.error["error"]) == (2, "invalid_input")
    assert path.read_text(encoding="utf-8") == "Mine."


def test_a_view_that_the_log_does_not_give_is_found_and_mended(db: Path) -> None:
    with contextlib.closing(apsw.Connection(str(db))) as file:
        file.execute("DELETE FROM beliefs")
    told = run("doctor", "--db", db, "--json")
    assert (told.code, told.document["healthy"]) == (70, False)
    assert "rebuild" in run("doctor", "--db", db).out
    assert run("rebuild", "--db", db).code == 0
    assert run("doctor", "--db", db).code == 0


def test_a_damaged_file_is_a_fault(db: Path) -> None:
    size = db.stat().st_size
    with db.open("r+b") as file:
        file.seek(4_096)
        file.write(b"\xff" * (size - 4_096))
    told = run("log", "--db", db, "--json")
    assert (told.code, told.error["error"]) == (70, "fault")
    assert "damaged" in told.error["message"]


# The program ----------------------------------------------------------------------------------------


def test_help_names_every_command() -> None:
    told = run("--help")
    assert told.code == 0
    for command in app.registered_commands:
        assert command.callback is not None
        name = command.callback.__name__.replace("_", "-")
        assert f" {name} " in told.out
        assert run(name, "--help").code == 0
    assert run().out == told.out


def test_the_version_is_printed() -> None:
    assert run("--version").out == f"knowwhy {knowwhy.__version__}\n"


def test_the_environment_names_the_memory(db: Path, tmp_path: Path) -> None:
    told = ran("ask", *TOPIC, *AT, "--json", folder=tmp_path, env={"KNOWWHY_DB": str(db)})
    assert told.document == read(db, lambda m: at(m).ask(*TOPIC))
    told = ran("ask", *TOPIC, "--json", folder=tmp_path)
    assert told.error["details"] == {"db": "knowwhy.db"}


def test_a_traceback_is_shown_to_those_who_ask(tmp_path: Path) -> None:
    words = ("ask", "order", "--db", "none.db")
    assert "Traceback" not in ran(*words, folder=tmp_path).err
    assert "Traceback" in ran(*words, folder=tmp_path, env={"KNOWWHY_DEBUG": "1"}).err
    told = ran(*words, "--json", folder=tmp_path, env={"KNOWWHY_DEBUG": "1"})
    assert "Traceback" in told.error["traceback"]


def test_a_reader_that_goes_away_is_no_failure(db: Path, tmp_path: Path) -> None:
    with subprocess.Popen(
        [PROGRAM, "log", "--db", db],
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_a_poor_terminal_gets_escapes_that_mean_the_same(db: Path, tmp_path: Path) -> None:
    run("observe", "--source", "ann", "--claim", "order", "colour", "grün 绿", "--db", db)
    ascii_only = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    told = ran("ask", "order", "colour", "--db", db, "--json", folder=tmp_path, env=ascii_only)
    assert told.out.isascii()
    assert told.document["beliefs"][0]["value"] == "grün 绿"
    assert (
        "gr\\xfcn \\u7eff" in ran("ask", "order", "colour", "--db", db, folder=tmp_path, env=ascii_only).out
    )


def test_several_programs_write_at_once(tmp_path: Path) -> None:
    writers, lines = 4, 25
    for writer in range(writers):
        said = [
            {
                "source": f"agent {writer}",
                "subject": f"ticket {line}",
                "attribute": "owner",
                "value": f"{writer}",
            }
            for line in range(lines)
        ]
        text = "".join(json.dumps(one) + "\n" for one in said)
        (tmp_path / f"{writer}.jsonl").write_text(text, encoding="utf-8")
    running = [
        subprocess.Popen(
            [PROGRAM, "--db", "shared.db", "observe", "--jsonl", f"{writer}.jsonl", "--json"],
            cwd=tmp_path,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for writer in range(writers)
    ]
    ended = [process.communicate(timeout=120) for process in running]
    assert [process.returncode for process in running] == [0] * writers, ended
    assert (
        ran("stats", "--db", "shared.db", "--json", folder=tmp_path).document["evidence"] == writers * lines
    )
    assert ran("doctor", "--db", "shared.db", folder=tmp_path).code == 0


def test_a_shell_can_complete_commands(tmp_path: Path) -> None:
    asked = {"_KNOWWHY_COMPLETE": "complete_bash", "COMP_WORDS": "knowwhy re", "COMP_CWORD": "1"}
    assert set(ran(folder=tmp_path, env=asked).out.split()) == {
        "rebuild",
        "recall",
        "reextract",
        "retract",
        "release",
        "resolve",
        "retry",
    }
