"""sync: the pages of a folder as documents in versions; what did not change costs a look."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from knowwhy.core.model import Document, one_line
from knowwhy.engine.documents import Published, observe_document
from knowwhy.engine.impact import Impact
from knowwhy.engine.space import Space
from knowwhy.errors import KnowwhyError
from knowwhy.ingest.folder import pages_in


@dataclass(slots=True)
class FolderReport:
    """What became of the pages of a folder: the impact of each new version, how many did not change.

    `failed` pages could not be read, or taken, each with the reason. `missing` are on record and no longer
    there; what they said last stays.
    """

    folder: str
    impacts: list[Impact] = field(default_factory=list)
    unchanged: int = 0
    failed: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @property
    def says_anything(self) -> bool:
        """Whether anything happened."""
        return bool(self.impacts or self.failed)

    def as_dict(self) -> dict[str, Any]:
        """The report for a program."""
        return {
            "folder": self.folder,
            "impacts": [one.as_dict() for one in self.impacts],
            "unchanged": self.unchanged,
            "failed": self.failed,
            "missing": self.missing,
        }

    def __str__(self) -> str:
        new = f"{len(self.impacts)} new version{'' if len(self.impacts) == 1 else 's'}"
        lines = [one_line(f"{self.folder}: {new}, {self.unchanged} unchanged.")]
        lines += [f"  {line}" for one in self.impacts for line in str(one).splitlines()]
        lines += [f"  failed {one_line(one)}" for one in self.failed]
        lines += [f"  no longer there: {one_line(one)}" for one in self.missing]
        return "\n".join(lines)


def sync(
    space: Space,
    folder: Path,
    *,
    source_type: str = "document",
    author: str | None = None,
    reason: str | None = None,
) -> FolderReport:
    """Observe what changed in a folder since it was last looked at.

    Raises:
        NotFound: there is no such folder.
    """
    report = FolderReport(str(folder))
    with space.store.snapshot(space.name) as view:
        known = view.declared(Document)
    prefix = f"{folder.name}/"
    seen = set()

    def is_known(path: str, mark: str) -> bool:
        document = known.get(f"{prefix}{path}")
        return document is not None and document.editions[-1].version.endswith(mark)

    for page in pages_in(folder, is_known):
        uri = f"{prefix}{page.path}"
        seen.add(uri)
        if page.is_known:
            report.unchanged += 1
            continue
        if page.text is None or not page.text.strip():
            report.failed.append(f"{page.path}: {page.problem or 'it has no words'}")
            continue
        given = Published(uri, page.version, page.text, source_type, page.changed_at)
        try:
            report.impacts.append(observe_document(space, given, author=author, reason=reason))
        except KnowwhyError as problem:
            report.failed.append(f"{page.path}: {problem.message}")
    report.missing = sorted(uri for uri in known if uri.startswith(prefix) and uri not in seen)
    return report
