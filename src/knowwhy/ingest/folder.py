"""A folder of pages: the Markdown and plain text files below it, each as a version of a document."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from knowwhy.errors import NotFound

SUFFIXES: Final = frozenset({".md", ".markdown", ".txt"})
_LARGEST: Final = 2_000_000
_MARK: Final = 12


@dataclass(frozen=True, slots=True)
class Page:
    """A file as it is now: its path below the folder, its words, and when it was last written.

    Without `text` it could not be read, for the reason given as `problem`.
    """

    path: str
    changed_at: datetime
    text: str | None = None
    problem: str | None = None

    @property
    def mark(self) -> str:
        """What tells these words from others."""
        return hashlib.sha256((self.text or "").encode()).hexdigest()[:_MARK]

    @property
    def version(self) -> str:
        """What this version is called: when it was written, and its mark."""
        return f"{self.changed_at:%Y-%m-%dT%H:%M:%SZ} {self.mark}"


def pages_in(folder: Path) -> Iterator[Page]:
    """The pages below a folder, in order of their paths; hidden files and links are passed over.

    Raises:
        NotFound: there is no such folder.
    """
    if not folder.is_dir():
        msg = f"There is no folder {folder}."
        raise NotFound(msg, folder=str(folder))
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        is_hidden = any(part.startswith(".") for part in inside.parts)
        if is_hidden or path.suffix.casefold() not in SUFFIXES or path.is_symlink() or not path.is_file():
            continue
        if any((folder / parent).is_symlink() for parent in inside.parents):
            continue
        yield _page(path, inside.as_posix())


def _page(path: Path, name: str) -> Page:
    changed_at = datetime.fromtimestamp(0, UTC)
    try:
        state = path.stat()
        changed_at = datetime.fromtimestamp(state.st_mtime, UTC)
        if state.st_size > _LARGEST:
            return Page(name, changed_at, problem=f"it is larger than {_LARGEST:,} bytes")
        return Page(name, changed_at, path.read_text("utf-8-sig"))
    except UnicodeDecodeError:
        return Page(name, changed_at, problem="it is not text in UTF-8")
    except OSError as problem:
        return Page(name, changed_at, problem=problem.strerror or str(problem))
