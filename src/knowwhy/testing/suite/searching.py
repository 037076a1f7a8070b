# ruff: noqa: D102, PLR2004, S101 - these are tests, though they are public
"""The text index, and the views as a whole."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from knowwhy.core.confidence import LogOddsTally, Mass
from knowwhy.core.confidence.log_odds import Balance
from knowwhy.core.model import Attribute, Belief, Derivation, Doubt, Status, belief_id, value_of
from knowwhy.core.revision import ContestKey
from knowwhy.core.timeline import Instant
from knowwhy.errors import KnowwhyError
from knowwhy.store.protocol import Store, TextEntry
from knowwhy.testing.records import EPOCH, HOSTILE, claim, evidence, slot
from knowwhy.testing.suite.committing import PRICE, WINDOW, bare, said
from knowwhy.testing.suite.declaring import EXAMPLES
from knowwhy.testing.suite.opening import Opening, beliefs_of, scores_of, state
from knowwhy.testing.workload import Workload

DOCUMENTS = {
    "ev_1": ("return", "window", "seven", "days"),
    "ev_2": ("return", "return", "return"),
    "ev_3": ("price", "of", "a", "window", "in", "francs"),
    "ev_4": ("seven", "seas"),
    "ev_5": ("nothing",),
}


def index(store: Store, documents: dict[str, tuple[str, ...]], space: str = "default") -> None:
    """Commit the index entries of some documents."""
    entries = tuple(TextEntry(*entry) for entry in documents.items())
    store.commit(space, replace(bare(), texts=entries))


class Searching(Opening):
    """Documents that contain any of some terms, by BM25."""

    def test_documents_with_any_of_the_terms_are_found_best_first(self, store: Store) -> None:
        index(store, DOCUMENTS)
        with store.snapshot("default") as snapshot:
            found = snapshot.search(["return", "seven"], 10)
        assert found.hits[0].document == "ev_1"
        assert {hit.document for hit in found.hits} == {"ev_1", "ev_2", "ev_4"}
        scores = [hit.score for hit in found.hits]
        assert scores == sorted(scores, reverse=True)
        assert scores[-1] > 0.0

    def test_scores_are_those_of_bm25(self, store: Store) -> None:
        index(store, DOCUMENTS)
        with store.snapshot("default") as snapshot:
            found = {hit.document: hit.score for hit in snapshot.search(["return", "seven", "days"], 10).hits}
        # idf("return") = idf("seven") = ln(3.5 / 2.5), idf("days") = ln(4.5 / 1.5); mean length 16 / 5.
        assert found == pytest.approx({"ev_1": 1.6071855, "ev_2": 0.5359196, "ev_4": 0.3974437}, rel=1e-6)

    def test_terms_of_most_documents_count_for_almost_nothing_but_not_less(self, store: Store) -> None:
        index(store, {f"ev_{number}": ("all", f"own{number}") for number in range(5)})
        with store.snapshot("default") as snapshot:
            common = snapshot.search(["all"], 10)
            told = snapshot.search(["all", "own3"], 10)
        assert len(common.hits) == 5
        assert all(0.0 < hit.score < 1e-5 for hit in common.hits)
        assert told.hits[0].document == "ev_3"

    def test_in_how_many_documents_each_term_is(self, store: Store) -> None:
        index(store, DOCUMENTS)
        with store.snapshot("default") as snapshot:
            found = snapshot.search(["return", "window", "unknown", "return"], 1)
            assert found.documents == snapshot.search([], 5).documents == 5
        counted = {term: number for term, number in found.frequencies.items() if number}
        assert counted == {"return": 2, "window": 2}

    def test_no_more_than_the_limit_and_the_best_of_all(self, store: Store) -> None:
        index(store, DOCUMENTS)
        with store.snapshot("default") as snapshot:
            terms = ["return", "seven", "price", "of"]
            everything = snapshot.search(terms, 100)
            for limit in range(6):
                found = snapshot.search(terms, limit)
                assert found.hits == everything.hits[:limit]
                assert found.frequencies == everything.frequencies

    def test_terms_asked_for_twice_count_once(self, store: Store) -> None:
        index(store, DOCUMENTS)
        with store.snapshot("default") as snapshot:
            assert snapshot.search(["seven", "seven", "return"], 9) == snapshot.search(["seven", "return"], 9)

    def test_without_terms_nothing_is_found(self, store: Store) -> None:
        index(store, DOCUMENTS)
        with store.snapshot("default") as snapshot:
            assert snapshot.search([], 5).hits == snapshot.search(["unknown"], 5).hits == ()

    def test_a_new_entry_takes_the_place_of_the_old_one(self, store: Store) -> None:
        index(store, DOCUMENTS)
        index(store, {"ev_2": ("changed",)})
        with store.snapshot("default") as snapshot:
            assert scores_of(snapshot.search(["return"], 5)).keys() == {"ev_1"}
            assert scores_of(snapshot.search(["changed"], 5)).keys() == {"ev_2"}
            assert snapshot.search(["return"], 5).documents == 5

    def test_other_spaces_change_no_score(self, store: Store) -> None:
        index(store, DOCUMENTS)
        with store.snapshot("default") as snapshot:
            before = snapshot.search(["return", "seven"], 9)
        index(store, {f"ev_{number}": ("return",) * number for number in range(20)}, "other")
        with store.snapshot("default") as snapshot:
            assert snapshot.search(["return", "seven"], 9) == before

    @pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
    def test_terms_are_words_and_never_syntax(self, store: Store, text: str) -> None:
        terms = tuple(dict.fromkeys([text, *text.split(), "*", '"', "AND", "退货"]))
        entries = {f"ev_{number}": (term,) for number, term in enumerate(terms)}
        index(store, {**entries, "ev_all": terms, "ev_none": ("plain",)})
        with store.snapshot("default") as snapshot:
            for number, term in enumerate(terms):
                found = snapshot.search([term], 50)
                assert scores_of(found).keys() == {f"ev_{number}", "ev_all"}
                assert found.frequencies[term] == 2
            assert len(snapshot.search(terms, 500).hits) == len(terms) + 1
            entry = next(view for view in snapshot.views() if isinstance(view, TextEntry))
            assert entry == TextEntry("ev_0", (terms[0],))
            assert TextEntry("ev_all", tuple(sorted(terms))) in list(snapshot.views())

    def test_terms_that_differ_in_case_or_accent_are_different(self, store: Store) -> None:
        terms = ("e", "E", "é", "e\u0301", "ﬁ", "fi", "running", "run", "a-b", "a", "ab", "1.5", "1", "5")
        index(store, {f"ev_{number}": (term,) for number, term in enumerate(terms)})
        with store.snapshot("default") as snapshot:
            for number, term in enumerate(terms):
                assert scores_of(snapshot.search([term], 50)).keys() == {f"ev_{number}"}


class Viewing(Opening):
    """Views can be read whole, thrown away, and put back."""

    def test_views_are_beliefs_by_id_then_entries_by_document(self, work: Workload) -> None:
        work.commit(said(work, "some words twice twice"))
        work.commit(said(work, "zebra after apple", "15 days"))
        with work.store.snapshot("default") as snapshot:
            views = list(snapshot.views())
        beliefs = [view for view in views if isinstance(view, Belief)]
        entries = [view for view in views if isinstance(view, TextEntry)]
        assert views == [*beliefs, *entries]
        assert [one.id for one in beliefs] == sorted(one.id for one in beliefs)
        assert [one.document for one in entries] == sorted(one.document for one in entries)
        assert TextEntry(evidence("zebra after apple").id, ("after", "apple", "zebra")) in entries
        assert (
            TextEntry(evidence("some words twice twice").id, ("some", "twice", "twice", "words")) in entries
        )
        assert len(views) == 6

    def test_views_put_back_are_the_views(self, store: Store, work: Workload) -> None:
        work.commit(said(work, "seven"))
        work.commit(said(work, "fifteen", "15 days"))
        before = state(store)
        with store.snapshot("default") as snapshot:
            rows: list[Belief | TextEntry] = list(snapshot.views())
        random.Random(7).shuffle(rows)  # noqa: S311 - any order but the one they came in
        store.replace_views("default", [])
        assert beliefs_of(store) == []
        store.replace_views("default", rows)
        assert state(store) == before

    def test_views_take_the_place_of_all_others_and_leave_the_log(self, store: Store, work: Workload) -> None:
        work.commit(said(work, "seven"))
        work.commit(said(work, "fifteen", "15 days"))
        before = state(store)
        kept = replace(beliefs_of(store)[0], status=Status.CONTESTED, version=1)
        rows: list[Belief | TextEntry] = [kept, TextEntry(kept.id, ("new", "words"))]
        store.replace_views("default", iter(rows))
        after = state(store)
        assert after["views"] == rows
        assert after["search"].keys() == {kept.id}  # type: ignore[attr-defined]
        for part in (
            "head",
            "operations",
            "declared",
            "sources",
            "entities",
            "slots",
            "evidence",
            "testimonies",
            "decisions",
        ):
            assert after[part] == before[part]

    def test_versions_of_replaced_beliefs_are_as_given(self, store: Store, work: Workload) -> None:
        work.commit(said(work, "seven"))
        rows = [replace(belief, version=0) for belief in beliefs_of(store)]
        store.replace_views("default", rows)
        assert beliefs_of(store) == rows

    def test_rows_that_break_off_change_nothing(self, store: Store, work: Workload) -> None:
        work.commit(said(work, "seven"))
        before = state(store)

        def rows() -> Iterator[Belief | TextEntry]:
            yield TextEntry("ev_1", ("half",))
            raise _BrokenOff

        with pytest.raises(_BrokenOff):
            store.replace_views("default", rows())
        assert state(store) == before
        assert work.commit(said(work, "fifteen", "15 days")).sequence == 2

    def test_rows_may_be_read_from_the_store_as_they_are_written(self, store: Store, work: Workload) -> None:
        work.commit(said(work, "seven"))
        before = state(store)

        def rows() -> Iterator[Belief | TextEntry]:
            with store.snapshot("default") as snapshot:
                yield from snapshot.views()

        store.replace_views("default", rows())
        assert state(store) == before

    def test_other_spaces_keep_their_views(self, store: Store) -> None:
        here, there = Workload(store, "here"), Workload(store, "there")
        here.commit(said(here, "seven"))
        there.commit(said(there, "seven"))
        before = state(store, "there")
        store.replace_views("here", [])
        assert state(store, "there") == before

    def test_a_sound_space_has_no_problems(self, store: Store, work: Workload) -> None:
        busy(work)
        assert store.problems("default") == []

    def test_all_is_there_after_reopening(self, store: Store, work: Workload, tmp_path: Path) -> None:
        names = busy(work)
        before = state(store, names=names)
        other = Workload(store, "other")
        other.commit(said(other, "seven"))
        reopened = self.reopen(store, tmp_path)
        try:
            assert state(reopened, names=names) == before
            assert beliefs_of(reopened, "other")[0].version == 1
            again = Workload(reopened, now=work.now)
            assert again.commit(said(again, "later", "30 days")).sequence == before["head"].sequence + 1  # type: ignore[attr-defined]
        finally:
            reopened.close()

    def test_a_closed_store_cannot_be_used_again(self, tmp_path: Path) -> None:
        store = self.create(tmp_path)
        store.commit("default", bare())
        store.close()
        with pytest.raises(KnowwhyError), store.snapshot("default") as snapshot:
            snapshot.head()
        with pytest.raises(KnowwhyError):
            store.commit("default", bare())
        with pytest.raises(KnowwhyError):
            store.replace_views("default", [])


class _BrokenOff(Exception):
    """Raised in the middle of some rows."""


def busy(work: Workload) -> list[str]:
    """Write something of every kind, and give the aliases used."""
    stock = slot("order", "in stock")
    ground = evidence("refuted", observed_at=Instant(EPOCH + 5))
    work.commit(work.declaration(Attribute("return window", half_life_days=90.0)))
    work.commit(said(work, "seven", key="k"))
    work.commit(said(work, "fifteen", "15 days"))
    work.commit(work.observation([ground], [claim(ground, PRICE, "7 francs")]))
    work.commit(work.naming(WINDOW.subject, "Bestellung"))
    work.commit(work.naming(WINDOW.subject, "commande"))
    work.commit(work.unnaming(WINDOW.subject, "commande"))
    work.commit(work.withdrawal(evidence("seven").id))
    work.commit(work.declaration(Attribute("price", unit="franc")))
    for one in EXAMPLES:
        work.commit(work.declaration(one))
    inferred = evidence("cheap, so it is in stock")
    resting = replace(
        claim(inferred, stock, "yes"),
        derivation=Derivation((belief_id(PRICE.id, value_of("7 francs").key),), ("bl_?",), "cheap", 0.9),
        depends_on=(WINDOW.id,),
        is_forced=True,
    )
    work.commit(work.observation([inferred], [resting]))
    work.commit(work.decision([ContestKey(stock.id), ContestKey(PRICE.id, "text:?")]))
    moved = Doubt(WINDOW.id, "order", "return window", "7 days", "15 days", EPOCH, 0.5)
    (held,) = (one for one in beliefs_of(work.store, work.space) if one.slot == stock)
    doubtful = replace(
        held,
        status=Status.DOUBTFUL,
        tally=LogOddsTally(EPOCH, 9.0, Mass(1.0, 2.0), rivals=(Balance(Mass(3.0)),)),
        doubts=(moved,),
        derivations=(Derivation((WINDOW.id,)),),
    )
    work.commit(work.replacement([doubtful]))
    return ["Bestellung", "commande"]
