"""Words that are kept at once and read later, by one reader or by many."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

import pytest

import knowwhy
from knowwhy import Instant, Memory, Observation
from knowwhy.core.model import Schema
from knowwhy.ingest.extraction import DeterministicExtractor
from knowwhy.providers.extraction import Extraction, Utterance

BEGUN = knowwhy.instant("2025-10-08T09:00:00Z")
SECOND = 1_000_000


class Hand:
    """A clock that is moved by hand, and a little by each look at it."""

    def __init__(self) -> None:
        self.now = BEGUN

    def __call__(self) -> Instant:
        self.move(0.001)
        return self.now

    def move(self, seconds: float) -> None:
        """Let some time pass."""
        self.now = Instant(self.now + round(seconds * SECOND))


class Picky:
    """Reads by rules, and refuses some words for as long as it is told to."""

    name = "picky"

    def __init__(self) -> None:
        self.refuses = "Welsh"
        self.error: Exception = ValueError("no such language")

    def extract(self, utterance: Utterance, schema: Schema) -> Extraction:
        """What the rules read."""
        if self.refuses and self.refuses in utterance.text:
            raise self.error
        return DeterministicExtractor().extract(utterance, schema)


@pytest.fixture
def clock() -> Hand:
    return Hand()


@pytest.fixture
def picky() -> Picky:
    return Picky()


@pytest.fixture
def memory(clock: Hand, picky: Picky) -> Memory:
    opened = knowwhy.open(clock=clock, extractor=picky)
    opened.declare("speaks", cardinality="many")
    opened.declare("return window", unit="days")
    return opened


def speaks(memory: Memory, subject: str = "Priya") -> set[str]:
    try:
        return {str(one.value) for one in memory.ask(subject, "speaks").findings if one.status == "accepted"}
    except knowwhy.NotFound:
        return set()


def test_words_are_found_at_once_and_believed_once_they_are_read(memory: Memory) -> None:
    outcome = memory.observe("Priya speaks Hindi.", source="ann", extract="later")
    assert outcome.recorded == 1
    assert outcome.waiting == outcome.evidence
    assert "read later" in str(outcome)
    assert not speaks(memory)
    assert memory.recall("who speaks Hindi?").passages
    assert memory.queue().waiting == 1
    report = memory.work(author="night shift")
    assert (report.read, report.claims, report.left) == (1, 1, 0)
    assert speaks(memory) == {"Hindi"}
    (entry,) = memory.log(limit=1)
    assert (entry.operation.act, entry.operation.author) == ("read", "night shift")
    assert entry.outcome.read_outs[0].read[0].quote == "Priya speaks Hindi"


def test_repeating_the_words_does_not_queue_them_again(memory: Memory) -> None:
    for _ in range(2):
        memory.observe("Priya speaks Hindi.", source="ann", observed_at="2025-10-01", extract="later")
    assert memory.queue().total == 1
    memory.work()
    again = memory.observe("Priya speaks Hindi.", source="ann", observed_at="2025-10-01", extract="later")
    assert again.is_repeat
    assert not memory.queue().total


def test_what_fails_is_tried_again_later_and_parked_in_the_end(
    memory: Memory, clock: Hand, picky: Picky
) -> None:
    memory.observe_many(
        Observation("ann", f"Priya speaks {language}.", extract="later")
        for language in ("Hindi", "Welsh", "English")
    )
    report = memory.work()
    assert (report.read, report.failed) == (2, 1)
    assert speaks(memory) == {"Hindi", "English"}
    queue = memory.queue()
    assert queue.items[0].error == "ValueError: no such language"
    tries, waits = 1, []
    while not memory.queue().parked:
        before = clock.now
        while not memory.work().failed and not memory.queue().parked:
            clock.move(0.5)
        waits.append((clock.now - before) / SECOND)
        tries += 1
    assert tries == 5
    assert waits == sorted(waits)
    assert waits[-1] >= 2 * waits[1] > 0
    clock.move(1_000_000)
    assert memory.work().read == 0
    picky.refuses = ""
    assert "parked" in str(memory.queue())
    assert memory.retry(memory.queue().items[0].evidence).waiting
    assert memory.work().read == 1
    assert speaks(memory) == {"Hindi", "English", "Welsh"}
    assert str(memory.queue()) == "Nothing waits to be read."


def test_who_reads_being_away_parks_nothing(memory: Memory, clock: Hand, picky: Picky) -> None:
    picky.error = knowwhy.Unavailable("nobody there", retry_after=3.0)
    memory.observe("Priya speaks Welsh.", source="ann", extract="later")
    for _ in range(20):
        assert memory.work().failed == 1
        assert memory.work().failed == 0
        clock.move(3.1)
    assert memory.queue().parked == 0
    picky.refuses = ""
    assert memory.work().read == 1


def test_a_conversation_is_read_in_order_whatever_the_order_it_came_in(memory: Memory) -> None:
    turns = ["The return window of Harbour Books is 7 days.", "No, it is 15 days now."]
    said = [
        Observation(
            "dana",
            text,
            source_type="user",
            context="chat 1",
            observed_at=datetime(2025, 10, 1, 9, place, tzinfo=UTC),
            extract="later",
        )
        for place, text in enumerate(turns)
    ]
    for one in reversed(said):
        memory.observe_many([one])
    memory.work()
    assert str(memory.ask("Harbour Books", "return window").value) == "15 days"


def test_where_the_speaker_was_is_kept(memory: Memory) -> None:
    """Just after midnight in Shanghai it is yesterday in UTC."""
    memory.declare("deadline", value_type="date")
    for extract in (True, "later"):
        memory.observe(
            f"The deadline of project {extract} is tomorrow.",
            source="ann",
            observed_at="2025-10-08T00:30:00+08:00",
            extract=extract,
        )
    memory.work()
    assert str(memory.ask("project later", "deadline").value) == "2025-10-09"
    assert str(memory.ask("project True", "deadline").value) == "2025-10-09"


def test_many_readers_share_the_work() -> None:
    memory = knowwhy.open()
    memory.declare("speaks", cardinality="many")
    memory.observe_many(
        Observation("ann", f"Priya speaks dialect {place}.", extract="later") for place in range(90)
    )
    reports: list[knowwhy.WorkReport] = []
    readers = [threading.Thread(target=lambda: reports.append(memory.work())) for _ in range(4)]
    for one in readers:
        one.start()
    for one in readers:
        one.join()
    assert sum(one.read for one in reports) == 90
    assert memory.stats()["claims"] == 90
    assert not memory.queue().total
    assert memory.doctor().is_healthy


def test_what_is_neither_now_nor_later_is_refused(memory: Memory) -> None:
    with pytest.raises(knowwhy.InvalidInput, match="later"):
        memory.observe("Priya speaks Hindi.", source="ann", extract="tomorrow")
    with pytest.raises(knowwhy.InvalidInput, match="limit"):
        memory.work(limit=0)
    with pytest.raises(knowwhy.NotFound, match="does not wait"):
        memory.retry("ev_unknown")


def test_loaded_history_can_be_read_later(memory: Memory) -> None:
    first = datetime(2025, 1, 1, tzinfo=UTC)
    memory.observe_many(
        Observation(
            "policy",
            f"The return window of Harbour Books is {days} days.",
            source_type="official",
            observed_at=first + timedelta(days=place),
            recorded_at=first + timedelta(days=place),
            extract="later",
        )
        for place, days in ((1, 15), (0, 7))
    )
    memory.work(limit=1)
    assert str(memory.ask("Harbour Books", "return window").value) == "7 days"
    memory.work()
    assert str(memory.ask("Harbour Books", "return window").value) == "15 days"
