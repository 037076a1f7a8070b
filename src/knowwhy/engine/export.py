"""export: a memory written to a file, complete as an archive."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from knowwhy.core.model import one_line
from knowwhy.engine.archiving import Progress, demand_owner, written_archive
from knowwhy.engine.space import Space, When
from knowwhy.errors import InvalidInput
from knowwhy.exchange.files import vacant, whole_file

JSONL: Final = "jsonl"
# Formats by the ends of names.
_BY_SUFFIX: Final = {".jsonl": JSONL}
EXPORTS: Final = (JSONL,)


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written where: how many of each kind of thing."""

    path: str
    format: str
    counts: dict[str, int]

    def as_dict(self) -> dict[str, Any]:
        """The export for a program."""
        return {"path": self.path, "format": self.format, "counts": self.counts}

    def __str__(self) -> str:
        told = ", ".join(f"{number} {name}" for name, number in self.counts.items())
        return one_line(f"{self.path} ({self.format}): {told}.")


def export(
    space: Space,
    path: str | Path,
    format: str | None = None,  # noqa: A002 - what it is called everywhere
    *,
    valid: When | None = None,
    known: When | None = None,
    progress: Progress | None = None,
) -> Exported:
    """Write a memory to a file, as an archive.

    Raises:
        InvalidInput: no such format, or something is at `path` already; an archive is asked for as of a time.
        Refused: an archive is asked for on behalf of a principal.
        NotFound: there is no such folder.
        Unavailable: the disk has no room.
    """
    place = vacant(path)
    chosen = _format(place, format)
    if valid is not None or known is not None:
        msg = "An archive holds all that was ever known, and is of no time; leave the time away."
        raise InvalidInput(msg)
    demand_owner(space, "An archive")
    with whole_file(place) as stream:
        counted = written_archive(space, stream, progress)
    return Exported(str(place), chosen, {"operations": counted.operations, "lines": counted.lines})


def _format(place: Path, given: str | None) -> str:
    chosen = _BY_SUFFIX.get(place.suffix.casefold()) if given is None else given.casefold()
    if chosen not in EXPORTS:
        msg = f"{given or place.name!r} names no format; give one of {', '.join(EXPORTS)}."
        raise InvalidInput(msg)
    return chosen
