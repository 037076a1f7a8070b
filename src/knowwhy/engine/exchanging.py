"""The verbs by which a memory comes in from files, and is kept safe in them."""

from __future__ import annotations

from pathlib import Path
from typing import Unpack

from knowwhy.engine import backup as backing_up
from knowwhy.engine import import_from as importing
from knowwhy.engine.archiving import Progress
from knowwhy.engine.backup import Backup
from knowwhy.engine.declaring import Signed
from knowwhy.engine.dreaming import Dreaming
from knowwhy.engine.import_from import Imported, Signer


class Exchanging(Dreaming):
    """A memory that takes files of others, and can be copied while it is used."""

    def import_from(
        self,
        path: str | Path,
        format: str | None = None,  # noqa: A002 - what it is called everywhere
        *,
        progress: Progress | None = None,
        **signed: Unpack[Signed],
    ) -> Imported:
        """Take what is in a file, and tell what could not be mapped; done again, it takes what is new.

        Args:
            path: an archive, or a file or folder of another memory.
            format: mcp, chat, markdown, mem0, zep or langgraph; an archive (jsonl) is known by itself.
            progress: told how many operations or items are done so far.
            signed: `author`, `reason`.

        Raises:
            NotFound: there is no such file.
            InvalidInput: no such format, or the file is not of it.
            Refused: an archive is taken on behalf of a principal.
            Conflict: an archive, and the memory holds something else.
        """
        return importing.import_from(
            self._space,
            path,
            format,
            signer=Signer(signed.get("author"), signed.get("reason")),
            progress=progress,
        )

    def backup(self, path: str | Path, *, progress: Progress | None = None) -> Backup:
        """Make a backup while the memory is in use: a copy of its whole file, or on a server an archive.

        What is erased later is still in it: after a restore, forget again by the receipts (`erasures`).

        Raises:
            Refused: the memory is used for a principal.
            InvalidInput: something is at `path` already.
            NotFound: there is no such folder.
            Unavailable: the disk has no room.
        """
        return backing_up.backup(self._space, path, progress)
