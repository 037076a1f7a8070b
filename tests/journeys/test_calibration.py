"""Judging beliefs from the first label to a map in force, and what a reader is told of it on the way."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import knowwhy
from knowwhy import CalibrationReport, InvalidInput, Memory, NotFound
from knowwhy.testing.records import HOSTILE

SVG = "{http://www.w3.org/2000/svg}"
DAY = "2025-01-01"
PARTS = {"svg", "title", "desc", "style", "text", "path", "circle", "g"}


def told(memory: Memory, number: int, attribute: str = "colour") -> str:
    """Something is said about a thing; the id of the belief."""
    kind = ("official", "document", "user", "rumour")[number % 4]
    memory.observe(
        source=f"{kind} {number % 5}",
        source_type=kind,
        observed_at=DAY,
        claims=[(f"thing {number}", attribute, str(number % 3))],
    )
    (finding,) = memory.ask(f"thing {number}", attribute).findings
    return finding.id


def judged(memory: Memory, count: int, *, first: int = 0, attribute: str = "colour") -> None:
    """So many beliefs are judged, of which what is said to be sure is right less often than it says."""
    chance = random.Random(first)
    for number in range(first, first + count):
        belief = told(memory, number, attribute)
        sure = memory.why(belief).raw_confidence
        memory.feedback(belief, "right" if chance.random() < 0.5 * sure + 0.2 else "wrong", by="Ann")


@pytest.fixture
def memory() -> Iterator[Memory]:
    with knowwhy.open(clock=lambda: knowwhy.instant("2025-06-01")) as opened:
        yield opened


def test_nothing_judged_nothing_claimed(memory: Memory) -> None:
    told(memory, 1)
    report = memory.calibration()
    assert (report.labels, report.share_right, report.since_fit, report.is_mapped) == (0, None, None, False)
    assert "nobody knows" in report.warnings[0]
    (finding,) = memory.ask("thing 1").findings
    assert finding.calibrated is None
    assert finding.confidence == finding.raw_confidence
    assert "raw" not in str(memory.ask("thing 1"))
    assert "30 more labels, at least 10 of them right and 10 of them wrong" in str(report)
    assert ET.fromstring(report.to_svg()).tag == f"{SVG}svg"  # noqa: S314 - our own words


def test_few_labels_give_counts_and_intervals_alone(memory: Memory) -> None:
    judged(memory, 12)
    report = memory.calibration()
    assert report.labels == 12
    assert report.raw.scores is None
    assert report.raw.as_dict()["ece"] is None
    assert sum(one.count for one in report.raw.bins) == 12
    assert any("too few to score" in one for one in report.warnings)
    assert not report.is_mapped
    assert memory.ask("thing 1").findings[0].calibrated is None


def test_the_thirtieth_label_brings_a_map(memory: Memory) -> None:
    judged(memory, 29)
    assert not memory.calibration().is_mapped
    judged(memory, 1, first=29)
    report = memory.calibration()
    assert report.is_mapped
    assert report.since_fit is None
    assert any("not measured yet" in one for one in report.warnings)
    (finding,) = memory.ask("thing 1").findings
    assert finding.calibrated == finding.confidence != finding.raw_confidence
    assert f"confidence {finding.confidence:.2f} (raw {finding.raw_confidence:.2f})" in str(
        memory.ask("thing 1")
    )
    assert finding.as_dict()["raw_confidence"] == round(finding.raw_confidence, 6)
    explanation = memory.why(finding.id)
    assert (explanation.confidence, explanation.raw_confidence) == (
        finding.confidence,
        finding.raw_confidence,
    )
    assert explanation.as_dict()["raw_confidence"] == round(finding.raw_confidence, 6)
    assert f"(raw {finding.raw_confidence:.2f})" in str(explanation)
    trust = memory.trust("thing 1", "colour", "1")
    assert (trust.confidence, trust.raw_confidence) == (finding.confidence, finding.raw_confidence)


def test_a_map_is_measured_on_later_labels_beside_the_raw_numbers(memory: Memory) -> None:
    judged(memory, 75)
    report = memory.calibration()
    assert report.since_fit is not None
    assert report.since_fit.raw.labels == report.since_fit.calibrated.labels == 45
    assert report.since_fit.calibrated.scores is not None
    assert report.raw.scores is not None
    assert report.raw.intervals is not None
    assert report.raw.scores.ece > report.since_fit.calibrated.scores.floor
    told_of = report.as_dict()
    assert json.loads(json.dumps(told_of)) == told_of
    assert told_of["maps"][0]["next_fit"]["newer_labels"] == 45
    assert told_of["raw"]["ece_floor"] > 0
    words = str(report)
    for part in (
        "since the fit, raw",
        "since the fit, calibrated",
        "fitted anew after 5 more labels",
        "●",
        "┃",
    ):
        assert part in words
    assert any(one.startswith("labels come from beliefs that somebody checked") for one in report.warnings)


def test_words_stay_in_ascii_where_that_is_asked(memory: Memory) -> None:
    judged(memory, 40)
    assert memory.calibration().to_text(is_ascii=True).isascii()
    assert all(len(line) <= 100 for line in str(memory.calibration()).splitlines() if "  0.5" in line)


@pytest.mark.parametrize(
    "name",
    [
        *(one for one in HOSTILE if len(one) < 100),
        "<script>alert(1)</script>",
        "]]></desc><x a='1' b=\"2\">&amp;&#0;",
        "control \x01\x1b[31m and \ufffe\uffff",
    ],
)
def test_a_drawing_of_any_attribute_is_sound(memory: Memory, name: str) -> None:
    judged(memory, 32, attribute=name)
    report = memory.calibration(attribute=name)
    assert report.labels == 32
    drawn = ET.fromstring(report.to_svg())  # noqa: S314 - that it is sound is what is tested
    assert {one.tag.removeprefix(SVG) for one in drawn.iter()} <= {
        "svg",
        "title",
        "desc",
        "style",
        "text",
        "path",
        "circle",
        "g",
    }
    named = drawn.get("aria-labelledby", "").split()
    assert [one.get("id") for one in drawn[:2]] == named
    assert (drawn[1].text or "").startswith(f"{report.right} right, {report.wrong} wrong")
    assert len(drawn.findall(f".//{SVG}g")) == len(report.raw.bins)
    assert str(report)


def test_the_drawing_holds_the_diagonal_the_counts_and_the_bars(memory: Memory) -> None:
    judged(memory, 75)
    report = memory.calibration()
    drawn = ET.fromstring(report.to_svg())  # noqa: S314 - our own words
    kinds = [one.get("class") for one in drawn.iter()]
    assert kinds.count("diagonal") == 1
    assert report.calibrated is not None
    bins = (*report.raw.bins, *report.calibrated.calibrated.bins)
    assert kinds.count("first count") + kinds.count("second count") == len(bins)
    for one, point in zip(bins, drawn.findall(f".//{SVG}g"), strict=True):
        said = point.findtext(f"{SVG}title") or ""
        assert f"said {one.shown:.2f}, came true {one.true:.2f} of {one.count}" in said
        bar = point.find(f"{SVG}path")
        assert bar is not None
        top, ground = (float(part) for part in bar.get("d", "").partition(" ")[2].split("V"))
        assert top - ground == pytest.approx(320 * (one.interval[1] - one.interval[0]), abs=0.2)
    assert "http" not in report.to_svg().replace('xmlns="http://www.w3.org/2000/svg"', "")


def test_what_cannot_be_judged_is_refused(memory: Memory) -> None:
    belief = told(memory, 1)
    with pytest.raises(NotFound, match="bl_none"):
        memory.feedback("bl_none", "right")
    with pytest.raises(InvalidInput, match="right, wrong, unknown"):
        memory.feedback(belief, "perhaps")
    with pytest.raises(InvalidInput, match="name of who judges"):
        memory.feedback(belief, "right", by=" ")
    with pytest.raises(InvalidInput, match="at least 1"):
        memory.to_check(0)
    assert memory.calibration().labels == 0


def test_who_judges_is_the_author_where_nobody_else_is_named() -> None:
    with knowwhy.open(author="Eve", clock=lambda: knowwhy.instant("2025-06-01")) as memory:
        belief = told(memory, 1)
        memory.feedback(belief, "wrong")
        memory.feedback(belief, "right", author="Ann")
        memory.feedback(belief, "right", by="Ann")
        memory.feedback(belief, "right", by="eve")
        assert (memory.calibration().right, memory.calibration().wrong) == (2, 0)
        assert memory.log(limit=1)[0].operation.author == "Eve"


def test_of_a_denial_what_is_judged_is_that_the_value_does_not_hold(memory: Memory) -> None:
    memory.observe(source="a", claims=[{"subject": "x", "attribute": "y", "value": "1", "stance": "refutes"}])
    (finding,) = memory.ask("x", "y").findings
    assert finding.is_denial
    memory.feedback(finding.id, "right")
    report = memory.calibration()
    assert report.right == 1
    assert report.raw.bins[0].true == 0.0
    assert report.raw.bins[0].shown == pytest.approx(1 - finding.raw_confidence)


def test_an_attribute_is_reported_by_any_of_its_names(memory: Memory) -> None:
    judged(memory, 31, attribute="return window")
    judged(memory, 5, first=100, attribute="price")
    memory.declare("return window", synonyms=["Rückgabefrist"])
    for name in ("return_window", "Return window", "rückgabefrist"):
        report = memory.calibration(attribute=name)
        assert (report.attribute, report.labels) == ("return window", 31)
        assert len(report.maps) == 1
    assert memory.calibration(attribute="price").labels == 5
    assert memory.calibration(attribute="price").is_mapped
    assert memory.calibration().labels == 36
    assert memory.calibration(attribute="never heard of").labels == 0


def test_a_judgement_can_be_undone_and_the_past_stays(memory: Memory) -> None:
    judged(memory, 40)
    shown = memory.ask("thing 1").findings[0].confidence
    known = memory.log(limit=1)[0].as_dict()["at"]
    last = memory.log(limit=1)[0].operation.sequence
    memory.undo(last)
    report = memory.calibration()
    assert (report.labels, report.unknown) == (39, 1)
    assert memory.at(known=known).calibration().labels == 40
    assert memory.at(known=known).ask("thing 1").findings[0].confidence == shown


def test_files_and_threads_agree(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with knowwhy.open(path, clock=lambda: knowwhy.instant("2025-06-01")) as memory:
        judged(memory, 35)
        shown: list[float] = []
        readers = [
            threading.Thread(target=lambda: shown.append(memory.ask("thing 1").findings[0].confidence))
            for _ in range(4)
        ]
        for one in readers:
            one.start()
        judged(memory, 20, first=50)
        for one in readers:
            one.join()
        report: CalibrationReport = memory.calibration()
    assert len(shown) == 4
    with knowwhy.open(path, clock=lambda: knowwhy.instant("2025-06-01")) as again:
        assert again.calibration() == report
