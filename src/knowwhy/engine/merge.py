"""merge: the records of another line join this one's, and all that is held is decided on the union."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from knowwhy.core.model import Act, QueueStep, one_line
from knowwhy.engine.commit import Prepared, prepare, write
from knowwhy.engine.disagreement import Disagreement, Sort, disagreements
from knowwhy.engine.erased import erased, present
from knowwhy.engine.forget import forget
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.lacking import Lacking, Sides, lacking
from knowwhy.engine.lines import are_related
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.permitting import demand
from knowwhy.engine.redeclare import contests_on, redeclared
from knowwhy.engine.selecting import Selection
from knowwhy.engine.space import Space
from knowwhy.errors import InvalidInput, VersionConflict
from knowwhy.store.protocol import Snapshot


@dataclass(frozen=True, slots=True)
class MergePreview:
    """What a merge would come to: where the two lines part, and what would change.

    `heads` names the states of both lines that it was made for; given to the merge, it is carried out
    for these alone. `outcome` is what the operation would be told, with no number yet.
    """

    name: str
    heads: str
    disagreements: tuple[Disagreement, ...]
    outcome: Outcome
    records: int

    def of(self, sort: Sort | str) -> tuple[Disagreement, ...]:
        """The disagreements of one sort."""
        return tuple(one for one in self.disagreements if one.sort == sort)

    def as_dict(self) -> dict[str, Any]:
        """The preview for a program."""
        told = self.outcome.as_dict()
        return {
            "merges": self.name,
            "heads": self.heads,
            "records": self.records,
            "disagreements": [one.as_dict() for one in self.disagreements],
            "changes": told["changes"],
            "conflicts": told["conflicts"],
            "warnings": told["warnings"],
        }

    def __str__(self) -> str:
        if not self.records:
            return one_line(f"{self.name} has nothing that is not here.")
        counted = f"{self.records} record{'' if self.records == 1 else 's'} would be taken over"
        lines = [one_line(f"{self.name} ({self.heads}): {counted}, nothing is written yet.")]
        lines += [f"  {line}" for one in self.disagreements for line in str(one).splitlines()]
        lines += [f"  conflict {one.id}, {one}" for one in self.outcome.conflicts]
        lines += [f"  note: {warning}" for warning in self.outcome.warnings]
        return "\n".join(lines)


def merge(
    space: Space,
    theirs: Space,
    name: str,
    *,
    expected: str | None = None,
    author: str | None = None,
    reason: str | None = None,
) -> Outcome:
    """Take over all records of another line that this one lacks, as one operation.

    What another memory erased is erased here first, by an operation of its own.

    Raises:
        InvalidInput: a line cannot be merged into itself.
        VersionConflict: one of the lines moved on since the preview that `expected` names.
    """
    demand(space, "merge")
    _check_apart(space, theirs)
    if not are_related(space, theirs):
        _forget_too(space, theirs, author)

    def form(reading: Reading) -> Intent | Outcome:
        with _sides(space, theirs, reading.view) as sides:
            _check_heads(sides, expected)
            return taking_over(reading, lacking(sides, reading.at, _erased(sides)))

    return write(space, Signature(Act.MERGE, author, reason or f"merge of {name}"), form)


def preview(space: Space, theirs: Space, name: str) -> MergePreview:
    """What `merge` would do now; nothing is written.

    Raises:
        InvalidInput: a line cannot be merged into itself.
    """
    demand(space, "merge")
    _check_apart(space, theirs)
    with space.store.snapshot(space.name) as view, _sides(space, theirs, view) as sides:
        found: list[Lacking] = []

        def form(reading: Reading) -> Intent | Outcome:
            found.append(lacking(sides, reading.at, _erased(sides)))
            return taking_over(reading, found[-1])

        prepared = prepare(space, Signature(Act.MERGE), form, view)
        if not isinstance(prepared, Prepared):
            return MergePreview(name, _heads(sides), (), prepared, 0)
        parted = disagreements(sides, prepared.verdict, prepared.reading)
        return MergePreview(name, _heads(sides), tuple(parted), prepared.outcome, _count(found[-1]))


def taking_over(reading: Reading, brought: Lacking) -> Intent | Outcome:
    """What a merge wants on record."""
    if not _count(brought):
        return Outcome(reading.view.head().sequence, None, is_repeat=True)
    intent = redeclared(reading, brought.declarations)
    schema = reading.schema.with_declared(brought.declarations)
    known = {one.id for one in brought.evidence}
    warnings = tuple(
        f"both sides declare {one}, differently; the later declaration is kept" for one in brought.differing
    )
    steps = (QueueStep(added=brought.waiting),) if brought.waiting else ()
    taken = Intent(
        entities=brought.entities,
        aliases=brought.aliases,
        declarations=(*brought.adoptions, *steps, *brought.documents),
        sources=tuple(dict.fromkeys(one.source for one in brought.evidence)),
        evidence=brought.evidence,
        claims=brought.claims,
        retractions=brought.retractions,
        contests=contests_on(reading, schema, (one for one in brought.withdrawn if one not in known)),
        reported=tuple(one.id for one in brought.evidence),
        warnings=warnings,
        waiting=tuple(one.evidence for one in brought.waiting),
    )
    both = intent.beside(taken)
    return replace(both, contests=tuple(dict.fromkeys(both.contests)))


def _count(brought: Lacking) -> int:
    """How many records there are to take over."""
    return sum(
        map(
            len,
            (brought.evidence, brought.claims, brought.retractions, brought.aliases, brought.declarations),
        )
    )


def _erased(sides: Sides) -> frozenset[str]:
    """What either side erased: it comes back from neither."""
    return erased(sides.our_view) | erased(sides.their_view)


def _forget_too(space: Space, theirs: Space, author: str | None) -> None:
    """Erase here what the other memory erased."""
    with theirs.root.store.snapshot(theirs.root.name) as view:
        gone = erased(view)
    with space.store.snapshot(space.name) as view:
        here = present(view, gone) if gone else ()
    if here:
        forget(space, Selection(evidence=here), author=author, reason="erased in what was merged")


@contextmanager
def _sides(space: Space, theirs: Space, view: Snapshot) -> Iterator[Sides]:
    with theirs.store.snapshot(theirs.name) as other:
        yield Sides(space, theirs, view, other)


def _heads(sides: Sides) -> str:
    return f"{sides.our_view.head().sequence}:{sides.their_view.head().sequence}"


def _check_heads(sides: Sides, expected: str | None) -> None:
    heads = _heads(sides)
    if expected is not None and expected != heads:
        msg = f"The lines stand at {heads}, not at {expected} as in the preview; look at a new preview first."
        raise VersionConflict(msg, current=heads, expected=expected)


def _check_apart(space: Space, theirs: Space) -> None:
    is_same_store = space.root.store is theirs.root.store and space.root.name == theirs.root.name
    if is_same_store and space.branch == theirs.branch:
        msg = f"{space.line!r} cannot be merged into itself; name another branch, or another memory."
        raise InvalidInput(msg)
