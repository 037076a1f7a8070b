"""Every story comes out as expected on every store, and those that wait for an ability really do."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from knowwhy.evaluation.playing import compared
from knowwhy.evaluation.replies import Reply
from knowwhy.evaluation.stage import Home
from knowwhy.evaluation.stories import stories_of
from tests.corpus.adapter import STEPS
from tests.corpus.runner import STORES, in_memory, played, result
from tests.corpus.stage import LATER_STEPS
from tests.corpus.stories import FOLDER, Expectation, Malformed, Story, read, stories, waiting

EXAMPLES = FOLDER.parents[1] / "examples" / "evaluation"
STORIES = {story.id: story for story in stories()}
REASONS = waiting()
READY = [story for story in STORIES if story not in REASONS]

every_store = pytest.mark.parametrize("opened", STORES.values(), ids=STORES.keys())


@every_store
@pytest.mark.parametrize("story", READY)
def test_story_comes_out_as_expected(story: str, opened: Callable[[Path], Home], tmp_path: Path) -> None:
    found = result(STORIES[story], opened(tmp_path))
    assert found.has_passed, str(found)


@every_store
@pytest.mark.parametrize("path", sorted(EXAMPLES.iterdir()), ids=lambda path: path.name)
def test_examples_come_out_as_expected(path: Path, opened: Callable[[Path], Home], tmp_path: Path) -> None:
    for number, story in enumerate(stories_of(path)):
        folder = tmp_path / str(number)
        folder.mkdir()
        found = result(story, opened(folder))
        assert found.has_passed, str(found)


@every_store
@pytest.mark.parametrize("story", REASONS)
def test_story_that_waits_cannot_pass_yet(story: str, opened: Callable[[Path], Home], tmp_path: Path) -> None:
    found = result(STORIES[story], opened(tmp_path))
    assert not found.has_passed, f"{story} passes: take it out of waiting.yaml"


@pytest.mark.parametrize("story", READY)
def test_story_would_fail_if_it_expected_something_else(story: str, tmp_path: Path) -> None:
    told, _ = played(STORIES[story], in_memory(tmp_path))
    for wrong in (other for expected in STORIES[story].expect for other in _others(expected)):
        assert _is_noticed(wrong, told), f"passes too: {wrong}"


def _is_noticed(wrong: Expectation, told: dict[str, Reply]) -> bool:
    try:
        return bool(list(compared([wrong], told, patience=1.0)))
    except Malformed:  # it names a step that there is not
        return True


def _others(expected: Expectation) -> list[Expectation]:
    """The same expectation, each time with one thing in it wrong."""
    bare = Expectation(expected.at)
    found = [replace(bare, must=({**one, "value": "something else"},)) for one in expected.must]
    found += [replace(bare, must_not=(one,)) for one in expected.must]
    found += [replace(bare, must=(one,)) for one in expected.must_not]
    return found + [replace(bare, check={word: _wrong(value)}) for word, value in expected.check.items()]


def _wrong(value: object) -> object:
    """Something else of the same kind; for an upper limit, something too low."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return -1
    if isinstance(value, list):
        return [f"not {one}" if isinstance(one, str) else one + 2 for one in value]
    if isinstance(value, dict) and "relation" not in value:
        return {word: _wrong(one) for word, one in value.items()}
    if isinstance(value, dict):
        relation = "equal" if value["relation"] != "equal" else "higher"
        return {**value, "relation": relation}
    return f"not {value}"


def test_waiting_stories_exist() -> None:
    assert set(REASONS) <= set(STORIES)
    assert all(reason.strip() for reason in REASONS.values())


def test_readme_names_every_step() -> None:
    words = set(re.findall(r"`(\w+)`", (FOLDER / "README.md").read_text("utf-8")))
    assert set(STEPS) | set(LATER_STEPS) <= words


SLIPS = {
    "an unknown step": ("op: query", "op: querry", "no step"),
    "an unknown field": ("subject: Dana", "subjekt: Dana", "subjekt"),
    "an unknown check": ("conflict: false", "konflict: false", "konflict"),
    "an unknown status": ("status: current", "status: actual", "actual"),
    "no such step": ("- at: all", "- at: none", "none"),
    "not YAML": ("steps:", "steps: [", "not YAML"),
}


@pytest.mark.parametrize(("right", "wrong", "says"), SLIPS.values(), ids=SLIPS.keys())
def test_slip_of_the_pen_is_reported(right: str, wrong: str, says: str, tmp_path: Path) -> None:
    text = (FOLDER / "cases" / "CHG-05.yaml").read_text("utf-8")
    path = tmp_path / "CHG-05.yaml"
    path.write_text(text.replace(right, wrong, 1), "utf-8")
    with pytest.raises(Malformed, match=says):
        result(read(path), in_memory(tmp_path))


def test_unexpected_refusal_is_a_problem(tmp_path: Path) -> None:
    steps = ({"op": "end", "subject": "tea", "attribute": "price"},)
    found = result(Story("NONE-01", "ends what never was", steps, ()), in_memory(tmp_path))
    assert "not_found" in str(found)
    assert not found.has_passed


def test_text_stays_text(tmp_path: Path) -> None:
    path = tmp_path / "YAML-01.yaml"
    path.write_text(
        "id: YAML-01\ntitle: no\nexpect: []\n"
        "steps: [{op: end, subject: 001, attribute: 12:30, at: 2026-01-01, value: 7}]\n",
        "utf-8",
    )
    story = read(path)
    assert story.title == "no"
    assert dict(story.steps[0]) == {
        "op": "end",
        "subject": "001",
        "attribute": "12:30",
        "at": "2026-01-01",
        "value": 7,
    }
