"""The toolset, tried with agents of the real library, whose model is a function."""

import asyncio

import pytest

pytest.importorskip("pydantic_ai", reason="needs the extra: pip install 'knowwhy[pydantic-ai]'")

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

import knowwhy
from knowwhy.surfaces.adapters.pydantic_ai import INSTRUCTIONS, toolset
from tests.recall.injections import INJECTIONS


def played(
    memory: knowwhy.Memory, *calls: ToolCallPart, read_only: bool = False
) -> tuple[set[str], list[str]]:
    """Let a model make the calls one after the other; give the tools that it saw, and what it was told."""
    left, offered, told = list(calls), set[str](), list[str]()

    def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        offered.update(one.name for one in info.function_tools)
        assert INSTRUCTIONS in str(info.instructions)
        # The library adds words of its own where a result looks like an order.
        told.extend(
            str(one.content) for one in messages[-1].parts if one.part_kind in ("tool-return", "retry-prompt")
        )
        return ModelResponse(parts=[left.pop(0) if left else TextPart("done")])

    agent = Agent(FunctionModel(model), toolsets=[toolset(memory, read_only=read_only)], retries=2)
    assert asyncio.run(agent.run("Go on.")).output == "done"
    return offered, told


def test_an_agent_remembers_recalls_and_corrects() -> None:
    with knowwhy.open() as memory:
        said = {"source": "ann", "subject": "cup", "attribute": "colour", "value": "red"}
        offered, told = played(
            memory,
            ToolCallPart("remember", said),
            ToolCallPart("recall", {"question": "What colour is the cup?"}),
            ToolCallPart("correct", {"subject": "cup", "attribute": "colour", "value": "blue"}),
            ToolCallPart("why", {"subject": "cup", "attribute": "colour"}),
            ToolCallPart("why", {"subject": "pot", "attribute": "colour"}),
        )
        assert offered == {"recall", "why", "remember", "correct"}
        assert '"cup" "colour" = "red"' in told[1]
        assert "blue" in told[3]
        assert "not_found" in told[4]
        assert memory.ask("cup", "colour").value == "blue"


def test_a_toolset_that_only_reads_offers_no_writing_and_keeps_stored_text_in_quotes() -> None:
    with knowwhy.open() as memory:
        memory.declare("note", value_type="text")
        memory.observe_many(
            knowwhy.Observation(f"by {text}", claims=[(f"order{number}", "note", text)])
            for number, text in enumerate(INJECTIONS)
        )
        asked = [
            ToolCallPart("recall", {"question": f"note of order{number}", "limit": 1, "max_tokens": 50_000})
            for number in range(0, len(INJECTIONS), 4)
        ]
        offered, told = played(memory, *asked, read_only=True)
        assert offered == {"recall", "why"}
        assert len(told) == len(asked)
        for prompt in told:
            assert all(mark.isprintable() for line in prompt.split("\n") for mark in line)
            assert prompt.count("\n- ") == 1
