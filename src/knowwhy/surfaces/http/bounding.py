"""Bounding what a request may take: bytes, and seconds until it is answered."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from knowwhy.errors import KnowwhyError, TooLarge, Unavailable
from knowwhy.surfaces.http.failures import answer
from knowwhy.surfaces.http.hosting import Limits


@dataclass(slots=True)
class Bounded:
    """An application whose requests hold no more than so many bytes, and are answered within so many seconds.

    What a verb has begun goes on when its time is up: a write may be done though its answer came too late,
    so it is to be sent again with the same idempotency key.
    """

    app: ASGIApp
    limits: Limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        try:
            body = await asyncio.wait_for(self._read(scope, receive), self.limits.seconds)
        except TimeoutError:
            msg = f"The request was not whole within {self.limits.seconds:g} seconds; nothing was done."
            await answer(Unavailable(msg, retry_after=1.0))(scope, receive, send)
            return
        except KnowwhyError as failure:
            await answer(failure)(scope, receive, send)
            return
        if body is None:
            return
        begun = asyncio.Event()

        async def sending(message: Message) -> None:
            begun.set()
            await send(message)

        serving = asyncio.ensure_future(self.app(scope, _replayed(body, receive), sending))
        started = asyncio.ensure_future(begun.wait())
        try:
            done, _ = await asyncio.wait(
                {serving, started}, timeout=self.limits.seconds, return_when=asyncio.FIRST_COMPLETED
            )
            if not done:
                await self._give_up(serving, scope, receive, send)
                return
            await serving
        finally:
            started.cancel()
            if not serving.done():
                serving.cancel()

    async def _read(self, scope: Scope, receive: Receive) -> bytes | None:
        """The body of a request; None where who called has gone before it was whole.

        Raises:
            TooLarge: it holds more than is taken at once.
        """
        most = self.limits.bytes
        told = dict(scope["headers"]).get(b"content-length", b"")
        if told.isdigit() and int(told) > most:
            raise _too_large(most)
        parts = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                return None
            parts += message.get("body", b"")
            if len(parts) > most:
                raise _too_large(most)
            if not message.get("more_body", False):
                return bytes(parts)

    async def _give_up(
        self, serving: asyncio.Future[None], scope: Scope, receive: Receive, send: Send
    ) -> None:
        serving.cancel()
        with suppress(asyncio.CancelledError):
            await asyncio.wait({serving}, timeout=0)
        msg = (
            f"No answer within {self.limits.seconds:g} seconds. A write may be done all the same: "
            "send it again with the same Idempotency-Key."
        )
        await answer(Unavailable(msg, retry_after=1.0))(scope, receive, send)


def _too_large(most: int) -> TooLarge:
    return TooLarge(f"A request holds at most {most:,} bytes here; send it in parts.", most=most)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """The body that was read, and after it whatever else comes."""
    told = False

    async def receiving() -> Message:
        nonlocal told
        if told:
            return await receive()
        told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receiving
