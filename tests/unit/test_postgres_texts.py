"""How memories on PostgreSQL keep texts, and which documents they score for a question."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowwhy.core.model import Entity
from knowwhy.errors import InvalidInput
from knowwhy.store.postgres import PostgresStore, search
from knowwhy.store.postgres.adapting import (
    LONGEST,
    escaped,
    loaded,
    number_of,
    restored,
    short,
    whole,
    written,
)
from knowwhy.store.postgres.texts import lines, read_back
from knowwhy.store.protocol import BeliefFilter, TextEntry
from knowwhy.testing.records import HOSTILE, claim, evidence, slot
from knowwhy.testing.suite.committing import bare
from knowwhy.testing.workload import Workload
from tests.servers import server

TEXTS = st.one_of(st.sampled_from(HOSTILE), st.text(), st.text("\0\1\2\\u01n\n", max_size=8))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXTS,
    lambda one: st.lists(one, max_size=3) | st.dictionaries(TEXTS, one, max_size=3),
    max_leaves=6,
)


@pytest.fixture
def store() -> Iterator[PostgresStore]:
    kept = PostgresStore(server().fresh())
    yield kept
    kept.close()


def index(store: PostgresStore, documents: dict[str, tuple[str, ...]]) -> None:
    """Commit the index entries of some documents."""
    texts = tuple(TextEntry(document, terms) for document, terms in documents.items())
    store.commit("default", replace(bare(), texts=texts))


# Characters and lengths -------------------------------------------------------------------------


@given(TEXTS)
def test_texts_are_read_back_as_they_were_and_hold_no_nul(text: str) -> None:
    assert "\0" not in escaped(text)
    assert restored([(1, escaped(text), None)]) == [(1, text, None)]


@given(TEXTS, TEXTS)
def test_texts_keep_their_order(one: str, other: str) -> None:
    assert (escaped(one) < escaped(other)) is (one < other)


@given(JSON)
def test_json_is_read_back_as_it_was_and_holds_no_nul(content: Any) -> None:  # noqa: ANN401
    text = written(content)
    assert "\0" not in str(json.loads(text))
    assert loaded(text) == content
    assert loaded(json.dumps(json.loads(text))) == content


@given(st.lists(TEXTS, max_size=6))
def test_terms_are_read_back_as_they_were(terms: list[str]) -> None:
    assert read_back(lines(terms)) == tuple(sorted(terms))


@given(st.text("ab\0é退", min_size=LONGEST - 2, max_size=LONGEST + 3), st.text("ab", max_size=4))
def test_keys_are_short_and_of_different_texts_different(text: str, more: str) -> None:
    assert len(short(text)) <= LONGEST + 33
    assert (short(text) == short(text + more)) is (not more)
    assert (whole(text) is None) is (short(text) == text)


def test_half_a_character_is_a_key_that_finds_nothing() -> None:
    assert short("\ud83d") != short("?")
    short("\ud83d").encode()


def test_spaces_have_numbers_of_64_bits_that_stay() -> None:
    assert number_of("default") == -101136948824460382
    assert all(-(2**63) <= number_of(str(one)) < 2**63 for one in range(1_000))


def test_what_is_too_long_for_an_index_is_found_all_the_same(store: PostgresStore) -> None:
    work = Workload(store)
    long = "".join(chr(0x4E00 + number % 5_000) for number in range(3_000))
    entity, ground = Entity(f"own {long}", f"name {long}"), evidence(f"text {long}")
    statement = claim(ground, slot(entity, f"attribute {long}"), f"value {long}")
    work.commit(work.observation([ground], [statement], key=f"key {long}"))
    work.commit(work.naming(entity, f"alias {long}"))
    with store.snapshot("default") as snapshot:
        (belief,) = snapshot.beliefs(BeliefFilter(subjects=[entity.id], attribute=statement.slot.attribute))
        assert (belief.slot, belief.value) == (statement.slot, statement.value)
        assert snapshot.beliefs(BeliefFilter(values=[statement.value.key])) == [belief]
        assert snapshot.entities([entity.id]) == [entity]
        assert snapshot.names([f"alias {long}"]) == {f"alias {long}": [entity]}
        assert [one.key for one in snapshot.operations(key=f"key {long}")] == [f"key {long}"]
        assert [hit.document for hit in snapshot.search([long], 5).hits if hit.document == ground.id]
    work.commit(work.unnaming(entity, f"alias {long}"))
    with store.snapshot("default") as snapshot:
        assert snapshot.names([f"alias {long}"]) == {}
    assert store.problems("default") == []


def test_halves_of_characters_are_refused_and_nothing_is_written(store: PostgresStore) -> None:
    work = Workload(store)
    work.commit(bare())
    ground = evidence("half a character: \ud83d")
    with pytest.raises(InvalidInput, match="half of a character"):
        work.commit(work.observation([ground], [claim(ground, slot("thing 1"), "1 francs")]))
    with store.snapshot("default") as snapshot:
        assert snapshot.head().sequence == 1
        assert snapshot.names(["\ud83d"]) == {}
        assert snapshot.search(["\ud83d"], 5).hits == ()
        assert snapshot.sources(["\ud83d"]) == []
    assert store.problems("default") == []


def test_numbers_beyond_64_bits_are_refused(store: PostgresStore) -> None:
    operation = replace(bare().operation, at=2**70)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput):
        store.commit("default", replace(bare(), operation=operation))


# Searching --------------------------------------------------------------------------------------


def test_long_terms_that_begin_alike_are_different(store: PostgresStore) -> None:
    start = "y" * 40_000
    index(store, {"ev_1": (f"{start}1",), "ev_2": (f"{start}2",)})
    with store.snapshot("default") as snapshot:
        assert [hit.document for hit in snapshot.search([f"{start}2"], 5).hits] == ["ev_2"]


def test_terms_are_counted_as_often_as_they_are_there(store: PostgresStore) -> None:
    index(store, {"ev_1": ("a", "a", "a", "aa", "b"), "ev_2": ("a", "c", "c\nc", "a\\n"), "ev_3": ("d",) * 3})
    index(store, {"ev_1": ("a", "a", "b", "c\nc")})
    with store.snapshot("default") as snapshot:
        found = snapshot.search(["a", "c\nc"], 5)
        assert found.frequencies == {"a": 2, "c\nc": 2}
        assert [hit.document for hit in found.hits] == ["ev_1", "ev_2"]
        assert snapshot.search(["aa"], 5).frequencies == {"aa": 0}


def test_common_words_do_not_hide_a_document_that_has_two_of_them(store: PostgresStore) -> None:
    many = search.CANDIDATES * 2
    documents = {f"ev_{number:05}": ("red" if number % 2 else "green", "thing") for number in range(2 * many)}
    index(store, {"ev_first": ("red", "green", "thing"), **documents, "ev_rare": ("rare", "thing", "blue")})
    with store.snapshot("default") as snapshot:
        found = snapshot.search(["red", "green"], 3)
        assert found.hits[0].document == "ev_first"
        assert found.frequencies == {"red": many + 1, "green": many + 1}
        assert found.documents == 2 * many + 2
        assert snapshot.search(["thing", "red", "rare"], 1).hits[0].document == "ev_rare"
        assert len(snapshot.search(["thing"], 10).hits) == 10


@pytest.mark.parametrize(
    ("found", "asked"),
    [
        ([("a", 3), ("b", 4)], [(search.WITH_ANY, ["a", "b"])]),
        ([("a", 3), ("b", 9_000), ("c", 9_500)], [(search.WITH_ANY, ["a"]), (search.WITH_TWO, ["c"])]),
        ([("a", 3), ("b", 19_000), ("c", 19_500)], [(search.WITH_ANY, ["a"])]),
        ([("a", 9_000), ("b", 9_500), ("c", 90_000)], [(search.WITH_TWO, ["b"]), (search.WITH_ONE, "a")]),
        ([("a", 90_000)], [(search.WITH_ONE, "a")]),
    ],
)
def test_rare_terms_are_asked_for_first(
    found: list[tuple[str, int]], asked: list[tuple[str, list[str] | str]]
) -> None:
    assert [(sql, bindings[-1]) for sql, bindings in search.questions(1, found)] == asked


def test_common_terms_are_counted_again_when_there_is_much_that_is_new(store: PostgresStore) -> None:
    index(store, {f"ev_{number}": ("common",) for number in range(2_000)})
    with store.snapshot("default") as snapshot:
        assert snapshot.search(["common"], 1).frequencies == {"common": 2_000}
    index(store, {f"ev_more_{number}": ("common",) for number in range(100)})
    with store.snapshot("default") as snapshot:
        assert snapshot.search(["common"], 1).frequencies == {"common": 2_100}
    index(store, {f"ev_last_{number}": ("other",) for number in range(5)})
    with store.snapshot("default") as snapshot:
        assert snapshot.search(["common", "other"], 1).frequencies == {"common": 2_100, "other": 5}
    store.replace_views("default", [TextEntry(f"ev_{number}", ("none",)) for number in range(2_105)])
    with store.snapshot("default") as snapshot:
        assert snapshot.search(["common"], 1).frequencies == {"common": 0}
