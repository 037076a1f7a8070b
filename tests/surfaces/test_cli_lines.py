"""observe --jsonl: every line or a clear stop at the first bad one, and going on where it stopped."""

import json
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path

import pytest

import knowwhy
from knowwhy.surfaces.cli import jsonl, loading
from knowwhy.surfaces.cli.jsonl import FORMAT, observation
from tests.surfaces.program import Ran, run

DAY = "2025-01-10"


def flat(number: int, **other: object) -> dict[str, object]:
    """A line that is one claim, laid flat."""
    return {
        "source": f"agent {number % 3}",
        "observed_at": DAY,
        "subject": f"ticket {number}",
        "attribute": "owner",
        "value": f"owner {number}",
        **other,
    }


def write(path: Path, lines: Iterable[object]) -> Path:
    """Write lines of JSON; a text stands for itself."""
    texts = (line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines)
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def held(folder: Path) -> dict[str, int]:
    with knowwhy.open(folder / "m.db") as memory:
        return memory.stats()


def load(folder: Path, *words: str, stdin: bytes = b"") -> Ran:
    given = [folder / word if word.endswith(".jsonl") else word for word in words]
    return run("--db", folder / "m.db", "--json", "observe", *given, stdin=stdin)


def test_lines_are_stored_in_chunks_and_known_ones_passed_over(tmp_path: Path) -> None:
    count = 2 * loading.CHUNK + 3
    write(tmp_path / "a.jsonl", map(flat, range(count)))
    first = load(tmp_path, "--jsonl", "a.jsonl", "--author", "bob").document
    assert first == {
        "lines": count,
        "already_known": 0,
        "operations": [1, 2, 3],
        "changes": count,
        "conflicts": [],
    }
    again = load(tmp_path, "--jsonl", "a.jsonl").document
    assert (again["lines"], again["already_known"], again["operations"]) == (count, count, [])
    assert held(tmp_path)["evidence"] == count
    with knowwhy.open(tmp_path / "m.db") as memory:
        assert {entry.operation.author for entry in memory.log()} == {"bob"}


def test_both_forms_of_a_line_mean_the_same(tmp_path: Path) -> None:
    said = {"source": "policy", "source_type": "official", "text": "Within 15 days.", "observed_at": DAY}
    claim = {
        "subject": "order",
        "attribute": "return window",
        "value": 15,
        "unit": "days",
        "quote": "15 days",
    }
    lines = [{**said, "claims": [claim]}, {**said, **claim}, {**said, "claims": [claim], "context": None}]
    written = "\ufeff" + "\r\n\n".join(json.dumps(line) for line in lines)
    told = load(tmp_path, "--jsonl", "-", stdin=written.encode("utf-8")).document
    assert told["lines"] == 3
    with knowwhy.open(tmp_path / "m.db") as memory:
        assert memory.stats()["evidence"] == 1
        best = memory.ask("order", "return window").best
        assert best is not None
        assert (str(best.value), best.support[0].testimony.claim.quote) == ("15 days", "15 days")


def test_a_line_without_a_source_takes_the_one_that_is_given(tmp_path: Path) -> None:
    claim = {"subject": "order", "attribute": "colour", "value": "red"}
    write(tmp_path / "a.jsonl", [claim, {**claim, "source": "bob", "value": "blue"}])
    given = ("--source", "ann", "--source-type", "user", "--observed-at", DAY)
    assert load(tmp_path, "--jsonl", "a.jsonl", *given).code == 0
    with knowwhy.open(tmp_path / "m.db") as memory:
        (conflict,) = memory.conflicts()
        voices = {side.support[0].testimony.source for side in conflict.sides}
    assert {(voice.name, voice.type) for voice in voices} == {("ann", "user"), ("bob", "user")}


