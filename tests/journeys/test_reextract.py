"""Kept words are read again, on a branch, by somebody who reads better."""

from __future__ import annotations

import pytest

import knowwhy
from knowwhy import Draft, Memory
from knowwhy.core.model import Schema
from knowwhy.providers.extraction import Extraction, Utterance

WORDS = {
    "2025-01-01": "The return window of Harbour Books is 7 days.",
    "2025-02-01": "Marta runs Harbour Books.",
    "2025-03-01": "Good morning, everybody!",
}


class Better:
    """Reads who runs what, and nothing else."""

    name = "better"

    def __init__(self, *, stumbles: bool = False) -> None:
        self._stumbles = stumbles

    def extract(self, utterance: Utterance, schema: Schema) -> Extraction:
        """The claims."""
        del schema
        if self._stumbles and "morning" in utterance.text:
            raise ValueError("too early")
        if "runs" not in utterance.text:
            return Extraction()
        return Extraction((Draft("Harbour Books", "CEO", "Marta", quote=utterance.text),))


@pytest.fixture
def memory() -> Memory:
    opened = knowwhy.open(clock=lambda: knowwhy.instant("2025-06-01"))
    opened.declare("return window", unit="days")
    opened.declare("CEO", value_type="entity")
    for when, text in WORDS.items():
        opened.observe(text, source="ann", source_type="user", observed_at=when, recorded_at=when)
    opened.observe(
        "Blue it is.", source="bob", claims=[("Harbour Books", "colour", "blue")], observed_at="2025-01-05"
    )
    opened.end("Harbour Books", "colour", at="2025-05-01")
    return opened


def value(memory: Memory, attribute: str) -> str | None:
    found = memory.ask("Harbour Books", attribute).value
    return None if found is None else str(found)


def test_the_same_reader_finds_the_same(memory: Memory) -> None:
    report = memory.reextract("again")
    assert (report.read, report.same, report.added, report.gone) == (3, 1, 0, 0)
    assert report.passed_over == 2
    assert not memory.diff("main", "again").as_dict()["differences"]


def test_what_is_read_better_is_merged_after_a_look(memory: Memory) -> None:
    before = value(memory, "return window")
    report = memory.reextract("again", extractor=Better())
    assert (report.same, report.added, report.gone) == (0, 1, 1)
    assert (value(memory, "return window"), value(memory, "CEO")) == (before, None)
    assert "CEO" in str(memory.diff("main", "again")) or "ceo" in str(memory.diff("main", "again"))
    memory.merge("again")
    assert (value(memory, "return window"), value(memory, "CEO")) == (None, "Marta")
    assert memory.doctor().is_healthy
    back = memory.reextract("back")
    assert (back.added, back.gone) == (1, 1)
    memory.merge("back")
    assert (value(memory, "return window"), value(memory, "CEO")) == (before, None)
    assert memory.doctor().is_healthy
    assert memory.reextract("still").same == 1


def test_only_what_became_known_since_is_read(memory: Memory) -> None:
    report = memory.reextract("again", since="2025-02-01", extractor=Better())
    assert (report.read, report.added, report.gone) == (2, 1, 0)


def test_new_declarations_are_reason_enough(memory: Memory) -> None:
    memory.observe("The motto of Harbour Books is Read on.", source="ann", observed_at="2025-04-01")
    assert value(memory, "motto") is None
    memory.declare("motto", value_type="text")
    assert memory.reextract("again").added == 1
    memory.merge("again")
    assert value(memory, "motto") == "Read on"


def test_what_cannot_be_read_is_told_and_stays(memory: Memory) -> None:
    report = memory.reextract("again", extractor=Better(stumbles=True))
    assert report.failed == 1
    assert "too early" in report.errors[0]
    assert "1 failed" in str(report)


def test_words_that_wait_are_passed_over_and_versions_of_documents_are_not(memory: Memory) -> None:
    memory.observe("The return window of Harbour Books is 9 days.", source="ann", extract="later")
    memory.observe_document(
        "a.md", "1", "The return window of Harbour Books is 8 days.", observed_at="2025-01-01"
    )
    report = memory.reextract("again")
    assert (report.passed_over, report.read) == (3, 4)
    assert memory.queue().waiting == 1


def test_taken_names_and_unknown_readers_are_refused(memory: Memory) -> None:
    memory.reextract("again")
    with pytest.raises(knowwhy.InvalidInput):
        memory.reextract("again")
    with pytest.raises(knowwhy.NotFound, match="oracle"):
        memory.reextract("other", extractor="oracle")
    assert [one.name for one in memory.branches()] == ["again"]
