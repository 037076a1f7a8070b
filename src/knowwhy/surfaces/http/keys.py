"""Keys: who calls, and which memories they may reach. Only digests of keys are kept, in a file."""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from filelock import FileLock

from knowwhy.errors import InvalidInput, NotFound

_PREFIX: Final = "kw"
# A key has as many random bytes as its digest has: no dictionary helps, so a plain hash is enough.
_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Key:
    """One key: on whose behalf it calls (nobody named: the owner's), and which memories it opens.

    No memories named means all of them.
    """

    id: str
    digest: str = field(repr=False)
    agent: str | None = None
    user: str | None = None
    groups: tuple[str, ...] = ()
    memories: tuple[str, ...] = ()

    @property
    def is_owner(self) -> bool:
        """Whether it calls on behalf of the memory's owner, who may do and see everything."""
        return not (self.agent or self.user or self.groups)

    def opens(self, memory: str) -> bool:
        """Whether it may reach a memory."""
        return not self.memories or memory in self.memories

    def as_dict(self) -> dict[str, Any]:
        """The key for a program, without its digest."""
        return {name: one for name, one in asdict(self).items() if name != "digest"}

    def __str__(self) -> str:
        names = {"agent": self.agent, "user": self.user, "groups": ", ".join(self.groups)}
        whom = "; ".join(f"{name} {one}" for name, one in names.items() if one) or "the owner"
        return f"{self.id}: {whom}; opens {', '.join(self.memories) or 'every memory'}"


class KeyRing:
    """The keys of a service, in a file that is read again whenever it has changed."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._lock = threading.Lock()
        self._seen: tuple[int, int, int] | None = None
        self._keys: dict[str, Key] = {}

    def keys(self) -> tuple[Key, ...]:
        """All keys in force.

        Raises:
            InvalidInput: the file holds no keys that can be understood.
        """
        return tuple(self._read().values())

    def holds(self, own_id: str) -> bool:
        """Whether the key of an id is in force."""
        return own_id in self._read()

    def holder(self, token: str) -> Key | None:
        """The key that a token is, or None."""
        parts = token.split("_")
        found = self._read().get(parts[1]) if len(parts) == len((_PREFIX, "id", "secret")) else None
        expected = found.digest if found is not None else _digest("")
        return found if hmac.compare_digest(expected, _digest(token)) else None

    def add(
        self,
        *,
        agent: str | None = None,
        user: str | None = None,
        groups: Sequence[str] = (),
        memories: Sequence[str] = (),
    ) -> tuple[str, Key]:
        """A new key: its token, which is told this once and never again, and what is kept of it."""
        own_id = secrets.token_hex(8)
        token = f"{_PREFIX}_{own_id}_{secrets.token_hex(_BYTES)}"
        made = Key(own_id, _digest(token), agent, user, tuple(groups), tuple(memories))
        with self._alone():
            self._write({**self._read(), own_id: made})
        return token, made

    def remove(self, own_id: str) -> Key:
        """Take a key out of force, from the next call on.

        Raises:
            NotFound: there is no key of this id.
        """
        with self._alone():
            keys = self._read()
            if own_id not in keys:
                msg = f"There is no key {own_id!r} in {self.path}; see: knowwhy keys list"
                raise NotFound(msg)
            removed = keys.pop(own_id)
            self._write(keys)
        return removed

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keep other programs from changing the keys meanwhile."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{self.path}.lock"):
            yield

    def _read(self) -> dict[str, Key]:
        with self._lock:
            try:
                state = self.path.stat()
            except FileNotFoundError:
                self._seen, self._keys = None, {}
                return {}
            seen = (state.st_ino, state.st_mtime_ns, state.st_size)
            if seen != self._seen:
                self._keys, self._seen = _parsed(self.path), seen
            return dict(self._keys)

    def _write(self, keys: dict[str, Key]) -> None:
        """Put a whole file in the place of the old one, readable for its owner alone."""
        handle, written = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump({"keys": [asdict(one) for one in keys.values()]}, file, indent=2)
            file.flush()
            os.fsync(file.fileno())
        Path(written).replace(self.path)


def _parsed(path: Path) -> dict[str, Key]:
    try:
        told = json.loads(path.read_text("utf-8"))["keys"]
        found = [
            Key(**{**one, "groups": tuple(one["groups"]), "memories": tuple(one["memories"])}) for one in told
        ]
    except (OSError, ValueError, KeyError, TypeError) as failure:
        msg = f"{path} holds no keys that can be understood: {failure}. Make one with: knowwhy keys add"
        raise InvalidInput(msg) from failure
    return {one.id: one for one in found}


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
