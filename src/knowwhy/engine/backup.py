"""backup: a copy of a memory that can be restored, made while it is read and written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from knowwhy.core.model import one_line
from knowwhy.engine.archiving import Progress, demand_owner, written_archive
from knowwhy.engine.space import Space
from knowwhy.exchange.files import beside, vacant, whole_file
from knowwhy.store.sqlite import SqliteStore


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that was made: of the `kind` file, a copy of all of it, or archive, that of the memory."""

    path: str
    kind: str
    size: int

    def as_dict(self) -> dict[str, Any]:
        """The backup for a program."""
        return {"path": self.path, "kind": self.kind, "bytes": self.size}

    def __str__(self) -> str:
        restore = "open it as it is" if self.kind == "file" else "import-from takes it into an empty memory"
        what = "the whole file" if self.kind == "file" else "an archive of the memory with its branches"
        return one_line(f"{self.path}: {what}, {self.size:,} bytes. To restore: {restore}.")


def backup(space: Space, path: str | Path, progress: Progress | None = None) -> Backup:
    """Make a backup at `path`: of a file a copy of all of it, of a memory on a server its archive.

    Raises:
        Refused: the memory is used for a principal.
        InvalidInput: something is there already.
        NotFound: there is no such folder.
        Unavailable: the disk has no room.
        Fault: the file is damaged.
    """
    demand_owner(space, "A backup")
    place = vacant(path)
    store = space.root.store
    if isinstance(store, SqliteStore):
        with beside(place) as draft:
            store.copy(str(draft), progress)
        return Backup(str(place), "file", place.stat().st_size)
    with whole_file(place) as stream:
        written_archive(space, stream, progress)
    return Backup(str(place), "archive", place.stat().st_size)
