"""undo: an operation is reversed by another one, unless later ones rest on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from knowwhy.consolidate.material import is_own
from knowwhy.core.model import (
    Act,
    Alias,
    Branch,
    Declared,
    Evidence,
    Operation,
    Retraction,
    Run,
    Testimony,
    Withdrawal,
    alias_named,
    belief_id,
    is_dreamt,
    is_restated,
    is_taken_back,
    name_key,
    premises_of,
)
from knowwhy.core.revision import ContestKey
from knowwhy.core.timeline import Instant
from knowwhy.engine.branch import over
from knowwhy.engine.brought import Brought, brought_by
from knowwhy.engine.commit import write
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.redeclare import absent, contests_on, redeclared
from knowwhy.engine.space import Space
from knowwhy.errors import InvalidInput, NotFound, RestedOn, Unsupported
from knowwhy.store.protocol import BeliefFilter, Snapshot


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A later operation that rests on what is to be undone, and how."""

    operation: int
    act: str
    author: str | None
    why: str

    def as_dict(self) -> dict[str, Any]:
        """The obstacle for a program."""
        return {"operation": self.operation, "act": self.act, "author": self.author, "why": self.why}

    def __str__(self) -> str:
        by = f" by {self.author}" if self.author else ""
        return f"operation {self.operation}, {self.act}{by}: {self.why}"


def undo(
    space: Space,
    operations: Sequence[int] = (),
    *,
    run: str | None = None,
    anyway: bool = False,
    author: str | None = None,
    reason: str | None = None,
) -> Outcome:
    """Reverse operations, given by number or as a run, by one new operation.

    What they recorded is withdrawn, what they withdrew stands again, what they declared is as it was.

    Raises:
        InvalidInput: no operation is named.
        NotFound: there is no such operation or run.
        RestedOn: later operations rest on them, and it is not to be done `anyway`.
        Unsupported: it dropped something for good.
    """
    if not operations and run is None:
        msg = "There is nothing to undo: name operations by their numbers, or a run."
        raise InvalidInput(msg)

    def form(reading: Reading) -> Intent | Outcome:
        undone = _meant(reading.view, operations, run, reading.space.root.horizon())
        brought = brought_by(reading.view, undone)
        obstacles = sorted(_obstacles(reading, undone, brought), key=lambda one: one.operation)
        if obstacles and not anyway:
            msg = (
                f"Later operations rest on it: {'; '.join(map(str, obstacles))}. "
                "Undo them too, or undo it anyway."
            )
            raise RestedOn(msg, operations=[one.as_dict() for one in obstacles])
        intent = _reversal(reading, undone, brought, reason)
        if not intent.retractions and not intent.declarations:
            return Outcome(undone[0].sequence, None, is_repeat=True, warnings=("Nothing of it is in force.",))
        return intent.beside(Intent(warnings=tuple(f"rested on it: {one}" for one in obstacles)))

    return write(space, Signature(Act.UNDO, author, reason or _reason(operations, run)), form)


def _reason(operations: Sequence[int], run: str | None) -> str:
    named = [str(number) for number in operations] + ([] if run is None else [f"the run {run!r}"])
    return f"undo of {', '.join(named)}"


def _meant(view: Snapshot, numbers: Sequence[int], run: str | None, horizon: Instant) -> list[Operation]:
    """The operations that are to be undone, newest first."""
    wanted = {*numbers, *(() if run is None else operations_of(view, run))}
    found = view.operations(sequences=sorted(wanted))
    missing = sorted(wanted - {one.sequence for one in found})
    if missing:
        msg = f"There is no operation {missing[0]}; `log` shows those there are."
        raise NotFound(msg, operation=missing[0])
    for one in found:
        if one.act in (Act.VACUUM, Act.ERASE):
            msg = f"Operation {one.sequence} dropped records for good; that cannot be undone."
            raise Unsupported(msg, operation=one.sequence)
        if one.outcome is None or one.at < horizon:
            msg = f"What operation {one.sequence} did was dropped; it can no longer be undone."
            raise Unsupported(msg, operation=one.sequence)
    return found


def operations_of(view: Snapshot, run: str) -> list[int]:
    """The numbers of the operations of a run, newest first: each declared it anew.

    Raises:
        NotFound: there is no such run.
    """
    key, found = name_key(run), list[int]()
    until: int | None = None
    while known := view.declared(Run, [key], until=until).get(key):
        found.append(known.declared_in)
        until = known.declared_in - 1
    if not found:
        msg = f"There is no run named {run!r}."
        raise NotFound(msg, run=run)
    return found


# Reversing --------------------------------------------------------------------------------------


def _reversal(reading: Reading, undone: Sequence[Operation], brought: Brought, reason: str | None) -> Intent:
    declarations = list(_restored(reading, undone, brought))
    intent = redeclared(reading, declarations)
    schema = reading.schema.with_declared(declarations)
    own = {one.id for one in brought.evidence}
    read = [
        one.claim.id
        for one in brought.claims
        if one.claim.evidence_id not in own and not is_restated(one.claim.id)
    ]
    own |= {one.claim.id for one in reading.view.claims(sorted(own))} if own else set()
    # What came withdrawn falls as a whole.
    lifted = [one for one in brought.withdrawals if not one.is_lifted and one.target not in own]
    again = _withdrawn_again(reading.view, brought)
    targets = [one.id for one in brought.evidence if not is_taken_back(one.withdrawals)]
    targets += [one.claim.id for one in brought.claims if one.claim.id in read and one.retracted_at is None]
    targets += [one.target for one in brought.aliases]
    targets += [one.id for one in lifted] + again
    moved = [one.target for one in lifted] + again + [one.id for one in brought.evidence] + read
    known = {one.target for one in intent.retractions}
    return intent.beside(
        Intent(
            aliases=_named_again(reading, lifted),
            retractions=tuple(Retraction(one, reason) for one in dict.fromkeys(targets) if one not in known),
            contests=contests_on(reading, schema, moved),
        )
    )


