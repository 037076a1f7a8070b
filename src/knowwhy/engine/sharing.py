"""The verbs of sharing: on whose behalf a memory is used, who may read what is written, who may do what."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Self, Unpack

from knowwhy.core.model import PUBLIC, Access, Grant, Principal, checked_name
from knowwhy.engine import grant
from knowwhy.engine.declaring import Signed
from knowwhy.engine.forgetting import Forgetting
from knowwhy.engine.outcome import Outcome
from knowwhy.errors import InvalidInput, Refused


class Sharing(Forgetting):
    """A memory that many use, each as far as it may."""

    def seen_by(
        self, *, agent: str | None = None, user: str | None = None, groups: Sequence[str] = ()
    ) -> Self:
        """The memory as a principal may use it: every verb counts only what it may read.

        What it may not read is not there: not in an answer, a number, a count, a ranking or an error. What
        it writes is its own; a memory that nobody is named for is the owner's, who may do all.

        Args:
            agent: who acts.
            user: for whom.
            groups: to which groups they belong; whoever opens the memory answers for that.

        Raises:
            InvalidInput: nobody is named.
            Refused: the memory is used for a principal already, and no other one may be taken on from it.
        """
        principal = principal_of(agent, user, groups)
        if self._space.principal is not None and not principal.names <= self._space.principal.names:
            msg = f"This memory is used for {self._space.principal.name}; open it anew for anybody else."
            raise Refused(msg)
        return type(self)(self._space.seen_by(principal))

    def shared_with(self, *readers: str, writers: Sequence[str] = ()) -> Self:
        """The memory whose evidence from now on only some may read: `readers`, and who writes it.

        Without any it is private. Names are written as agent:name, user:name or group:name; "all" shares
        it with everybody, as without this. Names and ids are understood as all of its readers know them.

        Args:
            readers: who may read it.
            writers: who may, besides its owner, change what becomes of it.

        Raises:
            InvalidInput: a name that is none of a principal's.
        """
        if "all" in readers and len(readers) > 1:
            msg = "Shared with all, nobody else need be named."
            raise InvalidInput(msg)
        names = tuple(sorted({grant.principal_named(one) for one in readers if one != "all"}))
        others = tuple(sorted({grant.principal_named(one) for one in writers}))
        access = Access(None, None if "all" in readers else names, others)
        return type(self)(replace(self._space, access=access if access != Access() else PUBLIC))

    def grant(self, name: str, *rights: str, **signed: Unpack[Signed]) -> Outcome:
        """Say what a principal may do besides reading and writing what is its own.

        Rights are decide, authority, pin, force, declare, branch, merge, undo, erase, maintain, audit and
        grant. They take the place of those it had; without any, it has none any more.

        Raises:
            InvalidInput: a name that is none of a principal's, or no such right.
            Refused: the caller has no right to grant.
        """
        return grant.grant(
            self._space, name, rights, author=signed.get("author"), reason=signed.get("reason")
        )

    def grants(self) -> tuple[Grant, ...]:
        """What principals have been granted."""
        return grant.grants(self._space)


def principal_of(agent: str | None, user: str | None, groups: Collection[str]) -> Principal:
    """The principal that is named.

    Raises:
        InvalidInput: nobody is.
    """
    named = tuple(sorted({checked_name(one, "group") for one in groups}))
    principal = Principal(
        None if agent is None else checked_name(agent, "agent"),
        None if user is None else checked_name(user, "user"),
        named,
    )
    if not principal.names:
        msg = "A principal is an agent, a user or a group: name at least one."
        raise InvalidInput(msg)
    return principal
