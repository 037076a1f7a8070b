"""Statements, topics and premises as they are written on the command line."""

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from knowwhy.surfaces.cli.notation import premise, premises, statement, statements, topic, topics

# Words with every mark of the notation inside, but never one that stands between two spaces.
words = (
    st.lists(
        st.text("a=/?字", min_size=2, max_size=4).filter(lambda word: word not in ("/", "=")), min_size=1
    )
    .map(" ".join)
    .filter(lambda text: " / " not in text and " = " not in text)
)


@given(words, words, words)
def test_a_statement_is_read_as_it_is_written(subject: str, attribute: str, value: str) -> None:
    assert statement(f"{subject} / {attribute} = {value}", "--if") == (subject, attribute, value)
    assert statement(f"  {subject}   /  {attribute} =  {value} ", "--if") == (subject, attribute, value)
    assert premise(f"{subject} / {attribute} = {value}", "--from") == (subject, attribute, value)
    assert premise(f"{subject} / {attribute}", "--from") == (subject, attribute)
    assert topic(f"{subject} / {attribute}", "--depends-on") == (subject, attribute)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("?c / plan = pro", ("?c", "plan", "pro")),
        ("?c / support hours = 24/7", ("?c", "support hours", "24/7")),
        ("a / b / c = d", ("a", "b / c", "d")),
        ("a / b = c = d / e", ("a", "b", "c = d / e")),
        ("a = b / c = d", ("a = b", "c", "d")),
        ("a=b / c=d = e=f", ("a=b", "c=d", "e=f")),
        ("北京 / 人口 = 2189 万", ("北京", "人口", "2189 万")),
    ],
)
def test_the_first_of_each_mark_divides(written: str, read: tuple[str, str, str]) -> None:
    assert statement(written, "--if") == read


@pytest.mark.parametrize(
    "written",
    ["", "?c", "?c / plan", "plan = pro", "?c/plan=pro", "?c /plan = pro", " / a = b", "a / = b", "a / b = "],
)
def test_what_is_no_statement_is_told_how_to_write_one(written: str) -> None:
    with pytest.raises(typer.BadParameter, match="SUBJECT / ATTRIBUTE = VALUE") as refusal:
        statement(written, "--if")
    assert repr(written) in str(refusal.value)
    assert refusal.value.param_hint == "--if"


@pytest.mark.parametrize(
    "written", ["", "Ann", "Ann/employer", "Ann / ", " / employer", "Ann / employer = Acme"]
)
def test_what_is_no_topic_is_told_how_to_write_one(written: str) -> None:
    with pytest.raises(typer.BadParameter, match="SUBJECT / ATTRIBUTE and no value"):
        topic(written, "--depends-on")


@pytest.mark.parametrize("written", ["", "Ann", "bl_", "bl_xyz", "ev_0", "Ann / ", "Ann/employer"])
def test_what_is_no_premise_is_told_how_to_write_one(written: str) -> None:
    with pytest.raises(typer.BadParameter, match="the id of a belief"):
        premise(written, "--from")


def test_a_premise_may_be_the_id_of_a_belief() -> None:
    assert premises([" bl_0f ", "a / b", "a / b = c"], "--from") == ["bl_0f", ("a", "b"), ("a", "b", "c")]
    assert premises(None, "--from") == []
    assert statements(None, "--if") == []
    assert topics(None, "--depends-on") == []
