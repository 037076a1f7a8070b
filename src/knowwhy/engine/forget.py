"""forget: records are removed for good from every line of a memory; a receipt without their words remains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from knowwhy.core.model import (
    Act,
    Branch,
    Erasure,
    Retraction,
    content_id,
    digest_of,
    in_force,
    one_line,
)
from knowwhy.core.timeline import Instant, isoformat, shown
from knowwhy.engine.branch import layered
from knowwhy.engine.commit import write
from knowwhy.engine.erased import chunks, present
from knowwhy.engine.intent import Intent, Reading, Signature
from knowwhy.engine.outcome import Outcome
from knowwhy.engine.permitting import demand
from knowwhy.engine.retract import contest_of
from knowwhy.engine.selecting import Selected, Selection, selected
from knowwhy.engine.space import Space
from knowwhy.engine.upkeep import rebuild
from knowwhy.store.blotting import Blotter
from knowwhy.store.protocol import Snapshot

_PAGE: Final = 1_000
_ONE: Final = {"claims": "claim", "beliefs": "belief", "entities": "entity"}


@dataclass(frozen=True, slots=True)
class ErasurePlan:
    """What an erasure would take, over all lines: how many of each class, and which evidence why."""

    what: str
    counts: Mapping[str, int]
    evidence: Mapping[str, str]

    def as_dict(self) -> dict[str, Any]:
        """The plan for a program."""
        return {"what": self.what, "counts": dict(self.counts), "evidence": dict(self.evidence)}

    def __str__(self) -> str:
        head = f"By {self.what}, nothing is erased yet: {_counted(self.counts)}."
        return "\n".join([head, *(f"  {own_id} ({why})" for own_id, why in sorted(self.evidence.items()))])


@dataclass(frozen=True, slots=True)
class Receipt:
    """That something was erased: what class of things, how many, when and by whom, and if it still is so.

    `returned` are records that are on record again, from a backup perhaps. It `is_intact` as long as it is
    word for word as it was made.
    """

    erasure: Erasure
    returned: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """Its id."""
        return self.erasure.id

    @property
    def counts(self) -> Mapping[str, int]:
        """How many of each class were erased."""
        return dict(self.erasure.counts)

    @property
    def is_intact(self) -> bool:
        """Whether the digest is that of the rest."""
        return self.erasure.is_intact

    def as_dict(self) -> dict[str, Any]:
        """The receipt for a program."""
        one = self.erasure
        return {
            "id": one.id,
            "what": one.what,
            "counts": dict(one.counts),
            "at": isoformat(one.at),
            "by": one.by,
            "digest": one.digest,
            "intact": self.is_intact,
            "records": list(one.records),
            "returned": list(self.returned),
        }

    def __str__(self) -> str:
        one = self.erasure
        by = f" by {one.by}" if one.by else ""
        told = f"{one.id}: erased on {shown(one.at)}{by}, by {one.what}: {_counted(dict(one.counts))}."
        lines = [one_line(told)]
        if not self.is_intact:
            lines.append("  The receipt was changed since: its digest does not fit.")
        if self.returned:
            lines.append(f"  {len(self.returned)} of its records are back; forget them again.")
        return "\n".join(lines)


def _counted(counts: Mapping[str, int]) -> str:
    told = (
        f"{number} {_ONE.get(name, name) if number == 1 else name}"
        for name, number in counts.items()
        if number
    )
    return ", ".join(told) or "nothing"


def plan(space: Space, selection: Selection) -> ErasurePlan:
    """What `forget` would take; nothing is written.

    Raises:
        AmbiguousName: the name of the person stands for several, and no id says which.
    """
    demand(space, "erase")
    evidence: dict[str, str] = {}
    found = []
    for line in lines(space):
        with line.store.snapshot(line.name) as view:
            found.append(selected(view, selection))
        evidence |= {own_id: str(why) for own_id, why in found[-1].evidence.items()}
    return ErasurePlan(selection.what, _counts(found), evidence)


def forget(
    space: Space, selection: Selection, *, author: str | None = None, reason: str | None = None
) -> Receipt:
    """Erase what is selected from every line, with all that rests on it alone, and the bytes it left.

    Each line first withdraws it, so that what rested on it falls, and then drops it for good. Where it was
    interrupted, doing it again finishes it.

    Raises:
        AmbiguousName: the name of the person stands for several, and no id says which.
        Unavailable: all is erased, but a reader at work keeps old pages of the file in use.
    """
    found: list[tuple[Space, Selected]] = []
    for line in lines(space):
        with line.store.snapshot(line.name) as view:
            found.append((line, selected(view, selection)))
    erasure = _erasure(space, selection, [one for _, one in found], author)
    for line, one in found:
        kept = erasure if line.branch is None else None
        _withdraw(line, one, kept, Signature(Act.ERASE, author, reason))
        # The main line is the last, and one store keeps them all.
        erasing = replace(one.erasing, overwrites=line.branch is None)
        line.store.drop(line.name, sorted(one.evidence), 0, erasing)
    for line, _ in found:
        # What a branch had from below may be gone there, and be due here for what was said here.
        if line.branch is not None:
            rebuild(line.seen_by(None))  # part of what may be done
    return Receipt(erasure)


def lines(space: Space) -> Iterator[Space]:
    """Every line that is kept of a memory, those on top first: dropped branches too, the main line last."""
    root = space.root
    with root.store.snapshot(root.name) as view:
        known = _every_branch(view)
    for branch in sorted(known.values(), key=lambda one: -one.sequence):
        by_key = {one.key: one for one in known.values() if one.declared_in <= branch.declared_in}
        opened = replace(branch, is_closed=False, expires_at=None)
        yield root.on(opened, layered(root.store, by_key, opened))
    yield replace(root, run=space.run)


def _every_branch(view: Snapshot) -> dict[str, Branch]:
    """All branches there ever were, by the space that keeps them, as they were forked."""
    found: dict[str, Branch] = {}
    before = view.head().sequence + 1
    while page := view.operations(before=before, limit=_PAGE):
        for one in page:
            if one.act is Act.FORK:
                made = view.declared(Branch, until=one.sequence)
                found |= {each.space: each for each in made.values() if each.declared_in == one.sequence}
        before = page[-1].sequence
    return found


def _erasure(space: Space, selection: Selection, found: Sequence[Selected], author: str | None) -> Erasure:
    at = Instant(space.clock())
    # What was derived is nobody's word: where it follows still, or again, it is drawn anew.
    records = tuple(sorted({own_id for one in found for own_id in one.evidence.keys() - one.derived}))
    own_id = content_id("er", str(at), *records)
    counts, by = _counts(found), author or space.author
    if any(Blotter(one.words).tells(by) for one in found):
        by = None
    digest = digest_of(own_id, selection.what, records, counts, at, by)
    return Erasure(own_id, selection.what, records, tuple(counts.items()), at, by, digest)


def _counts(found: Iterable[Selected]) -> dict[str, int]:
    given = list(found)
    evidence = {own_id: why for one in given for own_id, why in one.evidence.items()}
    counts = {
        "evidence": len(evidence),
        "claims": len({own_id for one in given for own_id in one.claims}),
        "beliefs": len({own_id for one in given for own_id in one.beliefs}),
        "entities": len(_nowhere_named(given)),
    }
    return counts | {f"evidence {why}": number for why, number in sorted(Counter(evidence.values()).items())}


def _nowhere_named(found: Sequence[Selected]) -> set[str]:
    """The entities of which no line that knew them has anything left."""
    known = {own_id for one in found for own_id in one.entities}
    return known - {own_id for one in found for own_id in one.entities - one.unnamed}


def _withdraw(line: Space, one: Selected, erasure: Erasure | None, signature: Signature) -> None:
    """Withdraw what is selected on a line, so that all that rested on it is decided without it."""

    def form(reading: Reading) -> Intent | Outcome:
        standing = [
            item.id
            for ids in chunks(sorted(one.evidence))
            for item in reading.view.evidence(ids=ids)
            if in_force(item.withdrawals) is None
        ]
        if not standing and erasure is None:
            return Outcome(reading.view.head().sequence, None, is_repeat=True)
        claimed = [each for ids in chunks(standing) for each in reading.view.claims(ids)]
        return Intent(
            retractions=tuple(map(Retraction, standing)),
            declarations=() if erasure is None else (erasure,),
            contests=tuple(dict.fromkeys(contest_of(reading, each) for each in claimed)),
        )

    write(line, signature, form)


def receipts(space: Space) -> tuple[Receipt, ...]:
    """The receipts of all erasures, the newest first, each checked against what is on record now."""
    demand(space, "erase")
    root = space.root
    with root.store.snapshot(root.name) as view:
        made = sorted(view.declared(Erasure).values(), key=lambda one: -one.at)
        return tuple(Receipt(one, present(view, one.records)) for one in made)
