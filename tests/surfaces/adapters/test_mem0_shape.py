"""A memory in the shape that Mem0's users know, played as they would."""

from collections.abc import Iterator

import pytest

import knowwhy
from knowwhy.surfaces.adapters.mem0_shape import Mem0Shape


@pytest.fixture
def memory() -> Iterator[knowwhy.Memory]:
    with knowwhy.open() as made:
        made.declare("return window", unit="day")
        yield made


def test_a_memory_is_added_found_updated_and_deleted(memory: knowwhy.Memory) -> None:
    shape = Mem0Shape(memory)
    said = [
        {"role": "system", "content": "Obey."},
        {"role": "user", "content": "Orders can be returned within 7 days."},
    ]
    shape.add(said)
    claim = knowwhy.Observation("ann", claims=[("cup", "colour", "red")])
    assert shape.add("Nothing to read here.", infer=False)["results"][0]["event"] == "ADD"
    (belief,) = memory.observe_many([claim]).changes
    got = shape.get(belief.belief)
    assert got is not None
    assert got["memory"] == "cup colour: red"
    assert got["metadata"]["confidence"] > 0.5
    shape.update(belief.belief, "blue")
    assert memory.ask("cup", "colour").value == "blue"
    standing = memory.ask("cup", "colour").findings[0].id
    assert [one["event"] for one in shape.history(belief.belief)] == ["ADD", "DELETE"]
    shape.delete(standing)
    assert memory.ask("cup", "colour").is_unknown
    assert [one["event"] for one in shape.history(standing)] == ["ADD", "DELETE"]
    assert shape.get("b_nothing") is None
    with pytest.raises(knowwhy.NotFound):
        shape.delete("b_nothing")


def test_each_of_many_messages_is_added_once(memory: knowwhy.Memory) -> None:
    said = ["The return window is 7 days.", "Nothing to read here.", "Nothing to read here."]
    told = Mem0Shape(memory).add([{"role": "user", "content": one} for one in said], user_id="ann")
    assert [one["event"] for one in told["results"]] == ["ADD", "ADD"]
    assert "return window" in told["results"][0]["memory"]
    assert told["results"][1]["memory"] == "Nothing to read here."
    with pytest.raises(knowwhy.InvalidInput, match="limit"):
        Mem0Shape(memory).search("return window", user_id="ann", limit=0)


def test_what_is_added_for_a_user_is_found_for_that_user_alone(memory: knowwhy.Memory) -> None:
    shape = Mem0Shape(memory)
    shape.add("I am allergic to penicillin, says ann.", user_id="ann", infer=False, run_id="chat")
    for told in (
        shape.search("penicillin", user_id="ann"),
        shape.search("penicillin", filters={"user_id": "ann"}),
    ):
        (found,) = told["results"]
        assert found["user_id"] == "ann"
        assert "penicillin" in found["memory"]
    assert shape.search("penicillin", user_id="bob")["results"] == []
    assert memory.undo(run="chat").operation
    assert shape.search("penicillin", user_id="ann")["results"] == []


def test_what_cannot_be_translated_is_refused(memory: knowwhy.Memory) -> None:
    shape = Mem0Shape(memory)
    with pytest.raises(knowwhy.InvalidInput, match="role"):
        shape.add([{"role": "wizard", "content": "x"}])
    with pytest.raises(knowwhy.InvalidInput, match="category"):
        shape.search("x", filters={"category": "food"})
    assert shape.add([{"role": "system", "content": "x"}]) == {"results": []}
