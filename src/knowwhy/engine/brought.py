"""What operations brought to the log: evidence, withdrawals, lifts, aliases and declarations."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from knowwhy.core.model import (
    Act,
    Alias,
    Branch,
    Declared,
    Evidence,
    Mark,
    Operation,
    Testimony,
    Withdrawal,
    is_for_identity,
    is_for_quarantine,
    is_retraction,
)
from knowwhy.engine.outcome import outcome_from
from knowwhy.engine.redeclare import TAUGHT
from knowwhy.store.protocol import Snapshot

# What some acts never do: most operations by far need not be asked for declarations.
_SAYING: Final = frozenset(
    {
        *(Act.OBSERVE, Act.END, Act.CORRECT, Act.RETRACT, Act.DERIVE, Act.GIVE_UP, Act.ALIAS),
        *(Act.LEASE, Act.READ, Act.RETRY, Act.DOCUMENT),
    }
)
_KINDS: Final[tuple[type[Declared], ...]] = (*TAUGHT, Branch, Mark)


@dataclass(frozen=True, slots=True)
class Brought:
    """The records of some operations, each as it is read now.

    `claims` are those read out of evidence that was recorded earlier.
    What declared rules derived besides is not among them: it stands and falls with its premises.
    """

    evidence: tuple[Evidence, ...] = ()
    claims: tuple[Testimony, ...] = ()
    withdrawals: tuple[Withdrawal, ...] = ()
    lifts: tuple[Withdrawal, ...] = ()
    aliases: tuple[Alias, ...] = ()
    declarations: tuple[Declared, ...] = ()


def brought_by(view: Snapshot, operations: Collection[Operation]) -> Brought:
    """All that some operations brought, taken together."""
    numbers = {one.sequence for one in operations}
    told = sorted({each for one in operations for each in outcome_from(one).evidence})
    claims = (
        view.claims(told) if told and any(one.act in (Act.READ, Act.DOCUMENT) for one in operations) else []
    )
    # What was set aside for a merge of entities or a quarantine comes and goes with what is said of them.
    gone = [
        one
        for one in view.every(Withdrawal)
        if one.operation in numbers and not (is_for_identity(one) or is_for_quarantine(one))
    ]
    return Brought(
        evidence=tuple(one for one in view.evidence(ids=told) if one.operation in numbers) if told else (),
        claims=tuple(one for one in claims if one.operation in numbers),
        withdrawals=tuple(one for one in gone if not is_retraction(one.target)),
        lifts=tuple(one for one in gone if is_retraction(one.target)),
        aliases=tuple(one for one in view.every(Alias) if one.operation in numbers),
        declarations=tuple(_declared_by(view, operations)),
    )


def _declared_by(view: Snapshot, operations: Iterable[Operation]) -> Iterable[Declared]:
    for one in operations:
        if one.act in _SAYING:
            continue
        for kind in _KINDS:
            made = view.declared(kind, until=one.sequence).values()
            yield from (each for each in made if each.declared_in == one.sequence)
