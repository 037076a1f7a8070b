"""Impact: what a version of a document did to what the version before it said, and to what is believed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from knowwhy.core.model import one_line
from knowwhy.engine.outcome import Outcome


@dataclass(frozen=True, slots=True)
class Said:
    """One statement of a version, with the words it was read from."""

    subject: str
    attribute: str
    value: str
    quote: str

    def as_dict(self) -> dict[str, Any]:
        """The statement for a program."""
        return {name: getattr(self, name) for name in self.__slots__}

    def __str__(self) -> str:
        return one_line(f"{self.subject} / {self.attribute} = {self.value}")


def _nothing() -> Outcome:
    return Outcome(0, None)


@dataclass(frozen=True, slots=True)
class Impact:
    """What a version confirmed, changed (each as it was and is), added and dropped, beside the one before it.

    `outcome` tells which beliefs it changed, those that follow from others too; `answers` are those on
    record, by id, that told any of these beliefs.
    """

    uri: str
    version: str
    previous: str | None
    outcome: Outcome = field(default_factory=_nothing)
    confirmed: tuple[Said, ...] = ()
    changed: tuple[tuple[Said, Said], ...] = ()
    added: tuple[Said, ...] = ()
    dropped: tuple[Said, ...] = ()
    answers: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """The impact for a program."""
        return {
            "document": self.uri,
            "version": self.version,
            "previous": self.previous,
            "confirmed": [one.as_dict() for one in self.confirmed],
            "changed": [{"was": was.as_dict(), "is": now.as_dict()} for was, now in self.changed],
            "added": [one.as_dict() for one in self.added],
            "dropped": [one.as_dict() for one in self.dropped],
            "answers": list(self.answers),
            **self.outcome.as_dict(),
        }

    def __str__(self) -> str:
        if self.outcome.is_repeat:
            return one_line(f"Version {self.version} of {self.uri} is on record; nothing was written.")
        beside = f" beside {self.previous}" if self.previous is not None else ""
        counts = (
            (len(self.confirmed), "confirmed"),
            (len(self.changed), "changed"),
            (len(self.added), "added"),
            (len(self.dropped), "dropped"),
        )
        told = ", ".join(f"{count} {what}" for count, what in counts if count) or "nothing said"
        lines = [one_line(f"Version {self.version} of {self.uri}{beside}: {told}.")]
        for was, now in self.changed:
            lines.append(f"  changed {was} → {one_line(now.value)}")
            lines.append(f"    “{one_line(was.quote)}” → “{one_line(now.quote)}”")
        lines += [f"  dropped {one}" for one in self.dropped]
        lines += [f"  added {one}" for one in self.added]
        lines += [f"  {change}" for change in self.outcome.changes]
        if self.answers:
            lines.append(f"  answers that told what changed: {', '.join(self.answers)}")
        lines += [f"  conflict {conflict.id}, {conflict}" for conflict in self.outcome.conflicts]
        lines += [f"  note: {warning}" for warning in self.outcome.warnings]
        return "\n".join(lines)
