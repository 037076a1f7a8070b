"""A folder of pages: the Markdown, text, HTML and PDF files below it, each as a version of a document."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from knowwhy.errors import KnowwhyError, NotFound
from knowwhy.providers.pages import html_text, pdf_text

# How files are read, by the ends of their names, and how many bytes they may have.
_PLAIN: Final = frozenset({".md", ".markdown", ".txt"})
_CONVERTED: Final[Mapping[str, Callable[[bytes], str]]] = {
    ".html": html_text,
    ".htm": html_text,
    ".xhtml": html_text,
    ".pdf": pdf_text,
}
SUFFIXES: Final = frozenset({*_PLAIN, *_CONVERTED})
_LARGEST: Final = 2_000_000
_LARGEST_PDF: Final = 50_000_000
_MARK: Final = 12

# Whether a page (by its path) is on record with a mark already.
Known = Callable[[str, str], bool]


@dataclass(frozen=True, slots=True)
class Page:
    """A file as it is now: its path below the folder, its words, and when it was last written.

    `mark` tells its contents from others. Without `text` it could not be read, for the reason given as
    `problem`, or need not be, since it `is_known`.
    """

    path: str
    changed_at: datetime
    mark: str = ""
    text: str | None = None
    problem: str | None = None
    is_known: bool = False

    @property
    def version(self) -> str:
        """What this version is called: when it was written, and its mark."""
        return f"{self.changed_at:%Y-%m-%dT%H:%M:%SZ} {self.mark}"


def pages_in(folder: Path, is_known: Known) -> Iterator[Page]:
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
        yield _page(path, inside.as_posix(), is_known)


def _page(path: Path, name: str, is_known: Known) -> Page:
    changed_at = datetime.fromtimestamp(0, UTC)
    suffix = path.suffix.casefold()
    most = _LARGEST_PDF if suffix == ".pdf" else _LARGEST
    try:
        state = path.stat()
        changed_at = datetime.fromtimestamp(state.st_mtime, UTC)
        if state.st_size > most:
            return Page(name, changed_at, problem=f"it is larger than {most:,} bytes")
        written = path.read_bytes()
        convert = _CONVERTED.get(suffix)
        text = written.decode("utf-8-sig") if convert is None else None
        mark = hashlib.sha256(written if text is None else text.encode()).hexdigest()[:_MARK]
        if is_known(name, mark):
            return Page(name, changed_at, mark, is_known=True)
        return Page(name, changed_at, mark, text if convert is None else convert(written))
    except UnicodeDecodeError:
        return Page(name, changed_at, problem="it is not text in UTF-8")
    except OSError as problem:
        return Page(name, changed_at, problem=problem.strerror or str(problem))
    except KnowwhyError as problem:
        return Page(name, changed_at, problem=problem.message)