BAD: dict[str, tuple[object, str]] = {
    "no JSON": ('{"source": ', "not JSON"),
    "no object": ("[1, 2]", "an object, not a list"),
    "no claim at all": ({"source": "ann"}, "text"),
    "an unknown field": (flat(0, colour="red"), "'colour'"),
    "an unknown field of a claim": (
        {"source": "ann", "claims": [{"subject": "a", "attribute": "b", "value": 1, "sauce": 2}]},
        "'sauce'",
    ),
    "a missing field": ({"source": "ann", "subject": "a", "value": "b"}, "attribute"),
    "both forms": (flat(0, claims=[]), "inside of one"),
    "a claim that is none": ({"source": "ann", "claims": ["a"]}, "a claim is an object"),
    "no source": ({"text": "Hello."}, "no source"),
    "a number for a name": (flat(0, source=7), "'source' must be a text"),
    "a text for a number": (flat(0, authority="high"), "'authority' must be a number"),
    "a list as a value": (flat(0, value=[1]), "'value' must be"),
    "numbers as conditions": (flat(0, conditions={"floor": 3}), "'conditions' must hold texts"),
    "a bad time": (flat(0, observed_at="soon"), "soon"),
    "a bad stance": (flat(0, stance="likes"), "stance"),
    "a quote from elsewhere": (flat(0, text="It is so.", quote="it is not"), "quote"),
    "an unknown type of source": (flat(0, source_type="oracle"), "oracle"),
    "evidence that is not there": (flat(0, derived_from=["ev_0"]), "ev_0"),
    "no number": ({**flat(0), "value": "NaN", "attribute": "size"}, "NaN"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_line_stops_the_load_and_the_rest_can_follow(case: str, tmp_path: Path) -> None:
    bad, says = BAD[case]
    good = [flat(number) for number in range(1, 21)]
    with knowwhy.open(tmp_path / "m.db") as memory:
        memory.declare("size", value_type="number")
    write(tmp_path / "a.jsonl", [*good[:10], "", bad, *good[10:]])
    told = load(tmp_path, "--jsonl", "a.jsonl")
    assert told.code in (2, 5), told.err
    assert "line 12" in told.error["message"]
    assert says.casefold() in told.error["message"].casefold()
    assert (told.error["details"]["line"], told.error["details"]["stored"]) == (12, 10)
    assert held(tmp_path)["evidence"] == 10

    write(tmp_path / "a.jsonl", [*good[:10], "", *good[10:]])
    assert load(tmp_path, "--jsonl", "a.jsonl").document["lines"] == 20
    assert held(tmp_path)["evidence"] == 20


def test_a_mended_file_goes_on_under_its_idempotency_key(tmp_path: Path) -> None:
    lines: list[object] = [flat(number) for number in range(40)]
    write(tmp_path / "a.jsonl", [*lines[:25], flat(25, quote="elsewhere"), *lines[26:]])
    words = ("--jsonl", "a.jsonl", "--idempotency-key", "monday")
    assert load(tmp_path, *words).error["details"]["line"] == 26
    write(tmp_path / "a.jsonl", lines)
    assert load(tmp_path, *words).code == 0
    assert load(tmp_path, *words).document["already_known"] == 40
    assert held(tmp_path)["evidence"] == 40
    write(tmp_path / "a.jsonl", [*lines[:-1], flat(41)])
    assert load(tmp_path, *words).error["error"] == "idempotency_conflict"


def test_a_strict_load_names_the_line_that_is_not_declared(tmp_path: Path) -> None:
    with knowwhy.open(tmp_path / "m.db") as memory:
        memory.declare("owner")
    write(tmp_path / "a.jsonl", [flat(1), flat(2, attribute="colour")])
    told = load(tmp_path, "--jsonl", "a.jsonl", "--strict")
    assert (told.code, told.error["error"], told.error["details"]["line"]) == (5, "undeclared_attribute", 2)


def test_a_load_says_in_words_what_it_did(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "a.jsonl", [flat(1), flat(1, source="agent 9", value="someone else")])
    words = ("--db", "m.db", "observe", "--jsonl", "a.jsonl")
    told = " ".join(run(*words).out.split())
    assert told.startswith("a.jsonl: 2 lines stored in 1 operation; 2 beliefs changed. 1 conflict")
    assert "all known already" in run(*words).out
    write(tmp_path / "a.jsonl", ["nonsense"])
    assert "line 1: It is not JSON" in run(*words).err


def test_the_format_knows_every_field_of_the_library() -> None:
    known = {field.name for kind in (knowwhy.Observation, knowwhy.Draft) for field in fields(kind)}
    judged_by_the_library = {"stance", "modality"}
    assert set(jsonl._KINDS) == known - judged_by_the_library  # noqa: SLF001 - that the table is whole
    assert all(name in FORMAT for name in known)
    shown = run("observe", "--help").out
    assert all(name in shown for name in known)


def test_the_examples_in_the_format_are_lines() -> None:
    paragraphs = [one.replace("\n", " ") for one in FORMAT.split("\n\n") if one.startswith("{")]
    read = [observation(one.encode("utf-8"), {}) for one in paragraphs]
    assert [len(one.claims) for one in read] == [1, 1]
