"""How memories in SQLite files keep terms, and which documents they score for a question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowwhy.store.protocol import TextEntry
from knowwhy.store.sqlite import SqliteStore, search
from knowwhy.store.sqlite.opening import shipped
from knowwhy.store.sqlite.spelling import read_back, spelled, tallied, token, tokens
from knowwhy.testing.records import HOSTILE
from knowwhy.testing.suite.committing import bare


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    kept = SqliteStore(str(tmp_path / "memory.db"))
    yield kept
    kept.close()


def index(store: SqliteStore, documents: dict[str, tuple[str, ...]]) -> None:
    """Commit the index entries of some documents."""
    texts = tuple(TextEntry(document, terms) for document, terms in documents.items())
    store.commit("default", replace(bare(), texts=texts))


TERMS = st.one_of(
    st.sampled_from(
        [*HOSTILE, "", " ", "=", "_", "__", "_5f_", "a=2", "3.2", "user-1", "A", "a", "é", "e\u0301"]
    ),
    st.text(max_size=12),
    st.text("_=aA0 5f", max_size=6),
)


@given(st.lists(TERMS, max_size=8))
def test_terms_are_read_back_as_they_were(terms: list[str]) -> None:
    assert read_back(tallied([spelled(term) for term in terms])) == tuple(sorted(terms))


@given(st.sets(TERMS, min_size=1, max_size=8))
def test_the_index_keeps_each_term_as_one_word_of_its_own(terms: set[str]) -> None:
    spellings = [spelled(term) for term in terms]
    connection = apsw.Connection(":memory:")
    connection.execute(shipped()[0].sql)
    connection.execute("INSERT INTO postings (rowid, terms) VALUES (1, ?)", (tokens(7, spellings),))
    kept = {row[0] for row in connection.execute("SELECT term FROM vocabulary")}
    connection.close()
    assert kept == {token(7, spelling) for spelling in spellings}
    assert len(kept) == len(terms)
    assert all(re.fullmatch(r"7x[^\x00-/:-^`{-\x7f]*", word) for word in kept)


def test_long_terms_that_begin_alike_are_different(store: SqliteStore) -> None:
    start = "y" * 40_000
    index(store, {"ev_1": (f"{start}1",), "ev_2": (f"{start}2",)})
    with store.snapshot("default") as snapshot:
        assert [hit.document for hit in snapshot.search([f"{start}2"], 5).hits] == ["ev_2"]


def test_common_words_do_not_hide_a_document_that_has_two_of_them(store: SqliteStore) -> None:
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
        ([("a", 3), ("b", 4)], ['"1xa" OR "1xb"']),
        ([("a", 3), ("b", 9_000), ("c", 9_500)], ['"1xa"', '"1xb" AND ("1xc")']),
        ([("a", 3), ("b", 19_000), ("c", 19_500)], ['"1xa"']),
        ([("a", 9_000), ("b", 9_500), ("c", 90_000)], ['"1xa" AND ("1xb")', '"1xa"']),
        ([("a", 90_000)], ['"1xa"']),
    ],
)
def test_rare_terms_are_asked_for_first(found: list[tuple[str, int]], asked: list[str]) -> None:
    assert list(search.questions(1, found)) == asked


def test_common_terms_are_counted_again_when_there_is_much_that_is_new(store: SqliteStore) -> None:
    index(store, {f"ev_{number}": ("common",) for number in range(2_000)})
    with store.snapshot("default") as snapshot:
        assert snapshot.search(["common"], 1).frequencies == {"common": 2_000}
    index(store, {f"ev_more_{number}": ("common",) for number in range(100)})
    with store.snapshot("default") as snapshot:
        assert snapshot.search(["common"], 1).frequencies == {"common": 2_100}
    index(store, {f"ev_last_{number}": ("other",) for number in range(5)})
    with store.snapshot("default") as snapshot:
        assert snapshot.search(["common", "other"], 1).frequencies == {"common": 2_100, "other": 5}
