"""Hosting: the memories behind a service, by the names under which they are offered."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from knowwhy.engine.memory import Memory
from knowwhy.errors import InvalidInput, KnowwhyError, NotFound
from knowwhy.surfaces.http.keys import Key, KeyRing

ANYBODY: Final = Key("", "")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one caller may ask for: bytes in a request, requests a second (with bursts), seconds a request."""

    bytes: int = 2_000_000
    rate: float = 200.0
    burst: int = 400
    seconds: float = 30.0
    page: int = 100


@dataclass(slots=True)
class Hosted:
    """Memories by the names under which they are offered, and the keys that open them.

    Without `keys` everybody who reaches the service is the owner: it is for one's own machine alone.
    """

    memories: Mapping[str, Memory]
    keys: KeyRing | None = None
    limits: Limits = field(default_factory=Limits)
    allowance: Allowance = field(init=False)

    def __post_init__(self) -> None:
        """Refuse to host nothing."""
        if not self.memories:
            msg = "A service hosts at least one memory: knowwhy serve --db FILE"
            raise InvalidInput(msg)
        self.allowance = Allowance(self.limits.rate, self.limits.burst)

    def opened(self, name: str, key: Key) -> Memory:
        """A memory as the holder of a key may use it.

        Raises:
            NotFound: there is none of this name, or none that the key opens: both look alike.
        """
        memory = self.memories.get(name)
        if memory is None or not key.opens(name):
            msg = f"There is no memory {name!r} here for this key; GET /v1/memories lists those it opens."
            raise NotFound(msg)
        return memory if key.is_owner else memory.seen_by(agent=key.agent, user=key.user, groups=key.groups)

    def names(self, key: Key) -> Sequence[str]:
        """The memories that a key opens."""
        return [name for name in sorted(self.memories) if key.opens(name)]

    def unready(self) -> dict[str, str]:
        """The memories that cannot be read now, each with the reason."""
        found = {}
        for name, memory in self.memories.items():
            try:
                memory.log(limit=1)
            except KnowwhyError as failure:
                found[name] = failure.message
        return found

    def close(self) -> None:
        """Let go of all memories."""
        for memory in self.memories.values():
            with suppress(KnowwhyError):
                memory.close()


class Allowance:
    """How much each caller may still ask for: so many requests at once, refilled at a rate."""

    def __init__(self, rate: float, burst: int) -> None:
        self._rate, self._burst = rate, float(burst)
        self._left: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def wait(self, caller: str) -> float:
        """Take one request of a caller's; how many seconds to wait where there is none left, else 0."""
        now = time.monotonic()
        with self._lock:
            left, at = self._left.get(caller, (self._burst, now))
            left = min(self._burst, left + (now - at) * self._rate)
            if len(self._left) > _MOST_CALLERS:
                self._left = {one: kept for one, kept in self._left.items() if now - kept[1] < _FORGOTTEN}
            self._left[caller] = (max(left - 1.0, 0.0) if left >= 1.0 else left, now)
        return 0.0 if left >= 1.0 else (1.0 - left) / self._rate


_MOST_CALLERS: Final = 10_000
_FORGOTTEN: Final = 60.0
