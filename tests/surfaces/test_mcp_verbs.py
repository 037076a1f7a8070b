"""Every verb through the MCP door: by a tool of its own, or by `call`."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

from mcp.client import Client

import knowwhy
from knowwhy.recall.packing import estimated_tokens
from knowwhy.surfaces.mcp import server_of
from knowwhy.surfaces.verbs import NOT_OFFERED, verbs
from tests.recall.injections import INJECTIONS
from tests.recall.test_injections import HARMLESS, JSON_STRING
from tests.surfaces.test_parity import BELIEF, CALLS, CONFLICT, DAY, EVIDENCE, _memory

LOOKING = sorted(name for name, verb in verbs().items() if not verb.writes)
# What a verb that looks must be given.
GIVEN: dict[str, dict[str, Any]] = {
    "ask": {"subject": "order"},
    "diff": {"before": 1},
    "history": {"subject": "order", "attribute": "return window"},
    "preview_forget": {"source": "ann"},
    "preview_merge": {"other": "if"},
    "recall": {"question": "return an order"},
    "search": {"question": "return an order"},
    "show": {"operation": 1},
    "summary": {"subject": "order"},
    "to_check": {"seed": 1},
    "trust": {"subject": "order", "attribute": "return window", "value": "15"},
    "what_if": {"retract": EVIDENCE},
    "why": {"belief": BELIEF},
    "why_not": {"subject": "order", "attribute": "return window", "value": "14"},
}


def played(
    memory: knowwhy.Memory, scene: Callable[[Client], Awaitable[None]], *, read_only: bool = False
) -> None:
    async def play() -> None:
        async with Client(server_of(memory, read_only=read_only)) as client:
            await scene(client)

    asyncio.run(play())


async def answer(client: Client, tool: str, **arguments: Any) -> tuple[bool, str]:  # noqa: ANN401 - JSON
    given: Any = await client.call_tool(tool, arguments)
    return bool(given.is_error), str(given.content[0].text)


def test_every_verb_can_be_called_and_a_tool_costs_little() -> None:
    async def scene(client: Client) -> None:
        tools = (await client.list_tools()).tools
        assert sum(estimated_tokens(one.model_dump_json(exclude_none=True)) for one in tools) < 1600
        listed = {line.split(":")[0] for line in (await answer(client, "verbs"))[1].splitlines()}
        assert listed | {"forget"} == set(verbs()) == set(CALLS) - set(NOT_OFFERED)
        for name, verb in verbs().items():
            failed, schema = await answer(client, "verbs", name=name)
            assert failed == (name == "forget")
            if not failed:
                assert set(json.loads(schema).get("properties", ())) == set(verb.takes.model_fields)
        for name in [*NOT_OFFERED, "forget", "_space", "__init__"]:
            assert (await answer(client, "call", verb=name))[0], name
        failed, said = await answer(client, "call", verb="fork", arguments={"name": "up", "colour": "red"})
        assert failed
        assert "colour" in said
        assert not (await answer(client, "call", verb="fork", arguments={"name": "up"}))[0]
        claim = {"source": "ann", "claims": [["order", "colour", "blue"]]}
        assert not (await answer(client, "call", verb="observe", arguments=claim, branch="up"))[0]
        given = {"subject": "order", "attribute": "colour"}
        for tool in ({"verb": "ask", "arguments": given}, {"verb": "history", "arguments": given}):
            assert "blue" in (await answer(client, "call", **tool, branch="up"))[1]
            assert "blue" not in (await answer(client, "call", **tool))[1]
        assert "blue" in (await answer(client, "why", belief="order", attribute="colour", branch="up"))[1]
        early = await answer(client, "why", belief="order", attribute="return window", known="2024-01-01")
        assert early[0]
        ruled = await answer(client, "call", verb="stats", arguments={}, valid=DAY)
        assert ruled[0]

    with _memory() as memory:
        played(memory, scene)


def test_an_argument_that_a_tool_does_not_know_is_refused() -> None:
    async def scene(client: Client) -> None:
        for tool in (await client.list_tools()).tools:
            due = dict.fromkeys(tool.input_schema.get("required", ()), "x")
            failed, said = await answer(client, tool.name, **due, made_up="y")
            assert failed
            assert "made_up" in said

    with _memory() as memory:
        played(memory, scene)


def test_a_server_that_only_reads_calls_what_writes_nothing_and_that_is_true_of_each() -> None:
    async def scene(client: Client) -> None:
        for name in sorted(set(verbs()) - set(LOOKING)):
            failed, said = await answer(client, "call", verb=name)
            assert failed, name
            assert name == "forget" or '"refused"' in said, said
        for name in LOOKING:
            failed, said = await answer(
                client, "call", verb=name, arguments=GIVEN.get(name, {}), max_tokens=100_000
            )
            assert not failed, (name, said)

    with _memory() as memory:
        before, held = memory.log(limit=1000), memory.stats()
        played(memory, scene, read_only=True)
        assert (memory.log(limit=1000), memory.stats()) == (before, held)


def test_a_principal_does_what_it_may() -> None:
    async def scene(client: Client) -> None:
        for verb, arguments in (
            ("declare", {"attribute": "colour"}),
            ("fork", {"name": "up"}),
            ("undo", {"operation": 1}),
            ("grant", {"name": "agent:ann", "rights": ["erase"]}),
        ):
            failed, said = await answer(client, "call", verb=verb, arguments=arguments)
            assert failed, verb
            assert '"refused"' in said, said
        for tool, given in (
            ("resolve", {"conflict": CONFLICT, "choice": "L"}),
            ("forget", {"source": "bob", "confirm": True}),
        ):
            failed, said = await answer(client, tool, **given)
            assert failed
            assert '"refused"' in said, said
        claim = {"subject": "cup", "attribute": "colour", "value": "red"}
        assert not (await answer(client, "remember", source="ann", claims=[claim]))[0]

    with _memory() as memory:
        played(memory.seen_by(agent="ann"), scene)


def test_stored_text_stays_text_over_the_protocol() -> None:
    told = [HARMLESS, *INJECTIONS]
    shapes: list[str] = []

    async def scene(client: Client) -> None:
        for number, text in enumerate(told):
            failed, prompt = await answer(
                client, "recall", question=f"note of order{number}", limit=1, max_tokens=50_000
            )
            assert not failed
            assert all(mark.isprintable() for line in prompt.split("\n") for mark in line)
            assert f"by {text}" in [json.loads(one) for one in JSON_STRING.findall(prompt)], text
            shapes.append(JSON_STRING.sub('""', prompt))
            failed, said = await answer(
                client, "why", belief=f"order{number}", attribute="note", max_tokens=50_000
            )
            assert not failed, said
            assert all(mark.isprintable() for mark in said)
            assert f"by {text}" in _strings(json.loads(said))

    with knowwhy.open(clock=lambda: knowwhy.instant("2025-02-01")) as memory:
        memory.declare("note", value_type="text")
        memory.observe_many(
            knowwhy.Observation(f"by {text}", claims=[(f"order{number}", "note", text)], observed_at=DAY)
            for number, text in enumerate(told)
        )
        played(memory, scene)
    assert set(shapes) == {shapes[0]}


def _strings(document: Any) -> Iterator[str]:  # noqa: ANN401 - JSON
    if isinstance(document, str):
        yield document
    elif isinstance(document, dict | list):
        for one in document.values() if isinstance(document, dict) else document:
            yield from _strings(one)
