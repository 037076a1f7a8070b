"""Journeys are made twice: with memories in a file, and with memories on a server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import knowwhy
from tests.servers import server

# What runs programs of its own, which name the file that they use.
ONCE = frozenset({"test_examples"})


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give each test of this folder both places where memories can be."""
    if Path(metafunc.module.__file__).stem not in ONCE:
        metafunc.fixturenames.insert(0, "_place")
        metafunc.parametrize("_place", ["file", "server"], indirect=True)


@pytest.fixture
def _place(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a memory that is opened without an address be in that place."""
    if request.param == "file":
        return
    opened = knowwhy.open

    def on_a_server(address: str | Path | None = None, **how: Any) -> knowwhy.Memory:  # noqa: ANN401
        return opened(server().fresh() if address is None else address, **how)

    monkeypatch.setattr(knowwhy, "open", on_a_server)
