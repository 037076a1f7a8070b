"""Laws of a whole memory: whatever is done to it, its past stays, and its views follow from its log."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from knowwhy import Instant, Memory, NotFound, Reader
from knowwhy.engine.space import Space
from knowwhy.store.memory import MemoryStore
from knowwhy.store.protocol import Store
from knowwhy.store.sqlite import SqliteStore

SUBJECTS = ("order", "订单")
ATTRIBUTES = ("window", "likes", "born")
VALUES = ("7", "15", "blue")

START = datetime(2025, 1, 1, tzinfo=UTC)


class Ticking:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.day = 0

    def moment(self) -> datetime:
        """The present day."""
        return START + timedelta(days=self.day)

    def __call__(self) -> Instant:
        """The present instant."""
        return Instant(int(self.moment().timestamp()) * 1_000_000)


def observed(memory: Memory, draw: Callable[[st.SearchStrategy[Any]], Any], clock: Ticking) -> None:
    """Somebody says something, perhaps about another time, perhaps dated back."""
    subject, attribute = draw(st.sampled_from(SUBJECTS)), draw(st.sampled_from(ATTRIBUTES))
    claim = {
        "subject": subject,
        "attribute": attribute,
        "value": draw(st.sampled_from(VALUES)),
        "stance": draw(st.sampled_from(("supports", "supports", "refutes"))),
        "valid_from": draw(st.sampled_from((None, None, START, START + timedelta(days=5)))),
    }
    memory.observe(
        source=draw(st.sampled_from("ab")),
        source_type=draw(st.sampled_from(("official", "user"))),
        claims=[claim],
        observed_at=draw(st.sampled_from((None, START - timedelta(days=3), clock.moment()))),
    )


def ended(memory: Memory, draw: Callable[[st.SearchStrategy[Any]], Any], clock: Ticking) -> None:
    """Something stopped being true, if it stands."""
    try:
        memory.end(draw(st.sampled_from(SUBJECTS)), draw(st.sampled_from(ATTRIBUTES)), at=clock.moment())
    except NotFound:
        return


def corrected(memory: Memory, draw: Callable[[st.SearchStrategy[Any]], Any], _clock: Ticking) -> None:
    """We were wrong about something single-valued."""
    memory.correct(draw(st.sampled_from(SUBJECTS)), "window", draw(st.sampled_from(VALUES)))


def retracted(memory: Memory, draw: Callable[[st.SearchStrategy[Any]], Any], _clock: Ticking) -> None:
    """Some evidence is withdrawn."""
    given = [one for entry in memory.log(limit=50) for one in entry.outcome.evidence]
    if given:
        memory.retract(draw(st.sampled_from(given)))


def declared(memory: Memory, draw: Callable[[st.SearchStrategy[Any]], Any], _clock: Ticking) -> None:
    """An attribute is declared anew."""
    memory.declare(
        draw(st.sampled_from(ATTRIBUTES[1:])),
        cardinality=draw(st.sampled_from(("one", "many"))),
        half_life_days=draw(st.sampled_from((None, 4.0))),
        changes=draw(st.booleans()),
    )


ACTS = (observed, observed, observed, ended, corrected, retracted, declared)


def said(memory: Memory, known: datetime, valid: datetime) -> dict[str, object]:
    """Everything the memory says of its subjects at two times."""
    return told(memory.at(valid=valid, known=known))


def told(reader: Reader) -> dict[str, object]:
    """Everything a reader is told."""
    return {
        f"{subject} {attribute}": [
            (str(one.value), one.status, round(one.confidence, 9), one.is_denial)
            for one in reader.ask(subject, attribute).findings
        ]
        for subject in SUBJECTS
        for attribute in ATTRIBUTES
    }


def lived(store: Store, draw: Callable[[st.SearchStrategy[Any]], Any], acts: tuple[Any, ...]) -> None:
    """A memory lives for a while; at the end its past is as it was, and its views follow from its log."""
    clock = Ticking()
    memory = Memory(Space(store, clock=clock))
    heard: list[tuple[datetime, datetime, dict[str, object]]] = []
    for _ in range(draw(st.integers(1, 7))):
        draw(st.sampled_from(acts))(memory, draw, clock)
        known = clock.moment() + timedelta(hours=12)
        valid = clock.moment() + timedelta(days=draw(st.sampled_from((0, 0, -2, 6))))
        heard.append((known, valid, said(memory, known, valid)))
        clock.day += 1
    assert memory.doctor().problems == ()
    for known, valid, before in heard:
        assert said(memory, known, valid) == before
    memory.rebuild()
    assert memory.doctor().problems == ()
    assert told(memory) == said(memory, clock.moment(), clock.moment())


UNDECLARED = tuple(act for act in ACTS if act is not declared)


@given(st.data())
def test_the_past_of_a_memory_never_changes(data: st.DataObject) -> None:
    """P20: what was known at an instant is told the same ever after, if nothing is declared anew."""
    lived(MemoryStore(), data.draw, UNDECLARED)


@given(st.data())
def test_the_past_of_a_file_never_changes(data: st.DataObject) -> None:
    """The same on SQLite."""
    store = SqliteStore(":memory:")
    try:
        lived(store, data.draw, UNDECLARED)
    finally:
        store.close()


@given(st.data())
def test_views_follow_from_the_log_under_declarations_too(data: st.DataObject) -> None:
    """Declaring an attribute anew settles what is held about it, and a rebuild comes to the same."""
    clock = Ticking()
    memory = Memory(Space(MemoryStore(), clock=clock))
    for _ in range(data.draw(st.integers(1, 8))):
        data.draw(st.sampled_from(ACTS))(memory, data.draw, clock)
        clock.day += data.draw(st.integers(0, 2))
        assert memory.doctor().problems == ()
