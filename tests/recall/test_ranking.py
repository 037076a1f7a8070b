"""What comes first: by fit, confidence, recency and authority, with weights that ratings move."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import knowwhy
from knowwhy import InvalidInput, NotFound
from knowwhy.core.model import WEIGHTS, RankingWeights
from knowwhy.recall.ranking import fused, with_neighbours

DAY = "2025-01-10"
_shares = st.floats(0.0, 1.0)


def weights_of(memory: knowwhy.Memory) -> RankingWeights:
    with memory._space.store.snapshot("main") as view:  # noqa: SLF001 - what lies in the store
        return view.declared(RankingWeights).get("", RankingWeights())


def crowd() -> knowwhy.Memory:
    """Two beliefs that fit a question alike: one old and official, one new and from a blog."""
    memory = knowwhy.open(clock=lambda: knowwhy.instant("2025-02-01"))
    memory.observe(
        source="law", source_type="official", claims=[("order", "fee", "10")], observed_at="2023-01-01"
    )
    memory.observe(source="blog", source_type="web", claims=[("order", "charge", "12")], observed_at=DAY)
    return memory


@given(_shares, _shares, _shares)
def test_fused_scores_stay_between_0_and_1_and_grow_with_each_part(
    coverage: float, near: float, more: float
) -> None:
    weights = RankingWeights()
    score = fused(coverage, near, weights)
    assert 0.0 <= score <= 1.0
    assert fused(max(coverage, more), near, weights) >= score
    assert fused(coverage, max(near, more), weights) >= score
    assert fused(coverage, None, weights) == coverage
    beside = with_neighbours(score, [more, near], weights)
    assert 0.0 <= beside <= 1.0
    assert with_neighbours(score, [max(more, near), near], weights) >= beside
    assert with_neighbours(score, [more, max(more, near)], weights) >= beside


def test_weights_are_configured_by_name_and_kept() -> None:
    with knowwhy.open() as memory:
        memory.configure(ranking={"recency": 0.4})
        assert weights_of(memory).recency == 0.4
        assert weights_of(memory).confidence == RankingWeights().confidence
        assert memory.configure(ranking={"recency": 0.4}).is_repeat
        with pytest.raises(InvalidInput, match="meaning, beside, confidence, recency, authority"):
            memory.configure(ranking={"luck": 1.0})
        with pytest.raises(InvalidInput, match="between 0 and 1"):
            memory.configure(ranking={"recency": 1.5})


def test_weights_say_what_comes_first() -> None:
    with crowd() as memory:
        memory.configure(ranking={"recency": 1.0, "authority": 0.0, "confidence": 0.0})
        assert [str(one.value) for one in memory.recall("order").beliefs] == ["12", "10"]
        memory.configure(ranking={"recency": 0.0, "authority": 1.0})
        assert [str(one.value) for one in memory.recall("order").beliefs] == ["10", "12"]


def test_ratings_move_the_order_and_never_what_is_believed() -> None:
    with crowd() as memory:
        first = memory.recall("order")
        before = [(one.id, one.confidence, one.status) for one in memory.ask("order").findings]
        second = first.beliefs[1]
        for _ in range(60):
            memory.used(memory.recall("order"), [second.id])
        assert memory.recall("order").beliefs[0].id == second.id
        assert [(one.id, one.confidence, one.status) for one in memory.ask("order").findings] == before
        assert weights_of(memory).learned_from == 60
        assert memory.doctor().is_healthy


@settings(max_examples=20)
@given(st.lists(st.sampled_from(["fee", "charge", "both", "none"]), min_size=1, max_size=12))
def test_no_crowd_of_ratings_silences_a_criterion_or_makes_it_the_only_one(ratings: list[str]) -> None:
    with crowd() as memory:
        by_name = {one.attribute.name: one.id for one in memory.recall("order").beliefs}
        for one in ratings:
            useful = list(by_name.values()) if one == "both" else [by_name[one]] if one in by_name else []
            memory.used("order", useful)
        weights = weights_of(memory)
        assert 0.1 <= weights.confidence <= 0.6
        assert 0.0 <= weights.recency <= 0.4
        assert 0.0 <= weights.authority <= 0.4
        assert weights.learned_from == len(ratings)
        assert weights.undated.changed({name: getattr(weights, name) for name in WEIGHTS}) == weights.undated


def test_what_was_not_shown_cannot_have_been_useful() -> None:
    with crowd() as memory, pytest.raises(NotFound, match="bl_"):
        memory.used("order", ["bl_unknown"])


def test_the_higher_confidence_comes_first_where_all_else_is_equal() -> None:
    with knowwhy.open(clock=lambda: knowwhy.instant("2025-02-01")) as memory:
        for source in ("a", "b", "c"):
            memory.observe(source=source, claims=[("order", "tone", "warm")], observed_at=DAY)
        memory.observe(source="a", claims=[("order", "mood", "cold")], observed_at=DAY)
        assert [str(one.value) for one in memory.recall("order").beliefs] == ["warm", "cold"]


def test_turns_around_what_fits_are_found_with_it_the_nearer_first() -> None:
    with knowwhy.open() as memory:
        said = ["Where did you go on holiday?", "To Lisbon.", "Nice.", "I like cheese."]
        memory.observe_many(
            knowwhy.Observation(
                "ann", words, observed_at=f"2025-01-10T10:0{at}:00Z", context="chat", extract=False
            )
            for at, words in enumerate(said)
        )
        memory.observe("To Paris.", source="bob", observed_at=DAY, context="another chat", extract=False)
        found = [one.evidence.text for one in memory.recall("Where was the holiday?").passages]
        assert found == ["Where did you go on holiday?", "To Lisbon.", "Nice."]
        memory.configure(ranking={"beside": 0.0})
        assert [one.evidence.text for one in memory.recall("the holiday").passages] == said[:1]


def test_who_speaks_is_found_by_name() -> None:
    with knowwhy.open() as memory:
        for name in ("Ann", "Bob"):
            memory.observe(
                "I paint.", source=name, metadata={"speaker": name}, observed_at=DAY, extract=False
            )
        assert memory.recall("What does Bob paint?").passages[0].evidence.source.name == "Bob"


def test_a_merge_carries_the_weights_that_ratings_moved_on_the_other_line() -> None:
    with crowd() as memory:
        branch = memory.fork("trial")
        shown = branch.recall("order fee charge")
        branch.used(shown, [shown.beliefs[-1].id])
        learned = on_record(branch)
        assert learned.learned_from == 1
        assert on_record(memory).learned_from == 0
        memory.merge(branch)
        assert on_record(memory).undated == learned.undated
        assert memory.recall("order fee charge").beliefs == branch.recall("order fee charge").beliefs
        assert memory.merge(branch).is_repeat


def test_of_weights_that_both_lines_moved_the_later_are_kept_and_that_is_told() -> None:
    now = [knowwhy.instant("2025-02-01")]
    with knowwhy.open(clock=lambda: now[0]) as memory:
        branch = memory.fork("trial")
        branch.configure(ranking={"recency": 0.4})
        now[0] = knowwhy.instant("2025-02-02")
        memory.configure(ranking={"recency": 0.2})
        assert memory.merge(branch).is_repeat
        assert on_record(memory).recency == 0.2
        outcome = branch.merge(memory)
        assert on_record(branch).recency == 0.2
        assert any("ranking" in warning for warning in outcome.warnings)


def test_undoing_a_rating_restores_the_weights() -> None:
    with crowd() as memory:
        shown = memory.recall("order fee charge")
        rated = memory.used(shown, [shown.beliefs[-1].id])
        memory.undo(rated.operation)
        assert on_record(memory).undated == RankingWeights()


def on_record(memory: knowwhy.Memory) -> RankingWeights:
    with memory._space.reading(memory._space.scope()) as gate:  # noqa: SLF001 - what lies in the store
        return memory._space.weights(gate.view)  # noqa: SLF001
