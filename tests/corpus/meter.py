"""How many statements the engine of a store was asked to run, and how long a call took."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import apsw
import psycopg

Given = TypeVar("Given")

_SAMPLES = 20


@dataclass(slots=True)
class Meter:
    """Counts the statements of every connection opened while it is `watching`."""

    statements: int = 0
    durations: list[float] = field(default_factory=list)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Count from here on."""
        apsw.connection_hooks.append(self._hook)
        send = psycopg.Cursor.execute

        def counted(cursor: Any, *given: Any, **options: Any) -> Any:  # noqa: ANN401 - as they come
            self.statements += 1
            return send(cursor, *given, **options)

        psycopg.Cursor.execute = counted  # type: ignore[assignment, method-assign]
        try:
            yield
        finally:
            apsw.connection_hooks.remove(self._hook)
            psycopg.Cursor.execute = send  # type: ignore[method-assign]

    def measured(self, call: Callable[[], Given], *, is_repeatable: bool) -> tuple[Given, dict[str, float]]:
        """What a call gives, its statements, and the 95th percentile of its time in milliseconds.

        A call that leaves no trace is made again and again; one that writes is timed once.
        """
        self.statements = 0
        given, first = _timed(call)
        statements = self.statements
        durations = sorted([first, *(_timed(call)[1] for _ in range(_SAMPLES if is_repeatable else 0))])
        p95 = durations[min(len(durations) - 1, int(len(durations) * 0.95))]
        return given, {"statements": statements, "p95_ms": p95 * 1_000.0}

    def _hook(self, connection: apsw.Connection) -> None:
        connection.exec_trace = self._traced

    def _traced(self, _cursor: apsw.Cursor, _sql: str, _bindings: object) -> bool:
        self.statements += 1
        return True


def _timed(call: Callable[[], Given]) -> tuple[Given, float]:
    started = time.perf_counter()
    given = call()
    return given, time.perf_counter() - started
