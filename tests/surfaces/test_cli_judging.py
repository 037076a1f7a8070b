"""feedback, calibration and to-check say on the command line what the library says."""

import random
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import knowwhy
from tests.surfaces.program import ran, run


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Give a memory of forty things with colours, of which thirty-two were judged."""
    path, chance = tmp_path / "m.db", random.Random(1)
    with knowwhy.open(path) as memory:
        for number in range(40):
            memory.observe(
                source=f"s{number % 3}",
                source_type=("official", "user", "rumour")[number % 3],
                claims=[(f"thing {number}", "颜色", "red")],
                observed_at="2025-01-01",
            )
        for number in range(32):
            (finding,) = memory.ask(f"thing {number}").findings
            memory.feedback(finding.id, "right" if chance.random() < 0.6 else "wrong", by="Ann")
    return path


def belief(db: Path, number: int) -> str:
    with knowwhy.open(db) as memory:
        return memory.ask(f"thing {number}").findings[0].id


def test_a_judgement_is_recorded_and_counted(db: Path) -> None:
    done = run(
        "--db", db, "--json", "feedback", belief(db, 35), "right", "--by", "Bob", "--reason", "I saw it"
    )
    assert done.code == 0
    assert done.document["operation"] == 73
    with knowwhy.open(db) as memory:
        assert memory.calibration().labels == 33
        assert memory.log(limit=1)[0].operation.reason == "I saw it"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("feedback", "bl_none", "right"), 3),
        (("feedback", "bl_none", "perhaps"), 2),
        (("to-check", "-n", "0"), 2),
    ],
)
def test_what_cannot_be_is_refused_by_its_code(db: Path, words: tuple[str, ...], code: int) -> None:
    done = run("--db", db, "--json", *words)
    assert (done.code, bool(done.error["message"])) == (code, True)


def test_the_report_is_that_of_the_library(db: Path) -> None:
    for words, attribute in (((), None), (("--attribute", "颜色"), "颜色")):
        with knowwhy.open(db) as memory:
            report = memory.calibration(attribute=attribute)
        assert run("--db", db, "--json", "calibration", *words).document == report.as_dict()
        said = run("--db", db, "calibration", *words).out
        assert str(report).splitlines()[0] in said
        assert "map for all attributes by evidence: sigmoid(" in said
        assert "├" in said


def test_the_report_as_of_an_earlier_time_has_fewer_labels(db: Path) -> None:
    with knowwhy.open(db) as memory:
        known = memory.log(limit=30)[-1].as_dict()["at"]
    report = run("--db", db, "--json", "calibration", "--known", known).document
    assert report["right"] + report["wrong"] == 3
    assert report["known"] == known


def test_the_diagram_is_written_as_a_drawing(db: Path, tmp_path: Path) -> None:
    file = tmp_path / "diagram.svg"
    assert f"The diagram is drawn in {file}." in " ".join(
        run("--db", db, "calibration", "--svg", file).out.split()
    )
    assert ET.parse(file).getroot().get("role") == "img"  # noqa: S314 - our own drawing
    assert run("--db", db, "--json", "calibration", "--svg", tmp_path / "no" / "such.svg").code == 6


def test_a_terminal_without_such_letters_gets_a_diagram_it_can_show(db: Path) -> None:
    done = ran("--db", db, "calibration", folder=db.parent, env={"PYTHONIOENCODING": "ascii"})
    assert done.code == 0
    assert done.out.isascii()
    assert "where the real share lies" in done.out
    assert "\\u" not in done.out


def test_what_to_check_is_drawn_from_what_nobody_judged(db: Path) -> None:
    drawn = run("--db", db, "--json", "to-check", "-n", "20", "--seed", "a").document
    assert {one["id"] for one in drawn} == {belief(db, number) for number in range(32, 40)}
    words = run("--db", db, "to-check", "-n", "1", "--seed", "a").out
    assert words.startswith(f"{drawn[0]['id']}  thing ")
