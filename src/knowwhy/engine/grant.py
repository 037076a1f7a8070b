"""grant and grants: what principals may do besides reading, and saying what is theirs to say."""

from __future__ import annotations

from collections.abc import Collection

from knowwhy.core.model import RIGHTS, Act, Grant, checked_name
from knowwhy.engine.commit import write
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.space import Space
from knowwhy.errors import InvalidInput

_KINDS = ("agent", "user", "group")


def grant(
    space: Space,
    name: str,
    rights: Collection[str],
    *,
    author: str | None = None,
    reason: str | None = None,
) -> Outcome:
    """Say what a principal may do from now on; no rights take away all that it had.

    Raises:
        InvalidInput: a name that is none of a principal's, a right there is not, or a branch.
        Refused: the caller has no right to grant.
    """
    if space.branch is not None:
        msg = "Rights are granted on the main line, for all branches; use it there."
        raise InvalidInput(msg)
    whom = principal_named(name)
    if unknown := sorted(set(rights) - set(RIGHTS)):
        msg = f"{unknown[0]!r} is no right; there are {', '.join(RIGHTS)}."
        raise InvalidInput(msg)
    given = Grant(whom, tuple(one for one in RIGHTS if one in set(rights)))

    def form(reading: Reading) -> Intent | Outcome:
        known = reading.view.declared(Grant, [whom]).get(whom, Grant(whom))
        if known.rights == given.rights:
            return Outcome(operation=known.declared_in, at=None, is_repeat=True)
        return Intent(declarations=(given,))

    return write(space, Signature(Act.GRANT, author, reason), form)


def grants(space: Space) -> tuple[Grant, ...]:
    """What has been granted, by the names of the principals."""
    with space.root.snapshot() as view:
        return tuple(one for one in view.declared(Grant).values() if one.rights)


def principal_named(name: str) -> str:
    """The name of a principal as access is given by it.

    Raises:
        InvalidInput: it does not say whether an agent, a user or a group is meant.
    """
    kind, colon, rest = name.partition(":")
    if not colon or kind not in _KINDS:
        msg = f"{name!r} names nobody; write agent:name, user:name or group:name."
        raise InvalidInput(msg)
    return f"{kind}:{checked_name(rest, kind)}"