def _restored(reading: Reading, undone: Sequence[Operation], brought: Brought) -> Iterator[Declared]:
    """The declarations that were in force before, for those made that still are."""
    first = {one.sequence for one in undone}
    seen: set[tuple[str, str]] = set()
    for one in brought.declarations:
        view, named = reading.view, (one.kind, one.key)
        now = view.declared(type(one), [one.key]).get(one.key)
        if named in seen or now is None or now.declared_in not in first:
            continue
        seen.add(named)
        before = _before(view, now, first)
        earlier = absent(reading, now) if before is None else before
        if earlier is not None:
            yield earlier


def _before(view: Snapshot, one: Declared, undone: set[int]) -> Declared | None:
    """The declaration that was in force before some operations were done."""
    known: Declared | None = one
    while known is not None and known.declared_in in undone:
        until = known.declared_in - 1
        known = view.declared(type(one), [one.key], until=until).get(one.key)
    return known


def _withdrawn_again(view: Snapshot, brought: Brought) -> list[str]:
    """The records whose withdrawals were lifted, and which nothing else withdraws."""
    if not brought.lifts:
        return []
    lifted = {one.target for one in brought.lifts}
    targets = sorted({one.target for one in view.every(Withdrawal) if one.id in lifted})
    standing = {one.target for one in view.every(Withdrawal, targets) if not one.is_lifted}
    return [one for one in targets if one not in standing]


def _named_again(reading: Reading, lifted: Sequence[Withdrawal]) -> tuple[Alias, ...]:
    """On a branch, names that are given back are given anew: those of below cannot be changed."""
    if reading.space.branch is None:
        return ()
    found = []
    for one in lifted:
        named = alias_named(one.target)
        # Whom a name was given to that not everybody may read is not told by its mark: that is lifted alone.
        if named is not None and not named[2]:
            key, entity, _ = named
            found.append(Alias(key, entity, key))
    return tuple(found)


# What rests on it -------------------------------------------------------------------------------


def _obstacles(reading: Reading, undone: Sequence[Operation], brought: Brought) -> Iterator[Obstacle]:
    numbers = {one.sequence for one in undone}
    found: dict[int, str] = {}
    for one in brought.declarations:
        now = reading.view.declared(type(one), [one.key]).get(one.key)
        if now is not None and now.declared_in > one.declared_in and now.declared_in not in numbers:
            found.setdefault(now.declared_in, f"it declares {one.kind} {one.key!r} anew")
        if isinstance(one, Branch):
            found.update(
                (each.declared_in, f"{each.name!r} lies over {one.name!r}")
                for each in over(reading.view, one)
            )
    for testimony, why in _leaning(reading, numbers, brought.evidence):
        found.setdefault(testimony.operation, why)
    for operation in reading.view.operations(sequences=sorted(found)):
        yield Obstacle(operation.sequence, operation.act, operation.author, found[operation.sequence])


def _leaning(
    reading: Reading, undone: set[int], evidence: Sequence[Evidence]
) -> Iterator[tuple[Testimony, str]]:
    """What later operations said that names what is to be undone as what it rests on."""
    view = reading.view
    ids = {one.id for one in evidence if one.retracted_at is None}
    if not ids:
        return
    own = view.claims(sorted(ids))
    contests = [ContestKey(one.claim.slot.id, one.claim.value.key) for one in own]
    falling = {
        belief_id(key.slot_id, key.value_key or "")
        for key, those in view.testimonies(list(dict.fromkeys(contests))).items()
        if all(one.operation in undone or one.retracted_at is not None for one in those)
    }
    leaning = view.beliefs(BeliefFilter(premises=sorted(falling))) if falling else []
    near = dict.fromkeys([*contests, *(ContestKey(one.slot.id, one.value.key) for one in leaning)])
    later = [
        one
        for those in view.testimonies(list(near)).values()
        for one in those
        if one.operation > min(undone) and one.operation not in undone and one.retracted_at is None
    ]
    items = {one.id: one for one in view.evidence(ids=sorted({one.claim.evidence_id for one in later}))}
    rules = {one.name for one in reading.schema.rules}
    for one in later:
        if ids.intersection(items[one.claim.evidence_id].derived_from) and not is_own(one.source):
            yield one, f"it repeats what was said there, in {one.claim.evidence_id}"
        elif falling.intersection(premises_of(one.claim)) and not _is_by_rule(one, rules):
            slot = one.claim.slot
            yield one, f"{slot.subject.name} / {slot.attribute} = {one.claim.value} rests on it"


def _is_by_rule(one: Testimony, rules: set[str]) -> bool:
    """Whether a rule derived it, or dreaming did: it comes and goes with its premises."""
    derived = one.claim.derivation
    return derived is not None and (derived.rule in rules or is_dreamt(derived.rule))
