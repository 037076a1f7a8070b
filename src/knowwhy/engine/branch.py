"""Branches: lines of their own over a memory, which cost nothing until they are written to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from knowwhy.core.model import Act, Branch, checked_name, name_key, one_line
from knowwhy.core.timeline import Instant, isoformat, shown
from knowwhy.engine.commit import write
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.space import Space, When
from knowwhy.errors import Conflict, InvalidInput, NotFound, Refused
from knowwhy.store.joint import Fork
from knowwhy.store.layered import LayeredStore
from knowwhy.store.protocol import Snapshot, Store
from knowwhy.store.replicated import ReplicaStore

# How many branches may be open at once, and how many lie one over the other.
MOST_BRANCHES: Final = 100
DEEPEST: Final = 8

# What the main line is called where lines are named.
MAIN: Final = "main"

# What tells the space of a branch from those that callers name.
MARK: Final = "/branch:"


@dataclass(frozen=True, slots=True)
class BranchState:
    """A branch as it is listed: from where it forked, what it assumes, and how much was written on it."""

    branch: Branch
    operations: int
    written_at: Instant | None
    is_expired: bool

    @property
    def name(self) -> str:
        """Its name."""
        return self.branch.name

    def as_dict(self) -> dict[str, Any]:
        """The branch for a program."""
        one = self.branch
        return {
            "name": one.name,
            "parent": one.parent or MAIN,
            "forked_at": one.sequence,
            "forked_when": isoformat(one.at),
            "assumes": one.assumes,
            "expires_at": None if one.expires_at is None else isoformat(one.expires_at),
            "expired": self.is_expired,
            "operations": self.operations,
            "written_at": None if self.written_at is None else isoformat(self.written_at),
        }

    def __str__(self) -> str:
        one = self.branch
        assumes = f", assumes {one.assumes}" if one.assumes else ""
        until = "expired" if self.is_expired else "expires"
        expires = "" if one.expires_at is None else f", {until} {shown(one.expires_at)}"
        count = f"{self.operations} operation{'' if self.operations == 1 else 's'} of its own"
        place = f"from {one.parent or MAIN} after operation {one.sequence}"
        return one_line(f"{one.name}: {place}, {count}{assumes}{expires}")


def space_on(space: Space, name: str | None) -> Space:
    """The space of a branch of this memory; its main line where no name, or main, is given.

    Raises:
        NotFound: there is no such branch, or it has expired.
    """
    root = space.root
    if name is None or name_key(name) == MAIN:
        return replace(root, run=space.run, access=space.access)
    with root.store.snapshot(root.name) as view:
        known = view.declared(Branch)
    branch = _open_branch(known, name, root.clock())
    replica = None
    if isinstance(root.replica, ReplicaStore):
        # It must have come to where the branch began.
        root.replica.marks.note(root.name, branch.sequence)
        replica = layered(root.replica, known, branch)
    return space.on(branch, layered(root.store, known, branch), replica)


def _open_branch(known: Mapping[str, Branch], name: str, now: Instant) -> Branch:
    branch = known.get(name_key(name))
    if branch is None or branch.is_closed:
        msg = f"There is no branch named {name!r}; `branches` lists those there are."
        raise NotFound(msg, branch=name)
    if not branch.is_open(now):
        msg = (
            f"The branch {branch.name!r} expired on {shown(branch.expires_at or now)}; drop it, or fork anew."
        )
        raise NotFound(msg, branch=name)
    return branch


def layered(store: Store, known: Mapping[str, Branch], branch: Branch) -> Store:
    """A branch of a memory as a store; `known` are the branches it may lie over, by key."""
    below = store if branch.parent is None else layered(store, known, known[branch.parent])
    return LayeredStore(store, branch.space, below, Fork(branch.sequence, branch.at))


def fork(
    space: Space,
    name: str,
    *,
    assumes: str | None = None,
    expires_at: When | None = None,
    author: str | None = None,
    reason: str | None = None,
) -> Space:
    """A new branch over this line as it is now; gives its space.

    Raises:
        InvalidInput: the name is taken or empty, or it would have expired already.
        Refused: too many branches, or too deep.
    """
    written = checked_name(name, "branch")
    root, parent = space.root, space.branch
    end = None if expires_at is None else space.instant(expires_at)
    with space.store.snapshot(space.name) as view:
        head = view.head()

    def form(reading: Reading) -> Intent:
        known = reading.view.declared(Branch)
        _check_room(known, written, parent, reading.at)
        if end is not None and end <= reading.at:
            msg = f"The branch would have expired already, on {shown(end)}."
            raise InvalidInput(msg)
        branch = Branch(
            name=written,
            space=f"{root.name}{MARK}{name_key(written)}@{reading.at}",
            parent=None if parent is None else parent.key,
            sequence=head.sequence,
            at=head.at,
            assumes=assumes,
            expires_at=end,
        )
        return Intent(declarations=(branch,))

    write(root, Signature(Act.FORK, author, reason), form)
    return space_on(space, written)


def _check_room(known: Mapping[str, Branch], name: str, parent: Branch | None, now: Instant) -> None:
    taken = known.get(name_key(name))
    if name_key(name) == MAIN or (taken is not None and not taken.is_closed):
        msg = f"There is a line named {name!r} already; choose another name, or drop it first."
        raise InvalidInput(msg)
    if sum(one.is_open(now) for one in known.values()) >= MOST_BRANCHES:
        msg = f"There are {MOST_BRANCHES} open branches, as many as there may be; drop or merge one first."
        raise Refused(msg)
    if parent is not None and len(lineage(known, parent)) >= DEEPEST:
        msg = f"{parent.name!r} lies {DEEPEST} branches deep, as deep as there may be; fork from a lower one."
        raise Refused(msg)


def lineage(known: Mapping[str, Branch], branch: Branch) -> list[Branch]:
    """A branch and those it lies over, the main line left out."""
    line = [branch]
    while (parent := line[-1].parent) is not None:
        line.append(known[parent])
    return line


def branches(space: Space) -> tuple[BranchState, ...]:
    """The branches that were not dropped, in order of their names."""
    root = space.root
    now = root.clock()
    with root.store.snapshot(root.name) as view:
        known = [one for one in view.declared(Branch).values() if not one.is_closed]
    return tuple(_state(root, one, now) for one in known)


def _state(root: Space, one: Branch, now: Instant) -> BranchState:
    with root.store.snapshot(one.space) as own:
        head = own.head()
        if root.principal is None or not head.guards:
            count, last = head.sequence, head.at
        else:
            seen = root.seen(own).operations()
            count, last = len(seen), max((each.at for each in seen), default=head.at)
    return BranchState(one, count, last if count else None, is_expired=not one.is_open(now))


def drop(space: Space, name: str, *, author: str | None = None, reason: str | None = None) -> Outcome:
    """Close a branch: nothing of it is read or written any more, and its name is free again.

    Raises:
        NotFound: there is no such branch.
        Conflict: others lie over it.
    """

    def form(reading: Reading) -> Intent:
        return Intent(declarations=(closed(reading.view, name),))

    return write(space.root, Signature(Act.DROP, author, reason), form)


def closed(view: Snapshot, name: str) -> Branch:
    """The declaration that closes a branch.

    Raises:
        NotFound: there is no such branch.
        Conflict: others lie over it.
    """
    known = view.declared(Branch)
    branch = known.get(name_key(name))
    if branch is None or branch.is_closed:
        msg = f"There is no branch named {name!r}; `branches` lists those there are."
        raise NotFound(msg, branch=name)
    if above := sorted(one.name for one in over(view, branch)):
        msg = f"The branch {branch.name!r} lies under {', '.join(map(repr, above))}; drop those first."
        raise Conflict(msg, branches=above)
    return replace(branch, is_closed=True)


def over(view: Snapshot, branch: Branch) -> list[Branch]:
    """The branches that lie over one directly, and were not dropped."""
    return [one for one in view.declared(Branch).values() if one.parent == branch.key and not one.is_closed]
