"""Files of other memories in their documented shapes: what is believed of them, and what is not mapped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest

import knowwhy
from knowwhy import Imported, InvalidInput, Memory, NotFound

MCP: Final = (
    {
        "type": "entity",
        "name": "John_Smith",
        "entityType": "person",
        "observations": ["Speaks fluent Spanish", "Graduated in 2019", 7],
    },
    {"type": "entity", "name": "Anthropic", "entityType": "organization", "observations": []},
    {"type": "relation", "from": "John_Smith", "to": "Anthropic", "relationType": "works_at"},
    {"type": "relation", "from": "John_Smith", "to": "Anthropic"},
    {"type": "index"},
)
CHAT: Final = (
    {"role": "system", "content": "You are helpful."},
    {
        "role": "user",
        "content": "The price of the pro plan is 20 EUR.",
        "timestamp": "2025-01-10T09:00:00Z",
        "conversation_id": "c1",
    },
    {
        "role": "user",
        "content": [{"type": "text", "text": "The price of the pro plan is 25 EUR."}, {"type": "image_url"}],
        "timestamp": 1_740_000_000,
        "conversation_id": "c1",
    },
    {"role": "assistant", "content": "Thanks.", "timestamp": 1_740_000_001_000},
    {"content": "Who says this?"},
)
MEM0: Final = {
    "results": [
        {
            "id": "892db2ae",
            "memory": "Likes to play cricket on weekends",
            "hash": "2d4f",
            "metadata": {"category": "hobbies"},
            "score": None,
            "created_at": "2024-07-26T10:29:36.630547-07:00",
            "updated_at": None,
            "user_id": "alice",
        },
        {"id": "1", "memory": ""},
    ],
    "relations": [{"source": "alice", "relationship": "plays", "target": "cricket"}],
}
ZEP: Final = {
    "nodes": [
        {"uuid": "n1", "name": "Alice Chen", "labels": ["Entity", "Person"], "summary": "An engineer.",
         "attributes": {"age": 31, "tags": []}, "created_at": "2024-01-01T00:00:00Z"},
        {"uuid": "n2", "name": "TechCorp", "labels": ["Entity"], "created_at": "2024-01-01T00:00:00Z"},
    ],
    "edges": [
        {"uuid": "e1", "name": "WORKS_AT", "fact": "Alice Chen works at TechCorp.", "source_node_uuid": "n1",
         "target_node_uuid": "n2", "created_at": "2024-02-01T00:00:00Z", "valid_at": "2023-05-01T00:00:00Z",
         "invalid_at": "2024-06-01T00:00:00Z", "expired_at": None, "episodes": ["p1"]},
        {"uuid": "e2", "name": "KNOWS", "fact": "?", "source_node_uuid": "n1", "target_node_uuid": "n9"},
    ],
    "episodes": [
        {"uuid": "p1", "content": "Alice Chen(user): I work at TechCorp.", "source": "message",
         "source_description": "chat", "created_at": "2024-02-01T00:00:00Z"},
    ],
}  # fmt: skip
LANGGRAPH: Final = (
    {"namespace": ["memories", "u1"], "key": "food", "value": {"favourite": "pizza", "since": 2020, "of": {}},
     "created_at": "2025-03-01T00:00:00+00:00", "updated_at": "2025-03-02T00:00:00+00:00"},
    {"namespace": ["memories", "u1"], "key": "m2", "value": {"data": "User is named Bob"},
     "created_at": "2025-03-01T00:00:00+00:00", "updated_at": "2025-03-01T00:00:00+00:00"},
    {"namespace": [], "key": "", "value": {}},
)  # fmt: skip
NOTES: Final = {
    "acme.md": "---\ntitle: Acme\ndate: 2025-02-03\nplan: pro\ntags: [client, big]\ndeep: {a: 1}\n---\n"
    "Acme is a client.\n",
    "plain.md": "Nothing above.\n",
    "bad.md": "---\n[: :\n---\nWords.\n",
    "page.txt": "No note.\n",
}


def lines(records: tuple[Mapping[str, Any], ...]) -> str:
    return "".join(f"{json.dumps(one)}\n" for one in records)


def files(folder: Path) -> dict[str, Path]:
    """One file of each format."""
    texts = {
        "mcp": lines(MCP) + "{not json\n",
        "chat": lines(CHAT),
        "mem0": json.dumps(MEM0),
        "zep": json.dumps(ZEP),
        "langgraph": lines(LANGGRAPH),
    }
    found = {name: folder / f"{name}.jsonl" for name in texts}
    for name, path in found.items():
        path.write_text(texts[name], encoding="utf-8")
    notes = folder / "notes"
    notes.mkdir()
    for name, text in NOTES.items():
        (notes / name).write_text(text, encoding="utf-8")
    return {**found, "markdown": notes}


@pytest.fixture
def memory() -> Memory:
    return knowwhy.open(clock=lambda: knowwhy.instant("2025-06-01"))


DUE: Final = {
    "mcp": (5, ["an observation that is no text", "without from, to", "neither an entity", "no JSON"]),
    "chat": (3, ["an instruction", "without a role"]),
    "mem0": (2, ["a memory without words"]),
    "zep": (3, ["no plain value", "ends are no nodes"]),
    "langgraph": (2, ["no plain value", "without a key"]),
    "markdown": (4, ["more than plain values", "no YAML", "no Markdown"]),
}


@pytest.mark.parametrize("chosen", sorted(DUE))
def test_what_can_be_mapped_is_taken_once_and_the_rest_is_told(
    chosen: str, memory: Memory, tmp_path: Path
) -> None:
    path = files(tmp_path)[chosen]
    new, reasons = DUE[chosen]
    report = memory.import_from(path, chosen, author="Ann")
    assert (report.new, report.known) == (new, 0), report
    assert len(report.unmapped) == len(reasons), report
    assert all(reason in told for reason, told in zip(sorted(reasons), _sorted(report, reasons), strict=True))
    before = memory.stats()
    again = memory.import_from(path, chosen)
    assert (again.new, again.known, again.unmapped) == (0, new, report.unmapped)
    assert memory.stats() == before
    assert memory.doctor().is_healthy


def _sorted(report: Imported, reasons: list[str]) -> list[str]:
    """Give what was told, in the order of the reasons."""
    return [next(told for told in report.unmapped if reason in told) for reason in sorted(reasons)]


def test_what_they_held_is_believed_with_its_dates(memory: Memory, tmp_path: Path) -> None:
    memory.declare("price", unit="EUR")
    for chosen, path in files(tmp_path).items():
        memory.import_from(path, chosen)
    notes = {str(one.value) for one in memory.ask("John_Smith", "note").findings}
    assert notes == {"Speaks fluent Spanish", "Graduated in 2019"}
    assert str(memory.ask("John_Smith", "works at").value) == "Anthropic"
    assert str(memory.at(valid="2024-01-01").ask("Alice Chen", "works at").value) == "TechCorp"
    assert memory.ask("Alice Chen", "works at").value is None
    assert str(memory.ask("food", "favourite").value) == "pizza"
    assert {str(one.value) for one in memory.ask("Acme", "tags").findings} == {"client", "big"}
    assert str(memory.ask("Acme", "plan").value) == "pro"
    assert str(memory.ask("pro plan", "price").value) == "25 EUR"
    day = memory.why("Acme", "plan").as_dict()
    assert "2025-02-03" in json.dumps(day)
    assert "2024-07-26" in str(memory.recall("cricket on weekends").as_dict())


def test_one_item_that_cannot_be_taken_keeps_no_other_out(memory: Memory, tmp_path: Path) -> None:
    memory.declare("age", value_type="number")
    held = [{"namespace": ["u"], "key": "ann", "value": {"age": age}} for age in (31, "old", 32)]
    path = tmp_path / "items.json"
    path.write_text(json.dumps(held), encoding="utf-8")
    report = memory.import_from(path, "langgraph")
    assert report.new == 2
    assert "'old' is not a number" in report.unmapped[0]
    assert str(memory.ask("ann", "age").value) == "32"


def test_what_is_no_file_of_a_format_is_said(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("{'a'", encoding="utf-8")
    with pytest.raises(InvalidInput, match="no JSON"):
        memory.import_from(path, "mem0")
    with pytest.raises(InvalidInput, match="give a format"):
        memory.import_from(path)
    with pytest.raises(InvalidInput, match="'pdf' does not say"):
        memory.import_from(path, "pdf")
    with pytest.raises(NotFound, match="cannot be read"):
        memory.import_from(tmp_path / "none", "mem0")
