"""A reranker orders what recall found, and nothing else: it brings up nothing that may not be read."""

from collections.abc import Iterator, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import knowwhy
from knowwhy import Fault, InvalidInput, Unavailable
from knowwhy.testing.endpoint import ScriptedEndpoint, garbage, ranking, status

QUESTION = "What is said of the harbour?"
CITIES = ("Oslo", "Riga", "Genoa", "Lisbon", "Kobe")


def by_wish(wanted: str) -> knowwhy.Reranker:
    """A reranker to which texts with a word are all, and others nothing much."""

    def rank(question: str, texts: Sequence[str]) -> list[float]:
        assert question == QUESTION
        return [0.9 if wanted in text else 0.1 for text in texts]

    return rank


def filled(reranker: knowwhy.Reranker | None) -> knowwhy.Memory:
    memory = knowwhy.open(clock=lambda: knowwhy.instant("2025-02-01"), reranker=reranker)
    memory.observe_many(
        knowwhy.Observation(
            "a", claims=[(f"harbour {city}", "depth", f"{city} mark")], observed_at="2025-01-10"
        )
        for city in CITIES
    )
    memory.observe_many(
        knowwhy.Observation("b", f"The harbour of {city} froze.", observed_at="2025-01-11", extract=False)
        for city in CITIES
    )
    return memory


@pytest.fixture
def plain() -> Iterator[knowwhy.Memory]:
    with filled(None) as memory:
        yield memory


@pytest.mark.parametrize("wanted", CITIES)
def test_what_the_reranker_likes_comes_first_though_it_was_far_down(wanted: str) -> None:
    with filled(by_wish(wanted)) as memory:
        found = memory.recall(QUESTION, limit=2)
        assert wanted in str(found.beliefs[0].value)
        assert wanted in found.passages[0].evidence.text
        assert len(found.beliefs) == len(found.passages) == 2
        assert found.beliefs[0].score > found.beliefs[1].score
        assert found.unranked is None


@settings(max_examples=20)
@given(st.lists(st.floats(0.0, 1.0), min_size=1, max_size=7), st.integers(1, 6))
def test_it_only_orders_what_recall_may_show(numbers: list[float], limit: int) -> None:
    def rank(_question: str, texts: Sequence[str]) -> list[float]:
        return [numbers[at % len(numbers)] for at, _ in enumerate(texts)]

    with filled(None) as plain, filled(rank) as memory:
        may = plain.recall(QUESTION, limit=20)
        found = memory.recall(QUESTION, limit=limit)
        assert {one.id for one in found.beliefs} <= {one.id for one in may.beliefs}
        assert {one.evidence.id for one in found.passages} <= {one.evidence.id for one in may.passages}
        assert len(found.beliefs) == len(found.passages) == min(limit, len(CITIES))
        for scores in ([one.score for one in found.beliefs], [one.score for one in found.passages]):
            assert scores == sorted(scores, reverse=True)
        confidences = {one.id: one.confidence for one in may.beliefs}
        assert all(one.confidence == confidences[one.id] for one in found.beliefs)


def test_one_that_is_down_leaves_the_order_and_is_told(plain: knowwhy.Memory) -> None:
    def down(_question: str, _texts: Sequence[str]) -> list[float]:
        raise Unavailable("The reranker is down.", retry_after=1.0)

    with filled(down) as memory:
        found = memory.recall(QUESTION, limit=3)
        due = plain.recall(QUESTION, limit=3)
        assert [one.id for one in found.beliefs] == [one.id for one in due.beliefs]
        assert found.unranked is not None
        assert "down" in found.unranked
        assert all(
            found.unranked in written for written in (found.to_text(), found.to_prompt(), found.to_markdown())
        )


@pytest.mark.parametrize("given", [[0.5], [2.0] * 20, [float("nan")] * 20])
def test_what_is_no_relevance_is_refused(given: list[float]) -> None:
    with filled(lambda _question, texts: given[: len(texts)]) as memory, pytest.raises(Fault, match="0 to 1"):
        memory.recall(QUESTION)


def test_an_endpoint_is_asked_at_rerank() -> None:
    with ScriptedEndpoint([ranking(lambda _question, text: 0.8 if "Riga" in text else 0.2)]) as server:
        with filled(knowwhy.RemoteReranker(server.url, "cross", key="secret")) as memory:
            found = memory.recall(QUESTION, limit=1)
        (asked,) = server.requests
        assert str(found.beliefs[0].value) == "Riga mark"
        assert (asked["model"], asked["query"]) == ("cross", QUESTION)
        assert asked["top_n"] == len(asked["documents"]) > 2
        assert server.keys == ["Bearer secret"]


def test_what_an_endpoint_does_wrong_is_said() -> None:
    script = [status(503), status(401), garbage(), garbage(b'{"results": [{"index": 0}]}'), garbage(b"[]")]
    with ScriptedEndpoint(script) as server:
        rank = knowwhy.RemoteReranker(server.url, "cross", key="secret")
        for error in (Unavailable, InvalidInput, Fault, Fault, Fault):
            with pytest.raises(error) as told:
                rank("q", ["a"])
            assert "secret" not in str(told.value) + repr(vars(rank))
    with pytest.raises(InvalidInput, match="http"):
        knowwhy.RemoteReranker("file:///etc/passwd", "cross")
