"""migrate: a memory moves from one store to another, while it is in use, with all its branches."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import chain, takewhile, zip_longest
from pathlib import Path
from typing import Any, Final

from knowwhy.core.model import Branch, checked_name
from knowwhy.engine.address import shown_address, store_at
from knowwhy.errors import Fault, InvalidInput
from knowwhy.store.protocol import Audit, Batch, Head, Snapshot, StaleRead, Store, Vector

# How often it is looked whether the source has moved on meanwhile, before the caller is told that it does.
ROUNDS: Final = 10

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Migration:
    """What a migration came to: all `operations` of all `lines` are there, of which it `copied` some.

    `checksum` is that of both logs. `behind` counts what was written to the source since it was compared.
    """

    source: str
    target: str
    space: str
    lines: int
    operations: int
    copied: int
    behind: int
    checksum: str

    def as_dict(self) -> dict[str, Any]:
        """The migration for a program."""
        return {name: getattr(self, name) for name in self.__slots__}

    def __str__(self) -> str:
        branches = f", and of {self.lines - 1} branches of it" if self.lines > 1 else ""
        whole = f"the {self.operations} operations of {self.space!r} in {self.source}{branches}"
        told = [
            f"{self.target} holds {whole}; {self.copied} were copied now.",
            f"Logs and views are equal; checksum of the log {self.checksum[:16]}.",
        ]
        if self.behind:
            told.append(
                f"warning: {self.behind} operations were written to the source meanwhile. Stop its writers "
                "and migrate once more, which only takes over what is new."
            )
        return "\n".join(told)


def migrate(
    source: str | Path, target: str | Path, *, space: str = "main", progress: Progress | None = None
) -> Migration:
    """Copy the memory `space` at one address to another, operation by operation, and compare the two.

    Operations keep their numbers, times and ids, so all that was known when is told the same there. The
    source may be read and written meanwhile. Done again, it takes over what is new since.

    Args:
        source: the file or server where the memory is.
        target: where it is to be; what is there must be the beginning of the same memory, or nothing.
        space: which memory there.
        progress: told how many operations were copied so far.

    Raises:
        InvalidInput: another memory is there, or both addresses are the same.
    """
    name = checked_name(space, "space")
    if str(source) == str(target):
        raise InvalidInput("A memory cannot be migrated to where it is; give two places.")
    with _opened(source) as theirs, _opened(target) as ours:
        move = _Move(theirs, ours, name, progress)
        checksum = move.made()
        return Migration(
            shown_address(str(source)),
            shown_address(str(target)),
            name,
            lines=len(move.lines),
            operations=sum(_head_of(ours, line).sequence for line in move.lines),
            copied=move.copied,
            behind=sum(
                _head_of(theirs, line).sequence - _head_of(ours, line).sequence for line in move.lines
            ),
            checksum=checksum,
        )


@contextmanager
def _opened(address: str | Path) -> Iterator[Store]:
    store = store_at(str(address))
    try:
        yield store
    finally:
        store.close()


class _Move:
    """One migration: the main line first, then the branches that its log declares."""

    def __init__(self, theirs: Store, ours: Store, name: str, progress: Progress | None) -> None:
        self._theirs = theirs
        self._ours = ours
        self._progress = progress
        self._main = name
        self.lines = [name]
        self.copied = 0

    def made(self) -> str:
        """Copy and compare all lines; the checksum of the logs."""
        self._look_for_branches()
        for line in self.lines:
            self._check_beginning(line)
        for _ in range(ROUNDS):
            if not sum([self._catch_up(line) for line in self.lines]):
                break
            self._look_for_branches()
        return sha256("".join(map(self._compared, self.lines)).encode()).hexdigest()

    def _check_beginning(self, line: str) -> None:
        """See that what is in the target is how the source begins, before anything is written."""
        with self._ours.snapshot(line) as own:
            last, here = own.head().sequence, checksum_of(own.every(Batch))
        if last > _head_of(self._theirs, line).sequence or self._checksum(line, last) != here:
            raise _other(line)

    def _look_for_branches(self) -> None:
        """Note the spaces of all branches that were ever declared."""
        with self._theirs.snapshot(self._main) as view:
            declared = (one for batch in view.every(Batch) for one in batch.declarations)
            found = [one.space for one in declared if isinstance(one, Branch)]
        self.lines += [one for one in dict.fromkeys(found) if one not in self.lines]

    def _catch_up(self, line: str) -> int:
        """Copy what is new in a line, and its views as of the same moment; how many operations that was."""
        before, head = self.copied, _head_of(self._ours, line)
        with self._theirs.snapshot(line) as view:
            schema = head.schema
            for batch in view.every(Batch, after=head.sequence):
                self._copy(line, replace(batch, schema=schema))
                if any(one.is_schema for one in batch.declarations):
                    schema = batch.operation.sequence
            if self._difference(view, line) is not None:
                self._ours.replace_views(line, view.views())
                self._copy_vectors(view, line)
            self._copy_audits(view, line)
            if (difference := self._difference(view, line)) is not None:
                raise Fault(f"After the migration {line!r} differs: {difference}. Please report it.")
        return self.copied - before

    def _copy_vectors(self, view: Snapshot, line: str) -> None:
        """Put the vectors of a line in the place of those that are there."""
        kept = {(one.document, one.model) for one in view.every(Vector)}
        with self._ours.snapshot(line) as own:
            others = {(one.document, one.model) for one in own.every(Vector)} - kept
        gone = (Vector(document, model, b"") for document, model in sorted(others))
        self._ours.replace_views(line, chain(gone, view.every(Vector)), is_whole=False)

    def _copy_audits(self, view: Snapshot, line: str) -> None:
        """Put the records of answers that the target lacks, the oldest first."""
        with self._ours.snapshot(line) as own:
            known = {one.id for one in own.every(Audit)}
        missing = [one for one in view.every(Audit) if one.id not in known]
        if missing:
            self._ours.replace_views(line, reversed(missing), is_whole=False)

    def _difference(self, view: Snapshot, line: str) -> str | None:
        """The first view that is not the same on both sides, or the numbers of records if these are not."""
        with self._ours.snapshot(line) as own:
            for theirs, ours in zip_longest(view.views(), own.views()):
                if theirs != ours:
                    return f"{theirs} is {ours} in the target"
            if _vectors_of(view) != _vectors_of(own):
                return "its vectors are others in the target"
            there, here = view.counts(), own.counts()
        return None if there == here else f"{there} records are {here} in the target"

    def _copy(self, line: str, batch: Batch) -> None:
        try:
            written = self._ours.commit(line, batch)
        except StaleRead:
            raise _other(line) from None
        if (written.sequence, written.at) != (batch.operation.sequence, batch.operation.at):
            raise _other(line)
        self.copied += 1
        if self._progress is not None:
            self._progress(self.copied)

    def _compared(self, line: str) -> str:
        """The checksum of the log of a line, once both sides were found to have the same one."""
        with self._ours.snapshot(line) as own:
            last, here = own.head().sequence, checksum_of(own.every(Batch))
        if self._checksum(line, last) != here:
            raise Fault(f"After the migration the log of {line!r} differs. Please report it.")
        return here

    def _checksum(self, line: str, last: int) -> str:
        """The checksum of the log of the source, up to an operation."""
        with self._theirs.snapshot(line) as view:
            return checksum_of(takewhile(lambda one: one.operation.sequence <= last, view.every(Batch)))


def checksum_of(batches: Iterable[Batch]) -> str:
    """The fingerprint of a log: equal for equal logs, in whatever store they are."""
    digest = sha256()
    for batch in batches:
        operation = batch.operation
        told = json.dumps(operation.outcome, sort_keys=True, ensure_ascii=True)
        digest.update(told.encode())
        digest.update(repr(replace(batch, operation=replace(operation, outcome=None))).encode())
    return digest.hexdigest()


def _vectors_of(view: Snapshot) -> int:
    """The fingerprint of all vectors, in whatever order they were put."""
    found = 0
    for one in view.every(Vector):
        named = f"{len(one.document)} {one.document} {one.model} ".encode("utf-8", "surrogatepass")
        found ^= int.from_bytes(sha256(named + one.numbers).digest(), "big")
    return found


def _head_of(store: Store, line: str) -> Head:
    with store.snapshot(line) as view:
        return view.head()


def _other(line: str) -> InvalidInput:
    return InvalidInput(
        f"What the target holds as {line!r} is not how the source begins: it is another memory, it was "
        "written to, or something was dropped or erased in the source since. Choose an empty place, or "
        "another space.",
        space=line,
    )
