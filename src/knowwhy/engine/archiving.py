"""Archiving: the log of a memory with all its branches into one file, and from it into an empty memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from knowwhy.core.model import Branch
from knowwhy.engine.branch import MARK, layered
from knowwhy.engine.space import Space
from knowwhy.engine.upkeep import rebuild
from knowwhy.errors import Conflict, InvalidInput, Refused
from knowwhy.exchange.archive import Counted, Entry, Line, Writing, checked, entries
from knowwhy.exchange.files import lines_of
from knowwhy.store.protocol import Audit, Batch, Head, StaleRead, Store, Vector

# Told how many operations are done so far.
Progress = Callable[[int], None]

_PAGE = 500


def demand_owner(space: Space, what: str) -> None:
    """See that the memory is used by its owner, who alone sees all of it.

    Raises:
        Refused: it is used for a principal.
    """
    if space.principal is not None:
        msg = (
            f"{what} takes all that is in a memory, so only its owner may do that, and not "
            f"{space.principal.name}, who does not see all of it."
        )
        raise Refused(msg)


def written_archive(space: Space, stream: BinaryIO, progress: Progress | None = None) -> Counted:
    """Write the archive of a memory while it is in use: each line of it as it is at one moment."""
    root, writing = space.root, Writing()
    stream.write(writing.begun(root.name))
    for line in _lines(root.store, root.name):
        stream.write(writing.entry(Line(line)))
        with root.store.snapshot(line) as view:
            for number, batch in enumerate(view.every(Batch), 1):
                stream.write(writing.entry(batch))
                if progress is not None:
                    progress(number)
            stream.writelines(writing.entry(vector) for vector in view.every(Vector))
            # They come newest first, and are numbered as they are put.
            answers = list(view.every(Audit))
            stream.writelines(writing.entry(answer) for answer in reversed(answers))
    counted = writing.counted()
    stream.write(writing.ended())
    return counted


def _lines(store: Store, main: str) -> list[str]:
    """The spaces of a memory: its own, and those of all branches that were ever declared."""
    with store.snapshot(main) as view:
        declared = (one for batch in view.every(Batch) for one in batch.declarations)
        return list(dict.fromkeys((main, *(one.space for one in declared if isinstance(one, Branch)))))


def taken_from_archive(space: Space, path: Path, progress: Progress | None = None) -> tuple[Counted, int]:
    """Write the log in an archive into a memory; what the archive holds, and how many operations were new.

    The memory is empty, or holds the beginning of the same log: then it takes what is new.

    Raises:
        InvalidInput: the archive is not whole, or of a memory with branches that had another name.
        Conflict: the memory holds something else.
    """
    root = space.root
    named, counted = checked(lines_of(path))
    if named != root.name and counted.lines > 1:
        msg = (
            f"This archive is of {named!r} with branches: open the memory under that name (space={named!r})."
        )
        raise InvalidInput(msg, space=named)
    spaces = _spaces(path, named, root.name)
    _check_beginnings(root.store, spaces, path, named)
    taking = _Taking(root.store, progress)
    for entry in entries(lines_of(path)):
        taking.take(_renamed(entry, named, root.name))
    taking.end()
    _make_views(root)
    return counted, taking.taken


def _renamed(entry: Entry, named: str, name: str) -> Entry:
    return Line(name) if isinstance(entry, Line) and entry.space == named else entry


def _spaces(path: Path, named: str, name: str) -> list[str]:
    found = [one.space for one in entries(lines_of(path)) if isinstance(one, Line)]
    strange = [one for one in found if one != named and not one.startswith(f"{named}{MARK}")]
    if strange or found[:1] != [named]:
        msg = "This archive names spaces that are none of its memory's; nothing was taken from it."
        raise InvalidInput(msg, spaces=strange)
    return [name if one == named else one for one in found]


def _check_beginnings(store: Store, spaces: list[str], path: Path, named: str) -> None:
    """See that what is there is how the archive begins, before anything is written."""
    main, line, ours = spaces[0], spaces[0], iter(())
    pending: Iterator[Batch] = ours
    for entry in entries(lines_of(path)):
        if isinstance(entry, Line):
            if next(pending, None) is not None:
                raise _other(line)
            line = main if entry.space == named else entry.space
            pending = _log_of(store, line)
        elif isinstance(entry, Batch):
            own = next(pending, None)
            if own is not None and own != entry:
                raise _other(line)
    if next(pending, None) is not None:
        raise _other(line)


def _log_of(store: Store, line: str) -> Iterator[Batch]:
    """What is on record in a line, read page by page so that no state is held open."""
    after = 0
    while True:
        with store.snapshot(line) as view:
            page = list(islice(view.every(Batch, after=after), _PAGE))
        yield from page
        if not page:
            return
        after = page[-1].operation.sequence


class _Taking:
    """The entries of an archive, taken one after the other."""

    def __init__(self, store: Store, progress: Progress | None) -> None:
        self._store = store
        self._progress = progress
        self._line = ""
        self._head = Head()
        self._schema = 0
        self._beside: list[Vector | Audit] = []
        self._answers: set[str] = set()
        self.taken = 0

    def take(self, entry: Entry) -> None:
        """Write an entry, unless it is there."""
        if isinstance(entry, Line):
            self.end()
            self._line, self._head = entry.space, self._read_head(entry.space)
            self._schema = self._head.schema
            with self._store.snapshot(entry.space) as view:
                self._answers = {one.id for one in view.every(Audit)}
        elif isinstance(entry, Vector | Audit):
            if isinstance(entry, Audit) and entry.id in self._answers:
                return
            self._beside.append(entry)
            if len(self._beside) >= _PAGE:
                self.end()
        elif entry.operation.sequence > self._head.sequence:
            self._write(entry)

    def end(self) -> None:
        """Put what is left of what lies beside the log."""
        if self._beside:
            self._store.replace_views(self._line, self._beside, is_whole=False)
            self._beside = []

    def _read_head(self, line: str) -> Head:
        with self._store.snapshot(line) as view:
            return view.head()

    def _write(self, batch: Batch) -> None:
        try:
            done = self._store.commit(self._line, replace(batch, schema=self._schema))
        except StaleRead:
            raise _other(self._line) from None
        if (done.sequence, done.at) != (batch.operation.sequence, batch.operation.at):
            raise _other(self._line)
        if any(one.is_schema for one in batch.declarations):
            self._schema = batch.operation.sequence
        self.taken += 1
        if self._progress is not None:
            self._progress(self.taken)


def _make_views(root: Space) -> None:
    """Compute the views of a memory and of its branches anew, from the top down."""
    with root.store.snapshot(root.name) as view:
        known = view.declared(Branch)
    rebuild(root)
    for branch in sorted(known.values(), key=lambda one: one.declared_in):
        rebuild(root.on(branch, layered(root.store, known, branch)))


def _other(line: str) -> Conflict:
    msg = (
        f"What this memory holds as {line!r} is not how the archive begins: it is another memory, or was "
        "written to since. An archive is taken into an empty memory; into this one, merge what it made."
    )
    return Conflict(msg, space=line)
