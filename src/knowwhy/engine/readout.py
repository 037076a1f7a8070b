"""Read-outs: what was read in the words of one item of evidence, refused, and left unsure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from knowwhy.core.model import Claim, one_line
from knowwhy.providers.extraction import Missing, Reason, Refusal, Unsure

_SHOWN = 80


@dataclass(frozen=True, slots=True)
class ReadClaim:
    """One claim that was read: what it says, how it was meant, and from which words."""

    claim: str
    subject: str
    attribute: str
    value: str
    stance: str
    modality: str
    quote: str | None
    match: str | None


@dataclass(frozen=True, slots=True)
class ReadOut:
    """What an extractor made of the words of one item of evidence.

    `read` are the claims that were taken, `refused` those that were not, `unsure` statements that
    are incomplete, each with what is missing. `proposed` counts attributes spoken of that are not
    declared, `passed` what was passed over.
    """

    evidence: str
    by: str
    read: tuple[ReadClaim, ...] = ()
    refused: tuple[Refusal, ...] = ()
    unsure: tuple[Unsure, ...] = ()
    proposed: Mapping[str, int] = field(default_factory=dict)
    passed: Mapping[str, int] = field(default_factory=dict)

    @property
    def says_anything(self) -> bool:
        """Whether there is anything to tell."""
        return bool(self.read or self.refused or self.unsure or self.proposed or self.passed)

    def as_dict(self) -> dict[str, Any]:
        """The read-out for a program."""
        return {
            "evidence": self.evidence,
            "by": self.by,
            "read": [_fields(one) for one in self.read],
            "refused": [{**_fields(one), "reason": str(one.reason)} for one in self.refused],
            "unsure": [{**_fields(one), "missing": str(one.missing)} for one in self.unsure],
            "proposed": dict(self.proposed),
            "passed": dict(self.passed),
        }

    @classmethod
    def from_dict(cls, kept: Mapping[str, Any]) -> ReadOut:
        """The read-out that the log kept."""
        return cls(
            kept["evidence"],
            kept["by"],
            tuple(ReadClaim(**one) for one in kept["read"]),
            tuple(Refusal(**{**one, "reason": Reason(one["reason"])}) for one in kept["refused"]),
            tuple(Unsure(**{**one, "missing": Missing(one["missing"])}) for one in kept["unsure"]),
            kept["proposed"],
            kept["passed"],
        )

    def lines(self) -> Iterable[str]:
        """What is not taken, for a person."""
        for one in self.unsure:
            yield f"unsure: {_quoted(one.quote)} lacks {one.says}"
        for refused in self.refused:
            yield f"refused: {_quoted(refused.quote)} ({refused.reason}: {one_line(refused.says)})"


def read_claim(claim: Claim, attribute: str) -> ReadClaim:
    """How a claim that was read is shown."""
    return ReadClaim(
        claim.id,
        claim.slot.subject.name,
        attribute,
        str(claim.value),
        str(claim.stance),
        str(claim.modality),
        claim.quote,
        claim.quote_match,
    )


def proposals(read_outs: Iterable[ReadOut]) -> tuple[str, ...]:
    """A note on the attributes that are spoken of and not declared, the most frequent first."""
    counted: dict[str, int] = {}
    for one in read_outs:
        for name, times in one.proposed.items():
            counted[name] = counted.get(name, 0) + times
    if not counted:
        return ()
    ranked = sorted(counted, key=lambda name: (-counted[name], name))
    named = ", ".join(f"{name!r} ({counted[name]})" for name in ranked[:5])
    more = f" and {len(ranked) - 5} more" if len(ranked) > 5 else ""  # noqa: PLR2004 - what fits in a line
    return (f"Spoken of and not declared, so that nothing is believed of it: {named}{more}.",)


def _quoted(words: str) -> str:
    return f"“{one_line(words, _SHOWN)}”"


def _fields(part: ReadClaim | Refusal | Unsure) -> dict[str, Any]:
    return {name: getattr(part, name) for name in part.__slots__}
