"""The stream of changes: operations as server-sent events, as they come."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Final

from anyio import to_thread
from fastapi import Request
from sse_starlette import EventSourceResponse, ServerSentEvent

from knowwhy.engine.memory import Memory
from knowwhy.surfaces.results import document

_WAIT: Final = 1.0
_PING: Final = 15
_MOST: Final = 100


def streamed(
    request: Request, memory: Memory, since: int, may_go_on: Callable[[], bool]
) -> EventSourceResponse:
    """Operations after a number, and then every one that comes, as long as its caller may go on listening.

    Each event's id is an operation's number.
    """
    return EventSourceResponse(_events(request, memory, since, may_go_on), ping=_PING)


async def _events(
    request: Request, memory: Memory, since: int, may_go_on: Callable[[], bool]
) -> AsyncIterator[ServerSentEvent]:
    # (When the service ends, so does the stream, by its library.)
    while not await request.is_disconnected():
        ask = partial(memory.changes, since, limit=_MOST, wait=_WAIT)
        limiter = request.app.state.waiting
        found = await to_thread.run_sync(ask, limiter=limiter, abandon_on_cancel=True)
        if not may_go_on():
            return
        for one in found:
            since = one.operation.sequence
            told = json.dumps(document(one), ensure_ascii=False, default=str)
            yield ServerSentEvent(data=told, id=str(since), event="operation")
