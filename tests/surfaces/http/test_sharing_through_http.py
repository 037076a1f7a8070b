"""Sharing through the service: the holder of a key is told what its principal is told, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings

from knowwhy import Memory, RemoteMemory
from knowwhy.core.model import Principal
from knowwhy.errors import KnowwhyError
from knowwhy.store.memory import MemoryStore
from knowwhy.surfaces.http import KeyRing
from tests.laws.effort import share_of
from tests.laws.readers import ATTRIBUTES, READERS, SUBJECTS, Life, Step, as_seen_by, steps
from tests.surfaces.http.conftest import serving


@settings(
    max_examples=share_of(5),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(done=steps())
def test_the_holder_of_a_key_is_told_what_its_principal_is_told(done: list[Step], tmp_path: Path) -> None:
    life = Life(MemoryStore())
    life.live(done, lambda _: True)
    ring = KeyRing(tmp_path / "keys.json")
    with serving({"main": life.memory}, ring) as service:
        for reader in READERS:
            token, _ = ring.add(agent=reader.agent, user=reader.user, groups=reader.groups)
            with service.client(token) as far:
                there, here = told(far), told_here(life.memory, reader)
            assert there == here, reader


def told(memory: RemoteMemory | Memory) -> dict[str, Any]:
    """What the reading verbs tell, as plain data."""
    found = {}
    for name, read in readings(memory):
        try:
            found[name] = plain(read())
        except KnowwhyError as failure:
            found[name] = [failure.code, failure.message]
    return found


def told_here(memory: Memory, reader: Principal) -> dict[str, Any]:
    return told(as_seen_by(memory, reader))


def readings(memory: RemoteMemory | Memory) -> Iterator[tuple[str, Callable[[], Any]]]:
    for subject in SUBJECTS:
        yield f"ask {subject}", partial(memory.ask, subject)
        for attribute in ATTRIBUTES:
            yield f"why {subject} {attribute}", partial(memory.why, subject, attribute)
            yield f"history {subject} {attribute}", partial(memory.history, subject, attribute)
    yield "recall", partial(memory.recall, "plan seats site of acme", limit=50, include=["superseded"])
    for name in ("conflicts", "sources", "stats", "log", "changes", "declared", "questions", "grants"):
        yield name, getattr(memory, name)


def plain(result: Any) -> Any:  # noqa: ANN401 - whatever a verb gives
    if isinstance(result, tuple | list):
        return [plain(one) for one in result]
    return json.loads(json.dumps(result.as_dict() if hasattr(result, "as_dict") else result, default=str))
