"""Services that really listen, each on a port of its own, for tests that call them over a socket."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
import uvicorn

import knowwhy
from knowwhy import Memory, RemoteMemory
from knowwhy.surfaces.http import Hosted, KeyRing, Limits, application
from knowwhy.surfaces.web import pages


@dataclass(frozen=True)
class Service:
    """A service that listens: where, and what it hosts."""

    url: str
    hosted: Hosted

    def client(self, key: str | None = None, memory: str = "main") -> RemoteMemory:
        return knowwhy.connect(self.url, key=key, memory=memory)

    def post(
        self, path: str, *, json: object = None, key: str | None = None, **headers: str
    ) -> httpx.Response:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if key is not None:
            given["Authorization"] = f"Bearer {key}"
        return httpx.post(f"{self.url}{path}", json={} if json is None else json, headers=given)


@contextmanager
def serving(
    memories: Mapping[str, Memory],
    keys: KeyRing | None = None,
    limits: Limits | None = None,
    *,
    web: bool = False,
) -> Iterator[Service]:
    """A service for as long as it is needed."""
    hosted = Hosted(memories, keys, limits or Limits(rate=1e6, burst=10**6))
    app = application(hosted)
    if web:
        app.mount("/", pages())
    config = uvicorn.Config(app, port=0, log_level="warning", timeout_graceful_shutdown=5)
    server = uvicorn.Server(config)
    listening = config.bind_socket()
    listening.listen()  # who calls before it serves is answered once it does
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield Service(f"http://127.0.0.1:{listening.getsockname()[1]}", hosted)
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that nothing is written to."""
    with serving({"main": knowwhy.open(tmp_path_factory.mktemp("empty") / "main.db")}) as found:
        yield found


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with serving({"main": knowwhy.open(tmp_path / "main.db")}) as found:
        yield found
