"""What a memory keeps about its own versions: branches, named snapshots, runs, merges and its horizon."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from knowwhy.core.model.names import name_key
from knowwhy.core.timeline import BEGINNING, Instant


@dataclass(frozen=True, slots=True)
class Branch:
    """A line of its own, over its parent up to an operation: what would be believed if.

    `parent` is the key of the branch it forked from, None for the main line; `sequence` and `at` say up
    to which operation of that it reaches, in the parent's numbering. `space` names the space that keeps
    what is written on it. `assumes` says in words what is assumed here.
    """

    kind: ClassVar[str] = "branch"
    is_schema: ClassVar[bool] = False

    name: str
    space: str
    parent: str | None
    sequence: int
    at: Instant
    assumes: str | None = None
    expires_at: Instant | None = None
    is_closed: bool = False
    declared_in: int = 0
    declared_at: Instant = BEGINNING

    @property
    def key(self) -> str:
        """What all spellings of its name share."""
        return name_key(self.name)

    def is_open(self, now: Instant) -> bool:
        """Whether it can be read and written to at an instant."""
        return not self.is_closed and (self.expires_at is None or now < self.expires_at)


@dataclass(frozen=True, slots=True)
class Mark:
    """A name for how far the log had come: a named snapshot."""

    kind: ClassVar[str] = "snapshot"
    is_schema: ClassVar[bool] = False

    name: str
    sequence: int
    at: Instant
    is_withdrawn: bool = False
    declared_in: int = 0
    declared_at: Instant = BEGINNING

    @property
    def key(self) -> str:
        """What all spellings of its name share."""
        return name_key(self.name)


@dataclass(frozen=True, slots=True)
class Run:
    """That an operation belongs to a run of several, an import or a consolidation: each declares it anew."""

    kind: ClassVar[str] = "run"
    is_schema: ClassVar[bool] = False

    name: str
    declared_in: int = 0
    declared_at: Instant = BEGINNING

    @property
    def key(self) -> str:
        """What all spellings of its name share."""
        return name_key(self.name)


@dataclass(frozen=True, slots=True)
class Adoption:
    """That a declaration was taken over in a merge, and when it was first made.

    So of two declarations that differ the later one is kept, in whatever order memories are merged.
    """

    kind: ClassVar[str] = "adoption"
    is_schema: ClassVar[bool] = False

    of_kind: str
    of_key: str
    stated_at: Instant
    declared_in: int = 0
    declared_at: Instant = BEGINNING

    @property
    def key(self) -> str:
        """Which declaration it is about."""
        return f"{self.of_kind}:{self.of_key}"


@dataclass(frozen=True, slots=True)
class Horizon:
    """From which transaction time on what was known can still be told exactly."""

    kind: ClassVar[str] = "horizon"
    is_schema: ClassVar[bool] = True

    at: Instant = BEGINNING
    declared_in: int = 0
    declared_at: Instant = BEGINNING

    @property
    def key(self) -> str:
        """There is one."""
        return ""
