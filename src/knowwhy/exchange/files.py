"""Files as they are written: under another name until they are whole, never in the place of one there is."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from knowwhy.errors import InvalidInput, NotFound, Unavailable


def vacant(path: str | Path) -> Path:
    """The path of a file to be written, once it was seen that its folder is there and it is not.

    Raises:
        NotFound: there is no such folder.
        InvalidInput: something is there already.
    """
    place = Path(path)
    if not place.parent.is_dir():
        msg = f"There is no folder {place.parent}; make it first."
        raise NotFound(msg, path=str(place))
    if place.exists() or place.is_symlink():
        msg = f"{place} is there already, and is left as it is: choose another name, or take it away first."
        raise InvalidInput(msg, path=str(place))
    return place


@contextmanager
def beside(place: Path) -> Iterator[Path]:
    """A path next to that of a file, for its owner alone: what is there in the end becomes the file.

    Raises:
        Unavailable: the disk has no room, or cannot be written.
    """
    draft = None
    try:
        number, name = tempfile.mkstemp(prefix=f".{place.name}.", suffix=".part", dir=place.parent)
        os.close(number)
        draft = Path(name)
        yield draft
        _persist(draft)
        vacant(place)
        draft.rename(place)
        _persist(place.parent)
    except OSError as problem:
        msg = f"{place} cannot be written ({problem}); nothing was left behind."
        raise Unavailable(msg, path=str(place), retry_after=1.0) from problem
    finally:
        if draft is not None:
            with suppress(OSError):
                draft.unlink()


@contextmanager
def whole_file(path: str | Path) -> Iterator[BinaryIO]:
    """A file to be written: it is there once all of it is, or not at all."""
    with beside(vacant(path)) as draft, draft.open("wb") as stream:
        yield stream


def _persist(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def lines_of(path: Path) -> Iterator[bytes]:
    """The lines of a file, one at a time.

    Raises:
        NotFound: there is no such file, or it may not be read.
    """
    try:
        with path.open("rb") as stream:
            yield from stream
    except OSError as problem:
        msg = f"{path} cannot be read ({problem.strerror or problem})."
        raise NotFound(msg, path=str(path)) from problem
