"""Each way of finding finds by itself, says what it went by, and can be switched off."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knowwhy
from knowwhy import InvalidInput
from knowwhy.recall.analysis import terms
from knowwhy.recall.documents import belief_terms, belief_text

DAY = "2025-01-10"


@pytest.fixture
def memory() -> Iterator[knowwhy.Memory]:
    with knowwhy.open(clock=lambda: knowwhy.instant("2025-02-01")) as memory:
        memory.declare("return window", unit="day", synonyms=["send back", "退货期限"])
        for name in ("author", "spouse", "place of birth", "capital", "citizenship"):
            memory.declare(name, value_type="entity")
        tell(memory, "order", "return window", "15")
        tell(memory, "Bleak House", "author", "Charles Dickens")
        tell(memory, "Charles Dickens", "spouse", "Catherine Hogarth")
        tell(memory, "Catherine Hogarth", "citizenship", "Scotland")
        tell(memory, "Scotland", "capital", "Edinburgh")
        tell(memory, "Charles Dickens", "place of birth", "Portsmouth")
        yield memory


def tell(memory: knowwhy.Memory, subject: str, attribute: str, value: str, source: str = "book") -> None:
    memory.observe(
        source=source, source_type="document", claims=[(subject, attribute, value)], observed_at=DAY
    )


def found(memory: knowwhy.Memory, question: str, *channels: str) -> list[str]:
    return [str(one.value) for one in memory.recall(question, channels=channels or None, limit=10).beliefs]


def test_names_find_what_is_about_them_and_nothing_else(memory: knowwhy.Memory) -> None:
    about = found(memory, "tell me of CHARLES  dickens", "names")
    assert sorted(about) == ["Catherine Hogarth", "Charles Dickens", "Portsmouth"]
    assert found(memory, "the capital of anything", "names") == []


def test_names_are_found_in_chinese_and_by_alias(memory: knowwhy.Memory) -> None:
    tell(memory, "江城大学", "校长", "周某")
    memory.alias("江大", "江城大学")
    assert found(memory, "江大校长是谁", "names") == ["周某"]


def test_a_synonym_finds_its_attribute_though_no_word_is_shared(memory: knowwhy.Memory) -> None:
    assert found(memory, "until when may I send it back?", "slots") == ["15 day"]
    assert found(memory, "until when may I send it back?", "text") == []
    assert found(memory, "退货期限是多久", "slots") == ["15 day"]


def test_words_for_the_same_relation_find_a_slot(memory: knowwhy.Memory) -> None:
    best = memory.recall("where was Charles Dickens born?").best
    assert best is not None
    assert str(best.value) == "Portsmouth"


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Who is the wife of the author of Bleak House?", "Catherine Hogarth"),
        ("Where was the author of Bleak House born?", "Portsmouth"),
        ("the citizenship of the spouse of the author of Bleak House", "Scotland"),
        ("the capital of the country of citizenship of the spouse of the author of Bleak House", "Edinburgh"),
    ],
)
def test_the_graph_follows_relations_that_the_words_ask_for(
    memory: knowwhy.Memory, question: str, value: str
) -> None:
    best = memory.recall(question).best
    assert best is not None
    assert str(best.value) == value
    way = next(lead for lead in best.leads if lead.channel == "graph")
    assert way.by.startswith("Bleak House → author: Charles Dickens → ")


def test_the_graph_walks_only_along_what_stands(memory: knowwhy.Memory) -> None:
    memory.observe(
        source="errata",
        source_type="official",
        claims=[("Bleak House", "author", "Jane Austen")],
        observed_at="2025-01-20",
    )
    tell(memory, "Jane Austen", "place of birth", "Steventon")
    best = memory.recall("Where was the author of Bleak House born?").best
    assert best is not None
    assert str(best.value) == "Steventon"


def test_a_hub_does_not_flood(memory: knowwhy.Memory) -> None:
    memory.declare("neighbour", cardinality="many", value_type="entity")
    crowd = [("Scotland", "neighbour", f"place {number}") for number in range(300)]
    memory.observe(source="book", claims=crowd, observed_at=DAY)
    best = memory.recall("the capital of the citizenship of Catherine Hogarth").best
    assert best is not None
    assert str(best.value) == "Edinburgh"


def test_the_graph_finds_what_follows_from_what_is_named(memory: knowwhy.Memory) -> None:
    memory.declare_rule(
        "register", premises=[("?x", "place of birth", "?y")], conclusion=("parish book", "lists", "?x")
    )
    tell(memory, "Ann", "place of birth", "Bath")
    found_there = memory.recall("Ann", channels=["graph"], limit=10).beliefs
    assert [(one.attribute.name, str(one.value)) for one in found_there] == [("lists", "Ann")]


@pytest.mark.parametrize("channel", ["names", "slots", "graph", "text", "vectors"])
def test_a_channel_alone_leaves_only_its_own_trace(memory: knowwhy.Memory, channel: str) -> None:
    question = "Who is the spouse of the author of Bleak House?"
    for one in memory.recall(question, channels=[channel], limit=10).beliefs:
        assert {str(lead.channel) for lead in one.leads} == {channel}
        assert all(0.0 < lead.score <= 1.0 and lead.by for lead in one.leads)


def test_every_finding_says_by_what_it_was_found(memory: knowwhy.Memory) -> None:
    for one in memory.recall("What is the return window of an order?").beliefs:
        assert one.leads
        assert [lead.score for lead in one.leads] == sorted((lead.score for lead in one.leads), reverse=True)
        assert one.as_dict()["leads"][0].keys() == {"channel", "score", "by"}


def test_an_unknown_channel_is_refused_with_the_list(memory: knowwhy.Memory) -> None:
    with pytest.raises(InvalidInput, match="names, slots, graph, text, vectors"):
        memory.recall("order", channels=["smell"])
    with pytest.raises(InvalidInput, match="without a channel"):
        memory.recall("order", channels=[])


def test_no_mark_of_a_question_is_an_operator(memory: knowwhy.Memory) -> None:
    for question in ('"order" AND NOT window', "order* OR NEAR(1)", "'; drop table"):
        assert all(one.score <= 1.0 for one in memory.recall(question).beliefs)


@given(st.text())
def test_no_word_is_taken_for_a_day_of_the_index(text: str) -> None:
    assert not any(term.startswith("@") for term in terms(text))


@given(st.text(), st.text())
def test_what_stands_apart_has_the_terms_of_its_parts(one: str, other: str) -> None:
    assert set(terms(f"{one} {other}")) == {*terms(one), *terms(other)}


def test_a_belief_is_ranked_by_the_terms_it_is_indexed_under(memory: knowwhy.Memory) -> None:
    claim = {
        "subject": "North’s 仓库",
        "attribute": "max/min load",
        "value": "12 t",
        "conditions": {"季节": "winter's"},
    }
    memory.observe(source="a", claims=[claim])
    for finding in memory.recall("the load of North’s 仓库", limit=20).beliefs:
        assert belief_terms(finding.belief) == set(belief_text(finding.belief).terms)
