"""Evaluation sets: what they say is understood, what does not hold is told, and in which way it failed."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import knowwhy
from knowwhy import FailureKind, Malformed
from knowwhy.evaluation.stories import stories_of

TOLD = """
story: Returns
told:
  - {date: 2026-01-05, source: handbook, type: official, claims: [order / return window = 30 days]}
  - {date: 2026-02-10, source: bot, type: assistant, claims: [order / courier fee = 9]}
  - {date: 2026-03-01, source: handbook, type: official, claims: [order / return window = 14 days]}
  - {date: 2026-01-05, source: price list, type: official, claims: [order / courier fee = 5]}
  - {date: 2026-01-05, source: Berlin, type: official, claims: [order / courier = Hermes]}
  - {date: 2026-01-05, source: Hamburg, type: official, claims: [order / courier = DHL]}
  - {op: declare, attribute: colour, cardinality: many}
  - {date: 2026-01-05, source: shop, claims: [order / colour = red, order / colour = blue]}
asked:
"""

RIGHT = (
    "{ask: order / return window, expect: 14 days, cites: handbook, never: 30 days, conflict: false}",
    "{ask: order / return window, as_of: 2026-02-01, expect: 30 days}",
    "{ask: order / courier fee, expect: 5}",
    "{ask: order / courier, conflict: true, expect: [DHL, Hermes]}",
    "{ask: order / colour, expect: [red, blue]}",
    "{ask: order / size, unknown: true}",
    "{ask: order / courier, unknown: false}",
    "{ask: order / return window, words: 'What is the return window of an order?', expect: 14 days}",
)
WRONG = {
    "{ask: order / return window, expect: 30 days}": FailureKind.SWITCHED,
    "{ask: order / courier fee, expect: 9}": FailureKind.NOT_SWITCHED,
    "{ask: order / return window, as_of: 2026-02-01, expect: 14 days}": FailureKind.NOT_SWITCHED,
    "{ask: order / return window, never: 14 days}": FailureKind.SAID,
    "{ask: order / return window, expect: 14 days, cites: [handbook, bot]}": FailureKind.GROUNDS,
    "{ask: order / return window, conflict: true}": FailureKind.CONFLICT,
    "{ask: order / return window, conflict: true, expect: 14 days}": FailureKind.CONFLICT,
    "{ask: order / courier, expect: DHL}": FailureKind.CONFLICT,
    "{ask: order / courier, conflict: false}": FailureKind.CONFLICT,
    "{ask: order / return window, unknown: true}": FailureKind.NOT_UNKNOWN,
    "{ask: order / size, unknown: false}": FailureKind.NO_ANSWER,
    "{ask: order / size, expect: L}": FailureKind.NO_ANSWER,
    "{ask: order / return window, expect: 21 days}": FailureKind.WRONG,
    "{ask: order / colour, expect: red}": FailureKind.OTHER,
    "{ask: order / return window, words: 'What is the return window of an order?', expect: 30 days}": (
        FailureKind.WRONG
    ),
}


def _set(folder: Path, *questions: str, told: str = TOLD) -> Path:
    path = folder / "set.yaml"
    path.write_text(told + "".join(f"  - {one}\n" for one in questions), "utf-8")
    return path


def test_what_holds_passes(tmp_path: Path) -> None:
    found = knowwhy.evaluate(_set(tmp_path, *RIGHT))
    assert found.has_passed, str(found)
    assert found.as_dict()["asked"] == len(RIGHT)
    assert found.confidently_wrong == 0
    assert "all as expected" in str(found)


@pytest.mark.parametrize(("question", "kind"), WRONG.items())
def test_what_does_not_hold_fails_in_its_way(question: str, kind: FailureKind, tmp_path: Path) -> None:
    path = _set(tmp_path, RIGHT[0], question)
    found = knowwhy.evaluate(path)
    (failure,) = found.failures
    assert failure.kind is kind, str(found)
    assert failure.at == "question 2"
    assert failure.line == TOLD.count("\n") + 2
    assert f"{kind.in_words}:\n  set.yaml:{failure.line}" in str(found)
    (case,) = ET.fromstring(found.to_junit()).iter("testcase")  # noqa: S314 - our own
    assert [one.get("type") for one in case] == [kind]


def test_a_refused_step_fails(tmp_path: Path) -> None:
    path = _set(
        tmp_path,
        RIGHT[0],
        told=TOLD.replace("asked:", "  - {op: end, subject: tea, attribute: price}\nasked:"),
    )
    assert [one.kind for one in knowwhy.evaluate(path).failures] == [FailureKind.REFUSED]


def test_a_step_that_is_refused_is_told_once(tmp_path: Path) -> None:
    path = tmp_path / "set.yaml"
    path.write_text(
        "id: set\ntitle: What never was\nsteps:\n"
        "  - {op: end, id: gone, subject: tea, attribute: price}\n"
        "expect: [{at: gone, check: {changed: 1}}]\n",
        "utf-8",
    )
    assert [one.kind for one in knowwhy.evaluate(path).failures] == [FailureKind.REFUSED]


def test_sureness_is_measured_against_what_is_expected(tmp_path: Path) -> None:
    found = knowwhy.evaluate(_set(tmp_path, RIGHT[0], "{ask: order / return window, expect: 30 days}"))
    (right, is_right), (wrong, is_wrong_right) = found.answers
    assert (is_right, is_wrong_right) == (True, False)
    assert right == wrong > 0.8
    assert found.confidently_wrong == 1
    assert found.brier == pytest.approx(((1 - right) ** 2 + wrong**2) / 2)
    assert found.calibration_error == pytest.approx(abs(0.5 - right))
    assert found.failures[0].confidence == wrong


SLIPS = {
    "an unknown field": ("source: bot", "sauce: bot", 5, "sauce"),
    "no claim": ("order / courier fee = 9", "courier fee is 9", 5, "claims"),
    "an unknown field of a question": ("ask: order / size", "asks: order / size", 13, "asks"),
    "nothing expected": ("size, unknown: true", "size", 13, "ask"),
    "no date": ("date: 2026-02-10", "date: tomorrow", 5, "date"),
    "no time": ("unknown: true", "unknown: true, as_of: soon", 13, "as_of"),
    "no yes or no": ("unknown: true", "unknown: maybe", 13, "unknown"),
    "no mapping": ("  - {ask: order / size, unknown: true}", "  - size", 12, "asked"),
    "an unknown type": ("op: declare", "op: declares", 10, "op"),
}


@pytest.mark.parametrize(("right", "wrong", "line", "field"), SLIPS.values(), ids=SLIPS.keys())
def test_a_slip_names_file_line_and_field(
    right: str, wrong: str, line: int, field: str, tmp_path: Path
) -> None:
    path = _set(tmp_path, "{ask: order / size, unknown: true}")
    path.write_text(path.read_text("utf-8").replace(right, wrong), "utf-8")
    with pytest.raises(Malformed) as slip:
        knowwhy.evaluate(path)
    assert slip.value.details == {"file": "set.yaml", "line": line, "field": field}
    assert str(slip.value).startswith(f"set.yaml, line {line}: ")


@pytest.mark.parametrize("text", ["", "- [", "story: a\nstory: b", "just words", "{story: a, asked: {}}"])
def test_what_is_no_set_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "set.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(Malformed, match=r"^set\.yaml, "):
        knowwhy.evaluate(path)


def test_versions_of_a_document_are_read(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl"
    path.write_text(
        '{"story": "Versions", "attributes": {"return window": {"unit": "days"}}, "told": ['
        '{"date": "2026-01-05", "document": "rules", "version": "1", '
        '"text": "The return window of the shop is 30 days."}, '
        '{"date": "2026-03-01", "document": "rules", "version": "2", '
        '"text": "The return window of the shop is 14 days."}], '
        '"asked": [{"ask": "shop / return window", "expect": "14 days", "never": "30 days"}]}\n\n',
        "utf-8",
    )
    found = knowwhy.evaluate(path)
    assert found.has_passed, str(found)


@st.composite
def _rules(draw: st.DrawFn) -> dict[str, list[str]]:
    """For each attribute the values that one source gave it, one a day."""
    values = st.lists(st.sampled_from(["red", "blue", "1 / 2", "no", "三十天"]), min_size=1, max_size=4)
    return draw(st.dictionaries(st.sampled_from(["colour", "a = b", "退货期"]), values, min_size=1))


def _day(number: int) -> str:
    return (dt.date(2026, 1, 1) + dt.timedelta(days=number)).isoformat()


@given(_rules(), st.data())
def test_a_set_made_from_a_memory_tells_each_change_and_notices_any_other(
    tmp_path_factory: pytest.TempPathFactory, rules: dict[str, list[str]], data: st.DataObject
) -> None:
    memory = knowwhy.open(clock=lambda: knowwhy.instant("2026-06-01"))
    for attribute, values in rules.items():
        for number, value in enumerate(values):
            claim = {"subject": "shop / x", "attribute": attribute, "value": value}
            memory.observe(source="s", source_type="official", observed_at=_day(number), claims=[claim])
    path = tmp_path_factory.mktemp("made") / "set.yaml"
    path.write_text(knowwhy.from_memory(memory), "utf-8")
    memory.close()
    changed = {one for one, values in rules.items() if len(set(values)) > 1}
    if not changed:
        assert "no story" in path.read_text("utf-8")
        return
    made = list(yaml.safe_load_all(path.read_text("utf-8")))
    told = {one["told"][0]["claims"][0]["attribute"]: one for one in made}
    assert set(told) == changed
    for attribute, story in told.items():
        # The oracle: on a day stands what the source said last by then.
        for question in story["asked"]:
            day = dt.date.fromisoformat(question.get("as_of", "2026-05-31"))
            by_then = [v for n, v in enumerate(rules[attribute]) if _day(n) <= day.isoformat()]
            assert question["expect"] == [by_then[-1]]
    assert knowwhy.evaluate(path).has_passed
    wrong = data.draw(st.sampled_from([question for one in made for question in one["asked"]]))
    wrong["expect"] = ["nothing of the kind"]
    path.write_text(yaml.safe_dump_all(made, allow_unicode=True), "utf-8")
    assert len(knowwhy.evaluate(path).failures) == 1


def test_examples_are_the_same_story_in_both_languages() -> None:
    folder = Path(__file__).parents[2] / "examples" / "evaluation"
    sets = [stories_of(folder / name) for name in ("returns.yaml", "returns.zh.yaml")]
    assert len({tuple((len(one.steps), len(one.expect)) for one in those) for those in sets}) == 1
