"""Laws of adding: a word that only confirms comes to just what hearing all words again would come to."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowwhy import Instant, Memory
from knowwhy.core.model import Belief
from knowwhy.engine.space import Space
from knowwhy.engine.upkeep import doctor
from knowwhy.store.memory import MemoryStore
from knowwhy.store.protocol import Store
from knowwhy.store.sqlite import SqliteStore

START = datetime(2025, 1, 1, tzinfo=UTC)
# Two of one name are as reliable as each other.
SOURCES = [("a", "user"), ("a", "import"), ("b", "user"), ("c", "official")]

traits = st.fixed_dictionaries(
    {
        "changes": st.booleans(),
        "cardinality": st.sampled_from(("one", "many")),
        "half_life_days": st.sampled_from((None, None, None, None, 30.0)),
        "confidence": st.sampled_from((None, None, None, "evidence", "log-odds")),
        "strictness": st.sampled_from((1.0, 2.5)),
    }
)


def said(**details: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """A plain word for one value, but for these details."""
    usual: dict[str, st.SearchStrategy[Any]] = {
        "source": st.sampled_from(SOURCES),
        "day": st.integers(-5, 0),
        "claim": st.sampled_from(({"value": "blue"},)),
    }
    return st.fixed_dictionaries(usual | details)


ODDITIES: list[dict[str, Any]] = [
    {"value": "Blue"},
    {"value": "red"},
    {"value": "blue", "weight": 0.5},
    {"value": "blue", "stance": "refutes"},
    {"value": "blue", "modality": "asked"},
    {"value": "blue", "modality": "planned"},
    {"value": "blue", "valid_from": START},
]
plain = said()
odd = (
    said(claim=st.sampled_from(ODDITIES))
    | said(is_pinned=st.just(value=True))
    | said(reliability=st.sampled_from((0.8, 0.9)))
)
acts = st.sampled_from(["withdraw", "lift", "learn"])
few = st.lists(plain, min_size=1, max_size=4)
# What happens amid plain words is what may be overlooked.
steps = st.tuples(few, st.lists(odd | acts, max_size=2), few, st.lists(odd | acts, max_size=1), few).map(
    lambda parts: [step for part in parts for step in part]
)


class Life:
    """A memory of one slot, and all that was done to it."""

    def __init__(self, store: Store, traits: dict[str, Any]) -> None:
        self.days = 0
        self.space = Space(store, "default", clock=self._now)
        self.memory = Memory(self.space)
        self.memory.declare("colour", **traits)
        self.evidence: list[str] = []
        self.withdrawn: list[int] = []

    def _now(self) -> Instant:
        return Instant(int((START + timedelta(days=self.days)).timestamp()) * 1_000_000)

    def take(self, step: dict[str, Any] | str, number: int) -> None:
        """One day of the life."""
        self.days += 1
        if isinstance(step, str):
            self._upkeep(step)
            return
        name, kind = step["source"]
        outcome = self.memory.observe(
            f"words {number}",
            source=name,
            source_type=kind,
            observed_at=START + timedelta(days=self.days + step["day"]),
            claims=[{"subject": "shop", "attribute": "colour", **step["claim"]}],
            **{key: step[key] for key in ("is_pinned", "reliability") if key in step},
        )
        self.evidence += outcome.evidence

    def _upkeep(self, step: str) -> None:
        if step == "withdraw" and self.evidence:
            outcome = self.memory.retract(self.evidence.pop())
            self.withdrawn.append(outcome.operation)
        elif step == "lift" and self.withdrawn:
            self.memory.undo(self.withdrawn.pop())
        elif step == "learn":
            self.memory.learn()

    def kept(self) -> list[Belief]:
        """The views, as they are kept."""
        with self.space.store.snapshot("default") as view:
            return [one for one in view.views() if isinstance(one, Belief)]


@given(traits, steps)
def test_views_are_what_settling_anew_comes_to(traits: dict[str, Any], steps: list[Any]) -> None:
    for store in (MemoryStore(), SqliteStore(":memory:")):
        life = Life(store, traits)
        for number, step in enumerate(steps):
            life.take(step, number)
            assert doctor(life.space).problems == ()
        store.close()


ODD_WORDS = [
    *({"claim": one} for one in ODDITIES),
    {"is_pinned": True},
    {"reliability": 0.9},
    {"day": -5},
    {"day": -5, "claim": {"value": "Blue"}},
]


@pytest.mark.parametrize("odd", ODD_WORDS, ids=str)
@pytest.mark.parametrize("speaker", [("a", "user"), ("b", "user")], ids=str)
def test_a_word_amid_plain_ones_counts_as_if_all_were_heard_anew(
    odd: dict[str, Any], speaker: tuple[str, str]
) -> None:
    usual = {"source": ("a", "user"), "day": 0, "claim": {"value": "blue"}}
    life = Life(MemoryStore(), {})
    for number, step in enumerate([usual, {**usual, "source": speaker, **odd}, usual, {**usual, "day": -4}]):
        life.take(step, number)
        assert doctor(life.space).problems == ()


@given(st.lists(said(), min_size=1, max_size=10), st.booleans())
def test_plain_words_are_added_without_hearing_the_others(steps: list[Any], changes: bool) -> None:  # noqa: FBT001 - a trait
    life = Life(MemoryStore(), {"changes": changes})
    for number, step in enumerate(steps):
        life.take(step, number)
    (belief,) = life.kept()
    assert belief.is_additive
    assert belief.evidence == len(steps)
    assert belief.sources == len({one["source"] for one in steps})
