"""What is measured of a service: which verbs are called, how that ends, how long it takes; no content."""

from __future__ import annotations

import time
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)


class Measures:
    """The figures of one service, from its start on."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.calls = Counter(
            "knowwhy_http_requests_total",
            "Requests, by what was called and the status of the answer.",
            ("verb", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "knowwhy_http_request_seconds",
            "Seconds until a request was answered, by what was called.",
            ("verb",),
            buckets=_SECONDS,
            registry=self.registry,
        )

    def told(self) -> str:
        """The figures in the text format of Prometheus."""
        return generate_latest(self.registry).decode()


@dataclass(slots=True)
class Measured:
    """An application whose calls are counted and timed."""

    app: ASGIApp
    measures: Measures

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, and count it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), 500

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, sending)
        finally:
            # Names are those of our own routes: what callers write in an address is no label.
            verb = getattr(scope.get("route"), "name", None) or "none"
            self.measures.calls.labels(verb, str(status)).inc()
            self.measures.seconds.labels(verb).observe(time.perf_counter() - began)
