"""What documents in versions keep to: each version counts from when it was published, in any order.

The oracle looks up the newest version of a date, and what stands in it; it knows nothing of evidence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

from hypothesis import given
from hypothesis import strategies as st

import knowwhy
from knowwhy import Memory
from knowwhy.core.model import Schema
from knowwhy.engine.space import Space
from knowwhy.ingest.extraction import DeterministicExtractor
from knowwhy.providers.extraction import Extraction, Extractor, Utterance
from knowwhy.store.memory import MemoryStore
from tests.laws.effort import examples

FIRST = datetime(2025, 1, 1, tzinfo=UTC)
NOW = knowwhy.instant("2026-01-01")
SHOPS = ("Harbour Books", "Pier Store")
LANGUAGES = ("Hindi", "Welsh", "Czech")
URI = "handbook.md"

# What a version says: the return window of some shops, and which languages somebody speaks.
Version: TypeAlias = tuple[Mapping[str, int], frozenset[str]]

versions = st.lists(
    st.tuples(
        st.dictionaries(st.sampled_from(SHOPS), st.integers(7, 9)),
        st.frozensets(st.sampled_from(LANGUAGES)),
    ),
    min_size=1,
    max_size=5,
)


def written(version: Version) -> str:
    """The words of a version."""
    windows, languages = version
    lines = ["# Handbook", ""]
    lines += [f"{shop}'s return window is {days} days." for shop, days in sorted(windows.items())]
    lines += [f"Priya speaks {language}." for language in sorted(languages)]
    return "\n\n".join(lines)


def published(place: int) -> datetime:
    """When the version of a place was published: one every month."""
    return FIRST + timedelta(days=30 * place)


def opened(extractor: Extractor | None = None) -> Memory:
    reader = extractor or DeterministicExtractor()
    memory = Memory(Space(MemoryStore(), clock=lambda: NOW, extractor=reader))
    memory.declare("return window", unit="days")
    memory.declare("speaks", cardinality="many")
    return memory


def bring(memory: Memory, said: Sequence[Version], order: Sequence[int]) -> None:
    for place in order:
        memory.observe_document(URI, str(place), written(said[place]), observed_at=published(place))


def believed(memory: Memory, at: datetime) -> Version:
    """What is accepted at a time."""
    reader = memory.at(valid=at)
    windows = {}
    for shop in SHOPS:
        try:
            value = reader.ask(shop, "return window").value
        except knowwhy.NotFound:
            continue
        if value is not None:
            windows[shop] = int(str(value).partition(" ")[0])
    try:
        spoken = reader.ask("Priya", "speaks").findings
    except knowwhy.NotFound:
        spoken = ()
    return windows, frozenset(str(one.value) for one in spoken if one.status == "accepted")


def in_force(said: Sequence[Version], at: datetime) -> Version:
    """What the newest version published by then says."""
    places = [place for place in range(len(said)) if published(place) <= at]
    return (dict(said[places[-1]][0]), said[places[-1]][1]) if places else ({}, frozenset())


@examples(60)
@given(st.data())
def test_at_each_date_the_version_in_force_counts_whatever_the_order_of_arrival(data: st.DataObject) -> None:
    said = data.draw(versions)
    memory = opened()
    bring(memory, said, data.draw(st.permutations(range(len(said)))))
    for place in range(-1, len(said)):
        at = published(place) + timedelta(days=10)
        assert believed(memory, at) == in_force(said, at)
    assert memory.doctor().is_healthy


@examples(40)
@given(st.data())
def test_the_order_of_arrival_changes_nothing_that_is_held(data: st.DataObject) -> None:
    said = data.draw(versions)
    in_order, shuffled = opened(), opened()
    bring(in_order, said, range(len(said)))
    bring(shuffled, said, data.draw(st.permutations(range(len(said)))))
    for subject in (*SHOPS, "Priya"):
        for attribute in ("return window", "speaks"):
            assert held(in_order, subject, attribute) == held(shuffled, subject, attribute)


def held(memory: Memory, subject: str, attribute: str) -> list[tuple[str, str, float]]:
    try:
        findings = memory.ask(subject, attribute).findings
    except knowwhy.NotFound:
        return []
    return sorted((str(one.value), str(one.status), round(one.confidence, 9)) for one in findings)


@examples(40)
@given(versions)
def test_what_others_say_stays_whatever_a_document_drops(said: list[Version]) -> None:
    memory = opened()
    for language in LANGUAGES:
        memory.observe(f"Priya speaks {language}.", source="somebody", observed_at=FIRST)
    bring(memory, said, range(len(said)))
    assert believed(memory, published(len(said)))[1] == frozenset(LANGUAGES)


@examples(40)
@given(versions)
def test_the_impact_is_the_difference_to_the_version_before(said: list[Version]) -> None:
    memory = opened()
    before: Version = ({}, frozenset())
    for place, version in enumerate(said):
        impact = memory.observe_document(URI, str(place), written(version), observed_at=published(place))
        windows, languages = version
        changed = {shop for shop in windows if before[0].get(shop, windows[shop]) != windows[shop]}
        assert {one.subject for one, _ in impact.changed} == changed
        assert all(was.quote != now.quote for was, now in impact.changed)
        dropped = {(one.subject, one.value) for one in impact.dropped}
        assert {value for subject, value in dropped if subject == "Priya"} == before[1] - languages
        assert {subject for subject, _ in dropped} - {"Priya"} == before[0].keys() - windows.keys()
        confirmed = len(languages & before[1]) + len([s for s in windows if before[0].get(s) == windows[s]])
        assert len(impact.confirmed) == confirmed
        before = version


@examples(40)
@given(st.data())
def test_undoing_a_version_leaves_what_the_others_say(data: st.DataObject) -> None:
    said = data.draw(versions)
    memory, without = opened(), opened()
    order = data.draw(st.permutations(range(len(said))))
    gone = data.draw(st.sampled_from(order))
    bring(memory, said, [one for one in order if one != gone])
    impact = memory.observe_document(URI, str(gone), written(said[gone]), observed_at=published(gone))
    memory.undo(impact.outcome.operation)
    bring(without, said, [one for one in order if one != gone])
    for place in range(len(said)):
        at = published(place) + timedelta(days=10)
        assert believed(memory, at) == believed(without, at)
    last = memory.observe_document(URI, "last", "Nothing.", observed_at=published(len(said)))
    left = [place for place in range(len(said)) if place != gone]
    assert last.previous == (str(left[-1]) if left else None)
    assert memory.doctor().is_healthy


@examples(40)
@given(st.data())
def test_versions_that_came_to_two_lines_are_one_document_once_they_are_merged(data: st.DataObject) -> None:
    """What neither line could compare is compared when the next version comes."""
    said = data.draw(versions)
    there = data.draw(st.lists(st.booleans(), min_size=len(said), max_size=len(said)))
    memory = opened()
    bring(memory, said[:1], [0])
    branch = memory.fork("other")
    for place in range(1, len(said)):
        bring(branch if there[place] else memory, said, [place])
    memory.merge("other")
    last: Version = ({}, frozenset())
    memory.observe_document(URI, "last", written(last), observed_at=published(len(said)))
    assert believed(memory, published(len(said)) + timedelta(days=1)) == last
    assert memory.doctor().is_healthy


@dataclass(frozen=True)
class Poor:
    """Reads of a text only what does not speak of some words, and one thing that is not there to be meant."""

    blind_to: str
    rules: DeterministicExtractor = field(default_factory=DeterministicExtractor)
    name: str = "poor"

    def extract(self, utterance: Utterance, schema: Schema) -> Extraction:
        """Part of what the rules read."""
        found = self.rules.extract(utterance, schema)
        kept = tuple(one for one in found.drafts if self.blind_to not in (one.quote or ""))
        wrong = tuple(replace(one, value="Latin") for one in kept if one.attribute == "speaks")
        return replace(found, drafts=(*kept, *wrong))


@examples(30)
@given(st.data())
def test_versions_that_are_read_again_are_as_if_they_had_been_read_so_at_once(data: st.DataObject) -> None:
    said = data.draw(versions)
    order = data.draw(st.permutations(range(len(said))))
    blind_to = data.draw(st.sampled_from((*SHOPS, *LANGUAGES, "nothing")))
    poor, good = opened(Poor(blind_to)), opened()
    bring(poor, said, order)
    bring(good, said, order)
    report = poor.reextract("again", extractor=DeterministicExtractor())
    assert report.read == len(said)
    for line in (poor.on("again"), poor):
        for place in range(len(said)):
            at = published(place) + timedelta(days=10)
            assert believed(line, at) == believed(good, at)
        assert line.doctor().is_healthy
        poor.merge("again")
    assert poor.reextract("once more", extractor=DeterministicExtractor()).added == 0
