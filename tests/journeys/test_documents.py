"""Documents that come in versions: what each confirms, changes, adds and drops, for their readers."""

from __future__ import annotations

import itertools
import threading

import pytest

import knowwhy
from knowwhy import Memory

HANDBOOK = {
    "2024-01-01": "# Returns\n\nThe return window of Harbour Books is 7 days. Priya speaks Welsh.",
    "2024-04-01": "# Returns\n\nThe return window of Harbour Books is 15 days. Priya speaks Welsh.",
    "2024-07-01": "# Returns\n\nFrom 1 August 2024 the return window of Harbour Books is 30 days.",
    "2024-10-01": "# Returns\n\nThe return window of Harbour Books is 30 days. Priya speaks Hindi.",
    "2025-01-01": "# Contact\n\nWrite to us.",
}
STANDS = {
    "2023-12-01": (None, set()),
    "2024-02-01": ("7 days", {"Welsh"}),
    "2024-05-01": ("15 days", {"Welsh"}),
    "2024-07-15": ("15 days", set()),
    "2024-08-15": ("30 days", set()),
    "2024-11-01": ("30 days", {"Hindi"}),
    "2025-02-01": (None, set()),
}


@pytest.fixture
def memory() -> Memory:
    opened = knowwhy.open(clock=lambda: knowwhy.instant("2025-06-01"))
    opened.declare("return window", unit="days")
    opened.declare("speaks", cardinality="many")
    return opened


def stands(memory: Memory, at: str) -> tuple[str | None, set[str]]:
    reader = memory.at(valid=at)
    window = reader.ask("Harbour Books", "return window").value
    spoken = reader.ask("Priya", "speaks").findings
    return None if window is None else str(window), {
        str(one.value) for one in spoken if one.status == "accepted"
    }


@pytest.mark.parametrize("order", [*itertools.islice(itertools.permutations(HANDBOOK), 0, 120, 17)])
def test_five_versions_in_any_order_give_the_right_value_at_each_date(
    memory: Memory, order: tuple[str, ...]
) -> None:
    for version in order:
        memory.observe_document("handbook.md", version, HANDBOOK[version], observed_at=version)
    assert {at: stands(memory, at) for at in STANDS} == STANDS
    assert memory.doctor().is_healthy


def test_the_impact_names_what_changed_with_both_quotes(memory: Memory) -> None:
    first, second, *_ = HANDBOOK
    memory.observe_document("handbook.md", first, HANDBOOK[first], observed_at=first)
    impact = memory.observe_document("handbook.md", second, HANDBOOK[second], observed_at=second)
    assert (impact.previous, len(impact.confirmed), len(impact.dropped)) == (first, 1, 0)
    ((was, now),) = impact.changed
    assert (was.quote, now.quote) == (
        "return window of Harbour Books is 7 days",
        "return window of Harbour Books is 15 days",
    )
    assert "7 days → 15 days" in str(impact)
    assert {str(one.value): one.after for one in impact.outcome.changes} == {
        "15 days": "accepted",
        "7 days": "superseded",
    }


def test_what_follows_from_what_is_dropped_falls_with_it(memory: Memory) -> None:
    memory.declare_rule(
        "fluent", premises=[("?x", "speaks", "Welsh")], conclusion=("?x", "welcome in", "Cardiff")
    )
    memory.observe_document("staff.md", "1", "Priya speaks Welsh.", observed_at="2024-01-01")
    assert str(memory.ask("Priya", "welcome in").value) == "Cardiff"
    impact = memory.observe_document("staff.md", "2", "Nobody is here.", observed_at="2024-02-01")
    changed = {(one.attribute, one.value): one.after for one in impact.outcome.changes}
    assert changed == {("speaks", "Welsh"): "retracted", ("welcome in", "Cardiff"): "retracted"}
    assert "its source says it no longer" in str(impact)


def test_a_version_is_recorded_once_and_never_silently_replaced(memory: Memory) -> None:
    memory.observe_document("a.md", "1", "Priya speaks Welsh.", observed_at="2024-01-01")
    again = memory.observe_document("a.md", "1", "Priya speaks Welsh.", observed_at="2024-01-01")
    assert again.outcome.is_repeat
    assert "on record" in str(again)
    with pytest.raises(knowwhy.KnowwhyError, match="other words") as caught:
        memory.observe_document("a.md", "1", "Priya speaks Hindi.", observed_at="2024-01-01")
    assert caught.value.code == "conflict"
    for uri, version, text in (("", "1", "a"), ("a.md", "", "a"), ("a.md", "2", " ")):
        with pytest.raises(knowwhy.InvalidInput):
            memory.observe_document(uri, version, text)


def test_another_document_is_another_voice(memory: Memory) -> None:
    for uri in ("a.md", "b.md"):
        memory.observe_document(uri, "1", "Priya speaks Welsh.", observed_at="2024-01-01")
    memory.observe_document("a.md", "2", "Nothing to say.", observed_at="2024-02-01")
    (finding,) = memory.ask("Priya", "speaks").findings
    assert (str(finding.value), finding.status) == ("Welsh", "accepted")


def test_versions_from_several_writers_are_all_compared() -> None:
    memory = knowwhy.open()
    memory.declare("speaks", cardinality="many")
    texts = {f"2024-0{month}-01": f"Priya speaks dialect {month}." for month in range(1, 7)}
    writers = [
        threading.Thread(
            target=lambda version=version, text=text: memory.observe_document(
                "a.md", version, text, observed_at=version
            )
        )
        for version, text in texts.items()
    ]
    for one in writers:
        one.start()
    for one in writers:
        one.join()
    for month, version in enumerate(texts, start=1):
        reader = memory.at(valid=f"{version[:7]}-15")
        accepted = {
            str(one.value) for one in reader.ask("Priya", "speaks").findings if one.status == "accepted"
        }
        assert accepted == {f"dialect {month}"}
