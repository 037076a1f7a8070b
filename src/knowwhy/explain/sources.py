"""Sources as they stand: how far each is trusted and why, and what became of what it said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from knowwhy.core.model import one_line


@dataclass(frozen=True, slots=True)
class SharedErrors:
    """Another source that makes the same mistakes: one may copy the other, or both a third."""

    source: str
    type: str
    errors: int

    def as_dict(self) -> dict[str, Any]:
        """The suspicion for a program."""
        return {"source": self.source, "type": self.type, "shared_errors": self.errors}


@dataclass(frozen=True, slots=True)
class SourceStanding:
    """One source: how far it is trusted, and how what it said stands.

    `reliability` is what it is taken to have by its type, or was stated to have; `learned` what it was
    found to have instead, from so many statements beside those of others (`judged`), None where nothing
    was. Of its `statements`, in `items` of evidence, those that speak of the time asked about and that it
    still stands by are `accepted`, `contested` or `overruled`; what the world has left behind is neither.
    `copies` are suspicions, on which nothing acts. Of one that `is_quarantined` nothing counts.
    """

    name: str
    type: str
    authority: int
    reliability: float
    learned: float | None = None
    judged: int = 0
    items: int = 0
    statements: int = 0
    accepted: int = 0
    contested: int = 0
    overruled: int = 0
    copies: tuple[SharedErrors, ...] = ()
    is_quarantined: bool = False

    def as_dict(self) -> dict[str, Any]:
        """The standing for a program."""
        return {
            "name": self.name,
            "type": self.type,
            "authority": self.authority,
            "reliability": self.reliability,
            "learned": self.learned,
            "judged": self.judged,
            "items": self.items,
            "statements": self.statements,
            "accepted": self.accepted,
            "contested": self.contested,
            "overruled": self.overruled,
            "copies": [one.as_dict() for one in self.copies],
            "quarantined": self.is_quarantined,
        }

    def __str__(self) -> str:
        lines = [one_line(f"{self.name} ({self.type}, authority {self.authority}): {self._trusted()}")]
        lines.append(
            f"  {_counted(self.items, 'item')}, {_counted(self.statements, 'statement')}: {self.accepted} "
            f"accepted, {self.contested} contested, {self.overruled} overruled"
        )
        if self.is_quarantined:
            lines.append("  note: in quarantine; what it says counts nothing until it is released")
        lines += [
            one_line(f"  note: {_counted(one.errors, 'mistake')} in common with {one.source} ({one.type})")
            for one in self.copies
        ]
        return "\n".join(lines)

    def _trusted(self) -> str:
        if self.learned is None:
            return f"reliability {self.reliability:.2f}"
        judged = _counted(self.judged, "statement")
        return f"reliability {self.learned:.2f}, learned from {judged}, {self.reliability:.2f} before"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
