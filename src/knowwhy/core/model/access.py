"""Access: who may read a record, and who may change what becomes of it; and the principals who ask."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar, Final

from knowwhy.core.model.text import one_line
from knowwhy.core.timeline import BEGINNING, Instant


@dataclass(frozen=True, slots=True)
class Principal:
    """On whose behalf a call is made: an agent, the user it works for, and the groups they belong to."""

    agent: str | None = None
    user: str | None = None
    groups: tuple[str, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """All that it may be named by where access is given."""
        return frozenset((*self._own(), *(f"group:{one}" for one in self.groups)))

    @property
    def name(self) -> str:
        """Whose its records are: the agent's, or the user's where there is none."""
        return next(iter(self._own()), "") or f"group:{self.groups[0]}"

    def may_read(self, access: Access) -> bool:
        """Whether it may read what has such access."""
        return access.is_public or not self.names.isdisjoint(access.names)

    def may_change(self, access: Access) -> bool:
        """Whether it may change what becomes of a record: as its owner, or one who may write."""
        return access.owner in self.names or not self.names.isdisjoint(access.writers)

    def _own(self) -> list[str]:
        given = (("agent", self.agent), ("user", self.user))
        return [f"{kind}:{name}" for kind, name in given if name is not None]


@dataclass(frozen=True, slots=True)
class Access:
    """Who owns a record, who may read it besides (everybody where None), and who may write.

    What has no owner belongs to the memory's. What `follows` is read by whoever may read all its premises.
    """

    owner: str | None = None
    readers: tuple[str, ...] | None = None
    writers: tuple[str, ...] = ()
    follows: bool = False

    @property
    def is_public(self) -> bool:
        """Whether everybody may read it."""
        return self.readers is None and not self.follows

    @property
    def names(self) -> frozenset[str]:
        """Who may read it, where not everybody may."""
        return frozenset((*(() if self.owner is None else (self.owner,)), *(self.readers or ())))

    def may_read(self, access: Access) -> bool:
        """Whether all those who may read this may read what has the other access too."""
        if access.is_public:
            return True
        return not self.is_public and self.names <= access.names

    def __str__(self) -> str:
        if self == PUBLIC:
            return ""
        if self == FOLLOWS:
            return "follows"
        if self.readers is None:
            return _written({"owner": self.owner, "writers": self.writers})
        return _written([self.owner, self.readers, self.writers])


def _written(content: object) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


PUBLIC: Final = Access()
FOLLOWS: Final = Access(follows=True)


@lru_cache(maxsize=65_536)
def access_from(text: str | None) -> Access:
    """The access that a text, as `str` gives it, stands for; everybody's where there is none."""
    if not text:
        return PUBLIC
    if text == str(FOLLOWS):
        return FOLLOWS
    read = json.loads(text)
    if isinstance(read, dict):
        return Access(read["owner"], None, tuple(read["writers"]))
    owner, readers, writers = read
    return Access(owner, tuple(readers), tuple(writers))


def restricted(those: Iterable[Access]) -> tuple[Access, ...]:
    """Those that not everybody may read, each once, in a fixed order."""
    return tuple(sorted({one for one in those if not one.is_public}, key=str))


# What a principal may be granted. Nothing of it is allowed to one who was not.
RIGHTS: Final = {
    "decide": "change what becomes of evidence that is not its own",
    "authority": "speak with more authority than a user has",
    "pin": "keep evidence from ageing",
    "force": "put a statement above all that is not forced",
    "declare": "declare attributes, rules, policies, weights and who is one, learn and judge",
    "branch": "fork, drop and read branches, name snapshots, read again",
    "merge": "merge other lines",
    "undo": "undo operations",
    "erase": "erase for good, vacuum, and read the receipts",
    "maintain": "read what waits, rebuild, embed and look for damage",
    "audit": "read what was answered to anybody, with all that it was told",
    "grant": "grant rights to others",
}


@dataclass(frozen=True, slots=True)
class Grant:
    """What a principal, named as `agent:…`, `user:…` or `group:…`, may do; no rights withdraw it."""

    kind: ClassVar[str] = "grant"
    is_schema: ClassVar[bool] = False

    name: str
    rights: tuple[str, ...] = ()
    declared_in: int = 0
    declared_at: Instant = BEGINNING

    @property
    def key(self) -> str:
        """To whom it is given."""
        return self.name

    def as_dict(self) -> dict[str, Any]:
        """The grant for a program."""
        return {"name": self.name, "rights": list(self.rights)}

    def __str__(self) -> str:
        return one_line(f"{self.name}: {', '.join(self.rights)}")
